"""Conversion between games: find the points of other games' measures with the nearest chance, and put them in words.

Only odds are used. They are calculated for the points that are looked at, and no others.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from heapq import merge, nsmallest
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from astragal.chance import odds
from astragal.chance.pictures import Row
from astragal.table.authoring.ruleset import BookTable, Measure
from astragal.table.refusals import BadFields, NoSuchThing
from astragal.wording import capitalised

Numbers = tuple[int, ...]
"""A point's numbers, in the order of the measure's ranges."""


class Point(Struct, frozen=True):
    """One point of a measure, and the exact chance there."""

    measure: Measure
    values: Mapping[str, int]
    chance: Fraction


class Scale:
    """The points of a measure. The chance of each is calculated once, when it is first looked at."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self._points: dict[Numbers, Point] = {}
        self._nearest: dict[tuple[Fraction, int], tuple[Point, ...]] = {}
        """Caches of points and searches: a table of conversions asks for the same again. They end with the scale."""

    def at(self, numbers: Numbers) -> Point:
        point = self._points.get(numbers)
        if point is None:
            values = self._by_name(numbers)
            chance = odds(self.measure.ask(**values)).chance(self.measure.success)
            point = Point(self.measure, values, chance)
            self._points[numbers] = point
        return point

    def _chance(self, numbers: Numbers) -> Fraction:
        return self.at(numbers).chance

    def _gap(self, numbers: Numbers, chance: Fraction) -> Fraction:
        return abs(self.at(numbers).chance - chance)

    def _by_name(self, numbers: Numbers) -> dict[str, int]:
        return dict(zip(self.measure.ranges, numbers, strict=True))

    def nearest(self, chance: Fraction, most: int = 1) -> tuple[Point, ...]:
        """Find the points whose chances differ least from this one; of equally near ones, those earlier in the ranges.

        Nothing is nearer than the very same chance: once it was found often enough, later points are not looked at.
        """
        if (chance, most) not in self._nearest:
            self._nearest[chance, most] = tuple(self._search(chance, most))
        return self._nearest[chance, most]

    def _search(self, chance: Fraction, most: int) -> list[Point]:
        nearest: list[Point] = []
        largest_gap: Fraction | None = None
        for line in self._lines:
            if self.measure.steady:
                candidates = self._near_on(line, chance, most, largest_gap)
            else:
                candidates = [self.at(numbers) for numbers in line]
            nearest = nsmallest(most, (*nearest, *candidates), key=lambda point: abs(point.chance - chance))
            if len(nearest) == most:
                largest_gap = abs(nearest[-1].chance - chance)
            if largest_gap == 0:
                break
        return nearest

    @cached_property
    def _lines(self) -> Sequence[Sequence[Numbers]]:
        """The points in their order, grouped by those that differ in their last number alone.

        Cached, since every search goes through them.
        """
        *first_ranges, last_range = self.measure.ranges.values()
        return [[(*numbers, number) for number in last_range] for numbers in product(*first_ranges)]

    # ---------------------------------------------------------------- where chances only rise, or only fall

    def _near_on(self, line: Sequence[Numbers], chance: Fraction, most: int, gap: Fraction | None) -> list[Point]:
        """Find the nearest points of a line, and all as near as the last of them, in its order; none beyond the gap."""
        rising = sorted(line, reverse=self._falls)
        split = bisect_left(rising, chance, key=self._chance)
        below = rising[:split][::-1]
        above = rising[split:]
        if gap is not None and all(self._gap(side[0], chance) >= gap for side in (below, above) if side):
            return []
        nearest_first = merge(self._levels(below), self._levels(above), key=lambda level: self._gap(level[0], chance))
        near: list[Numbers] = []
        for level in nearest_first:
            if len(near) >= most and self._gap(level[0], chance) > self._gap(near[-1], chance):
                break
            near += level
        return [self.at(numbers) for numbers in sorted(near, key=line.index)]

    def _levels(self, side: Sequence[Numbers]) -> Iterator[Sequence[Numbers]]:
        """Yield groups of neighbours with the same chance. If two have it, so do all between them, uncalculated."""
        while side:
            chance = self._chance(side[0])

            def differs(numbers: Numbers, chance: Fraction = chance) -> bool:
                return self._chance(numbers) != chance

            length = 1
            if len(side) > 1 and not differs(side[1]):
                length = bisect_left(side, True, key=differs)
            for numbers in side[1:length]:
                self._points.setdefault(numbers, Point(self.measure, self._by_name(numbers), chance))
            yield side[:length]
            side = side[length:]

    @cached_property
    def _falls(self) -> bool:
        """True if a larger last number lowers the chance, by the first line that is not flat.

        Cached, since every search on a line asks for it.
        """
        for line in self._lines:
            chance_of_least = self._chance(min(line))
            chance_of_most = self._chance(max(line))
            if chance_of_least != chance_of_most:
                return chance_of_least > chance_of_most
        return False


# ---------------------------------------------------------------- from game to game


class Conversion(Struct, frozen=True):
    """A point of one game, and for each measure of another game the points nearest to its chance, nearest first."""

    origin: Point
    nearest: tuple[tuple[Point, ...], ...]


def convert(measures: Iterable[Measure], game: str, values: Mapping[str, int], most: int = 1) -> Conversion:
    """Convert a point of one game to the nearest points of the others, at most `most` of each."""
    all_measures = tuple(measures)
    origin = point_at(measure_of(all_measures, game, values), values)
    scales = [Scale(measure) for measure in all_measures if measure.game != game]
    return Conversion(origin, tuple(scale.nearest(origin.chance, most) for scale in scales))


def measure_of(measures: Sequence[Measure], game: str, values: Mapping[str, int]) -> Measure:
    """Find the game's measure that has these numbers; else its first, which can say what is wrong with them."""
    measures_of_game = [measure for measure in measures if measure.game == game]
    if not measures_of_game:
        games = ", ".join(dict.fromkeys(measure.game for measure in measures)) or "none"
        raise NoSuchThing(f"No measure of {game!r} is known; there are: {games}.")
    for measure in measures_of_game:
        if measure.ranges.keys() == values.keys():
            return measure
    return measures_of_game[0]


def point_at(measure: Measure, values: Mapping[str, int]) -> Point:
    """Return the point with these numbers. Raises `BadFields` if the measure does not have it."""
    problems = [f"{measure.name} needs a number for {name!r}" for name in measure.ranges if name not in values]
    problems += _problems(measure, values)
    if problems:
        raise BadFields(problems)
    return Scale(measure).at(tuple(values[name] for name in measure.ranges))


def points_of(measure: Measure) -> tuple[Point, ...]:
    """Return every point, in the order of the ranges, the last varying fastest."""
    return tuple(map(Scale(measure).at, product(*measure.ranges.values())))


def with_fixed_numbers(measure: Measure, **values: int) -> Measure:
    """Fix some numbers of a measure, such as what a hero brings, so that the difficulty alone is searched for."""
    problems = list(_problems(measure, values))
    if problems:
        raise BadFields(problems)
    fixed_ranges = {name: (value,) for name, value in values.items()}
    return replace(measure, ranges={**measure.ranges, **fixed_ranges})


def _problems(measure: Measure, values: Mapping[str, int]) -> Iterator[str]:
    """Say which numbers the measure does not have, or not within its ranges."""
    for name, value in values.items():
        numbers = measure.ranges.get(name)
        if numbers is None:
            yield f"{measure.name} is not measured by {name!r}, but by {', '.join(map(repr, measure.ranges))}"
        elif value not in numbers:
            yield f"{name!r} of {measure.name} goes from {min(numbers)} to {max(numbers)}, and {value} is outside"


# ---------------------------------------------------------------- for people to read


ANY = "…"


def sentence(conversion: Conversion) -> str:
    """Put the nearest points in words: "A score of 12 in Sinew & Steel (60.0%) is a difficulty of 2 … (53.9%), …"."""
    origin = capitalised(_in_its_game(conversion.origin))
    targets = [_in_its_game(points[0]) for points in conversion.nearest if points]
    if not targets:
        return f"{origin} is nothing elsewhere."
    if len(targets) == 1:
        return f"{origin} is {targets[0]}."
    return f"{origin} is {', '.join(targets[:-1])} and {targets[-1]}."


def lines(conversion: Conversion) -> Iterator[str]:
    """Yield a line for the point itself, then for every point that was found, under the name of its game."""
    yield _in_its_game(conversion.origin)
    names = [point.measure.name for points in conversion.nearest for point in points]
    width = max(map(len, names), default=0)
    for points in conversion.nearest:
        for number, point in enumerate(points):
            name = "" if number else point.measure.name
            yield f"  {name:{width}}  {percent(point):>7}  {in_words(point)}"


def side_by_side(origin: Measure, targets: Sequence[Measure]) -> BookTable:
    """Make a table with a row for each point of one measure, and the nearest of each other measure."""
    scales = [Scale(measure) for measure in targets]
    rows = []
    for point in points_of(origin):
        nearest = [scale.nearest(point.chance)[0] for scale in scales]
        rows.append((_in_a_column(point), *map(_in_a_column, nearest)))
    head = tuple(_head(measure) for measure in (origin, *targets))
    return BookTable("The same chance", head, tuple(rows))


def in_words(point: Point) -> str:
    return point.measure.words.format(**point.values)


def percent(point: Point) -> str:
    return Row("", point.chance).percent


def _in_its_game(point: Point) -> str:
    return f"{in_words(point)} in {point.measure.name} ({percent(point)})"


def _varying(measure: Measure) -> list[str]:
    return [name for name, numbers in measure.ranges.items() if len(numbers) > 1]


def _head(measure: Measure) -> str:
    """Head of a column, with the numbers that stay the same all the way down."""
    values: dict[str, int | str] = {name: numbers[0] for name, numbers in measure.ranges.items()}
    values.update(dict.fromkeys(_varying(measure), ANY))
    return f"{measure.name}: {measure.words.format(**values)}"


def _in_a_column(point: Point) -> str:
    """Cell of a column: a single number that varies is enough under such a head."""
    varying = _varying(point.measure)
    label = str(point.values[varying[0]]) if len(varying) == 1 else in_words(point)
    return f"{label} ({percent(point)})"
