"""Charts: bars of odds, two odds on one chart, a heat map over a grid, dice on a table."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

from .dice import Fate, Rolled
from .drawings import LETTER, Box, Drawing, Line, Shape, Words
from .pictures import Row, percent_words, words

ROW, GAP, MARGIN, BAR, FIGURES = 22, 4, 16, 320, 150
CELL, DIE = 44, 34
WIDE, HIGH, DOT = 480, 240, 7
"""Size of the field in which curves are drawn, and of a point on a curve."""
COLOURS = ("first", "second")
FEW_FIGURES = 14
"""A single curve with up to this many points shows their figures."""
MOST_DICE = 60
DICE_IN_A_ROW = 12


def bars(rows: Sequence[tuple[Row, ...]], title: str = "", names: Sequence[str] = ()) -> Drawing:
    """Draw a bar for each row, with its percent and exact fraction; or two bars to compare, with their names."""
    bars_per_row = len(rows[0])
    row_height = ROW + bars_per_row * GAP
    left = _label_width([row[0].words for row in rows])
    head = _head(title) + len(names) * ROW
    longest = max(bar.chance for row in rows for bar in row) or 1

    shapes: list[Shape] = [*_title(title), *_legend(names, _head(title))]
    for number, row in enumerate(rows):
        top = head + number * row_height
        baseline = top + ROW - 8 + bars_per_row
        shapes.append(Words(left - 8, baseline, row[0].words, "end"))
        lengths = [float(bar.chance / longest) * BAR for bar in row]
        for place, (length, colour) in enumerate(zip(lengths, COLOURS, strict=False)):
            bar_top = top + place * ROW / bars_per_row
            bar_height = ROW / bars_per_row + 1 - bars_per_row
            shapes.append(Box(left, bar_top, length, bar_height, colour))
        shapes.append(_figures(row, left + max(lengths) + 8, baseline, compared=bool(names)))

    widths = [left + BAR + FIGURES, *(_legend_width(name) for name in names)]
    height = head + len(rows) * row_height + MARGIN
    if names:
        description = title or " and ".join(names)
    else:
        likeliest = max([row[0] for row in rows], key=lambda bar: bar.chance)
        description = f"{title or 'Odds'}: most likely {likeliest.words}, {likeliest.percent}"
    return Drawing(_wide(max(widths), title), height, shapes, description)


def _figures(row: tuple[Row, ...], x: float, baseline: float, *, compared: bool) -> Words:
    """Write the figures behind the bars of a row: a percent for each if they are compared, else also the fraction."""
    if compared:
        return Words(x, baseline, " · ".join([bar.percent for bar in row]), style="dim")
    return Words(x, baseline, f"{row[0].percent}  {row[0].fraction}".rstrip())


Curve = tuple[str, str, Mapping[Any, Fraction]]
"""A curve's name, the name of its axis, and its value at each place there, in order."""


def curves(lines: Sequence[Curve], title: str, *, are_chances: bool) -> Drawing:
    """Draw one or two curves over the same width. Each has its own values, listed in a row below."""
    is_single = len(lines) == 1
    low, high = _value_range(lines, are_chances=are_chances)
    ticks = [low + (high - low) * Fraction(step, 4) for step in range(5)]
    tick_labels = [percent_words(tick, 0) if are_chances else f"{float(tick):.4g}" for tick in ticks]
    names = [name for name, _, _ in lines]
    left = _label_width(tick_labels)
    legend_height = 0 if is_single else len(lines) * ROW
    head = _head(title) + legend_height + ROW / 2
    foot = head + HIGH

    def height(value: Fraction) -> float:
        return foot - float((value - low) / (high - low)) * HIGH

    shapes: list[Shape] = [*_title(title)]
    if not is_single:
        shapes += _legend(names, _head(title))
    for tick, label in zip(ticks, tick_labels, strict=True):
        shapes.append(Box(left, height(tick), WIDE, 1, "plain", 0.18))
        shapes.append(Words(left - 8, height(tick) + 4, label, "end", "dim"))

    axis_top = foot + ROW
    drawn_axes: list[tuple[str, list[Any]]] = []
    for (_, axis_name, values), colour in zip(lines, COLOURS, strict=False):
        position_by_place = _positions(list(values))
        corners: list[tuple[float, float]] = []
        for place, position in position_by_place.items():
            corners.append((left + position * WIDE, height(values[place])))
        shapes.append(Line(tuple(corners), colour))
        for x, y in corners:
            shapes.append(Box(x - DOT / 2, y - DOT / 2, DOT, DOT, colour))
        if is_single and len(corners) <= FEW_FIGURES:
            for value, (x, y) in zip(values.values(), corners, strict=True):
                figure = percent_words(value, 0) if are_chances else f"{float(value):.3g}"
                has_room_above = y > head + 12
                shapes.append(Words(x, y - 9 if has_room_above else y + 20, figure, "middle"))
        axis = (axis_name, list(values))
        if axis not in drawn_axes:
            drawn_axes.append(axis)
            shapes += _axis(axis_name, position_by_place, left, axis_top, "" if is_single else colour)
            axis_top += 2 * ROW

    ends = [_ends(name, axis_name, values, are_chances=are_chances) for name, axis_name, values in lines]
    widths = [left + WIDE + 2 * MARGIN, *(_legend_width(name) for name in names)]
    return Drawing(_wide(max(widths), title), axis_top, shapes, f"{title}: {'; '.join(ends)}")


def _value_range(lines: Sequence[Curve], *, are_chances: bool) -> tuple[Fraction, Fraction]:
    """Return the lowest and the highest value of the field: 0 and 1 for chances, else whole numbers around them all."""
    if are_chances:
        return Fraction(0), Fraction(1)
    all_values = [value for *_, values in lines for value in values.values()]
    low = Fraction(floor(min(all_values)))
    high = Fraction(ceil(max(all_values)))
    if low == high:
        return low - 1, high + 1
    return low, high


def stacked(drawings: Sequence[Drawing], says: str) -> Drawing:
    """Stack drawings below each other."""
    shapes: list[Shape] = []
    top = 0.0
    for drawing in drawings:
        for shape in drawing.shapes:
            if isinstance(shape, Line):
                shapes.append(shape._replace(points=tuple((x, y + top) for x, y in shape.points)))
            else:
                shapes.append(shape._replace(y=shape.y + top))
        top += drawing.height
    return Drawing(max(drawing.width for drawing in drawings), top, shapes, says)


def _positions(places: Sequence[Any]) -> dict[Any, float]:
    """Position of each place on an axis, from 0 to 1: numbers by size, anything else in even steps."""
    are_numbers = all(isinstance(place, int) and not isinstance(place, bool) for place in places)
    if are_numbers and len(places) > 1:
        number_by_place = dict(zip(places, places, strict=True))
    else:
        number_by_place = {place: number for number, place in enumerate(places)}
    least = min(number_by_place.values())
    most = max(number_by_place.values())
    if most == least:
        return dict.fromkeys(number_by_place, 0.5)
    return {place: (number - least) / (most - least) for place, number in number_by_place.items()}


def _axis(name: str, position_by_place: Mapping[Any, float], left: float, top: float, colour: str) -> list[Shape]:
    """Draw an axis: the labels of as many places as fit, and its name, with a patch of the curve's colour if any."""
    label_width = max(len(words(place)) for place in position_by_place) * LETTER + 10
    places_per_label = ceil(len(position_by_place) * label_width / WIDE)
    shapes: list[Shape] = []
    for number, (place, position) in enumerate(position_by_place.items()):
        if number % places_per_label == 0:
            shapes.append(Words(left + position * WIDE, top, words(place), "middle"))
    middle = left + WIDE / 2
    shapes.append(Words(middle, top + ROW - 4, name, "middle", "dim"))
    if colour:
        shapes.append(Box(middle - len(name) * LETTER / 2 - 18, top + ROW - 14, 10, 10, colour))
    return shapes


def _ends(name: str, axis_name: str, values: Mapping[Any, Fraction], *, are_chances: bool) -> str:
    """A curve's values at both ends, as text for people who can't see it."""
    ends: list[str] = []
    points = list(values.items())
    for place, value in (points[0], points[-1]):
        figure = percent_words(value, 1) if are_chances else f"{float(value):.4g}"
        ends.append(f"{words(place)} {figure}")
    return f"{name}, {axis_name} {', '.join(ends)}"


def _legend(names: Sequence[str], top: float) -> list[Shape]:
    """Legend with a line for each name."""
    shapes: list[Shape] = []
    for place, (name, colour) in enumerate(zip(names, COLOURS, strict=False)):
        line_top = top + place * ROW
        shapes.append(Box(MARGIN, line_top, 12, 12, colour))
        shapes.append(Words(MARGIN + 18, line_top + 11, name))
    return shapes


def heat_map(
    across: tuple[str, Sequence[Any]],
    down: tuple[str, Sequence[Any]],
    values: Mapping[tuple[Any, Any], Fraction],
    title: str,
    *,
    are_chances: bool,
) -> Drawing:
    """Draw a cell for each point: the larger its value, the darker, scaled to the values that are there."""
    across_name, columns = across
    down_name, lines = down
    figure_by_point: dict[tuple[Any, Any], str] = {}
    for point, value in values.items():
        figure_by_point[point] = percent_words(value, 0) if are_chances else f"{float(value):.1f}"
    cell_texts = [*figure_by_point.values(), *map(words, columns)]
    cell = max([CELL, *(len(text) * LETTER + 10 for text in cell_texts)])
    low = min(values.values())
    high = max(values.values())
    left = _label_width([down_name, *map(words, lines)])
    head = _head(title) + 2 * ROW

    shapes: list[Shape] = [*_title(title)]
    shapes.append(Words(left, head - ROW - 8, across_name, style="dim"))
    shapes.append(Words(left - 8, head - 8, down_name, "end", "dim"))
    for place, column in enumerate(columns):
        shapes.append(Words(left + (place + 0.5) * cell, head - 8, words(column), "middle"))
    for number, line in enumerate(lines):
        top = head + number * ROW
        baseline = top + ROW - 6
        shapes.append(Words(left - 8, baseline, words(line), "end"))
        for place, column in enumerate(columns):
            middle = left + (place + 0.5) * cell
            point = (line, column)
            if point not in values:  # not calculated yet
                shapes.append(Words(middle, baseline, "…", "middle", "dim"))
                continue
            darkness = 0.35
            if high > low:
                darkness = 0.08 + 0.62 * float((values[point] - low) / (high - low))
            shapes.append(Box(left + place * cell, top, cell - 1, ROW - 1, "first", darkness))
            shapes.append(Words(middle, baseline, figure_by_point[point], "middle"))
    width = left + cell * len(columns) + MARGIN
    return Drawing(_wide(width, title), head + len(lines) * ROW + MARGIN, shapes, title)


def dice(rolled: Sequence[Rolled], title: str) -> Drawing:
    """Draw each die with its face and, below it, its sides; dice that do not count are pale."""
    drawn_dice = rolled[:MOST_DICE]
    columns = max(1, min(len(drawn_dice), DICE_IN_A_ROW))
    head = _head(title)
    shapes: list[Shape] = [*_title(title)]
    for number, die in enumerate(drawn_dice):
        line, column = divmod(number, columns)
        x = MARGIN + column * (DIE + 8)
        y = head + line * (DIE + 22)
        counts = die.fate in (Fate.KEPT, Fate.EXPLODED)
        shapes.append(Box(x, y, DIE, DIE, "first", 0.45 if counts else 0.12))
        shapes.append(Words(x + DIE / 2, y + 22, str(die.face), "middle", "title" if counts else "dropped"))
        shapes.append(Words(x + DIE / 2, y + DIE + 13, f"d{die.sides}", "middle", "dim"))
    undrawn = len(rolled) - len(drawn_dice)
    lines = ceil(len(drawn_dice) / columns)
    height = head + lines * (DIE + 22) + (ROW if undrawn else 0) + MARGIN / 2
    if undrawn:
        shapes.append(Words(MARGIN, height - MARGIN / 2, f"and {undrawn:,} more", style="dim"))
    return Drawing(_wide(2 * MARGIN + columns * (DIE + 8), title), height, shapes, title)


def html_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of text as an HTML table; the first row is the header."""
    from html import escape

    head = "".join([f"<th>{escape(cell)}</th>" for cell in rows[0]])
    body = ""
    for row in rows[1:]:
        cells = "".join([f"<td>{escape(cell)}</td>" for cell in row])
        body += f"<tr>{cells}</tr>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def text_table(rows: Sequence[Sequence[str]], align: Callable[[str, int], str] = str.ljust) -> str:
    """Rows of text as aligned columns for a terminal."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines: list[str] = []
    for row in rows:
        cells = map(align, row, widths)
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _label_width(labels: Sequence[str]) -> float:
    """Width of the column of labels at the left of a chart."""
    return max(map(len, labels)) * LETTER + 2 * MARGIN


def _legend_width(name: str) -> float:
    """Width of a name in the legend, with its patch of colour."""
    return len(name) * LETTER + 4 * MARGIN


def _head(title: str) -> float:
    """Height above a chart: its margin, and the title if it has one."""
    return MARGIN + (ROW if title else 0)


def _title(title: str) -> list[Words]:
    return [Words(MARGIN, MARGIN + 10, title, style="title")] if title else []


def _wide(width: float, title: str) -> float:
    """Widen for the title, whose letters are bold."""
    return max(width, 1.1 * len(title) * LETTER + 2 * MARGIN)
