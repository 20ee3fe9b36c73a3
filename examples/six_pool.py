"""Six-Pool d20: a d20 with bonuses and points, declared before the roll, against a difficulty or each other."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Annotated

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import Chance, Offer, Rolls, Together, d20, highest, lowest, odds, rule


class Footing(Enum):
    ADVANTAGE = "advantage"
    LEVEL = "level"
    DISADVANTAGE = "disadvantage"


class Side(Enum):
    ACTOR = "actor"
    OPPONENT = "opponent"


class Degree(Enum):
    """SP-12: how far a check beats or misses its difficulty."""

    CRITICAL_SUCCESS = "critical success"
    STRONG_SUCCESS = "strong success"
    SUCCESS = "success"
    FAILURE = "failure"
    BAD_FAILURE = "bad failure"
    CRITICAL_FAILURE = "critical failure"


Bonus = Annotated[int, Ge(-5), Le(20), Doc("Proficiency, Edge and circumstances together.")]
DC = Annotated[int, Ge(1), Le(30), Doc("The difficulty to meet or beat.")]
Points = Annotated[int, Ge(0), Le(9), Doc("Pool points spent on this roll; gone whatever it shows.")]
Limit = Annotated[int, Ge(0), Le(9), Doc("The most points that may be spent: Effort, and what the pool holds.")]


@dataclass(frozen=True, slots=True)
class Check:
    natural: int
    margin: int

    @property
    def success(self) -> bool:
        """SP-11: a natural 20 always succeeds and a natural 1 always fails, whatever was spent."""
        return self.natural == 20 or (self.natural != 1 and self.margin >= 0)

    @property
    def degree(self) -> Degree:
        """SP-12: bands of five points; a natural 20 or 1 is as good or as bad as can be."""
        if self.natural == 20:
            return Degree.CRITICAL_SUCCESS
        if self.natural == 1:
            return Degree.CRITICAL_FAILURE
        if self.margin >= 10:
            return Degree.CRITICAL_SUCCESS
        if self.margin >= 5:
            return Degree.STRONG_SUCCESS
        if self.margin >= 0:
            return Degree.SUCCESS
        if self.margin > -5:
            return Degree.FAILURE
        if self.margin > -10:
            return Degree.BAD_FAILURE
        return Degree.CRITICAL_FAILURE


@dataclass(frozen=True, slots=True)
class Contest:
    margin: int
    spent: int
    opposing_spent: int
    tie_holder: Side

    @property
    def winner(self) -> Side:
        """SP-13: the higher total, and on a tie whoever holds it."""
        if self.margin == 0:
            return self.tie_holder
        return Side.ACTOR if self.margin > 0 else Side.OPPONENT


def d20_on(footing: Footing) -> Chance[int]:
    """SP-10: two dice, the higher on advantage, the lower on disadvantage."""
    match footing:
        case Footing.ADVANTAGE:
            return highest(2, d20)
        case Footing.DISADVANTAGE:
            return lowest(2, d20)
        case Footing.LEVEL:
            return d20


def secret_spend(side: Side, limit: int) -> Offer[int]:
    """SP-13: points up to the limit, declared without knowing the other's."""
    return Offer(side.value, "spend points", tuple(range(limit + 1)))


@rule
def check(bonus: Bonus, dc: DC, points: Points = 0, footing: Footing = Footing.LEVEL) -> Rolls[Check]:
    """SP-01: the d20 with all that is added to it meets the difficulty or beats it."""
    natural = yield from d20_on(footing)
    return Check(natural, natural + bonus + points - dc)


@rule
def contest(
    bonus: Bonus,
    opposing_bonus: Bonus,
    limit: Limit = 0,
    opposing_limit: Limit = 0,
    tie_holder: Side = Side.OPPONENT,
) -> Rolls[Contest]:
    """SP-13: both spend in secret and at once, both roll, the higher total wins."""
    declaring = secret_spend(Side.ACTOR, limit)
    opposing_declaring = secret_spend(Side.OPPONENT, opposing_limit)
    spent, opposing_spent = yield from Together((declaring, opposing_declaring))
    natural = yield from d20
    opposing_natural = yield from d20
    total = natural + bonus + spent
    opposing_total = opposing_natural + opposing_bonus + opposing_spent
    margin = total - opposing_total
    return Contest(margin, spent, opposing_spent, tie_holder)


def chances_by_points(bonus: int, dc: int, limit: int, footing: Footing = Footing.LEVEL) -> Iterator[Fraction]:
    """SP-21: the chance at every legal spend, from no point to the limit."""
    for points in range(limit + 1):
        yield odds(check(bonus, dc, points, footing)).chance(lambda roll: roll.success)


def least_points(bonus: int, dc: int, limit: int, chance_to_reach: Fraction) -> int | None:
    """SP-21: the smallest spend that reaches a chance, if any does."""
    for points, chance in enumerate(chances_by_points(bonus, dc, limit)):
        if chance >= chance_to_reach:
            return points
    return None
