"""Whoever comes into the story has a name of their own, and a player who may have them: the same in every game."""

from __future__ import annotations

from .chapters.seats import find_seat
from .refusals import Refusal
from .ruleset import Call
from .seats import Role
from .state import State


def check_name(state: State, name: str) -> None:
    """Nobody in the story is called that, however it is written."""
    if any(one.name.casefold() == name.casefold() for one in state.characters.values()):
        raise Refusal(f"Somebody called {name} is in the story already.", code="name_taken")


def seat_for_hero(call: Call, seat: str | None) -> str | None:
    """Whose a new hero is: one's own, or whosever the game master says; without a seat, the game master's."""
    if not call.viewer.is_game_master:
        if seat not in (None, call.viewer.seat):
            raise Refusal("Only the game master makes a hero for somebody else.", code="not_allowed")
        return call.viewer.seat
    if seat is not None and find_seat(call.state, seat).role is Role.SPECTATOR:
        raise Refusal("A spectator has no hero.", code="not_allowed")
    return seat
