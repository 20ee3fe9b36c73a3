"""Pressure as rules: tampering, the crisis and its die, and what spending costs at step 4."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from astragal.chance import EnteredDice, Offer, Question, Settled, Waiting, odds, play
from astragal.rulesets.sinew_steel.luck import Cost, nudged_test
from astragal.rulesets.sinew_steel.options import Toll
from astragal.rulesets.sinew_steel.pressure import (
    ROLL,
    Crisis,
    PressureMove,
    Result,
    crisis,
    moves_at,
    rising,
    step_after,
)
from astragal.rulesets.sinew_steel.rolls import Roll, Stand
from astragal.rulesets.sinew_steel.trials import tampering


def settled(asked: Question[Any], *faces: int, answers: tuple[Any, ...] = ()) -> Any:
    played = play(asked, EnteredDice(faces), answers)
    assert isinstance(played, Settled)
    return played.value


def offer(asked: Question[Any], *faces: int, answers: tuple[Any, ...] = ()) -> Offer[Any]:
    played = play(asked, EnteredDice(faces), answers)
    assert isinstance(played, Waiting)
    assert isinstance(played.need, Offer)
    return played.need


# ---------------------------------------------------------------- tampering


def test_failure_to_tamper_adds_one_and_success_nothing() -> None:
    """SS-51"""
    assert settled(tampering(10, before=2), 11).crisis is None
    assert settled(tampering(10, before=4), 10) == (Roll(10, 10), None)


def test_a_tampering_that_luck_saves_adds_nothing() -> None:
    """SS-21, SS-51: the die as it was moved counts, and no crisis comes; one that falls short brings it."""
    asked = tampering(10, Stand(luck=3), before=4)
    assert settled(asked, 12, answers=(-2,)) == (Roll(12, 10, -2), None)
    assert settled(asked, 12, 3, answers=(-1, ROLL)).crisis == Crisis((Result.LONG_SHADOW,))
    spoilt = tampering(10, Stand(luck=3, always_asked=True), before=4)
    assert settled(spoilt, 10, 3, answers=(1, ROLL)).crisis == Crisis((Result.LONG_SHADOW,))


def test_the_failure_that_fills_the_track_brings_the_crisis_in_the_same_rule() -> None:
    """SS-51, SS-54"""
    assert offer(tampering(10, before=4), 11).name == "crisis"
    assert settled(tampering(10, before=4), 11, 3, answers=(ROLL,)).crisis == Crisis((Result.LONG_SHADOW,))


@pytest.mark.parametrize(("before", "rise", "after"), [(0, 1, 1), (3, 1, 4), (4, 1, 5), (4, 3, 5), (0, 5, 5)])
def test_what_goes_past_five_is_lost(before: int, rise: int, after: int) -> None:
    """SS-54: one crisis an action."""
    assert step_after(before, rise) == after
    if after < 5:
        assert settled(rising(before, rise)) is None


# ---------------------------------------------------------------- the crisis die


def test_a_crisis_is_rolled_or_picked() -> None:
    """SS-55"""
    assert offer(crisis()).options == (ROLL, 1, 2, 3, 4, 5, 6)
    assert settled(crisis(), 5, answers=(ROLL,)) == Crisis((Result.SECRET_OUT,))
    assert settled(crisis(), answers=(4,)) == Crisis((Result.DISPLACEMENT,))


def test_a_six_brings_exactly_two_different_results() -> None:
    """SS-55: further sixes and doubles are rolled again; a picked 6 is rolled."""
    assert settled(crisis(), 6, 6, 1, 6, 1, 1, 5, answers=(ROLL,)) == Crisis(
        (Result.LOSS_OF_CONTROL, Result.SECRET_OUT)
    )
    assert settled(crisis(), 3, 3, 4, answers=(6,)) == Crisis((Result.LONG_SHADOW, Result.DISPLACEMENT))
    weighed = odds(crisis())
    assert weighed.chance(lambda came: len(came.results) == 2) == Fraction(1, 6)
    assert all(len(set(came.results)) == len(came.results) for came in weighed.weights)
    assert weighed.chance(lambda came: Result.WITHERING in came.results) == Fraction(1, 6) + Fraction(1, 6) * Fraction(
        2, 5
    )


def test_whoever_is_struck_says_which_key_item_is_lost() -> None:
    """SS-55: asked only where there is a choice."""
    asked = offer(crisis(("lamp", "rope")), answers=(2,))
    assert (asked.side, asked.options) == ("struck", ("lamp", "rope"))
    assert settled(crisis(("lamp", "rope")), answers=(2, "rope")).lost == "rope"
    assert settled(crisis(("lamp",)), answers=(2,)).lost == "lamp"
    assert settled(crisis(), answers=(2,)).lost is None
    assert settled(crisis(("lamp",)), answers=(3,)).lost is None


# ---------------------------------------------------------------- steps


def test_each_step_opens_its_moves() -> None:
    """SS-52, SS-53"""
    assert [moves_at(step, Toll.PROPOSED) for step in range(4)] == [
        (),
        (),
        (PressureMove.DISADVANTAGE,),
        (PressureMove.DISADVANTAGE, PressureMove.SIDE_EFFECT),
    ]
    assert moves_at(4, Toll.PROPOSED) == tuple(PressureMove)
    assert PressureMove.SURCHARGE not in moves_at(4, Toll.AUTOMATIC)


def test_a_surcharge_is_asked_once_a_decision_and_shown_in_the_price() -> None:
    """SS-53: three tokens for the die and one on top, of eight."""
    asked = nudged_test(12, Stand(luck=8, surcharge=1))
    (spend,) = offer(asked, 15).notable
    assert spend.price == Cost(4, 4, luck_before=40, luck_after=20, surcharge=1)
    roll = settled(asked, 15, answers=(spend.answer,))
    assert (roll.margin, roll.spent) == (0, 4)
    assert settled(asked, 15, answers=(0,)).spent == 0


@pytest.mark.parametrize(("luck", "face"), [(1, 13), (3, 15)])
def test_what_the_surcharge_makes_too_dear_is_not_offered(luck: int, face: int) -> None:
    """SS-53"""
    assert settled(nudged_test(12, Stand(luck=luck, surcharge=1)), face).spent == 0
    assert offer(nudged_test(12, Stand(luck=luck)), face).notable


def test_a_surcharge_leaves_one_option_less() -> None:
    """SS-53"""
    assert offer(nudged_test(12, Stand(luck=3, surcharge=1, always_asked=True)), 10).options == (0, -1, -2, 1, 2)


# ---------------------------------------------------------------- the ally's tokens


def test_the_ally_pays_with_or_without_own_tokens() -> None:
    """SS-23, SS-25, SS-67: first how many favours, then how far."""
    asked = nudged_test(12, Stand(luck=2, favours=3))
    first = offer(asked, 16)
    assert (first.name, first.options) == ("favours", (0, 1, 2, 3))
    assert [one.answer for one in first.notable] == [2, 3]
    roll = settled(asked, 16, answers=(2, -4))
    assert (roll.margin, roll.spent, roll.favours) == (0, 2, 2)
    alone = settled(nudged_test(12, Stand(luck=0, favours=3)), 15, answers=(3,))
    assert (alone.margin, alone.spent, alone.favours) == (0, 0, 3)
    assert offer(nudged_test(12, Stand(luck=1, favours=1)), 13, answers=(1,)).options == (-1, -2)


def test_the_surcharge_can_be_a_favour() -> None:
    """SS-53, SS-67: one decision, one surcharge, whoever pays; own tokens that there are not pay for nothing."""
    roll = settled(nudged_test(12, Stand(luck=0, favours=3, surcharge=1)), 14, answers=(3,))
    assert (roll.nudge, roll.favours, roll.spent) == (-2, 3, 0)
    unpaid = nudged_test(12, Stand(luck=0, favours=3, surcharge=1, always_asked=True))
    assert settled(unpaid, 14, answers=(0,)).nudge == 0


def test_nobody_is_asked_for_favours_that_change_nothing() -> None:
    """SS-25, SS-67"""
    assert settled(nudged_test(12, Stand(luck=0, favours=3)), 18).favours == 0
