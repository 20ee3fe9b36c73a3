"""What the custodian may do with Pressure, step by step. SS-52, SS-53."""

from __future__ import annotations

from enum import Enum

from .pressure import COSTLY, Toll


class PressureMove(Enum):
    """SS-52: the moves, each from its step on."""

    DISADVANTAGE = "disadvantage"
    SIDE_EFFECT = "side effect"
    SURCHARGE = "surcharge"
    HOSTILITY = "hostility"

    @property
    def least_step(self) -> int:
        return {PressureMove.DISADVANTAGE: 2, PressureMove.SIDE_EFFECT: 3}.get(self, COSTLY)


def moves_at(step: int, toll: Toll) -> tuple[PressureMove, ...]:
    """SS-53: what is proposed at a step. A surcharge that comes by itself need not be."""
    is_automatic = toll is Toll.AUTOMATIC
    return tuple(
        move
        for move in PressureMove
        if move.least_step <= step and not (is_automatic and move is PressureMove.SURCHARGE)
    )
