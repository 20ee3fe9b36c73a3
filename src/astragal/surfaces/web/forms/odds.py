"""Odds of a roll as its card shows them: one large number, a bar for each spend, and every outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from astragal.chance.pictures import Row, rows
from astragal.chance.verdicts import in_words
from astragal.table.preview import Case, Preview

MOST_OUTCOMES = 12
MOST_BARS = 12
MOST_AHEAD = 5
"""Points that could be spent after the roll: so many bars besides the first are drawn."""


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
class Span:
    """The chances that a hidden number leaves open, from the worst to the best."""

    least: Fraction
    most: Fraction

    @property
    def words(self) -> str:
        return f"{percent(self.least)}–{percent(self.most)} %"


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


def picture(preview: Preview, spent: int | None) -> Picture:
    """The odds of a command with this spend. Under a hidden number, a likely figure and the span around it."""
    plain = [case for case in preview.cases if case.otherwise is None]
    now = next((case for case in plain if case.spend == spent), plain[0])
    by_spend = {case.spend: [one for one in plain if one.spend == case.spend] for case in plain}
    own = [one.success for one in by_spend[now.spend] if one.success is not None]
    chances = {spend: _likely(cases) for spend, cases in by_spend.items()}
    spends = [
        Bar(str(spend), chance, now=spend == now.spend, is_idle=by_spend[spend][0].is_idle)
        for spend, chance in chances.items()
        if spend is not None and chance is not None
    ]
    hidden = bool(now.hidden)
    variants = (case for case in preview.cases if case.variant)
    return Picture(
        preview.question,
        chance=Bar("", chance) if (chance := chances[now.spend]) is not None else None,
        span=Span(min(own), max(own)) if hidden and own else None,
        spends=tuple(_few(spends)) if len(spends) > 1 else (),
        ahead=tuple(Bar(str(points), one, now=not points) for points, one in enumerate(preview.ahead)),
        otherwise=tuple(_bars(variants)),
        outcomes=() if hidden else tuple(rows(in_words(now.odds))[:MOST_OUTCOMES]),
    )


def _likely(cases: Sequence[Case]) -> Fraction | None:
    """The mean over all that a hidden number could be; it knows nothing of what it is."""
    found = [case.success for case in cases if case.success is not None]
    return sum(found, Fraction(0)) / len(found) if found else None


def _few(bars: Sequence[Bar]) -> Sequence[Bar]:
    """The first, and what is chosen: of very many spends not all are drawn."""
    return [bar for number, bar in enumerate(bars) if number < MOST_BARS or bar.now]


def _bars(cases: Iterable[Case]) -> Iterator[Bar]:
    return (Bar(case.variant or "", case.success) for case in cases if case.success is not None)
