"""What a roll is held against. SP-05."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Annotated, TypeAlias

from annotated_types import Ge, Le
from typing_extensions import Doc

EASIEST, HARDEST = 1, 40

Difficulty: TypeAlias = Annotated[
    int, Ge(EASIEST), Le(HARDEST), Doc("the difficulty class: what the total has to reach")
]


class Rung(Enum):
    """SP-05: the ladder of difficulties."""

    TRIVIAL = "trivial"
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    VERY_HARD = "very hard"
    NEARLY_IMPOSSIBLE = "nearly impossible"

    @property
    def dc(self) -> int:
        return 5 * (1 + list(Rung).index(self))


class Circumstance(Enum):
    """SP-05: what makes a thing easier or harder."""

    FAVOURABLE = "favourable"
    UNFAVOURABLE = "unfavourable"
    EXTREMELY_DIFFICULT = "extremely difficult"
    PERFECT_SET_UP = "perfect set-up"

    @property
    def shift(self) -> int:
        return {
            Circumstance.FAVOURABLE: -2,
            Circumstance.UNFAVOURABLE: 2,
            Circumstance.EXTREMELY_DIFFICULT: 5,
            Circumstance.PERFECT_SET_UP: -5,
        }[self]


def shifted(dc: int, circumstances: Iterable[Circumstance]) -> int:
    """SP-05: several circumstances add up."""
    return dc + sum(circumstance.shift for circumstance in circumstances)
