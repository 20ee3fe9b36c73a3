"""What a table of Sinew & Steel can play in more than one way. The manual's way is the default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Literal

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.table.fields import Name
from astragal.table.seen import Seen

from .accounts import STAMINA, Tone
from .luck import LuckTarget


class LuckRest(Enum):
    """SS-26: which rest gives a token back."""

    SHORT = "short"
    NIGHT = "night"


@dataclass(frozen=True, kw_only=True)
class Options:
    """Agreed on when the table is opened. A skin fills in the first five."""

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
