"""Heroes on paper, as every surface can ask for them. SP+01, SP+02."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from astragal.table.creation import Draw, HeroBook, Plain, Repair
from astragal.table.refusals import BadFields, NotAnOption
from astragal.table.seen import plain

from .asked_between_rolls import MakeHero
from .classes import CLASSES
from .heroes.build import Companions, edge_total, pool_total
from .heroes.files import Book, build_of, hero_of, read_hero, repairs
from .heroes.random_heroes import random_hero
from .heroes.samples import SAMPLES
from .options import Options
from .pools import HIGHEST_LEVEL
from .skills import SKILLS

CLASS, LEVEL = "class", "level"
"""What one may wish for in a random hero."""
NAMES = ("Adda", "Corvin", "Elspeth", "Hob", "Marisol", "Osric", "Tamsin", "Wend")


def _book(options: Options) -> Book:
    return Book(CLASSES, SKILLS, Companions(options.pool_array, options.class_edges))


def _read(hero: Plain) -> MakeHero | None:
    try:
        return read_hero(hero)
    except BadFields:
        return None


def _accounts(hero: Plain, _: Options) -> Sequence[str]:
    """SP+01, SP+02: what the level gives, and what is placed of it."""
    found = _read(hero)
    if found is None or not 1 <= found.level <= HIGHEST_LEVEL:
        return []
    build = build_of(found)
    points, edges = sum(build.pools.values()), sum(build.edges.values())
    return [f"{points} of {pool_total(found.level)} points, {edges} of {edge_total(found.level)} steps of Edge"]


def _repairs(hero: Plain, options: Options) -> Sequence[Repair]:
    found = _read(hero)
    return [Repair(what, plain(nearest)) for what, nearest in repairs(found, _book(options))] if found else []


def _random(draw: Draw, wishes: Mapping[str, str], _: Options) -> Plain:
    hero_class, level = wishes.get(CLASS), wishes.get(LEVEL, "1")
    if hero_class is not None and hero_class.casefold() not in CLASSES:
        raise NotAnOption(f"There is no class {hero_class[:40]!r}; there are {', '.join(CLASSES)}.")
    if level not in map(str, range(1, HIGHEST_LEVEL + 1)):
        raise NotAnOption(f"A level is 1 to {HIGHEST_LEVEL}, not {level[:40]!r}.")
    build = random_hero(draw, level=int(level), hero_class=hero_class.casefold() if hero_class else None)
    hero: Plain = plain(hero_of(build, NAMES[draw(len(NAMES))]))
    return hero


HERO_BOOK = HeroBook(
    make="make_hero",
    advance=("raise_level", "train", "wear"),
    samples=lambda _: {hero["name"]: hero for hero in SAMPLES},
    accounts=_accounts,
    repairs=_repairs,
    random=_random,
    wishes={CLASS: "the class", LEVEL: "the level, 1 to 20"},
)
