"""Classes as data. SP+02, SP+04. A table adds its own with `add_class`.

Which saves a class is proficient in is no book's word but ours: its primary pool and one more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from astragal.table.seen import Seen
from astragal.values import frozen

from .pools import Pool

CASTING = (Pool.INT, Pool.WIS, Pool.CHA)
"""SP-08: the pools that spells can come from."""


@frozen(kw_only=True)
class HeroClass:
    """What a hero is."""

    name: Annotated[str, Seen.ALL]
    primary: Annotated[Pool, Seen.ALL]
    hit_points: Annotated[int, Seen.ALL]
    """The class base, to which a third of CON comes."""
    saves: Annotated[tuple[Pool, ...], Seen.ALL] = ()
    casting: Annotated[Pool | None, Seen.ALL] = None
    """SP-08: the pool of its spell attacks."""


def by_name(classes: Iterable[HeroClass]) -> Mapping[str, HeroClass]:
    return {one.name: one for one in classes}


CLASSES = by_name(
    [
        HeroClass(name="fighter", primary=Pool.STR, hit_points=12, saves=(Pool.STR, Pool.CON)),
        HeroClass(name="rogue", primary=Pool.DEX, hit_points=10, saves=(Pool.DEX, Pool.INT)),
        HeroClass(name="ranger", primary=Pool.DEX, hit_points=11, saves=(Pool.DEX, Pool.WIS), casting=Pool.WIS),
        HeroClass(name="barbarian", primary=Pool.CON, hit_points=14, saves=(Pool.CON, Pool.STR)),
        HeroClass(name="wizard", primary=Pool.INT, hit_points=8, saves=(Pool.INT, Pool.WIS), casting=Pool.INT),
        HeroClass(name="cleric", primary=Pool.WIS, hit_points=10, saves=(Pool.WIS, Pool.CHA), casting=Pool.WIS),
        HeroClass(name="warlock", primary=Pool.CHA, hit_points=10, saves=(Pool.CHA, Pool.WIS), casting=Pool.CHA),
        HeroClass(name="bard", primary=Pool.CHA, hit_points=10, saves=(Pool.CHA, Pool.DEX), casting=Pool.CHA),
    ]
)
"""SP+02: the eight classes and their primary pools. SP+04: their hit points."""
