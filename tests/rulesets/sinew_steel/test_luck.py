"""Luck: what may be spent on a roll, and what is offered."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, get_type_hints

import pytest

from astragal.chance import EnteredDice, IllegalAnswer, Notable, Offer, Rule, Settled, Waiting, advise, odds, play
from astragal.game.rolls import Footing
from astragal.rulesets.sinew_steel.display import offer_words
from astragal.rulesets.sinew_steel.luck import (
    Blessing,
    Cost,
    Prospect,
    blessing,
    luck_percent,
    luck_test,
    nudged_test,
    nudges,
    spend_to_succeed,
)
from astragal.rulesets.sinew_steel.options import LuckTarget
from astragal.rulesets.sinew_steel.rolls import Degree, Roll, Stand, simple_test
from astragal.rulesets.sinew_steel.state import TERMS
from astragal.table.authoring.log_lines import Teller
from astragal.table.fields.definitions import shape_of
from astragal.table.fields.shapes import NumberShape


def offer_after(*faces: int, score: int = 12, stand: Stand) -> Offer[int]:
    played = play(nudged_test(score, stand), EnteredDice(faces))
    assert isinstance(played, Waiting)
    assert isinstance(played.need, Offer)
    return played.need


def settled(*faces: int, score: int = 12, stand: Stand, answer: int | None = None) -> Roll:
    played = play(nudged_test(score, stand), EnteredDice(faces), () if answer is None else (answer,))
    assert isinstance(played, Settled)
    return played.value


def test_a_luck_test_is_against_the_tokens_now_held() -> None:
    """SS-20: ten tokens are 50 %, after four spent 30 %, after a rest 35 %."""
    for tokens, share in ((10, 50), (6, 30), (7, 35)):
        assert odds(luck_test(tokens)).chance(lambda roll: roll.success) == Fraction(share, 100)
        assert luck_percent(tokens) == share


@pytest.mark.parametrize("tokens", range(21))
def test_the_later_cost_is_the_chance_of_a_straight_luck_test(tokens: int) -> None:
    """SS-20, SS-25"""
    assert odds(simple_test(tokens)).chance(lambda roll: roll.success) * 100 == luck_percent(tokens)


@pytest.mark.parametrize(("asked", "name"), [(luck_test, "tokens"), (blessing, "room")])
def test_an_empty_pool_and_a_full_one_can_be_asked_about(asked: Rule[..., Any], name: str) -> None:
    """SS-20, SS-24, SS-26: from 0 to 20, as surfaces read it off the rule."""
    shape = shape_of(get_type_hints(asked.body, include_extras=True)[name])
    assert isinstance(shape, NumberShape)
    assert (shape.least, shape.most) == (0, 20)


def test_any_number_of_tokens_moves_the_die_either_way() -> None:
    """SS-21"""
    assert nudges(Roll(10, 12), 3) == (0, -1, -2, -3, 1, 2, 3)


def test_a_nudge_stays_between_one_and_twenty() -> None:
    """SS-21"""
    assert nudges(Roll(3, 12), 8) == (0, -1, -2, *range(1, 9))
    assert nudges(Roll(19, 12), 8) == (0, *range(-1, -9, -1), 1)


@pytest.mark.parametrize("face", [1, 20])
def test_naturals_are_locked(face: int) -> None:
    """SS-21, SS-25, SS-67: a natural 20 offers nothing, an ally's tokens included."""
    assert nudges(Roll(face, 12), 8) == (0,)
    assert settled(face, stand=Stand(luck=16, always_asked=True, favours=3)).nudge == 0


def test_more_than_is_held_can_not_be_spent() -> None:
    """SS-21"""
    with pytest.raises(IllegalAnswer):
        play(nudged_test(12, Stand(luck=8)), EnteredDice([17]), answers=(-9,))


def test_a_nudge_never_brings_the_other_die_back_nor_does_its_natural_lock_anything() -> None:
    """SS-21: of 20 and 14 the lower is kept, and can be moved."""
    stand = Stand(Footing.ADVANTAGE, luck=8)
    assert offer_after(20, 14, stand=stand).options == nudges(Roll(14, 12), 8)
    assert settled(1, 14, stand=Stand(Footing.DISADVANTAGE, luck=8), answer=-2) == Roll(14, 12, -2)


def test_a_die_nudged_to_one_is_not_natural() -> None:
    """SS-22"""
    roll = settled(3, stand=Stand(luck=8, always_asked=True), answer=-2)
    assert (roll.die, roll.degree) == (1, Degree.SUCCESS)
    assert not Roll(3, 0, -2).success


def test_a_die_nudged_to_twenty_is_not_natural() -> None:
    """SS-22: an ordinary failure, and an ordinary success against 20."""
    roll = settled(18, stand=Stand(luck=8), answer=2)
    assert (roll.die, roll.degree) == (20, Degree.FAILURE)
    assert Roll(18, 20, 2).degree is Degree.SUCCESS


def test_a_luck_test_can_not_be_nudged() -> None:
    """SS-24"""
    played = play(luck_test(8), EnteredDice([9]))
    assert isinstance(played, Settled)
    assert not played.value.success


def test_a_frozen_luck_test_can_be_nudged() -> None:
    """SS-24: the target stays at the tokens held before the roll."""
    played = play(luck_test(8, target=LuckTarget.FROZEN), EnteredDice([9]), answers=(-1,))
    assert isinstance(played, Settled)
    assert (played.value, played.value.success) == (Roll(9, 8, -1), True)


def test_the_fewest_tokens_that_succeed_are_offered_with_price_result_and_later_cost() -> None:
    """SS-25: Luck 8, Reflex failed by 5: five tokens succeed with margin 0 and leave 3."""
    offer = offer_after(17, stand=Stand(luck=8))
    assert offer.notable == (Notable(-5, Cost(5, 3, luck_before=40, luck_after=15), Prospect(True, 0)),)
    assert offer.default == 0


def test_a_spend_is_worded_with_what_luck_tests_fall_to() -> None:
    """SS-25"""
    (spend,) = offer_after(15, stand=Stand(luck=8)).notable
    words = offer_words(spend, Teller(state=None, terms=TERMS)).sentence  # type: ignore[arg-type]
    assert words == "3 Luck: success, margin 0. 5 left; Luck tests fall from 40 % to 25 %."


def test_more_may_be_spent_than_is_offered() -> None:
    """SS-21, SS-25: six tokens give margin +1 and leave 2. The die comes down to 1, and no further."""
    roll = settled(17, stand=Stand(luck=8), answer=-6)
    assert (roll.success, roll.margin, 8 - roll.spent) == (True, 1, 2)
    assert [one.answer for one in offer_after(3, score=1, stand=Stand(luck=8)).notable] == [-2]


@pytest.mark.parametrize(("face", "luck"), [(17, 4), (5, 8), (20, 16), (1, 16), (17, 0)])
def test_nothing_is_asked_where_no_spend_changes_anything(face: int, luck: int) -> None:
    """SS-25: too few tokens, a success, naturals, none at all."""
    assert settled(face, stand=Stand(luck=luck)).spent == 0


def test_who_wants_to_be_asked_is_asked() -> None:
    """SS-21: a success may be deepened or thrown away."""
    offer = offer_after(5, stand=Stand(luck=2, always_asked=True))
    assert (offer.options, offer.notable) == ((0, -1, -2, 1, 2), ())


def test_a_blessing_never_goes_past_the_pool() -> None:
    """SS-26"""
    assert odds(blessing(2)).chances() == {
        Blessing(1, 1): Fraction(1, 4),
        Blessing(2, 2): Fraction(1, 4),
        Blessing(3, 2): Fraction(1, 4),
        Blessing(4, 2): Fraction(1, 4),
    }


def test_odds_with_luck_come_from_the_same_rule() -> None:
    """SS-25: three tokens lift 12 in 20 to 15 in 20, unless a natural 20 is in the way."""
    asked = nudged_test(12, Stand(luck=3))
    assert odds(asked).chance(lambda roll: roll.success) == Fraction(12, 20)
    assert odds(asked, spend_to_succeed).chance(lambda roll: roll.success) == Fraction(15, 20)
    assert advise(asked, lambda roll: roll.success, side="who").value == Fraction(15, 20)


def test_life_and_death_is_announced_before_any_die_falls() -> None:
    """SS-29, SS-41: the custodian is reminded where Luck decides, and whoever rolls is warned."""
    played = play(luck_test(8, lethal=True), EnteredDice())
    assert isinstance(played, Waiting)
    assert isinstance(played.need, Offer)
    assert (played.need.side, played.record.rolled) == ("custodian", ())
    played = played.resume(EnteredDice(), "understood")
    assert isinstance(played, Waiting)
    assert isinstance(played.need, Offer)
    assert (played.need.side, played.record.rolled) == ("who", ())
