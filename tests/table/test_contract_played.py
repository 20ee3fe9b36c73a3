"""What the contract of rulesets finds at a table: in what is asked, and in what is told."""

from __future__ import annotations

import re
from typing import Annotated, Any

import pytest
from annotated_types import Ge, Le
from msgspec.structs import replace
from typing_extensions import Doc

from astragal.chance import Offer, Question, Rolls, d6, rule
from astragal.table.authoring.chapter import Action, Call, Command, Event, EventSpec, Spend
from astragal.table.authoring.display import Pips, Score
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.contract import GAME_MASTER, PLAYER, Step, faults, faults_at_table, faults_in_rules
from astragal.table.declarations import GAME_MASTER_ONLY, GAME_MASTER_OR_OWNER, Nature, Seen, command, event
from astragal.table.fields.definitions import CharacterId, Words
from astragal.table.refusals import Refusal
from astragal.table.state.table import State
from tests.table.dare import Dare, Dared, Leap, leap
from tests.table.faulty import DARED, DARING, JOINED, JOINING, PAID, assert_found, found, game

pytestmark = pytest.mark.slow

# ---------------------------------------------------------------- asking


def test_a_command_that_nobody_could_do_is_found() -> None:
    def never(_: Call, __: Dare) -> Question[Leap]:
        raise Refusal("Nobody dares.", code="nobody_dares")

    assert_found(
        r"The command 'dare' was never done; .* \(last it was refused: Nobody dares\)",
        game(JOINING, replace(DARING, gather=never)),
    )


def test_a_command_that_raises_is_found() -> None:
    def stumble(_: Call, asked: Dare) -> Question[Leap]:
        dangers: dict[str, int] = {}
        return leap(dangers[asked.who], 0)

    assert_found(
        r"The command 'dare' neither happens nor is refused: KeyError: .* \(in stumble, \w+.py line \d+\)",
        game(JOINING, replace(DARING, gather=stumble)),
    )


def test_a_refusal_without_code_or_sentence_is_found() -> None:
    def mumble(_: Call, __: Dare) -> Question[Leap]:
        raise Refusal("nope")

    told = found(game(JOINING, replace(DARING, gather=mumble)))
    assert "is refused without a code of its own ('refused': “nope”)" in told
    assert "is refused with “nope”, which is no sentence with a full stop" in told


def test_a_question_that_differs_each_time_is_found() -> None:
    asked_before: list[str] = []

    def waver(_: Call, asked: Dare) -> Question[Leap]:
        asked_before.append(asked.who)
        return leap(1 + len(asked_before) % 10, 0)

    assert_found(
        "The command 'dare' gathers another question the second time", game(JOINING, replace(DARING, gather=waver))
    )


def test_a_rule_that_the_game_does_not_list_is_found() -> None:
    assert_found(
        "asks a question that can't be read from a log: the rule leap is no longer what it was", game(rules=())
    )


@rule
def forgetful(danger: Annotated[int, Ge(1), Le(10)]) -> Rolls[Leap]:
    """A rule that forgets to ask for its die."""
    d6  # noqa: B018 - the forgotten `yield from` is what is to be found
    face = yield from d6
    return Leap(face, 0, danger)


def test_a_rule_that_breaks_the_contract_of_rules_is_found() -> None:
    broken = game(rules=(leap, forgetful))
    (fault,) = faults_in_rules(broken, seeds=range(5))
    assert re.search("forgetful, line .* wants a `yield from`", fault)
    at_table = faults_at_table(broken, seeds=range(5))
    assert faults(broken, seeds=range(5)) == [*at_table, fault]
    assert at_table == found(game()).splitlines()


def test_a_preview_that_shows_something_else_is_found() -> None:
    def by_view(call: Call, asked: Dare) -> Question[Leap]:
        return leap(asked.danger, 0 if call.fresh == "preview" else 3)

    told = found(game(JOINING, replace(DARING, gather=by_view, outcome=lambda leap: leap)))
    assert "The command 'dare' is previewed with other arguments than it is rolled with" in told


def test_a_preview_with_other_odds_is_found() -> None:
    def by_view(call: Call, _: Dare) -> Question[Leap]:
        return leap(5 if call.fresh == "preview" else 2, 0)

    assert_found("is previewed with other odds than it is rolled with", game(JOINING, replace(DARING, gather=by_view)))


def test_a_preview_that_fails_in_a_players_view_is_found() -> None:
    def by_fear(call: Call, asked: Dare) -> Question[Leap]:
        dreads = [one for one in call.state.characters.values() if one.sheet.fear in "deep water"]
        return leap(asked.danger, min(len(dreads), 6))

    evening = [Step(PLAYER, "join", {"name": "Kira"}), Step(GAME_MASTER, "join", {"name": "Lund"})]
    assert_found(
        "The command 'dare' can't be previewed: gathered from the asker's view it raises TypeError",
        game(JOINING, replace(DARING, gather=by_fear)),
        *evening,
    )


@command("brace", may=GAME_MASTER_OR_OWNER, actor="who")
class Brace(Command):
    """Dare with nerve paid first."""

    who: Annotated[CharacterId, Doc("who dares")]
    nerve: Annotated[int, Ge(0), Le(6), Doc("nerve paid first")] = 0


def bracing(spend: Spend) -> Action[Brace, Leap]:
    def tell(_: Call, asked: Brace, verdict: Leap) -> list[Dared]:
        return [Dared(who=asked.who, spent=0, made_it=verdict.made_it)]

    return Action(Brace, tell, gather=lambda call, asked: leap(4, asked.nerve), spend=spend)


def test_a_spend_that_no_preview_shows_is_found() -> None:
    stingy = bracing(Spend("nerve", lambda call, asked: range(2)))
    assert_found("The command 'brace' can be done, and its preview has no case of a spend of 6", game(JOINING, stingy))


def test_a_spend_of_no_field_is_found() -> None:
    unheard = bracing(Spend("courage", lambda call, asked: range(2)))
    assert_found("The command 'brace' spends 'courage', which is none of its fields", game(JOINING, unheard))


@rule
def implore(nerve: Annotated[int, Ge(0), Le(6)]) -> Rolls[Leap]:
    """A side that no field of the command names has to answer."""
    face = yield from d6
    spent = yield from Offer("fate", "mercy", (0, 1))
    return Leap(face, spent, nerve)


def test_a_side_that_nobody_answers_for_is_found() -> None:
    praying = replace(DARING, gather=lambda call, asked: implore(1))
    assert_found("nobody answers for the side 'fate'", game(JOINING, praying, rules=(implore,)))


# ---------------------------------------------------------------- telling


def test_an_event_that_no_happening_folds_is_found() -> None:
    assert_found("The command 'dare' neither happens nor is refused: KeyError", game(event_specs=(JOINED,)))


def test_an_event_that_can_not_be_told_to_those_who_may_not_know_is_found() -> None:
    def say(dared: Dared, _: Teller) -> str:
        return "made it" if dared.made_it else "did not"

    assert_found(
        "The event 'dared' can't be told: DependsOnHidden", game(event_specs=(JOINED, replace(DARED, words=say), PAID))
    )


def test_an_event_without_words_is_found() -> None:
    silent = replace(DARED, words=lambda dared, teller: "")
    assert_found("The event 'dared' has no words for the game master", game(event_specs=(JOINED, silent, PAID)))


@event("mourned", nature=Nature.LASTING)
class Mourned(Event):
    who: Annotated[str, Seen.ALL]


def mourn(state: State, mourned: Mourned) -> State:
    return state.with_sheet(mourned.who, replace(state.characters[mourned.who].sheet, nerve=0))


def test_a_lasting_event_that_needs_somebody_to_be_there_is_found() -> None:
    mourning = EventSpec(Mourned, lambda mourned, teller: "mourning", mourn)
    assert_found(
        "The event 'mourned' made up .* is lasting and does not fold on every state: KeyError",
        game(event_specs=(JOINED, DARED, PAID, mourning)),
    )


@event("sung")
class Sung(Event):
    verses: Annotated[tuple[object, ...], Seen.ALL] = ()
    song: Annotated[Words, Seen.ALL] = ""


@command("sing", may=GAME_MASTER_ONLY)
class Sing(Command):
    """Sing to the table."""


def test_an_event_that_a_log_gives_back_otherwise_is_found() -> None:
    singing: Action[Sing, None] = Action(Sing, lambda call, asked, _: [Sung(verses=((1, 2), (3,)))])
    sung = EventSpec(Sung, lambda sung, teller: "a song")
    assert_found(
        "The event 'sung' is not itself again when it is read from a log",
        game(JOINING, DARING, singing, event_specs=(JOINED, DARED, PAID, sung)),
    )


def test_an_event_that_can_not_be_told_once_its_words_are_blanked_is_found() -> None:
    singing: Action[Sing, None] = Action(Sing, lambda call, asked, _: [Sung(song="la la")])
    sung = EventSpec(Sung, lambda sung, teller: {"la la": "a song"}[sung.song])
    assert_found(
        "The event 'sung' can't be kept: KeyError: '…'",
        game(JOINING, DARING, singing, event_specs=(JOINED, DARED, PAID, sung)),
    )


def test_a_state_that_is_changed_in_place_is_found() -> None:
    def meddle(state: State, dared: Dared) -> State:
        object.__setattr__(state.characters[dared.who].sheet, "nerve", 0)
        return state

    assert_found(
        "The command 'dare' changes the state in place", game(event_specs=(JOINED, replace(DARED, fold=meddle), PAID))
    )


def furnished(*pieces: Any) -> Ruleset:
    return game(furniture=lambda one, _: list(pieces))


@pytest.mark.parametrize(
    ("fault", "ruleset"),
    [
        ("shows what is hidden in Pips 'Fear'", game(furniture=lambda one, _: [Pips("Fear", one.sheet.fear, 6)])),
        ("has 'nerve', which is none of the pieces", furnished("nerve")),
        ("asks for 'leap' with fields that no command has", furnished(Score("Leap", 1, command="leap"))),
        ("asks for 'dare' with fields", furnished(Score("Dare", 1, command="dare", fields=(("how", 1),)))),
        ("the other player sees it, can't be built: ", game(furniture=lambda one, _: [len(one.sheet.fear)])),
    ],
)
def test_furniture_that_can_not_stand_is_found(fault: str, ruleset: Ruleset) -> None:
    assert_found(fault, ruleset)


def test_a_roll_whose_breakdown_can_not_be_told_is_found() -> None:
    def stumble(question: Question[Any], _: Teller) -> list[tuple[str, str]]:
        return [("Danger", str(question.named["peril"]))]

    assert_found("How a roll was calculated can't be told: KeyError: 'peril'", game(breakdown=stumble))
    assert_found(
        r"How the rule 'leap' was calculated has \('', '4'\), which says too little",
        game(breakdown=lambda question, teller: [("", "4")]),
    )
    assert "calculated" not in found(game(breakdown=lambda question, teller: [("Danger", "4")]))
