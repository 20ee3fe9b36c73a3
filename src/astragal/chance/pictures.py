"""Renderings of odds: percent, text bars, Markdown, CSV, JSON, a terminal table, pictures.

Bars and the terminal's table merge outcomes where there would be too many rows; the others have a row for each outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from itertools import accumulate, count
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from astragal.fields import field_names

if TYPE_CHECKING:
    from rich.table import Table

    from .drawings import Drawing


def percent(chance: Fraction, digits: int = 0) -> Fraction:
    """A chance in percent, rounded half to even.

    >>> from fractions import Fraction
    >>> from astragal import percent
    >>> percent(Fraction(1, 3)), float(percent(Fraction(1, 3), digits=2))
    (Fraction(33, 1), 33.33)
    """
    return Fraction(round(chance * 100, digits))


class Picture:
    """Base class of values that render themselves: in a notebook, as SVG text, as the bytes of a PNG."""

    __slots__ = ()

    def drawing(self, title: str = "") -> Drawing:
        """The drawing to render."""
        raise NotImplementedError

    def svg(self, title: str = "") -> str:
        """The picture as the text of an SVG file, light or dark as the reader prefers.

        >>> from astragal import d6, odds
        >>> odds(2 @ d6).svg("2d6")[:60]
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 536 346"'
        """
        from .drawings import svg

        return svg(self.drawing(title))

    def png(self, title: str = "", *, dark: bool = False) -> bytes:
        """The picture as the bytes of a PNG file. Needs the extra `lab`.

        >>> from astragal import d6, odds
        >>> odds(2 @ d6).png("2d6")[1:4]
        b'PNG'
        """
        from .drawings import png

        return png(self.drawing(title), dark=dark)

    def _repr_html_(self) -> str:
        from .drawings import svg

        return svg(self.drawing(), in_a_page=True)


WIDTH = 80
MOST_ROWS = 40
"""A distribution over more numbers has its thin ends merged, and is shown in bands if that is not enough."""
THIN = Fraction(1, 200)
"""Each merged end is at most this likely."""
LONGEST_FRACTION = 13
"""A fraction with more characters is not shown beside a bar."""
EIGHTHS = " ▏▎▍▌▋▊▉"
MOST_DIGITS_AT_ONCE = 4_000
"""Python refuses to write out longer numbers in one go."""


class Weighted(Protocol):
    """Protocol of outcomes with weights, in order: anything that can be drawn."""

    @property
    def total(self) -> int: ...
    @property
    def open_end(self) -> Any: ...
    def __iter__(self) -> Iterator[tuple[Any, int]]: ...


class Row(NamedTuple):
    """One outcome, or several merged ones, as text, with its chance."""

    words: str
    chance: Fraction

    @property
    def percent(self) -> str:
        """The percent, to two decimals below 1% and above 99%, else to one."""
        digits = 1 if Fraction(1, 100) <= self.chance <= Fraction(99, 100) or self.chance in (0, 1) else 2
        return percent_words(self.chance, digits)

    @property
    def fraction(self) -> str:
        """The exact fraction, or nothing if it is trivial or too long to read."""
        return "" if self.chance in (0, 1) else short_fraction(self.chance)


def percent_words(chance: Fraction, digits: int) -> str:
    """A chance in percent. It reads 0 or 100 only if it is exactly that."""
    shown = f"{float(percent(chance, digits)):.{digits}f}"
    least = f"{10**-digits:.{digits}f}" if digits else "1"
    if chance and not float(shown):
        return f"<{least}%"
    most = f"{100 - 10**-digits:.{digits}f}"
    return f">{most}%" if chance < 1 and float(shown) == 100 else f"{shown}%"


def bars(odds: Weighted, width: int = WIDTH) -> str:
    """Draw a line of text for each outcome: its name, its percent, a bar, the exact fraction."""
    shown = gathered(odds)
    most = max(row.chance for row in shown)
    name = min(max(len(row.words) for row in shown), width // 2)
    shares = max(len(row.percent) for row in shown)
    fractions = max(len(row.fraction) for row in shown)
    room = max(width - name - shares - fractions - 4, 5)
    lines = []
    for row in shown:
        said = _plain(row.words)
        said = said if len(said) <= name else said[: name - 1] + "…"
        full, eighths = divmod(round(row.chance / most * room * 8), 8)
        bar = ("█" * full + EIGHTHS[eighths]).rstrip() or ("▏" if row.chance else "")
        lines.append(f"{said.rjust(name)}  {row.percent.rjust(shares)} {bar.ljust(room)} {row.fraction}".rstrip())
    return "\n".join(lines)


def rich_table(odds: Weighted) -> Table:
    """The same bars as a table for a terminal with colours."""
    from rich.bar import Bar
    from rich.table import Table
    from rich.text import Text

    shown = gathered(odds)
    most = float(max(row.chance for row in shown))
    table = Table(box=None, show_header=False, padding=(0, 1), expand=True)
    for column in ("bold", "cyan", "", "dim"):
        ratio = None if column else 1
        table.add_column(style=column, justify="right" if column in ("bold", "cyan") else "left", ratio=ratio)
    for row in shown:
        bar = Bar(most, 0, float(row.chance), color="green")
        table.add_row(Text(_plain(row.words)), row.percent, bar, row.fraction)
    return table


def markdown(odds: Weighted) -> str:
    lines = ["| outcome | percent | exactly |", "|---:|---:|---:|"]
    for row in rows(odds):
        said = _plain(row.words).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
        lines.append(f"| {said} | {row.percent} | {_whole_fraction(row.chance)} |")
    return "\n".join(lines)


def csv(odds: Weighted) -> str:
    found = ((row.words, _number(row), _whole_fraction(row.chance)) for row in rows(odds))
    return csv_text((("outcome", "percent", "exactly"), *found))


def csv_text(rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV; the first row is the header."""
    import csv as csv_format
    from io import StringIO

    text = StringIO()
    csv_format.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def json(odds: Weighted) -> str:
    """JSON with the total and each outcome in order: the exact chance as a string, the percent as a number."""
    import json as json_format

    outcomes = [
        {"outcome": row.words, "exactly": _whole_fraction(row.chance), "percent": _number(row)} for row in rows(odds)
    ]
    return json_format.dumps({"total": _digits(odds.total), "outcomes": outcomes}, ensure_ascii=False)


def rows(odds: Weighted) -> list[Row]:
    """A row for each outcome, in order."""
    return [Row(words(outcome, odds.open_end), Fraction(weight, odds.total)) for outcome, weight in odds]


def gathered(odds: Weighted) -> list[Row]:
    """Rows with the thin ends of many numbers merged into "≤ x" and "≥ y", and the rest into even bands."""
    weights = dict(odds)
    return [
        Row(said, Fraction(sum(weights[outcome] for outcome in outcomes), odds.total)) for said, outcomes in bands(odds)
    ]


def bands(odds: Weighted) -> list[tuple[str, list[Any]]]:
    """Group outcomes that share a row, with the name of the row."""
    outcomes = [outcome for outcome, _ in odds]
    names = [words(outcome, odds.open_end) for outcome in outcomes]
    if len(outcomes) <= MOST_ROWS or not all(isinstance(outcome, int) for outcome in outcomes):
        return [(name, [outcome]) for name, outcome in zip(names, outcomes, strict=True)]
    weights, thin = [weight for _, weight in odds], int(odds.total * THIN)
    below, above = _thin_end(weights, thin), _thin_end(reversed(weights), thin)
    round_numbers = (leading * 10**zeros for zeros in count() for leading in (1, 2, 5))
    band = next(size for size in round_numbers if size * MOST_ROWS >= len(weights) - below - above)
    start, end = (below if below > band else 0), len(weights) - (above if above > band else 0)
    found = [(f"≤ {names[start - 1]}", outcomes[:start])] if start else []
    for first in range(start, end, band):
        last = min(first + band, end)
        name = names[first] if last == first + 1 else f"{names[first]} to {names[last - 1]}"
        found.append((name, outcomes[first:last]))
    if end < len(outcomes):
        found.append((f"≥ {outcomes[end]}", outcomes[end:]))
    return found


def words(outcome: Any, open_end: Any = None) -> str:
    """An outcome as people would say it."""
    if isinstance(outcome, bool):
        return "yes" if outcome else "no"
    if isinstance(outcome, Enum):
        return words(outcome.value)
    if open_end is not None and outcome == open_end:
        return f"{outcome}+"
    return str(outcome)


def verdict_words(verdict: Any) -> str:
    """Describe a composite value part by part, without parts that are None; of a tuple, each value."""
    parts = own_parts(verdict)
    if parts is None:
        return ", ".join(map(verdict_words, verdict)) if isinstance(verdict, tuple) else words(verdict)
    said = [_part_words(name, value) for name, value in parts.items() if value is not None]
    return ", ".join(said) or "nothing"


def own_parts(verdict: Any) -> Mapping[str, Any] | None:
    if isinstance(verdict, type):
        return None
    if names := field_names(type(verdict)):
        return {name: getattr(verdict, name) for name in names}
    if isinstance(verdict, tuple) and hasattr(verdict, "_asdict"):
        found: Mapping[str, Any] = verdict._asdict()
        return found
    return None


def _part_words(name: str, value: Any) -> str:
    label = name.replace("_", " ")
    if isinstance(value, bool):
        return label if value else f"no {label}"
    if isinstance(value, Enum):
        return words(value)
    inner = verdict_words(value)
    return f"{label} ({inner})" if own_parts(value) is not None else f"{label} {inner}"


def short_fraction(value: Fraction) -> str:
    """An exact fraction, or an empty string if it is too long to read."""
    if max(abs(value.numerator), value.denominator).bit_length() > 4 * LONGEST_FRACTION:
        return ""
    text = str(value)
    return text if len(text) <= LONGEST_FRACTION else ""


def _thin_end(weights: Iterable[int], thin: int) -> int:
    return next(place for place, weight in enumerate(accumulate(weights)) if weight > thin)


def _plain(text: str) -> str:
    """Text on one line, without control characters that move the cursor."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _number(row: Row) -> float:
    """The percent to six decimals, rounded half to even like `percent`, but fast enough for a hundred thousand rows."""
    scaled, rest = divmod(row.chance.numerator * 10**8, row.chance.denominator)
    half = 2 * rest - row.chance.denominator
    return (scaled + (half > 0 or (half == 0 and scaled % 2))) / 10**6


def _whole_fraction(chance: Fraction) -> str:
    whole = _digits(chance.numerator)
    return whole if chance.denominator == 1 else f"{whole}/{_digits(chance.denominator)}"


def _digits(number: int) -> str:
    """Write out a number, however long."""
    groups: list[str] = []
    while number >= 10**MOST_DIGITS_AT_ONCE:
        number, group = divmod(number, 10**MOST_DIGITS_AT_ONCE)
        groups.append(f"{group:0{MOST_DIGITS_AT_ONCE}}")
    return str(number) + "".join(reversed(groups))
