"""Plans: questions with decisions, laid out as all runs of a rule with their stories, and valued backwards.

A nested question is a plan of its own. Its worth depends only on what each of its results is worth to the caller, so it
is calculated once for each such appraisal, for all arguments that it is asked with. Everything is whole numbers over
one divisor and therefore exact: in 64 bits while they fit, else in Python integers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from astragal.chance.odds import Odds

from .forms import Draw, Group
from .lane import LARGEST, Array, Lane
from .runs import Part
from .seen import in_a_row


class Worth(NamedTuple):
    """A worth for each lane: numbers over one divisor. `most` is the largest absolute value that they can have."""

    numbers: Array
    divisor: int
    most: int

    def times(self, factor: int | Array, most: int) -> Worth:
        return Worth(_roomy(self.numbers, self.most * most) * factor, self.divisor, self.most * most)

    def over(self, divisor: int) -> Worth:
        return Worth(self.numbers, self.divisor * divisor, self.most)

    def reduced(self) -> Worth:
        """Reduce the fractions to the smallest numbers."""
        numbers: list[int] = self.numbers.ravel().tolist()
        divisor = gcd(self.divisor, *numbers)
        most = max(map(abs, numbers)) // divisor
        smaller = np.array([number // divisor for number in numbers], dtype=np.int64 if most <= LARGEST else object)
        return Worth(smaller.reshape(self.numbers.shape), self.divisor // divisor, most)

    def along(self, place: int) -> Array | None:
        """The numbers with this axis, the newest there is, as the first dimension; None if they do not depend on it."""
        return self.numbers if self.numbers.ndim == place + 1 else None


def _roomy(numbers: Array, most: int) -> Array:
    return numbers.astype(object) if most > LARGEST and numbers.dtype != object else numbers


def alike(worths: Sequence[Worth]) -> tuple[list[Array], int, int]:
    """Bring all worths to one divisor."""
    divisor = lcm(*(worth.divisor for worth in worths))
    most = max(worth.most * (divisor // worth.divisor) for worth in worths)
    return [_roomy(worth.numbers, most) * (divisor // worth.divisor) for worth in worths], divisor, most


Choices = dict[Any, Any]
"""The best choices found, by event."""


class Thrown(Struct, frozen=True, eq=False):
    """Outcomes along an axis, or a single one, with their weights and the total."""

    weights: tuple[int, ...]
    out_of: int
    place: int | None

    def fold(self, worth: Worth, _best: Choices, _settled: bool) -> Worth:
        total, worth = sum(self.weights), worth.over(self.out_of)
        numbers = None if self.place is None else worth.along(self.place)
        if numbers is None:
            return worth.times(total, total)
        weights = np.array(self.weights, dtype=np.int64 if total < LARGEST else object)
        spread = worth.times(weights.reshape(-1, *(1,) * (numbers.ndim - 1)), total)
        return Worth(np.asarray(spread.numbers.sum(axis=0)), worth.divisor, spread.most)


class Decided(Struct, frozen=True, eq=False):
    """A decision between several options, which lie along an axis or go separate ways."""

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
        """Take the best option; among equal options, the first listed."""
        if not settled:
            best[self] = np.argmax(numbers * self.sign, axis=0)[None]
        choice, options = best[self], np.broadcast_shapes(numbers.shape[1:], best[self].shape[1:])
        spread = np.broadcast_to(numbers, (len(numbers), *options))
        return np.asarray(np.take_along_axis(spread, np.broadcast_to(choice, (1, *options)), axis=0)[0])


class Forms(Struct, frozen=True, eq=False):
    """Outcomes of several forms, each of which went its own way, with their weights already counted."""

    def join(self, worths: Mapping[int, Worth], _best: Choices, _settled: bool) -> Worth:
        numbers, divisor, most = alike(list(worths.values()))
        most *= len(numbers)
        return Worth(sum(_roomy(each, most) for each in numbers[1:]) + _roomy(numbers[0], most), divisor, most)


class Placed(Struct, frozen=True, eq=False):
    """Assigns these lanes to the questions at these places, out of `size` questions."""

    places: Sequence[int]
    size: int

    def fold(self, worth: Worth, _best: Choices, _settled: bool) -> Worth:
        found = np.zeros(self.size, dtype=worth.numbers.dtype)
        found[list(self.places)] = worth.numbers
        return Worth(found, worth.divisor, worth.most)


def join_by(parting: Lane, worths: Mapping[Any, Worth]) -> Worth:
    """Give each lane the worth of the way that it went."""
    numbers, divisor, most = alike(list(worths.values()))
    found = numbers[0]
    for way, other in zip(list(worths)[1:], numbers[1:], strict=True):
        found = np.where(parting.array == way, other, found)
    return Worth(found, divisor, most)


Appraisal = tuple[int, ...]
"""The worth of each result: whole numbers, 0 for the first reachable one."""

DEEPEST = 250
"""Events in one story; more would hit Python's recursion limit."""


class Story(NamedTuple):
    """History of a run, in order, and the result that each of its lanes came to."""

    events: list[tuple[Any, Any]]
    results: Array


class Plan:
    """A rule asked with several lists of arguments at once. `reach` marks the possible results of each."""

    def __init__(self, results: Sequence[Hashable], reach: Array, stories: Sequence[Story]) -> None:
        self.results, self.reach = results, reach
        self.draw = Draw(results)
        self._root = _node(stories, 0)
        self._valued: dict[Appraisal, tuple[Worth, Choices]] = {}
        self._chances: dict[Appraisal, tuple[Array, int]] = {}

    def worth(self, appraisal: Appraisal) -> Worth:
        """Value of each question, given the values of the results."""
        return self._value(appraisal)[0]

    def _value(self, appraisal: Appraisal) -> tuple[Worth, Choices]:
        found = self._valued.get(appraisal)
        if found is None:
            best: Choices = {}
            found = self._valued[appraisal] = self._root(_leaf(appraisal), best, False).reduced(), best
        return found

    def chances(self, appraisal: Appraisal) -> tuple[Array, int]:
        """Weights of each question's results under best play, and their total."""
        found = self._chances.get(appraisal)
        if found is None:
            places, best = range(len(self.results)), self._value(appraisal)[1]
            single = [_leaf(tuple(int(place == result) for place in places)) for result in places]
            worths = [self._root(leaf, best, True) for leaf in single]
            over = lcm(*(worth.divisor for worth in worths))
            columns = [worth.numbers.astype(object) * (over // worth.divisor) for worth in worths]
            found = self._chances[appraisal] = np.stack(columns, axis=1), over
        return found


Leaf = Callable[[Array], Worth]
Node = Callable[[Leaf, Choices, bool], Worth]
"""Rest of a story, valued from its leaves; the choices are given, or found and stored."""


def _leaf(appraisal: Appraisal) -> Leaf:
    most = max(map(abs, appraisal))
    values = np.array(appraisal, dtype=np.int64 if most < LARGEST else object)
    return lambda results: Worth(values[results], 1, most)


def _node(stories: Sequence[Story], depth: int) -> Node:
    """Merge stories as long as they are alike."""
    first = stories[0]
    if depth == len(first.events):
        return lambda leaf, _best, _settled: leaf(first.results)
    event, way = first.events[depth]
    if way is None:
        after = _node(stories, depth + 1)
        return lambda leaf, best, settled: event.fold(after(leaf, best, settled), best, settled)
    by_way: dict[Any, list[Story]] = {}
    for story in stories:
        by_way.setdefault(story.events[depth][1], []).append(story)
    ways = {way: _node(those, depth + 1) for way, those in by_way.items()}
    if type(event) is Lane:
        return lambda leaf, best, settled: join_by(event, {way: it(leaf, best, settled) for way, it in ways.items()})
    return lambda leaf, best, settled: event.join(
        {way: it(leaf, best, settled) for way, it in ways.items()}, best, settled
    )


class Valued:
    """A question under best play for an aim."""

    def __init__(self, plan: Plan, aim: Callable[[Any], int | Fraction]) -> None:
        self._plan = plan
        values = [Fraction(aim(result)) for result in plan.results]
        self._over = lcm(*(value.denominator for value in values))
        numbers = [int(value * self._over) for value in values]
        self._base = numbers[int(plan.reach[0].argmax())]
        self._scale = gcd(*(number - self._base for number in numbers)) or 1
        self._appraisal: Appraisal = tuple((number - self._base) // self._scale for number in numbers)

    @property
    def worth(self) -> Fraction:
        worth = self._plan.worth(self._appraisal)
        return (self._base + self._scale * Fraction(int(worth.numbers[0]), worth.divisor)) / self._over

    @property
    def odds(self) -> Odds[Any]:
        weights, total = self._plan.chances(self._appraisal)
        return Odds(
            {it: int(weight) for it, weight in zip(self._plan.results, weights[0], strict=True) if weight}, total
        )


class Asked(Struct, frozen=True, eq=False):
    """A nested question in a story.

    `which` of the plan's questions each lane asks; `parts`, the lanes that are there; `place`, the axis of the results.
    """

    plan: Plan
    which: Lane | int
    parts: tuple[Part, ...]
    place: int

    def possible(self, group: Group) -> tuple[Array, int]:
        """The possible results, along their axis and along the axes on which the question differs."""
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
        """The plan's worth, given what each of its results is worth from here on."""
        table, divisor, most = self._table(worths)
        shape = table.shape[1:]
        alive = in_a_row(_alive(self.parts, shape), shape)
        rows = table.reshape(len(table), -1).T[alive]
        asking = in_a_row(self.which.array if type(self.which) is Lane else np.array(self.which), shape)[alive]
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
    """Values that lanes give to the results of the questions they ask; equal appraisals share one answer."""

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
        """Value of the questions, its divisor, and an upper bound of the numbers' absolute values."""
        found = [self._plan.worth(appraisal) for appraisal in self._appraisals]
        over = lcm(*(worth.divisor for worth in found))
        largest = most * over + 2 * most * max(worth.most * (over // worth.divisor) for worth in found)
        table = np.array([_roomy(worth.numbers, largest) * (over // worth.divisor) for worth in found])
        worths = table[self._of_lane, self._asking]
        return _roomy(self._base, largest) * over + _roomy(self._scale, largest) * worths, over, largest

    def settled(self, rows: Array, most: int) -> tuple[Array, int, int]:
        """The expected worth of the results, with every decision as it was found best."""
        found = [self._plan.chances(appraisal) for appraisal in self._appraisals]
        over = lcm(*(divisor for _, divisor in found))
        table = np.array([weights * (over // divisor) for weights, divisor in found], dtype=object)
        means = (table[self._of_lane, self._asking] * rows).sum(axis=1)
        return means, over, most * over


def _alive(parts: tuple[Part, ...], shape: tuple[int, ...]) -> Array:
    """Mask of the lanes of this shape that are in a run, whatever their position on other axes."""
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
