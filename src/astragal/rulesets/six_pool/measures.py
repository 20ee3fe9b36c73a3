"""Six-Pool d20 as a scale of chances: a level check, its points included, against a difficulty class."""

from astragal.table.measures import Measure

from .difficulty import EASIEST, HARDEST, Rung
from .trial.checks import check

_RUNGS = tuple(rung.dc for rung in Rung)

MEASURES = (
    Measure(
        game="six_pool",
        name="Six-Pool d20",
        words="a DC of {dc} with a bonus of {bonus}",
        ask=check,
        success=lambda roll: roll.success,
        # SP-05: many points have the same chance here; those on the ladder of difficulties are named first.
        ranges={
            "dc": (*_RUNGS, *(dc for dc in range(EASIEST, HARDEST + 1) if dc not in _RUNGS)),
            "bonus": range(21),
        },
        steady=True,
    ),
)
