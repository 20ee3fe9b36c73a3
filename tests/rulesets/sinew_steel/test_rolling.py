"""One die against a score."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.chance import EnteredDice, Fate, Settled, odds, percent, play
from astragal.game.rolls import Footing, footing
from astragal.rulesets.sinew_steel.rolls import Degree, Roll, simple_test
from tests.rulesets.sinew_steel.published import SUCCESS, SUCCESS_IN_THE_MANUAL, rows

STRAIGHT, ADVANTAGE, DISADVANTAGE = Footing.LEVEL, Footing.ADVANTAGE, Footing.DISADVANTAGE


def chance(score: int, stance: Footing) -> Fraction:
    return odds(simple_test(score, stance)).chance(lambda roll: roll.success)


def test_at_or_under_the_score_succeeds() -> None:
    """SS-01"""
    assert Roll(12, 12).success
    assert not Roll(13, 12).success


def test_a_one_always_succeeds_and_a_twenty_never() -> None:
    """SS-02"""
    assert Roll(1, 0).success
    assert not Roll(20, 20).success
    assert not Roll(20, 25).success
    assert (Roll(1, 10).degree, Roll(20, 10).degree) == (Degree.EXTRAORDINARY, Degree.CATASTROPHE)


def test_the_margin_counts_the_nudge_for_successes_and_failures() -> None:
    """SS-03"""
    assert Roll(9, 12).margin == 3
    assert Roll(17, 12).margin == -5
    assert Roll(17, 12, nudge=-6).margin == 1


@pytest.mark.parametrize(("stance", "kept", "dropped"), [(ADVANTAGE, 4, 15), (DISADVANTAGE, 15, 4)])
def test_of_two_dice_one_is_kept_and_both_are_shown(stance: Footing, kept: int, dropped: int) -> None:
    """SS-04"""
    played = play(simple_test(10, stance), EnteredDice([4, 15]))
    assert isinstance(played, Settled)
    assert played.value.natural == kept
    assert {die.face: die.fate for die in played.record.rolled} == {kept: Fate.KEPT, dropped: Fate.DROPPED}


@pytest.mark.parametrize(
    ("advantages", "disadvantages", "stance"),
    [(0, 0, STRAIGHT), (1, 0, ADVANTAGE), (3, 0, ADVANTAGE), (0, 2, DISADVANTAGE), (1, 1, STRAIGHT), (3, 1, STRAIGHT)],
)
def test_sources_of_one_kind_do_not_add_up_and_both_kinds_cancel(
    advantages: int, disadvantages: int, stance: Footing
) -> None:
    """SS-05"""
    assert footing(helped=bool(advantages), hindered=bool(disadvantages)) is stance


def test_natural_is_what_was_kept_before_any_nudge() -> None:
    """SS-06"""
    played = play(simple_test(10, DISADVANTAGE), EnteredDice([1, 12]))
    assert isinstance(played, Settled)
    assert played.value.degree is Degree.FAILURE
    assert Roll(3, 10, nudge=-2).degree is Degree.SUCCESS


@pytest.mark.parametrize("score", range(1, 20))
def test_chances_are_those_of_the_formula(score: int) -> None:
    """SS-01, SS-04: s/20; 1 − ((20 − s)/20)²; (s/20)²."""
    share = Fraction(score, 20)
    assert chance(score, STRAIGHT) == share
    assert chance(score, ADVANTAGE) == 1 - (1 - share) ** 2
    assert chance(score, DISADVANTAGE) == share**2


@pytest.mark.parametrize(
    ("score", "chances"),
    [
        (0, (Fraction(1, 20), Fraction(39, 400), Fraction(1, 400))),
        (20, (Fraction(19, 20), Fraction(399, 400), Fraction(361, 400))),
    ],
)
def test_naturals_leave_a_chance_at_the_ends(score: int, chances: tuple[Fraction, ...]) -> None:
    """SS-02"""
    assert tuple(chance(score, stance) for stance in (STRAIGHT, ADVANTAGE, DISADVANTAGE)) == chances


@pytest.mark.parametrize("table", [SUCCESS, SUCCESS_IN_THE_MANUAL])
def test_the_published_chances_are_reproduced(table: str) -> None:
    """SS-01, SS-04: the 33 cells of 000 §2 and the 18 of 001 §9.1."""
    for score, *cells in rows(table):
        assert [percent(chance(score, stance)) for stance in (STRAIGHT, ADVANTAGE, DISADVANTAGE)] == cells
