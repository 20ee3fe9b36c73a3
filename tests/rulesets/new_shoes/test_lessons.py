"""The companion: XP and specialities."""

from __future__ import annotations

import pytest

from tests.rulesets.new_shoes.conftest import Open
from tests.rulesets.new_shoes.playing import Playing


@pytest.fixture
def learning(open_table: Open) -> Playing:
    return open_table(lessons=True)


def fail(playing: Playing, *faces: int) -> None:
    """Lund fails with Body 2."""
    playing.approach("Lund", "body", 20)
    playing.roll("Lund", *(faces or (1, 1)))


def test_a_failed_roll_earns_an_xp(learning: Playing) -> None:
    """NS+01: a partial success and a success earn none."""
    fail(learning)
    assert learning.sheet("Lund").xp == 1
    for target in (4, 2):
        learning.approach("Lund", "body", target)
        learning.roll("Lund", 2, 2)
    assert learning.sheet("Lund").xp == 1


def test_whoever_loses_an_opposed_roll_has_failed(learning: Playing) -> None:
    """NS+01: the opponent too."""
    learning.describe("Kira")
    learning.describe("Lund")
    fields = {"attribute": "mind", "opponent": "Lund", "opposing_attribute": "body"}
    learning.act("Ada", "call_opposed", who="Kira", **fields)
    learning.roll("Kira", 5, 5, 5, 1, 1)
    assert (learning.sheet("Kira").xp, learning.sheet("Lund").xp) == (0, 1)


def test_all_sixes_on_the_first_throw_teach_a_speciality(learning: Playing) -> None:
    """NS+01: what the sixes bring need not be sixes; the player names a lasting +1."""
    learning.approach("Lund", "body", 12)
    learning.roll("Lund", 6, 6, 1, 2)
    learning.act("Cy", "learn", who="Lund", speciality="Climbing")
    (status,) = learning.sheet("Lund").statuses
    assert (status.name, status.value, status.speciality) == ("Climbing", 1, True)
    assert learning.refused("Ada", "end_status", status="Climbing") == "lasting"
    learning.approach("Lund", "body", 30)
    learning.roll("Lund", 6, 6, 1, 2)
    assert learning.refused("Cy", "learn", who="Lund", speciality="climbing") == "name_taken"
    learning.approach("Lund", "body", 8)
    assert learning.told(learning.roll("Lund", 4, 4), "dice_thrown")["total"] == 9


def test_xp_stand_in_for_sixes_and_for_nothing_else(learning: Playing) -> None:
    """NS+01: one die was no six; the total stays as it was."""
    fail(learning)
    learning.approach("Lund", "body", 12)
    outcome = learning.roll("Lund", 6, 1, 3)
    assert learning.told(outcome, "dice_thrown")["total"] == 10
    assert learning.told(outcome, "lesson_offered")["price"] == 1
    learning.act("Cy", "learn", who="Lund", speciality="Falling")
    assert learning.sheet("Lund").xp == 1
    assert learning.refused("Cy", "learn", who="Lund", speciality="Falling twice") == "no_lesson"


def test_a_lesson_is_for_the_last_roll(learning: Playing) -> None:
    """NS+01, NS-03: who rolls again has let it pass, on either side."""

    def offered() -> bool:
        learning.approach("Lund", "body", 4)
        learning.roll("Lund", 6, 6, 1, 2)
        return learning.sheet("Lund").lesson == 0

    assert offered()
    learning.approach("Lund", "mind", 4)
    learning.roll("Lund", 1, 1, 1, 1, 1)
    assert learning.refused("Cy", "learn", who="Lund", speciality="Climbing") == "no_lesson"
    assert offered()
    learning.describe("Kira")
    learning.describe("Lund")
    fields = {"attribute": "mind", "opponent": "Lund", "opposing_attribute": "body"}
    learning.act("Ada", "call_opposed", who="Kira", **fields)
    learning.roll("Kira", 1, 1, 1, 2, 2)
    assert learning.refused("Cy", "learn", who="Lund", speciality="Climbing") == "no_lesson"


def test_too_few_xp_teach_nothing(learning: Playing) -> None:
    """NS+01: three dice short, and one XP."""
    fail(learning)
    learning.approach("Lund", "mind", 4)
    outcome = learning.roll("Lund", 6, 1, 6, 1, 2, 2, 2)
    assert "lesson_offered" not in learning.names(outcome)


def test_a_lesson_is_no_longer_had_without_its_xp(learning: Playing) -> None:
    """NS+01: the game master took them back meanwhile."""
    fail(learning, 6, 1, 1)
    learning.act("Ada", "override", who="Lund", what="xp", value=0)
    assert learning.refused("Cy", "learn", who="Lund", speciality="Falling") == "no_xp"


def test_without_the_option_nothing_is_learned(playing: Playing) -> None:
    """NS+01: it is off unless the table wants it."""
    playing.approach("Lund", "body", 20)
    playing.roll("Lund", 6, 1, 6, 1)
    assert playing.sheet("Lund").xp == 0
    assert playing.refused("Cy", "learn", who="Lund", speciality="Climbing") == "no_lesson"
