"""NJ-04 to NJ-06: difficulties, counting successes, and the printed chances."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.chance import EnteredDice, Settled, odds, percent, play
from astragal.rulesets.narraject import NARRAJECT
from astragal.rulesets.narraject.hand import (
    MOST_SUCCESSES,
    Difficulty,
    Hand,
    Outcome,
    Result,
    Source,
    Term,
    name_of,
    roll_hand,
    successes_of,
)
from tests.rulesets.narraject.conftest import Open
from tests.rulesets.narraject.playing import SHOT, Playing


def dice(count: int) -> Hand:
    return Hand((Term(Source.RATING, count, "might"),))


def chance(count: int, difficulty: int) -> Fraction:
    return odds(roll_hand(dice(count), difficulty)).chance(lambda outcome: outcome.success)


def rolled(count: int, difficulty: int, *faces: int) -> Outcome:
    played = play(roll_hand(dice(count), difficulty), EnteredDice(faces))
    assert isinstance(played, Settled)
    return played.value


# ---------------------------------------------------------------- difficulty


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        (Difficulty.TRIVIAL, [0]),
        (Difficulty.EASY, [1]),
        (Difficulty.MODERATE, [2]),
        (Difficulty.CHALLENGING, [3]),
        (Difficulty.HARD, [4]),
        (Difficulty.VERY_HARD, [5, 6]),
        (Difficulty.HEROIC, [7, 8]),
        (Difficulty.LEGENDARY, [9, 10]),
        (Difficulty.MYTHIC, [11, 12, 60]),
    ],
)
def test_every_number_has_a_name_and_a_name_means_its_lowest_number(name: Difficulty, numbers: list[int]) -> None:
    """NJ-04: 10 is Legendary still; the name of a span takes the lower number."""
    assert [name_of(number) for number in numbers] == [name] * len(numbers)
    assert successes_of(name) == numbers[0]
    assert [successes_of(number) for number in numbers] == numbers


def test_a_difficulty_is_a_number_or_a_name_at_the_table(playing: Playing) -> None:
    """NJ-04: “very hard” and 5 are the same question."""
    by_name = playing.preview("Bo", "attempt", **SHOT, difficulty="very hard")
    assert by_name.arguments["difficulty"] == 5
    assert by_name.question == playing.preview("Bo", "attempt", **SHOT, difficulty=5).question


def test_a_trivial_intent_needs_no_roll_and_no_focus(playing: Playing) -> None:
    """NJ-04, NJ-02: at difficulty 0 no die falls; it is done, and why is recorded."""
    outcome = playing.shoot(difficulty="trivial", focus=3)
    assert playing.names(outcome) == ["done_without_dice"]
    assert playing.told(outcome, "done_without_dice")["missing"] == "challenge"
    assert playing.sheet("Kira").reserves.agility == 11
    assert playing.facts() == ["the target to fall"]


# ---------------------------------------------------------------- counting


def test_fives_and_sixes_are_successes() -> None:
    """NJ-05: each die of 5 or 6 is one, no other face is any."""
    assert [rolled(1, 1, face).successes for face in range(1, 7)] == [0, 0, 0, 0, 1, 1]
    assert rolled(6, 1, 1, 2, 3, 4, 5, 6).successes == 2


@pytest.mark.parametrize(
    ("difficulty", "result", "excess"), [(2, Result.SUCCESS, 2), (4, Result.SUCCESS, 0), (6, Result.FAILURE, -2)]
)
def test_as_many_as_the_difficulty_succeed(difficulty: int, result: Result, excess: int) -> None:
    """NJ-05: meeting the difficulty is enough; excess and shortfall are told."""
    outcome = rolled(10, difficulty, 6, 5, 4, 3, 2, 1, 6, 5, 2, 3)
    assert (outcome.successes, outcome.result, outcome.excess) == (4, result, excess)


def test_the_printed_chances() -> None:
    """NJ-05, NJ-24: the vectors of the ledger, exact and in percent."""
    assert chance(10, 4) == Fraction(8675, 19683)
    printed = {
        3: [70.4, 25.9, 3.7],
        6: [91.2, 64.9, 32.0, 10.0, 1.8, 0.1],
        10: [98.3, 89.6, 70.1, 44.1, 21.3, 7.7],
    }
    for count, row in printed.items():
        assert [float(percent(chance(count, k), 1)) for k in range(1, len(row) + 1)] == row


def test_the_table_of_hands_has_the_printed_chances() -> None:
    """NJ-04, NJ-05: by dice and by difficulty, for every hand that heroes have."""
    table = NARRAJECT.tables["hands"]()
    assert table.head[:3] == ("dice", "easy (1)", "moderate (2)")
    assert [row[0] for row in table.rows] == [str(dice) for dice in range(1, 16)]
    assert table.rows[2][:4] == ("3", "70.4", "25.9", "3.7")


# ---------------------------------------------------------------- anything may be tried


def test_what_no_hand_can_reach_may_be_tried_and_its_chance_is_shown(playing: Playing) -> None:
    """NJ-06: a chance of 0 is shown and accepted, up to the greatest difficulty there is."""
    shown = playing.preview("Bo", "attempt", **SHOT, difficulty=MOST_SUCCESSES)
    assert all(case.odds.chance(Result.SUCCESS) == 0 for case in shown.cases)
    outcome = playing.shoot(6, 6, 6, difficulty=MOST_SUCCESSES)
    assert playing.told(outcome, "attempted")["excess"] == 3 - MOST_SUCCESSES


def test_killing_a_dragon_with_a_fork_is_legendary(playing: Playing) -> None:
    """NJ-06: the difficulty says how unlikely it is, nobody says that it can't be tried."""
    playing.act("Ada", "override", who="Kira", what="agility", value=10)
    outcome = playing.shoot(*[6] * 10, goal="the dragon dead at once", approach="a fork in the eye", difficulty=10)
    assert playing.told(outcome, "attempted")["success"]
    assert playing.facts() == ["the dragon dead at once"]


@pytest.mark.parametrize("difficulty", [-1, MOST_SUCCESSES + 1, "impossible", "4", True, 2.5, [4], {"n": 1}])
def test_what_is_no_difficulty_is_refused(playing: Playing, difficulty: object) -> None:
    """NJ-04: a number of successes, or one of the names."""
    assert playing.refused("Bo", "attempt", **SHOT, difficulty=difficulty) == "bad_fields"


def test_no_difficulty_or_two_are_refused(playing: Playing) -> None:
    """NJ-04: a roll is against one difficulty."""
    assert playing.refused("Bo", "attempt", **SHOT) == "difficulty"
    playing.act("Ada", "raise_threat", name="Guard", level=2)
    assert playing.refused("Bo", "attempt", **SHOT, difficulty=2, threat="Guard") == "difficulty"


@pytest.mark.parametrize(("floor", "dice_left"), [("rating", 3), ("one", 1), ("zero", 0)])
def test_a_hand_cut_to_nothing(open_table: Open, floor: str, dice_left: int) -> None:
    """NJ-20: what is left of Agility 3 under burdens of 6 is the option's to say."""
    playing = open_table(hand_floor=floor)
    burdens = ["Afraid of Fire", "Old Wound", "Hunted"]
    outcome = playing.shoot(*[6] * dice_left, burdens=burdens)
    assert playing.told(outcome, "attempted")["dice"] == dice_left
    assert playing.told(outcome, "attempted")["success"] is (dice_left > 0)
    assert ("rolled" in playing.names(outcome)) is (dice_left > 0)


def test_an_empty_hand_fails_unrolled_and_costs_no_focus(open_table: Open) -> None:
    """NJ-20: under the floor of zero, Focus that leaves the hand empty stays in the Reserve."""
    playing = open_table(hand_floor="zero")
    outcome = playing.shoot(burdens=["Afraid of Fire", "Old Wound", "Hunted"], focus=3)
    told = playing.told(outcome, "attempted")
    assert (told["dice"], told["successes"], told["success"], told["focus"]) == (0, 0, False, 0)
    assert playing.names(outcome) == ["attempted"]
    assert playing.sheet("Kira").reserves.agility == 11
    assert "Nothing to roll against 1 (easy). Failed, 1 short" in outcome.events[-1].words
