"""What a command would do, exactly, before it is given: by spend, by difficulty, and never more than one may know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import pytest
from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import Offer, Question, Rolls, d6, rule
from astragal.storage import open_store
from astragal.table.authoring.chapter import Action, Call, Chapter, Command, Spend
from astragal.table.chapters.prompts import RequestId, find_request
from astragal.table.declarations import GAME_MASTER_OR_OWNER, command, replace
from astragal.table.fields.definitions import CharacterId
from astragal.table.preview import Preview, Span
from astragal.table.refusals import DependsOnHidden, NotYours, QuestionChanged, Refusal
from tests.table.dare import DARE, Dared
from tests.table.seated import ScriptedDice, Seated, new_host

CANARY = 9
"""A difficulty that nothing else at the table is."""


@dataclass(frozen=True)
class Cliff:
    """A danger inside another value, where no preview can count through it."""

    danger: int


@rule
def brace(danger: Annotated[int, Ge(2), Le(9)], nerve: Annotated[int, Ge(0), Le(6)]) -> Rolls[bool]:
    """Nerve is paid first and added to the die."""
    return (yield from d6) + nerve >= danger


@rule
def scramble(cliff: Cliff) -> Rolls[bool]:
    """The same against a cliff."""
    return (yield from d6) >= cliff.danger


@rule
def blunder(danger: int) -> Rolls[bool]:
    """A rule that does not say how far its number goes."""
    return (yield from d6) >= danger


@rule
def hesitate(danger: Annotated[int, Ge(2), Le(9)], nerve: Annotated[int, Ge(0), Le(6)]) -> Rolls[bool]:
    """Only what nerve could reach is dared; then one may hold back."""
    if danger > nerve + 6:
        raise ValueError("that is out of reach")
    face = yield from d6
    daring = yield from Offer("who", "dare", (0, nerve))
    return face + daring >= danger


@command("brave", may=GAME_MASTER_OR_OWNER, actor="who")
class Brave(Command):
    """Dare what the game master asked for, with nerve paid first."""

    who: Annotated[CharacterId, Doc("who dares")]
    request: Annotated[RequestId, Doc("what was asked")]
    nerve: Annotated[int, Ge(0), Le(6), Doc("nerve paid first")] = 0


def _danger(call: Call, asked: Brave) -> Any:
    return find_request(call.state, asked.request, asked.who).difficulty


def _held(call: Call, asked: Brave) -> int:
    held: int = call.state.characters[asked.who].sheet.nerve
    return held


def _gather(call: Call, asked: Brave) -> Question[bool]:
    if asked.nerve > _held(call, asked):
        raise Refusal(f"There is no nerve {asked.nerve}.", code="no_nerve")
    return brace(_danger(call, asked), asked.nerve)


def _tell(_: Call, asked: Brave, made_it: bool) -> list[Dared]:
    return [Dared(who=asked.who, spent=asked.nerve, made_it=made_it)]


SPEND = Spend("nerve", lambda call, asked: range(_held(call, asked) + 1))

BRAVE = Action(
    Brave,
    _tell,
    gather=_gather,
    spend=SPEND,
    hides=lambda call, asked: find_request(call.state, asked.request, asked.who).hidden,
)

Seating = Callable[[Action[Any, Any]], Seated]


@pytest.fixture
def seating(tmp_path: Path) -> Seating:
    """Seats Bo with Kira, at a game that has this action."""

    def seat(action: Action[Any, Any]) -> Seated:
        rules = (*DARE.rules, brace, scramble, blunder, hesitate)
        game = replace(DARE, chapters=(*DARE.chapters, Chapter(actions=(action,))), rules=rules)
        dice = ScriptedDice()
        host = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), dice, (game,))
        opened = host.open("dare", name="The Cliff", game_master="Ada")
        seated = Seated(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
        for name in ("Bo", "Cy"):
            seated.sit(name)
        seated.act("Bo", "join", name="Kira")
        return seated

    return seat


@pytest.fixture
def seated(seating: Seating) -> Seated:
    return seating(BRAVE)


def gathering(ask: Callable[[Call, Brave], Question[Any]]) -> Action[Any, Any]:
    return replace(BRAVE, gather=ask, spend=None)


def asked(seated: Seated, difficulty: int = CANARY, *, hidden: bool = True) -> str:
    outcome = seated.act("Ada", "request_roll", who="Kira", command="brave", difficulty=difficulty, hidden=hidden)
    return str(outcome.events[0].fields["request"]["id"])


def preview(seated: Seated, seat: str, request: str, **fields: Any) -> Preview:
    command = ("brave", {"who": "Kira", "request": request, **fields})
    shown = seated.host.preview(seated.table, seated.seats[seat], command)
    assert shown is not None
    return shown


def reach(danger: int, nerve: int) -> Fraction:
    """The chance that a d6 and the nerve reach the danger."""
    return Fraction(min(6, max(0, 7 + nerve - danger)), 6)


# ---------------------------------------------------------------- by spend


def test_every_legal_spend_has_its_odds(seated: Seated) -> None:
    shown = preview(seated, "Bo", asked(seated, 6, hidden=False))
    assert [(case.spend, case.odds.chance(True)) for case in shown.cases] == [
        (nerve, reach(6, nerve)) for nerve in range(4)
    ]


def test_legal_spends_come_from_the_state(seated: Seated) -> None:
    seated.act("Ada", "override", who="Kira", what="nerve", value=1)
    shown = preview(seated, "Bo", asked(seated, 6, hidden=False))
    assert [case.spend for case in shown.cases] == [0, 1]


def test_a_spend_that_the_game_refuses_is_no_case(seating: Seating) -> None:
    generous = seating(replace(BRAVE, spend=Spend("nerve", lambda call, asked: range(6))))
    shown = preview(generous, "Bo", asked(generous, 6, hidden=False))
    assert [case.spend for case in shown.cases] == [0, 1, 2, 3]


def test_a_spend_that_nobody_has_is_refused_like_the_command(seated: Seated) -> None:
    with pytest.raises(Refusal, match="There is no nerve 5"):
        preview(seated, "Bo", asked(seated, 6, hidden=False), nerve=5)


def test_what_was_shown_is_what_is_rolled(seated: Seated) -> None:
    request = asked(seated, 6, hidden=False)
    shown = preview(seated, "Bo", request, nerve=2)
    assert shown.rule == "brace"
    assert shown.arguments == {"danger": 6, "nerve": 2}
    seated.dice.faces = [4]
    command = ("brave", {"who": "Kira", "request": request, "nerve": 2})
    done = seated.host.act(seated.table, seated.seats["Bo"], command, shown=shown.question)
    rolled = done.events[0].fields["question"]
    assert dict(zip(shown.arguments, rolled["arguments"], strict=True)) == shown.arguments


def test_who_looks_again_is_answered_from_memory(seating: Seating) -> None:
    counted: list[bool] = []

    def outcome(made_it: bool) -> bool:
        counted.append(made_it)
        return made_it

    seated = seating(replace(BRAVE, outcome=outcome))
    request = asked(seated, 6, hidden=False)
    first, reckoned = preview(seated, "Bo", request), len(counted)
    assert reckoned
    assert preview(seated, "Bo", request) == first
    assert len(counted) == reckoned


def test_another_spend_is_another_question(seated: Seated) -> None:
    request = asked(seated, 6, hidden=False)
    shown = preview(seated, "Bo", request, nerve=1)
    command = ("brave", {"who": "Kira", "request": request, "nerve": 2})
    with pytest.raises(QuestionChanged):
        seated.host.act(seated.table, seated.seats["Bo"], command, shown=shown.question)


# ---------------------------------------------------------------- by difficulty


def test_a_hidden_difficulty_is_a_span_over_what_the_rule_allows_for_each_spend(seated: Seated) -> None:
    shown = preview(seated, "Bo", asked(seated))
    assert [(case.spend, case.span, case.odds.chance(True)) for case in shown.cases] == [
        (nerve, Span(reach(9, nerve), reach(5, nerve), reach(2, nerve), against=5), reach(5, nerve))
        for nerve in range(4)
    ]


def test_the_game_master_is_answered_for_the_one_that_it_is(seated: Seated) -> None:
    shown = preview(seated, "Ada", asked(seated))
    assert [(case.spend, case.span) for case in shown.cases] == [(nerve, None) for nerve in range(4)]
    assert shown.arguments["danger"] == CANARY


def test_a_hidden_difficulty_can_be_stated_as_shown_without_being_known(seated: Seated) -> None:
    request = asked(seated)
    shown = preview(seated, "Bo", request)
    seated.dice.faces = [4]
    command = ("brave", {"who": "Kira", "request": request})
    seated.host.act(seated.table, seated.seats["Bo"], command, shown=shown.question)


def test_what_the_rule_itself_rules_out_is_not_in_the_span(seating: Seating) -> None:
    seated = seating(gathering(lambda call, asked: hesitate(_danger(call, asked), asked.nerve)))
    shown = preview(seated, "Bo", asked(seated, 5), nerve=1)
    assert [case.span for case in shown.cases] == [Span(reach(7, 0), reach(4, 0), reach(2, 0), against=4)]


def test_every_way_to_answer_offers_is_counted_under_a_hidden_difficulty_too(seating: Seating) -> None:
    action = gathering(lambda call, asked: hesitate(_danger(call, asked), asked.nerve))
    seated = seating(replace(action, policies={"all in": lambda offer: offer.options[-1]}))
    shown = preview(seated, "Bo", asked(seated, 5), nerve=3)
    spans = {case.policy: case.span for case in shown.cases}
    assert spans[None] == Span(reach(9, 0), reach(5, 0), reach(2, 0), against=5)
    assert spans["all in"] == Span(reach(9, 3), reach(5, 3), reach(2, 3), against=5)


# ---------------------------------------------------------------- and nothing else


def test_a_preview_tells_the_same_whatever_is_hidden(seated: Seated) -> None:
    told = [preview(seated, "Bo", asked(seated, danger)) for danger in (2, 5, CANARY)]
    assert told[0] == told[1] == told[2]
    assert "danger" not in told[0].arguments


def test_what_is_reckoned_from_a_hidden_number_is_hidden_too(seating: Seating) -> None:
    seated = seating(gathering(lambda call, asked: brace(_danger(call, asked) - 1, asked.nerve)))
    told = [preview(seated, "Bo", asked(seated, danger)) for danger in (4, CANARY)]
    assert told[0] == told[1]
    assert [case.span for case in told[0].cases] == [Span(reach(9, 0), reach(5, 0), reach(2, 0), against=5)]


def test_a_game_that_decides_by_a_hidden_number_is_refused_its_preview(seating: Seating) -> None:
    def gather(call: Call, asked: Brave) -> Question[bool]:
        if _danger(call, asked) > 8:
            raise Refusal(f"Nobody dares a {_danger(call, asked)}.", code="too_high")
        return brace(_danger(call, asked), 0)

    seated = seating(gathering(gather))
    for danger in (4, CANARY):
        assert "can't know" in refused_preview(seated, asked(seated, danger))


def test_two_hidden_numbers_are_too_many_for_odds(seating: Seating) -> None:
    seated = seating(gathering(lambda call, asked: brace(_danger(call, asked), _danger(call, asked))))
    refused = refused_preview(seated, asked(seated, 4))
    assert refused == "More than one number is hidden, so the odds can't be calculated."


def test_a_number_without_limits_can_not_be_reckoned_with(seating: Seating) -> None:
    seated = seating(gathering(lambda call, asked: blunder(_danger(call, asked))))
    assert "can't know" in refused_preview(seated, asked(seated, 4))


def test_a_number_hidden_inside_another_value_is_refused_and_not_told(seating: Seating) -> None:
    seated = seating(gathering(lambda call, asked: scramble(Cliff(_danger(call, asked)))))
    request = asked(seated)
    assert "can't know" in refused_preview(seated, request)
    command = ("brave", {"who": "Kira", "request": request})
    with pytest.raises(QuestionChanged):
        seated.host.act(seated.table, seated.seats["Bo"], command, shown="whatever")


def test_a_legal_range_that_is_hidden_is_refused(seating: Seating) -> None:
    seated = seating(replace(BRAVE, spend=Spend("nerve", lambda call, asked: range(_danger(call, asked)))))
    assert "can't know" in refused_preview(seated, asked(seated))


def test_who_may_not_give_a_command_may_not_preview_it(seated: Seated) -> None:
    with pytest.raises(NotYours):
        preview(seated, "Cy", asked(seated))


def test_a_game_that_does_not_say_what_success_is_has_no_span(seating: Seating) -> None:
    seated = seating(replace(gathering(lambda call, asked: brace(_danger(call, asked), 0)), outcome=str))
    assert "can't know" in refused_preview(seated, asked(seated))
    known = preview(seated, "Ada", asked(seated, 6))
    assert known.cases[0].success is None


def test_what_rolls_no_dice_has_no_preview(seated: Seated) -> None:
    for undecided in (("join", {"name": "Lund"}), ("go_on", {}), ("answer", {"act": "0" * 16, "answer": 0})):
        assert seated.host.preview(seated.table, seated.seats["Bo"], undecided) is None


def refused_preview(seated: Seated, request: str) -> str:
    """The sentence with which a preview is refused, in which no hidden number stands."""
    with pytest.raises(DependsOnHidden) as refused:
        preview(seated, "Bo", request)
    assert not any(sign.isdigit() for sign in refused.value.sentence)
    return refused.value.sentence
