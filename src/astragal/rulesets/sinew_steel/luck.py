"""Luck: tokens that move a die after it was seen, and the score that is left of them. SS-20 to SS-29."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, TypeAlias

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import Notable, Offer, Rolls, d4, rule

from .rolling import Degree, Footing, Roll, Score, simple_test

Tokens: TypeAlias = Annotated[int, Ge(0), Le(20), Doc("Luck tokens that may be spent on this roll")]

SPEND = "luck"
"""The name of the offer to spend Luck."""
LETHAL = "lethal stakes"
"""The name of the warning that comes before a roll for life or death."""
UNDERSTOOD = "understood"


class LuckTarget(Enum):
    """SS-24: what a Luck test is rolled against while tokens are spent on it."""

    LIVE = "live"
    """The tokens left: each token spent lowers the score with the die, so nothing is offered."""
    FROZEN = "frozen"
    """The tokens held before the roll."""


@dataclass(frozen=True, slots=True)
class Stand:
    """How somebody goes into a roll, besides the score."""

    footing: Annotated[Footing, Doc("one die, or which of two is kept")] = Footing.LEVEL
    luck: Tokens = 0
    closed: Annotated[bool, Doc("whether the other side can't see this roll's numbers")] = False
    always_asked: Annotated[bool, Doc("whether to stop for Luck even where no spend changes anything")] = False


LEVEL = Stand()


@dataclass(frozen=True, slots=True)
class Cost:
    """SS-25: what a spend takes now, and what Luck tests fall to after it, in percent."""

    tokens: int
    left: int
    luck_before: int
    luck_after: int


@dataclass(frozen=True, slots=True)
class Prospect:
    """SS-25: what a spend leads to. What does not apply, or can't be known, is None."""

    success: bool
    margin: int
    wins: bool | None = None
    soak_left: int | None = None
    damage: int | None = None
    before_the_answer: bool = False
    """SS-23: the defence has yet to answer."""

    def changes(self, other: Prospect) -> bool:
        """A deeper margin alone changes nothing, nor does success that still loses, nor soak while the damage stays."""
        if self.damage != other.damage:
            return True
        return self.success != other.success if self.wins is None else self.wins != other.wins


# ---------------------------------------------------------------- what may be spent


def nudges(roll: Roll, tokens: int) -> tuple[int, ...]:
    """SS-21: every legal nudge: none, then towards 1, then towards 20. Naturals are locked."""
    if roll.is_locked:
        return (0,)
    down = range(-1, -min(tokens, roll.natural - 1) - 1, -1)
    up = range(1, min(tokens, 20 - roll.natural) + 1)
    return (0, *down, *up)


def cost(tokens: int, held: int) -> Cost:
    """SS-20, SS-25: a Luck test is against the tokens that are left."""
    return Cost(tokens, held - tokens, luck_percent(held), luck_percent(held - tokens))


def luck_percent(tokens: int) -> int:
    """The chance of a straight Luck test: five in a hundred for each face that succeeds, 1 always and 20 never."""
    return 5 * min(19, max(1, tokens))


Spends: TypeAlias = tuple[Notable[int], ...]


def spends(roll: Roll, luck: int, margins: Iterable[int], foresee: Callable[[bool, int], Prospect]) -> Spends:
    """SS-25: the fewest tokens that reach each margin that matters, where they are held and change something.

    `foresee` says what a success or failure with a margin comes to. A nudged die that reaches 0 or more succeeds.
    """
    margin, reach = roll.margin, min(luck, roll.natural - 1)
    within = sorted(one for one in margins if margin < one <= margin + reach)
    if roll.is_locked or not within:
        return ()
    found, last = [], foresee(roll.success, margin)
    for one in within:
        then = foresee(one >= 0, one)
        if then.changes(last):
            found.append(Notable(margin - one, cost(one - margin, luck), then))
            last = then
    return tuple(found)


def offered(side: str, roll: Roll, stand: Stand, notable: Spends) -> Rolls[Roll]:
    """SS-25: nothing is asked where nothing changes, unless somebody wants to be asked."""
    if not notable and not stand.always_asked:
        return roll
    options = nudges(roll, stand.luck)
    if len(options) == 1:
        return roll
    nudge = yield from Offer(side, SPEND, options, notable)
    return roll.nudged(nudge)


def warning(side: str) -> Rolls[str]:
    """SS-41: whose life is at stake is told so before any die falls."""
    return (yield from Offer(side, LETHAL, (UNDERSTOOD,)))


def spend_to_succeed(offer: Offer[Any]) -> Any:
    """A way to decide: take the cheapest spend that changes something."""
    return offer.notable[0].answer if offer.notable else offer.default


# ---------------------------------------------------------------- the rules


@rule
def nudged_test(
    score: Score,
    stand: Stand = LEVEL,
    lethal: Annotated[bool, Doc("whether life is at stake, so that the roller is warned first")] = False,
) -> Rolls[Roll]:
    """SS-21, SS-25: a test whose roller may then spend Luck on the die."""
    if lethal:
        yield from warning("who")
    roll = yield from simple_test(score, stand.footing)
    return (yield from offered("who", roll, stand, spends(roll, stand.luck, (0,), Prospect)))


@rule
def luck_test(
    tokens: Annotated[int, Ge(0), Le(20), Doc("Luck tokens now held, the score of the test")],
    stance: Annotated[Footing, Doc("one die, or which of two is kept")] = Footing.LEVEL,
    target: Annotated[LuckTarget, Doc("what is rolled against while tokens are spent")] = LuckTarget.LIVE,
    lethal: Annotated[bool, Doc("whether life is at stake, so that the roller is warned first")] = False,
) -> Rolls[Roll]:
    """SS-20, SS-24: against the tokens held; only a frozen target can be nudged for.

    SS-29: where life is at stake the custodian is reminded that bad luck should sting, not kill.
    """
    if lethal:
        yield from warning("custodian")
    spendable = tokens if target is LuckTarget.FROZEN else 0
    return (yield from nudged_test(tokens, Stand(stance, spendable), lethal))


@dataclass(frozen=True, slots=True)
class Blessing:
    """SS-26: what was rolled, and how much of it the pool had room for."""

    face: int
    gained: int


@rule
def blessing(room: Annotated[int, Ge(0), Le(20), Doc("tokens that the pool still has room for")]) -> Rolls[Blessing]:
    """SS-26: 1d4 tokens, never past the pool's size."""
    face = yield from d4
    return Blessing(face, min(face, room))


def degree(roll: Roll) -> Degree:
    """What a preview of a test counts."""
    return roll.degree
