"""How many successes an intent asks for, by number or by name. NJ-04."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, TypeAlias

from annotated_types import Ge, Le
from typing_extensions import Doc

MOST_SUCCESSES = 60
"""NJ-06: far past what any hand can reach, so that nobody is told that they can't try."""

Successes: TypeAlias = Annotated[int, Ge(0), Le(MOST_SUCCESSES), Doc("NJ-04: how many successes the intent asks for")]


class Difficulty(Enum):
    """NJ-04: the names, in their order."""

    TRIVIAL = "trivial"
    EASY = "easy"
    MODERATE = "moderate"
    CHALLENGING = "challenging"
    HARD = "hard"
    VERY_HARD = "very hard"
    HEROIC = "heroic"
    LEGENDARY = "legendary"
    MYTHIC = "mythic"

    @property
    def successes(self) -> int:
        """NJ-04, ruling: a name that spans two numbers means the lower."""
        return _LEAST[self]


_LEAST = dict(zip(Difficulty, (0, 1, 2, 3, 4, 5, 7, 9, 11), strict=True))


def successes_of(said: int | Difficulty) -> int:
    """NJ-04: a number stands for itself, a name for its number."""
    return said.successes if isinstance(said, Difficulty) else said


def name_of(successes: int) -> Difficulty:
    """NJ-04, ruling: 10 is Legendary still; Mythic begins at 11."""
    return max((name for name in Difficulty if name.successes <= successes), key=lambda name: name.successes)
