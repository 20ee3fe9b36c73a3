"""The numbers that the rules of New Shoes take, and what they are where nobody says."""

from __future__ import annotations

from astragal.rulesets.new_shoes import NEW_SHOES
from tests.rulesets.limits import limits_of

LIMITS = {
    "approach": "dice 1..8, target -999..999, statuses -30..30 = 0, won 1..20 = 1, lost 1..20 = 1",
    "opposed_approach": (
        "dice 1..8, opposing 1..8, statuses -30..30 = 0, opposing_statuses -30..30 = 0, won 1..20 = 1, lost 1..20 = 1"
    ),
}


def test_every_rule_takes_the_numbers_of_the_book() -> None:
    """NS-01 to NS-06"""
    assert limits_of(NEW_SHOES) == LIMITS
