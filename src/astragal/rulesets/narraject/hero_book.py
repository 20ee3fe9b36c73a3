"""Heroes on paper, as every surface can ask for them. NJ-16, NJ+01."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from astragal.table.creation import Draw, HeroBook, Plain, Repair
from astragal.table.refusals import BadFields
from astragal.table.seen import plain

from .accounts import HeroFile, accounts, read_hero
from .building_words import accounts_words, repair_words
from .heroes import frame_at
from .options import Options
from .random_heroes import random_hero
from .repairs import nearest_legal
from .samples import SAMPLES


def _samples(_: Options) -> Mapping[str, Plain]:
    return {hero.name: plain(hero) for hero in SAMPLES}


def _read(hero: Plain) -> HeroFile | None:
    """What a file holds, once it can be read; whose hero it is stands beside it."""
    try:
        return read_hero({key: value for key, value in hero.items() if key != "seat"})
    except BadFields:
        return None


def _accounts(hero: Plain, options: Options) -> Sequence[str]:
    """NJ+01, NJ-16: points given, Anchors, and what the Rule of Balance asks for."""
    found = _read(hero)
    return [accounts_words(accounts(found, frame_at(options)))] if found else []


def _repairs(hero: Plain, options: Options) -> Sequence[Repair]:
    found = _read(hero)
    if found is None:
        return []
    return [Repair(repair_words(one), {**hero, **plain(one.hero)}) for one in nearest_legal(found, frame_at(options))]


def _random(draw: Draw, _: Mapping[str, str], options: Options) -> Plain:
    hero: Plain = plain(random_hero(frame_at(options), draw))
    return hero


HERO_BOOK = HeroBook(
    make="make_hero",
    advance=("award_points", "buy_anchor", "raise_anchor", "ease_burden", "raise_stat"),
    samples=_samples,
    accounts=_accounts,
    repairs=_repairs,
    random=_random,
)
