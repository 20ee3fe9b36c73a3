"""One roll against a difficulty: SP-01, SP-11, SP-12."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, NamedTuple, TypeAlias

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import Rolls, rule
from astragal.rulesets.six_pool.difficulty import Difficulty

from .footing import Footing
from .rerolls import NO_REROLLS, Again, settled_die

Bonus: TypeAlias = Annotated[int, Ge(-40), Le(60), Doc("proficiency, Edge, points and the situation, together")]
Stance: TypeAlias = Annotated[Footing, Doc("one die, or which of two counts")]
Rerolls: TypeAlias = Annotated[Again, Doc("rerolls at hand, and when they are offered")]


class Degree(Enum):
    """SP-12: how well or badly it went. A critical hit is for attacks alone."""

    CRITICAL_HIT = "critical hit"
    CRITICAL_SUCCESS = "critical success"
    STRONG_SUCCESS = "strong success"
    SUCCESS = "success"
    FAILURE = "failure"
    BAD_FAILURE = "bad failure"
    CRITICAL_FAILURE = "critical failure"

    @property
    def is_success(self) -> bool:
        return self in _SUCCESSES


_SUCCESSES = frozenset({Degree.CRITICAL_HIT, Degree.CRITICAL_SUCCESS, Degree.STRONG_SUCCESS, Degree.SUCCESS})


class NaturalDegree(Enum):
    """SP-12: what degree a natural 20 or 1 is."""

    CRITICAL = "critical"
    """The best and the worst there are."""
    TOTAL = "total"
    """What the total says, but at least a success for a 20 and at least a failure for a 1."""


def band(margin: int) -> Degree:
    """SP-12: the degree of a total by how far it beats or misses the difficulty."""
    if margin >= 0:
        return Degree.CRITICAL_SUCCESS if margin >= 10 else Degree.STRONG_SUCCESS if margin >= 5 else Degree.SUCCESS
    return Degree.CRITICAL_FAILURE if margin <= -10 else Degree.BAD_FAILURE if margin <= -5 else Degree.FAILURE


class Roll(NamedTuple):
    """The die that counts, what was added, and what it was held against. A tuple: odds count them by the hundred."""

    natural: int
    bonus: int
    dc: int
    naturals: NaturalDegree = NaturalDegree.CRITICAL
    rerolled: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return self.natural + self.bonus

    @property
    def margin(self) -> int:
        return self.total - self.dc

    @property
    def is_natural(self) -> bool:
        return self.natural in (1, 20)

    @property
    def success(self) -> bool:
        """SP-01: meets or beats. SP-11: a natural 20 always, a natural 1 never, whatever was spent."""
        return self.natural == 20 or (self.natural != 1 and self.margin >= 0)

    @property
    def band(self) -> Degree:
        """SP-12: what the total alone would say."""
        return band(self.margin)

    @property
    def degree(self) -> Degree:
        """SP-12: the total's band, unless a natural 20 or 1 has its own say."""
        if not self.is_natural:
            return self.band
        if self.naturals is NaturalDegree.CRITICAL:
            return Degree.CRITICAL_SUCCESS if self.natural == 20 else Degree.CRITICAL_FAILURE
        if self.band.is_success == self.success:
            return self.band
        return Degree.SUCCESS if self.natural == 20 else Degree.FAILURE


def taken(face: int, bonus: int, dc: int) -> Roll:
    """SP-17: a 10 or a 20 that nobody rolled is no natural: the total alone decides."""
    return Roll(0, face + bonus, dc)


@rule
def check(
    dc: Difficulty,
    bonus: Bonus,
    stance: Stance = Footing.LEVEL,
    again: Rerolls = NO_REROLLS,
    naturals: Annotated[NaturalDegree, Doc("what degree a natural 20 or 1 is")] = NaturalDegree.CRITICAL,
) -> Rolls[Roll]:
    """SP-01: a d20 and all bonuses meet or beat the difficulty."""
    thrown = yield from settled_die(stance, again, lambda natural: Roll(natural, bonus, dc).success)
    return Roll(thrown.natural, bonus, dc, naturals, thrown.rerolled)


def degree(roll: Roll) -> Degree:
    """What a preview of a check counts."""
    return roll.degree
