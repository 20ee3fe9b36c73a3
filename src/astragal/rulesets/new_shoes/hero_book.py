"""Heroes on paper, as every surface can ask for them. NS-01."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from astragal.table.creation import Draw, HeroBook, Plain, Repair
from astragal.table.refusals import NotAnOption

from . import words
from .creation import LEGAL, Spread, nearest_legal, random_spread
from .samples import NAMES, SAMPLES
from .sheet import Attribute

BEST = "best"
"""The wish for the attribute that is to be highest, or to share the highest place."""


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
