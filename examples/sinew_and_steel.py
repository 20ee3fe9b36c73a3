"""Sinew & Steel: one d20 at or under a score, and Luck that moves the die after the roll."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import Chance, Notable, Offer, Rolls, d20, highest, lowest, rule


class Footing(Enum):
    ADVANTAGE = "advantage"
    LEVEL = "level"
    DISADVANTAGE = "disadvantage"


class Side(Enum):
    ATTACKER = "attacker"
    DEFENDER = "defender"


Score = Annotated[int, Ge(0), Le(20), Doc("The attribute to roll at or under.")]
Tokens = Annotated[int, Ge(0), Le(20), Doc("The Luck tokens held: each moves one's own die by one.")]
Face = Annotated[int, Ge(1), Le(20), Doc("The die that was kept, as it fell.")]


@dataclass(frozen=True, slots=True)
class Roll:
    score: Score
    natural: Face
    nudge: int = 0

    @property
    def is_locked(self) -> bool:
        return self.natural in (1, 20)

    @property
    def margin(self) -> int:
        return self.score - self.natural - self.nudge

    @property
    def success(self) -> bool:
        """SS-02: a natural 1 always succeeds and a natural 20 never does, whatever the score."""
        return self.natural == 1 or (self.natural != 20 and self.margin >= 0)

    def nudges(self, tokens: int) -> tuple[int, ...]:
        """SS-21: the moves that these tokens allow, nearest first; down is better. A natural 1 or 20 stays."""
        if self.is_locked:
            return (0,)
        lowest_face = max(1, self.natural - tokens)
        highest_face = min(20, self.natural + tokens)
        within_reach = [face - self.natural for face in range(lowest_face, highest_face + 1)]
        return tuple(sorted(within_reach, key=abs))


@dataclass(frozen=True, slots=True)
class Clash:
    attack: Roll
    defence: Roll

    @property
    def winner(self) -> Side:
        """SS-07, SS-08: success beats failure, then the greater margin wins; all else is the defender's."""
        if not self.attack.success:
            return Side.DEFENDER
        if not self.defence.success or self.attack.margin > self.defence.margin:
            return Side.ATTACKER
        return Side.DEFENDER

    def roll_of(self, side: Side) -> Roll:
        return self.attack if side is Side.ATTACKER else self.defence

    def nudged(self, side: Side, nudge: int) -> "Clash":
        moved = replace(self.roll_of(side), nudge=nudge)
        if side is Side.ATTACKER:
            return replace(self, attack=moved)
        return replace(self, defence=moved)


def d20_on(footing: Footing) -> Chance[int]:
    """SS-04: two dice, the lower on advantage, the higher on disadvantage."""
    match footing:
        case Footing.ADVANTAGE:
            return lowest(2, d20)
        case Footing.DISADVANTAGE:
            return highest(2, d20)
        case Footing.LEVEL:
            return d20


@rule
def simple_test(score: Score, footing: Footing = Footing.LEVEL) -> Rolls[Roll]:
    """SS-01: roll at or under the score."""
    natural = yield from d20_on(footing)
    return Roll(score, natural)


@rule
def lucky_test(score: Score, tokens: Tokens, footing: Footing = Footing.LEVEL) -> Rolls[Roll]:
    """SS-25: a failure that Luck could mend is offered at its price."""
    roll = yield from simple_test(score, footing)
    nudges = roll.nudges(tokens)
    mending_nudge = roll.margin
    if roll.success or roll.is_locked or mending_nudge not in nudges:
        return roll
    mended = replace(roll, nudge=mending_nudge)
    notable = Notable(mending_nudge, price=abs(mending_nudge), result=mended)
    nudge = yield from Offer("roller", "spend Luck", nudges, (notable,), about=roll)
    return replace(roll, nudge=nudge)


@rule
def opposed_test(
    attacker: Score,
    defender: Score,
    attacker_footing: Footing = Footing.LEVEL,
    defender_footing: Footing = Footing.LEVEL,
) -> Rolls[Side]:
    """SS-07: both roll under their own score, each on their own footing."""
    attack = yield from simple_test(attacker, attacker_footing)
    defence = yield from simple_test(defender, defender_footing)
    return Clash(attack, defence).winner


def cheapest_win(side: Side, clash: Clash, nudges: tuple[int, ...]) -> int | None:
    """The smallest move with which the side wins; None if it can't."""
    for nudge in nudges:
        if clash.nudged(side, nudge).winner is side:
            return nudge
    return None


@rule
def spend_luck(side: Side, clash: Clash, tokens: Tokens) -> Rolls[Clash]:
    """SS-21: a side that can win by moving its own die within the reach of its Luck decides how far to move it."""
    nudges = clash.roll_of(side).nudges(tokens)
    cheapest = cheapest_win(side, clash, nudges)
    if nudges == (0,) or cheapest is None:
        return clash
    notable = []
    if cheapest != 0:
        won = clash.nudged(side, cheapest)
        notable.append(Notable(cheapest, price=abs(cheapest), result=won))
    nudge = yield from Offer(side.value, "spend Luck", nudges, tuple(notable), about=clash)
    return clash.nudged(side, nudge)


@rule
def lucky_opposed_test(
    attacker: Score, attacker_tokens: Tokens, defender: Score, defender_tokens: Tokens
) -> Rolls[Clash]:
    """SS-23: with both dice on the table the attacker decides about Luck once, then the defender answers."""
    attack = yield from simple_test(attacker)
    defence = yield from simple_test(defender)
    clash = Clash(attack, defence)
    if clash.winner is Side.DEFENDER or defender_tokens:  # a winner whom nobody can answer has nothing to decide
        clash = yield from spend_luck(Side.ATTACKER, clash, attacker_tokens)
    if clash.winner is Side.ATTACKER:
        clash = yield from spend_luck(Side.DEFENDER, clash, defender_tokens)
    return clash
