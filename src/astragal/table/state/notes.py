"""Notes: for all, for one seat, or secret."""

from __future__ import annotations

from enum import Enum

from astragal.table.fields.values import Value
from astragal.table.state.seats import Viewer
from astragal.table.visibility.marks import Seen


class Audience(Enum):
    """Readers of a note. The game master reads every note."""

    ALL = "all"
    SEAT = "seat"
    GAME_MASTER = "game master"


class Note(Value, seen=Seen.ALL):
    """Something written down."""

    id: str
    title: str
    words: str
    author: str
    """The seat that wrote it first."""
    audience: Audience
    seat: str | None
    """The seat that it is for, where it is for one."""

    def is_for(self, viewer: Viewer) -> bool:
        return may_read(viewer, self.audience, self.seat)


def may_read(viewer: Viewer, audience: Audience, seat: str | None) -> bool:
    if viewer.is_game_master or audience is Audience.ALL:
        return True
    return audience is Audience.SEAT and seat == viewer.seat
