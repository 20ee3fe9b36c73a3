"""Two sides at once."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.chance import EnteredDice, Odds, Offer, Settled, Waiting, odds, percent, play
from astragal.game.rolls import Footing
from astragal.rulesets.sinew_steel.luck import Prospect, Stand
from astragal.rulesets.sinew_steel.trials.contests import Contest, Side, opposed_test
from astragal.rulesets.sinew_steel.trials.rolling import Roll
from tests.rulesets.sinew_steel.published import OPPOSED, OPPOSED_IN_THE_MANUAL, grid


def winners(attacker: int, defender: int) -> Odds[Side]:
    return odds(opposed_test(attacker, defender)).map(lambda contest: contest.winner)


@pytest.mark.parametrize(
    ("attack", "defence", "winner"),
    [
        (Roll(5, 10), Roll(15, 10), Side.ATTACKER),
        (Roll(15, 10), Roll(5, 10), Side.DEFENDER),
        (Roll(3, 10), Roll(5, 10), Side.ATTACKER),
        (Roll(5, 10), Roll(5, 10), Side.DEFENDER),
        (Roll(15, 10), Roll(19, 10), Side.DEFENDER),
        (Roll(20, 10), Roll(20, 10), Side.DEFENDER),
    ],
)
def test_one_success_or_the_greater_margin_wins_and_ties_and_failures_are_the_defenders(
    attack: Roll, defence: Roll, winner: Side
) -> None:
    """SS-07"""
    assert Contest(attack, defence).winner is winner


def test_each_side_has_its_own_footing() -> None:
    """SS-07"""
    asked = opposed_test(10, 10, Stand(Footing.ADVANTAGE), Stand(Footing.DISADVANTAGE))
    played = play(asked, EnteredDice([18, 6, 2, 9]))
    assert isinstance(played, Settled)
    assert played.value == Contest(Roll(6, 10), Roll(9, 10))


def test_a_natural_one_does_not_beat_a_greater_margin() -> None:
    """SS-08"""
    assert Contest(Roll(1, 8), Roll(2, 12)).winner is Side.DEFENDER
    assert Contest(Roll(2, 12), Roll(1, 8)).winner is Side.ATTACKER


@pytest.mark.parametrize("table", [OPPOSED, OPPOSED_IN_THE_MANUAL])
def test_the_published_tables_are_reproduced(table: str) -> None:
    """SS-07, SS-08: the 121 cells of 000 §2 and the 36 of 001 §9.2, rounded half to even."""
    cells = grid(table)
    assert len(cells) in (121, 36)
    assert {pair: percent(winners(*pair).chance(Side.ATTACKER)) for pair in cells} == cells


def _failures(score: int) -> set[Roll]:
    return {roll for face in range(1, 21) if not (roll := Roll(face, score)).success}


def test_twelve_against_eight_is_fifty_one_percent() -> None:
    """SS-07: the running text of 000 says 46 %, which is an error there."""
    weighed = odds(opposed_test(12, 8))
    alone = weighed.chance(lambda contest: contest.won and contest.defence in _failures(8))
    assert alone == Fraction(36, 100)
    assert percent(winners(12, 8).chance(Side.ATTACKER)) == 51
    assert winners(10, 10).chance(Side.ATTACKER) == Fraction(145, 400)


# ---------------------------------------------------------------- Luck in turn


def waiting(played: object) -> tuple[Waiting[Contest], Offer[int]]:
    assert isinstance(played, Waiting)
    assert isinstance(played.need, Offer)
    return played, played.need


def test_the_attacker_decides_first_and_the_defender_answers() -> None:
    """SS-23: both have seen both dice; one decision each."""
    asked = opposed_test(10, 10, Stand(luck=9), Stand(luck=9))
    first, offer = waiting(play(asked, EnteredDice([12, 8])))
    assert offer.side == "attacker"
    assert [(one.answer, one.result) for one in offer.notable] == [
        (-5, Prospect(True, 3, wins=True, before_the_answer=True))
    ]
    second, offer = waiting(first.resume(EnteredDice(), -5))
    assert offer.side == "defender"
    assert [(one.answer, one.result) for one in offer.notable] == [(-1, Prospect(True, 3, wins=True))]
    settled = second.resume(EnteredDice(), -1)
    assert isinstance(settled, Settled)
    assert settled.value == Contest(Roll(12, 10, -5), Roll(8, 10, -1))
    assert settled.value.winner is Side.DEFENDER


def test_tokens_are_gone_even_if_the_answer_undoes_them() -> None:
    """SS-23"""
    settled = play(opposed_test(10, 10, Stand(luck=9), Stand(luck=9)), EnteredDice([12, 8]), answers=(-5, -1))
    assert isinstance(settled, Settled)
    assert (settled.value.attack.spent, settled.value.winner) == (5, Side.DEFENDER)


def test_who_wins_already_is_not_asked() -> None:
    """SS-25"""
    settled = play(opposed_test(10, 10, Stand(luck=9), Stand(luck=0)), EnteredDice([2, 8]))
    assert isinstance(settled, Settled)


def test_success_that_still_loses_is_not_offered() -> None:
    """SS-25: two tokens would make a success of it, but the defence has more."""
    settled = play(opposed_test(10, 10, Stand(luck=2), Stand(luck=0)), EnteredDice([12, 3]))
    assert isinstance(settled, Settled)


def test_against_a_closed_roll_only_ones_own_die_is_reckoned_with() -> None:
    """SS-23"""
    asked = opposed_test(10, 10, Stand(luck=9), Stand(luck=0, closed=True))
    _, offer = waiting(play(asked, EnteredDice([12, 3])))
    assert [(one.answer, one.result) for one in offer.notable] == [
        (-2, Prospect(True, 0, wins=None, before_the_answer=True))
    ]


def test_the_offers_against_a_closed_roll_are_the_same_whatever_it_shows() -> None:
    """SS-23"""
    asked = opposed_test(10, 10, Stand(luck=9, closed=True), Stand(luck=9, closed=True))
    offers = {waiting(play(asked, EnteredDice([14, face])))[1] for face in range(1, 21)}
    assert len(offers) == 1
