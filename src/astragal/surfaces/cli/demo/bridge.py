"""A rule for the demonstration: small enough to be printed whole."""

from enum import Enum
from typing import Annotated

from annotated_types import Ge, Le

from astragal.chance import Offer, Rolls, d6, rule, total

Nerve = Annotated[int, Ge(2), Le(12)]


class Crossing(Enum):
    """How it went."""

    SAFE = "across, dry and proud"
    BRUISED = "across, with a bruise"
    BACK = "back where you were"
    FALLEN = "in the river"


@rule
def cross_the_bridge(nerve: Nerve) -> Rolls[Crossing]:
    """Two dice at or under your nerve carry you over. If not, turn back, or jump for it."""
    if (yield from total(2, d6)) <= nerve:
        return Crossing.SAFE
    if not (yield from Offer("hero", "jump", (False, True))):
        return Crossing.BACK
    jump = yield from total(2, d6)
    return Crossing.BRUISED if jump <= nerve else Crossing.FALLEN
