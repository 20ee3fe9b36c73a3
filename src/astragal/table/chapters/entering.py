"""Entering the story: a name of one's own, a sheet, and a player who may have the hero. The same in every game.

A game's command makes a sheet and returns `entered(call, name, sheet, seat)` for a hero, or `introduced(call, name,
sheet)` for somebody of the game master's. A sheet may have a method `says(self, teller)`: what is told of a hero.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from astragal.table.authoring.chapter import Call, Chapter, Event, Teller
from astragal.table.authoring.declarations import Nature
from astragal.table.chapters.seats import find_seat
from astragal.table.fields.definitions import CharacterId
from astragal.table.refusals import Refusal
from astragal.table.state.seats import Role
from astragal.table.state.table import Character, State
from astragal.table.visibility.marks import Seen

S = TypeVar("S")

ENTERING = Chapter(seen=Seen.ALL)


@ENTERING.event("entered", nature=Nature.LASTING, owner="who")
class Entered(Event, Generic[S]):
    """A hero came into the story, for good: no rewind takes one out. Who may see what of the sheet, the sheet says."""

    who: CharacterId
    name: str
    seat: str | None
    sheet: S

    def says(self, teller: Teller) -> str:
        says = getattr(self.sheet, "says", None)
        return f"{self.name} enters the story{f': {says(teller)}' if says else ''}"

    def fold(self, state: State) -> State:
        seat = self.seat if self.seat in state.seats else None
        return state.with_character(Character(id=self.who, name=self.name, seat=seat, sheet=self.sheet))


@ENTERING.event("introduced", says="{name} enters the story")
class Introduced(Event, Generic[S]):
    """Somebody or something of the game master's came into the story. What a sheet keeps for its owner is theirs."""

    who: CharacterId
    name: str
    sheet: S

    def fold(self, state: State) -> State:
        return state.with_character(Character(id=self.who, name=self.name, seat=None, sheet=self.sheet))


def entered(call: Call, name: str, sheet: S, seat: str | None = None) -> Entered[S]:
    """A new hero, of the player who asks, or of the one that the game master says; without one, the game master's."""
    _check_name(call.state, name)
    if not call.viewer.is_game_master:
        if seat not in (None, call.viewer.seat):
            raise Refusal("Only the game master makes a hero for somebody else.", code="not_allowed")
        seat = call.viewer.seat
    elif seat is not None and find_seat(call.state, seat).role is Role.SPECTATOR:
        raise Refusal("A spectator has no hero.", code="not_allowed")
    return Entered(who=call.fresh, name=name, seat=seat, sheet=sheet)


def introduced(call: Call, name: str, sheet: S) -> Introduced[S]:
    """Somebody or something whom the game master plays."""
    _check_name(call.state, name)
    return Introduced(who=call.fresh, name=name, sheet=sheet)


def _check_name(state: State, name: str) -> None:
    """Refuse a name that somebody in the story has already, however it is written."""
    if any(one.name.casefold() == name.casefold() for one in state.characters.values()):
        raise Refusal(f"Somebody called {name} is in the story already.", code="name_taken")
