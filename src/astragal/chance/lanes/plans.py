"""Questions with decisions in them, laid out: all runs of a rule with their stories, to be valued backwards.

A question asked inside another is a plan of its own. What it is worth depends only on what each of its results is
worth to the one who asks; so it is found once for each such appraisal, for all arguments that it is asked with.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any, NamedTuple

import numpy as np

from astragal.chance.odds import Odds

from .arithmetic import Array
from .forms import Draw
from .lane import LARGEST, Condition, Lane
from .worth import Choices, Worth, join_by

Appraisal = tuple[int, ...]
"""What each result is worth: whole numbers, the first that can be reached 0."""

DEEPEST = 250
"""Events in one story; more would run into Python's own limit."""


class Story(NamedTuple):
    """History of a run, in order, and the result that each of its lanes came to."""

    events: list[tuple[Any, Any]]
    results: Array


class Plan:
    """A rule asked with several lists of arguments at once. `reach` says which of the results can come of which."""

    def __init__(self, results: Sequence[Hashable], reach: Array, stories: Sequence[Story]) -> None:
        self.results, self.reach = results, reach
        self.draw = Draw((result, 1) for result in results)
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
            found = self._chances[appraisal] = self._settled(self._value(appraisal)[1])
        return found

    def _settled(self, best: Choices) -> tuple[Array, int]:
        size = len(self.results)
        worths = [
            self._root(_leaf(tuple(int(place == result) for place in range(size))), best, True)
            for result in range(size)
        ]
        over = lcm(*(worth.divisor for worth in worths))
        columns = [worth.numbers.astype(object) * (over // worth.divisor) for worth in worths]
        return np.stack(columns, axis=1), over


Leaf = Callable[[Array], Worth]
Node = Callable[[Leaf, Choices, bool], Worth]
"""What follows from somewhere on, valued by its leaves; with the choices as they are, or to be found."""


def _leaf(appraisal: Appraisal) -> Leaf:
    most = max(map(abs, appraisal))
    values = np.array(appraisal, dtype=np.int64 if most < LARGEST else object)
    return lambda results: Worth(values[results], 1, most)


def _node(stories: Sequence[Story], depth: int) -> Node:
    """Stories that are alike up to here go together as long as they stay so."""
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
    if isinstance(event, Condition) or type(event) is Lane:
        return lambda leaf, best, settled: join_by(event, {way: it(leaf, best, settled) for way, it in ways.items()})
    return lambda leaf, best, settled: event.join(
        {way: it(leaf, best, settled) for way, it in ways.items()}, best, settled
    )


class Valued:
    """A question at its best for an aim."""

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
