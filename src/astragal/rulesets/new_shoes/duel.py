"""Duels: approaches meant to harm, in turn, until an attribute is gone. NS-06, NS-08, NS-10, NS-12, NS-15."""

from operator import attrgetter
from typing import Annotated

from astragal.chance import Question, Rolls, decline, rule
from astragal.game import Duel, Left, Refusal, Takes, Value
from astragal.game.fields import Doc, Ge, Le

from .rules import Dice, Lost, Statuses, Target, Won, approach, opposed_approach
from .state import WORN_OUT, Attribute, Explode, Options, Sheet


class Fighter(Value):
    """Numbers of a player's character or, with a target, of someone whom the game master plays."""

    dice: Dice = 4
    statuses: Statuses = 0
    target: Annotated[int, Ge(0), Le(40), Doc("what has to be beaten, of those who never roll; 0 rolls")] = 0
    endures: Annotated[
        int, Ge(1), Le(20), Doc("what one with a target can take (NS-15: 5, without attributes)")
    ] = -WORN_OUT


@rule
def clash(
    dice: Dice,
    opposing: Dice,
    statuses: Statuses,
    opposing_statuses: Statuses,
    *,
    won: Won,
    lost: Lost,
    explode: Explode,
) -> Rolls[Takes]:
    """NS-06, NS-10: both approaches mean harm, so the difference harms the side that rolled less."""
    reached = yield from opposed_approach(
        dice, opposing, statuses, opposing_statuses, won=won, lost=lost, explode=explode
    )
    margin = reached.margin
    return Takes((max(0, -margin),), (max(0, margin),))


@rule
def strikes(dice: Dice, target: Target, statuses: Statuses, won: Won, explode: Explode) -> Rolls[Takes]:
    """NS-10: a success harms by the difference."""
    reached = yield from approach(dice, target, statuses, won=won, explode=explode)
    return Takes((0,), (max(0, reached.margin),))


@rule
def defends(dice: Dice, target: Target, statuses: Statuses, lost: Lost, explode: Explode) -> Rolls[Takes]:
    """NS-08, NS-10: a failed reaction costs the difference."""
    reached = yield from approach(dice, target, statuses, lost=lost, explode=explode)
    return Takes((0,), (max(0, -reached.margin),))


def left(fighter: Fighter) -> Left:
    return (fighter.endures if fighter.target else fighter.dice,)


def turn(options: Options, acting: Fighter, opponent: Fighter, mine: Left, theirs: Left) -> Question[Takes]:
    """NS-11: one approach, with as many dice as are left."""
    explode = options.explode
    (my_dice,) = mine
    (their_dice,) = theirs
    if acting.target and opponent.target:
        raise Refusal("In New Shoes only players roll: one of the two needs dice, not a target.", code="no_duel")
    if opponent.target:
        return strikes(my_dice, opponent.target, acting.statuses, their_dice, explode)
    if acting.target:
        return defends(their_dice, acting.target, opponent.statuses, their_dice, explode)
    return clash(my_dice, their_dice, acting.statuses, opponent.statuses, won=their_dice, lost=my_dice, explode=explode)


def fighter_of(sheet: Sheet, _: Options) -> Fighter:
    """NS-02: a character as a fighter, with the attribute that has most dice."""
    return Fighter(dice=max(1, *(sheet.dice(attribute) for attribute in Attribute)))


DUEL = Duel(
    fighter=Fighter,
    lasts=left,
    names=("dice",),
    turn=turn,
    greedy=decline,
    foes={f"target {target}": Fighter(target=target) for target in (4, 8, 12, 16)},
    of=fighter_of,
    is_down=attrgetter("knocked_out"),
    about="Each side fights with one attribute, which is what it loses; of two players both mean harm.",
)
