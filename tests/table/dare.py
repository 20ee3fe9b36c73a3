"""A whole game in a page, as a stranger's package would have it: dare, roll a d6, and keep your nerve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import Offer, Question, Rolls, d6, rule
from astragal.table.authoring.chapter import Action, Call, Chapter, Command, Event, EventSpec
from astragal.table.authoring.display import Pips
from astragal.table.authoring.ruleset import Overridable, Price, Ruleset
from astragal.table.declarations import (
    GAME_MASTER_AND_PLAYERS,
    GAME_MASTER_OR_OWNER,
    Nature,
    Seen,
    command,
    event,
    replace,
)
from astragal.table.fields.definitions import CharacterId, Name
from astragal.table.refusals import NoSuchThing
from astragal.table.state.table import Character, State


@dataclass(frozen=True, kw_only=True)
class Sheet:
    nerve: Annotated[int, Ge(0), Le(6), Seen.ALL] = 3
    fear: Annotated[str, Seen.OWNER] = ""


@dataclass(frozen=True, kw_only=True)
class Options:
    nerve: Annotated[int, Ge(1), Le(6), Doc("nerve at the start"), Seen.ALL] = 3


@dataclass(frozen=True, kw_only=True)
class Game:
    dares: Annotated[int, Seen.ALL] = 0


@command("join", may=GAME_MASTER_AND_PLAYERS)
class Join(Command):
    """Bring somebody into the story."""

    name: Annotated[Name, Doc("what they are called")]
    fear: Annotated[Name, Doc("what they fear")] = "nothing"


@command("dare", may=GAME_MASTER_OR_OWNER, actor="who")
class Dare(Command):
    """Roll a d6 to reach the danger; nerve may be spent afterwards, point for point."""

    who: Annotated[CharacterId, Doc("who dares")]
    danger: Annotated[int, Ge(1), Le(10), Doc("what to reach")] = 4


@event("joined", nature=Nature.LASTING, owner="who")
class Joined(Event):
    who: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    seat: Annotated[str | None, Seen.ALL]
    nerve: Annotated[int, Seen.ALL]
    fear: Annotated[str, Seen.OWNER]


@event("dared", owner="who")
class Dared(Event):
    who: Annotated[str, Seen.ALL]
    spent: Annotated[int, Seen.ALL]
    made_it: Annotated[bool, Seen.DIFFICULTY]


@event("nerve_paid", nature=Nature.LASTING)
class NervePaid(Event):
    who: Annotated[str, Seen.ALL]
    nerve: Annotated[int, Seen.ALL]


@dataclass(frozen=True)
class Leap:
    face: int
    spent: int
    danger: int

    @property
    def made_it(self) -> bool:
        return self.face + self.spent >= self.danger


@rule
def leap(danger: Annotated[int, Ge(1), Le(10)], nerve: Annotated[int, Ge(0), Le(6)]) -> Rolls[Leap]:
    """DARE-01: a d6 that reaches the danger makes it; what is missing may be paid in nerve."""
    face = yield from d6
    missing = danger - face
    if not 0 < missing <= nerve:
        return Leap(face, 0, danger)
    spent = yield from Offer("who", "nerve", (0, missing))
    return Leap(face, spent, danger)


def _join(call: Call, asked: Join, _: None) -> list[Joined]:
    seat = None if call.viewer.is_game_master else call.viewer.seat
    nerve = call.state.options.nerve
    return [Joined(who=call.fresh, name=asked.name, seat=seat, nerve=nerve, fear=asked.fear)]


def _tell_leap(_: Call, asked: Dare, verdict: Leap) -> list[Dared]:
    return [Dared(who=asked.who, spent=verdict.spent, made_it=verdict.made_it)]


def _enter(state: State, joined: Joined) -> State:
    sheet = Sheet(nerve=joined.nerve, fear=joined.fear)
    return state.with_character(Character(id=joined.who, name=joined.name, seat=joined.seat, sheet=sheet))


def _spend(state: State, dared: Dared) -> State:
    counted = replace(state, game=Game(dares=state.game.dares + 1))
    sheet = counted.characters[dared.who].sheet
    return counted.with_sheet(dared.who, replace(sheet, nerve=sheet.nerve - dared.spent))


def _pay(state: State, paid: NervePaid) -> State:
    if paid.who not in state.characters:
        return state
    sheet = state.characters[paid.who].sheet
    return state.with_sheet(paid.who, replace(sheet, nerve=max(0, sheet.nerve - paid.nerve)))


def _price(state: State, amount: int) -> list[NervePaid]:
    return [NervePaid(who=who, nerve=amount) for who in state.characters]


def _gather(call: Call, asked: Dare) -> Question[Leap]:
    if asked.who not in call.state.characters:
        raise NoSuchThing("Nobody of that id is here.")
    return leap(asked.danger, call.state.characters[asked.who].sheet.nerve)


DARE = Ruleset(
    id="dare",
    name="Dare",
    version="1",
    books=("this page",),
    sheet=Sheet,
    options=Options,
    game=Game,
    begin=lambda _: Game(),
    chapters=(
        Chapter(
            actions=(
                Action(Join, _join),
                Action(
                    Dare,
                    _tell_leap,
                    gather=_gather,
                    outcome=lambda verdict: verdict.made_it,
                ),
            ),
            event_specs=(
                EventSpec(Joined, lambda joined, _: f"{joined.name} joins", _enter),
                EventSpec(Dared, lambda dared, teller: f"{teller.name(dared.who)} dares: {dared.made_it}", _spend),
                EventSpec(NervePaid, lambda paid, teller: f"{teller.name(paid.who)} pays {paid.nerve} nerve", _pay),
            ),
        ),
    ),
    rules=(leap,),
    furniture=lambda one, _: [Pips("Nerve", one.sheet.nerve, 6)],
    prices={"nerve": Price("each pays nerve", _price)},
    overrides={"nerve": Overridable("nerve held", (0, 6), lambda sheet: sheet.nerve, lambda s, n: replace(s, nerve=n))},
)
