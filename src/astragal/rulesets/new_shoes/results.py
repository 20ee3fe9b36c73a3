"""What a roll comes to. NS-05."""

from __future__ import annotations

from enum import Enum

from astragal.values import frozen


class Result(Enum):
    SUCCESS = "success"
    PARTIAL = "partial success"
    FAILURE = "failure"

    @property
    def player_narrates(self) -> bool:
        """NS-05: who beats the target tells what comes of it; otherwise the game master does."""
        return self is Result.SUCCESS


def result_of(margin: int) -> Result:
    """NS-05: over the target is a success, on it a partial one with a twist, under it a failure."""
    if margin > 0:
        return Result.SUCCESS
    return Result.PARTIAL if margin == 0 else Result.FAILURE


@frozen
class Reached:
    """How far a roll came: over the target, on it or under it, counted no further than it matters."""

    margin: int

    @property
    def result(self) -> Result:
        return result_of(self.margin)
