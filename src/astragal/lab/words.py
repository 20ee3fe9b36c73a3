"""Conversions for people to read: a sentence, lines, a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from astragal.chance.pictures import Row
from astragal.table.authoring.hero_book import BookTable
from astragal.table.authoring.measures import Measure

from .conversions import Conversion, points_of
from .scales import Point, Scale

ANY = "…"


def sentence(conversion: Conversion) -> str:
    """The nearest point of each: "A score of 12 in Sinew & Steel (60.0%) is a difficulty of 2 … (53.9%), …"."""
    origin = _in_its_game(conversion.origin)
    found = [_in_its_game(points[0]) for points in conversion.nearest if points]
    return f"{origin[0].upper()}{origin[1:]} is {_listed(found) or 'nothing elsewhere'}."


def lines(conversion: Conversion) -> Iterator[str]:
    """The point itself, then every point that was found, under the name of its game."""
    yield _in_its_game(conversion.origin)
    found = [point for points in conversion.nearest for point in points]
    firsts = [points[0] for points in conversion.nearest if points]
    width = max((len(point.measure.name) for point in found), default=0)
    for point in found:
        name = point.measure.name if point in firsts else ""
        yield f"  {name:{width}}  {percent(point):>7}  {in_words(point)}"


def side_by_side(origin: Measure, others: Sequence[Measure]) -> BookTable:
    """A row for each point of one measure, and the nearest of each other one."""
    scales = [Scale(measure) for measure in others]
    rows = tuple(
        (_in_a_column(point), *(_in_a_column(scale.nearest(point.chance)[0]) for scale in scales))
        for point in points_of(origin)
    )
    return BookTable("The same chance", tuple(_head(measure) for measure in (origin, *others)), rows)


def markdown(table: BookTable) -> str:
    head, *rows = (
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in (table.head, *table.rows)
    )
    return "\n".join((head, "|" + "---|" * len(table.head), *rows))


def in_words(point: Point) -> str:
    return point.measure.words.format(**point.values)


def percent(point: Point) -> str:
    return Row("", point.chance).percent


def _in_its_game(point: Point) -> str:
    return f"{in_words(point)} in {point.measure.name} ({percent(point)})"


def _listed(things: Sequence[str]) -> str:
    *before, last = things or [""]
    return f"{', '.join(before)} and {last}" if before else last


def _varying(measure: Measure) -> list[str]:
    return [name for name, numbers in measure.ranges.items() if len(numbers) > 1]


def _head(measure: Measure) -> str:
    """The head of a column, with what stays the same all the way down."""
    shown = {name: ANY if name in _varying(measure) else numbers[0] for name, numbers in measure.ranges.items()}
    return f"{measure.name}: {measure.words.format(**shown)}"


def _in_a_column(point: Point) -> str:
    """A single number that varies says it all under such a head."""
    varying = _varying(point.measure)
    said = str(point.values[varying[0]]) if len(varying) == 1 else in_words(point)
    return f"{said} ({percent(point)})"
