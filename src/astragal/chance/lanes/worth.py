"""Value of a plan, by backward induction: the mean over chance, the best over decisions.

All is whole numbers over one divisor, so it is exact: in 64 bits while they hold it, else in Python's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gcd, lcm
from typing import Any, NamedTuple

import numpy as np

from .arithmetic import Array
from .lane import LARGEST, Condition, Lane


class Worth(NamedTuple):
    """A worth for each lane: numbers over one divisor. None of them lies further from zero than `most`."""

    numbers: Array
    divisor: int
    most: int

    def times(self, factor: int | Array, most: int) -> Worth:
        return Worth(_roomy(self.numbers, self.most * most) * factor, self.divisor, self.most * most)

    def over(self, divisor: int) -> Worth:
        return Worth(self.numbers, self.divisor * divisor, self.most)

    def reduced(self) -> Worth:
        """In the smallest numbers."""
        numbers: list[int] = self.numbers.ravel().tolist()
        divisor = gcd(self.divisor, *numbers)
        most = max(map(abs, numbers)) // divisor
        smaller = np.array([number // divisor for number in numbers], dtype=np.int64 if most <= LARGEST else object)
        return Worth(smaller.reshape(self.numbers.shape), self.divisor // divisor, most)

    def along(self, place: int) -> Array | None:
        """The numbers with this axis, the newest there is, as the first dimension; None if they do not differ on it."""
        return self.numbers if self.numbers.ndim == place + 1 else None


def _roomy(numbers: Array, most: int) -> Array:
    return numbers.astype(object) if most > LARGEST and numbers.dtype != object else numbers


def alike(worths: Sequence[Worth]) -> tuple[list[Array], int, int]:
    """All over one divisor."""
    divisor = lcm(*(worth.divisor for worth in worths))
    most = max(worth.most * (divisor // worth.divisor) for worth in worths)
    return [_roomy(worth.numbers, most) * (divisor // worth.divisor) for worth in worths], divisor, most


Choices = dict[Any, Any]
"""What was found best, by event."""


@dataclass(frozen=True, eq=False)
class Total:
    """A step was weighed out of so much."""

    total: int

    def fold(self, worth: Worth, _best: Choices, _settled: bool) -> Worth:
        return worth.over(self.total)


@dataclass(frozen=True, eq=False)
class Thrown:
    """Outcomes along an axis, or a single one, each with its weight."""

    weights: tuple[int, ...]
    place: int | None = None

    def fold(self, worth: Worth, _best: Choices, _settled: bool) -> Worth:
        total = sum(self.weights)
        numbers = None if self.place is None else worth.along(self.place)
        if numbers is None:
            return worth.times(total, total)
        weights = np.array(self.weights, dtype=np.int64 if total < LARGEST else object)
        spread = worth.times(weights.reshape(-1, *(1,) * (numbers.ndim - 1)), total)
        return Worth(np.asarray(spread.numbers.sum(axis=0)), worth.divisor, spread.most)


@dataclass(frozen=True, eq=False)
class Decided:
    """Somebody took one of several options, which lie along an axis or each go their own way."""

    sign: int
    place: int | None = None

    def fold(self, worth: Worth, best: Choices, settled: bool) -> Worth:
        numbers = worth.along(self.place) if self.place is not None else None
        if numbers is None:
            return worth
        return Worth(self._taken(numbers, best, settled), worth.divisor, worth.most)

    def join(self, worths: Mapping[int, Worth], best: Choices, settled: bool) -> Worth:
        numbers, divisor, most = alike([worths[way] for way in sorted(worths)])
        return Worth(self._taken(np.stack(np.broadcast_arrays(*numbers)), best, settled), divisor, most)

    def _taken(self, numbers: Array, best: Choices, settled: bool) -> Array:
        """Of equal options, the first listed."""
        if not settled:
            best[self] = np.argmax(numbers * self.sign, axis=0)[None]
        choice, options = best[self], np.broadcast_shapes(numbers.shape[1:], best[self].shape[1:])
        spread = np.broadcast_to(numbers, (len(numbers), *options))
        return np.asarray(np.take_along_axis(spread, np.broadcast_to(choice, (1, *options)), axis=0)[0])


@dataclass(frozen=True, eq=False)
class Forms:
    """Outcomes of several forms, each of which went its own way, with their weights inside."""

    def join(self, worths: Mapping[int, Worth], _best: Choices, _settled: bool) -> Worth:
        numbers, divisor, most = alike(list(worths.values()))
        most *= len(numbers)
        return Worth(sum(_roomy(each, most) for each in numbers[1:]) + _roomy(numbers[0], most), divisor, most)


@dataclass(frozen=True, eq=False)
class Placed:
    """These lanes belong to the questions at these places, of so many."""

    places: tuple[int, ...]
    size: int

    def fold(self, worth: Worth, _best: Choices, _settled: bool) -> Worth:
        found = np.zeros(self.size, dtype=worth.numbers.dtype)
        found[list(self.places)] = worth.numbers
        return Worth(found, worth.divisor, worth.most)


def join_by(parting: Condition | Lane, worths: Mapping[Any, Worth]) -> Worth:
    """Each lane has the worth of the way that it went."""
    numbers, divisor, most = alike(list(worths.values()))
    found = numbers[0]
    for way, other in zip(list(worths)[1:], numbers[1:], strict=True):
        found = np.where(parting.array == way, other, found)
    return Worth(found, divisor, most)
