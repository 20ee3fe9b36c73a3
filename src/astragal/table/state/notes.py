"""Notes: for all, for one seat, or secret."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from annotated_types import MaxLen, MinLen

from astragal.table.fields.definitions import FreeText, Words
from astragal.table.fields.values import Value
from astragal.table.state.seats import Viewer
from astragal.table.visibility.marks import Seen

Title = Annotated[str, MinLen(1), MaxLen(120), FreeText()]


class Audience(Enum):
    """Readers of a note. The game master reads every note."""

    ALL = "all"
    SEAT = "seat"
    GAME_MASTER = "game master"


class Note(Value, seen=Seen.ALL):
    """Something written down."""

    id: str
    title: Title
    words: Words
    author: str
    """The seat that wrote it first."""
    audience: Audience
    seat: str | None
    """The seat that it is for, where it is for one."""

    def is_for(self, viewer: Viewer) -> bool:
        if viewer.is_game_master or self.audience is Audience.ALL:
            return True
        return self.audience is Audience.SEAT and self.seat == viewer.seat
