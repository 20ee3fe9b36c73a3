"""Conditions: they hold for a character, or for everyone, until something ends them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated

from astragal.table.fields.definitions import CharacterId, Words
from astragal.table.fields.values import Value, field
from astragal.table.state.seats import Viewer
from astragal.table.visibility.marks import Seen


class Until(Enum):
    """Moments at which a condition ends by itself."""

    SCENE_ENDS = "the scene ends"
    ENCOUNTER_ENDS = "the encounter ends"
    EVENING_ENDS = "the evening ends"
    NEXT_EVENING_ENDS = "the next evening ends"
    SHORT_REST = "a rest"
    LONG_REST = "a long rest"
    DAY_ENDS = "the day ends"
    TOLD = "the game master says so"


class Condition(Value, seen=Seen.ALL):
    """Words for people, and numbers by key for the rules of a game."""

    id: str
    who: CharacterId | None
    """The character; without one, everybody at the table."""
    name: str
    until: Until
    effect: Words = ""
    numbers: Mapping[str, int] = field(default_factory=dict)
    hidden: Annotated[bool, Seen.GAME_MASTER] = False
    since_evening: Annotated[int, Seen.GAME_MASTER] = 0

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or not self.hidden
