"""Reminders of what is due, and a move where the players stall: for the model when it looks, recaps or narrates."""

from __future__ import annotations

from astragal.surfaces.mcp.session import Desk
from astragal.surfaces.mcp.views.untrusted_text import clean
from astragal.table.reminders import due, stalled

MOST = 12
LONGEST = 240


def due_now(desk: Desk) -> list[str]:
    """For whoever runs the game. As results may show it: a clock that the person must not know of is a handle."""
    if not desk.is_game_master():
        return []
    ruleset, state, seen = desk.book.ruleset, desk.look(), desk.shown().clocks
    veiled = [one.id for one in state.clocks.values() if one.id not in seen or seen[one.id].hands != one.hands]
    full = [one for one in veiled if state.clocks[one].hands.is_full]
    found = [
        *(f"clock:{one} is full: tell what it brings, then remove_clock." for one in full),
        *due(ruleset, desk.shown()),
        *stalled(ruleset, state, reversed(desk.journal().events)),
    ]
    return [clean(line, LONGEST) for line in found[:MOST]]
