"""Who somebody is in numbers: heroes, and everyone else the custodian plays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from typing import Annotated

from annotated_types import MaxLen, MinLen
from typing_extensions import Doc

from astragal.table.fields import Name
from astragal.table.refusals import NoSuchThing
from astragal.table.seen import Seen
from astragal.table.state import Character, State
from astragal.values import frozen

from .blow import Edge, Soak

Tag = Annotated[str, MinLen(1), MaxLen(20)]


class Kind(Enum):
    HERO = "hero"
    NPC = "npc"


class Fate(Enum):
    """SS-30: what became of somebody, where the table says so."""

    DEAD = "dead"
    RESCUED = "rescued"
    CAPTURED = "captured"


@frozen(kw_only=True)
class Item:
    """Something carried: a weapon by its edge, armour by its soak."""

    name: Annotated[Name, Doc("what it is called"), Seen.ALL]
    edge: Annotated[Edge, Seen.ALL] = 0
    soak: Annotated[Soak, Seen.ALL] = 0
    tags: Annotated[tuple[Tag, ...], Doc("what rules ask for, such as plasma or explosive"), Seen.ALL] = ()
    substantial: Annotated[bool, Doc("whether it counts towards the load; trinkets and money do not"), Seen.ALL] = True
    counter: Annotated[Name | None, Doc("what saves from it, where it is tagged fatal (SS+04)"), Seen.ALL] = None


@frozen(kw_only=True)
class Scores:
    """Attributes by key: those that everyone knows, and those that only their owner and the custodian do."""

    open: Annotated[Mapping[str, int], Seen.ALL] = field(default_factory=dict)
    closed: Annotated[Mapping[str, int], Seen.OWNER] = field(default_factory=dict)

    def __getitem__(self, key: str) -> int:
        return self.open[key] if key in self.open else self.closed[key]

    def is_open(self, key: str) -> bool:
        return key in self.open

    def opened(self) -> Scores:
        return Scores(open={**self.closed, **self.open})


@frozen(kw_only=True)
class Sheet:
    kind: Annotated[Kind, Seen.ALL]
    scores: Annotated[Scores, Seen.ALL]
    luck: Annotated[int, Seen.ALL]
    """SS-20: tokens now held."""
    luck_key: Annotated[str, Seen.ALL]
    """The attribute that is Luck."""
    stamina: Annotated[int, Seen.ALL]
    stamina_most: Annotated[int, Seen.ALL]
    gear: Annotated[tuple[Item, ...], Seen.ALL] = ()
    fate: Annotated[Fate | None, Seen.ALL] = None
    notes: Annotated[str, Seen.OWNER] = ""
    """What the player wants to remember."""
    concept: Annotated[str, Seen.ALL] = ""
    """Who they are, in a line."""
    advantage: Annotated[str, Seen.ALL] = ""
    """SS-15: one small advantage in words."""
    pressure: Annotated[int, Seen.ALL] = 0
    """SS-50: the hero's own track, where there is one."""
    surcharged: Annotated[bool, Seen.ALL] = False
    """SS-53: whether the custodian has said that spending costs more while the own track is at 4."""
    points: Annotated[int, Seen.ALL] = 0
    """SS-61: build points held."""
    milestone_open: Annotated[bool, Seen.ALL] = False
    """SS-61: whether a milestone still has to be used, after which the pool is filled."""
    boons: Annotated[tuple[str, ...], Seen.ALL] = ()
    feat_used: Annotated[bool, Seen.ALL] = False
    """SS-67: once a session."""
    stress: Annotated[int, Seen.ALL] = 0
    """SS-67: a further track."""
    wealth: Annotated[int | None, Seen.ALL] = None
    """SS+02: from 0, broke, to 4, rich."""

    @property
    def is_hero(self) -> bool:
        return self.kind is Kind.HERO

    @property
    def luck_most(self) -> int:
        """SS-20, SS-27: the Luck attribute is the size of the pool."""
        return self.scores[self.luck_key]

    @property
    def is_collapsed(self) -> bool:
        """SS-30: down at 0 Stamina, and up again with the first point."""
        return self.stamina == 0

    @property
    def load(self) -> int:
        """SS-40: trinkets and money do not count."""
        return sum(item.substantial for item in self.gear)

    @property
    def soak(self) -> int:
        """SS-36: armour does not add up; the best counts."""
        return max((item.soak for item in self.gear), default=0)

    def has(self, what: str) -> bool:
        """SS+04: something of this name, or something tagged so."""
        word = what.casefold()
        return any(word in (item.name.casefold(), *(tag.casefold() for tag in item.tags)) for item in self.gear)

    def item(self, name: str) -> Item | None:
        return next((item for item in self.gear if item.name.casefold() == name.casefold()), None)


def find(state: State, who: str) -> Character[Sheet]:
    """The character of this id."""
    if who not in state.characters:
        raise NoSuchThing(f"There is no character {who[:40]!r} at this table.")
    return state.characters[who]
