"""Playing once: a verdict with its record, or a wait that is plain data and goes on anywhere."""

import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from astragal.chance import (
    EnterDice,
    EnteredDice,
    Fate,
    IllegalAnswer,
    NotAStep,
    Offer,
    Pause,
    Record,
    RecordMismatch,
    Rolled,
    Rolls,
    SeededDice,
    Settled,
    Together,
    Waiting,
    d6,
    d20,
    exploding,
    find_rule,
    highest,
    hits,
    play,
    replay,
    rerolled,
    rule,
)
from examples.sinew_and_steel import Roll, Side, lucky_opposed_test, lucky_test, opposed_test, simple_test
from examples.six_pool import contest


@rule
def bold_throw() -> Rolls[int]:
    face = yield from d6
    again = yield from Offer("hero", "throw again", (False, True), about=face)
    return (yield from d6) if again else face


@rule
def mixed_throw() -> Rolls[int]:
    pool = yield from exploding(3, d6)
    return pool + (yield from d20)


@rule
def bare_throw() -> Rolls[Any]:
    return (yield 6)  # type: ignore[misc]


def settled(played: Settled[Any] | Waiting[Any]) -> Settled[Any]:
    assert isinstance(played, Settled)
    return played


def waiting(played: Settled[Any] | Waiting[Any]) -> Waiting[Any]:
    assert isinstance(played, Waiting)
    return played


def test_every_die_is_recorded_with_the_rule_that_asked() -> None:
    played = settled(play(opposed_test(12, 8), EnteredDice([5, 9])))
    assert played.value is Side.ATTACKER
    assert played.record.rolled == (
        Rolled(20, 5, "simple_test", Fate.KEPT, "entered"),
        Rolled(20, 9, "simple_test", Fate.KEPT, "entered"),
    )


def test_a_replay_gives_the_verdict_again() -> None:
    for seed in range(50):
        played = settled(play(lucky_test(9, 4), SeededDice(seed), answers=[0]))
        assert replay(lucky_test(9, 4), played.record) == played.value


def test_a_rule_waits_for_its_offer_and_goes_on_with_the_answer() -> None:
    dice = EnteredDice([15])
    wait = waiting(play(lucky_test(10, 8), dice))
    assert isinstance(wait.need, Offer)
    assert wait.need.notable[0].price == 5
    assert settled(wait.resume(dice, -6)).value == Roll(10, 15, nudge=-6)
    assert settled(wait.resume(dice, 0)).value == Roll(10, 15)


def test_answers_at_once_and_one_by_one_come_to_the_same() -> None:
    dice = SeededDice(3)
    wait = waiting(play(bold_throw(), dice))
    later = settled(wait.resume(dice, True))
    assert later == settled(play(bold_throw(), SeededDice(3), answers=[True]))
    assert later.record.answers == (True,)


def test_answers_that_nobody_asked_for_are_not_recorded() -> None:
    assert settled(play(simple_test(10), EnteredDice([4]), answers=[1, 2])).record.answers == ()


def test_an_answer_that_is_not_offered_is_illegal() -> None:
    with pytest.raises(IllegalAnswer, match="9 is no answer to 'spend Luck'; roller may answer"):
        play(lucky_test(10, 3), EnteredDice([12]), answers=[9])


@pytest.mark.parametrize("answer", [3, (1,), (1, 9), [1, 1]])
def test_sides_that_decide_together_answer_with_a_tuple(answer: Any) -> None:
    wait = waiting(play(contest(0, 0, 2, 2), SeededDice(1)))
    assert isinstance(wait.need, Together)
    with pytest.raises(IllegalAnswer):
        wait.resume(SeededDice(1), answer)


def test_sides_that_decide_together_are_answered_in_the_order_of_their_offers() -> None:
    played = settled(play(contest(0, 0, 3, 3), EnteredDice([10, 10]), answers=[(3, 1)]))
    assert (played.value.spent, played.value.opposing_spent, played.value.margin) == (3, 1, 2)


def test_what_is_no_step_is_named() -> None:
    with pytest.raises(NotAStep, match="bare_throw stopped for 6"):
        play(bare_throw(), SeededDice(1))


# ---------------------------------------------------------------- dice by hand


def test_a_pool_asks_for_all_the_dice_it_needs() -> None:
    @rule
    def pool() -> Rolls[int]:
        return (yield from hits(4, d6, at_least=5))

    wait = waiting(play(pool(), EnteredDice()))
    assert wait.need == EnterDice((6, 6, 6, 6))
    partly = waiting(wait.resume(EnteredDice([5, 1])))
    assert partly.need == EnterDice((6, 6))
    assert settled(partly.resume(EnteredDice([6, 6]))).value == 3


@pytest.mark.parametrize(
    ("entered", "needed"),
    [
        ([], (6, 6, 6)),
        ([6], (6, 6)),
        ([6, 6, 6], (6, 6, 6)),
        ([6, 6, 1, 3], (6,)),
        ([1, 1, 6], (6,)),
        ([1, 2, 3], (20,)),
    ],
)
def test_all_dice_of_a_pool_are_asked_for_first_and_then_those_that_they_bring(
    entered: list[int], needed: tuple[int]
) -> None:
    assert waiting(play(mixed_throw(), EnteredDice(entered))).need == EnterDice(needed)


@pytest.mark.parametrize(
    ("once", "entered", "total"),
    [
        (True, [6, 6, 2, 5], 6 + 2 + 6 + 5),
        (True, [6, 6, 6, 6], 24),
        (False, [6, 6, 2, 5], 19),
        (False, [6, 6, 6, 5, 1], 24),
        (False, [1, 6, 6, 2], 15),
    ],
)
def test_exploding_dice_are_entered_pool_first(once: bool, entered: list[int], total: int) -> None:
    @rule
    def pair() -> Rolls[int]:
        return (yield from exploding(2, d6, once=once, ceiling=99))

    dice = EnteredDice(entered)
    assert settled(play(pair(), dice)).value == total
    assert dice.left == 0


def test_dice_entered_one_by_one_give_what_they_give_at_once() -> None:
    @rule
    def best() -> Rolls[int]:
        return (yield from highest(3, rerolled(d6, [1], once=True), keep=2))

    faces = [1, 4, 1, 1, 6]
    at_once = settled(play(best(), EnteredDice(faces)))
    wait = waiting(play(best(), EnteredDice()))
    for face in faces[:-1]:
        wait = waiting(wait.resume(EnteredDice([face])))
    one_by_one = settled(wait.resume(EnteredDice(faces[-1:])))
    assert (one_by_one.value, one_by_one.record) == (10, at_once.record)


def test_rerolled_dice_are_asked_for_again() -> None:
    @rule
    def careful() -> Rolls[int]:
        return (yield from highest(2, rerolled(d6, [1]), keep=1))

    assert waiting(play(careful(), EnteredDice([1, 1]))).need == EnterDice((6, 6))
    assert waiting(play(careful(), EnteredDice([1, 4]))).need == EnterDice((6,))


def test_dice_and_answers_may_come_in_turns() -> None:
    wait = waiting(play(bold_throw(), EnteredDice([2])))
    short = waiting(wait.resume(EnteredDice(), True))
    assert (short.need, short.record.answers) == (EnterDice((6,)), (True,))
    assert settled(short.resume(EnteredDice([5]))).value == 5


def test_any_source_can_make_a_rule_wait() -> None:
    class Unwitnessed:
        source = "chain"

        def face(self, sides: int) -> int:
            raise Pause(("a witness for a die of", sides))

    assert waiting(play(simple_test(10), Unwitnessed())).need == ("a witness for a die of", 20)


# ---------------------------------------------------------------- records that do not fit


def record_of(*faces: int, answers: tuple[Any, ...] = (), by: str = "bold_throw") -> Record:
    return Record(tuple(Rolled(6, face, by) for face in faces), answers)


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        (record_of(), "the record ends after 0 dice"),
        (record_of(3), "still waits for Offer"),
        (record_of(3, 4, answers=(False,)), "has 1 dice more"),
        (record_of(3, answers=(False, True)), "has 1 answers more"),
        (record_of(3, answers=(False,), by="another"), "die 1 was recorded as"),
        (record_of(9, answers=(False,)), "a d6 that shows 9"),
        (Record((Rolled(20, 3, "bold_throw"),), (False,)), "is a d20 of bold_throw, but the rule asks for a d6"),
        (Record((Rolled(6, 3, "bold_throw", Fate.DROPPED),), (False,)), "die 1 was recorded as"),
    ],
)
def test_a_record_that_does_not_fit_fails_and_says_where(record: Record, complaint: str) -> None:
    with pytest.raises(RecordMismatch, match=complaint):
        replay(bold_throw(), record)


# ---------------------------------------------------------------- waiting through a restart

RESUME = """
from astragal.chance import SeededDice
print(wait.resume(SeededDice("after"), *answers))
"""


def test_a_wait_goes_on_in_another_process(new_interpreter: Callable[..., str]) -> None:
    dice = EnteredDice([4, 7])
    wait = waiting(play(lucky_opposed_test(10, 3, 12, 4), dice))
    then = waiting(wait.resume(dice, -2))
    program = f"import pickle, sys\nwait, answers = pickle.load(sys.stdin.buffer), (-2,)\n{RESUME}"
    assert new_interpreter(program, pickle.dumps(wait)) == str(then)


def as_json(wait: Waiting[Any]) -> str:
    """The question, the dice and the answers so far, as anybody might store them."""
    rolled = [[die.sides, die.face, die.by, die.fate.value, die.source] for die in wait.record.rolled]
    asked = [wait.question.rule.__module__, wait.question.rule.__qualname__, wait.question.arguments]
    return json.dumps({"asked": asked, "rolled": rolled, "answers": wait.record.answers})


def from_json(text: str) -> Waiting[Any]:
    stored = json.loads(text)
    module, name, arguments = stored["asked"]
    rolled = [Rolled(sides, face, by, Fate(fate), source) for sides, face, by, fate, source in stored["rolled"]]
    return Waiting(find_rule(module, name)(*arguments), None, Record(tuple(rolled), tuple(stored["answers"])))


def test_a_wait_is_plain_data() -> None:
    wait = waiting(play(lucky_opposed_test(10, 3, 12, 4), EnteredDice([4, 7])))
    again = from_json(as_json(wait))
    assert waiting(again.resume(EnteredDice())) == wait
    assert again.resume(SeededDice(1), 0) == wait.resume(SeededDice(1), 0)


def test_plain_data_goes_on_in_another_process(new_interpreter: Callable[..., str]) -> None:
    wait = waiting(play(lucky_opposed_test(10, 3, 12, 4), EnteredDice([4, 7])))
    program = """
import json, sys
from astragal.chance import Fate, Record, Rolled, Waiting, find_rule
stored = json.load(sys.stdin)
module, name, arguments = stored["asked"]
rolled = tuple(Rolled(*die[:3], Fate(die[3]), die[4]) for die in stored["rolled"])
wait, answers = Waiting(find_rule(module, name)(*arguments), None, Record(rolled, tuple(stored["answers"]))), (0, 0)
"""
    told = new_interpreter(program + RESUME, as_json(wait).encode())
    assert told == str(wait.resume(SeededDice("after"), 0, 0))
