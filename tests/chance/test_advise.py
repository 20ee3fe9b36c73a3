"""Advice: the best answer to each decision, its value, and what the others were taken to do."""

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from astragal.chance import (
    EnteredDice,
    Offer,
    Others,
    Rolls,
    Together,
    TooManyPaths,
    Waiting,
    advise,
    d6,
    hits,
    play,
    rule,
)
from examples.sinew_and_steel import Clash, Roll, Side, lucky_opposed_test, lucky_test
from examples.six_pool import Contest, contest


@rule
def stop_or_go(throws: int) -> Rolls[int]:
    """Keep the face, or throw again while throws are left."""
    face = yield from d6
    for _ in range(throws - 1):
        if not (yield from Offer("hero", "throw again", (False, True), about=face)):
            return face
        face = yield from d6
    return face


@rule
def matching_pennies() -> Rolls[bool]:
    one, other = yield from Together(
        (Offer("even", "show", ("heads", "tails")), Offer("odd", "show", ("heads", "tails", "edge")))
    )
    lucky = yield from hits(1, d6, at_least=6)
    return one == other or (one == "tails" and bool(lucky))


@rule
def threat() -> Rolls[int]:
    mine = yield from Offer("me", "take", (1, 2, 3))
    theirs = yield from Offer("them", "punish", (0, 4), about=mine)
    return mine - (theirs if mine > 2 else 0)


@rule
def two_tests(score: int, tokens: int) -> Rolls[int]:
    """Two tests under one pool of Luck."""
    passed = 0
    for _ in range(2):
        roll = yield from lucky_test(score, tokens)
        tokens -= abs(roll.nudge)
        passed += roll.success
    return passed


def worth(verdict: Any) -> int:
    return int(verdict)


def test_the_best_answer_is_best_in_expectation() -> None:
    """Keep 4 or more with one throw left, 5 or more with two."""
    advice = advise(stop_or_go(3), worth, side="hero")
    assert advice.value == Fraction(14, 3)
    keeps = {(len(choice.path), choice.path[-1]): choice.best is False for choice in advice.choices}
    assert [keeps[1, face] for face in range(1, 7)] == [False, False, False, False, True, True]
    assert [keeps[3, face] for face in range(1, 7)] == [False, False, False, True, True, True]


def test_the_odds_of_best_play_have_its_value() -> None:
    advice = advise(stop_or_go(3), worth, side="hero")
    assert advice.odds.mean() == advice.value
    assert sum(advice.odds.chances().values()) == 1


def test_every_option_has_its_value() -> None:
    wait = play(stop_or_go(2), EnteredDice([4]))
    assert isinstance(wait, Waiting)
    choice = advise(wait, worth, side="hero").next
    assert choice.values == {False: 4, True: Fraction(7, 2)}
    assert choice.best is False


def test_of_equal_answers_the_first_listed_is_best() -> None:
    assert advise(stop_or_go(2), lambda _: 1, side="hero").next.best is False


def test_a_yes_or_no_aim_is_worth_its_chance() -> None:
    advice = advise(lucky_test(10, 3), lambda roll: roll.success, side="roller")
    assert advice.value == Fraction(13, 20)
    assert advice.basis == "the others answer by the policy decline"


def test_luck_is_kept_where_the_price_is_too_high() -> None:
    """A success is worth three tokens here, so a shortfall of four is borne."""

    def aim(roll: Roll) -> int:
        return 3 * roll.success - abs(roll.nudge)

    advice = advise(lucky_test(10, 8), aim, side="roller")
    spends = {choice.path[0].natural: abs(choice.best) for choice in advice.choices}
    assert spends == {11: 1, 12: 2, 13: 0} | dict.fromkeys(range(14, 19), 0)


def test_the_best_use_of_luck_is_what_a_recursion_by_hand_finds() -> None:
    """SS-21: over several tests under one pool."""

    @cache
    def best(score: int, tests: int, tokens: int) -> Fraction:
        if not tests:
            return Fraction(0)
        expected = Fraction(0)
        for face in range(1, 21):
            passed = face == 1 or (face <= score and face != 20)
            keep = passed + best(score, tests - 1, tokens)
            price = face - score
            mend = 0 < price <= tokens and face not in (1, 20)
            expected += max(keep, 1 + best(score, tests - 1, tokens - price)) if mend else keep
        return expected / 20

    assert advise(two_tests(12, 3), worth, side="roller").value == best(12, 2, 3)


def test_the_other_side_can_answer_to_hurt() -> None:
    hopeful = advise(threat(), worth, side="me")
    assert hopeful.value == 3
    assert hopeful.next.best == 3
    wary = advise(threat(), worth, side="me", others=Others.OPPOSE)
    assert wary.value == 2
    assert wary.next.best == 2
    assert wary.next.values == {1: 1, 2: 2, 3: -1}
    assert wary.basis.startswith("the others answer to hurt")


def test_the_other_side_can_follow_a_stated_policy() -> None:
    def always_punish(offer: Offer[int]) -> int:
        return offer.options[-1]

    advice = advise(threat(), worth, side="me", others=always_punish)
    assert advice.value == 2
    assert advice.basis == "the others answer by the policy always_punish"


def test_attacker_and_defender_spend_luck_against_each_other() -> None:
    """SS-23: attacker 10 with a 6 leads by one; a token more than the defence can answer decides it."""
    wait = play(lucky_opposed_test(10, 5, 10, 2), EnteredDice([6, 7]))
    assert isinstance(wait, Waiting)

    def aim(clash: Clash) -> bool:
        return clash.winner is Side.ATTACKER

    declined = advise(wait, aim, side="attacker")
    assert declined.value == 1
    assert declined.next.best == 0
    opposed = advise(wait, aim, side="attacker", others=Others.OPPOSE)
    assert opposed.value == 1
    assert opposed.next.best == -2
    assert [nudge for nudge, value in sorted(opposed.next.values.items()) if value] == [-5, -4, -3, -2]


def test_deciding_together_is_by_maximin_against_those_who_oppose() -> None:
    """Heads loses to tails and to the edge; tails at least has its luck."""
    advice = advise(matching_pennies(), lambda won: won, side="even", others=Others.OPPOSE)
    assert advice.value == Fraction(1, 6)
    assert advice.next.best[0] == "tails"
    assert "maximin" in advice.basis


def test_deciding_together_is_the_best_reply_to_a_stated_policy() -> None:
    advice = advise(matching_pennies(), lambda won: won, side="even")
    assert advice.value == 1
    assert advice.next.best == ("heads", "heads")
    assert "policy decline" in advice.basis


def test_sealed_spends_are_weighed_against_their_price() -> None:
    """SP-13: a point is worth 1/20 of a win or so, so at a tenth each none is spent."""

    def thrifty(verdict: Contest) -> Fraction:
        return int(verdict.winner.value == "actor") - Fraction(verdict.spent, 10)

    def eager(verdict: Contest) -> Fraction:
        return int(verdict.winner.value == "actor") - Fraction(verdict.spent, 100)

    assert advise(contest(0, 0, 2, 2), thrifty, side="actor", others=Others.OPPOSE).next.best == (0, 2)
    assert advise(contest(0, 0, 2, 2), eager, side="actor", others=Others.OPPOSE).next.best == (2, 2)


def test_a_budget_of_paths_is_kept() -> None:
    with pytest.raises(TooManyPaths):
        advise(stop_or_go(4), worth, side="hero", most_paths=100)
