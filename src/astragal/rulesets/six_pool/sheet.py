"""Who somebody is in numbers: heroes, and everyone else the game master plays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import Enum
from typing import Annotated

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.table.fields import Name
from astragal.table.refusals import NoSuchThing
from astragal.table.seen import Seen
from astragal.table.state import Character, State
from astragal.values import frozen

from .pools import HIGHEST_LEVEL, MOST_EDGE, Pool
from .proficiency import Training

Level = Annotated[int, Ge(1), Le(HIGHEST_LEVEL), Doc("the level, 1 to 20")]


MOST_ABILITIES = 12
"""So that the offer of a reroll stays one that can be read."""


class Kind(Enum):
    HERO = "hero"
    NPC = "npc"


class RollKind(Enum):
    """SP-07 to SP-09, SP-13: what kind of roll it is."""

    CHECK = "check"
    SAVE = "save"
    ATTACK = "attack"
    CONTEST = "contest"


class Per(Enum):
    """SP-19: when the uses of an ability come back."""

    DAY = "day"
    ENCOUNTER = "encounter"


@frozen(kw_only=True)
class Ability:
    """SP-19: a reroll with a name, its uses, and what it may reroll."""

    name: Annotated[Name, Doc("what it is called"), Seen.ALL]
    uses: Annotated[int, Ge(1), Le(20), Doc("how often"), Seen.ALL] = 1
    per: Annotated[Per, Doc("a day or an encounter"), Seen.ALL] = Per.DAY
    rolls: Annotated[tuple[RollKind, ...], Doc("which kinds of roll; none named means all"), Seen.ALL] = ()
    pools: Annotated[tuple[Pool, ...], Doc("from which pools; none named means all"), Seen.ALL] = ()
    up_to: Annotated[int, Ge(1), Le(20), Doc("the highest face that it may reroll"), Seen.ALL] = 20

    def is_for_roll(self, kind: RollKind, pool: Pool) -> bool:
        return (not self.rolls or kind in self.rolls) and (not self.pools or pool in self.pools)


@frozen(kw_only=True)
class Points:
    """SP-02: a pool has a most, what it holds now, and an Edge."""

    most: Annotated[int, Ge(0), Le(99), Seen.ALL]
    now: Annotated[int, Ge(0), Le(99), Seen.ALL]
    edge: Annotated[int, Ge(0), Le(MOST_EDGE), Seen.ALL] = 0

    @property
    def room(self) -> int:
        return max(0, self.most - self.now)


NO_POOL = Points(most=0, now=0)
"""SP-13: whoever has no pool can spend nothing, and nothing of theirs can break."""


@frozen(kw_only=True)
class Numbers:
    """What somebody rolls with, and is rolled against."""

    level: Annotated[Level, Seen.ALL] = 1
    pools: Annotated[Mapping[Pool, Points], Seen.ALL] = field(default_factory=dict)
    training: Annotated[Mapping[str, Training], Seen.ALL] = field(default_factory=dict)
    saves: Annotated[tuple[Pool, ...], Seen.ALL] = ()
    """SP-09: the saves that one is proficient in."""
    armour: Annotated[int, Seen.ALL] = 0
    sturdiness: Annotated[int, Seen.ALL] = 0
    """SP+04: the hit points of the class, before CON."""
    harm: Annotated[int, Seen.ALL] = 0
    """Hit points lost."""

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
        """SP+04: at 0 one is down."""
        return self.hit_points <= 0

    @property
    def armour_class(self) -> int:
        """SP+04: 10 and the armour."""
        return 10 + self.armour

    def with_points(self, pool: Pool, points: Points) -> Numbers:
        return replace(self, pools={**self.pools, pool: points})


@frozen(kw_only=True)
class Sheet:
    kind: Annotated[Kind, Seen.ALL]
    hero_class: Annotated[str, Seen.ALL] = ""
    primary: Annotated[Pool | None, Seen.ALL] = None
    casting: Annotated[Pool | None, Seen.ALL] = None
    about: Annotated[str, Seen.ALL] = ""
    inspiration: Annotated[int, Ge(0), Le(1), Seen.ALL] = 0
    """SP-18: held, or not."""
    abilities: Annotated[tuple[Ability, ...], Seen.ALL] = ()
    used: Annotated[Mapping[str, int], Seen.ALL] = field(default_factory=dict)
    """SP-19: how often each ability was used."""
    open: Annotated[Numbers | None, Seen.ALL] = None
    closed: Annotated[Numbers | None, Seen.OWNER] = None
    """The numbers of those whom players do not see through."""

    @property
    def numbers(self) -> Numbers:
        """In the view of somebody who may not know them, this is withheld."""
        numbers = self.closed if self.open is None else self.open
        assert numbers is not None  # noqa: S101 - one of the two is always given
        return numbers

    @property
    def is_hero(self) -> bool:
        return self.kind is Kind.HERO

    @property
    def is_closed(self) -> bool:
        return self.open is None

    def with_numbers(self, numbers: Numbers) -> Sheet:
        return replace(self, closed=numbers) if self.is_closed else replace(self, open=numbers)

    def with_pool(self, pool: Pool, now: int) -> Sheet:
        """The same sheet with so many points left in a pool."""
        numbers = self.numbers
        return self.with_numbers(numbers.with_points(pool, replace(numbers.pool(pool), now=now)))

    def uses_left(self, ability: Ability) -> int:
        return max(0, ability.uses - self.used.get(ability.name, 0))


def find(state: State, who: str) -> Character[Sheet]:
    """The character of this id."""
    if who not in state.characters:
        raise NoSuchThing(f"There is no character {who[:40]!r} at this table.")
    return state.characters[who]
