"""What is due at the table, and a move where the players stall: told to the model when it looks, recaps or narrates."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.surfaces.mcp.session import Desk
from astragal.surfaces.mcp.views.untrusted_text import clean
from astragal.table import reminders
from astragal.table.visibility.events import SeenEvent

MOST = 12
LONGEST = 240


def due_now(desk: Desk) -> list[str]:
    """For whoever runs the game. As results may show it: a clock that the person must not know of is a handle."""
    if not desk.is_game_master():
        return []
    found = [*_hidden_clocks(desk), *reminders.due(desk.book.ruleset, desk.shown()), *_stalled(desk)]
    return [clean(line, LONGEST) for line in found[:MOST]]


def _hidden_clocks(desk: Desk) -> Iterator[str]:
    seen = desk.shown().clocks
    for clock in desk.look().clocks.values():
        is_shown = clock.id in seen and seen[clock.id].hands == clock.hands
        if clock.hands.is_full and not is_shown:
            yield f"clock:{clock.id} is full: tell what it brings, then remove_clock."


def _stalled(desk: Desk) -> Iterator[str]:
    if not reminders.is_stalled(desk.look(), (event.name for event in _newest_first(desk))):
        return
    since = next((event.act for event in _newest_first(desk) if event.name not in reminders.TALK), "")
    command = desk.book.ruleset.stalled
    dealt = f"act {command} deals you a move" if command else reminders.move(reminders.MOVES, since)
    yield f"The story stalls: nothing but talk for a while. Your move: {dealt}."


def _newest_first(desk: Desk) -> Iterator[SeenEvent]:
    return (event for event in reversed(desk.journal().events) if not event.abandoned)
