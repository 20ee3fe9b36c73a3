"""Which side acts first, where a table wants an order. SS+05."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from astragal.chance import Rolls, d20, rerolled, rule


class FightingSide(Enum):
    HEROES = "heroes"
    FOES = "foes"


class SideOrder(NamedTuple):
    heroes: int
    foes: int

    @property
    def first(self) -> FightingSide:
        return FightingSide.HEROES if self.heroes > self.foes else FightingSide.FOES


@rule
def side_order() -> Rolls[SideOrder]:
    """SS+05: one d20 each, higher first; the second die is thrown again while it shows the same."""
    heroes = yield from d20
    foes = yield from rerolled(d20, (heroes,))
    return SideOrder(heroes, foes)
