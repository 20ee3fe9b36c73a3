"""Who somebody is: stats, Anchors and Burdens, Assets, and what harm has done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, TypeAlias, TypeVar

from astragal.table.refusals import NoSuchThing
from astragal.table.seen import Seen
from astragal.table.state import Character, State
from astragal.values import frozen

from .anchors import Anchor, Burden, Grade
from .assets import Asset
from .harm import Condition, Track
from .stats import ByStat, Stat

MOST_POINTS = 5
"""NJ+06: Narrative Points that can be held."""

Trait: TypeAlias = Anchor | Burden | Asset
"""What the book calls a character injection: something on the sheet that can weigh in a roll."""

T = TypeVar("T", bound=Trait)


@frozen(kw_only=True)
class Sheet:
    ratings: Annotated[ByStat, Seen.ALL]
    reserves: Annotated[ByStat, Seen.ALL]
    """NJ-12: the points left in each stat."""
    anchors: Annotated[tuple[Anchor, ...], Seen.ALL] = ()
    burdens: Annotated[tuple[Burden, ...], Seen.ALL] = ()
    pressing: Annotated[tuple[str, ...], Seen.ALL] = ()
    """NJ-15: the Burdens that the game master has said apply to every roll of this scene."""
    assets: Annotated[tuple[Asset, ...], Seen.ALL] = ()
    stowed: Annotated[tuple[str, ...], Seen.ALL] = ()
    """NJ-17: the Assets that are not carried now."""
    physical: Annotated[int, Seen.ALL] = 0
    """NJ+03: filled boxes of physical stress."""
    mental: Annotated[int, Seen.ALL] = 0
    conditions: Annotated[tuple[Condition, ...], Seen.ALL] = ()
    taken_out: Annotated[bool, Seen.ALL] = False
    points: Annotated[int, Seen.ALL] = 0
    """NJ+06: Narrative Points held."""
    earned: Annotated[int, Seen.ALL] = 0
    """NJ+06: Narrative Points earned in the evening `earned_in`."""
    earned_in: Annotated[int, Seen.ALL] = 0
    about: Annotated[str, Seen.ALL] = ""

    @property
    def carried(self) -> tuple[Asset, ...]:
        return tuple(asset for asset in self.assets if asset.name not in self.stowed)

    @property
    def armour(self) -> int:
        """NJ+03: pieces of armour do not add up; the best counts."""
        return max((asset.armour for asset in self.carried), default=0)

    def stress(self, track: Track) -> int:
        return self.physical if track is Track.PHYSICAL else self.mental

    def with_stress(self, track: Track, boxes: int) -> Sheet:
        return replace(self, physical=boxes) if track is Track.PHYSICAL else replace(self, mental=boxes)

    def with_reserve(self, stat: Stat, left: int) -> Sheet:
        return replace(self, reserves=self.reserves.but(stat, left))

    def condition(self, track: Track, grade: Grade) -> Condition | None:
        return next((one for one in self.conditions if (one.track, one.grade) == (track, grade)), None)

    def taken_slots(self, track: Track) -> set[Grade]:
        return {one.grade for one in self.conditions if one.track is track}

    def is_pressed_by(self, burden: Burden) -> bool:
        return burden.name in self.pressing

    def has_name(self, name: str) -> bool:
        """Is anything on the sheet called that? Names are how a roll says what it counts."""
        traits: tuple[Trait, ...] = (*self.anchors, *self.burdens, *self.assets)
        return named(traits, name) is not None


def named(traits: Iterable[T], name: str) -> T | None:
    """The one of this name, however it is spelt."""
    return next((one for one in traits if one.name.casefold() == name.strip().casefold()), None)


def find(state: State, who: str) -> Character[Sheet]:
    """The character of this id."""
    if who not in state.characters:
        raise NoSuchThing(f"There is no character {who[:40]!r} at this table.")
    return state.characters[who]


def find_named(who: Character[Sheet], traits: Iterable[T], name: str, kind: str) -> T:
    """What the character has by this name, or a refusal that says what there is."""
    having = tuple(traits)
    found = named(having, name)
    if found is None:
        known = ", ".join(one.name for one in having) or "none"
        raise NoSuchThing(f"{who.name} has no {kind} called {name[:40]!r}: {known}.")
    return found
