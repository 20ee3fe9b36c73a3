"""A question asked in the middle of another, with decisions inside: what it is worth to the one who asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from .arithmetic import Array
from .forms import Group
from .lane import LARGEST, Lane
from .runs import Part
from .worth import Choices, Worth, alike

if TYPE_CHECKING:
    from .plans import Appraisal, Plan


@dataclass(frozen=True, eq=False)
class Asked:
    """`which` of the plan's questions each lane asks; `parts`, the lanes that are there; `place`, the results' axis."""

    plan: Plan
    which: Lane | int
    parts: tuple[Part, ...]
    place: int

    def possible(self, group: Group) -> tuple[Array, int]:
        """Results that are possible: along their axis, and where the question differs."""
        reach = self.plan.reach[:, list(group.places)].T
        if type(self.which) is not Lane:
            found, support, shape = reach[:, self.which], 0, ()
        else:
            found, support, shape = reach[:, self.which.array], self.which.support, self.which.array.shape
        if group.size == 1:
            return found[0], support
        return found.reshape(group.size, *(1,) * (self.place - len(shape)), *shape), support

    def fold(self, worth: Worth, best: Choices, settled: bool) -> Worth:
        return self.join({0: worth}, best, settled)

    def join(self, worths: Mapping[int, Worth], best: Choices, settled: bool) -> Worth:
        """The plan's worth, by what each of its results comes to from here on."""
        table, divisor, most = self._table(worths)
        shape = table.shape[1:]
        alive = np.broadcast_to(_alive(self.parts, shape), shape).ravel()
        rows = table.reshape(len(table), -1).T[alive]
        asking = np.broadcast_to(self.which.array if type(self.which) is Lane else self.which, shape).ravel()[alive]
        if not settled:
            best[self] = _Appraised(self.plan, rows, asking)
        numbers, over, found_most = best[self].settled(rows, most) if settled else best[self].worth(most)
        laid = np.zeros(len(alive), dtype=numbers.dtype)
        laid[alive] = numbers
        return Worth(laid.reshape(shape), divisor * over, found_most)

    def _table(self, worths: Mapping[int, Worth]) -> tuple[Array, int, int]:
        """Value of each result, in each lane."""
        groups = self.plan.draw.groups
        numbers, divisor, most = alike(list(worths.values()))
        columns = [it if it.ndim == self.place + 1 else it[None] for it in numbers]
        which = self.which.array if type(self.which) is Lane else np.zeros(())
        shape = np.broadcast_shapes(which.shape, *(column.shape[1:] for column in columns))
        kind = object if any(column.dtype == object for column in columns) else np.int64
        table = np.zeros((len(self.plan.results), *shape), dtype=kind)
        for way, column in zip(worths, columns, strict=True):
            padded = column.reshape(len(column), *(1,) * (len(shape) - column.ndim + 1), *column.shape[1:])
            table[list(groups[way].places)] = padded
        return table, divisor, most


class _Appraised:
    """Values that lanes give to the results of the questions they ask; equal ones share one answer."""

    def __init__(self, plan: Plan, rows: Array, asking: Array) -> None:
        self._plan, self._asking = plan, asking
        reach = plan.reach[asking]
        self._base = rows[np.arange(len(rows)), reach.argmax(axis=1)]
        above = np.where(reach, rows - self._base[:, None], 0)
        self._scale = np.maximum(np.gcd.reduce(above, axis=1), 1)
        numbers: dict[Appraisal, int] = {}
        self._of_lane = [
            numbers.setdefault(tuple(row), len(numbers)) for row in (above // self._scale[:, None]).tolist()
        ]
        self._appraisals = list(numbers)

    def worth(self, most: int) -> tuple[Array, int, int]:
        """Value of the questions, its divisor, and how large the numbers can be."""
        found = [self._plan.worth(appraisal) for appraisal in self._appraisals]
        over = lcm(*(worth.divisor for worth in found))
        largest = most * over + 2 * most * max(worth.most * (over // worth.divisor) for worth in found)
        table = np.array([_scaled(worth, over, largest) for worth in found])
        worths = table[self._of_lane, self._asking]
        return _as(self._base, largest) * over + _as(self._scale, largest) * worths, over, largest

    def settled(self, rows: Array, most: int) -> tuple[Array, int, int]:
        """The mean of what the results come to, with every decision as it was found best."""
        found = [self._plan.chances(appraisal) for appraisal in self._appraisals]
        over = lcm(*(divisor for _, divisor in found))
        table = np.array([weights * (over // divisor) for weights, divisor in found], dtype=object)
        means = (table[self._of_lane, self._asking] * rows).sum(axis=1)
        return means, over, most * over


def _scaled(worth: Worth, over: int, most: int) -> Array:
    return _as(worth.numbers, most) * (over // worth.divisor)


def _as(numbers: Array, most: int) -> Array:
    return numbers.astype(object) if most > LARGEST else numbers


def _alive(parts: tuple[Part, ...], shape: tuple[int, ...]) -> Array:
    """Which lanes of this shape are in a run, along whatever other axes."""
    alive = np.ones(shape, dtype=bool)
    for part in parts:
        lanes = part.lanes
        extra = lanes.ndim - len(shape)
        wide = (1,) * extra + shape if extra > 0 else shape[-extra:] if extra else shape
        for axis, size in enumerate(wide[-lanes.ndim :] if lanes.ndim else ()):
            if size == 1 < lanes.shape[axis]:
                lanes = np.asarray(lanes.any(axis=axis, keepdims=True))
        alive = alive & (lanes.reshape(lanes.shape[extra:]) if extra > 0 else lanes)
    return alive
