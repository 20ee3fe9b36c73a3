"""The legal heroes nearest to one that is not: fewest changes, each told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product

from astragal.values import frozen

from .accounts import LEAST_ANCHORS, MOST_ANCHORS, Frame, HeroFile, is_legal
from .anchors import Anchor, Burden
from .sheet import Trait
from .stats import LEAST_RATING, MOST_RATING, ByStat, Stat

MOST_REPAIRS = 5


@frozen
class RatingChanged:
    stat: Stat
    before: int
    after: int


@frozen
class AnchorDropped:
    name: str


@frozen
class AnchorAdded:
    name: str


@frozen
class BurdenAdded:
    name: str


@frozen
class Renamed:
    before: str
    after: str


Change = RatingChanged | AnchorDropped | AnchorAdded | BurdenAdded | Renamed


@frozen
class Repair:
    """A legal hero, and what was changed to come to it."""

    hero: HeroFile
    changes: tuple[Change, ...]

    @property
    def steps(self) -> int:
        """How far it is: points of Rating moved, and things added, dropped or renamed."""
        return sum(_steps(change) for change in self.changes)


def nearest_legal(hero: HeroFile, frame: Frame | None) -> tuple[Repair, ...]:
    """NJ-16, NJ+01: at most five legal heroes, none of which could be reached with fewer changes."""
    if is_legal(hero, frame):
        return ()
    told_apart = _renamed(hero)
    ways = product(_stat_ways(hero.ratings, frame), _anchor_ways(told_apart.hero, frame))
    repairs = (_both(told_apart, ratings, anchors) for ratings, anchors in ways)
    return tuple(islice(repairs, MOST_REPAIRS))


def _both(start: Repair, ratings: ByStat, anchors: Repair) -> Repair:
    before = start.hero.ratings
    moved = [RatingChanged(stat, before[stat], ratings[stat]) for stat in Stat if before[stat] != ratings[stat]]
    return Repair(replace(anchors.hero, ratings=ratings), (*moved, *start.changes, *anchors.changes))


def _steps(change: Change) -> int:
    return abs(change.after - change.before) if isinstance(change, RatingChanged) else 1


# ---------------------------------------------------------------- ratings


def _stat_ways(ratings: ByStat, frame: Frame | None) -> list[ByStat]:
    """Back on the scale first; then the points that are amiss, taken from or given to one stat as far as it goes."""
    clamped = {stat: min(max(ratings[stat], LEAST_RATING), MOST_RATING) for stat in Stat}
    on_scale = ByStat(**{stat.value: rating for stat, rating in clamped.items()})
    if frame is None:
        return [on_scale]
    amiss = max(0, frame.least - on_scale.total) - max(0, on_scale.total - frame.most)
    in_turn = [_moved(on_scale, amiss, (stat, *(one for one in Stat if one is not stat))) for stat in Stat]
    return list(dict.fromkeys(in_turn))


def _moved(ratings: ByStat, points: int, order: tuple[Stat, ...]) -> ByStat:
    for stat in order:
        wanted = min(max(ratings[stat] + points, LEAST_RATING), MOST_RATING)
        points -= wanted - ratings[stat]
        ratings = ratings.but(stat, wanted)
    return ratings


# ---------------------------------------------------------------- anchors and burdens


def _anchor_ways(hero: HeroFile, frame: Frame | None) -> list[Repair]:
    """All that take the fewest Anchors dropped or added and Burdens added."""
    least, most = (LEAST_ANCHORS, MOST_ANCHORS) if frame else (0, len(hero.anchors))
    counts = product(range(len(hero.anchors) + 1), range(least + 1), range(max(most, len(hero.anchors)) + 1))
    legal = [
        (dropped, added, burdens)
        for dropped, added, burdens in counts
        if least <= len(hero.anchors) - dropped + added <= most
        and len(hero.burdens) + burdens >= len(hero.anchors) - dropped + added
    ]
    fewest = min(map(sum, legal))
    return [_rearranged(hero, *counts) for counts in legal if sum(counts) == fewest]


def _rearranged(hero: HeroFile, dropped: int, added: int, burdens: int) -> Repair:
    """The Anchors named last are dropped; what is added is minor and waits for its name."""
    kept = hero.anchors[: len(hero.anchors) - dropped]
    new_anchors = tuple(Anchor(name=name) for name in islice(_free(hero, "New Anchor"), added))
    new_burdens = tuple(Burden(name=name) for name in islice(_free(hero, "New Burden"), burdens))
    changes: tuple[Change, ...] = (
        *(AnchorDropped(one.name) for one in hero.anchors[len(kept) :]),
        *(AnchorAdded(one.name) for one in new_anchors),
        *(BurdenAdded(one.name) for one in new_burdens),
    )
    changed = replace(hero, anchors=(*kept, *new_anchors), burdens=(*hero.burdens, *new_burdens))
    return Repair(changed, changes)


# ---------------------------------------------------------------- names


def _renamed(hero: HeroFile) -> Repair:
    """Whatever has a name that was there before gets a number after it."""
    seen: set[str] = set()
    changes: list[Change] = []
    parts: dict[str, tuple[Trait, ...]] = {}
    for part in ("anchors", "burdens", "assets"):
        changed: list[Trait] = []
        for one in getattr(hero, part):
            name = one.name if one.name.casefold() not in seen else _another(hero, one.name, seen)
            if name != one.name:
                changes.append(Renamed(one.name, name))
            seen.add(name.casefold())
            changed.append(replace(one, name=name))
        parts[part] = tuple(changed)
    return Repair(replace(hero, **parts), tuple(changes))  # type: ignore[arg-type]


def _another(hero: HeroFile, name: str, seen: set[str]) -> str:
    numbered = (free for free in _free(hero, name) if free.casefold() not in seen)
    return next(numbered)


def _free(hero: HeroFile, name: str) -> Iterator[str]:
    """This name with a number, past all that are taken."""
    taken = {one.name.casefold() for one in hero.traits}
    return (free for number in range(1, 1000) if (free := f"{name[:54]} {number}").casefold() not in taken)
