"""People: heroes and others enter the story, and heroes grow; classes of a table's own. SP+01, SP+02."""

from __future__ import annotations

from typing import Annotated

from astragal.game import (
    GAME_MASTER_AND_PLAYERS,
    Chapter,
    Command,
    Entered,
    Event,
    Fact,
    Introduced,
    Kept,
    NameOfFoe,
    Nature,
    Refusal,
    Seen,
    Teller,
    WhichFoe,
    entered,
    field,
    from_setting,
    introduced,
    replace,
)
from astragal.game.fields import CharacterId, Doc, Ge, Le, Name, Names, Whose, Words

from .attacks import check_weapons
from .building import HEROES_BY_THE_BOOK, POINTS_A_LEVEL, Book, ability_faults, by_pool
from .catalogue import CASTING, CLASSES, HeroClass, Pool, Training, pool_called
from .pools import steps_by
from .state import (
    HIGHEST_LEVEL,
    MOST_EDGE,
    Abilities,
    Armour,
    Call,
    EdgesField,
    HeroOnPaper,
    Kind,
    Level,
    Numbers,
    Points,
    PoolsField,
    Sheet,
    State,
    TrainingField,
    Weapons,
    find_skill,
    known_skills,
)

PEOPLE = Chapter(seen=Seen.ALL)

KEPT_CLASSES = Kept(PEOPLE, HeroClass, "classes", "hero_class", key="name", book=CLASSES)


def numbers_of(asked: MakeHero | MakeNpc, saves: tuple[Pool, ...], sturdiness: int) -> Numbers:
    """The numbers of somebody new, however pools and skills are written: every pool is full."""
    mosts, edges = by_pool(asked.pools), by_pool(asked.edges)
    return Numbers(
        level=asked.level,
        pools={
            pool: Points(most=mosts[pool], now=mosts[pool], edge=edges.get(pool, 0)) for pool in Pool if pool in mosts
        },
        training={name.strip().casefold(): one for name, one in asked.training.items()},
        saves=saves,
        armour=asked.armour,
        sturdiness=sturdiness,
    )


def check_casting(pool: Pool | None) -> None:
    """SP-08: spells come from INT, WIS or CHA."""
    if pool is not None and pool not in CASTING:
        raise Refusal(f"Spells come from {', '.join(CASTING)}, not {pool}.", code="other_pool")


# ---------------------------------------------------------------- heroes


@PEOPLE.command("make_hero", may=GAME_MASTER_AND_PLAYERS)
class MakeHero(HeroOnPaper):
    """Bring a hero into the story."""

    def does(self, call: Call) -> list[Entered[Sheet]]:
        """SP+01, SP+02: refused with every reason at once, and with the nearest hero that would be legal."""
        state, options = call.state, call.state.options
        book = Book(KEPT_CLASSES.known(state), known_skills(state), options.pool_array, options.class_edges)
        HEROES_BY_THE_BOOK.check(self, book)
        hero_class = book.classes[self.hero_class.strip().casefold()]
        sheet = Sheet(
            kind=Kind.HERO,
            hero_class=hero_class.name,
            primary=hero_class.primary,
            casting=hero_class.casting,
            abilities=self.abilities,
            weapons=self.weapons,
            open=numbers_of(self, hero_class.saves, hero_class.hit_points),
            about=self.about,
        )
        return [entered(call, self.name, sheet, self.seat)]


# ---------------------------------------------------------------- everyone else


@PEOPLE.command("make_npc")
class MakeNpc(Command):
    """Bring somebody of the game master's into the story. They have no pools unless given some."""

    name: NameOfFoe = ""
    foe: WhichFoe = None
    level: Level = 1
    pools: PoolsField = field(default_factory=dict)
    edges: EdgesField = field(default_factory=dict)
    training: TrainingField = field(default_factory=dict)
    saves: Annotated[tuple[Pool, ...], Doc("saves they are proficient in")] = ()
    casting: Annotated[Pool | None, Doc("the pool of their spells")] = None
    armour: Armour = 0
    hit_points: Annotated[int, Ge(1), Le(999), Doc("their hit points, before CON")] = 10
    abilities: Abilities = ()
    weapons: Weapons = ()
    open: Annotated[bool, Doc("whether everyone may read their numbers")] = False
    about: Annotated[Words, Doc("a line about them")] = ""

    def does(self, call: Call) -> list[Introduced[Sheet]]:
        return from_setting(call, self).brought_in(call)

    def brought_in(self, call: Call) -> list[Introduced[Sheet]]:
        """SP-13: no pools unless they are given some. SP-08, SP-19: spells, weapons and abilities are by the book."""
        check_casting(self.casting)
        check_weapons(self.weapons)
        if wrong := ability_faults(self.abilities):
            raise Refusal("; ".join(wrong) + ".", code="abilities")
        for name in self.training:
            find_skill(call.state, name)
        strange = [name for name in {*self.pools, *self.edges} if pool_called(name) is None]
        if strange:
            raise Refusal(f"There is no pool {strange[0][:20]!r}; there are {', '.join(Pool)}.", code="no_pool")
        numbers = numbers_of(self, self.saves, self.hit_points)
        sheet = Sheet(
            kind=Kind.NPC,
            casting=self.casting,
            abilities=self.abilities,
            weapons=self.weapons,
            open=numbers if self.open else None,
            closed=None if self.open else numbers,
            about=self.about,
        )
        return [introduced(call, self.name, sheet)]


@PEOPLE.event("numbers_opened", nature=Nature.LASTING, says="{who}'s numbers are open to all")
class NumbersOpened(Event):
    """Everyone may read somebody's numbers."""

    who: CharacterId
    numbers: Numbers

    def fold(self, state: State) -> State:
        """Opened for good; what has changed since, in another branch, is not."""
        if self.who not in state.characters:
            return state
        return state.changed(self.who, open=state.find(self.who).sheet.numbers, closed=None)


@PEOPLE.command("open_numbers")
class OpenNumbers(Command):
    """Let everyone read somebody's numbers."""

    who: Annotated[CharacterId, Doc("whose")]

    def does(self, call: Call) -> list[NumbersOpened]:
        who = call.state.find(self.who)
        if not who.sheet.is_closed:
            raise Refusal(f"Everyone can read {who.name}'s numbers already.", code="no_change")
        return [NumbersOpened(who=who.id, numbers=who.sheet.numbers)]


# ---------------------------------------------------------------- growing


@PEOPLE.event("level_raised", owner="who")
class LevelRaised(Event):
    """SP+01, SP+02: a level more, with its points and its Edge."""

    who: CharacterId
    level: int
    points: tuple[Pool, ...]
    edge: Pool | None

    def says(self, teller: Teller) -> str:
        points = ", ".join(f"+1 {teller.term(pool.value)}" for pool in self.points)
        edge = f", {teller.term('Edge')} in {teller.term(self.edge.value)}" if self.edge else ""
        return f"{teller.name(self.who)} reaches level {self.level}: {points or 'no points'}{edge}"

    def fold(self, state: State) -> State:
        sheet = state.find(self.who).sheet
        numbers = sheet.numbers
        for pool in self.points:
            held = numbers.pool(pool)
            numbers = numbers.with_points(pool, replace(held, most=held.most + 1, now=held.now + 1))
        if self.edge is not None:
            held = numbers.pool(self.edge)
            numbers = numbers.with_points(self.edge, replace(held, edge=held.edge + 1))
        return state.with_sheet(self.who, sheet.with_numbers(level=self.level, pools=numbers.pools))


@PEOPLE.command("raise_level")
class RaiseLevel(Command):
    """Raise a hero by a level: three points, one of them in the primary pool."""

    who: Annotated[CharacterId, Doc("who")]
    points: Annotated[tuple[Pool, ...], Doc("the pools of the three points; one may be named twice")] = ()
    edge: Annotated[Pool | None, Doc("where the new step of Edge goes, at 5, 9, 13 and 17")] = None

    def does(self, call: Call) -> list[LevelRaised]:
        """SP+01: three points, one of them in the primary pool. SP+02: a step of Edge at 5, 9, 13 and 17."""
        who = call.state.find(self.who)
        numbers, primary, options = who.sheet.numbers, who.sheet.primary, call.state.options
        level = numbers.level + 1
        if level > HIGHEST_LEVEL:
            raise Refusal(f"{who.name} has reached level {HIGHEST_LEVEL}.", code="highest_level")
        if options.pool_array and len(self.points) != POINTS_A_LEVEL:
            raise Refusal(f"A level gives {POINTS_A_LEVEL} points, not {len(self.points)}.", code="level_points")
        if options.pool_array and primary not in self.points:
            raise Refusal(f"One of the points goes into {primary}, the primary pool.", code="level_points")
        if options.class_edges and (steps_by(level) > steps_by(numbers.level)) != (self.edge is not None):
            due = "a new step of Edge: say where it goes" if self.edge is None else "no new step of Edge"
            raise Refusal(f"Level {level} gives {due}.", code="level_edge")
        if self.edge is not None and numbers.pool(self.edge).edge >= MOST_EDGE:
            raise Refusal(f"{who.name} has Edge {MOST_EDGE} in {self.edge} already.", code="level_edge")
        return [LevelRaised(who=who.id, level=level, points=self.points, edge=self.edge)]


@PEOPLE.event("trained", owner="who", says="{who} is {training} in {skill}")
class Trained(Event):
    """Somebody's training in a skill changed."""

    who: CharacterId
    skill: str
    training: Training

    def fold(self, state: State) -> State:
        sheet = state.find(self.who).sheet
        training = {**sheet.numbers.training, self.skill: self.training}
        return state.with_sheet(self.who, sheet.with_numbers(training=training))


@PEOPLE.command("train")
class Train(Command):
    """Say how well somebody is trained in a skill."""

    who: Annotated[CharacterId, Doc("who")]
    skill: Annotated[Name, Names("skill"), Doc("the skill")]
    training: Annotated[Training, Doc("how well")] = Training.TRAINED

    def does(self, call: Call) -> list[Trained]:
        who, skill = call.state.find(self.who), find_skill(call.state, self.skill)
        return [Trained(who=who.id, skill=skill.trained_by, training=self.training)]


@PEOPLE.fact("wear", told="armour_changed", actor="who", owner="who", says="{who} changes armour")
class Wear(Fact):
    """Put armour on, or take it off."""

    who: Annotated[CharacterId, Doc("who")]
    armour: Annotated[Armour, Seen.OWNER, Whose.PROPOSAL]

    def fold(self, state: State) -> State:
        return state.with_sheet(self.who, state.find(self.who).sheet.with_numbers(armour=self.armour))


# ---------------------------------------------------------------- classes


@KEPT_CLASSES.put("class_added", nature=Nature.LASTING)
class ClassAdded(Event):
    """The table's book has a class more."""

    hero_class: HeroClass

    def says(self, teller: Teller) -> str:
        return f"a class of this table: {self.hero_class.name} ({teller.term(self.hero_class.primary.value)})"


@PEOPLE.command("add_class")
class AddClass(Command):
    """Add a class to the table's book."""

    name: Annotated[Name, Doc("what it is called")]
    primary: Annotated[Pool, Doc("its primary pool")]
    hit_points: Annotated[int, Ge(1), Le(40), Doc("its hit points, before CON")] = 10
    saves: Annotated[tuple[Pool, ...], Doc("saves it is proficient in")] = ()
    casting: Annotated[Pool | None, Doc("the pool of its spells")] = None

    def does(self, call: Call) -> list[ClassAdded]:
        """SP+02, SP-08: classes are data; their spells, too, come from INT, WIS or CHA."""
        check_casting(self.casting)
        KEPT_CLASSES.check_free(call, self.name)
        return [ClassAdded(hero_class=KEPT_CLASSES.new(call, self, name=self.name.strip().casefold()))]
