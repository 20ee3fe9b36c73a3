"""Duels: a hero against a threat, which never rolls: the hero strikes, then defends. NJ-13, NJ-20, NJ+03, NJ+04."""

from itertools import combinations
from operator import attrgetter
from typing import Annotated, NamedTuple, TypeAlias

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


class Wounds(NamedTuple):
    """NJ+03: filled boxes, and the grades of Conditions taken."""

    boxes: int
    conditions: frozenset[Grade]

    @property
    def dice(self) -> int:
        """Return how many dice these Conditions take."""
        return sum(grade.dice for grade in self.conditions)


def every_state_of_a_track() -> tuple[Wounds, ...]:
    """NJ+03: list the states of one track, the worst first: more dice taken by Conditions, then more boxes filled."""
    states = []
    for count in range(len(Grade) + 1):
        for conditions in combinations(Grade, count):
            states += [Wounds(boxes, frozenset(conditions)) for boxes in range(BOXES + 1)]
    return tuple(sorted(states, key=lambda wounds: (-wounds.dice, -wounds.boxes)))


HEALTH = every_state_of_a_track()
"""NJ+03: a hero's health is a place in this list, counted from 1. Harm only leads down it, and finally out."""
UNHURT = len(HEALTH)


def left(fighter: Fighter) -> Left:
    if fighter.level:
        return fighter.hits, 0
    return UNHURT, fighter.reserve


def hurt(fighter: Fighter, health: int, harm: int) -> int:
    """NJ+03: harm fills boxes, then slots, then takes a hero out. A threat has no track: its hits are counted."""
    if fighter.level or not health:
        return max(0, health - harm)
    wounds = HEALTH[health - 1]
    suffered = suffer(wounds.boxes, wounds.conditions, max(0, harm - fighter.armour))
    if suffered.taken_out:
        return 0
    conditions = wounds.conditions
    if suffered.condition is not None:
        conditions |= {suffered.condition}
    return 1 + HEALTH.index(Wounds(suffered.boxes, conditions))


Rating: TypeAlias = Annotated[int, Ge(1), Le(10), Doc("the Rating that the hand begins with")]
Helps: TypeAlias = Annotated[int, Ge(-12), Le(12), Doc("dice from all that helps, less all that hinders")]
Focus: TypeAlias = Annotated[int, Ge(0), Le(12), Doc("NJ-13: the most points that can be spent")]


def makings(rating: int, helps: int, floor: HandFloor) -> HandParts:
    """NJ-10, NJ-20: a hand of two terms: the Rating, and the sum of what helps or hinders."""
    source = Source.ASSET if helps > 0 else Source.BURDEN
    return HandParts((Term(Source.RATING, rating), Term(source, helps)), floor.dice(rating))


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


def turn(options: Options, acting: Fighter, opponent: Fighter, mine: Left, theirs: Left) -> Question[Takes]:
    """NJ+04: threats never roll, so of two fighters one is a hero and the other a threat. NJ+03: Conditions hinder."""
    if bool(acting.level) == bool(opponent.level):
        raise Refusal("In Narraject a hero fights a threat: give one of the two a level.", code="no_duel")
    if not acting.level:
        return strikes(*hand_of(acting, mine, options), opponent.level)
    stress = Threat(id="", name="", level=acting.level, boss=acting.boss).stress
    return defends(*hand_of(opponent, theirs, options), acting.level, stress=stress)


def hand_of(hero: Fighter, numbers: Left, options: Options) -> tuple[int, int, HandFloor, int]:
    """NJ-10, NJ+03: the Rating, what helps less what Conditions take, the floor, and the most Focus to spend."""
    health, reserve = numbers
    helps = hero.dice - HEALTH[health - 1].dice
    return hero.rating, helps, options.hand_floor, legal_focus(hero.rating, reserve)[-1]


def fighter_of(sheet: Sheet, _: Options) -> Fighter:
    """NJ-11: a hero fights with the better of Might and Agility."""
    stat = max((Stat.MIGHT, Stat.AGILITY), key=lambda stat: sheet.ratings[stat])
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
