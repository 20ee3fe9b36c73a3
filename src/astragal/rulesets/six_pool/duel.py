"""Duels: attacks in turn until somebody is down, points declared before each. SP-03, SP-08, SP-20, SP+04, SP+05."""

from operator import attrgetter
from typing import Annotated

from astragal.chance import Offer, Question, Rolls, rule
from astragal.game import Duel, Left, Takes, Value, spends_most
from astragal.game.fields import Doc, Ge, Le
from astragal.game.rolls import Footing

from .attacks import ArmourClass, Damage, attack
from .catalogue import Pool
from .pools import doubled_points, edge_bonus, effort_limit, worth
from .rolls import Bonus, Stance, proficiency
from .state import USUAL_DAMAGE, Manner, Options, Sheet


class Fighter(Value):
    """Numbers that a fighter brings into a duel."""

    bonus: Annotated[int, Ge(-5), Le(30), Doc("proficiency and what else is always added, without Edge")] = 2
    armour_class: ArmourClass = 12
    hit_points: Annotated[int, Ge(1), Le(60), Doc("hit points when the fight begins")] = 12
    damage: Damage = USUAL_DAMAGE
    points: Annotated[int, Ge(0), Le(30), Doc("points in the pool that attacks are rolled with")] = 0
    limit: Annotated[int, Ge(0), Le(9), Doc("points that may go into one roll")] = 3
    edge: Annotated[int, Ge(0), Le(3), Doc("Edge in that pool")] = 0


@rule
def blow(
    ac: ArmourClass,
    bonus: Bonus,
    damage: Damage = USUAL_DAMAGE,
    stance: Stance = Footing.LEVEL,
    *,
    most: Annotated[int, Ge(0), Le(9), Doc("points that may be spent")],
    doubled: Annotated[int, Ge(0), Le(4), Doc("of these, points that count double")],
) -> Rolls[Takes]:
    """SP-03, SP-08: points are declared, then the attack is rolled."""
    points = yield from Offer("attacker", "effort", tuple(range(most + 1)))
    strike = yield from attack(ac, bonus + worth(points, doubled), damage, stance)
    attacker_loses = (0, points)
    defender_loses = (strike.damage or 0, 0)
    return Takes(attacker_loses, defender_loses)


def turn(options: Options, acting: Fighter, other: Fighter, mine: Left, _: Left) -> Question[Takes]:
    """SP+05: a pool at 0 is broken and gives disadvantage; a fighter who never had points has nothing that breaks."""
    _hit_points, points_left = mine
    is_broken = options.broken_pools and acting.points > 0 and points_left == 0
    return blow(
        other.armour_class,
        acting.bonus + edge_bonus(acting.edge, options.edge),
        acting.damage,
        Footing.DISADVANTAGE if is_broken else Footing.LEVEL,
        most=min(acting.limit, points_left),
        doubled=doubled_points(acting.edge, options.edge),
    )


def fighter_of(sheet: Sheet, _: Options) -> Fighter:
    """SP-08: a fighter attacks with the first weapon carried."""
    numbers = sheet.numbers
    manner = Manner.MELEE
    damage = USUAL_DAMAGE
    if sheet.weapons:
        manner = sheet.weapons[0].manner
        damage = sheet.weapons[0].damage
    pool = sheet.pool_for(manner) or Pool.STR
    points = numbers.pool(pool)
    return Fighter(
        bonus=proficiency(numbers.level),
        armour_class=numbers.armour_class,
        hit_points=max(1, numbers.hit_points),
        damage=damage,
        points=points.now,
        limit=effort_limit(numbers.level, primary=sheet.primary is pool),
        edge=points.edge,
    )


DUEL = Duel(
    fighter=Fighter,
    fields=("hit_points", "points"),
    names=("hit points", "points"),
    turn=turn,
    greedy=spends_most,
    foes={
        "guard": Fighter(hit_points=10, armour_class=12),
        "veteran": Fighter(bonus=4, hit_points=16, armour_class=14, damage="1d8+1"),
        "champion": Fighter(bonus=6, hit_points=24, armour_class=16, damage="1d8+3"),
    },
    of=fighter_of,
    is_down=attrgetter("numbers.is_down"),
    about="Each side attacks in turn with one weapon and one pool; rerolls and Inspiration are left out.",
)
