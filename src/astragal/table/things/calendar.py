"""Where a table stands in time: its evening, its scene, its encounter and its day."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from astragal.table.seen import Seen
from astragal.values import frozen


class Rest(Enum):
    """Kinds of rest. What each gives is the game's to say."""

    SHORT = "short"
    LONG = "long"
    CARE = "care"


@frozen(kw_only=True)
class Calendar:
    """Evenings and days are counted; of scenes and encounters there is one or none."""

    evening: Annotated[int, Seen.ALL] = 0
    """How many evenings have begun."""
    sitting: Annotated[bool, Seen.ALL] = False
    """Is an evening going on?"""
    scene: Annotated[str | None, Seen.ALL] = None
    encounter: Annotated[str | None, Seen.ALL] = None
    """What the present encounter is called."""
    day: Annotated[int, Seen.ALL] = 1
