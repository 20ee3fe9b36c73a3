"""The legal heroes nearest to an illegal one: fewest points moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice, permutations

from astragal.rulesets.six_pool.classes import CLASSES, HeroClass
from astragal.rulesets.six_pool.pools import MOST_EDGE, Pool
from astragal.values import frozen

from .build import (
    ALL_COMPANIONS,
    ARRAY,
    MOST_IN_A_POOL,
    Build,
    Companions,
    Numbered,
    edge_total,
    least_primary,
    pool_total,
)

MOST_REPAIRS = 5


@frozen
class Change:
    """A pool, or the Edge in it, before and after."""

    pool: Pool
    before: int
    after: int
    is_edge: bool = False


@frozen
class Repair:
    """A legal hero, and what was changed to come to it."""

    build: Build
    changes: tuple[Change, ...]

    @property
    def moved(self) -> int:
        """Points moved, up or down; a step of Edge is one."""
        return sum(abs(change.after - change.before) for change in self.changes)


def nearest_legal(
    build: Build,
    companions: Companions = ALL_COMPANIONS,
    classes: Mapping[str, HeroClass] = CLASSES,
    most: int = MOST_REPAIRS,
) -> tuple[Repair, ...]:
    """Up to five legal heroes with the fewest points moved, those that touch the fewest pools first.

    Class and level must be known ones: nobody but the player can say what they were meant to be.
    """
    primary = classes[build.hero_class].primary
    pools = _nearest_pools(build, primary, companions)
    edges = _nearest_edges(build, primary, companions)
    found = (_repair(build, one, other) for one in pools for other in edges)
    different = {repair.changes: repair for repair in found}
    return tuple(sorted(different.values(), key=lambda repair: (repair.moved, len(repair.changes)))[:most])


def _repair(build: Build, pools: Numbered, edges: Numbered) -> Repair:
    changed = [Change(pool, build.pools.get(pool, 0), pools[pool]) for pool in Pool]
    changed += [Change(pool, build.edge(pool), edges[pool], is_edge=True) for pool in Pool]
    kept = replace(build, pools=pools, edges={pool: edge for pool, edge in edges.items() if edge})
    return Repair(kept, tuple(change for change in changed if change.before != change.after))


# ---------------------------------------------------------------- pools and Edge, each by itself


def _nearest_pools(build: Build, primary: Pool, companions: Companions) -> list[Numbered]:
    """SP+01: the five other numbers may lie on the five other pools in any order; the nearest orders count."""
    now = {pool: build.pools.get(pool, 0) for pool in Pool}
    if not companions.pool_array:
        return [{pool: min(MOST_IN_A_POOL, max(1, points)) for pool, points in now.items()}]
    others = [pool for pool in Pool if pool is not primary]
    found: dict[tuple[int, ...], int] = {}
    for numbers in sorted(set(permutations(ARRAY[1:])), reverse=True):
        least = {primary: least_primary(build.level), **dict(zip(others, numbers, strict=True))}
        most = dict.fromkeys(Pool, MOST_IN_A_POOL)
        for one in islice(nearest(now, least, most, pool_total(build.level)), MOST_REPAIRS):
            found.setdefault(tuple(one[pool] for pool in Pool), _distance(now, one))
    return _closest(found)


def _nearest_edges(build: Build, primary: Pool, companions: Companions) -> list[Numbered]:
    """SP+02: a step in the primary pool, the rest anywhere."""
    now = {pool: build.edge(pool) for pool in Pool}
    if not companions.class_edges:
        return [{pool: min(MOST_EDGE, max(0, edge)) for pool, edge in now.items()}]
    least = {pool: int(pool is primary) for pool in Pool}
    near = nearest(now, least, dict.fromkeys(Pool, MOST_EDGE), edge_total(build.level))
    return list(islice(near, MOST_REPAIRS))


def _closest(found: Mapping[tuple[int, ...], int]) -> list[Numbered]:
    least = min(found.values())
    return [dict(zip(Pool, numbers, strict=True)) for numbers, distance in found.items() if distance == least]


def _distance(before: Numbered, after: Numbered) -> int:
    return sum(abs(after[pool] - before[pool]) for pool in Pool)


# ---------------------------------------------------------------- the nearest numbers between limits, with a sum


def nearest(now: Numbered, least: Numbered, most: Numbered, total: int) -> Iterator[dict[Pool, int]]:
    """Nearest numbers within their limits that come to the total, those that change the fewest first.

    Whoever steps back within a limit passes it on the way to any legal number, so the search starts there; from there
    every point towards the total costs one, wherever it is taken or given.
    """
    railed = {pool: min(most[pool], max(least[pool], points)) for pool, points in now.items()}
    missing = total - sum(railed.values())
    sign = 1 if missing > 0 else -1
    rooms = {pool: most[pool] - one if sign > 0 else one - least[pool] for pool, one in railed.items()}
    for shares in _shares(abs(missing), rooms):
        yield {pool: one + sign * shares.get(pool, 0) for pool, one in railed.items()}


def _shares(points: int, rooms: Numbered) -> Iterator[Mapping[Pool, int]]:
    """Ways to share points out among rooms: all in one place, then filling one after another from each."""
    if points == 0:
        yield {}
        return
    order = [pool for pool in Pool if rooms[pool]]
    alone = [pool for pool in order if rooms[pool] >= points]
    yield from ({pool: points} for pool in alone)
    for start, pool in enumerate(order):
        if pool not in alone and sum(rooms.values()) >= points:
            yield _filled(points, rooms, order[start:] + order[:start])


def _filled(points: int, rooms: Numbered, order: list[Pool]) -> Mapping[Pool, int]:
    shares: dict[Pool, int] = {}
    for pool in order:
        if share := min(rooms[pool], points - sum(shares.values())):
            shares[pool] = share
    return shares
