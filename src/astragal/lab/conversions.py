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
        """Find the points whose chances differ least from this one; of equally near ones, those earlier in the ranges.

        Nothing is nearer than the very same chance: once it was found often enough, later points are not looked at.
        """
        if (chance, most) in self._found:
            return self._found[chance, most]
        found: list[Point] = []
        gap: Fraction | None = None
        for line in self._lines:
            further = self._near_on(line, chance, most, gap) if self.measure.steady else map(self.at, line)
            if news := list(further):
                found = nsmallest(most, (*found, *news), key=lambda point: abs(point.chance - chance))
                gap = abs(found[-1].chance - chance) if len(found) == most else None
            if gap == 0:
                break
        self._found[chance, most] = tuple(found)
        return self._found[chance, most]

    @cached_property
    def _lines(self) -> Sequence[Sequence[Numbers]]:
        """The points in their order, grouped by those that differ in their last number alone."""
        *others, last = self.measure.ranges.values()
        return [[(*numbers, number) for number in last] for numbers in product(*others)]

    # ---------------------------------------------------------------- where chances only rise, or only fall

    def _near_on(self, line: Sequence[Numbers], chance: Fraction, most: int, gap: Fraction | None) -> list[Point]:
        """Find the nearest points of a line, and all as near as the last of them, in its order; none beyond the gap."""
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
        """Yield groups of neighbours with the same chance. If two have it, so do all between them, uncalculated."""
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
        """True if a larger last number lowers the chance, by the first line that is not flat."""
        ends = ((self._chance(min(line)), self._chance(max(line))) for line in self._lines)
        return next((low > high for low, high in ends if low != high), False)


# ---------------------------------------------------------------- from game to game


class Conversion(Struct, frozen=True):
    """A point of one game, and for each measure of another game the points nearest to its chance, nearest first."""

    origin: Point
    nearest: tuple[tuple[Point, ...], ...]


def convert(measures: Iterable[Measure], game: str, values: Mapping[str, int], most: int = 1) -> Conversion:
    """Convert a point of one game to the nearest points of the others, at most `most` of each."""
    known = tuple(measures)
    origin = point_at(measure_of(known, game, values), values)
    others = (Scale(measure) for measure in known if measure.game != game)
    return Conversion(origin, tuple(other.nearest(origin.chance, most) for other in others))


def measure_of(measures: Sequence[Measure], game: str, values: Mapping[str, int]) -> Measure:
    """Find the game's measure that has these numbers; else its first, which can say what is wrong with them."""
    of_the_game = [measure for measure in measures if measure.game == game]
    if not of_the_game:
        measured = ", ".join(dict.fromkeys(measure.game for measure in measures)) or "none"
        raise NoSuchThing(f"No measure of {game!r} is known; there are: {measured}.")
    return next((measure for measure in of_the_game if measure.ranges.keys() == values.keys()), of_the_game[0])


def point_at(measure: Measure, values: Mapping[str, int]) -> Point:
    """Return the point with these numbers. Raises `BadFields` if the measure does not have it."""
    missing = [f"{measure.name} needs a number for {name!r}" for name in measure.ranges if name not in values]
    if problems := [*missing, *_strange(measure, values)]:
        raise BadFields(problems)
    return Scale(measure).at(tuple(values[name] for name in measure.ranges))


def points_of(measure: Measure) -> tuple[Point, ...]:
    """Return every point, in the order of the ranges, the last varying fastest."""
    return tuple(map(Scale(measure).at, product(*measure.ranges.values())))


def with_fixed_numbers(measure: Measure, **values: int) -> Measure:
    """Fix some numbers of a measure, such as what a hero brings, so that the difficulty alone is searched for."""
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


# ---------------------------------------------------------------- for people to read


ANY = "…"


def sentence(conversion: Conversion) -> str:
    """Put the nearest points in words: "A score of 12 in Sinew & Steel (60.0%) is a difficulty of 2 … (53.9%), …"."""
    origin = _in_its_game(conversion.origin)
    *before, last = [_in_its_game(points[0]) for points in conversion.nearest if points] or ["nothing elsewhere"]
    listed = f"{', '.join(before)} and {last}" if before else last
    return f"{capitalised(origin)} is {listed}."


def lines(conversion: Conversion) -> Iterator[str]:
    """Yield a line for the point itself, then for every point that was found, under the name of its game."""
    yield _in_its_game(conversion.origin)
    found = [point for points in conversion.nearest for point in points]
    firsts = [points[0] for points in conversion.nearest if points]
    width = max((len(point.measure.name) for point in found), default=0)
    for point in found:
        name = point.measure.name if point in firsts else ""
        yield f"  {name:{width}}  {percent(point):>7}  {in_words(point)}"


def side_by_side(origin: Measure, others: Sequence[Measure]) -> BookTable:
    """Make a table with a row for each point of one measure, and the nearest of each other measure."""
    scales = [Scale(measure) for measure in others]
    rows = tuple(
        (_in_a_column(point), *(_in_a_column(scale.nearest(point.chance)[0]) for scale in scales))
        for point in points_of(origin)
    )
    return BookTable("The same chance", tuple(_head(measure) for measure in (origin, *others)), rows)


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
    shown = {name: ANY if name in _varying(measure) else numbers[0] for name, numbers in measure.ranges.items()}
    return f"{measure.name}: {measure.words.format(**shown)}"


def _in_a_column(point: Point) -> str:
    """Cell of a column: a single number that varies is enough under such a head."""
    varying = _varying(point.measure)
    said = str(point.values[varying[0]]) if len(varying) == 1 else in_words(point)
    return f"{said} ({percent(point)})"
