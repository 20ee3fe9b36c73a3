"""A ruleset's furniture, laid out in lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap
from typing import Any

from astragal.table.authoring.display import Choices, DiceRow, Hand, Piece, Pips, Score, Tags, Track

MOST_PIPS = 20
WIDTH = 80
GAP = "   "
"""Between two scores."""


def lines_of(
    pieces: Sequence[Piece], terms: Callable[[str], str], width: int = WIDTH, *, brief: bool = False
) -> Iterator[str]:
    """Scores stand side by side; everything else has lines of its own. In brief, without what can be chosen from."""
    yield from _side_by_side(
        [f"{terms(piece.label)} {piece.value}" for piece in pieces if isinstance(piece, Score)], width
    )
    for piece in pieces:
        if not isinstance(piece, Score) and not (brief and isinstance(piece, Choices)):
            for line in _lines(piece, terms):
                yield from _within(line, width)


def _side_by_side(scores: Sequence[str], width: int) -> Iterator[str]:
    """As many in a line as there is room for, none of them broken."""
    line = ""
    for score in scores:
        if line and len(line) + len(GAP) + len(score) > width:
            yield line
            line = ""
        line = f"{line}{GAP}{score}" if line else score
    if line:
        yield line


def _lines(piece: Piece, terms: Callable[[str], str]) -> Iterator[str]:
    match piece:
        case Pips(label, now, most, doc):
            yield f"{terms(label)} {_pips(now, most)}{f' ({doc})' if doc else ''}"
        case Track(label, now, steps):
            at = f": {steps[now]}" if 0 <= now < len(steps) else ""
            yield f"{terms(label)} {_pips(now, len(steps) - 1)}{at}"
        case DiceRow(label, dice, sides, most):
            yield f"{terms(label)} {dice}d{sides}{'' if most is None else f' of {most}'}"
        case Tags(label, words):
            yield f"{terms(label)}: {', '.join(map(terms, words)) or 'none'}"
        case Hand(label, parts):
            yield f"{terms(label)} {sum(count for _, count in parts)}: {_sum(parts)}"
        case Choices(label, rows):
            yield f"{terms(label)}:"
            yield from (f"  {name}: {words}" for name, words in rows)
        case _:
            yield str(piece)


def _pips(now: Any, most: Any) -> str:
    if not (isinstance(now, int) and isinstance(most, int)):
        return "unknown"
    shown = f"{now}/{most}"
    return f"{'●' * now}{'○' * max(most - now, 0)} {shown}" if 0 <= now <= most <= MOST_PIPS else shown


def _sum(parts: Sequence[tuple[str, int]]) -> str:
    return " ".join(f"{count:+d} {name}" for name, count in parts)


def _within(line: str, width: int) -> list[str]:
    start = len(line) - len(line.lstrip())
    return wrap(line.strip(), width, initial_indent=" " * start, subsequent_indent=" " * (start + 2))
