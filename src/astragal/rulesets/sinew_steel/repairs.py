"""The legal builds nearest to an illegal one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from astragal.values import frozen

from .accounts import Build, accounts, frame_of

MOST_REPAIRS = 5


@frozen
class Change:
    key: str
    before: int
    after: int


@frozen
class Repair:
    """SS-14: a legal build, and what was changed to come to it."""

    build: dict[str, int]
    changes: tuple[Change, ...]

    @property
    def moved(self) -> int:
        """Points moved, up or down."""
        return sum(abs(change.after - change.before) for change in self.changes)


def nearest_legal(build: Build, budget: int, most: int = MOST_REPAIRS) -> tuple[Repair, ...]:
    """SS-14: legal builds with the fewest points moved: those that touch the fewest scores first, in the skin's order.

    A legal build is its own only repair. The build has all six scores, and the budget is not negative.
    """
    railed = {key: frame_of(key).nearest(score) for key, score in build.items()}
    found = islice(_affordable(railed, budget), most)
    return tuple(Repair(repaired, _changes(build, repaired)) for repaired in found)


def _changes(before: Build, after: Build) -> tuple[Change, ...]:
    return tuple(Change(key, before[key], after[key]) for key in before if before[key] != after[key])


def _affordable(railed: Build, budget: int) -> Iterator[dict[str, int]]:
    """The nearest builds that can be paid for, from one that keeps to the rails.

    Whoever steps back onto a rail passes it on the way to any legal build, so the search may start there. From
    there nothing but lowering helps. A point above baseline saves 2, one further down gains 1; and since the
    shortfall is never more than what the points above baseline cost, half of it in points always suffices, and
    at most one of them, where the half was rounded up, may come from further down.
    """
    short = accounts(railed, budget).shortfall
    points, spare = (short + 1) // 2, short % 2
    drops = {key: _most_drop(key, score, spare) for key, score in railed.items()}
    for touched in range(len(railed) + 1):
        for keys in combinations([key for key in railed if drops[key]], touched):
            for parts in _shares(points, [drops[key] for key in keys]):
                lowered = {**railed, **{key: railed[key] - part for key, part in zip(keys, parts, strict=True)}}
                if not accounts(lowered, budget).shortfall:
                    yield lowered


def _most_drop(key: str, score: int, spare: int) -> int:
    frame = frame_of(key)
    above = max(0, score - frame.baseline)
    return min(above + spare, score - frame.least)


def _shares(points: int, mosts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to share points out so that each gets one or more, but no more than its most; large shares first."""
    if not mosts:
        if points == 0:
            yield ()
        return
    others = mosts[1:]
    for share in range(min(mosts[0], points - len(others)), max(1, points - sum(others)) - 1, -1):
        for rest in _shares(points - share, others):
            yield (share, *rest)
