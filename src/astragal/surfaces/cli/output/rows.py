"""Rows of words, a head first, as text, Markdown or CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO

Rows = Sequence[Sequence[str]]


def as_text(rows: Rows) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.rjust, row, widths)).rstrip() for row in rows)


def as_markdown(rows: Rows) -> str:
    head, *rest = ("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
    return "\n".join((head, "|" + "---:|" * len(rows[0]), *rest))


def as_csv(rows: Rows) -> str:
    """Percentages as bare numbers."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows([[cell.removesuffix("%") for cell in row] for row in rows])
    return text.getvalue().rstrip("\n")
