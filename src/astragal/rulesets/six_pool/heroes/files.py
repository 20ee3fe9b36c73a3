"""Heroes from a file: a plain mapping, read, checked, and told all that is wrong with it at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from astragal.rulesets.six_pool.asked_between_rolls import MakeHero
from astragal.rulesets.six_pool.classes import CLASSES, HeroClass
from astragal.rulesets.six_pool.pools import Pool, pool_called
from astragal.rulesets.six_pool.proficiency import Training
from astragal.rulesets.six_pool.sheet import Ability
from astragal.rulesets.six_pool.skills import SKILLS, Skill
from astragal.rulesets.six_pool.trial.rerolls import INSPIRATION, KEEP
from astragal.table.validation import read
from astragal.values import frozen

from .build import ALL_COMPANIONS, Build, Companions, Numbered, why_illegal
from .reasons import reason_words, repair_words
from .repairs import nearest_legal


@frozen
class Book:
    """What a hero is held against: the book's classes and skills, and what the table added or switched off."""

    classes: Mapping[str, HeroClass]
    skills: Mapping[str, Skill]
    companions: Companions = ALL_COMPANIONS


THE_BOOK = Book(CLASSES, SKILLS)


def read_hero(raw: Mapping[str, Any]) -> MakeHero:
    """A file's mapping as the command that makes the hero; `BadFields` lists what is no field and no number."""
    return read(MakeHero, raw)


def hero_of(build: Build, name: str, training: Mapping[str, Training] | None = None) -> MakeHero:
    """A finished draft or a random build as the command that makes the hero."""
    return MakeHero(
        name=name,
        hero_class=build.hero_class,
        level=build.level,
        pools=_plain(build.pools),
        edges=_plain(build.edges),
        training=dict(training or {}),
    )


def build_of(hero: MakeHero) -> Build:
    return Build(hero.hero_class.strip().casefold(), hero.level, _by_pool(hero.pools), _by_pool(hero.edges))


def faults(hero: MakeHero, book: Book = THE_BOOK) -> tuple[str, ...]:
    """Everything that is wrong with a hero, in sentences; nothing for a legal one."""
    named = {*hero.pools, *hero.edges}
    strange = [f"there is no pool {name!r}" for name in sorted(named) if pool_called(name) is None]
    strange += [f"there is no skill {name!r}" for name in hero.training if name.casefold() not in book.skills]
    strange += ability_faults(hero.abilities)
    build = build_of(hero)
    return (*strange, *map(reason_words, why_illegal(build, book.companions, book.classes)))


def ability_faults(abilities: Sequence[Ability]) -> list[str]:
    """SP-19: a reroll is known by its name, so each needs one of its own."""
    names = [ability.name.casefold() for ability in abilities]
    reserved = [f"an ability can't be called {name!r}" for name in names if name in (INSPIRATION, KEEP)]
    return reserved + [f"two abilities are called {name!r}" for name in sorted({*names}) if names.count(name) > 1]


def repairs(hero: MakeHero, book: Book = THE_BOOK) -> tuple[tuple[str, MakeHero], ...]:
    """The nearest legal heroes, each with what changed. None where class or level is not known."""
    build = build_of(hero)
    if build.hero_class not in book.classes or not 1 <= build.level <= 20:
        return ()
    found = nearest_legal(build, book.companions, book.classes)
    return tuple((repair_words(one), _with(hero, one.build, book)) for one in found)


def _with(hero: MakeHero, build: Build, book: Book) -> MakeHero:
    training = {name: one for name, one in hero.training.items() if name.casefold() in book.skills}
    return replace(hero, pools=_plain(build.pools), edges=_plain(build.edges), training=training)


def _plain(numbers: Numbered) -> dict[str, int]:
    return {pool.value: numbers[pool] for pool in Pool if pool in numbers}


def _by_pool(numbers: Mapping[str, int]) -> Numbered:
    return {pool: number for name, number in numbers.items() if (pool := pool_called(name)) is not None}
