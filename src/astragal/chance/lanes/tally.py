"""Tally of a run's end: the weight of its lanes for each verdict and each point of the grid. Exact at any size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

import numpy as np

from .arithmetic import Array
from .lane import LARGEST, Lane
from .runs import Part, Run
from .seen import Seen, support_of


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
        part.weight = _weighed(run, part)
    return _exactly(run, part.weight) if run.ground.grid else part.weight


def _weighed(run: Run, part: Part) -> Any:
    ways = run.ground.axes.ways(part.support)
    if not run.ground.grid:
        return part.number if ways.is_even else ways.summed(part.lanes.ravel()).tolist()
    shape = run.ground.axes.points(part.support)
    return ways.summed(part.lanes.reshape(prod(shape), -1)).reshape(shape)


def _exactly(run: Run, weights: Array) -> Array:
    """64 bits, if all that the run counts fits."""
    return weights if run.ground.total < LARGEST else weights.astype(object)
