"""What a hit comes to: a weapon's edge against armour that a good hit wears down. SS-34 to SS-37."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.values import frozen

from .rolling import Roll

Edge: TypeAlias = Annotated[int, Ge(0), Le(2), Doc("what the weapon adds: 0 light, 1 standard, 2 brutal")]
Soak: TypeAlias = Annotated[int, Ge(0), Le(3), Doc("what the armour takes off: 0 none, 3 the heaviest")]

DEEPEST = 20


def depth(roll: Roll) -> int:
    """SS-36: how deep an attack goes is its own margin; a natural 1 goes through everything."""
    return DEEPEST if roll.natural == 1 else roll.margin


@frozen(slots=True)
class Blow:
    """A weapon against armour."""

    edge: Edge = 0
    soak: Soak = 0
    pierces: Annotated[bool, Doc("whether the weapon ignores a point of soak (option `piercing`)")] = False
    bonus_margin: Annotated[Literal[10, 11], Doc("the margin from which a hit does 1 more")] = 10
    fatal: Annotated[int, Ge(0), Le(20), Doc("the Stamina that a fatal hit takes in any case (SS+04)")] = 0

    def damage(self, depth: int) -> int:
        """SS-34, SS+04: 1 + edge + bonus − effective soak, at least 0; all that is left where the weapon is fatal."""
        return max(self.fatal, 1 + self.edge + self.bonus(depth) - self.soak_left(depth))

    def bonus(self, depth: int) -> int:
        """SS-35: 1 on a natural 1 or a great margin, never 2."""
        return 1 if depth >= self.bonus_margin else 0

    def soak_left(self, depth: int) -> int:
        """SS-36, SS-37: a point is ignored by what pierces, and one is worn off by every full 4 of the margin."""
        return max(0, self.soak - self.pierces - depth // 4)

    @property
    def turns(self) -> tuple[int, ...]:
        """SS-25, SS-38: the margins at which soak goes or the bonus comes."""
        return (*(4, 8, 12)[: self.soak], self.bonus_margin)
