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


def bars(rows: Sequence[tuple[Row, ...]], title: str = "", names: Sequence[str] = ()) -> Drawing:
    """Draw a bar for each row, with its percent and exact fraction; or two bars to compare, with their names."""
    many = len(rows[0])
    left, head = _names([some[0].words for some in rows]), _head(title) + len(names) * ROW
    most = max(row.chance for some in rows for row in some) or 1
    shapes: list[Shape] = [*_title(title), *_legend(names, _head(title))]
    for number, some in enumerate(rows):
        top = head + number * (ROW + many * GAP)
        base = top + ROW - 8 + many
        shapes.append(Words(left - 8, base, some[0].words, "end"))
        lengths = [float(row.chance / most) * BAR for row in some]
        for place, (long, colour) in enumerate(zip(lengths, COLOURS, strict=False)):
            shapes.append(Box(left, top + place * ROW / many, long, ROW / many + 1 - many, colour))
        figures = (
            " · ".join(row.percent for row in some) if names else f"{some[0].percent}  {some[0].fraction}".rstrip()
        )
        shapes.append(Words(left + max(lengths) + 8, base, figures, style="dim" if names else "plain"))
    likely = max((some[0] for some in rows), key=lambda it: it.chance)
    says = f"{title or 'Odds'}: most likely {likely.words}, {likely.percent}"
    width = max([left + BAR + FIGURES, *(len(name) * LETTER + 4 * MARGIN for name in names)])
    height = head + len(rows) * (ROW + many * GAP) + MARGIN
    return Drawing(_wide(width, title), height, shapes, (title or " and ".join(names)) if names else says)


Curve = tuple[str, str, Mapping[Any, Fraction]]
"""A curve's name, the name of its axis, and its value at each place there, in order."""


def curves(lines: Sequence[Curve], title: str, *, are_chances: bool) -> Drawing:
    """Draw one or two curves over the same width. Each has its own values, listed in a row below."""
    values = [value for *_, points in lines for value in points.values()]
    low, high = (
        (Fraction(0), Fraction(1)) if are_chances else (Fraction(floor(min(values))), Fraction(ceil(max(values))))
    )
    if low == high:
        low, high = low - 1, high + 1
    ticks = [low + (high - low) * Fraction(step, 4) for step in range(5)]
    figures = [percent_words(it, 0) if are_chances else f"{float(it):.4g}" for it in ticks]
    names = [name for name, _, _ in lines]
    left, head = _names(figures), _head(title) + (len(lines) * ROW if len(lines) > 1 else 0) + ROW / 2
    foot = head + HIGH

    def height(value: Fraction) -> float:
        return foot - float((value - low) / (high - low)) * HIGH

    shapes: list[Shape] = [*_title(title), *(_legend(names, _head(title)) if len(lines) > 1 else ())]
    for tick, figure in zip(ticks, figures, strict=True):
        shapes.append(Box(left, height(tick), WIDE, 1, "plain", 0.18))
        shapes.append(Words(left - 8, height(tick) + 4, figure, "end", "dim"))
    below = foot + ROW
    shown: list[tuple[str, list[Any]]] = []
    for (_, over, points), colour in zip(lines, COLOURS, strict=False):
        places = _places(list(points))
        corners = tuple((left + share * WIDE, height(points[it])) for it, share in places.items())
        shapes.append(Line(corners, colour))
        shapes += [Box(x - DOT / 2, y - DOT / 2, DOT, DOT, colour) for x, y in corners]
        if len(lines) == 1 and len(corners) <= FEW_FIGURES:
            told = [percent_words(it, 0) if are_chances else f"{float(it):.3g}" for it in points.values()]
            shapes += [
                Words(x, y - 9 if y > head + 12 else y + 20, it, "middle")
                for it, (x, y) in zip(told, corners, strict=True)
            ]
        if (over, list(points)) not in shown:
            shown.append((over, list(points)))
            shapes += _ticks(over, places, left, below, colour if len(lines) > 1 else "")
            below += 2 * ROW
    ends = "; ".join(_ends(name, over, points, are_chances=are_chances) for name, over, points in lines)
    width = max(left + WIDE + 2 * MARGIN, *(len(name) * LETTER + 4 * MARGIN for name in names))
    return Drawing(_wide(width, title), below, shapes, f"{title}: {ends}")


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
    return Drawing(max(it.width for it in drawings), top, shapes, says)


def _places(values: Sequence[Any]) -> dict[Any, float]:
    """Position of each value, from 0 to 1: numbers by size, anything else in even steps."""
    numbers = all(isinstance(it, int) and not isinstance(it, bool) for it in values) and len(values) > 1
    at = dict(zip(values, values if numbers else range(len(values)), strict=True))
    least, most = min(at.values()), max(at.values())
    return {it: (number - least) / (most - least) if most > least else 0.5 for it, number in at.items()}


def _ticks(over: str, places: Mapping[Any, float], left: float, top: float, colour: str) -> list[Shape]:
    widest = max(len(words(it)) for it in places) * LETTER + 10
    every = -(-len(places) * widest // WIDE)
    shapes: list[Shape] = [
        Words(left + share * WIDE, top, words(it), "middle")
        for number, (it, share) in enumerate(places.items())
        if number % every == 0
    ]
    shapes.append(Words(left + WIDE / 2, top + ROW - 4, over, "middle", "dim"))
    if colour:
        shapes.append(Box(left + WIDE / 2 - len(over) * LETTER / 2 - 18, top + ROW - 14, 10, 10, colour))
    return shapes


def _ends(name: str, over: str, points: Mapping[Any, Fraction], *, are_chances: bool) -> str:
    """A curve's values at both ends, as text for people who can't see it."""
    (first, start), (last, end) = next(iter(points.items())), list(points.items())[-1]
    said = [percent_words(it, 1) if are_chances else f"{float(it):.4g}" for it in (start, end)]
    return f"{name}, {over} {words(first)} {said[0]}, {words(last)} {said[1]}"


def _legend(names: Sequence[str], top: float) -> list[Shape]:
    """Legend with a line for each name."""
    shapes: list[Shape] = []
    for place, (name, colour) in enumerate(zip(names, COLOURS, strict=False)):
        at = top + place * ROW
        shapes += [Box(MARGIN, at, 12, 12, colour), Words(MARGIN + 18, at + 11, name)]
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
    (across_name, columns), (down_name, lines) = across, down
    shown = {
        point: percent_words(value, 0) if are_chances else f"{float(value):.1f}" for point, value in values.items()
    }
    cell = max(CELL, max((len(text) for text in shown.values()), default=1) * LETTER + 10)
    cell = max(cell, *(len(words(it)) * LETTER + 10 for it in columns))
    low, high = min(values.values()), max(values.values())
    left, head = _names([down_name, *map(words, lines)]), _head(title) + 2 * ROW
    shapes: list[Shape] = [*_title(title)]
    shapes.append(Words(left, head - ROW - 8, across_name, style="dim"))
    shapes.append(Words(left - 8, head - 8, down_name, "end", "dim"))
    shapes += [Words(left + (place + 0.5) * cell, head - 8, words(it), "middle") for place, it in enumerate(columns)]
    for row, line in enumerate(lines):
        top = head + row * ROW
        shapes.append(Words(left - 8, top + ROW - 6, words(line), "end"))
        for place, column in enumerate(columns):
            value = values.get((line, column))
            if value is None:  # not known yet
                shapes.append(Words(left + (place + 0.5) * cell, top + ROW - 6, "…", "middle", "dim"))
                continue
            share = 0.08 + 0.62 * float((value - low) / (high - low)) if high > low else 0.35
            shapes.append(Box(left + place * cell, top, cell - 1, ROW - 1, "first", share))
            shapes.append(Words(left + (place + 0.5) * cell, top + ROW - 6, shown[line, column], "middle"))
    return Drawing(_wide(left + cell * len(columns) + MARGIN, title), head + len(lines) * ROW + MARGIN, shapes, title)


def dice(rolled: Sequence[Rolled], title: str) -> Drawing:
    """Draw each die with its face and, below it, its sides; dice that do not count are pale."""
    shown = rolled[:MOST_DICE]
    columns = max(1, min(len(shown), 12))
    shapes: list[Shape] = [*_title(title)]
    head = _head(title)
    for number, die in enumerate(shown):
        x, y = MARGIN + number % columns * (DIE + 8), head + number // columns * (DIE + 22)
        counts = die.fate in (Fate.KEPT, Fate.EXPLODED)
        shapes.append(Box(x, y, DIE, DIE, "first", 0.45 if counts else 0.12))
        shapes.append(Words(x + DIE / 2, y + 22, str(die.face), "middle", "title" if counts else "dropped"))
        shapes.append(Words(x + DIE / 2, y + DIE + 13, f"d{die.sides}", "middle", "dim"))
    left_out = len(rolled) - len(shown)
    lines = -(-len(shown) // columns)
    height = head + lines * (DIE + 22) + (ROW if left_out else 0) + MARGIN / 2
    if left_out:
        shapes.append(Words(MARGIN, height - MARGIN / 2, f"and {left_out:,} more", style="dim"))
    return Drawing(_wide(2 * MARGIN + columns * (DIE + 8), title), height, shapes, title)


def html_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of text as an HTML table; the first row is the header."""
    from html import escape

    head = "".join(f"<th>{escape(cell)}</th>" for cell in rows[0])
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows[1:])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def text_table(rows: Sequence[Sequence[str]], align: Callable[[str, int], str] = str.ljust) -> str:
    """Rows of text as aligned columns for a terminal."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(align, row, widths)).rstrip() for row in rows)


def _names(names: Sequence[str]) -> float:
    return max(map(len, names)) * LETTER + 2 * MARGIN


def _head(title: str) -> float:
    return MARGIN + (ROW if title else 0)


def _title(title: str) -> list[Words]:
    return [Words(MARGIN, MARGIN + 10, title, style="title")] if title else []


def _wide(width: float, title: str) -> float:
    """Widen for the title, whose letters are bold."""
    return max(width, 1.1 * len(title) * LETTER + 2 * MARGIN)
