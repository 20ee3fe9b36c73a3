"""Agreements by which the people at the table are safe with each other."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from astragal.table.fields.values import Value
from astragal.table.visibility.marks import Seen


class Boundary(Enum):
    """A line is never crossed; behind a veil things may happen, untold."""

    LINE = "line"
    VEIL = "veil"


class Agreed(Value, seen=Seen.ALL):
    """One boundary. Nobody can see who asked for it."""

    id: str
    kind: Boundary
    words: str


class Safety(Value, seen=Seen.ALL):
    """Boundaries, and whether the scene is stopped."""

    boundaries: tuple[Agreed, ...] = ()
    stopped: bool = False
    ready: Annotated[tuple[str, ...], Seen.NOBODY] = ()
    """The seats that would go on. Told to nobody: the one missing would be known."""
