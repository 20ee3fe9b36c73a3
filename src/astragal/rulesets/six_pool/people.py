"""NPCs, classes of a table's own, and growing: levels, training, armour. SP-08, SP-13, SP+01, SP+02."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Self

from astragal.game import Chapter, Character, Command, Event, Fact, Nature, Refusal, Seen, Teller, copied_into, replace
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, MaySet, Name, Names, OfPlayers, Seldom, Words, field
from astragal.game.shared import BringIn

from .attacks import check_weapons
from .catalogue import CASTING, HeroClass, Pool, Training, by_pool
from .heroes import KEPT_CLASSES, POINTS_A_LEVEL, Armour, EdgesField, PoolsField, TrainingField
from .pools import check_pools, steps_by
from .rerolls import ability_faults
from .state import HIGHEST_LEVEL, MOST_EDGE, Abilities, Call, Kind, Level, Numbers, Sheet, Weapons, find_skill

PEOPLE = Chapter(seen=Seen.ALL)


def check_casting(pool: Pool | None) -> None:
    """SP-08: spells come from INT, WIS or CHA."""
    if pool is not None and pool not in CASTING:
        raise Refusal(f"Spells come from {', '.join(CASTING)}, not {pool}.", code="other_pool")


@PEOPLE.command("make_npc")
class MakeNpc(BringIn):
    """Bring in somebody whom the game master plays. They have no pools unless given some."""

    level: Level = 1
    pools: Annotated[PoolsField, Seldom()] = field(default_factory=dict)
    edges: Annotated[EdgesField, Seldom()] = field(default_factory=dict)
    training: Annotated[TrainingField, Seldom()] = field(default_factory=dict)
    saves: Annotated[tuple[Pool, ...], Doc("saves they are proficient in"), Seldom()] = ()
    casting: Annotated[Pool | None, Doc("the pool of their spells"), Seldom()] = None
    armour: Armour = 0
    hit_points: Annotated[int, Ge(1), Le(999), Doc("their hit points, before CON")] = 10
    abilities: Annotated[Abilities, Seldom()] = ()
    weapons: Annotated[Weapons, Seldom()] = ()
    open: Annotated[bool, Label("open to players"), Doc("whether everyone may read their numbers")] = False
    about: Annotated[Words, Doc("a line about them")] = ""

    def sheet(self, call: Call) -> Sheet:
        """SP-13: no pools unless they are given some. SP-08, SP-19: check spells, weapons and abilities."""
        check_casting(self.casting)
        check_weapons(self.weapons)
        faults = ability_faults(self.abilities)
        if faults:
            raise Refusal(f"{'; '.join(faults)}.", code="abilities")
        for skill in self.training:
            find_skill(call.state, skill)
        check_pools((*self.pools, *self.edges))
        numbers = Numbers.of(self, self.saves, self.hit_points)
        return copied_into(
            Sheet,
            self,
            kind=Kind.NPC,
            open=numbers if self.open else None,
            closed=None if self.open else numbers,
        )


@PEOPLE.event("numbers_opened", nature=Nature.LASTING, says="{who}'s numbers are open to all")
class NumbersOpened(Event):
    who: CharacterId
    numbers: Numbers

    def changes(self, sheet: Sheet) -> Sheet:
        """Open the sheet's own numbers: the opening survives a rewind, but changes that were undone do not."""
        return replace(sheet, open=sheet.numbers, closed=None)


@PEOPLE.command("open_numbers")
class OpenNumbers(Command):
    """Let everyone read somebody's numbers."""

    who: Annotated[CharacterId, Doc("whose")]

    def does(self, call: Call) -> list[NumbersOpened]:
        who = call.state.find(self.who)
        if not who.sheet.is_closed:
            raise Refusal(f"Everyone can read {who.name}'s numbers already.", code="no_change")
        return [NumbersOpened(who=who.id, numbers=who.sheet.numbers)]


@KEPT_CLASSES.put(
    "class_added", nature=Nature.LASTING, says="a class of this table: {hero_class.name} ({hero_class.primary})"
)
class ClassAdded(Event):
    hero_class: HeroClass


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
        return [ClassAdded(hero_class=KEPT_CLASSES.new(call, self))]


# ---------------------------------------------------------------- growing


@PEOPLE.event("level_raised")
class LevelRaised(Event):
    """SP+01, SP+02: a hero rose by a level, with its points and its Edge."""

    who: CharacterId
    level: int
    points: tuple[Pool, ...]
    edge: Pool | None

    def says(self, teller: Teller) -> str:
        gains = []
        for pool, number in Counter(self.points).items():
            gains.append(f"+{number} {teller.term(pool)}")
        points = ", ".join(gains) or "no points"
        line = f"{teller.name(self.who)} reaches level {self.level}: {points}"
        if self.edge:
            line += f", {teller.term('Edge')} in {teller.term(self.edge.value)}"
        return line

    def changes(self, sheet: Sheet) -> Sheet:
        numbers = sheet.numbers
        for pool in self.points:
            held = numbers.pool(pool)
            raised = replace(held, most=held.most + 1, now=held.now + 1)
            numbers = numbers.with_points(pool, raised)
        if self.edge is not None:
            held = numbers.pool(self.edge)
            raised = replace(held, edge=held.edge + 1)
            numbers = numbers.with_points(self.edge, raised)
        return sheet.with_numbers(level=self.level, pools=numbers.pools)


@PEOPLE.command("raise_level")
class RaiseLevel(Command):
    """Raise a hero by a level: three points, one of them in the primary pool."""

    who: Annotated[CharacterId, OfPlayers(), Doc("who")]
    points: Annotated[
        Mapping[str, Annotated[int, Ge(1), Le(99)]], Names("pool"), Doc("how many of the three go into each pool")
    ] = {}
    edge: Annotated[Pool | None, Doc("where the new step of Edge goes, at 5, 9, 13 and 17")] = None

    def does(self, call: Call) -> list[LevelRaised]:
        """SP+01: three points, one of them in the primary pool. SP+02: a step of Edge at 5, 9, 13 and 17."""
        who = call.state.find(self.who)
        numbers = who.sheet.numbers
        options = call.state.options
        level = numbers.level + 1
        check_pools(self.points)
        if level > HIGHEST_LEVEL:
            raise Refusal(f"{who.name} has reached level {HIGHEST_LEVEL}.", code="highest_level")
        points = tuple(Counter(by_pool(self.points)).elements())
        if options.pool_array:
            self.check_level_points(who, points)
        if options.class_edges:
            gains_edge = steps_by(level) > steps_by(numbers.level)
            if gains_edge and self.edge is None:
                raise Refusal(f"Level {level} gives a new step of Edge: say where it goes.", code="level_edge")
            if self.edge is not None and not gains_edge:
                raise Refusal(f"Level {level} gives no new step of Edge.", code="level_edge")
        if self.edge is not None and numbers.pool(self.edge).edge >= MOST_EDGE:
            raise Refusal(f"{who.name} has Edge {MOST_EDGE} in {self.edge} already.", code="level_edge")
        return [LevelRaised(who=who.id, level=level, points=points, edge=self.edge)]

    def check_level_points(self, who: Character[Sheet], points: tuple[Pool, ...]) -> None:
        """SP+01: refuse another number than three, or three without one in the primary pool."""
        if len(points) != POINTS_A_LEVEL:
            raise Refusal(f"A level gives {POINTS_A_LEVEL} points, not {len(points)}.", code="level_points")
        primary = who.sheet.primary
        if primary not in points:
            raise Refusal(f"One of the points goes into {primary}, the primary pool.", code="level_points")


@PEOPLE.fact("train", told="trained", says="{who} is {training} in {skill}")
class Train(Fact):
    """Say how well somebody is trained in a skill."""

    who: Annotated[CharacterId, Doc("who")]
    skill: Annotated[Name, Names("skill"), Doc("the skill")]
    training: Annotated[Training, Doc("how well")] = Training.TRAINED

    def check(self, call: Call) -> Self:
        call.state.find(self.who)
        return replace(self, skill=find_skill(call.state, self.skill).trained_by)

    def changes(self, sheet: Sheet) -> Sheet:
        return sheet.with_numbers(training={**sheet.numbers.training, self.skill: self.training})


@PEOPLE.fact("wear", title="Wear armour", told="armour_changed", actor="who", says="{who} changes armour")
class Wear(Fact):
    """Put armour on, or take it off."""

    who: Annotated[CharacterId, Doc("who")]
    armour: Annotated[Armour, Seen.OWNER, MaySet.PROPOSAL]

    def check(self, call: Call) -> None:
        call.state.find(self.who)

    def changes(self, sheet: Sheet) -> Sheet:
        return sheet.with_numbers(armour=self.armour)
