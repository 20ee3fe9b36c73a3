"""State of a table: the options it plays by, everyone's sheet, and what is pending in the game."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Protocol, Self, TypeAlias

from astragal.game import Character, NoSuchThing, Refusal, Seen, TableCall, TableState, Teller, Value, replace
from astragal.game.fields import CharacterId, Doc, Ge, Le, MaxLen, MinLen, Name, Words

from .catalogue import SKILLS, ContestPreset, HeroClass, Pool, Skill, Training, by_pool

TERMS: Mapping[str, str] = {
    **{pool.value: pool.value for pool in Pool},
    "Edge": "Edge",
    "hit points": "hit points",
    "inspiration": "Inspiration",
    "dc": "DC",
    "ac": "AC",
    "declare": "what to put in",
}
"""Words that a skin can rename."""

HIGHEST_LEVEL = 20
MOST_EDGE = 3
MOST_WEAPONS = 12
USUAL_DAMAGE = "1d6"
"""Default damage."""
MOST_ABILITIES = 12
"""Limit that keeps the offer of a reroll readable."""

# ---------------------------------------------------------------- options


class EdgeRule(Enum):
    """SP-20: the effect of Edge, one of two for a whole campaign."""

    BONUS = "bonus"
    """It is added to every roll with its pool, for free."""
    EFFICIENCY = "efficiency"
    """The first points spent on a roll count double."""


class NaturalDegree(Enum):
    """SP-12: the degree of a natural 20 or 1."""

    CRITICAL = "critical"
    """The best or the worst degree."""
    TOTAL = "total"
    """The degree of the total, but at least a success for a 20 and at least a failure for a 1."""


class WithPoints(Enum):
    """SP-18: whether Inspiration and points go together on one roll."""

    REROLL_ONLY = "reroll_only"
    """A roll with points may be rerolled, but not given advantage."""
    YES = "yes"
    NO = "no"


class Options(Value, seen=Seen.ALL):
    """Agreed on when the table is opened. The last six switch companion rules off."""

    edge: Annotated[EdgeRule, Doc("SP-20: whether Edge is a free bonus or makes the first points count double")] = (
        EdgeRule.BONUS
    )
    natural_degree: Annotated[
        NaturalDegree, Doc("SP-12: whether a natural 20 or 1 is critical, or what its total says")
    ] = NaturalDegree.CRITICAL
    inspiration_with_points: Annotated[
        WithPoints, Doc("SP-18: whether Inspiration and points go together on a roll")
    ] = WithPoints.REROLL_ONLY
    pool_array: Annotated[bool, Doc("SP+01: whether heroes are built from the six numbers")] = True
    class_edges: Annotated[bool, Doc("SP+02: whether class and level say how much Edge there is")] = True
    rests: Annotated[bool, Doc("SP+03: whether rests give points back")] = True
    hit_points: Annotated[bool, Doc("SP+04: whether hit points are kept and Armour Class is calculated")] = True
    long_rest_heals: Annotated[bool, Doc("whether a long rest gives all hit points back too")] = True
    broken_pools: Annotated[bool, Doc("SP+05: whether an empty pool gives disadvantage")] = True


# ---------------------------------------------------------------- the sheet

Notation: TypeAlias = Annotated[str, MinLen(1), MaxLen(60)]
Level: TypeAlias = Annotated[int, Ge(1), Le(HIGHEST_LEVEL), Doc("the level, 1 to 20")]


class Kind(Enum):
    HERO = "hero"
    NPC = "npc"


class RollKind(Enum):
    CHECK = "check"
    SAVE = "save"
    ATTACK = "attack"
    CONTEST = "contest"


class Manner(Enum):
    """SP-08: the manner of an attack."""

    MELEE = "melee"
    RANGED = "ranged"
    SPELL = "spell"


class Weapon(Value, seen=Seen.ALL):
    """SP-08: a weapon or spell to attack with, and its damage."""

    name: Annotated[Name, Doc("what it is called")]
    damage: Annotated[Notation, Doc("damage in dice notation, such as 1d8+2")] = USUAL_DAMAGE
    manner: Annotated[Manner, Doc("melee, ranged, or spell for what casts one")] = Manner.MELEE

    @property
    def words(self) -> str:
        effects = self.damage
        if self.manner is not Manner.MELEE:
            effects += f", {self.manner.value}"
        return f"{self.name} ({effects})"


class Per(Enum):
    """SP-19: when the uses of an ability come back."""

    DAY = "day"
    ENCOUNTER = "encounter"


class Ability(Value, seen=Seen.ALL):
    """SP-19: a reroll with a name, its uses, and what it may reroll."""

    name: Annotated[Name, Doc("what it is called")]
    uses: Annotated[int, Ge(1), Le(20), Doc("how often")] = 1
    per: Annotated[Per, Doc("a day or an encounter")] = Per.DAY
    rolls: Annotated[tuple[RollKind, ...], Doc("which kinds of roll; none named means all")] = ()
    pools: Annotated[tuple[Pool, ...], Doc("from which pools; none named means all")] = ()
    up_to: Annotated[int, Ge(1), Le(20), Doc("the highest face that it may reroll")] = 20

    def is_for_roll(self, kind: RollKind, pool: Pool) -> bool:
        is_for_kind = not self.rolls or kind in self.rolls
        is_for_pool = not self.pools or pool in self.pools
        return is_for_kind and is_for_pool


Abilities = Annotated[tuple[Ability, ...], MaxLen(MOST_ABILITIES), Doc("rerolls with a name; no two have the same")]
Weapons: TypeAlias = Annotated[
    tuple[Weapon, ...], MaxLen(MOST_WEAPONS), Doc("weapons with their damage; no two have the same name")
]


class Points(Value, seen=Seen.ALL):
    """SP-02: a pool: the most it holds, what it holds now, and its Edge."""

    most: Annotated[int, Ge(0), Le(99)]
    now: Annotated[int, Ge(0), Le(99)]
    edge: Annotated[int, Ge(0), Le(MOST_EDGE)] = 0


NO_POOL = Points(most=0, now=0)
"""A missing pool: nothing can be spent from it, and it can't break."""


class Entry(Protocol):
    """A command that brings in a character with numbers."""

    @property
    def level(self) -> int: ...
    @property
    def pools(self) -> Mapping[str, int]: ...
    @property
    def edges(self) -> Mapping[str, int]: ...
    @property
    def training(self) -> Mapping[str, Training]: ...
    @property
    def armour(self) -> int: ...


class Numbers(Value, seen=Seen.ALL):
    """Numbers that a character rolls with and is rolled against."""

    level: Level = 1
    pools: Mapping[Pool, Points] = {}
    training: Mapping[str, Training] = {}
    saves: tuple[Pool, ...] = ()
    """Saves that the character is proficient in."""
    armour: int = 0
    sturdiness: int = 0
    """Hit points of the class, before CON."""
    harm: int = 0
    """Hit points lost."""

    @classmethod
    def of(cls, entry: Entry, saves: tuple[Pool, ...], sturdiness: int) -> Self:
        """Make the numbers of a new character, with every pool full. Names of pools and skills may be in any case."""
        most_by_pool = by_pool(entry.pools)
        edge_by_pool = by_pool(entry.edges)
        pools = {}
        for pool in Pool:
            if pool in most_by_pool:
                most = most_by_pool[pool]
                pools[pool] = Points(most=most, now=most, edge=edge_by_pool.get(pool, 0))
        return cls(
            level=entry.level,
            pools=pools,
            training={skill.strip().casefold(): training for skill, training in entry.training.items()},
            saves=saves,
            armour=entry.armour,
            sturdiness=sturdiness,
        )

    def pool(self, pool: Pool) -> Points:
        return self.pools.get(pool, NO_POOL)

    def trained(self, skill: str) -> Training:
        return self.training.get(skill, Training.UNTRAINED)

    @property
    def hit_points_most(self) -> int:
        """SP+04: the class base and a third of CON, rounded down."""
        return self.sturdiness + self.pool(Pool.CON).most // 3

    @property
    def hit_points(self) -> int:
        return self.hit_points_most - self.harm

    @property
    def is_down(self) -> bool:
        """SP+04: True at 0 hit points."""
        return self.hit_points <= 0

    @property
    def armour_class(self) -> int:
        """SP+04: 10 and the armour."""
        return 10 + self.armour

    def with_points(self, pool: Pool, points: Points) -> Self:
        return replace(self, pools={**self.pools, pool: points})


class Sheet(Value, seen=Seen.ALL):
    """A hero, or a character of the game master's."""

    kind: Kind
    hero_class: str = ""
    primary: Pool | None = None
    casting: Pool | None = None
    about: Words = ""
    inspiration: Annotated[int, Ge(0), Le(1)] = 0
    """SP-18: 1 if it is held, else 0."""
    abilities: tuple[Ability, ...] = ()
    used: Mapping[str, int] = {}
    """SP-19: how often each ability was used."""
    weapons: tuple[Weapon, ...] = ()
    """SP-08: carried, the first one at hand."""
    open: Numbers | None = None
    closed: Annotated[Numbers | None, Seen.OWNER] = None
    """The numbers in place of `open`, for a character whose numbers players may not know."""

    def says(self, teller: Teller) -> str:
        numbers = self.numbers
        pools = [f"{teller.term(pool.value)} {points.most}" for pool, points in numbers.pools.items()]
        return f"{self.hero_class} of level {numbers.level}, {', '.join(pools)}"

    @property
    def numbers(self) -> Numbers:
        """The character's numbers. They are withheld from viewers who may not know them."""
        numbers = self.closed if self.open is None else self.open
        assert numbers is not None  # noqa: S101 - one of the two is always given
        return numbers

    @property
    def is_hero(self) -> bool:
        return self.kind is Kind.HERO

    @property
    def is_closed(self) -> bool:
        return self.open is None

    def with_numbers(self, **changes: object) -> Self:
        numbers = replace(self.numbers, **changes)
        if self.is_closed:
            return replace(self, closed=numbers)
        return replace(self, open=numbers)

    def with_pool(self, pool: Pool, now: int) -> Self:
        """Return the sheet with this many points left in a pool."""
        points = replace(self.numbers.pool(pool), now=now)
        numbers = self.numbers.with_points(pool, points)
        return self.with_numbers(pools=numbers.pools)

    def pool_for(self, manner: Manner) -> Pool | None:
        """SP-08: melee rolls STR, ranged DEX, a spell the pool of its caster."""
        match manner:
            case Manner.MELEE:
                return Pool.STR
            case Manner.RANGED:
                return Pool.DEX
            case Manner.SPELL:
                return self.casting

    def uses_left(self, ability: Ability) -> int:
        return max(0, ability.uses - self.used.get(ability.name, 0))

    def has_used(self, per: Per) -> bool:
        return any(ability.per is per and self.used.get(ability.name) for ability in self.abilities)


# ---------------------------------------------------------------- the game's own state


class GroupRoll(Value, seen=Seen.ALL):
    """A group check that is under way."""

    id: str
    members: Mapping[str, str]
    """Each member's request."""
    leader: str | None = None
    boosted: CharacterId | None = None
    """The ally on whose roll the leader has spent points."""
    boost: int = 0
    rolled: Mapping[str, bool] = {}
    """Members who have rolled, and whether they made it."""

    @property
    def is_complete(self) -> bool:
        return bool(self.rolled) and self.members.keys() <= self.rolled.keys()


class HelpOffer(Value, seen=Seen.ALL):
    """Offered help that the game master has yet to judge."""

    id: str
    who: CharacterId
    ally: CharacterId
    skill: str
    how: Words = ""


class Game(Value, seen=Seen.ALL):
    """State of the game besides the sheets: the table's own lists, group checks, offers of help, rests."""

    skills: Mapping[str, Skill] = {}
    """Skills that the table added."""
    classes: Mapping[str, HeroClass] = {}
    contests: Mapping[str, ContestPreset] = {}
    groups: Mapping[str, GroupRoll] = {}
    help_offered: Mapping[str, HelpOffer] = {}
    resting: tuple[str, ...] = ()
    """Characters who had a short rest and have not rolled for it."""
    recovered: Mapping[str, int] = {}
    """Points from a short rest that are still to be spread."""


State: TypeAlias = TableState[Game, Sheet, Options]
Call: TypeAlias = TableCall[State]


def check_able(state: State, who: Character[Sheet], kind: RollKind) -> None:
    """SP+04: refuse anything but a save to a character who is down, and everything to the dead."""
    who.check_lives()
    if state.options.hit_points and kind is not RollKind.SAVE and who.sheet.numbers.is_down:
        raise Refusal(f"{who.name} is down and can make saves only.", code="down")


def group_of(state: State, who: str, request: str | None) -> GroupRoll | None:
    """Find the group check in which this character has this request, if any."""
    if request is None:
        return None
    for group in state.game.groups.values():
        if group.members.get(who) == request:
            return group
    return None


def all_skills(state: State) -> Mapping[str, Skill]:
    return {**SKILLS, **state.game.skills}


def find_skill(state: State, name: str) -> Skill:
    """Find a skill by name, ignoring case and surrounding spaces, or refuse and list the skills there are."""
    skills = all_skills(state)
    skill = skills.get(name.strip().casefold())
    if skill is None:
        raise NoSuchThing(f"There is no skill {name[:40]!r}; there are {', '.join(skills)}.")
    return skill


def find_weapon(who: Character[Sheet], name: str) -> Weapon:
    word = name.strip().casefold()
    weapons = who.sheet.weapons
    for weapon in weapons:
        if weapon.name.casefold() == word:
            return weapon
    carried = ", ".join(weapon.name for weapon in weapons) or "none"
    raise NoSuchThing(f"{who.name} carries no weapon called {name[:40]!r}; there is {carried}.")
