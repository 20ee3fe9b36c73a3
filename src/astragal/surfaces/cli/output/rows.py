"""Rows and lists of words as text, Markdown or CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill

Rows = Sequence[Sequence[str]]
"""The head first."""
WIDTH, WIDEST_NAME = 80, 24


def as_text(rows: Rows) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.rjust, row, widths)).rstrip() for row in rows)


def as_markdown(rows: Rows) -> str:
    head, *rest = ("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
    return "\n".join((head, "|" + "---:|" * len(rows[0]), *rest))


def as_csv(rows: Rows) -> str:
    """Percentages as bare numbers."""
    import csv
    from io import StringIO

    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows([[cell.removesuffix("%") for cell in row] for row in rows])
    return text.getvalue().rstrip("\n")


def in_two_columns(named: Mapping[str, str], width: int = WIDTH) -> Iterator[str]:
    """Names with a sentence beside each."""
    room = min(max(map(len, named), default=0), WIDEST_NAME) + 4
    for name, words in named.items():
        beside = fill(words, width, initial_indent=" " * room, subsequent_indent=" " * room)
        start = f"  {name}"
        yield start + beside[len(start) :] if len(start) + 1 < room else f"{start}\n{beside}".rstrip()


def wrapped(text: str, width: int) -> str:
    """A text with its lines as they are, but for those that are too long."""
    return "\n".join(line if len(line) <= width else fill(line, width) for line in text.splitlines())
