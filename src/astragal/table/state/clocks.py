"""Clocks: named meters that fill up."""

from __future__ import annotations

from enum import Enum

from astragal.table.fields.values import Value
from astragal.table.state.seats import Viewer
from astragal.table.visibility.marks import Seen


class Face(Enum):
    """Visibility of a clock to players."""

    PUBLIC = "public"
    KNOWN = "known"
    """They know that it is there and what it is called, and not where its hands are."""
    HIDDEN = "hidden"
    """They don't know that it is there."""


class Hands(Value, seen=Seen.ALL):
    """Progress of a clock."""

    ticks: int
    size: int
    public: bool

    @property
    def is_full(self) -> bool:
        return self.ticks >= self.size

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.public


class Clock(Value, seen=Seen.ALL):
    """A meter with a name. A full clock stays full until it is moved back or removed."""

    id: str
    name: str
    face: Face
    hands: Hands

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.face is not Face.HIDDEN
