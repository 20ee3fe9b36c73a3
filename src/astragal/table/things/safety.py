"""What the people at the table have agreed on to be safe with each other."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from astragal.table.seen import Seen
from astragal.values import frozen


class Boundary(Enum):
    """A line is never crossed; behind a veil things may happen, untold."""

    LINE = "line"
    VEIL = "veil"


@frozen(kw_only=True)
class Agreed:
    """One boundary. Nobody can see who asked for it."""

    id: Annotated[str, Seen.ALL]
    kind: Annotated[Boundary, Seen.ALL]
    words: Annotated[str, Seen.ALL]


@frozen(kw_only=True)
class Safety:
    """Boundaries, and whether the scene is stopped."""

    boundaries: Annotated[tuple[Agreed, ...], Seen.ALL] = ()
    stopped: Annotated[bool, Seen.ALL] = False
    ready: Annotated[tuple[str, ...], Seen.NOBODY] = ()
    """The seats that would go on. Told to nobody: the one missing would be known."""
