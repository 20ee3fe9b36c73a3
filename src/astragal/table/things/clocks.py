"""Clocks: named meters that fill up."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from astragal.table.seats import Viewer
from astragal.table.seen import Seen
from astragal.values import frozen


class Face(Enum):
    """What players see of a clock."""

    PUBLIC = "public"
    KNOWN = "known"
    """They know that it is there and what it is called, and not where its hands are."""
    HIDDEN = "hidden"
    """They don't know that it is there."""


@frozen(kw_only=True)
class Hands:
    """How far a clock has come."""

    ticks: Annotated[int, Seen.ALL]
    size: Annotated[int, Seen.ALL]
    public: Annotated[bool, Seen.ALL]

    @property
    def is_full(self) -> bool:
        return self.ticks >= self.size

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.public


@frozen(kw_only=True)
class Clock:
    """A meter with a name. A full clock stays full until it is moved back or removed."""

    id: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    face: Annotated[Face, Seen.ALL]
    hands: Annotated[Hands, Seen.ALL]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.face is not Face.HIDDEN
