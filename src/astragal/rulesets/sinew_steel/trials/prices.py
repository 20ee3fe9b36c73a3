"""The price of a failure: Pressure that a failed test adds, and Stamina that it takes. SS-09, SS-30, SS-51."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeAlias

from astragal.chance import Rolls, rule
from astragal.game import Character, Refusal, Seen, Teller, Value
from astragal.game.fields import Doc, Ge, Le, Seldom, Whose
from astragal.game.shared import Fate, Request
from astragal.rulesets.sinew_steel.combat.stamina import STAMINA_METER
from astragal.rulesets.sinew_steel.luck import LEVEL, Stand, nudged_test
from astragal.rulesets.sinew_steel.pressure.crises import (
    Crisis,
    Possessions,
    TrackStep,
    check_free,
    losable,
    rising,
    told_rise,
)
from astragal.rulesets.sinew_steel.pressure.tracks import step, track_of
from astragal.rulesets.sinew_steel.state import Call, Sheet, find_hero

from .rolling import Roll, Score

PressureOnFailure: TypeAlias = Annotated[
    int, Ge(0), Le(5), Whose.PROPOSAL, Seldom(), Doc("by how much Pressure rises if it fails")
]
StaminaOnFailure: TypeAlias = Annotated[int, Ge(0), Le(5), Whose.PROPOSAL, Seldom(), Doc("Stamina lost if it fails")]


class FailurePrice(Value, kw_only=False, seen=Seen.ALL):
    """What a failure costs. It is named before the roll, and the roll applies it."""

    pressure: Annotated[int, Ge(0), Le(5), Doc("by how much Pressure rises")] = 0
    stamina: Annotated[int, Ge(0), Le(5), Doc("Stamina lost")] = 0

    def __bool__(self) -> bool:
        return bool(self.pressure or self.stamina)

    @classmethod
    def of(cls, pressure: int, stamina: int, request: Request | None, lethal: Fate | None) -> FailurePrice:
        """SS-09: as the request has it, or else the roll. SS-41: an agreed fate is the price of a lethal roll."""
        asked = request.fields if request else {}
        pressure = figure(asked.get("pressure_on_failure"), pressure)
        price = cls(pressure, figure(asked.get("stamina_on_failure"), stamina))
        if price and lethal:
            raise Refusal("Lethal stakes are the price already: name one or the other.", code="lethal")
        return price

    def words(self, teller: Teller) -> str:
        named = {"pressure": self.pressure, "stamina": self.stamina}
        return " and ".join(f"{number} {teller.term(name)}" for name, number in named.items() if number)


def figure(asked: object, said: int) -> int:
    """The request's figure, where it has one; requests may hold anything."""
    return min(5, max(0, asked)) if isinstance(asked, int) else said


ONE_PRESSURE = FailurePrice(pressure=1)
"""SS-51, SS-67: the price of a tampering and of a ritual."""


class Tampering(NamedTuple):
    """A risky test, and the crisis where its failure was one too many."""

    roll: Roll
    crisis: Crisis | None = None


@rule
def tampering(
    score: Score,
    stand: Stand = LEVEL,
    lethal: Annotated[bool, Doc("whether life is at stake, so that the roller is warned first")] = False,
    before: TrackStep = 0,
    carried: Possessions = (),
    *,
    price: Annotated[FailurePrice, Doc("what a failure costs")] = ONE_PRESSURE,
) -> Rolls[Tampering]:
    """SS-51, SS-67: a test of an attribute; failure adds 1 to the track, or what was named as its price."""
    roll = yield from nudged_test(score, stand, lethal)
    if roll.success:
        return Tampering(roll)
    return Tampering(roll, (yield from rising(before, price.pressure, carried)))


def roll_in(came: Roll | Tampering) -> Roll:
    return came.roll if isinstance(came, Tampering) else came


def at_risk(call: Call, who: Character[Sheet], price: FailurePrice) -> tuple[int, tuple[str, ...]]:
    """Where the track stands that a failure would move, and what a crisis could take.

    SS-54: nothing puts the table's track at risk while somebody decides.
    """
    if not price.pressure:
        return 0, ()
    track = track_of(call.state, find_hero(call.state, who.id).id)
    check_free(call, track)
    return step(call.state, track), losable(who)


def price_paid(call: Call, who: Character[Sheet], came: Tampering, price: FailurePrice) -> list[Any]:
    """SS-51: what a failure cost; a success costs nothing. SS-30: a fall takes Stamina, never below 0."""
    if came.roll.success:
        return []
    hurt = STAMINA_METER.lost(who, price.stamina)
    if not price.pressure:
        return list(hurt)
    track = track_of(call.state, who.id)
    return [*hurt, *told_rise(call, track, who, came.crisis, rise=price.pressure)]
