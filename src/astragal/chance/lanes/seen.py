"""Rows of a run: the distinct combinations of some of its numbers, and which lane has which.

A policy is asked once for each different offer, and each lane looks its answer up.
"""

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from astragal.chance.lanes.forms import Draw, Group, builder, split
from astragal.chance.lanes.lane import LARGEST, Array, Lane, Space
from astragal.chance.lanes.runs import Part, Run

FEW_CODES = 2**10
"""Up to this many possible rows, each row gets a code; above, only rows that occur do."""


class Seen:
    """Lanes flattened into a row. Equal rows of numbers have equal codes, all less than `size`."""

    def __init__(self, run: Run, lanes: Sequence[Lane], joined: Part | None) -> None:
        self.support = support_of(lanes) | (joined.support if joined else 0)
        run.space.room_for(self.support)
        arrays = [lane.array for lane in lanes]
        self.shape = np.broadcast(*arrays, joined.lanes if joined else 0).shape
        self.places = np.flatnonzero(in_a_row(joined.lanes, self.shape)) if joined else None
        self._columns = [in_a_row(array, self.shape) for array in arrays]
        if self.places is not None:
            self._columns = [column[self.places] for column in self._columns]
        self.codes, self.size = _coded(self._columns, lanes)

    def rows(self, codes: Array) -> list[tuple[int, ...]]:
        """The rows with these codes."""
        somewhere = np.empty(self.size, dtype=np.int64)
        somewhere[self.codes] = np.arange(len(self.codes))
        there = somewhere[codes]
        return list(zip(*(column[there].tolist() for column in self._columns), strict=True))

    def different(self) -> tuple[list[tuple[int, ...]], Array]:
        """Each distinct row once, and the index of each lane's row."""
        occurring = np.zeros(self.size, dtype=bool)
        occurring[self.codes] = True
        return self.rows(np.flatnonzero(occurring)), (np.cumsum(occurring) - 1)[self.codes]

    def laid(self, numbers: Array) -> Array:
        """Lay out one number for each lane, back in its place. Other places are unused and hold the first number."""
        laid = np.full(prod(self.shape), numbers[0])
        laid[... if self.places is None else self.places] = numbers
        return laid.reshape(self.shape)


def _coded(columns: Sequence[Array], lanes: Sequence[Lane]) -> tuple[Array, int]:
    most = max(FEW_CODES, 2 * len(columns[0]))
    codes, size = _digits(columns[0], lanes[0], most)
    for place, (column, lane) in enumerate(zip(columns[1:], lanes[1:], strict=True), 1):
        if not any(lane is before for before in lanes[:place]):  # a repeated lane would distinguish no rows
            digits, span = _digits(column, lane, most)
            codes, size = codes * span + digits, size * span
            if size > most:
                codes, size = _renumbered(codes)
    return codes, size


def _digits(column: Array, lane: Lane, most: int) -> tuple[Array, int]:
    """Numbers shifted to start at 0, or renumbered if they span too much, and their count."""
    span = lane.high - lane.low + 1
    return (column - lane.low, span) if span <= most else _renumbered(column)


def _renumbered(codes: Array) -> tuple[Array, int]:
    found, numbers = np.unique(codes, return_inverse=True)
    return numbers, len(found)


def in_a_row(array: Array, shape: tuple[int, ...]) -> Array:
    """Broadcast an array to the shape and flatten it."""
    if array.shape == shape:
        return array.ravel()
    whole = np.empty(shape, dtype=array.dtype)
    whole[...] = array
    return whole.ravel()


def support_of(lanes: Iterable[Lane]) -> int:
    support = 0
    for lane in lanes:
        support |= lane.support
    return support


class Answers(NamedTuple):
    """Answers grouped by form. `which` is the form of each lane's answer, if they differ."""

    groups: Sequence[Group]
    numbers: list[list[Lane | int]]
    which: Lane | int


def answer_per_lane(run: Run, step: Any, answer: Callable[[Any], Any]) -> Any:
    """The answer to a step that may contain lanes."""
    found = run.noted(_answered, run, step, answer)
    if not isinstance(found, Answers):
        return found
    which = run.pick(found.which) if type(found.which) is Lane else found.which
    return found.groups[which].filled(found.numbers[which])


def _answered(run: Run, step: Any, answer: Callable[[Any], Any]) -> Any:
    lanes: list[Lane] = []
    form = split(step, Lane, lanes)
    if not lanes:
        return answer(step)
    seen = Seen(run, lanes, run.joined(support_of(lanes))[0])
    rows, back = seen.different()
    plain = builder(form)
    given = [answer(plain(iter(row))) for row in rows]
    groups = Draw(given).groups
    which = np.zeros(len(given), dtype=np.int64)
    numbers: list[list[Lane | int]] = []
    for number, group in enumerate(groups):
        which[list(group.places)] = number
        row: list[Lane | int] = []
        for column in group.columns:
            laid = np.full(len(given), column[0])  # the other places are never read
            laid[list(group.places)] = column
            row.append(spread(run, seen, laid[back]))
        numbers.append(row)
    return Answers(groups, numbers, spread(run, seen, which[back]))


def spread(run: Run, seen: Seen, numbers: Array) -> Lane | int:
    """Turn a number for each lane that was seen into a lane."""
    low, high = int(numbers.min()), int(numbers.max())
    return low if low == high else Lane(run.space, seen.support, (low, high), seen.laid(numbers))


# ---------------------------------------------------------------- results of the runs


def tallied(run: Run, lanes: Sequence[Lane]) -> Iterable[tuple[tuple[int, ...], Any]]:
    """Yield each distinct row of these lanes with its weight, an array over the arguments' axes if there are any."""
    if not lanes:
        return [((), _weighed(run, run.parts))]
    seen = support_of(lanes)
    joined, others = run.joined(seen)
    weight = _weighed(run, others, seen | (joined.support if joined else 0))
    return [(row, ways * weight) for row, ways in _by_row(run, lanes, joined)]


def _weighed(run: Run, parts: Iterable[Part], seen: int = 0) -> Any:
    """The weight of these parts, and of all dice that are neither in them nor in `seen`."""
    for part in parts:
        seen |= part.support
    weight: Any = run.ground.weight * run.ground.axes.weight_beside(seen)
    for part in parts:
        found = weight_of(run, part)
        weight = found if type(weight) is int and weight == 1 else weight * found
    return weight


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
    """The weight of a part's lanes, over the arguments' axes if there are any. It is cached for all runs."""
    axes, support = run.ground.axes, part.support
    if part.weight is None and run.ground.grid:
        shape = axes.points(support)
        if support % (1 << axes.room_for_dice):
            part.weight = axes.ways(support).summed(part.lanes.reshape(prod(shape), -1)).reshape(shape)
        else:  # arguments only, no dice
            part.weight = part.lanes.astype(np.int64).reshape(shape)
    elif part.weight is None:
        ways = axes.ways(support)
        part.weight = part.number if ways.is_even else ways.summed(part.lanes.ravel()).tolist()
    return _exactly(run, part.weight) if run.ground.grid else part.weight


def _exactly(run: Run, weights: Array) -> Array:
    """Use 64 bits if everything that the run counts fits, else Python integers."""
    return weights if run.ground.total < LARGEST else weights.astype(object)


Found = tuple[int, int, Any]
"""A total, a weight and a verdict."""
Settled = dict[int, dict[Any, Any]]
"""Weights by total and verdict, as arrays over the grid if there is one."""

MOST_ALIKE = 16
"""Number of different kinds of ends that are collected, with all their lanes, before they are weighed."""


class Ends:
    """Collects verdicts. Over a grid, the lanes of runs with equal ends are merged and weighed at once."""

    def __init__(self, space: Space, shape: tuple[int, ...]) -> None:
        self._space, self._shape = space, shape
        self._settled: Settled = {}
        self._alike: dict[tuple[Any, ...], dict[int, tuple[Run, Array]]] = {}
        self._spots: dict[tuple[Any, ...], tuple[Any, ...]] = {}

    def settle(self, run: Run, verdict: Any) -> None:
        lanes: list[Lane] = []
        form = split(verdict, Lane, lanes)
        if lanes and any(lane.space is not self._space for lane in lanes):
            raise self._space.stop("its verdict has lanes of another question")
        if self._shape and not lanes and run.parts:
            ground, (*others, part) = run.ground, run.parts
            end = verdict, ground.total, ground.weight, ground.axes, ground.grid, tuple(others)
            alike = self._alike.get(end)
            if alike is None:
                if len(self._alike) == MOST_ALIKE:
                    self._weigh_alike()
                alike = self._alike[end] = {}
            known = alike.get(part.support)
            alike[part.support] = run, part.lanes if known is None else known[1] | part.lanes
            return
        build = builder(form)
        for row, weight in tallied(run, lanes):
            self._add(run, build(iter(row)), weight)

    def add(self, walked: Iterable[Found]) -> None:
        """Add results found outside any run; there is no grid then."""
        for total, weight, verdict in walked:
            found = self._settled.setdefault(total, {})
            found[verdict] = found.get(verdict, 0) + weight

    def settled(self) -> Settled:
        self._weigh_alike()
        return self._settled

    def _weigh_alike(self) -> None:
        """Weigh the merged ends. Lanes along some axes are merged with lanes along these and more."""
        for (verdict, *_, others), alike in self._alike.items():
            widest = max(alike, key=int.bit_count)
            run, lanes = alike.pop(widest)
            for support, (_, more) in alike.items():
                if support & ~widest:
                    self._add(run, verdict, _weighed(run, (*others, Part(support, more, 0))))
                else:
                    lanes = lanes | more
            self._add(run, verdict, _weighed(run, (*others, Part(widest, lanes, 0))))
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
    """Index of a run in the grid. Arguments were laid out from last to first."""
    grid = run.ground.grid[::-1]
    if any(place is None and group.places != range(group.size) for group, place in grid):
        along = iter(np.ix_(*(group.places for group, place in grid if place is None)))
        return tuple(next(along) if place is None else group.places[place] for group, place in grid)
    return tuple(slice(group.size) if place is None else group.places[place] for group, place in grid)
