"""Notes: for all, for one seat, or secret."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from astragal.table.seats import Viewer
from astragal.table.seen import Seen
from astragal.values import frozen


class Audience(Enum):
    """Whom a note is for. The game master reads every note."""

    ALL = "all"
    SEAT = "seat"
    GAME_MASTER = "game master"


@frozen(kw_only=True)
class Note:
    """Something written down."""

    id: Annotated[str, Seen.ALL]
    title: Annotated[str, Seen.ALL]
    words: Annotated[str, Seen.ALL]
    author: Annotated[str, Seen.ALL]
    """The seat that wrote it first."""
    audience: Annotated[Audience, Seen.ALL]
    seat: Annotated[str | None, Seen.ALL]
    """Whose it is, where it is for one seat."""

    def is_for(self, viewer: Viewer) -> bool:
        return may_read(viewer, self.audience, self.seat)


def may_read(viewer: Viewer, audience: Audience, seat: str | None) -> bool:
    if viewer.is_game_master or audience is Audience.ALL:
        return True
    return audience is Audience.SEAT and seat == viewer.seat
