"""The same chance in other games' terms: the nearest points of their measures, from the odds alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from astragal.table.authoring.measures import Measure
from astragal.table.refusals import BadFields, NoSuchThing
from astragal.values import frozen

from .scales import Point, Scale


@frozen
class Conversion:
    """A point of one game, and for each measure of another game the points nearest to its chance, nearest first."""

    origin: Point
    nearest: tuple[tuple[Point, ...], ...]


def convert(measures: Iterable[Measure], game: str, values: Mapping[str, int], most: int = 1) -> Conversion:
    """Convert a point of one game to the nearest points of the others; at most so many of each."""
    known = tuple(measures)
    origin = point_at(measure_of(known, game, values), values)
    others = (Scale(measure) for measure in known if measure.game != game)
    return Conversion(origin, tuple(other.nearest(origin.chance, most) for other in others))


def measure_of(measures: Sequence[Measure], game: str, values: Mapping[str, int]) -> Measure:
    """The game's measure that has these numbers; failing that, its first, which can say what is wrong with them."""
    of_the_game = [measure for measure in measures if measure.game == game]
    if not of_the_game:
        measured = ", ".join(dict.fromkeys(measure.game for measure in measures)) or "none"
        raise NoSuchThing(f"No measure of {game!r} is known; there are: {measured}.")
    return next((measure for measure in of_the_game if measure.ranges.keys() == values.keys()), of_the_game[0])


def point_at(measure: Measure, values: Mapping[str, int]) -> Point:
    """The point with these numbers, if the measure has it."""
    missing = [f"{measure.name} needs a number for {name!r}" for name in measure.ranges if name not in values]
    if problems := [*missing, *_strange(measure, values)]:
        raise BadFields(problems)
    return Scale(measure).at(tuple(values[name] for name in measure.ranges))


def points_of(measure: Measure) -> tuple[Point, ...]:
    """Every point, in the order of the ranges, the last running fastest."""
    return tuple(map(Scale(measure).at, product(*measure.ranges.values())))


def holding(measure: Measure, **values: int) -> Measure:
    """The measure with some of its numbers held: what a hero brings, so that the difficulty alone is looked for."""
    if problems := list(_strange(measure, values)):
        raise BadFields(problems)
    return replace(measure, ranges={**measure.ranges, **{name: (value,) for name, value in values.items()}})


def _strange(measure: Measure, values: Mapping[str, int]) -> Iterator[str]:
    for name, value in values.items():
        numbers = measure.ranges.get(name)
        if numbers is None:
            yield f"{measure.name} is not measured by {name!r}, but by {', '.join(map(repr, measure.ranges))}"
        elif value not in numbers:
            yield f"{name!r} of {measure.name} goes from {min(numbers)} to {max(numbers)}, and {value} is outside"
