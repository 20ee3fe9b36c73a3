"""What a command would do, as a picture: one large number, every outcome, and every spend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from astragal.chance import Odds
from astragal.chance.pictures import Row, rows
from astragal.chance.verdicts import in_words
from astragal.table.authoring.chapter import Action
from astragal.table.preview import Case, Preview

MOST_OUTCOMES = 12


@dataclass(frozen=True)
class Bar:
    """One case among several: a spend, a difficulty that it could be, a way to answer offers."""

    words: str
    chance: Fraction
    now: bool = False

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
    outcomes: tuple[Row, ...]
    headline: Bar | None
    """The chance of what whoever acts hopes for."""
    spends: tuple[Bar, ...]
    otherwise: tuple[Bar, ...]
    """The same under other ways to answer what will be offered."""
    by_difficulty: tuple[Bar, ...]


def picture(preview: Preview, action: Action[Any, Any], spent: int | None) -> Picture:
    plain = [case for case in preview.cases if case.policy is None]
    now = _now(plain, spent)
    hidden = tuple(case for case in plain if case.hidden and case.spend == now.spend)
    hopes = None if hidden else _chance(now.odds, action)
    return Picture(
        question=preview.question,
        rule=preview.rule,
        arguments=preview.arguments,
        outcomes=() if hidden else tuple(rows(in_words(now.odds))[:MOST_OUTCOMES]),
        headline=None if hopes is None else Bar("", hopes),
        spends=() if hidden else _spends(plain, action, now),
        otherwise=tuple(
            Bar(case.policy, chance)
            for case in preview.cases
            if case.policy
            and case.spend == now.spend
            and not hidden
            and (chance := _chance(case.odds, action)) is not None
        ),
        by_difficulty=tuple(
            Bar(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in (case.hidden or {}).items()), chance)
            for case in hidden
            if (chance := _chance(case.odds, action)) is not None
        ),
    )


def _now(cases: list[Case], spent: int | None) -> Case:
    return next((case for case in cases if case.spend == spent), cases[0])


def _spends(cases: list[Case], action: Action[Any, Any], now: Case) -> tuple[Bar, ...]:
    bars = (
        Bar(str(case.spend), chance, now=case is now)
        for case in cases
        if case.spend is not None and (chance := _chance(case.odds, action)) is not None
    )
    found = tuple(bars)
    return found if len(found) > 1 else ()


def _chance(odds: Odds[Any], action: Action[Any, Any]) -> Fraction | None:
    if action.hopes is None:
        return None
    hoped = sum(weight for outcome, weight in odds.weights.items() if action.hopes(outcome))
    return Fraction(hoped, odds.total)
