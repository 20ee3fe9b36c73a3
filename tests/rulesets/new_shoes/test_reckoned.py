"""What went into a roll, in the words of New Shoes."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.chance import Question
from astragal.rulesets.new_shoes.rules import approach, breakdown, opposed_approach
from astragal.rulesets.new_shoes.state import TERMS, Explode
from astragal.table.authoring.log_lines import Teller
from tests.rulesets.new_shoes.conftest import Open
from tests.rulesets.new_shoes.playing import Playing


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (approach(4, 8), {"Dice": "4d6", "Target": "8 (fair)"}),
        (approach(4, 9, -2, won=5, lost=3), {"Dice": "4d6", "Statuses and support": "−2", "Target": "9"}),
        (
            approach(1, 20, 3, explode=Explode.ONCE),
            {
                "Dice": "1d6",
                "Statuses and support": "+3",
                "Target": "20 (nearly impossible)",
                "Sixes": "rolled again once",
            },
        ),
        (opposed_approach(4, 2), {"Dice": "4d6", "The opponent’s dice": "2d6"}),
        (
            opposed_approach(4, 2, 1, -3, won=2, lost=4, explode=Explode.ONCE),
            {
                "Dice": "4d6",
                "Statuses and support": "+1",
                "The opponent’s dice": "2d6",
                "The opponent’s statuses and support": "−3",
                "Sixes": "rolled again once",
            },
        ),
    ],
)
def test_every_roll_is_explained_as_players_say_it(
    playing: Playing, question: Question[Any], told: dict[str, str]
) -> None:
    """NS-03, NS-04, NS-06: the dice, what is added, and what they are against."""
    assert dict(breakdown(question, Teller(playing.look("Ada"), TERMS))) == told


# ---------------------------------------------------------------- at the table


def test_an_approach_is_explained_with_what_counted_for_it(playing: Playing) -> None:
    playing.status("slippery", -2)
    playing.approach("Kira", "body", 12, against="Troll", harmful=True)
    playing.act("Cy", "support", who="Lund", supported="Kira", attribute="mind")
    playing.roll("Kira", 1, 2, 3, 4)
    assert playing.reckoned("Bo") == {"Dice": "4d6", "Statuses and support": "+3", "Target": "12 (hard)"}


def test_a_reaction_is_explained_as_any_approach(open_table: Open) -> None:
    playing = open_table(explode="once")
    playing.react("Kira", 4, 1, 2, 3, 4)
    assert playing.reckoned("Di") == {"Dice": "4d6", "Target": "4 (easy)", "Sixes": "rolled again once"}


def test_players_against_each_other_are_explained_with_both_sides(playing: Playing) -> None:
    playing.status("limping", -1, who="Lund")
    playing.describe("Kira")
    playing.describe("Lund")
    sides = {"who": "Kira", "attribute": "will", "opponent": "Lund", "opposing_attribute": "body"}
    playing.act("Ada", "call_opposed", **sides)
    playing.roll("Kira", 1, 2, 3, 4, 5)
    told = {"Dice": "3d6", "The opponent’s dice": "2d6", "The opponent’s statuses and support": "−1"}
    assert playing.reckoned("Di") == told


def test_a_hidden_target_is_explained_to_the_game_master_alone(playing: Playing) -> None:
    """NS-02"""
    playing.approach("Kira", "body", 13, hidden=True)
    playing.roll("Kira", 1, 2, 3, 4)
    assert playing.reckoned("Ada") == {"Dice": "4d6", "Target": "13"}
    assert playing.reckoned("Bo") == {}
    assert playing.reckoned("Di") == {}
