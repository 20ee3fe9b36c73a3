"""One die against a score: SS-01 to SS-06."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, NamedTuple, TypeAlias

from astragal.chance import Rolls, d20, rule
from astragal.game.fields import Doc, Ge, Le, Usual
from astragal.game.rolls import Footing

Score: TypeAlias = Annotated[int, Ge(0), Le(20), Usual(4, 16), Doc("what the die has to stay at or under")]
"""SS+03: those whom players do not see through have 4, the worst of the lowest tier, to 16."""


class Degree(Enum):
    """How a roll came out."""

    EXTRAORDINARY = "extraordinary success"
    SUCCESS = "success"
    FAILURE = "failure"
    CATASTROPHE = "catastrophe"


class Roll(NamedTuple):
    """The die that was kept, the score it was rolled against, how far Luck moved it, and who paid for that.

    A tuple, as are the values made of it: odds count them by the hundred.
    """

    natural: int
    score: int
    nudge: int = 0
    surcharge: int = 0
    """SS-53: what the decision to move it cost on top."""
    favours: int = 0
    """SS-67: tokens of the ally among those that paid."""

    @property
    def die(self) -> int:
        return self.natural + self.nudge

    @property
    def margin(self) -> int:
        """SS-03: what the score leaves over, below 0 for a failure."""
        return self.score - self.natural - self.nudge

    @property
    def lacking(self) -> int:
        """How far the die would have to come down to be at the score."""
        return max(0, -self.margin)

    @property
    def is_locked(self) -> bool:
        """SS-06, SS-21, SS-22: a natural 1 or 20 stays what it is; a die that was moved there is not natural."""
        return self.natural in (1, 20)

    @property
    def success(self) -> bool:
        """SS-01, SS-02: at or under the score; a natural 1 always, a natural 20 never."""
        return self.natural == 1 or (self.natural != 20 and self.die <= self.score)

    @property
    def success_margin(self) -> int | None:
        """SS-07: what a success counts for against another's; a failure counts for nothing, however near it was."""
        return self.margin if self.success else None

    @property
    def degree(self) -> Degree:
        if self.natural == 1:
            return Degree.EXTRAORDINARY
        if self.natural == 20:
            return Degree.CATASTROPHE
        return Degree.SUCCESS if self.success else Degree.FAILURE

    @property
    def spent(self) -> int:
        """SS-21, SS-53: the roller's own tokens: one for each point the die was moved, and the surcharge."""
        return abs(self.nudge) + self.surcharge - self.favours

    def nudged(self, nudge: int, surcharge: int, favours: int) -> Roll:
        """The roll after a decision; one that moves nothing costs nothing."""
        return Roll(self.natural, self.score, nudge, surcharge, favours) if nudge else self


@rule
def simple_test(
    score: Score, stance: Annotated[Footing, Doc("one die, or which of two is kept")] = Footing.LEVEL
) -> Rolls[Roll]:
    """SS-01: one d20 against a score, before any Luck."""
    natural = yield from stance.die(d20, low=True)  # SS-04: advantage keeps the lower of two dice
    return Roll(natural, score)
