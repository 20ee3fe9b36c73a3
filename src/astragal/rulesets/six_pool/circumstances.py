"""Circumstances: the difficulty of a roll, and what gives advantage or disadvantage. SP-05, SP-10, SP+05."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Annotated, TypeAlias

from astragal.game import WITHHELD, Character, Refusal
from astragal.game.fields import Doc, Ge, Le, Usual, Whose
from astragal.game.rolls import Advantage, Disadvantage, Footing, Ground
from astragal.game.shared import conditions_on

from .catalogue import Pool
from .state import NO_POOL, Sheet, State

# ---------------------------------------------------------------- difficulty

EASIEST, HARDEST = 1, 40

Difficulty: TypeAlias = Annotated[
    int, Ge(EASIEST), Le(HARDEST), Usual(5, 30), Doc("the difficulty class: what the total has to reach")
]
"""SP-05: trivial is 5, nearly impossible 30."""


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
        return SHIFTS[self]


SHIFTS = {
    Circumstance.FAVOURABLE: -2,
    Circumstance.UNFAVOURABLE: 2,
    Circumstance.EXTREMELY_DIFFICULT: 5,
    Circumstance.PERFECT_SET_UP: -5,
}


def shifted(dc: int, circumstances: Iterable[Circumstance]) -> int:
    """SP-05: several circumstances add up; ruling: a sum below 1 counts as 1."""
    summed = dc + sum(circumstance.shift for circumstance in circumstances)
    return summed if summed is WITHHELD else max(EASIEST, summed)


Circumstances: TypeAlias = Annotated[
    tuple[Circumstance, ...], Doc("what makes it easier or harder; they add up"), Whose.PROPOSAL
]


def within_reach(dc: int) -> int:
    """SP-05: a difficulty goes up to 40, with what makes it easier or harder."""
    if dc > HARDEST:
        raise Refusal(f"That comes to a difficulty of {dc}; it goes up to {HARDEST}.", code="out_of_range")
    return dc


# ---------------------------------------------------------------- what helps and hinders

USUAL = {
    **dict.fromkeys(("flanking", "position", "proper tools", "surprised target", "helpless target"), Footing.ADVANTAGE),
    **dict.fromkeys(
        ("prone", "shooting into melee", "bad weather", "improvised tools", "injured", "exhausted"),
        Footing.DISADVANTAGE,
    ),
}
"""SP-10: what anyone may name. Help is asked for; any other word is the game master's to give."""

BONUS = "bonus"
"""The key under which a condition's numbers add to every roll."""

INSPIRED = "inspiration"
BROKEN = "broken pool"


def ground(
    state: State,
    who: Character[Sheet],
    pool: Pool,
    advantage: Advantage,
    disadvantage: Disadvantage,
    *,
    inspired: bool = False,
) -> Ground:
    """SP-10: everything that helps and hinders a roll; sources do not stack, and both kinds cancel.

    SP+05: a pool at 0 is broken until a point returns; a spend that empties it counts from the next roll on.
    """
    points = who.sheet.numbers.pool(pool)
    is_broken = state.options.broken_pools and points is not NO_POOL and points.now == 0
    found = Ground.of(conditions_on(state, who.id), advantage, disadvantage)
    return found.also(helps=(INSPIRED,) if inspired else (), hinders=(BROKEN,) if is_broken else ())
