"""What a table of Sinew & Steel can play in more than one way. The manual's way is the default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from typing import Annotated, Literal

from annotated_types import Ge, Le, MaxLen
from typing_extensions import Doc

from astragal.table.fields import Name
from astragal.table.seen import Seen
from astragal.values import frozen

from .accounts import STAMINA, Tone
from .advancement import MilestoneOption
from .luck import LuckTarget
from .pressure import Scope, Toll
from .sheet import Item

Line = Annotated[str, MaxLen(200)]


class LuckRest(Enum):
    """SS-26: which rest gives a token back."""

    SHORT = "short"
    NIGHT = "night"


class Plugin(Enum):
    """SS-67: the toolkit."""

    FEAT = "feat"
    RITUAL = "ritual"
    ALLY = "ally"
    STRESS = "stress"


class Companion(Enum):
    """SS+01 to SS+05: rules beside the book."""

    CLOCKS = "clocks"
    WEALTH = "wealth"
    TIERS = "tiers"
    FATAL = "fatal"
    CIRCUMSTANCES = "circumstances"
    SIDE_ORDER = "side order"


@frozen(kw_only=True)
class Sample:
    """SS-70: a hero who is ready to be played."""

    name: Annotated[Name, Seen.ALL]
    concept: Annotated[Line, Seen.ALL]
    scores: Annotated[Mapping[str, Annotated[int, Ge(0), Le(20)]], Seen.ALL]
    gear: Annotated[tuple[Name, ...], Seen.ALL]
    advantage: Annotated[Line, Seen.ALL]


@frozen(kw_only=True)
class Options:
    """Agreed on when the table is opened. A skin fills in what is its own to say: see `opening`."""

    attributes: Annotated[
        tuple[Name, ...], Doc("SS-10: the keys of the five attributes: force, agility, wits, presence, Luck"), Seen.ALL
    ] = ("MGT", "REF", "INT", "EMP", "LCK")
    luck: Annotated[Name, Doc("SS-10: the attribute that is Luck"), Seen.ALL] = "LCK"
    agility: Annotated[Name, Doc("SS-40: the attribute that a heavy load hampers"), Seen.ALL] = "REF"
    usual_attack: Annotated[
        Mapping[str, Name], Doc("SS-43: the usual attribute by way of attacking; unnamed, by its place"), Seen.ALL
    ] = field(default_factory=dict)
    usual_defence: Annotated[
        Mapping[str, Name], Doc("SS-43: the usual attribute by way of defending; unnamed, by its place"), Seen.ALL
    ] = field(default_factory=dict)
    weapons: Annotated[tuple[Item, ...], Doc("SS-70: what there is to strike with"), Seen.ALL] = ()
    armour: Annotated[tuple[Item, ...], Doc("SS-70: what there is to wear"), Seen.ALL] = ()
    gear: Annotated[tuple[Item, ...], Doc("SS-70: what there is to carry besides"), Seen.ALL] = ()
    samples: Annotated[tuple[Sample, ...], Doc("SS-70: heroes who are ready to be played"), Seen.ALL] = ()
    plugins: Annotated[tuple[Plugin, ...], Doc("SS-67: what of the toolkit is on from the beginning"), Seen.ALL] = ()
    companions: Annotated[
        tuple[Companion, ...], Doc("SS+01 to SS+05: the rules beside the book that this table plays with"), Seen.ALL
    ] = (Companion.CLOCKS, Companion.WEALTH, Companion.TIERS, Companion.FATAL, Companion.SIDE_ORDER)
    build_points: Annotated[
        int, Ge(0), Le(99), Doc("SS-13: build points of a new hero: 0 grim, 6 standard, 12 pulp, 16 heroic"), Seen.ALL
    ] = int(Tone.STANDARD)
    luck_test_target: Annotated[
        LuckTarget, Doc("SS-24: whether a token spent on a Luck test lowers its target too"), Seen.ALL
    ] = LuckTarget.LIVE
    luck_rest: Annotated[LuckRest, Doc("SS-26: whether a short rest gives a token, or only a night's"), Seen.ALL] = (
        LuckRest.SHORT
    )
    bonus_margin: Annotated[Literal[10, 11], Doc("SS-35: the margin from which a hit does 1 more"), Seen.ALL] = 10
    piercing: Annotated[bool, Doc("SS-37: whether explosive and plasma weapons ignore a point of soak"), Seen.ALL] = (
        False
    )
    carry_limit: Annotated[
        int, Ge(1), Le(60), Doc("SS-40: substantial items that are carried without hindrance"), Seen.ALL
    ] = 6

    pressure: Annotated[Scope, Doc("SS-50: whether the table shares a track, each hero has one, or both"), Seen.ALL] = (
        Scope.SHARED
    )
    step4_surcharge: Annotated[
        Toll, Doc("SS-53: whether spending costs 1 more at step 4 by itself, or when the custodian says so"), Seen.ALL
    ] = Toll.PROPOSED
    crisis_reset: Annotated[Literal[0, 1], Doc("SS-54: where the track stands after a crisis"), Seen.ALL] = 0
    milestone: Annotated[MilestoneOption, Doc("SS-61: how a milestone's gain is bought"), Seen.ALL] = (
        MilestoneOption.BUILD_POINTS
    )

    def __post_init__(self) -> None:
        if len(self.attributes) != 5 or len({key.casefold() for key in self.attributes}) != 5:
            raise ValueError("attributes must be five different keys")
        if STAMINA in self.attributes:
            raise ValueError(f"{STAMINA} is the key of Stamina, so no attribute can have it")
        if self.luck not in self.attributes or self.agility not in self.attributes or self.luck == self.agility:
            raise ValueError("luck and agility must be two of the five attributes")
        usual = {*self.usual_attack.values(), *self.usual_defence.values()}
        if strange := usual - set(self.attributes):
            raise ValueError(f"{', '.join(sorted(strange))} is not among the five attributes")

    def plays(self, companion: Companion) -> bool:
        return companion in self.companions

    @property
    def known_items(self) -> tuple[Item, ...]:
        """SS-70: what the skin knows: weapons, armour and what else is carried."""
        return (*self.weapons, *self.armour, *self.gear)
