"""Assets: tools, weapons, armour. NJ-17."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.table.fields import Name
from astragal.table.seen import Seen
from astragal.values import frozen

from .stats import Stat


class Level(Enum):
    """NJ-17: how well an asset is made."""

    STANDARD = "standard"
    QUALITY = "quality"
    MASTERWORK = "masterwork"

    @property
    def dice(self) -> int:
        return list(Level).index(self) + 1


@frozen(kw_only=True)
class Tag:
    """NJ-17: a drawback. It takes dice from rolls on these stats for as long as the asset is carried."""

    name: Annotated[Name, Doc("what it is called"), Seen.ALL]
    dice: Annotated[int, Ge(1), Le(3), Doc("so many dice fewer"), Seen.ALL] = 1
    stats: Annotated[tuple[Stat, ...], Doc("on which stats; none named means on all"), Seen.ALL] = ()

    def hampers(self, stat: Stat) -> bool:
        return not self.stats or stat in self.stats


HEAVY = Tag(name="Heavy", dice=1, stats=(Stat.AGILITY,))


@frozen(kw_only=True)
class Asset:
    """NJ-17: something one has with one."""

    name: Annotated[Name, Doc("what it is called"), Seen.ALL]
    level: Annotated[Level, Doc("standard 1, quality 2 or masterwork 3 dice"), Seen.ALL] = Level.STANDARD
    stated: Annotated[
        int | None, Ge(0), Le(6), Doc("the dice that its own description gives, in place of its level's"), Seen.ALL
    ] = None
    tags: Annotated[tuple[Tag, ...], Doc("its drawbacks"), Seen.ALL] = ()
    armour: Annotated[int, Ge(0), Le(3), Doc("NJ+03: what it takes off a physical hit"), Seen.ALL] = 0

    @property
    def dice(self) -> int:
        return self.level.dice if self.stated is None else self.stated
