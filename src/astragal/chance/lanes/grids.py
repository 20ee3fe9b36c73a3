"""Odds over ranges of arguments: one question at each point of a grid, all calculated at once."""

from __future__ import annotations  # so that the reference page shows annotations as they are written

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from inspect import Parameter
from itertools import product
from math import lcm, prod
from typing import Any, Generic, TypeVar

import numpy as np
from msgspec import Struct

from astragal.chance.drawings import Drawing
from astragal.chance.errors import BadStep
from astragal.chance.lanes.seen import Settled
from astragal.chance.odds import Odds
from astragal.chance.pictures import Picture, csv_text, percent, words
from astragal.chance.steps import Question, Rule
from astragal.chance.weigh import Policy, Weigher, decline

from .forms import Draw
from .lane import LARGEST, Array
from .runs import Run
from .weighing import LaneWeigher, try_in_lanes

T = TypeVar("T")

Point = tuple[Any, ...]
Wanted = Callable[[Any], bool] | Any


class Grid(Picture, Struct, Generic[T], frozen=True, eq=False):
    """The odds at each point: `grid[14, 11]`, or by name `grid.at(attacker=14, defender=11)`.

    `axes` are the arguments that vary, with their values; `weights` are the weights of each outcome at each point, out
    of `total`.
    """

    rule: str
    axes: Mapping[str, tuple[Any, ...]]
    weights: Mapping[T, Array]
    total: int

    def __len__(self) -> int:
        return prod(map(len, self.axes.values()))

    def __iter__(self) -> Iterator[Point]:
        """Iterate over the points; the last argument varies fastest."""
        return product(*self.axes.values())

    def __getitem__(self, point: Any) -> Odds[T]:
        values = point if isinstance(point, tuple) and len(point) == len(self.axes) else (point,)
        return self.at(**dict(zip(self.axes, values, strict=True)))

    def __str__(self) -> str:
        return self.text()

    def at(self, **values: Any) -> Odds[T]:
        """The odds at one point, with its arguments by name."""
        try:
            place = tuple(axis.index(values.pop(name)) for name, axis in self.axes.items())
        except (KeyError, ValueError):
            place = ()
        if values or len(place) != len(self.axes):
            raise KeyError(f"no such point in the grid over {', '.join(self.axes)}")
        return self._odds(place)

    def items(self) -> Iterator[tuple[Point, Odds[T]]]:
        """Yield each point with its odds."""
        for point, place in zip(self, np.ndindex(*map(len, self.axes.values())), strict=True):
            yield point, self._odds(place)

    def _odds(self, place: tuple[int, ...]) -> Odds[T]:
        return Odds({it: weight for it, laid in self.weights.items() if (weight := int(laid[place]))}, self.total)

    def chances(self, wanted: Wanted) -> dict[Point, Fraction]:
        """The chance of an outcome, or of all outcomes that satisfy a predicate, at each point."""
        hit = [laid for it, laid in self.weights.items() if (wanted(it) if callable(wanted) else it == wanted)]
        ways = sum(hit[1:], hit[0]).ravel().tolist() if hit else [0] * len(self)
        chances = {weight: Fraction(weight, self.total) for weight in set(ways)}
        return dict(zip(self, map(chances.__getitem__, ways), strict=True))

    # ---------------------------------------------------------------- renderings

    def drawing(self, title: str = "", wanted: Wanted = None) -> Drawing:
        """Heat map: the chance of `wanted`, else of True, else the mean, else the chance of the first outcome."""
        from astragal.chance.charts import heat_map

        outcomes = [it for it, _ in Odds(dict.fromkeys(self.weights, 1), 1)]
        is_mean = wanted is None and True not in self.weights and all(isinstance(it, int) for it in outcomes)
        if wanted is None and not is_mean:
            wanted = True if True in self.weights else outcomes[0]
        values = {point: odds.mean() for point, odds in self.items()} if is_mean else self.chances(wanted)  # type: ignore[misc]
        *before, last = self.axes
        rows = list(product(*(self.axes[name] for name in before)))
        said = title or f"{self.rule}: {'mean' if is_mean else 'wanted' if callable(wanted) else words(wanted)}"
        return heat_map(
            (last, self.axes[last]),
            (", ".join(before), [" ".join(map(words, row)) for row in rows]),
            {(" ".join(map(words, row)), column): values[*row, column] for row in rows for column in self.axes[last]},
            said,
            are_chances=not is_mean,
        )

    def text(self, wanted: Wanted = None, digits: int = 0) -> str:
        """Percentages as text: of `wanted` over the last argument, or of each outcome in a row for each point."""
        from astragal.chance.charts import text_table

        return text_table(self.rows(wanted, digits), str.rjust)

    def markdown(self, wanted: Wanted = None, digits: int = 0) -> str:
        """The same as a Markdown table."""
        rows = self.rows(wanted, digits)
        head, *lines = ("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
        return "\n".join((head, "|" + "---:|" * len(rows[0]), *lines))

    def csv(self, wanted: Wanted = None, digits: int = 6) -> str:
        """The same as CSV."""
        return csv_text(self.rows(wanted, digits))

    def rows(self, wanted: Wanted = None, digits: int = 0) -> list[list[str]]:
        """A header and rows of text, with percentages rounded half to even."""
        *before, last = self.axes
        if wanted is None:
            outcomes = [it for it, _ in Odds(dict.fromkeys(self.weights, 1), 1)]
            columns = [self.chances(outcome) for outcome in outcomes]
            rows = [[*map(words, point), *(_percent(column[point], digits) for column in columns)] for point in self]
            return [[*self.axes, *map(words, outcomes)], *rows]
        chances = self.chances(wanted)
        rows = [
            [*map(words, point), *(_percent(chances[*point, value], digits) for value in self.axes[last])]
            for point in product(*(self.axes[name] for name in before))
        ]
        head = [*before[:-1], f"{before[-1]} \\ {last}"] if before else []
        return [[*head, *map(words, self.axes[last])], *rows]


def odds_grid(rule: Rule[..., T], policy: Policy = decline, /, **given: Any) -> Grid[T]:
    """Calculate a rule's odds over ranges of its arguments in lanes, or path by path at each point if lanes give up."""
    axes = {
        name: tuple(value)
        for name, value in ((name, given.get(name)) for name in rule.parameters)
        if isinstance(value, (range, list)) or (isinstance(value, type) and issubclass(value, Enum))
    }
    _check(rule, given, axes)
    shape = tuple(map(len, axes.values()))
    arguments = {name: given.get(name, it.default) for name, it in rule.parameters.items()}
    if missing := [name for name, value in arguments.items() if value is Parameter.empty]:
        raise TypeError(f"{rule.name} misses a value for {missing[0]!r}")

    def ask(values: Mapping[str, Any]) -> Question[T]:
        return Question(rule, tuple([values.get(name, value) for name, value in arguments.items()]))

    def in_lanes() -> Settled:
        values = {name: Draw(axis) for name, axis in reversed(list(axes.items()))}
        weigher = LaneWeigher(policy)

        def follow(run: Run) -> Any:
            question = run.asked(lambda: ask({name: run.argument(draw) for name, draw in values.items()}))
            return weigher.follow(run, question)

        return weigher.settle(follow, shape)

    settled = try_in_lanes(f"a grid of {rule}", in_lanes)
    if settled is None:
        settled, weigher = {}, Weigher(policy)
        for place, point in zip(np.ndindex(*shape), product(*axes.values()), strict=True):
            odds = weigher.weigh(ask(dict(zip(axes, point, strict=True))))
            for outcome, weight in odds.weights.items():
                laid = settled.setdefault(odds.total, {}).setdefault(outcome, np.zeros(shape, dtype=object))
                laid[place] += weight
    total = lcm(*settled)
    weights: dict[Any, Array] = {}
    for part_total, part in settled.items():
        for outcome, laid in part.items():
            scaled = (laid if total < LARGEST else laid.astype(object)) * (total // part_total)
            weights[outcome] = weights[outcome] + scaled if outcome in weights else scaled
    return Grid(rule.name, axes, weights, total)


def _check(rule: Rule[..., Any], given: Mapping[str, Any], axes: Mapping[str, tuple[Any, ...]]) -> None:
    if strange := [name for name in given if name not in rule.parameters]:
        raise TypeError(f"{rule.name} takes no argument {strange[0]!r}")
    if not axes:
        raise BadStep(f"a grid of {rule.name} has at least one axis: a range, a list or an enum class")
    for name, axis in axes.items():
        if not axis or len(set(axis)) < len(axis):
            raise BadStep(f"the axis {name!r} needs one or more values, each of them once")


def _percent(chance: Fraction, digits: int) -> str:
    return f"{float(percent(chance, digits)):.{digits}f}"
