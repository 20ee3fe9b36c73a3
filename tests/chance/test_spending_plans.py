"""A purse spread over many tests: as one question that asks itself, and by hand."""

from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import pytest

from astragal.chance import (
    BadStep,
    EnteredDice,
    Offer,
    Others,
    Policy,
    Rolls,
    Together,
    Waiting,
    advise,
    advise_ahead,
    d4,
    d6,
    d20,
    decline,
    odds,
    play,
    rule,
)


class Tried(NamedTuple):
    passed: bool
    spent: int


@rule
def lucky(tokens: int, score: int) -> Rolls[Tried]:
    """Each token moves the die by one."""
    natural = yield from d20
    lacking, spent = natural - score, 0
    if 0 < lacking <= tokens and natural != 20:
        spent = yield from Offer("hero", "spend", (0, lacking))
    return Tried(lacking <= 0 or spent > 0, spent)


@rule
def lucky_in_a_row(tests: int, tokens: int, score: int) -> Rolls[int]:
    """The same as one question."""
    if not tests:
        return 0
    first = yield from lucky(tokens, score)
    return first.passed + (yield from lucky_in_a_row(tests - 1, tokens - first.spent, score))


@rule
def contested(tokens: int) -> Rolls[Tried]:
    """The foe makes it harder, then the hero pays; now and then both bid at once."""
    face = yield from d6
    hurdle = yield from Offer("foe", "raise", (4, 5))
    if face == 6:
        bid, against = yield from Together(
            (Offer("hero", "bid", tuple(range(tokens + 1))), Offer("foe", "bid", (0, 1)))
        )
        return Tried(bid > against, bid)
    spent = yield from Offer("hero", "spend", tuple(range(min(tokens, 2) + 1)))
    again = yield from d4
    return Tried(face + spent + again // 4 >= hurdle, spent)


@rule
def contested_in_a_row(tests: int, tokens: int) -> Rolls[int]:
    if not tests:
        return 0
    first = yield from contested(tokens)
    return first.passed + (yield from contested_in_a_row(tests - 1, tokens - first.spent))


def passed(tried: Tried) -> bool:
    return tried.passed


def spent(tried: Tried) -> int:
    return tried.spent


def eager(offer: Offer[Any]) -> Any:
    return offer.options[-1]


def ahead(times: int, purse: int, score: int = 10) -> Any:
    return advise_ahead(
        lambda tokens: lucky(tokens, score), times=times, purse=purse, aim=passed, price=spent, side="hero"
    )


@pytest.mark.parametrize(("tests", "tokens", "score"), [(1, 1, 10), (1, 4, 12), (2, 3, 7), (3, 5, 10)])
def test_a_plan_is_worth_what_one_long_question_is_worth(tests: int, tokens: int, score: int) -> None:
    expected = advise(lucky_in_a_row(tests, tokens, score), int, side="hero").value
    assert ahead(tests, tokens, score).value == expected


def test_with_an_empty_purse_it_is_worth_what_the_dice_give() -> None:
    assert ahead(3, 0, 10).value == odds(lucky_in_a_row(3, 0, 10)).mean()


@pytest.mark.slow
@pytest.mark.parametrize("others", [decline, eager, Others.OPPOSE])
def test_others_decide_in_a_plan_as_they_do_for_advise(others: Policy | Others) -> None:
    for tests, tokens in ((1, 2), (2, 3)):
        expected = advise(contested_in_a_row(tests, tokens), int, side="hero", others=others).value
        found = advise_ahead(
            contested, times=tests, purse=tokens, aim=passed, price=spent, side="hero", others=others
        ).value
        assert found == expected


def test_ten_tokens_over_ten_tests_as_by_hand() -> None:
    @cache
    def best(tests: int, tokens: int) -> Fraction:
        return sum((worth(face, tests, tokens) for face in range(1, 21)), Fraction(0)) / 20 if tests else Fraction(0)

    def worth(face: int, tests: int, tokens: int) -> Fraction:
        kept = best(tests - 1, tokens)
        if face <= 10:
            return kept + 1
        lacking = face - 10
        return max(kept, best(tests - 1, tokens - lacking) + 1) if lacking <= tokens and face != 20 else kept

    found = ahead(10, 10)
    assert found.value == best(10, 10)
    assert found.worth(4, 7) == best(4, 7)
    assert found.worth(0, 3) == 0


def test_fractions_may_be_aimed_at() -> None:
    half = advise_ahead(
        lambda tokens: lucky(tokens, 10),
        times=3,
        purse=4,
        aim=lambda tried: Fraction(tried.passed, 3),
        price=spent,
        side="hero",
    )
    assert half.value * 3 == ahead(3, 4).value


def test_the_die_on_the_table_is_advised_on_with_all_that_follows() -> None:
    """Five tokens for one pass are too many while forty tests follow, and well spent on the last."""
    waiting = play(lucky(5, 10), EnteredDice([15]))
    assert isinstance(waiting, Waiting)
    assert advise(waiting, ahead(41, 5).aim, side="hero").next.best == 0
    assert advise(waiting, ahead(1, 5).aim, side="hero").next.best == 5


def test_a_verdict_that_costs_more_than_there_is_is_refused_with_the_numbers() -> None:
    with pytest.raises(BadStep, match="takes 9 from a purse of 2"):
        advise_ahead(lambda tokens: lucky(tokens, 10), times=2, purse=2, aim=passed, price=lambda _: 9, side="hero")
