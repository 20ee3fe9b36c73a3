"""Wealth against what things cost. SS+02."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, NamedTuple, TypeAlias

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import Offer, Rolls, rule

from .luck import Favours, LuckTarget, Surcharge, luck_test
from .pressure import Carried, Crisis, Step, rising
from .rolling import Footing, Roll

Wealth: TypeAlias = Annotated[int, Ge(0), Le(4), Doc("0 broke, 1 poor, 2 steady, 3 flush, 4 rich")]


class Deal(Enum):
    """SS+02: what a purchase comes to."""

    AFFORDED = "afforded"
    WEALTH = "1 Wealth"
    COMPLICATION = "a complication"
    DEBT = "a debt"
    PRESSURE = "1 Pressure"
    FAVOUR = "a favour owed"
    NOTHING = "nothing"
    """It is not bought."""


HARD = (Deal.NOTHING, Deal.DEBT, Deal.PRESSURE, Deal.FAVOUR)
"""What is left when Luck fails."""


class Purchase(NamedTuple):
    deal: Deal
    roll: Roll | None = None
    crisis: Crisis | None = None


@rule
def purchase(
    wealth: Wealth,
    tier: Annotated[int, Ge(0), Le(4), Doc("how dear it is")],
    *,
    large: Annotated[bool, Doc("whether it costs Wealth though it can be afforded")] = False,
    tokens: Annotated[int, Ge(0), Le(20), Doc("Luck tokens now held, the score of the test")] = 0,
    stance: Annotated[Footing, Doc("one die, or which of two is kept")] = Footing.LEVEL,
    target: Annotated[LuckTarget, Doc("what is rolled against while tokens are spent")] = LuckTarget.LIVE,
    before: Step = 0,
    carried: Carried = (),
    surcharge: Surcharge = 0,
    favours: Favours = 0,
) -> Rolls[Purchase]:
    """SS+02: affordable at or above the tier; below it, a test of Luck says at what price."""
    if wealth >= tier:
        return Purchase(Deal.WEALTH if large and wealth else Deal.AFFORDED)
    roll = yield from luck_test(tokens, stance, target, surcharge=surcharge, favours=favours)
    if roll.success:
        priced = (Deal.COMPLICATION, Deal.WEALTH) if wealth else (Deal.COMPLICATION,)
        return Purchase((yield from Offer("who", "price", priced)), roll)
    deal = yield from Offer("who", "hard cost", HARD)
    if deal is not Deal.PRESSURE:
        return Purchase(deal, roll)
    return Purchase(deal, roll, (yield from rising(before, 1, carried)))
