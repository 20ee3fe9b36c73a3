"""The calendar of a table: its evening, its scene, its encounter and its day."""

from __future__ import annotations

from enum import Enum

from astragal.table.fields.values import Value
from astragal.table.visibility.marks import Seen


class Rest(Enum):
    """Kinds of rest. What each gives is the game's to say."""

    SHORT = "short"
    LONG = "long"
    CARE = "care"


class Calendar(Value, seen=Seen.ALL):
    """Evenings and days are counted; of scenes and encounters there is one or none."""

    evening: int = 0
    """Number of evenings that have begun."""
    sitting: bool = False
    """Is an evening going on?"""
    scene: str | None = None
    encounter: str | None = None
    """Name of the present encounter."""
    day: int = 1
