"""The contract of rulesets: the tiny game keeps it, and each fault is found in games made to break it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

import pytest
from annotated_types import Ge, Le, MaxLen
from typing_extensions import Doc

from astragal.table.authoring.chapter import Action, Call, Chapter, Command, Event, EventSpec
from astragal.table.authoring.display import AtHand
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.ruleset import AppliedSkin, BookTable, HeroBook, Measure, Overridable, Price, SkinShelf
from astragal.table.contract import GAME_MASTER, PLAYER, Step, faults
from astragal.table.contract.manifest import faults_in_hooks
from astragal.table.declarations import GAME_MASTER_ONLY, Role, Scope, Seen, command, event, replace
from tests.table.dare import DARE, Dare, Dared, Game, Sheet, leap
from tests.table.faulty import DARED, DARING, JOINED, JOINING, PAID, assert_found, found, found_once, game

pytestmark = pytest.mark.slow


def test_the_tiny_game_keeps_the_contract() -> None:
    assert faults(DARE) == []


def test_an_evening_is_played_step_by_step() -> None:
    evening = [
        Step(PLAYER, "join", {"name": "Kira", "fear": "deep water"}),
        Step(PLAYER, "dare", {"who": "Kira", "danger": 6}, faces=(4,), answers=(2,)),
        Step(GAME_MASTER, "mark_save_node", {"label": "the brink"}),
        Step(PLAYER, "dare", {"who": "Kira"}, faces=(1,)),
        Step(GAME_MASTER, "rewind", {"node": "act-3", "price": "nerve"}),
    ]
    assert faults(DARE, evening) == []


def test_a_step_that_is_refused_is_told_with_its_sentence() -> None:
    assert_found(
        r"Step 1 of the evening, dare\(who='Kira'\) by the player, could not be done: There is no character", DARE,
        Step(PLAYER, "dare", {"who": "Kira"}),
    )  # fmt: skip


def test_a_face_that_no_die_has_is_told() -> None:
    evening = [Step(PLAYER, "join", {"name": "Kira"}), Step(PLAYER, "dare", {"who": "Kira"}, faces=(7,))]
    assert_found("The evening wants a 7 on a die of 6 sides", DARE, *evening)


def test_every_fault_is_a_sentence() -> None:
    for fault in faults(game(Action(Dare, DARING.tell, gather=DARING.gather), books=())):
        assert re.fullmatch(r"(?s)[A-Z].*\.", fault)


# ---------------------------------------------------------------- hooks

FALLING = Chapter(seen=Seen.ALL)


@FALLING.event("fell", says="{who} falls")
class Fell(Event):
    """Somebody fell."""

    who: str

    def fodl(self, state: Any) -> Any:
        return state

    def told(self, teller: Teller) -> str:
        return teller.name(self.who)


@FALLING.command("fall")
class Fall(Command):
    """Fall."""

    who: Annotated[str, MaxLen(40), Doc("who falls")]

    def does(self, _: Call) -> list[Fell]:
        return [Fell(who=self.who)]

    def recals(self, call: Call) -> dict[str, str]:
        return {"who": call.viewer.seat}


def test_a_method_that_overrides_nothing_though_it_looks_like_a_hook_is_found() -> None:
    assert_found("The method `Fell.fodl` is no hook; `fold` is", game(event_specs=FALLING.event_specs))
    assert_found("The method `Fall.recals` is no hook; `recalls` is", game(*FALLING.actions))


def test_a_method_of_another_kind_with_a_name_like_a_hooks_is_no_fault() -> None:
    assert list(faults_in_hooks(Fell)) == ["The method `Fell.fodl` is no hook; `fold` is"]


def test_a_command_without_does_is_refused_where_it_is_declared() -> None:
    class Idle(Command):
        """Do nothing."""

    with pytest.raises(TypeError, match="Idle has no method `does`"):
        FALLING.command("idle")(Idle)


# ---------------------------------------------------------------- names


def test_a_name_given_twice_is_found() -> None:
    assert_found("The command 'dare' is declared 2 times", game(JOINING, DARING, DARING))
    assert_found("The event 'dared' is declared 2 times", game(event_specs=(JOINED, DARED, DARED)))
    assert_found("The rule 'leap' is declared 2 times", game(rules=(leap, leap)))


@command("say", may=GAME_MASTER_ONLY)
class Say(Command):
    """Say something, as every table can."""


@command("Say It", may=GAME_MASTER_ONLY)
class SayIt(Command):
    """Say it."""


def nothing(_: Call, __: Any, ___: None) -> list[Any]:
    return []


def test_a_name_that_every_table_has_is_found() -> None:
    assert_found("The command 'say' has a name that every table has", game(Action(Say, nothing)))


def test_a_name_that_is_no_plain_word_is_found() -> None:
    assert_found("The command 'Say It' has a name that is not small letters", game(Action(SayIt, nothing)))


def test_what_was_never_declared_is_found() -> None:
    undeclared = EventSpec(Sheet, lambda sheet, teller: "a sheet")
    assert_found("Sheet is joined to a happening and is no event", game(event_specs=(JOINED, DARED, undeclared)))
    assert_found("Sheet is joined to an action and is no command", game(Action(Sheet, nothing)))


# ---------------------------------------------------------------- declarations


@command("boast", may={Role.PLAYER: Scope.OWN})
class Boast(Command):
    words: str
    times: int
    lines: tuple[Annotated[str, MaxLen(9)], ...] = ()
    marks: Mapping[str, int] = field(default_factory=dict)


@command("whistle", may={}, actor="tune")
class Whistle(Command):
    """Whistle a tune."""

    tune: Annotated[str, MaxLen(20), Doc("which tune")]


@pytest.mark.parametrize(
    "fault",
    [
        "The command 'boast' has no documentation",
        "'boast' is for one's own characters and does not name the field that says who acts",
        r"The field 'words' of the command 'boast' has no documentation \(Doc\)",
        "The field 'words' of the command 'boast' takes a text of any length",
        "The field 'times' of the command 'boast' takes a number without limits",
        "The field 'marks' of the command 'boast' takes a number without limits",
        "The command 'whistle' may be given by nobody",
        "The command 'whistle' names 'tune' as who acts, which is no field that holds a character",
    ],
)
def test_what_a_command_leaves_unsaid_is_found(fault: str) -> None:
    assert re.search(fault, found_once("commands", game(Action(Boast, nothing), Action(Whistle, nothing))))


class Pair(NamedTuple):
    left: int = 1
    right: int = 2


@dataclass
class Loose:
    number: Annotated[int, Seen.ALL] = 0


@dataclass(frozen=True, kw_only=True)
class Leaky:
    secret: int = 0
    weight: Annotated[float, Seen.ALL] = 0.5
    pair: Annotated[Pair, Seen.ALL] = field(default_factory=Pair)
    loose: Annotated[tuple[Loose, ...], Seen.ALL] = ()


@pytest.mark.parametrize(
    "fault",
    [
        "The field 'secret' of Leaky does not say who may see it",
        "The field 'weight' of Leaky holds float, which can't be kept and cut",
        "The field 'pair' of Leaky holds Pair, which can't be kept and cut",
        "Loose can be changed in place",
        "The state can't be frozen: a state holds 0.5, which can't be kept",
    ],
)
def test_what_a_state_may_not_hold_is_found(fault: str) -> None:
    assert re.search(fault, found_once("state", game(game=Leaky, begin=lambda _: Leaky())))


@event("shouted", version=3, owner="whom", lifts={1: lambda fields: fields})
class Shouted(Event):
    who: Annotated[str, Seen.ALL]
    loud: int


SHOUTED = EventSpec(Shouted, lambda shouted, teller: "a shout")


@pytest.mark.parametrize(
    "fault",
    [
        "The field 'loud' of Shouted does not say who may see it",
        "The event 'shouted' is in version 3 and has no lift from version 2",
        "The event 'shouted' .*names an owner that is none of its fields",
    ],
)
def test_what_an_event_leaves_unsaid_is_found(fault: str) -> None:
    assert re.search(fault, found_once("event", game(event_specs=(JOINED, DARED, PAID, SHOUTED))))


@dataclass(frozen=True, kw_only=True)
class Demanding:
    nerve: Annotated[int, Ge(1), Le(6), Seen.ALL]


def test_what_the_game_leaves_unsaid_is_found() -> None:
    told = found(game(protocol=0, books=()))
    assert "It is written for protocol 0; this is protocol 1." in told
    assert "It does not say its books." in told


def test_an_option_without_a_default_or_a_word_is_found() -> None:
    told = found(game(options=Demanding))
    assert "No table of it can be opened: BadFields: nerve is missing" in told
    assert "The option 'nerve' has no default." in told
    assert "The option 'nerve' has no documentation (Doc)." in told


# ---------------------------------------------------------------- what else a game brings


def test_a_price_that_a_rewind_would_take_back_is_found() -> None:
    story = Price("each dares", lambda state, n: [Dared(who=who, spent=0, made_it=True) for who in state.characters])
    assert_found("The price 'daring' is paid by an event that a rewind would take back", game(prices={"daring": story}))


def test_words_for_what_is_no_command_are_found() -> None:
    said = "Everyday words or what is at hand name 'shove', which is no command"
    assert_found(said, game(everyday={"shove": "push"}))
    assert_found(said, game(at_hand=AtHand(others=("shove.whom",))))
    assert_found("Foes are brought in by 'dare', which is no command with a name and a foe", game(foes="dare"))
    assert_found("Foes are brought in by 'shove', which is no command with a name and a foe", game(foes="shove"))


def test_a_price_that_can_not_be_paid_is_found() -> None:
    assert_found(
        "The price 'x' can't be paid: ZeroDivisionError", game(prices={"x": Price("", lambda state, n: [1 // 0])})
    )
    assert_found("The price 'x' has no documentation", game(prices={"x": Price("", lambda state, n: [])}))


def test_an_override_that_writes_nothing_is_found() -> None:
    idle = Overridable("", (3, 3), lambda sheet: 1, lambda sheet, value: sheet)
    told = found(game(overrides={"nerve": idle}))
    assert "The override 'nerve' does not read back what it wrote" in told
    assert "The override 'nerve' goes from 3 to 3, which is no range" in told


def test_heroes_tables_and_skins_that_do_not_fit_are_found() -> None:
    skins = SkinShelf(
        shipped=lambda: {"bad": "!", "odd": "?"},
        template=str,
        faults=lambda text, name: ["line 1: no skin"] if text == "!" else [],
        describe=lambda text: [],
        wear=lambda text: AppliedSkin({"nerve": 99}, {}),
    )
    told = found(
        game(
            heroes=HeroBook(make="join", advance=("grow",), samples=lambda options: {"kira": {"fear": "water"}}),
            tables={"odds": lambda: BookTable("Odds", ("a", "b"), (("1",),))},
            skins=skins,
        )
    )
    assert "Heroes are made with 'grow', which is no command of the game." in told
    assert "A hero on paper does not fit 'join': name is missing." in told
    assert "The table 'odds' has no rows, or rows that do not fit its head." in told
    assert "The skin 'bad' that comes with the game is faulty: line 1: no skin." in told
    assert "The skin 'odd' fills in options that the game does not take: nerve must be at most 6" in told


def test_a_measure_that_is_called_steady_and_turns_is_found() -> None:
    tides = Measure(
        game="dare",
        name="Dare",
        words="{hour} o’clock",
        ask=lambda hour: leap(abs(6 - hour), 0),
        success=lambda leapt: leapt.made_it,
        ranges={"hour": range(1, 12)},
    )
    assert found(game(measures=(tides,))) == found(game())
    turning = replace(tides, steady=True)
    assert_found("is called steady, and a greater hour helps at one place and hurts", game(measures=(turning,)))
    rising = replace(turning, ranges={"hour": range(1, 6)})
    assert found(game(measures=(rising,))) == found(game())


def test_the_games_own_types_are_the_ones_that_are_played_with() -> None:
    assert_found("The game's state is a Sheet, not a Game", game(begin=lambda _: Sheet()))
    assert_found("A character's sheet is a Sheet, not a Game", game(sheet=Game))
