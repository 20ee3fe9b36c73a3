"""Heroes on paper and the book's tables, as every surface can ask for them. NS-01, NS-16."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from astragal.chance import Question, percent
from astragal.table.creation import BookTable, Draw, HeroBook, Plain, Repair
from astragal.table.refusals import NotAnOption

from . import words
from .approaches import TARGETS, approach
from .creation import LEAST, LEGAL, MOST, Spread, nearest_legal, random_spread
from .opposing import opposed_approach
from .prospects import chances_of
from .results import Reached
from .samples import NAMES, SAMPLES
from .sheet import Attribute

BEST = "best"
"""The wish for the attribute that is to be highest, or to share the highest place."""

# ---------------------------------------------------------------- heroes


def _samples(_: Any) -> Mapping[str, Plain]:
    return {sample.hero.name: asdict(sample.hero) for sample in SAMPLES}


def _accounts(hero: Plain, _: Any) -> Sequence[str]:
    """NS-01: what is left of the ten points."""
    given = [hero.get(attribute.value) for attribute in Attribute]
    return [words.account(sum(points for points in given if type(points) is int))]


def _repairs(hero: Plain, _: Any) -> Sequence[Repair]:
    """NS-01: the nearest legal spreads, where there are three numbers to repair."""
    points: list[Any] = [hero.get(attribute.value) for attribute in Attribute]
    if not all(type(one) is int for one in points):
        return []
    return [Repair(words.repair(one), {**hero, **asdict(one.spread)}) for one in nearest_legal(Spread(*points))]


def _random(draw: Draw, wishes: Mapping[str, str], _: Any) -> Plain:
    """NS-01: any legal spread, each as likely as any other; with a wish, any in which that attribute is highest."""
    spread = _best_in(wishes[BEST], draw) if wishes.get(BEST) else random_spread(draw)
    return {"name": NAMES[draw(len(NAMES))], **asdict(spread)}


def _best_in(wish: str, draw: Draw) -> Spread:
    found = [attribute for attribute in Attribute if attribute.value == wish.strip().casefold()]
    if not found:
        raise NotAnOption(f"{wish[:40]!r} is no attribute; there are body, mind and will.")
    fitting = [spread for spread in LEGAL if spread[found[0]] == max(spread[one] for one in Attribute)]
    return fitting[draw(len(fitting))]


HEROES = HeroBook(
    make="make_hero",
    advance=("learn",),
    samples=_samples,
    accounts=_accounts,
    repairs=_repairs,
    random=_random,
    wishes={BEST: "the attribute that is to be highest: body, mind or will"},
)

# ---------------------------------------------------------------- tables


def _chances_to_beat() -> BookTable:
    """NS-17: the chance to beat each of the named targets, in percent."""
    rows = [
        (str(dice), *(_percent(approach(dice, target)) for target in TARGETS.values()))
        for dice in range(LEAST, MOST + 1)
    ]
    return BookTable(words.CHANCES_TO_BEAT, ("dice", *map(words.target_words, TARGETS.values())), tuple(rows))


def _chances_against_another() -> BookTable:
    """NS-06, NS-17: the chance to beat another player, in percent."""
    dice = range(LEAST, MOST + 1)
    rows = [(str(mine), *(_percent(opposed_approach(mine, theirs)) for theirs in dice)) for mine in dice]
    return BookTable(words.CHANCES_AGAINST_ANOTHER, ("dice", *(f"against {theirs}" for theirs in dice)), tuple(rows))


def _percent(question: Question[Reached]) -> str:
    return f"{float(percent(chances_of(question).beat, 1)):.1f}"


TABLES: Mapping[str, Callable[[], BookTable]] = {"targets": _chances_to_beat, "opposed": _chances_against_another}
