"""Two sides at once."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.chance import EnteredDice, Odds, Offer, Others, Question, Settled, Waiting, advise, odds, percent, play
from astragal.game.rolls import Footing
from astragal.rulesets.sinew_steel.contests import Contest, Side, opposed_test
from astragal.rulesets.sinew_steel.display import offer_words
from astragal.rulesets.sinew_steel.luck import Prospect, spend_to_succeed
from astragal.rulesets.sinew_steel.rolls import Roll, Stand
from astragal.rulesets.sinew_steel.state import TERMS
from astragal.table.authoring.log_lines import Teller
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


@pytest.mark.slow
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
    assert [(one.answer, one.result) for one in offer.notable] == [(-5, Prospect(True, 3, wins=True, answer=1))]
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


def succeeds(face: int, natural: int, score: int) -> bool:
    return natural == 1 or (natural != 20 and face <= score)


def best_play_by_hand(attacker: int, defender: int, mine: int, theirs: int) -> Fraction:
    """All 400 pairs of faces: the attacker moves the own die so that no answer of the defender holds."""

    def faces(natural: int, tokens: int) -> range:
        return range(natural, natural + 1) if natural in (1, 20) else range(max(1, natural - tokens), natural + 1)

    def wins(one: int, natural: int, other: int, other_natural: int) -> bool:
        if not succeeds(one, natural, attacker):
            return False
        return not succeeds(other, other_natural, defender) or attacker - one > defender - other

    won = sum(
        any(all(wins(one, a, other, b) for other in faces(b, theirs)) for one in faces(a, mine))
        for a in range(1, 21)
        for b in range(1, 21)
    )
    return Fraction(won, 400)


@pytest.mark.parametrize(
    ("attacker", "defender", "mine", "theirs"), [(12, 9, 2, 2), (10, 10, 3, 1), (8, 13, 5, 5), (15, 6, 1, 8)]
)
def test_an_attacker_who_is_ahead_guards_against_the_answer(
    attacker: int, defender: int, mine: int, theirs: int
) -> None:
    """SS-23: best play is what counting by hand says, and the cheapest spends that last come to the same."""
    asked = opposed_test(attacker, defender, Stand(luck=mine), Stand(luck=theirs))
    by_hand = best_play_by_hand(attacker, defender, mine, theirs)
    best = advise(asked, lambda contest: contest.won, side="attacker", others=Others.OPPOSE)
    assert best.value == by_hand
    assert odds(asked, spend_to_succeed).chance(lambda contest: contest.won) == by_hand


def test_twelve_against_nine_with_two_tokens_each() -> None:
    """SS-23: 199 in 400 for an attacker who is asked only while behind."""
    assert best_play_by_hand(12, 9, 2, 2) == Fraction(217, 400)


def test_who_is_ahead_is_asked_while_the_defender_can_answer() -> None:
    """SS-23, SS-25: margin 6 against 4; two tokens of three would tie, and one of the attacker's rules that out."""
    asked = opposed_test(10, 10, Stand(luck=3), Stand(luck=2))
    first, offer = waiting(play(asked, EnteredDice([4, 6])))
    assert offer.side == "attacker"
    assert [(one.answer, one.result) for one in offer.notable] == [(-1, Prospect(True, 7, wins=True, answer=0))]
    settled = first.resume(EnteredDice(), -1)
    assert isinstance(settled, Settled)
    assert settled.value.winner is Side.ATTACKER
    _, offer = waiting(first.resume(EnteredDice(), 0))
    assert [(one.answer, one.result) for one in offer.notable] == [(-2, Prospect(True, 6, wins=True))]


@pytest.mark.parametrize("face", [4, 5])
def test_who_is_ahead_is_asked_even_where_the_defender_has_the_longer_breath(face: int) -> None:
    """SS-23: a deeper margin makes the answer dearer, though nothing rules it out; were it dearer by one alone."""
    _, offer = waiting(play(opposed_test(10, 10, Stand(luck=1), Stand(luck=9)), EnteredDice([face, 6])))
    assert (offer.side, offer.notable) == ("attacker", ())


@pytest.mark.parametrize("face", [1, 20])
def test_a_locked_defence_is_not_guarded_against(face: int) -> None:
    """SS-21, SS-23: a natural 1 at score 3 has a margin of 2, and stays there."""
    settled = play(opposed_test(10, 3, Stand(luck=5), Stand(luck=5)), EnteredDice([4, face]))
    assert isinstance(settled, Settled)


def test_the_surcharge_keeps_an_answer_out_of_reach() -> None:
    """SS-23, SS-53, SS-67: two tokens, one of them on top, don't pay for two points, and one pays for nothing."""
    asked = opposed_test(10, 10, Stand(luck=3), Stand(luck=2, surcharge=1))
    assert isinstance(play(asked, EnteredDice([4, 6])), Settled)
    _, offer = waiting(play(asked, EnteredDice([5, 6])))
    assert [(one.answer, one.result) for one in offer.notable] == [(-1, Prospect(True, 6, wins=True, answer=0))]
    unanswered = opposed_test(10, 10, Stand(luck=9), Stand(luck=1, surcharge=1))
    _, offer = waiting(play(unanswered, EnteredDice([12, 8])))
    assert [(one.answer, one.result) for one in offer.notable] == [(-5, Prospect(True, 3, wins=True))]


def test_favours_that_the_attacker_uses_up_are_none_of_the_defenders() -> None:
    """SS-23, SS-67: the ally has two tokens, and they could hold; one that pays for the attack rules it out."""
    asked = opposed_test(10, 10, Stand(favours=2), Stand(favours=2))
    first, offer = waiting(play(asked, EnteredDice([4, 6])))
    assert [(one.answer, one.result) for one in offer.notable] == [
        (1, Prospect(True, 7, wins=True, answer=0)),
        (2, Prospect(True, 8, wins=True, answer=0)),
    ]
    settled = first.resume(EnteredDice(), 1)
    assert isinstance(settled, Settled)
    assert settled.value == Contest(Roll(4, 10, -1, favours=1), Roll(6, 10))
    _, offer = waiting(play(asked, EnteredDice([7, 6])))
    assert [(one.answer, one.result) for one in offer.notable] == [(2, Prospect(True, 5, wins=True, answer=0))]


def test_favours_that_the_attacker_leaves_are_the_defenders() -> None:
    """SS-23, SS-25, SS-67: of three, one was used up; none that the other side never had."""
    asked = opposed_test(10, 10, Stand(luck=9, favours=3), Stand(luck=9, favours=3))
    _, offer = waiting(play(asked, EnteredDice([12, 8]), answers=(1, -5)))
    assert (offer.side, offer.name, offer.options) == ("defender", "favours", (0, 1, 2))
    alone = opposed_test(10, 10, Stand(luck=9, favours=3), Stand(luck=9))
    _, offer = waiting(play(alone, EnteredDice([12, 8]), answers=(1, -5)))
    assert (offer.side, offer.name, offer.options[:2]) == ("defender", "luck", (0, -1))


def test_a_success_that_may_still_be_a_hit_says_so() -> None:
    """SS-23: the attack's margin can't be seen; that it failed can."""
    asked = opposed_test(10, 10, Stand(closed=True), Stand(luck=9))
    _, offer = waiting(play(asked, EnteredDice([4, 12])))
    (note,) = offer.notable
    assert (note.answer, note.result) == (-2, Prospect(True, 0, holds_up_to=0))
    assert isinstance(play(asked, EnteredDice([14, 12])), Settled)


def words_of(asked: Question[Contest], *faces: int) -> list[str]:
    _, offer = waiting(play(asked, EnteredDice(faces)))
    return [offer_words(one, Teller(state=None, terms=TERMS)).sentence.partition(".")[0] for one in offer.notable]  # type: ignore[arg-type]


def test_offers_say_what_the_answer_would_take() -> None:
    """SS-23, SS-25"""
    assert words_of(opposed_test(10, 10, Stand(luck=9), Stand(luck=3)), 12, 8) == [
        "5 Luck: wins, margin +3, unless the defence answers with 1 Luck",
        "8 Luck: wins, margin +6, and the defence can't answer",
    ]
    assert words_of(opposed_test(10, 10, Stand(luck=9), Stand(luck=3, closed=True)), 12, 8) == [
        "3 Luck: success, margin +1, before the defence answers, wins if the defence has 8 or less"
    ]
    assert words_of(opposed_test(10, 10, Stand(luck=9), Stand(luck=3, closed=True)), 12, 15) == [
        "2 Luck: wins, margin 0, before the defence answers"
    ]
    assert words_of(opposed_test(10, 10, Stand(luck=9), Stand(closed=True)), 12, 15) == ["2 Luck: wins, margin 0"]
    assert words_of(opposed_test(10, 10, Stand(closed=True), Stand(luck=3)), 4, 12) == [
        "2 Luck: success, margin 0, still a hit if the attack’s margin is above 0"
    ]


def test_success_that_still_loses_is_not_offered() -> None:
    """SS-25: two tokens would make a success of it, but the defence has more."""
    settled = play(opposed_test(10, 10, Stand(luck=2), Stand(luck=0)), EnteredDice([12, 3]))
    assert isinstance(settled, Settled)


def test_against_a_closed_score_an_offer_says_which_scores_it_wins_against() -> None:
    """SS-23: the die shows 3 and is a success; from a margin of 1 on it depends on the score behind it."""
    asked = opposed_test(10, 10, Stand(luck=9), Stand(luck=1, closed=True))
    _, offer = waiting(play(asked, EnteredDice([12, 3])))
    assert [(one.answer, one.result) for one in offer.notable] == [
        (-3, Prospect(True, 1, wins=None, before_the_answer=True, wins_up_to=3))
    ]


def test_an_offer_is_right_about_the_scores_that_it_wins_against() -> None:
    """SS-23, SS-07: checked against every score that the defence could have."""
    for face in range(2, 20):
        for score in range(face, 21):
            asked = opposed_test(10, score, Stand(luck=9), Stand(closed=True))
            stopped, offer = waiting(play(asked, EnteredDice([12, face])))
            for note in offer.notable:
                settled = stopped.resume(EnteredDice(), note.answer)
                assert isinstance(settled, Settled)
                assert isinstance(note.result, Prospect)
                assert note.result.wins_up_to is not None
                assert settled.value.won == (score <= note.result.wins_up_to)


def test_the_offers_against_a_closed_score_are_the_same_whatever_it_is() -> None:
    """SS-23, SS-68: they follow from the die, which lies there, and from whether it is a success, which is told."""
    for face in range(1, 21):
        for scores in (range(face), range(face, 21)):
            asked = [opposed_test(10, one, Stand(luck=9, closed=True), Stand(luck=9, closed=True)) for one in scores]
            assert len({waiting(play(one, EnteredDice([14, face])))[1] for one in asked}) == 1
