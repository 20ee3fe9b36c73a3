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
        weights: dict[T, int] = {}
        for outcome, weights_at_points in self.weights.items():
            weight = int(weights_at_points[place])
            if weight:
                weights[outcome] = weight
        return Odds(weights, self.total)

    def chances(self, wanted: Wanted) -> dict[Point, Fraction]:
        """The chance of an outcome, or of all outcomes that satisfy a predicate, at each point."""
        wanted_weights: list[Array] = []
        for outcome, weights_at_points in self.weights.items():
            is_wanted = wanted(outcome) if callable(wanted) else outcome == wanted
            if is_wanted:
                wanted_weights.append(weights_at_points)
        if not wanted_weights:
            return dict.fromkeys(self, Fraction(0))
        ways_at_points = sum(wanted_weights[1:], wanted_weights[0]).ravel().tolist()
        chance_by_ways = {ways: Fraction(ways, self.total) for ways in set(ways_at_points)}
        return {point: chance_by_ways[ways] for point, ways in zip(self, ways_at_points, strict=True)}

    def _outcomes(self) -> list[T]:
        """The outcomes in the order in which odds list them."""
        return [outcome for outcome, _ in Odds(dict.fromkeys(self.weights, 1), 1)]

    # ---------------------------------------------------------------- renderings

    def drawing(self, title: str = "", wanted: Wanted = None) -> Drawing:
        """Heat map: the chance of `wanted`, else of True, else the mean, else the chance of the first outcome."""
        from astragal.chance.charts import heat_map

        outcomes = self._outcomes()
        values: Mapping[Point, Fraction]
        is_mean = wanted is None and True not in self.weights and all(isinstance(outcome, int) for outcome in outcomes)
        if is_mean:
            values = {point: odds.mean() for point, odds in self.items()}  # type: ignore[misc] # whole numbers
            measure = "mean"
        else:
            if wanted is None:
                wanted = True if True in self.weights else outcomes[0]
            values = self.chances(wanted)
            measure = "wanted" if callable(wanted) else words(wanted)

        *line_axes, column_axis = self.axes
        line_labels: list[str] = []
        value_by_cell: dict[tuple[str, Any], Fraction] = {}
        for line in product(*[self.axes[name] for name in line_axes]):
            label = " ".join(map(words, line))
            line_labels.append(label)
            for column in self.axes[column_axis]:
                value_by_cell[label, column] = values[*line, column]
        return heat_map(
            (column_axis, self.axes[column_axis]),
            (", ".join(line_axes), line_labels),
            value_by_cell,
            title or f"{self.rule}: {measure}",
            are_chances=not is_mean,
        )

    def text(self, wanted: Wanted = None, digits: int = 0) -> str:
        """Percentages as text: of `wanted` over the last argument, or of each outcome in a row for each point."""
        from astragal.chance.charts import text_table

        return text_table(self.rows(wanted, digits), str.rjust)

    def markdown(self, wanted: Wanted = None, digits: int = 0) -> str:
        """The same as a Markdown table."""
        rows = self.rows(wanted, digits)
        lines: list[str] = []
        for row in rows:
            cells = [cell.replace("|", "\\|") for cell in row]
            lines.append("| " + " | ".join(cells) + " |")
        lines.insert(1, "|" + "---:|" * len(rows[0]))
        return "\n".join(lines)

    def csv(self, wanted: Wanted = None, digits: int = 6) -> str:
        """The same as CSV."""
        return csv_text(self.rows(wanted, digits))

    def rows(self, wanted: Wanted = None, digits: int = 0) -> list[list[str]]:
        """A header and rows of text, with percentages rounded half to even."""
        if wanted is None:
            return self._rows_of_points(digits)
        *line_axes, column_axis = self.axes
        columns = self.axes[column_axis]
        chances = self.chances(wanted)
        head: list[str] = []
        if line_axes:
            head = [*line_axes[:-1], f"{line_axes[-1]} \\ {column_axis}"]
        rows = [[*head, *map(words, columns)]]
        for line in product(*[self.axes[name] for name in line_axes]):
            figures = [_percent(chances[*line, column], digits) for column in columns]
            rows.append([*map(words, line), *figures])
        return rows

    def _rows_of_points(self, digits: int) -> list[list[str]]:
        """A header, and a row for each point with the chance of each outcome."""
        outcomes = self._outcomes()
        chances_of_outcomes = [self.chances(outcome) for outcome in outcomes]
        rows = [[*self.axes, *map(words, outcomes)]]
        for point in self:
            figures = [_percent(chances[point], digits) for chances in chances_of_outcomes]
            rows.append([*map(words, point), *figures])
        return rows


def odds_grid(rule: Rule[..., T], policy: Policy = decline, /, **given: Any) -> Grid[T]:
    """Calculate a rule's odds over ranges of its arguments in lanes, or path by path at each point if lanes give up."""
    axes: dict[str, tuple[Any, ...]] = {}
    arguments: dict[str, Any] = {}
    for name, parameter in rule.parameters.items():
        argument = given.get(name, parameter.default)
        arguments[name] = argument
        is_enum = isinstance(argument, type) and issubclass(argument, Enum)
        if name in given and (isinstance(argument, (range, list)) or is_enum):
            axes[name] = tuple(argument)
    _check(rule, given, axes)
    if missing := [name for name, argument in arguments.items() if argument is Parameter.empty]:
        raise TypeError(f"{rule.name} misses a value for {missing[0]!r}")
    shape = tuple(map(len, axes.values()))

    def ask(coordinates: Mapping[str, Any]) -> Question[T]:
        return Question(rule, tuple([coordinates.get(name, argument) for name, argument in arguments.items()]))

    def in_lanes() -> Settled:
        draws = {name: Draw(axis) for name, axis in reversed(list(axes.items()))}
        weigher = LaneWeigher(policy)

        def follow(run: Run) -> Any:
            question = run.asked(lambda: ask({name: run.argument(draw) for name, draw in draws.items()}))
            return weigher.follow(run, question)

        return weigher.settle(follow, shape)

    settled = try_in_lanes(f"a grid of {rule}", in_lanes)
    if settled is None:
        settled = _settled_by_paths(ask, axes, policy)
    total = lcm(*settled)
    weights: dict[Any, Array] = {}
    for part_total, part in settled.items():
        for outcome, weights_at_points in part.items():
            roomy = weights_at_points if total < LARGEST else weights_at_points.astype(object)
            scaled = roomy * (total // part_total)
            weights[outcome] = weights[outcome] + scaled if outcome in weights else scaled
    return Grid(rule.name, axes, weights, total)


def _settled_by_paths(
    ask: Callable[[Mapping[str, Any]], Question[Any]], axes: Mapping[str, tuple[Any, ...]], policy: Policy
) -> Settled:
    """Weigh the question at each point path by path, and lay the weights out as lanes would."""
    shape = tuple(map(len, axes.values()))
    settled: Settled = {}
    weigher = Weigher(policy)
    for place, point in zip(np.ndindex(*shape), product(*axes.values()), strict=True):
        odds = weigher.weigh(ask(dict(zip(axes, point, strict=True))))
        weights_by_outcome = settled.setdefault(odds.total, {})
        for outcome, weight in odds.weights.items():
            weights_at_points = weights_by_outcome.setdefault(outcome, np.zeros(shape, dtype=object))
            weights_at_points[place] += weight
    return settled


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
