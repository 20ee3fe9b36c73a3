"""A measure that is weighed no further than somebody asks, and where on it a chance is found."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from heapq import merge, nsmallest
from itertools import product

from astragal.chance import odds
from astragal.table.authoring.measures import Measure
from astragal.values import frozen

Numbers = tuple[int, ...]
"""A point's numbers, in the order of the measure's ranges."""


@frozen
class Point:
    """One place of a measure, and the exact chance there."""

    measure: Measure
    values: Mapping[str, int]
    chance: Fraction


class Scale:
    """The points of a measure, each weighed once, when it is first looked at."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self._points: dict[Numbers, Point] = {}
        self._found: dict[tuple[Fraction, int], tuple[Point, ...]] = {}

    def at(self, numbers: Numbers) -> Point:
        found = self._points.get(numbers)
        if found is None:
            measure, values = self.measure, self._named(numbers)
            chance = odds(measure.ask(**values)).chance(measure.success)
            found = self._points[numbers] = Point(measure, values, chance)
        return found

    def _chance(self, numbers: Numbers) -> Fraction:
        return self.at(numbers).chance

    def _gap(self, numbers: Numbers, chance: Fraction) -> Fraction:
        return abs(self.at(numbers).chance - chance)

    def _named(self, numbers: Numbers) -> dict[str, int]:
        return dict(zip(self.measure.ranges, numbers, strict=True))

    def nearest(self, chance: Fraction, most: int = 1) -> tuple[Point, ...]:
        """The points whose chances differ least from this one; of equally near ones the earlier of the ranges.

        Nothing is nearer than the very same chance: where it was found often enough, later points are not looked at.
        """
        if (chance, most) not in self._found:
            self._found[chance, most] = self._look_for(chance, most)
        return self._found[chance, most]

    def _look_for(self, chance: Fraction, most: int) -> tuple[Point, ...]:
        found: list[Point] = []
        gap: Fraction | None = None
        for line in self._lines:
            further = self._near_on(line, chance, most, gap) if self.measure.steady else map(self.at, line)
            if news := list(further):
                found = nsmallest(most, (*found, *news), key=lambda point: abs(point.chance - chance))
                gap = abs(found[-1].chance - chance) if len(found) == most else None
            if gap == 0:
                break
        return tuple(found)

    @cached_property
    def _lines(self) -> Sequence[Sequence[Numbers]]:
        """The points in their order, those together that differ in their last number alone."""
        *others, last = self.measure.ranges.values()
        return [[(*numbers, number) for number in last] for numbers in product(*others)]

    # ---------------------------------------------------------------- where chances never turn

    def _near_on(self, line: Sequence[Numbers], chance: Fraction, most: int, gap: Fraction | None) -> list[Point]:
        """The nearest of a line and all that are as near as the last of them, in its order; none beyond the gap."""
        rising = sorted(line, reverse=self._falls)
        split = bisect_left(rising, chance, key=self._chance)
        sides = rising[split - 1 :: -1] if split else [], rising[split:]
        if gap is not None and all(self._gap(side[0], chance) >= gap for side in sides if side):
            return []
        taken: list[Numbers] = []
        for level in merge(*map(self._levels, sides), key=lambda level: self._gap(level[0], chance)):
            if len(taken) >= most and self._gap(level[0], chance) > self._gap(taken[-1], chance):
                break
            taken += level
        return [self.at(numbers) for numbers in sorted(taken, key=line.index)]

    def _levels(self, side: Sequence[Numbers]) -> Iterator[Sequence[Numbers]]:
        """Neighbours that have the same chance. Where two have it, all between them do, and are not weighed."""
        while side:
            first = self.at(side[0])
            many = 1
            if len(side) > 1 and self._chance(side[1]) == first.chance:
                many = bisect_left(side, True, key=lambda numbers: self._chance(numbers) != first.chance)
            for numbers in side[1:many]:
                self._points.setdefault(numbers, Point(self.measure, self._named(numbers), first.chance))
            yield side[:many]
            side = side[many:]

    @cached_property
    def _falls(self) -> bool:
        """Does the last number hurt? Some line tells, unless all are flat."""
        ends = ((self._chance(min(line)), self._chance(max(line))) for line in self._lines)
        return next((low > high for low, high in ends if low != high), False)
