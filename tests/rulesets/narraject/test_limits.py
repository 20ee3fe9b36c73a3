"""The numbers that the rules of Narraject take, and what they are where nobody says."""

from __future__ import annotations

from astragal.rulesets.narraject import NARRAJECT
from tests.rulesets.limits import limits_of

LIMITS = {
    "roll_hand": "difficulty 0..60",
}


def test_every_rule_takes_the_numbers_of_the_book() -> None:
    """NJ-04, NJ-05"""
    assert limits_of(NARRAJECT) == LIMITS
