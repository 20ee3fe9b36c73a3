"""The roll of an approach: as many d6 as the attribute, added up; every 6 is rolled again and added."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, TypeAlias

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import Rolls, d6, exploding, rule

from .results import Reached

EASIEST, HARDEST = 4, 20
FEWEST_DICE, MOST_DICE = 1, 8

Dice: TypeAlias = Annotated[
    int, Ge(FEWEST_DICE), Le(MOST_DICE), Doc("The attribute's present value: as many dice are rolled.")
]
Target: TypeAlias = Annotated[int, Ge(EASIEST), Le(HARDEST), Doc("What to beat: 4 is easy, 20 nearly impossible.")]
Statuses: TypeAlias = Annotated[int, Ge(-30), Le(30), Doc("All that is added to the total, with its signs.")]
Won: TypeAlias = Annotated[
    int, Ge(1), Le(20), Doc("How far over the target still matters: what harm or healing can do.")
]
Lost: TypeAlias = Annotated[int, Ge(1), Le(20), Doc("How far under the target still matters: what there is to lose.")]


class Explode(Enum):
    """NS-03: whether a 6 that a 6 brought is rolled again, too."""

    CHAIN = "chain"
    ONCE = "once"


class Step(Enum):
    """NS-02: names for five of the targets."""

    EASY = "easy"
    FAIR = "fair"
    HARD = "hard"
    VERY_HARD = "very hard"
    NEARLY_IMPOSSIBLE = "nearly impossible"

    @property
    def target(self) -> int:
        return TARGETS[self]


TARGETS = {Step.EASY: 4, Step.FAIR: 8, Step.HARD: 12, Step.VERY_HARD: 16, Step.NEARLY_IMPOSSIBLE: 20}


def is_usual(target: int) -> bool:
    """NS-02: any whole number is allowed; outside 4 to 20 the game master is warned."""
    return EASIEST <= target <= HARDEST


@rule
def approach(
    dice: Dice,
    target: Target,
    statuses: Statuses = 0,
    *,
    won: Won = 1,
    lost: Lost = 1,
    explode: Explode = Explode.CHAIN,
) -> Rolls[Reached]:
    """NS-03, NS-04: roll the attribute in d6, sixes again and again, and add what counts for and against."""
    to_meet = target - statuses
    # NS-17: however far the sixes carry it, everything past what can matter is one outcome, exactly weighted.
    rolled = yield from exploding(dice, d6, once=explode is Explode.ONCE, ceiling=to_meet + won)
    return Reached(max(rolled - to_meet, -lost))
