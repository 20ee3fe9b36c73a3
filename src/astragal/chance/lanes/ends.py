"""Results of runs: the weight of each verdict, at each point of the grid if there is one. Exact at any size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

import numpy as np

from .forms import builder, taken_apart
from .lane import LARGEST, Array, Lane, Space
from .runs import Part, Run
from .seen import Seen, support_of
from .stragglers import Found


def tallied(run: Run, lanes: Sequence[Lane]) -> Iterable[tuple[tuple[int, ...], Any]]:
    """For each row of numbers that these lanes have: its weight, an array over the arguments' axes if there are any."""
    seen = support_of(lanes)
    joined, others = run.joined(seen) if lanes else (None, run.parts)
    if joined:
        seen |= joined.support
    for part in others:
        seen |= part.support
    weight: Any = run.ground.weight * run.ground.axes.weight_beside(seen)
    for part in others:
        found = weight_of(run, part)
        weight = found if type(weight) is int and weight == 1 else weight * found
    return [(row, ways * weight) for row, ways in _by_row(run, lanes, joined)] if lanes else [((), weight)]


def _by_row(run: Run, lanes: Sequence[Lane], joined: Part | None) -> Iterable[tuple[tuple[int, ...], Any]]:
    seen = Seen(run, lanes, joined)
    places, ways, shape = seen.places, run.ground.axes.ways(seen.support), run.ground.axes.points(seen.support)
    points = prod(shape)
    if points == 1:
        counted = ways.counted(seen.codes, places, seen.size)
    else:
        at, combinations = np.divmod(np.arange(len(seen.codes)) if places is None else places, ways.size)
        counted = ways.counted(seen.codes * points + at, combinations, seen.size * points)
    by_row = counted.reshape(seen.size, points)
    occurring = np.flatnonzero(by_row.any(axis=1))
    if not run.ground.grid:
        return zip(seen.rows(occurring), by_row[occurring, 0].tolist(), strict=True)
    return zip(seen.rows(occurring), _exactly(run, by_row[occurring].reshape(-1, *shape)), strict=True)


def weight_of(run: Run, part: Part) -> Any:
    """The weight of a part's lanes, over the arguments' axes if there are any. It is found once for all runs."""
    if part.weight is None:
        ways, shape = run.ground.axes.ways(part.support), run.ground.axes.points(part.support)
        if run.ground.grid:
            part.weight = ways.summed(part.lanes.reshape(prod(shape), -1)).reshape(shape)
        else:
            part.weight = part.number if ways.is_even else ways.summed(part.lanes.ravel()).tolist()
    return _exactly(run, part.weight) if run.ground.grid else part.weight


def _exactly(run: Run, weights: Array) -> Array:
    """64 bits, if all that the run counts fits."""
    return weights if run.ground.total < LARGEST else weights.astype(object)


Settled = dict[int, dict[Any, Any]]
"""By total and verdict: the weight, at each point of the grid if there is one."""

MOST_ALIKE = 16
"""So many kinds of ends are kept, with all their lanes, before they are weighed."""


class Ends:
    """Collects verdicts. Over a grid, the lanes of runs that end alike are put together and weighed at once."""

    def __init__(self, space: Space, shape: tuple[int, ...]) -> None:
        self._space, self._shape = space, shape
        self._settled: Settled = {}
        self._alike: dict[tuple[Any, ...], tuple[Run, Array]] = {}
        self._spots: dict[tuple[Any, ...], tuple[Any, ...]] = {}

    def settle(self, run: Run, verdict: Any) -> None:
        lanes: list[Lane] = []
        build = builder(taken_apart(verdict, Lane, lanes))
        if any(lane.space is not self._space for lane in lanes):
            raise self._space.stop("its verdict has lanes of another question")
        if self._shape and not lanes and len(run.parts) == 1:
            part = run.parts[0]
            alike = verdict, run.ground.total, run.ground.weight, run.ground.axes, run.ground.grid, part.support
            if alike not in self._alike and len(self._alike) == MOST_ALIKE:
                self._weigh_alike()
            known = self._alike.get(alike)
            self._alike[alike] = run, part.lanes if known is None else known[1] | part.lanes
            return
        for row, weight in tallied(run, lanes):
            self._add(run, build(iter(row)), weight)

    def add(self, walked: Iterable[Found]) -> None:
        """Add a result that was found outside any run; there is no grid then."""
        for total, weight, verdict in walked:
            found = self._settled.setdefault(total, {})
            found[verdict] = found.get(verdict, 0) + weight

    def settled(self) -> Settled:
        self._weigh_alike()
        return self._settled

    def _weigh_alike(self) -> None:
        for (verdict, *_, support), (run, lanes) in self._alike.items():
            times = run.ground.weight * run.ground.axes.weight_beside(support)
            weight = weight_of(run, Part(support, lanes, 0))
            self._add(run, verdict, weight if times == 1 else weight * times)
        self._alike.clear()

    def _add(self, run: Run, verdict: Any, weight: Any) -> None:
        found = self._settled.setdefault(run.ground.total, {})
        if not self._shape:
            found[verdict] = found.get(verdict, 0) + weight
            return
        if verdict not in found:
            found[verdict] = np.zeros(self._shape, dtype=np.int64 if run.ground.total < LARGEST else object)
        here = self._spots.get(run.ground.grid)
        if here is None:
            here = self._spots[run.ground.grid] = _spot(run)
        found[verdict][here] += weight


def _spot(run: Run) -> tuple[Any, ...]:
    """Index of a run in the grid. Arguments were laid out from the last to the first."""
    grid = run.ground.grid[::-1]
    if any(place is None and group.places != tuple(range(group.size)) for group, place in grid):
        along = iter(np.ix_(*(group.places for group, place in grid if place is None)))
        return tuple(next(along) if place is None else group.places[place] for group, place in grid)
    return tuple(slice(group.size) if place is None else group.places[place] for group, place in grid)
