"""Where lanes lie: axes of dice and of arguments, numbers over them, and the ways through a rule still to be gone.

One space serves one question, or one grid of them. What is found once, in any run, is found for all: numbers and
conditions are kept by what they are made of.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .arithmetic import OPERATIONS, Array, Bounds
from .forms import Group
from .lane import Lane

if TYPE_CHECKING:
    from .runs import Run, Start

MOST_LANES = 4_000_000
"""More lanes at once take more memory than their speed is worth."""
LARGEST = 2**62
"""No number of a lane, nor any on the way to it, lies further from zero: 64 bits never run over."""


class NotInLanes(BaseException):
    """This question can't be read in lanes. No Exception: a rule must not catch it."""


class Apart(BaseException):
    """These axes, as bits, must be dealt out one value at a time, from the start. No Exception: as above."""

    def __init__(self, support: int) -> None:
        super().__init__(support)
        self.support = support


class Crowded(BaseException):
    """There are more dice on one path than there is room for. No Exception: as above."""


class Void(BaseException):
    """No lane is left in a run. No Exception: as above."""


class Condition:
    """A comparison of lanes: what holds in each."""

    __slots__ = ("_array", "_made_of", "space", "support")

    def __init__(
        self, space: Space, support: int, compare: Callable[..., Array], left: Lane, right: Lane | int
    ) -> None:
        self.space, self.support = space, support
        self._made_of = (compare, left, right)
        self._array: Array | None = None

    @property
    def array(self) -> Array:
        if self._array is None:
            self.space.room_for(self.support)
            compare, left, right = self._made_of
            self._array = compare(left.array, right.array if type(right) is Lane else right)
        return self._array


class Space:
    """All runs of one question, or of one grid, with room for the axes of so many dice."""

    def __init__(self, room_for_dice: int) -> None:
        self.room_for_dice = room_for_dice
        self.run: Run
        self.waiting: list[Start] = []
        self.dealt_out: set[Group] = set()
        self._numbers: dict[tuple[Any, ...], Lane | None] = {}
        self._conditions: dict[tuple[Any, ...], Condition] = {}
        self._laid_out: dict[tuple[int, Group], Any] = {}

    # ---------------------------------------------------------------- axes

    def laid_out(self, place: int, group: Group) -> Any:
        """What the group's outcomes look like as one value, with lanes along this axis for what differs."""
        found = self._laid_out.get((place, group))
        if found is None:
            lanes = map(partial(self._along, place), group.columns, group.bounds)
            found = self._laid_out[place, group] = group.filled(lanes)
        return found

    def _along(self, place: int, column: Array, bounds: Bounds) -> Lane | int:
        """The newest axis is the first dimension, so that older numbers need no new shape beside newer ones."""
        if bounds[0] == bounds[1]:
            return bounds[0]
        return Lane(self, 1 << place, bounds, column.reshape(-1, *(1,) * place))

    def room_for(self, support: int) -> int:
        """How many lanes lie along these axes, if they are not too many."""
        size = self.run.ground.axes.size(support)
        if size > MOST_LANES:
            raise self.stop(f"it takes {size:,} lanes at once")
        return size

    def deal_out(self, support: int) -> None:
        """From now on each value of these axes goes by itself."""
        self.dealt_out |= set(self.run.ground.axes.along(support))

    def apart(self, support: int) -> BaseException:
        self.run.stopped = Apart(support)
        return self.run.stopped

    def crowded(self) -> BaseException:
        self.run.stopped = Crowded()
        return self.run.stopped

    def stop(self, why: str) -> BaseException:
        self.run.stopped = NotInLanes(why)
        return self.run.stopped

    # ---------------------------------------------------------------- numbers

    def number(self, name: str, *operands: Lane | int) -> Lane | None:
        """What an operation comes to; nothing where 64 bits might not hold it."""
        key = (name, *[it.key if type(it) is Lane else it for it in operands])
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = self._made(name, operands)
        return found

    def _made(self, name: str, operands: tuple[Lane | int, ...]) -> Lane | None:
        self._check_kin(operands)
        operation, reach = OPERATIONS[name]
        bounds = reach(*[_bounds(it) for it in operands])
        if _is_too_large(bounds, operands):
            bounds = reach(*map(_true_bounds, operands))
            if _is_too_large(bounds, operands):
                return None
        return Lane.made(self, bounds, operation, *operands)

    def _check_kin(self, operands: tuple[Lane | int, ...]) -> None:
        for it in operands:
            if type(it) is Lane and it.space is not self:
                raise self.stop("it mixes lanes of two questions")

    # ---------------------------------------------------------------- conditions; where `sense` is False, the contrary

    def less(self, left: Lane, right: Lane | int, sense: bool) -> bool:
        low, high = (right.low, right.high) if type(right) is Lane else (right, right)
        if left.high < low:
            return sense
        if left.low >= high:
            return not sense
        return self.run.decide(self._condition(np.less, left, right), sense)

    def at_most(self, left: Lane, right: Lane | int, sense: bool) -> bool:
        return self.less(right, left, not sense) if type(right) is Lane else self.less(left, right + 1, sense)

    def same(self, left: Lane, right: Lane | int, sense: bool) -> bool:
        low, high = (right.low, right.high) if type(right) is Lane else (right, right)
        if left is right:
            return sense
        if left.high < low or high < left.low:
            return not sense
        return self.run.decide(self._condition(np.equal, left, right), sense)

    def _condition(self, compare: Callable[..., Array], left: Lane, right: Lane | int) -> Condition:
        key = (compare, left.key, right.key if type(right) is Lane else right)
        found = self._conditions.get(key)
        if found is None:
            self._check_kin((left, right))
            support = left.support | (right.support if type(right) is Lane else 0)
            found = self._conditions[key] = Condition(self, support, compare, left, right)
        return found


def _bounds(operand: Lane | int) -> Bounds:
    return (operand.low, operand.high) if type(operand) is Lane else (operand, operand)


def _true_bounds(operand: Lane | int) -> Bounds:
    if type(operand) is Lane:
        operand.low, operand.high = int(operand.array.min()), int(operand.array.max())
    return _bounds(operand)


def _is_too_large(bounds: Bounds, operands: tuple[Lane | int, ...]) -> bool:
    for low, high in (bounds, *[_bounds(it) for it in operands]):  # noqa: SIM110 - a generator costs as much again
        if low < -LARGEST or high > LARGEST:
            return True
    return False
