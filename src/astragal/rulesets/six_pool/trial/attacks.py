"""A roll against Armour Class, and what it does. SP-08, SP-11."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, NamedTuple

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import BadNotation, Rolls, rule
from astragal.chance.notation import Expression, parse
from astragal.chance.notation.expression import Node, Number, Pool, Product, Sum, pools

from .checks import Bonus, Degree, Rerolls, Roll, Stance, check
from .footing import Footing
from .rerolls import NO_REROLLS

MOST_DAMAGE_DICE = 40
MOST_DAMAGE = 500

ArmourClass = Annotated[int, Ge(1), Le(40), Doc("the Armour Class that the total has to reach")]
Damage = Annotated[str, Doc("the damage, in dice notation")]


class Strike(NamedTuple):
    """The attack roll, and the damage that it did; none for a miss."""

    roll: Roll
    damage: int | None

    @property
    def is_critical(self) -> bool:
        """SP-11: a natural 20, and nothing else."""
        return self.roll.natural == 20

    @property
    def degree(self) -> Degree:
        """SP-12: a natural 20 is a critical hit, whatever the table makes of naturals elsewhere."""
        return Degree.CRITICAL_HIT if self.is_critical else self.roll.degree


def damage_dice(notation: str) -> Expression:
    """The dice that a text spells. `BadNotation` for what can't be read, and for more than a blow can do."""
    dice = parse(notation)
    if dice.root.span.is_open:
        raise BadNotation("damage needs an end: dice that explode again and again have none", notation, 0, "dice")
    if sum(pool.count for pool in pools(dice.root)) > MOST_DAMAGE_DICE or dice.root.span.high > MOST_DAMAGE:
        limit = f"damage has at most {MOST_DAMAGE_DICE} dice and comes to at most {MOST_DAMAGE}"
        raise BadNotation(limit, notation, 0, "fewer dice")
    return dice


def check_damage(notation: str) -> None:
    """Refuse before any die falls."""
    damage_dice(notation)


@lru_cache(maxsize=256)
def critical_dice(notation: str) -> Expression:
    """SP-11: every die twice, flat bonuses once."""
    return Expression(_twice(damage_dice(notation).root))


def _twice(node: Node) -> Node:
    match node:
        case Number():
            return node
        case Pool():
            return Sum(((1, node), (1, node)))
        case Sum(parts):
            return Sum(tuple((sign, _twice(part)) for sign, part in parts))
        case Product(first, others):
            return Product(_twice(first), tuple((sign, _twice(other)) for sign, other in others))


@rule
def damage_roll(
    damage: Damage = "1d6", critical: Annotated[bool, Doc("whether dice count twice")] = False
) -> Rolls[int]:
    """SP-08, SP-11: the damage dice, twice on a critical hit. Never less than nothing."""
    dice = critical_dice(damage) if critical else damage_dice(damage)
    dealt = yield from dice
    return max(0, dealt)


@rule
def attack(
    ac: ArmourClass,
    bonus: Bonus,
    damage: Damage = "1d6",
    stance: Stance = Footing.LEVEL,
    again: Rerolls = NO_REROLLS,
) -> Rolls[Strike]:
    """SP-08: the total against Armour Class; a hit deals its damage, a natural 20 with all dice twice."""
    check_damage(damage)
    roll = yield from check(ac, bonus, stance, again)
    if not roll.success:
        return Strike(roll, None)
    dealt = yield from damage_roll(damage, roll.natural == 20)
    return Strike(roll, dealt)


def degree(strike: Strike) -> Degree:
    """What a preview of an attack counts."""
    return strike.degree
