"""The lanes that are in a run, seen by some of their numbers: which rows there are, and which lane has which.

A policy is asked once for each offer that differs, and each lane looks its answer up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from .forms import Draw, Group, builder, taken_apart
from .lane import Array, Lane
from .runs import Part, Run

FEW_CODES = 2**10
"""Rows that could be, for each to have a code of its own; where there are more, only those that are get one."""


class Seen:
    """Lanes in a row. Equal rows of numbers have equal codes, all under `size`."""

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
        """The rows that have these codes."""
        somewhere = np.empty(self.size, dtype=np.int64)
        somewhere[self.codes] = np.arange(len(self.codes))
        there = somewhere[codes]
        return list(zip(*(column[there].tolist() for column in self._columns), strict=True))

    def different(self) -> tuple[list[tuple[int, ...]], Array]:
        """Each row once, and for each lane which of them it has."""
        occurring = np.zeros(self.size, dtype=bool)
        occurring[self.codes] = True
        return self.rows(np.flatnonzero(occurring)), (np.cumsum(occurring) - 1)[self.codes]

    def laid(self, numbers: Array) -> Array:
        """A number for each of the lanes, back in their places; elsewhere the first of them, since nobody looks."""
        laid = np.full(prod(self.shape), numbers[0])
        laid[... if self.places is None else self.places] = numbers
        return laid.reshape(self.shape)


def _coded(columns: Sequence[Array], lanes: Sequence[Lane]) -> tuple[Array, int]:
    most = max(FEW_CODES, 2 * len(columns[0]))
    codes, size = _digits(columns[0], lanes[0], most)
    for place, (column, lane) in enumerate(zip(columns[1:], lanes[1:], strict=True), 1):
        if not any(lane is before for before in lanes[:place]):  # it would tell no rows apart
            digits, span = _digits(column, lane, most)
            codes, size = codes * span + digits, size * span
            if size > most:
                codes, size = _renumbered(codes)
    return codes, size


def _digits(column: Array, lane: Lane, most: int) -> tuple[Array, int]:
    """The numbers from 0 on."""
    span = lane.high - lane.low + 1
    return (column - lane.low, span) if span <= most else _renumbered(column)


def _renumbered(codes: Array) -> tuple[Array, int]:
    found, numbers = np.unique(codes, return_inverse=True)
    return numbers, len(found)


def in_a_row(array: Array, shape: tuple[int, ...]) -> Array:
    """The array over all of the shape, in one row."""
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
    """Answers by form. `which` tells for each lane the form of its answer, where they are not all of one."""

    groups: Sequence[Group]
    numbers: list[list[Lane | int]]
    which: Lane | int


def looked_up(run: Run, step: Any, answer: Callable[[Any], Any]) -> Any:
    """The answer to a step that may have lanes inside."""
    found = run.noted(_answered, run, step, answer)
    if not isinstance(found, Answers):
        return found
    which = run.pick(found.which) if type(found.which) is Lane else found.which
    return found.groups[which].filled(found.numbers[which])


def _answered(run: Run, step: Any, answer: Callable[[Any], Any]) -> Any:
    lanes: list[Lane] = []
    form = taken_apart(step, Lane, lanes)
    if not lanes:
        return answer(step)
    seen = Seen(run, lanes, run.joined(support_of(lanes))[0])
    rows, back = seen.different()
    plain = builder(form)
    given = [answer(plain(iter(row))) for row in rows]
    groups = Draw((one, 1) for one in given).groups
    which = np.zeros(len(given), dtype=np.int64)
    numbers: list[list[Lane | int]] = []
    for number, group in enumerate(groups):
        which[list(group.places)] = number
        row: list[Lane | int] = []
        for column in group.columns:
            laid = np.full(len(given), column[0])  # elsewhere any of them, since nobody looks there
            laid[list(group.places)] = column
            row.append(spread(run, seen, laid[back]))
        numbers.append(row)
    return Answers(groups, numbers, spread(run, seen, which[back]))


def spread(run: Run, seen: Seen, numbers: Array) -> Lane | int:
    """A number for each lane that was seen, as a lane of its own."""
    low, high = int(numbers.min()), int(numbers.max())
    return low if low == high else Lane(run.space, seen.support, (low, high), seen.laid(numbers))
