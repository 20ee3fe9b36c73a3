"""Heroes on paper: what a new hero may be, repairs, samples and random ones. SP+01, SP+02."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import permutations
from typing import Any, TypeVar

from astragal.game import (
    BadFields,
    Budget,
    Build,
    Draw,
    HeroBook,
    NotAnOption,
    Number,
    OneOf,
    Plain,
    PointBuy,
    Repair,
    Value,
    field,
    replace,
)
from astragal.rulesets.six_pool.catalogue import CLASSES, SKILLS, HeroClass, Pool, Skill, pool_called
from astragal.rulesets.six_pool.pools import steps_by
from astragal.rulesets.six_pool.rerolls import INSPIRATION, KEEP
from astragal.rulesets.six_pool.state import HIGHEST_LEVEL, MOST_EDGE, Ability, HeroOnPaper, Options
from astragal.table.fields.validation import read
from astragal.table.visibility.redact import plain

T = TypeVar("T")

ARRAY = (18, 15, 12, 12, 10, 10)
"""SP+01: what a hero of level 1 distributes, the first in the primary pool."""
POINTS_A_LEVEL = 3
MOST_IN_A_POOL = 99

# ---------------------------------------------------------------- what a hero may be


class Book(Value, kw_only=False):
    """What a hero is held against: the book's classes and skills, and what the table added or switched off."""

    classes: Mapping[str, HeroClass] = field(default_factory=lambda: CLASSES)
    skills: Mapping[str, Skill] = field(default_factory=lambda: SKILLS)
    pool_array: bool = True
    class_edges: bool = True

    def class_of(self, hero: HeroOnPaper) -> HeroClass | None:
        return self.classes.get(hero.hero_class.strip().casefold())

    def points_for(self, hero: HeroOnPaper) -> PointBuy:
        known = self.class_of(hero)
        primary = known.primary if known else None
        return hero_points(primary, hero.level, pool_array=self.pool_array, class_edges=self.class_edges)


THE_BOOK = Book()


def pool_total(level: int) -> int:
    """SP+01: the six numbers, and three points for each later level."""
    return sum(ARRAY) + POINTS_A_LEVEL * (level - 1)


def least_primary(level: int) -> int:
    """SP+01: the 18, and one point of each later level."""
    return ARRAY[0] + level - 1


def edge_total(level: int) -> int:
    """SP+02: 1 at level 1, one step more at 5, 9, 13 and 17."""
    return 1 + steps_by(level)


@lru_cache(maxsize=256)
def hero_points(primary: Pool | None, level: int, *, pool_array: bool, class_edges: bool) -> PointBuy:
    """SP+01: six numbers and three points a level, one of them in the primary pool. SP+02: steps of Edge, one there."""
    points = pool_total(level) if pool_array else None
    steps = edge_total(level) if class_edges else None
    array = _array(primary) if pool_array and primary else None
    least = {primary: least_primary(level)} if array else {}
    first = {primary: 1} if class_edges else {}
    pools = [Number(pool.value, least.get(pool, 1), MOST_IN_A_POOL, amiss=_pool_amiss) for pool in Pool]
    edges = [
        Number(_edge(pool), first.get(pool, 0), MOST_EDGE, f"Edge in {pool}", amiss=partial(_edge_amiss, pool))
        for pool in Pool
    ]
    return PointBuy(
        (
            Budget(
                key="pools",
                numbers=tuple(pools),
                least=points,
                most=points,
                one_of=array,
                amiss=_points_amiss,
                account=partial(_account, "points"),
            ),
            Budget(
                key="edges",
                numbers=tuple(edges),
                least=steps,
                most=steps,
                amiss=_steps_amiss,
                account=partial(_account, "steps of Edge"),
            ),
        ),
        unknown="there is no pool {!r}".format,
    )


@cache
def _array(primary: Pool) -> OneOf:
    """SP+01: the five other numbers lie on the five other pools in any order; later points come to them."""
    others = [pool for pool in Pool if pool is not primary]

    def amiss(_: Budget, build: Build) -> str:
        numbers = sorted((build.get(pool, 0) for pool in others), reverse=True)
        return f"the other pools, {_listed(numbers)}, must reach {_listed(ARRAY[1:])}, highest to highest"

    orders = sorted(set(permutations(ARRAY[1:])), reverse=True)
    most = [MOST_IN_A_POOL] * len(others)
    versions = [dict(zip(map(str, others), zip(order, most, strict=True), strict=True)) for order in orders]
    return OneOf(tuple(versions), "below_the_array", amiss)


def _pool_amiss(pool: Number, points: int | None) -> str:
    if points is None:
        return f"{pool.key} has no number"
    if 1 < pool.least > points:
        return f"{pool.key} {points} is the primary pool and must be at least {pool.least}"
    return f"{pool.key} {points} can't be: a pool has 1 to {pool.most}"


def _edge_amiss(pool: Pool, edge: Number, steps: int | None) -> str:
    if edge.least and not steps:
        return f"the first step of Edge is in {pool}, the primary pool"
    return f"an Edge of {steps} in {pool} can't be: it goes from 0 to {edge.most}"


def _points_amiss(pools: Budget, build: Build) -> str:
    return f"the pools come to {pools.total(build)}: {_off(pools, build)} (they must come to {pools.most})"


def _steps_amiss(edges: Budget, build: Build) -> str:
    return f"{edges.total(build)} steps of Edge: {_off(edges, build)}"


def _off(budget: Budget, build: Build) -> str:
    over = budget.over(build)
    return f"{over} too many" if over > 0 else f"{-over} too few"


def _account(what: str, budget: Budget, build: Build) -> str:
    there_are = "" if budget.most is None else f" of {budget.most}"
    return f"{budget.total(build)}{there_are} {what}"


def _edge(pool: Pool) -> str:
    return f"edge {pool}"


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


# ---------------------------------------------------------------- heroes as they are sent


def read_hero(raw: Mapping[str, Any]) -> HeroOnPaper:
    """A file's mapping as the command that makes the hero; `BadFields` lists what is no field and no number."""
    return read(HeroOnPaper, raw)


def by_pool(numbers: Mapping[str, int]) -> dict[Pool, int]:
    """Numbers of pools, however the pools are written; what is no pool is left out."""
    return {pool: number for name, number in numbers.items() if (pool := pool_called(name)) is not None}


def _numbers(hero: HeroOnPaper) -> dict[str, int]:
    """The numbers of a hero for its point-buy, with those of pools that are none."""
    edges = by_pool(hero.edges)
    return {
        **dict.fromkeys(_strange_pools(hero), 0),
        **{pool.value: points for pool, points in by_pool(hero.pools).items()},
        **{_edge(pool): edges.get(pool, 0) for pool in Pool},
    }


def _strange_pools(hero: HeroOnPaper) -> list[str]:
    return sorted(name for name in {*hero.pools, *hero.edges} if pool_called(name) is None)


def _strange_skills(hero: HeroOnPaper, book: Book) -> list[str]:
    return [name for name in hero.training if name.casefold() not in book.skills]


def faults(hero: HeroOnPaper, book: Book = THE_BOOK) -> list[str]:
    """Everything that is wrong with a hero, in sentences; nothing for a legal one."""
    known = book.class_of(hero)
    points = book.points_for(hero).faults(_numbers(hero))
    if known is None or any(fault.code == "missing" for fault in points):
        points = [fault for fault in points if fault.code in {"unknown", "missing", "off_the_rails"}]
    return [
        *([] if known else [f"there is no class {hero.hero_class!r}; there are {', '.join(book.classes)}"]),
        *(fault.words for fault in points),
        *(f"there is no skill {name!r}" for name in _strange_skills(hero, book)),
        *ability_faults(hero.abilities),
    ]


def ability_faults(abilities: Sequence[Ability]) -> list[str]:
    """SP-19: a reroll is known by its name, so each needs one of its own."""
    names = [ability.name.casefold() for ability in abilities]
    reserved = [f"an ability can't be called {name!r}" for name in names if name in (INSPIRATION, KEEP)]
    return reserved + [f"two abilities are called {name!r}" for name in sorted({*names}) if names.count(name) > 1]


def repairs(hero: HeroOnPaper, book: Book = THE_BOOK) -> list[tuple[str, HeroOnPaper]]:
    """The nearest legal heroes, each with what changed.

    None where the class is not known or abilities have no names of their own: nobody but the player can say what they
    were meant to be.
    """
    if book.class_of(hero) is None or ability_faults(hero.abilities) or not faults(hero, book):
        return []
    strange = _strange_skills(hero, book)
    training = {name: one for name, one in hero.training.items() if name not in strange}
    left_out = [f"leave out {name!r}" for name in (*_strange_pools(hero), *strange)]
    found = []
    for near in book.points_for(hero).nearest(_numbers(hero)):
        pools = {pool.value: near.build[pool] for pool in Pool}
        edges = {pool.value: edge for pool in Pool if (edge := near.build[_edge(pool)])}
        told = ", ".join([*(change.words for change in near.changes), *left_out])
        found.append((told, replace(hero, pools=pools, edges=edges, training=training)))
    return found


# ---------------------------------------------------------------- random heroes

CLASS, LEVEL = "class", "level"
"""What one may wish for in a random hero."""
NAMES = ("Adda", "Corvin", "Elspeth", "Hob", "Marisol", "Osric", "Tamsin", "Wend")


def random_hero(draw: Draw, *, level: int = 1, hero_class: str | None = None) -> HeroOnPaper:
    """SP+01, SP+02: a class, the numbers shuffled, every later point and step of Edge anywhere it may go."""
    chosen = CLASSES[hero_class] if hero_class else _picked(list(CLASSES.values()), draw)
    left, pools = list(ARRAY[1:]), dict.fromkeys(Pool, ARRAY[0])
    for pool in Pool:
        if pool is not chosen.primary:
            pools[pool] = left.pop(draw(len(left)))
    for _ in range(level - 1):
        for pool in (chosen.primary, *(_picked(list(Pool), draw) for _ in range(POINTS_A_LEVEL - 1))):
            pools[pool] += 1
    edges = {chosen.primary.value: 1}
    for _ in range(edge_total(level) - 1):
        pool = _picked([pool for pool in Pool if edges.get(pool, 0) < MOST_EDGE], draw)
        edges[pool.value] = edges.get(pool, 0) + 1
    by_key = {pool.value: points for pool, points in pools.items()}
    return HeroOnPaper(name=_picked(NAMES, draw), hero_class=chosen.name, level=level, pools=by_key, edges=edges)


def _picked(among: Sequence[T], draw: Draw) -> T:
    return among[draw(len(among))]


# ---------------------------------------------------------------- samples

SAMPLES: tuple[Mapping[str, Any], ...] = (
    {
        "name": "Oda Kestrel",
        "hero_class": "rogue",
        "about": "Salt-Under-Slate, a harbour town where every lock was made by the same dead man, her uncle.",
        "pools": {"STR": 10, "DEX": 18, "CON": 12, "INT": 15, "WIS": 12, "CHA": 10},
        "edges": {"DEX": 1},
        "training": {"lock picking": "expert", "stealth": "trained", "perception": "trained"},
        "armour": 2,
        "abilities": [
            {"name": "light fingers", "uses": 1, "per": "encounter", "rolls": ["check"], "pools": ["DEX"], "up_to": 10}
        ],
    },
    {
        "name": "Brannoc Tull",
        "hero_class": "fighter",
        "about": "The Long Toll, a bridge nine days across; he kept its middle arch until nobody came to relieve him.",
        "pools": {"STR": 18, "DEX": 12, "CON": 15, "INT": 10, "WIS": 12, "CHA": 10},
        "edges": {"STR": 1},
        "training": {"athletics": "trained", "endurance": "trained", "intimidation": "trained"},
        "armour": 6,
        "abilities": [{"name": "old drill", "uses": 1, "per": "encounter", "rolls": ["attack"]}],
    },
    {
        "name": "Ysolde Marr",
        "hero_class": "bard",
        "about": "Court of the Drowned Hours, where the tide decides the season and songs are taken as evidence.",
        "pools": {"STR": 10, "DEX": 12, "CON": 10, "INT": 12, "WIS": 15, "CHA": 18},
        "edges": {"CHA": 1},
        "training": {"persuasion": "trained", "performance": "expert", "insight": "trained"},
        "armour": 1,
        "abilities": [{"name": "second verse", "uses": 1, "per": "day", "pools": ["CHA"]}],
    },
    {
        "name": "Pell of Nine Lamps",
        "hero_class": "wizard",
        "about": "Nine Lamps, a library on stilts above a marsh that answers if one asks it by lamplight.",
        "pools": {"STR": 10, "DEX": 12, "CON": 12, "INT": 18, "WIS": 15, "CHA": 10},
        "edges": {"INT": 1},
        "training": {"arcana": "expert", "history": "trained", "investigation": "trained"},
        "armour": 0,
        "abilities": [{"name": "marginal note", "uses": 2, "per": "day", "rolls": ["check"], "pools": ["INT"]}],
    },
    {
        "name": "Mother Agnes Vole",
        "hero_class": "cleric",
        "level": 5,
        "about": "The Ash Parishes, where chimneys are altars and she has buried three bishops, none of them twice.",
        "pools": {"STR": 10, "DEX": 12, "CON": 15, "INT": 12, "WIS": 24, "CHA": 16},
        "edges": {"WIS": 2},
        "training": {"medicine": "master", "religion": "trained", "persuasion": "trained"},
        "armour": 4,
        "abilities": [{"name": "steady hands", "uses": 1, "per": "day", "pools": ["WIS"]}],
    },
)
"""Heroes to play at once, each with a line about where they come from. All are legal, and all are ours."""


# ---------------------------------------------------------------- for the surfaces


def _read(hero: Plain) -> HeroOnPaper | None:
    try:
        return read_hero(hero)
    except BadFields:
        return None


def _book(options: Options) -> Book:
    return Book(pool_array=options.pool_array, class_edges=options.class_edges)


def _accounts(hero: Plain, options: Options) -> Sequence[str]:
    """SP+01, SP+02: what the level gives, and what is placed of it."""
    found = _read(hero)
    return [", ".join(_book(options).points_for(found).accounts(_numbers(found)))] if found else []


def _repairs(hero: Plain, options: Options) -> Sequence[Repair]:
    found = _read(hero)
    return [Repair(what, plain(nearest)) for what, nearest in repairs(found, _book(options))] if found else []


def _random(draw: Draw, wishes: Mapping[str, str], _: Options) -> Plain:
    hero_class, level = wishes.get(CLASS), wishes.get(LEVEL, "1")
    if hero_class is not None and hero_class.casefold() not in CLASSES:
        raise NotAnOption(f"There is no class {hero_class[:40]!r}; there are {', '.join(CLASSES)}.")
    if level not in map(str, range(1, HIGHEST_LEVEL + 1)):
        raise NotAnOption(f"A level is 1 to {HIGHEST_LEVEL}, not {level[:40]!r}.")
    made = random_hero(draw, level=int(level), hero_class=hero_class.casefold() if hero_class else None)
    hero: Plain = plain(made)
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
