"""Where a run ends: how much weight its lanes have, for each verdict and each point of the grid. Exact at any size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

import numpy as np

from .arithmetic import Array
from .lane import Lane
from .runs import Part, Run
from .seen import Seen, support_of
from .space import LARGEST

EXACT: dict[type, int] = {np.float32: 2**24, np.float64: 2**53}
"""So far floats count exactly."""
LIMB = 30
"""Larger weights are counted in limbs of so many bits: four million of them still fit a float."""


def tallied(run: Run, lanes: Sequence[Lane]) -> Iterable[tuple[tuple[int, ...], Any]]:
    """For each row of numbers that these lanes have: its weight, an array over the arguments' axes if there are any."""
    seen = support_of(lanes)
    joined, others = run.joined(seen) if lanes else (None, run.parts)
    if joined:
        seen |= joined.support
    weight: Any = run.weight
    for part in others:
        seen |= part.support
        weight = weight * _weight(run, part)
    for place in range(run.next_place):
        if not seen >> place & 1:
            weight = weight * run.axes[place].weight
    return [(row, ways * weight) for row, ways in _by_row(run, lanes, joined)] if lanes else [((), weight)]


def _by_row(run: Run, lanes: Sequence[Lane], joined: Part | None) -> Iterable[tuple[tuple[int, ...], Any]]:
    seen = Seen(run, lanes, joined)
    places, ways, shape = seen.places, _ways(run, seen.support), _grid_shape(run, seen.support)
    points = prod(shape)
    if points == 1:
        counted = ways.counted(seen.codes, places, seen.size)
    else:
        at, combinations = np.divmod(np.arange(len(seen.codes)) if places is None else places, ways.size)
        counted = ways.counted(seen.codes * points + at, combinations, seen.size * points)
    by_row = counted.reshape(seen.size, points)
    occurring = np.flatnonzero(by_row.any(axis=1))
    if not run.grid:
        return zip(seen.rows(occurring), by_row[occurring, 0].tolist(), strict=True)
    return zip(seen.rows(occurring), _exactly(run, by_row[occurring].reshape(-1, *shape)), strict=True)


def _weight(run: Run, part: Part) -> Any:
    """The weight of a part's lanes, over the arguments' axes if there are any."""
    ways = _ways(run, part.support)
    if not run.grid:
        return part.number if ways.is_even else ways.summed(part.lanes.ravel()).tolist()
    shape = _grid_shape(run, part.support)
    return _exactly(run, ways.summed(part.lanes.reshape(prod(shape), -1)).reshape(shape))


def _exactly(run: Run, weights: Array) -> Array:
    """64 bits, if all that the run counts fits."""
    return weights if run.total < LARGEST else weights.astype(object)


def _grid_shape(run: Run, support: int) -> tuple[int, ...]:
    return tuple([run.axes[place].size if support >> place & 1 else 1 for place in reversed(run.grid_places)])


def _ways(run: Run, support: int) -> Ways:
    groups = tuple([run.axes[place] for place in range(run.next_place) if support >> place & 1])
    found = run.space.ways.get(groups)
    if found is None:
        found = run.space.ways[groups] = Ways([group.weights for group in groups])
    return found


class Ways:
    """The weight of each combination of dice, the newest axis first."""

    def __init__(self, dice: Sequence[tuple[int, ...]]) -> None:
        self.is_even = all(sum(weights) == len(weights) for weights in dice)
        total = prod(map(sum, dice))
        kind = next((kind for kind, limit in EXACT.items() if total < limit), object)
        ways: Array = np.ones(1, dtype=kind)
        for weights in dice:
            ways = np.multiply.outer(np.array(weights, dtype=kind), ways).ravel()
        self.size = len(ways)
        self._limbs = [ways]
        if kind is object:
            mask, limbs = 2**LIMB - 1, range(0, total.bit_length(), LIMB)
            self._limbs = [(ways >> shift & mask).astype(np.float64) for shift in limbs]

    def summed(self, lanes: Array) -> Array:
        """The weight of the lanes; in each row, if there are rows."""
        chosen = lanes.astype(self._limbs[0].dtype)
        return _whole([chosen @ limb for limb in self._limbs])

    def counted(self, codes: Array, combinations: Array | None, size: int) -> Array:
        """The weight of the combinations with each code; of all of them, in order, if not said which."""
        chosen = self._limbs if combinations is None else [limb[combinations] for limb in self._limbs]
        return _whole([np.bincount(codes, limb, size) for limb in chosen])


def _whole(limbs: Sequence[Array]) -> Array:
    """Whole numbers again: of 64 bits where they fit, else Python's own."""
    if len(limbs) == 1:
        return np.asarray(limbs[0].astype(np.int64))
    counted = np.array([limb.astype(np.int64) for limb in limbs]).astype(object)
    return np.asarray(sum((limb << LIMB * at for at, limb in enumerate(counted)), start=counted[0] * 0))
