"""What holds for a character, or for everyone, until something ends it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated

from astragal.table.seats import Viewer
from astragal.table.seen import Seen
from astragal.values import frozen


class Until(Enum):
    """When a condition ends by itself."""

    SCENE_ENDS = "the scene ends"
    ENCOUNTER_ENDS = "the encounter ends"
    EVENING_ENDS = "the evening ends"
    NEXT_EVENING_ENDS = "the next evening ends"
    SHORT_REST = "a rest"
    LONG_REST = "a long rest"
    DAY_ENDS = "the day ends"
    TOLD = "the game master says so"


@frozen(kw_only=True)
class Condition:
    """Words for people, and numbers by key for the rules of a game."""

    id: Annotated[str, Seen.ALL]
    who: Annotated[str | None, Seen.ALL]
    """The character; without one, everybody at the table."""
    name: Annotated[str, Seen.ALL]
    effect: Annotated[str, Seen.ALL]
    numbers: Annotated[Mapping[str, int], Seen.ALL]
    until: Annotated[Until, Seen.ALL]
    hidden: Annotated[bool, Seen.GAME_MASTER]
    since_evening: Annotated[int, Seen.GAME_MASTER]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or not self.hidden
