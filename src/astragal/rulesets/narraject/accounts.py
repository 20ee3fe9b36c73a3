"""Making a hero: what a hero's file holds, what it adds up to, and every reason why it can't be. NJ-16, NJ+01."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Annotated, Any

from annotated_types import MaxLen
from typing_extensions import Doc

from astragal.table.fields import Name
from astragal.table.seen import Seen
from astragal.table.validation import read
from astragal.values import frozen

from .anchors import Anchor, Burden, burdens_missing
from .assets import Asset
from .sheet import Sheet, Trait
from .stats import LEAST_RATING, MOST_RATING, ByStat, Stat, full_reserves

LEAST_ANCHORS, MOST_ANCHORS = 3, 5
TOP_LEVEL = 7


@frozen(kw_only=True)
class HeroFile:
    """A new hero, as a file or a form holds one."""

    name: Annotated[Name, Doc("what the hero is called"), Seen.ALL]
    about: Annotated[str, MaxLen(400), Doc("where the hero comes from, in a line"), Seen.ALL] = ""
    ratings: Annotated[ByStat, Doc("NJ-11: the Rating of each stat, 1 to 10"), Seen.ALL] = field(default_factory=ByStat)
    anchors: Annotated[tuple[Anchor, ...], Doc("NJ-14: what helps"), Seen.ALL] = ()
    burdens: Annotated[tuple[Burden, ...], Doc("NJ-16: what hinders, at least as many"), Seen.ALL] = ()
    assets: Annotated[tuple[Asset, ...], Doc("NJ-17: tools, weapons, armour"), Seen.ALL] = ()

    @property
    def traits(self) -> tuple[Trait, ...]:
        return (*self.anchors, *self.burdens, *self.assets)


def read_hero(raw: Mapping[str, Any]) -> HeroFile:
    """A hero's file from plain values; a refusal lists everything in it that can't be read."""
    return read(HeroFile, raw)


def new_sheet(hero: HeroFile) -> Sheet:
    """NJ-12: every Reserve is full at the start."""
    return Sheet(
        ratings=hero.ratings,
        reserves=full_reserves(hero.ratings),
        anchors=hero.anchors,
        burdens=hero.burdens,
        assets=hero.assets,
        about=hero.about,
    )


@frozen
class Frame:
    """NJ+01: how many points of Rating a power level gives."""

    least: int
    most: int

    def holds(self, points: int) -> bool:
        return self.least <= points <= self.most


def frame_of(power_level: int) -> Frame:
    """NJ+01: 4–6 at level 1, then 8–12 and 4 more with each level; level 7 and up have 28–32."""
    level = min(power_level, TOP_LEVEL)
    return Frame(4, 6) if level == 1 else Frame(4 * level, 4 * level + 4)


@frozen
class Accounts:
    """What a hero in the making adds up to. Without a frame any number of points and Anchors will do."""

    points: int
    anchors: int
    burdens: int
    frame: Frame | None

    @property
    def points_left(self) -> int | None:
        """NJ+01: points that may still be given; negative where there are too many."""
        return None if self.frame is None else self.frame.most - self.points

    @property
    def points_owed(self) -> int:
        """NJ+01: points that have to be given yet."""
        return 0 if self.frame is None else max(0, self.frame.least - self.points)

    @property
    def anchors_owed(self) -> int:
        return 0 if self.frame is None else max(0, LEAST_ANCHORS - self.anchors)

    @property
    def burdens_owed(self) -> int:
        """NJ-16: the Rule of Balance."""
        return burdens_missing(self.anchors, self.burdens)


def accounts(hero: HeroFile, frame: Frame | None) -> Accounts:
    return Accounts(hero.ratings.total, len(hero.anchors), len(hero.burdens), frame)


# ---------------------------------------------------------------- why a hero can't be


@frozen
class OffTheScale:
    """NJ-11: a Rating that no stat can have."""

    stat: Stat
    rating: int


@frozen
class PointsAmiss:
    """NJ+01: too few points of Rating, or too many."""

    points: int
    frame: Frame


@frozen
class AnchorsAmiss:
    """NJ+01: too few Anchors for a start, or too many."""

    anchors: int


@frozen
class OutOfBalance:
    """NJ-16: fewer Burdens than Anchors."""

    anchors: int
    burdens: int

    @property
    def missing(self) -> int:
        return burdens_missing(self.anchors, self.burdens)


@frozen
class NameTwice:
    """NJ-19: two things of one name could not be told apart in a roll."""

    name: str


Reason = OffTheScale | PointsAmiss | AnchorsAmiss | OutOfBalance | NameTwice


def why_illegal(hero: HeroFile, frame: Frame | None) -> tuple[Reason, ...]:
    """Every reason at once; none for a legal hero."""
    return tuple(_reasons(hero, frame))


def is_legal(hero: HeroFile, frame: Frame | None) -> bool:
    return not why_illegal(hero, frame)


def _reasons(hero: HeroFile, frame: Frame | None) -> Iterator[Reason]:
    ratings = {stat: hero.ratings[stat] for stat in Stat}
    yield from (OffTheScale(stat, number) for stat, number in ratings.items() if not on_the_scale(number))
    if frame is not None and not frame.holds(hero.ratings.total):
        yield PointsAmiss(hero.ratings.total, frame)
    if frame is not None and not LEAST_ANCHORS <= len(hero.anchors) <= MOST_ANCHORS:
        yield AnchorsAmiss(len(hero.anchors))
    if burdens_missing(len(hero.anchors), len(hero.burdens)):
        yield OutOfBalance(len(hero.anchors), len(hero.burdens))
    yield from (NameTwice(name) for name in names_twice(hero))


def on_the_scale(rating: int) -> bool:
    return LEAST_RATING <= rating <= MOST_RATING


def names_twice(hero: HeroFile) -> list[str]:
    names = {one.name.casefold(): one.name for one in hero.traits}
    counted = Counter(one.name.casefold() for one in hero.traits)
    return [names[key] for key, times in counted.items() if times > 1]
