"""Damage: a weapon's edge against armour that a good hit wears down. SS-34 to SS-38, SS+04."""

from __future__ import annotations

from typing import Annotated, Literal

from astragal.game import Value
from astragal.game.fields import Doc, Ge, Le
from astragal.rulesets.sinew_steel.options import Companion, Edge, Item, Options, Soak
from astragal.rulesets.sinew_steel.state import Sheet
from astragal.rulesets.sinew_steel.trials.rolling import Roll

DEEPEST = 20

PIERCING = {"explosive", "plasma"}
"""SS-37: the tags of weapons that armour helps less against."""
FATAL = "fatal"
"""SS+04: the tag of weapons that fell whom they strike."""


def depth(roll: Roll) -> int:
    """SS-36: how deep an attack goes is its own margin; a natural 1 goes through everything."""
    return DEEPEST if roll.natural == 1 else roll.margin


class Blow(Value, kw_only=False):
    """A weapon against armour."""

    edge: Edge = 0
    soak: Soak = 0
    pierces: Annotated[bool, Doc("whether the weapon ignores a point of soak (option `piercing`)")] = False
    bonus_margin: Annotated[Literal[10, 11], Doc("the margin from which a hit does 1 more")] = 10
    fatal: Annotated[int, Ge(0), Le(20), Doc("the Stamina that a fatal hit takes in any case (SS+04)")] = 0

    @classmethod
    def of(cls, weapon: Item, target: Sheet, options: Options) -> Blow:
        """What this weapon does to this target. SS-37: it may pierce. SS+04: a fatal one takes all, unless the target
        has what saves.
        """
        tags = {tag.casefold() for tag in weapon.tags}
        is_saved = weapon.counter is not None and target.has(weapon.counter)
        is_fatal = FATAL in tags and options.plays(Companion.FATAL) and not is_saved
        pierces = options.piercing and not PIERCING.isdisjoint(tags)
        return cls(weapon.edge, target.soak, pierces, options.bonus_margin, target.stamina if is_fatal else 0)

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
