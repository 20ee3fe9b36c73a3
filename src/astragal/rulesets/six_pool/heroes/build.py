"""What makes a hero legal: class, level, pools and Edge. SP+01, SP+02. All reasons against one at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TypeAlias

from astragal.rulesets.six_pool.classes import CLASSES, HeroClass
from astragal.rulesets.six_pool.pools import HIGHEST_LEVEL, MOST_EDGE, Pool, steps_by
from astragal.values import frozen

ARRAY = (18, 15, 12, 12, 10, 10)
"""SP+01: what a hero of level 1 distributes, the first in the primary pool."""
POINTS_A_LEVEL = 3
MOST_IN_A_POOL = 99

Numbered: TypeAlias = Mapping[Pool, int]


@frozen
class Companions:
    """Which companion rules a build is held against."""

    pool_array: bool = True
    class_edges: bool = True


ALL_COMPANIONS = Companions()


@frozen
class Build:
    """A hero's numbers before play."""

    hero_class: str
    level: int = 1
    pools: Numbered = field(default_factory=dict)
    edges: Numbered = field(default_factory=dict)

    def edge(self, pool: Pool) -> int:
        return self.edges.get(pool, 0)


# ---------------------------------------------------------------- what there is to distribute


def pool_total(level: int) -> int:
    """SP+01: the six numbers, and three points for each later level."""
    return sum(ARRAY) + POINTS_A_LEVEL * (level - 1)


def least_primary(level: int) -> int:
    """SP+01: the 18, and one point of each later level."""
    return ARRAY[0] + level - 1


def edge_total(level: int) -> int:
    """SP+02: 1 at level 1, one step more at 5, 9, 13 and 17."""
    return 1 + steps_by(level)


# ---------------------------------------------------------------- reasons


@frozen
class UnknownClass:
    name: str
    known: tuple[str, ...]


@frozen
class BadLevel:
    level: int


@frozen
class MissingPool:
    pool: Pool


@frozen
class PoolOutOfRange:
    pool: Pool
    points: int


@frozen
class LowPrimary:
    """SP+01: the 18 is in the primary pool, and grows by one a level."""

    pool: Pool
    points: int
    least: int


@frozen
class WrongTotal:
    """SP+01: points too many or too few, all pools together."""

    total: int
    wanted: int


@frozen
class BelowTheArray:
    """SP+01: the other five pools can't have come from 15, 12, 12, 10 and 10."""

    others: tuple[int, ...]


@frozen
class EdgeOutOfRange:
    pool: Pool
    edge: int


@frozen
class NoPrimaryEdge:
    """SP+02: the first step of Edge is in the primary pool."""

    pool: Pool


@frozen
class WrongEdgeTotal:
    """SP+02: steps of Edge too many or too few."""

    total: int
    wanted: int


Reason: TypeAlias = (
    UnknownClass
    | BadLevel
    | MissingPool
    | PoolOutOfRange
    | LowPrimary
    | WrongTotal
    | BelowTheArray
    | EdgeOutOfRange
    | NoPrimaryEdge
    | WrongEdgeTotal
)


def why_illegal(
    build: Build, companions: Companions = ALL_COMPANIONS, classes: Mapping[str, HeroClass] = CLASSES
) -> tuple[Reason, ...]:
    """Everything that is wrong, at once; nothing for a legal hero."""
    return tuple(_reasons(build, companions, classes))


def _reasons(build: Build, companions: Companions, classes: Mapping[str, HeroClass]) -> Iterator[Reason]:
    known = classes.get(build.hero_class)
    legal_level = 1 <= build.level <= HIGHEST_LEVEL
    if known is None:
        yield UnknownClass(build.hero_class, tuple(classes))
    if not legal_level:
        yield BadLevel(build.level)
    yield from _out_of_range(build)
    if known is None or not legal_level or any(pool not in build.pools for pool in Pool):
        return
    if companions.pool_array:
        yield from _against_the_array(build, known.primary)
    if companions.class_edges:
        yield from _against_class_edges(build, known.primary)


def _out_of_range(build: Build) -> Iterator[Reason]:
    for pool in Pool:
        if pool not in build.pools:
            yield MissingPool(pool)
        elif not 1 <= build.pools[pool] <= MOST_IN_A_POOL:
            yield PoolOutOfRange(pool, build.pools[pool])
        if not 0 <= build.edge(pool) <= MOST_EDGE:
            yield EdgeOutOfRange(pool, build.edge(pool))


def _against_the_array(build: Build, primary: Pool) -> Iterator[Reason]:
    """SP+01: 18, 15, 12, 12, 10, 10 and three points a level, one of them in the primary."""
    least, total = least_primary(build.level), sum(build.pools[pool] for pool in Pool)
    if build.pools[primary] < least:
        yield LowPrimary(primary, build.pools[primary], least)
    if total != pool_total(build.level):
        yield WrongTotal(total, pool_total(build.level))
    others = sorted((build.pools[pool] for pool in Pool if pool is not primary), reverse=True)
    if any(points < number for points, number in zip(others, ARRAY[1:], strict=True)):
        yield BelowTheArray(tuple(others))


def _against_class_edges(build: Build, primary: Pool) -> Iterator[Reason]:
    """SP+02: one step in the primary pool, the others anywhere, at most 3 in a pool."""
    total = sum(build.edge(pool) for pool in Pool)
    if build.edge(primary) < 1:
        yield NoPrimaryEdge(primary)
    if total != edge_total(build.level):
        yield WrongEdgeTotal(total, edge_total(build.level))
