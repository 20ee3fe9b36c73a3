"""Odds of a command as a picture: one large number, every outcome, and every spend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from astragal.chance.pictures import Row, rows
from astragal.chance.verdicts import in_words
from astragal.surfaces.shared.odds import ladder, reach, reach_words, read_chance
from astragal.table.preview import Case, Preview, against_words, chance_words, span_words
from astragal.table.refusals import Refusal

MOST_OUTCOMES = 12
LONGEST_CHANCE = 12
NO_BREAK = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class Bar:
    """One case among several: a spend, a bid, a way to answer offers."""

    words: str
    chance: Fraction
    now: bool = False
    is_idle: bool = False

    @property
    def percent(self) -> str:
        return Row("", self.chance).percent

    @property
    def height(self) -> float:
        """Of a hundred."""
        return round(float(self.chance) * 100, 2)


@dataclass(frozen=True)
class Picture:
    """The odds of a command as they are shown."""

    question: str
    rule: str
    arguments: Mapping[str, Any]
    outcomes: tuple[Row, ...] = ()
    headline: Bar | None = None
    """The chance of what whoever acts hopes for."""
    span: str = ""
    """How far it can lie, where something is hidden."""
    against: str = ""
    """What the outcomes are against then."""
    spends: tuple[Bar, ...] = ()
    otherwise: tuple[Bar, ...] = ()
    """The same under other ways to answer what will be offered, or with something different."""
    after: str = ""
    has_price: bool = False
    """Can points be spent, so that a chance has a price?"""
    wanted: str = ""
    price: str = ""


def picture(preview: Preview, spent: int | None, wanted: str = "") -> Picture:
    """The odds of a command with this spend; where something is hidden, the likely ones and how far they can lie.

    `wanted` is a chance, as it was typed, whose price is asked for.
    """
    plain = [case for case in preview.cases if case.otherwise is None]
    now = next((case for case in plain if case.spend == spent), plain[0])
    spends = tuple(_bars(((str(case.spend), case) for case in plain if case.spend is not None), now))
    others = ((case.otherwise, case) for case in preview.cases if case.otherwise and case.spend == now.spend)
    return Picture(
        preview.question,
        preview.rule,
        preview.arguments,
        outcomes=tuple(rows(in_words(now.odds))[:MOST_OUTCOMES]),
        headline=None if now.success is None else Bar("", now.success),
        span=span_words(now.span) if now.span else "",
        against=against_words(now.span) if now.span else "",
        spends=spends if len(spends) > 1 else (),
        otherwise=tuple(_bars(others)),
        after=_after(preview),
        has_price=len(ladder(preview)) > 1,
        wanted=wanted[:LONGEST_CHANCE],
        price=_price(preview, wanted),
    )


def _after(preview: Preview) -> str:
    """The chance by points that are spent after the roll, in a line."""
    if len(preview.after) < 2:
        return ""
    by_points = ", ".join(f"{rung.points}: {chance_words(rung.chance)}" for rung in preview.after)
    return f"By {preview.points} spent after the roll: {by_points.replace(' %', NO_BREAK + '%')}"


def _price(preview: Preview, wanted: str) -> str:
    """The price of a chance in a sentence, or what is wrong with the chance."""
    if not wanted.strip():
        return ""
    try:
        return reach_words(preview, reach(preview, read_chance(wanted)))
    except Refusal as refusal:
        return refusal.sentence


def _bars(cases: Iterable[tuple[str, Case]], now: Case | None = None) -> Iterator[Bar]:
    return (
        Bar(words, case.success, now=case is now, is_idle=case.is_idle)
        for words, case in cases
        if case.success is not None
    )
