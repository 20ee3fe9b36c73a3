"""New heroes: limits, checks and repairs on paper, random heroes, and into the story. SP+01, SP+02."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, partial
from itertools import permutations
from typing import Annotated, TypeAlias

from astragal import game
from astragal.game import Command, Kept, Seen, Value
from astragal.game.fields import Doc, Ge, Label, Le, MaySet, Name, Names, PlayerSeat, Words, field
from astragal.game.heroes import BoughtHeroes, Plain, heroes_in, pick, pick_some, samples_in
from astragal.game.point_buy import Budget, Build, Draw, Fault, Nearest, Number, OneOf, PointBuy
from astragal.game.shared import Entered, entered

from .attacks import weapon_faults
from .catalogue import CLASSES, SKILLS, HeroClass, Pool, Skill, Training, by_pool, pool_called
from .pools import steps_by
from .rerolls import ability_faults
from .state import HIGHEST_LEVEL, MOST_EDGE, Abilities, Call, Kind, Level, Numbers, Options, Sheet, Weapons, all_skills

HEROES = game.Chapter(seen=Seen.ALL)

KEPT_CLASSES = Kept(HEROES, HeroClass, "classes", "hero_class", key="name", book=CLASSES)

ARRAY = (18, 15, 12, 12, 10, 10)
"""SP+01: the numbers that a hero of level 1 distributes; the first goes into the primary pool."""
POINTS_A_LEVEL = 3
MOST_IN_A_POOL = 99

# ---------------------------------------------------------------- a hero on paper

PoolsField: TypeAlias = Annotated[
    Mapping[str, Annotated[int, Ge(0), Le(99)]], Names("pool"), Doc("the most that each pool holds")
]
EdgesField: TypeAlias = Annotated[
    Mapping[str, Annotated[int, Ge(0), Le(MOST_EDGE)]], Names("pool"), Doc("Edge by pool; what is not named has none")
]
TrainingField: TypeAlias = Annotated[
    Mapping[str, Training], Names("skill"), Doc("skills they are trained in, and how well")
]
Armour: TypeAlias = Annotated[int, Ge(0), Le(20), Doc("what armour adds to an Armour Class of 10")]


@HEROES.command("make_hero", may=game.GAME_MASTER_AND_PLAYERS)
class MakeHero(Command):
    """Bring a hero into the story."""

    name: Annotated[Name, Doc("what the hero is called")]
    hero_class: Annotated[Name, Names("hero_class"), Label("class"), Doc("the class, such as fighter or bard")]
    level: Level = 1
    pools: PoolsField = field(default_factory=dict)
    edges: EdgesField = field(default_factory=dict)
    training: TrainingField = field(default_factory=dict)
    armour: Armour = 0
    abilities: Abilities = ()
    weapons: Annotated[Weapons, MaySet.PROPOSAL] = ()
    about: Annotated[Words, Doc("a line about them")] = ""
    seat: Annotated[PlayerSeat, Doc("who plays them, where the game master makes the hero")] = None

    def does(self, call: Call) -> list[Entered[Sheet]]:
        """SP+01, SP+02: an illegal hero is refused with every reason at once, and with the nearest legal hero."""
        state = call.state
        options = state.options
        book = Book(KEPT_CLASSES.known(state), all_skills(state), options.pool_array, options.class_edges)
        HEROES_BY_THE_BOOK.check(self, book)
        hero_class = book.classes[self.hero_class.strip().casefold()]
        sheet = game.copied_into(
            Sheet,
            self,
            kind=Kind.HERO,
            open=Numbers.of(self, hero_class.saves, hero_class.hit_points),
            hero_class=hero_class.name,
            primary=hero_class.primary,
            casting=hero_class.casting,
        )
        return [entered(call, self.name, sheet, self.seat)]


# ---------------------------------------------------------------- what a hero may be


class Book(Value, kw_only=False):
    """Limits of a hero: the book's classes and skills, and what the table added or switched off."""

    classes: Mapping[str, HeroClass] = field(default_factory=lambda: CLASSES)
    skills: Mapping[str, Skill] = field(default_factory=lambda: SKILLS)
    pool_array: bool = True
    class_edges: bool = True

    def class_of(self, hero: MakeHero) -> HeroClass | None:
        return self.classes.get(hero.hero_class.strip().casefold())


def pool_total(level: int) -> int:
    """SP+01: the six numbers, and three points for each later level."""
    return sum(ARRAY) + POINTS_A_LEVEL * (level - 1)


def edge_total(level: int) -> int:
    """SP+02: 1 at level 1, one step more at 5, 9, 13 and 17."""
    return 1 + steps_by(level)


def hero_points(primary: Pool | None, level: int, *, pool_array: bool, class_edges: bool) -> PointBuy:
    """SP+01: six numbers and three points a level, one of them in the primary pool. SP+02: steps of Edge, one there."""
    points = pool_total(level) if pool_array else None
    edge_steps = edge_total(level) if class_edges else None
    array = _array(primary) if pool_array and primary else None
    pools = []
    edges = []
    for pool in Pool:
        least_points = 1
        if array is not None and pool is primary:
            least_points = ARRAY[0] + level - 1  # the 18, and one point of each later level
        pools.append(Number(pool.value, least_points, MOST_IN_A_POOL, amiss=_pool_amiss))
        least_edge = 1 if class_edges and pool is primary else 0
        edge_amiss = partial(_edge_amiss, pool)
        edges.append(Number(_edge(pool), least_edge, MOST_EDGE, f"Edge in {pool}", amiss=edge_amiss))
    pool_budget = Budget(
        key="pools",
        numbers=tuple(pools),
        least=points,
        most=points,
        one_of=array,
        amiss=_sum_amiss,
        account=_account,
    )
    edge_budget = Budget(
        key="edges",
        numbers=tuple(edges),
        least=edge_steps,
        most=edge_steps,
        amiss=_sum_amiss,
        account=_account,
    )
    return PointBuy((pool_budget, edge_budget), unknown="there is no pool {!r}".format)


@cache
def _array(primary: Pool) -> OneOf:
    """SP+01: the five other numbers go into the five other pools in any order; later points are added.

    Cached for each of the six pools: it saves laying out 60 orders for each level that is asked for. It never changes.
    """
    secondary_pools = [pool for pool in Pool if pool is not primary]

    def amiss(_: Budget, build: Build) -> str:
        numbers = sorted((build.get(pool, 0) for pool in secondary_pools), reverse=True)
        present = ", ".join(map(str, numbers))
        required = ", ".join(map(str, ARRAY[1:]))
        return f"the other pools, {present}, must reach {required}, highest to highest"

    rails_by_order = []
    for order in dict.fromkeys(permutations(ARRAY[1:])):
        rails_by_order.append(
            {str(pool): (least, MOST_IN_A_POOL) for pool, least in zip(secondary_pools, order, strict=True)}
        )
    return OneOf(tuple(rails_by_order), "below_the_array", amiss)


def _pool_amiss(pool: Number, points: int | None) -> str:
    if points is None:
        return f"{pool.key} has no number"
    if points in range(1, pool.least):
        return f"{pool.key} {points} is the primary pool and must be at least {pool.least}"
    return f"{pool.key} {points} can't be: a pool has 1 to {pool.most}"


def _edge_amiss(pool: Pool, edge: Number, steps: int | None) -> str:
    if edge.least and not steps:
        return f"the first step of Edge is in {pool}, the primary pool"
    return f"an Edge of {steps} in {pool} can't be: it goes from 0 to {edge.most}"


def _sum_amiss(budget: Budget, build: Build) -> str:
    """Say by how much a sum is too large or too small."""
    total = budget.total(build)
    over = budget.over(build)
    difference = f"{over} too many" if over > 0 else f"{-over} too few"
    if budget.key == "edges":
        return f"{total} steps of Edge: {difference}"
    return f"the pools come to {total}: {difference} (they must come to {budget.most})"


def _account(budget: Budget, build: Build) -> str:
    unit = "steps of Edge" if budget.key == "edges" else "points"
    total = budget.total(build)
    if budget.most is None:
        return f"{total} {unit}"
    return f"{total} of {budget.most} {unit}"


def _edge(pool: Pool) -> str:
    return f"edge {pool}"


# ---------------------------------------------------------------- heroes on paper


class HeroesByTheBook(BoughtHeroes[MakeHero, Book]):
    """Heroes on paper, checked against the book's classes and skills, and what the table added or switched off."""

    def law(self, options: Options) -> Book:
        return Book(pool_array=options.pool_array, class_edges=options.class_edges)

    def points(self, hero: MakeHero, book: Book) -> PointBuy:
        hero_class = book.class_of(hero)
        primary = hero_class.primary if hero_class else None
        return hero_points(primary, hero.level, pool_array=book.pool_array, class_edges=book.class_edges)

    def numbers(self, hero: MakeHero, _: Book) -> Build:
        """Return all numbers of the hero. Names that are no pool are included as 0, to be found as faults."""
        build = dict.fromkeys(_unknown_pools(hero), 0)
        for pool, points in by_pool(hero.pools).items():
            build[pool.value] = points
        edge_by_pool = by_pool(hero.edges)
        for pool in Pool:
            build[_edge(pool)] = edge_by_pool.get(pool, 0)
        return build

    def flaws(self, hero: MakeHero, book: Book) -> Iterator[Fault]:
        """Find faults besides numbers: an unknown class, unknown skills, abilities and weapons that can't be."""
        if book.class_of(hero) is None:
            classes = ", ".join(book.classes)
            yield Fault("no_class", "hero_class", f"there is no class {hero.hero_class!r}; there are {classes}")
        for skill in _unknown_skills(hero, book):
            yield Fault("no_skill", "training", f"there is no skill {skill!r}")
        for sentence in ability_faults(hero.abilities):
            yield Fault("abilities", "abilities", sentence)
        for sentence in weapon_faults(hero.weapons):
            yield Fault("weapons", "weapons", sentence)

    def repairs(self, hero: MakeHero, book: Book) -> list[tuple[str, MakeHero]]:
        """Propose none if the class is unknown, or abilities or weapons have faults: only the player can mend those."""
        if book.class_of(hero) is None or ability_faults(hero.abilities) or weapon_faults(hero.weapons):
            return []
        return super().repairs(hero, book)

    def rebuilt(self, hero: MakeHero, near: Nearest, book: Book) -> tuple[list[str], MakeHero]:
        unknown_skills = _unknown_skills(hero, book)
        changes = [change.words for change in near.changes]
        changes += [f"leave out {name!r}" for name in (*_unknown_pools(hero), *unknown_skills)]
        edges = {}
        for pool in Pool:
            edge = near.build[_edge(pool)]
            if edge:
                edges[pool.value] = edge
        repaired = game.replace(
            hero,
            pools={pool.value: near.build[pool] for pool in Pool},
            edges=edges,
            training={name: training for name, training in hero.training.items() if name not in unknown_skills},
        )
        return changes, repaired


def _unknown_pools(hero: MakeHero) -> list[str]:
    names = {*hero.pools, *hero.edges}
    return sorted(name for name in names if pool_called(name) is None)


def _unknown_skills(hero: MakeHero, book: Book) -> list[str]:
    return [name for name in hero.training if name.casefold() not in book.skills]


HEROES_BY_THE_BOOK = HeroesByTheBook(MakeHero)

# ---------------------------------------------------------------- random heroes


def random_hero(draw: Draw, *, level: int, hero_class: str | None = None) -> Plain:
    """SP+01, SP+02: draw a class, shuffle the numbers, and put every later point and step of Edge anywhere it may go.

    SP-06: trained in three skills, two of them of the primary pool.
    """
    drawn_class = CLASSES[hero_class] if hero_class else pick(draw, list(CLASSES.values()))
    primary = drawn_class.primary
    secondary_pools = [pool for pool in Pool if pool is not primary]
    numbers = pick_some(draw, ARRAY[1:], len(secondary_pools))
    pools = {primary: ARRAY[0], **dict(zip(secondary_pools, numbers, strict=True))}
    for _ in range(level - 1):
        pools[primary] += 1
        for _ in range(POINTS_A_LEVEL - 1):
            pools[pick(draw, list(Pool))] += 1

    edges = Counter([primary])
    for _ in range(edge_total(level) - 1):
        with_room = [pool for pool in Pool if edges[pool] < MOST_EDGE]
        edges[pick(draw, with_room)] += 1
    return {
        "name": pick(draw, heroes_in(__package__)["names"]),
        "hero_class": drawn_class.name,
        "level": level,
        "pools": {pool.value: pools[pool] for pool in Pool},
        "edges": {pool.value: edge for pool, edge in edges.items()},
        "training": dict.fromkeys(_random_skills(draw, primary), Training.TRAINED.value),
    }


def _random_skills(draw: Draw, primary: Pool) -> list[str]:
    skills_of_primary = [name for name, skill in SKILLS.items() if skill.pool is primary]
    further_skills = [name for name in SKILLS if name not in skills_of_primary]
    return [*pick_some(draw, skills_of_primary, 2), pick(draw, further_skills)]


def _random(draw: Draw, wishes: Mapping[str, str], _: Options) -> Plain:
    hero_class = wishes.get("class")
    if hero_class is not None:
        hero_class = hero_class.casefold()
        if hero_class not in CLASSES:
            raise game.NotAnOption(f"There is no class {wishes['class'][:40]!r}; there are {', '.join(CLASSES)}.")
    level = wishes.get("level", "1")
    if level not in map(str, range(1, HIGHEST_LEVEL + 1)):
        raise game.NotAnOption(f"A level is 1 to {HIGHEST_LEVEL}, not {level[:40]!r}.")
    return random_hero(draw, level=int(level), hero_class=hero_class)


HERO_BOOK = HEROES_BY_THE_BOOK.book(
    make="make_hero",
    advance=("raise_level", "train", "wear"),
    samples=samples_in(__package__),
    random=_random,
    wishes={"class": "the hero’s class", "level": "the hero’s level"},
    wish_choices=lambda _: {
        "class": {name: name.capitalize() for name in CLASSES},
        "level": {str(level): str(level) for level in range(1, HIGHEST_LEVEL + 1)},
    },
    unwished={"level": "1"},
)
