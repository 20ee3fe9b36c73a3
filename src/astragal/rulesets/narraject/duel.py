"""Duels: a hero against a threat, which never rolls: the hero strikes, then defends. NJ-13, NJ-20, NJ+03, NJ+04."""

from itertools import combinations
from operator import attrgetter
from typing import Annotated, TypeAlias

from astragal.chance import Offer, Question, Rolls, rule
from astragal.game import Duel, Left, Refusal, Takes, Value, spends_most
from astragal.game.fields import Doc, Ge, Le

from .gathering import legal_focus
from .hand import HandFloor, HandParts, Source, Successes, Term, roll_hand
from .harm import suffer
from .state import BOXES, Grade, Options, Sheet, Stat, Threat


class Fighter(Value):
    """Numbers of a hero, or of a threat if it has a level."""

    rating: Annotated[int, Ge(1), Le(10), Doc("the Rating that the hero fights with")] = 3
    reserve: Annotated[int, Ge(0), Le(32), Doc("points of Focus at hand")] = 11
    dice: Annotated[int, Ge(-6), Le(12), Doc("dice from Anchors, Assets and aspects, less Burdens")] = 0
    armour: Annotated[int, Ge(0), Le(3), Doc("what armour takes off a hit")] = 0
    level: Annotated[int, Ge(0), Le(20), Doc("the level of a threat; 0 is a hero")] = 0
    boss: Annotated[bool, Doc("whether a failed defence costs 1 more")] = False
    hits: Annotated[int, Ge(1), Le(12), Doc("how often a threat has to be hit; the book leaves it to the table")] = 2


Wounds = tuple[int, frozenset[Grade]]
"""Filled boxes, and the grades of Conditions taken."""

HEALTH: tuple[Wounds, ...] = tuple(
    sorted(
        (
            (boxes, frozenset(taken))
            for count in range(len(Grade) + 1)
            for taken in combinations(Grade, count)
            for boxes in range(BOXES + 1)
        ),
        key=lambda wounds: (-sum(grade.dice for grade in wounds[1]), -wounds[0]),
    )
)
"""NJ+03: every state of one track, the worst first. Harm only leads to a worse one, and finally out."""
UNHURT = len(HEALTH)


def left(fighter: Fighter) -> Left:
    return (fighter.hits, 0) if fighter.level else (UNHURT, fighter.reserve)


def hurt(fighter: Fighter, now: int, harm: int) -> int:
    """NJ+03: harm fills boxes, then slots, then takes a hero out. A threat has no track: its hits are counted."""
    if fighter.level or not now:
        return max(0, now - harm)
    boxes, taken = HEALTH[now - 1]
    suffered = suffer(boxes, taken, max(0, harm - fighter.armour))
    if suffered.taken_out:
        return 0
    return 1 + HEALTH.index((suffered.boxes, taken | {suffered.condition} if suffered.condition else taken))


Rating: TypeAlias = Annotated[int, Ge(1), Le(10), Doc("the Rating that the hand begins with")]
Helps: TypeAlias = Annotated[int, Ge(-12), Le(12), Doc("dice from all that helps, less all that hinders")]
Focus: TypeAlias = Annotated[int, Ge(0), Le(12), Doc("NJ-13: the most points that can be spent")]


def makings(rating: int, helps: int, floor: HandFloor) -> HandParts:
    """NJ-10, NJ-20: a hand of two terms: the Rating, and the sum of what helps or hinders."""
    other = Term(Source.ASSET if helps > 0 else Source.BURDEN, helps)
    return HandParts((Term(Source.RATING, rating), other), floor.dice(rating))


@rule
def strikes(rating: Rating, helps: Helps, floor: HandFloor, most: Focus, level: Successes) -> Rolls[Takes]:
    """NJ-13, NJ+04: Focus is declared, then a hand is rolled against the threat's level."""
    spent = yield from Offer("attacker", "focus", tuple(range(most + 1)))
    outcome = yield from roll_hand(makings(rating, helps, floor).hand(spent), level)
    return Takes((0, spent), (int(outcome.success), 0))


@rule
def defends(
    rating: Rating,
    helps: Helps,
    floor: HandFloor,
    most: Focus,
    level: Successes,
    *,
    stress: Annotated[int, Ge(0), Le(22), Doc("what a failure costs")],
) -> Rolls[Takes]:
    """NJ+04: a failed defence costs stress."""
    spent = yield from Offer("defender", "focus", tuple(range(most + 1)))
    outcome = yield from roll_hand(makings(rating, helps, floor).hand(spent), level)
    return Takes((0, 0), (0 if outcome.success else stress, spent))


def turn(options: Options, acting: Fighter, other: Fighter, mine: Left, theirs: Left) -> Question[Takes]:
    """NJ+04: threats never roll, so of two fighters one is a hero and the other a threat. NJ+03: Conditions hinder."""
    if bool(acting.level) == bool(other.level):
        raise Refusal("In Narraject a hero fights a threat: give one of the two a level.", code="no_duel")
    hero, (health, reserve) = (other, theirs) if acting.level else (acting, mine)
    helps = hero.dice - sum(grade.dice for grade in HEALTH[health - 1][1])
    hand = hero.rating, helps, options.hand_floor, legal_focus(hero.rating, reserve)[-1]
    if not acting.level:
        return strikes(*hand, other.level)
    stress = Threat(id="", name="", level=acting.level, boss=acting.boss).stress
    return defends(*hand, acting.level, stress=stress)


def fighter_of(sheet: Sheet, _: Options) -> Fighter:
    """NJ-11: a hero fights with the better of Might and Agility."""
    stat = max((Stat.MIGHT, Stat.AGILITY), key=lambda one: sheet.ratings[one])
    return Fighter(rating=sheet.ratings[stat], reserve=max(0, sheet.reserves[stat]), armour=sheet.armour)


DUEL = Duel(
    fighter=Fighter,
    lasts=left,
    names=(f"health (of {UNHURT})", "Reserve"),
    turn=turn,
    greedy=spends_most,
    foes={f"threat {level}": Fighter(level=level) for level in (1, 2, 3, 4)},
    of=fighter_of,
    is_down=attrgetter("taken_out"),
    hurt=hurt,
    about="A hero strikes, then defends, with one stat; a threat is over after so many hits, which the table says.",
)
