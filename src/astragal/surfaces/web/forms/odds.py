"""Odds of a roll as its card shows them: one large number, a bar for each spend, and every outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from astragal.chance.odds import in_words
from astragal.chance.pictures import Row, rows
from astragal.surfaces.shared.odds import ladder, reach, reach_words, read_chance
from astragal.table.preview import Preview, Span, against_words
from astragal.table.refusals import Refusal

MOST_OUTCOMES = 12
MOST_BARS = 8
"""Of more spends the first are drawn, and the one that is chosen."""


@dataclass(frozen=True)
class Bar:
    """One case among several: a spend, or a way to answer offers."""

    words: str
    chance: Fraction
    now: bool = False
    is_idle: bool = False

    @property
    def percent(self) -> str:
        return percent(self.chance)

    @property
    def height(self) -> float:
        """Of a hundred."""
        return round(float(self.chance) * 100, 2)


@dataclass(frozen=True)
class Picture:
    """The odds of a roll as they are shown."""

    question: str
    chance: Bar | None = None
    """The chance of what whoever acts hopes for: the likely one, where a number is hidden."""
    span: Span | None = None
    spends: tuple[Bar, ...] = ()
    """By what is spent before the roll: a choice."""
    ahead: tuple[Bar, ...] = ()
    """By what could be spent after it."""
    otherwise: tuple[Bar, ...] = ()
    """The same with something different."""
    outcomes: tuple[Row, ...] = ()
    has_price: bool = False
    """Can points be spent, so that a chance has a price?"""
    wanted: str = ""
    price: str = ""

    @property
    def between(self) -> str:
        """How far the chance can lie, and what the likely one is against."""
        if self.span is None:
            return ""
        return f"{percent(self.span.low)}–{percent(self.span.high)} %, likely {against_words(self.span)}"

    @property
    def best(self) -> Bar | None:
        return self.ahead[-1] if self.ahead else None


def percent(chance: Fraction) -> str:
    """Whole percents, as people say them; next to nothing and next to everything stay what they are."""
    if 0 < chance < Fraction(1, 100):
        return "<1"
    if Fraction(99, 100) < chance < 1:
        return ">99"
    return str(int(chance * 100 + Fraction(1, 2)))


def picture(preview: Preview, spent: int | None, wanted: str = "") -> Picture:
    """The odds of a command with this spend. Where something is hidden, the likely figure and the span around it.

    `wanted` is a chance, as it was chosen, whose price is asked for.
    """
    plain = [case for case in preview.cases if case.otherwise is None]
    now = next((case for case in plain if case.spend == spent), plain[0])
    spends = [
        Bar(str(case.spend), case.success, now=case is now, is_idle=case.is_idle)
        for case in plain
        if case.spend is not None and case.success is not None
    ]
    ahead = [Bar(str(rung.points), rung.chance, now=not rung.points) for rung in preview.after]
    return Picture(
        preview.question,
        chance=Bar("", now.success) if now.success is not None else None,
        span=now.span,
        spends=tuple(_few(spends)) if len(spends) > 1 else (),
        ahead=tuple(_few(ahead)) if len(ahead) > 1 else (),
        otherwise=tuple(Bar(case.variant, case.success) for case in preview.cases if case.variant and case.success),
        outcomes=tuple(rows(in_words(now.odds))[:MOST_OUTCOMES]),
        has_price=len(ladder(preview)) > 1,
        wanted=wanted,
        price=_price(preview, wanted),
    )


def _few(bars: Sequence[Bar]) -> Sequence[Bar]:
    """The first, and what is chosen: of very many spends not all are drawn."""
    return [bar for number, bar in enumerate(bars) if number < MOST_BARS or bar.now]


def _price(preview: Preview, wanted: str) -> str:
    """The price of a chance in a sentence, or what is wrong with the chance."""
    if not wanted.strip():
        return ""
    try:
        return reach_words(preview, reach(preview, read_chance(wanted)))
    except Refusal as refusal:
        return refusal.sentence
