"""Focus: points of Reserve turned into dice before the roll. NJ-13, NJ-24."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from astragal.chance import odds
from astragal.table.refusals import Refusal
from astragal.values import frozen

from .hand import Makings
from .rolling import Outcome, roll_hand
from .stats import Stat, focus_cap


class TooMuchFocus(Refusal):
    code = "too_much_focus"


def legal_focus(rating: int, left: int) -> range:
    """NJ-13: up to the Focus cap, and no more than the Reserve holds."""
    return range(max(0, min(focus_cap(rating), left)) + 1)


def check_focus(name: str, stat: Stat, rating: int, left: int, focus: int) -> None:
    """NJ-13: nothing is spent that can't be."""
    cap = focus_cap(rating)
    if focus > cap:
        raise TooMuchFocus(f"{name} can put {cap} points of Focus into a roll on {stat.title}, not {focus}.")
    if focus > left:
        raise TooMuchFocus(f"{name} has {left} points left in {stat.title}, not {focus}.")


@frozen
class Rung:
    """NJ-24: what so much Focus makes of a roll."""

    focus: int
    dice: int
    chance: Fraction
    adds_a_die: bool
    """NJ-20: a point that only does the floor's work does not."""


def ladder(makings: Makings, legal: Iterable[int], difficulty: int) -> tuple[Rung, ...]:
    """NJ-24: the chance without Focus and with each further point of it."""
    return tuple(_rung(makings, focus, difficulty) for focus in legal)


def fewest_focus(rungs: Iterable[Rung], wanted: Fraction) -> int | None:
    """NJ-24: the fewest points that reach the chance; None where none do."""
    return next((rung.focus for rung in rungs if rung.chance >= wanted), None)


def _rung(makings: Makings, focus: int, difficulty: int) -> Rung:
    hand = makings.hand(focus)
    chance = odds(roll_hand(hand, difficulty)).chance(_succeeds)
    adds = focus > 0 and hand.dice > makings.hand(focus - 1).dice
    return Rung(focus, hand.dice, chance, adds)


def _succeeds(outcome: Outcome) -> bool:
    return outcome.success
