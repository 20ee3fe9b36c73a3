"""Entering the story: a name of one's own, and a player who may have the hero. The same in every game."""

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
    """Somebody came into the story, with a sheet."""

    who: CharacterId
    name: str
    seat: str | None
    sheet: S

    def says(self, _: Teller) -> str:
        return f"{self.name} enters the story"

    def fold(self, state: State) -> State:
        seat = self.seat if self.seat in state.seats else None
        return state.with_character(Character(id=self.who, name=self.name, seat=seat, sheet=self.sheet))


def check_name(state: State, name: str) -> None:
    """Refuse a name that somebody in the story has already, however it is written."""
    if any(one.name.casefold() == name.casefold() for one in state.characters.values()):
        raise Refusal(f"Somebody called {name} is in the story already.", code="name_taken")


def seat_for_hero(call: Call, seat: str | None) -> str | None:
    """The seat of a new hero: one's own, or the one that the game master says; without one, the game master's."""
    if not call.viewer.is_game_master:
        if seat not in (None, call.viewer.seat):
            raise Refusal("Only the game master makes a hero for somebody else.", code="not_allowed")
        return call.viewer.seat
    if seat is not None and find_seat(call.state, seat).role is Role.SPECTATOR:
        raise Refusal("A spectator has no hero.", code="not_allowed")
    return seat
