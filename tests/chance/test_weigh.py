"""Exact odds, path by path: every way a rule can go, each weighed once."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal.chance import (
    IllegalAnswer,
    NotAStep,
    Odds,
    Offer,
    Rolls,
    TooManyPaths,
    Unweighable,
    d4,
    d6,
    d20,
    hits,
    odds,
    rule,
)
from astragal.chance.weigh import Weigher
from examples.sinew_and_steel import Side, lucky_test, opposed_test, simple_test
from examples.six_pool import contest

bodies: list[int] = []


@rule
def counted(number: int) -> Rolls[int]:
    bodies.append(number)
    return (yield from d4) + number


@rule
def twice(number: int) -> Rolls[int]:
    first = yield from counted(number)
    return first + (yield from counted(number))


@rule
def either() -> Rolls[int]:
    """One branch ends after one die, the other after three."""
    face = yield from d6
    if face > 2:
        return face
    return (yield from d4) + (yield from d20)


@rule
def crisis(depth: int = 1) -> Rolls[tuple[int, ...]]:
    face = yield from d6
    if face < 6 or not depth:
        return (face,)
    return (yield from crisis(depth - 1)) + (yield from crisis(depth - 1))


@rule
def endless() -> Rolls[int]:
    face = yield from d6
    return face if face < 6 else (yield from endless())


@rule
def gamble() -> Rolls[int]:
    stake = yield from Offer("hero", "stake", (0, 1, 2))
    won = yield from hits(1, d6, at_least=4)
    return stake * (1 if won else -1)


@rule
def bare() -> Rolls[Any]:
    return (yield "a die")  # type: ignore[misc]


def test_paths_of_different_length_share_one_total() -> None:
    assert odds(either()).chance(3) == Fraction(1, 6) + Fraction(2, 6) * Fraction(2, 80)
    assert sum(odds(either()).weights.values()) == odds(either()).total


def test_a_sub_rule_is_weighed_once() -> None:
    bodies.clear()
    assert odds(twice(5)) == Odds.uniform(10 + one + two for one, two in product(range(1, 5), repeat=2))
    assert len(bodies) == 4


def test_a_weigher_remembers_between_questions() -> None:
    weigher = Weigher()
    weigher.weigh(twice(5))
    bodies.clear()
    weigher.weigh(counted(5))
    assert bodies == []


def test_a_rule_may_ask_itself_about_less() -> None:
    assert odds(crisis()).chance(lambda faces: len(faces) == 1) == Fraction(5, 6)
    assert sum(odds(crisis()).chances().values()) == 1


def test_a_rule_may_ask_itself_unchanged_as_long_as_dice_end_it() -> None:
    assert odds(endless()) == Odds.uniform(range(1, 6))


def test_a_budget_of_paths_is_kept() -> None:
    assert odds(simple_test(10), most_paths=20)
    with pytest.raises(TooManyPaths, match="simple_test"):
        odds(simple_test(10), most_paths=19)
    assert issubclass(TooManyPaths, Unweighable)


def test_offers_are_declined_unless_a_policy_says_otherwise() -> None:
    assert odds(gamble()) == Odds.certain(0)
    assert odds(gamble(), lambda offer: offer.options[-1]) == Odds({2: 1, -2: 1}, 2)


def test_a_policy_keeps_to_the_options() -> None:
    with pytest.raises(IllegalAnswer):
        odds(gamble(), lambda _: 99)


def test_a_policy_sees_what_the_offer_is_about() -> None:
    def mend(offer: Offer[int]) -> int:
        return offer.notable[0].answer

    found = odds(lucky_test(10, 3), mend)
    assert found.chance(lambda roll: roll.success) == Fraction(13, 20)
    assert odds(lucky_test(10, 3)).chance(lambda roll: roll.success) == Fraction(10, 20)


def test_a_policy_answers_each_of_those_who_decide_together() -> None:
    def actor_spends(offer: Offer[int]) -> int:
        return 2 if offer.side == "actor" else 0

    found = odds(contest(0, 0, 3, 3), actor_spends)
    assert {(verdict.spent, verdict.opposing_spent) for verdict in found.weights} == {(2, 0)}


def test_any_step_has_odds() -> None:
    assert odds(d20).chance(20) == Fraction(1, 20)
    assert odds(hits(2, d6, at_least=5)).chance(2) == Fraction(1, 9)


def test_what_is_no_step_has_no_odds() -> None:
    with pytest.raises(NotAStep, match="'a die'"):
        odds(bare())


def test_the_opposed_test_is_what_counting_pairs_gives() -> None:
    """SS-07, SS-08: over all pairs of faces."""
    wins = 0
    for attack, defence in product(range(1, 21), repeat=2):
        attacked, defended = attack == 1 or attack <= 13, defence == 1 or defence <= 11
        wins += attacked and (not defended or 13 - attack > 11 - defence)
    assert odds(opposed_test(13, 11)).chance(Side.ATTACKER) == Fraction(wins, 400)
