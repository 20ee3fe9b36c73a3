"""Odds of dice that somebody writes down, while they are written: a chart, the mean, and the usual range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from astragal.chance import ChanceError
from astragal.chance.pictures import percent_words
from astragal.table.chapters.free_dice import dice_written
from astragal.table.refusals import Refusal

DICE = (4, 6, 8, 10, 12, 20, 100)
MOST_BARS = 31
"""More outcomes than these are drawn together, several to a bar."""
LONGEST = 200


@dataclass(frozen=True)
class OddsBar:
    """One outcome, or several that lie beside each other."""

    words: str
    percent: str
    height: float
    """Of the tallest, out of a hundred."""


@dataclass(frozen=True)
class WrittenOdds:
    """The odds of a notation, or what is wrong with it."""

    notation: str = ""
    explained: str = ""
    mean: str = ""
    half: str = ""
    bars: tuple[OddsBar, ...] = ()
    fault: str = ""


def written_odds(notation: str) -> WrittenOdds:
    try:
        expression = dice_written(notation[:LONGEST])
    except Refusal as refusal:
        return WrittenOdds(fault=refusal.sentence)
    said = WrittenOdds(str(expression), expression.explained())
    try:
        found = expression.odds()
        weights: Mapping[int, int] = found.weights
        low, high = (found.quantile(Fraction(part, 4)) for part in (1, 3))
        return WrittenOdds(
            said.notation,
            said.explained,
            f"{float(expression.mean()):.3g}",
            f"half of all rolls {low} to {high}" if low != high else "",
            _bars(weights, found.total),
        )
    except ChanceError:  # too much to count, or no end
        return said


def _bars(weights: Mapping[int, int], total: int) -> tuple[OddsBar, ...]:
    first, last = min(weights), max(weights)
    step = -(-(last - first + 1) // MOST_BARS)
    starts = range(first, last + 1, step)
    sums = [sum(weights.get(value, 0) for value in range(start, start + step)) for start in starts]
    tallest = max(sums)
    return tuple(
        OddsBar(
            str(start) if step == 1 else f"{start}–{min(start + step - 1, last)}",
            percent_words(Fraction(weight, total), 1),
            round(100 * weight / tallest, 2),
        )
        for start, weight in zip(starts, sums, strict=True)
    )
