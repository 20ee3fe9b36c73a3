"""Rolling the hand and counting successes. NJ-04, NJ-05, NJ-20."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from typing_extensions import Doc

from astragal.chance import Rolls, d6, hits, rule
from astragal.values import frozen

from .difficulty import Successes
from .hand import Hand


class Result(Enum):
    SUCCESS = "success"
    FAILURE = "failure"


@frozen(slots=True)
class Outcome:
    """NJ-05: what was rolled, how many successes there were, and how many were wanted."""

    hand: Hand
    successes: int
    difficulty: int

    @property
    def success(self) -> bool:
        return self.successes >= self.difficulty

    @property
    def result(self) -> Result:
        return Result.SUCCESS if self.success else Result.FAILURE

    @property
    def excess(self) -> int:
        """NJ-05: successes beyond those that were wanted; a shortfall is negative."""
        return self.successes - self.difficulty


@rule
def roll_hand(hand: Annotated[Hand, Doc("NJ-10: the dice and their sources")], difficulty: Successes) -> Rolls[Outcome]:
    """NJ-05: each die of 5 or 6 is a success; as many as the difficulty, and the intent comes true.

    NJ-04: a Trivial intent needs no roll. NJ-20: an empty hand has none.
    """
    dice = hand.dice if difficulty else 0
    successes = yield from hits(dice, d6, at_least=5)
    return Outcome(hand, successes, difficulty)
