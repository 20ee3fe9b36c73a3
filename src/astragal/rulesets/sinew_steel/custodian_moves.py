"""What the custodian can do when the players stall: dealt by a die. SS-66."""

from __future__ import annotations

from enum import Enum

from astragal.chance import Rolls, d4, rule


class CustodianMove(Enum):
    ESCALATE = "escalate a clock"
    OMEN = "reveal an omen"
    TERRAIN = "shift the terrain"
    BARGAIN = "offer a harsh bargain"


@rule
def custodian_move() -> Rolls[CustodianMove]:
    """SS-66: one of four, each as likely as the others."""
    face = yield from d4
    return tuple(CustodianMove)[face - 1]
