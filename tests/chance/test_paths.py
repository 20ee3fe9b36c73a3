"""The tree of a question with all its decisions, and odds under a fixed list of answers."""

from fractions import Fraction

import pytest

from astragal.chance import (
    EnteredDice,
    IllegalAnswer,
    Odds,
    Offer,
    Record,
    RecordMismatch,
    Rolled,
    Rolls,
    TooManyPaths,
    Waiting,
    d4,
    d6,
    hits,
    odds,
    play,
    rule,
    total,
)
from astragal.chance.paths import Tree, Verdict, answered_odds
from examples.sinew_and_steel import Clash, Roll, Side, lucky_opposed_test, simple_test


@rule
def raise_or_fold(face: int) -> Rolls[bool]:
    return (yield from Offer("hero", "raise", (False, True), about=face))


@rule
def bet() -> Rolls[int]:
    """A pool, a decision inside a sub-rule, and another pool."""
    face = yield from total(2, d4)
    raised = yield from raise_or_fold(face)
    won = yield from hits(1, d6, at_least=4)
    return (2 if raised else 1) * (face if won else -face)


@rule
def two_decisions() -> Rolls[tuple[int, int]]:
    first = yield from Offer("hero", "first", (0, 1, 2))
    second = yield from Offer("hero", "second", (0, 1, 2))
    return first, second


def test_a_path_leads_to_the_next_open_step_or_the_verdict() -> None:
    tree = Tree(bet())
    assert tree.follow(()) == total(2, d4)
    assert tree.follow((5,)) == Offer("hero", "raise", (False, True), about=5)
    assert tree.follow((5, True)) == hits(1, d6, at_least=4)
    assert tree.follow((5, True, 1)) == Verdict(10)


def test_a_sub_rule_without_decisions_is_one_draw() -> None:
    tree = Tree(lucky_opposed_test(10, 3, 12, 4))
    assert tree.follow(()) == simple_test(10)
    assert tree.draws(simple_test(10)).total == 20


def test_a_sub_rule_with_decisions_is_walked_into() -> None:
    clash = Clash(Roll(10, 4), Roll(12, 7))
    step = Tree(lucky_opposed_test(10, 3, 12, 4)).follow((clash.attack, clash.defence))
    assert isinstance(step, Offer)
    assert (step.side, step.about) == (Side.ATTACKER.value, clash)


def test_the_record_of_a_play_is_a_path_of_the_tree() -> None:
    waiting = play(bet(), EnteredDice([2, 3]))
    assert isinstance(waiting, Waiting)
    assert Tree(bet()).position_of(waiting.record) == (bet(), (5,))
    after = waiting.resume(EnteredDice([4]), True)
    assert Tree(bet()).position_of(after.record) == (bet(), (5, True, 1))


def test_a_record_of_sub_rules_is_a_path_of_their_verdicts() -> None:
    waiting = play(lucky_opposed_test(10, 3, 12, 4), EnteredDice([4, 7]))
    question = lucky_opposed_test(10, 3, 12, 4)
    assert Tree(question).position_of(waiting.record) == (question, (Roll(10, 4), Roll(12, 7)))


def test_a_record_that_does_not_fit_is_no_path() -> None:
    with pytest.raises(RecordMismatch, match="comes first"):
        Tree(bet()).position_of(Record(tuple(Rolled(4, 2, "bet") for _ in range(3))))


def test_a_budget_of_paths_is_kept() -> None:
    with pytest.raises(TooManyPaths):
        answered_odds(bet(), [], most_paths=5)


def test_answers_are_taken_from_the_list_and_then_by_default() -> None:
    assert odds(two_decisions(), [2]) == Odds.certain((2, 0))
    assert odds(two_decisions(), [2, 1, 7]) == Odds.certain((2, 1))


def test_the_odds_of_a_question_that_waits_are_those_from_there_on() -> None:
    waiting = play(bet(), EnteredDice([2, 3]))
    assert answered_odds(bet(), [True], after=waiting.record) == Odds({10: 1, -10: 1}, 2)
    assert answered_odds(bet(), [], after=waiting.record) == Odds({5: 1, -5: 1}, 2)


def test_an_answer_on_the_list_must_be_legal() -> None:
    with pytest.raises(IllegalAnswer):
        odds(two_decisions(), [5])


def test_no_answers_are_the_same_as_declining() -> None:
    assert odds(bet(), []) == odds(bet())
    assert odds(lucky_opposed_test(9, 2, 11, 2), []) == odds(lucky_opposed_test(9, 2, 11, 2))


def test_a_list_of_answers_holds_on_every_path() -> None:
    assert odds(bet(), [True]) == odds(bet()).map(lambda won: 2 * won)


def test_a_list_means_nothing_to_a_step_without_offers() -> None:
    assert odds(d6, [3]).chance(6) == Fraction(1, 6)
