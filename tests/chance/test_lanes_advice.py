"""Advice by lanes: the same as path by path, and where path by path never ends."""

import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from astragal.chance import (
    EnteredDice,
    Offer,
    Others,
    Policy,
    Question,
    Rolls,
    Together,
    Waiting,
    advise,
    d6,
    d20,
    decline,
    hits,
    lowest,
    play,
    rule,
)
from astragal.chance.lanes import Planner
from examples.sinew_and_steel import Roll, lucky_test
from examples.six_pool import Contest, contest

Aim = Callable[[Any], int | Fraction]


@rule
def stop_or_go(throws: int) -> Rolls[int]:
    face = yield from d6
    for _ in range(throws - 1):
        if not (yield from Offer("hero", "throw again", (False, True), about=face)):
            return face
        face = yield from d6
    return face


@rule
def luck_ahead(tests: int, tokens: int, score: int) -> Rolls[int]:
    """Every test passed counts, and each token moves one die by one, once."""
    if not tests:
        return 0
    natural = yield from d20
    lacking, spent = natural - score, 0
    if 0 < lacking <= tokens and natural != 20:
        spent = yield from Offer("hero", "spend Luck", (0, lacking))
    passed = lacking <= 0 or spent > 0
    return passed + (yield from luck_ahead(tests - 1, tokens - spent, score))


@rule
def bids(rounds: int, mine: int, yours: int) -> Rolls[int | str]:
    """Both bid at once, then one throws; who has nothing left to bid is told so."""
    if not rounds:
        return 0
    if not mine and not yours:
        return "broke"
    my_bid, your_bid = yield from Together(
        (Offer("me", "bid", tuple(range(mine + 1))), Offer("you", "bid", tuple(range(yours + 1))))
    )
    face = yield from d6
    won = face + my_bid - your_bid > 3
    rest = yield from bids(rounds - 1, mine - my_bid, yours - your_bid)
    return rest if rest == "broke" else rest + won


@rule
def answered() -> Rolls[int]:
    """One side moves, the other answers knowing it, in a question of its own."""
    face = yield from lowest(2, d6)
    mine = yield from Offer("me", "take", (1, face + 1, 9))
    lost = yield from punished(mine, face)
    lucky = yield from hits(2, d6, at_least=5)
    return mine - lost + lucky * face


@rule
def punished(taken: int, face: int) -> Rolls[int]:
    threat = yield from d6
    if taken < threat:
        return 0
    return (yield from Offer("you", "punish", (0, taken // 2 + 1, face + 9 if taken > 6 else 7 * taken + 2)))


@rule
def names_its_options(tokens: int) -> Rolls[str]:
    face = yield from d6
    how = yield from Offer("me", "how", ("boldly", "slyly") if face > 2 else ("slyly",))
    if how == "boldly":
        face += yield from d6
    return f"{how} well" if face + tokens > 6 else how


def identity(verdict: int) -> int:
    return verdict


def well(verdict: str) -> bool:
    return verdict.endswith("well")


def by_rounds(verdict: int | str) -> Fraction:
    return Fraction(-1, 3) if verdict == "broke" else Fraction(verdict)


def thrifty(verdict: Contest) -> Fraction:
    return int(verdict.winner.value == "actor") - Fraction(verdict.spent, 10)


CASES: list[tuple[Question[Any], Aim, str]] = [
    (stop_or_go(3), identity, "hero"),
    (luck_ahead(2, 4, 12), identity, "hero"),
    (luck_ahead(2, 4, 12), lambda passed: passed == 2, "hero"),
    (bids(2, 1, 1), by_rounds, "me"),
    (bids(2, 1, 1), by_rounds, "you"),
    (answered(), identity, "me"),
    (answered(), lambda verdict: -verdict, "you"),
    (names_its_options(1), well, "me"),
    (lucky_test(10, 3), lambda roll: 3 * roll.success - abs(roll.nudge), "roller"),
    (contest(0, 0, 2, 2), thrifty, "actor"),
]


def last(offer: Offer[Any]) -> Any:
    return offer.options[-1]


@pytest.fixture(autouse=True)
def _to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little lanes gain, here they are to answer themselves."""
    monkeypatch.setattr("astragal.chance.lanes.weighing.SOON", 1_000_000)


@pytest.mark.parametrize("others", [decline, last, Others.OPPOSE])
@pytest.mark.parametrize(("question", "aim", "side"), CASES, ids=[f"{it[0]} {it[2]}" for it in CASES])
def test_lanes_advise_as_path_by_path_does(
    question: Question[Any], aim: Aim, side: str, others: Policy | Others
) -> None:
    walked = advise(question, aim, side=side, others=others, most_paths=20_000)
    valued = Planner(side, None if isinstance(others, Others) else others).valued(question, (), aim)
    assert valued.worth == walked.value
    assert valued.odds == walked.odds


def test_lanes_advise_from_where_a_question_waits() -> None:
    wait = play(luck_ahead(2, 4, 12), EnteredDice([14]))
    assert isinstance(wait, Waiting)
    walked = advise(wait, identity, side="hero")
    assert Planner("hero", decline).valued(luck_ahead(2, 4, 12), (14,), identity).worth == walked.value


def best_by_hand(tests: int, tokens: int, score: int) -> Fraction:
    @cache
    def best(left: int, tokens: int) -> Fraction:
        if not left:
            return Fraction(0)
        total = Fraction(0)
        for natural in range(1, 21):
            lacking, worth = natural - score, best(left - 1, tokens)
            if lacking <= 0:
                worth += 1
            elif lacking <= tokens and natural != 20:
                worth = max(worth, 1 + best(left - 1, tokens - lacking))
            total += worth
        return total / 20

    return best(tests, tokens)


def test_luck_over_many_tests_is_found_though_its_paths_can_not_be_walked() -> None:
    """Ten dice and ten decisions have more paths than there is time."""
    advice = advise(luck_ahead(10, 10, 10), identity, side="hero")
    assert advice.value == advice.odds.mean() == best_by_hand(10, 10, 10)
    assert advice.next.values[advice.next.best] == max(advice.next.values.values())


def test_the_first_choice_is_the_one_that_a_walk_meets_first(monkeypatch: pytest.MonkeyPatch) -> None:
    walked = advise(luck_ahead(2, 4, 12), identity, side="hero")
    monkeypatch.setattr(sys.modules["astragal.chance.advice"], "FEW_PATHS_WITH_NUMPY", 10)
    quick = advise(luck_ahead(2, 4, 12), identity, side="hero")
    assert type(quick._best_play) is not type(walked._best_play)  # noqa: SLF001 - else nothing would be tested
    assert quick.next == walked.next
    assert quick.choices == walked.choices
    assert quick.odds == walked.odds


def test_what_lanes_can_not_do_is_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astragal.chance.lanes.lane.MOST_LANES", 10)
    monkeypatch.setattr(sys.modules["astragal.chance.advice"], "FEW_PATHS_WITH_NUMPY", 10)
    advice = advise(lucky_test(10, 3), success, side="roller")
    assert advice.value == Fraction(13, 20)
    assert len(advice.choices) == 3


def success(roll: Roll) -> bool:
    return roll.success
