"""The roll of two players against each other: the other's total is the target."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import Rolls, d6, exploding, exploding_difference, rule

from .approaches import Dice, Explode, Lost, Statuses, Won
from .results import Reached


@rule
def opposed_approach(
    dice: Dice,
    opposing: Annotated[int, Ge(1), Le(8), Doc("The present value of the attribute that the other rolls.")],
    statuses: Statuses = 0,
    opposing_statuses: Annotated[int, Ge(-30), Le(30), Doc("All that is added to the other's total.")] = 0,
    *,
    won: Won = 1,
    lost: Lost = 1,
    explode: Explode = Explode.CHAIN,
) -> Rolls[Reached]:
    """NS-06: both roll their own approach; on a tie, whoever acts has a partial success."""
    once = explode is Explode.ONCE
    to_meet = opposing_statuses - statuses
    # NS-17: neither total has an end, but how far one is ahead of the other has a closed form.
    ahead = yield from exploding_difference(
        exploding(dice, d6, once=once), exploding(opposing, d6, once=once), low=to_meet - lost, high=to_meet + won
    )
    return Reached(ahead - to_meet)
