"""Random legal heroes. Where chance comes from is the caller's concern."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from astragal.rulesets.six_pool.classes import CLASSES, HeroClass
from astragal.rulesets.six_pool.pools import MOST_EDGE, Pool

from .build import ARRAY, POINTS_A_LEVEL, Build, edge_total

T = TypeVar("T")

Draw: TypeAlias = Callable[[int], int]
"""Gives one of range(n), each as likely as any other."""


def random_hero(
    draw: Draw, *, level: int = 1, hero_class: str | None = None, classes: Mapping[str, HeroClass] = CLASSES
) -> Build:
    """SP+01, SP+02: a class, the numbers shuffled, every later point and step of Edge anywhere it may go."""
    chosen = classes[hero_class] if hero_class else _picked(list(classes.values()), draw)
    pools = _numbers(chosen.primary, draw)
    for _ in range(level - 1):
        for pool in (chosen.primary, *(_picked(list(Pool), draw) for _ in range(POINTS_A_LEVEL - 1))):
            pools[pool] += 1
    return Build(chosen.name, level, pools, _edges(chosen.primary, level, draw))


def _numbers(primary: Pool, draw: Draw) -> dict[Pool, int]:
    left, numbers = list(ARRAY[1:]), {primary: ARRAY[0]}
    for pool in Pool:
        if pool is not primary:
            numbers[pool] = left.pop(draw(len(left)))
    return {pool: numbers[pool] for pool in Pool}


def _edges(primary: Pool, level: int, draw: Draw) -> dict[Pool, int]:
    edges = {primary: 1}
    for _ in range(edge_total(level) - 1):
        pool = _picked([pool for pool in Pool if edges.get(pool, 0) < MOST_EDGE], draw)
        edges[pool] = edges.get(pool, 0) + 1
    return edges


def _picked(among: Sequence[T], draw: Draw) -> T:
    return among[draw(len(among))]
