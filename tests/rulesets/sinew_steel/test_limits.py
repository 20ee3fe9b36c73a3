"""The numbers that the rules of Sinew & Steel take, and what they are where nobody says."""

from __future__ import annotations

from astragal.rulesets.sinew_steel import SINEW_STEEL
from tests.rulesets.limits import limits_of

LIMITS = {
    "simple_test": "score 0..20",
    "nudged_test": "score 0..20, lethal = no",
    "luck_test": "tokens 0..20, lethal = no, surcharge 0..1 = 0, favours 0..3 = 0",
    "blessing": "room 0..20",
    "opposed_test": "attacker 0..20, defender 0..20",
    "attack": "attacker 0..20, defender 0..20",
    "rising": "before 0..4, rise 0..5 = 1",
    "tampering": "score 0..20, lethal = no, before 0..4 = 0",
    "purchase": (
        "wealth 0..4, tier 0..4, large = no, tokens 0..20 = 0, before 0..4 = 0, surcharge 0..1 = 0, favours 0..3 = 0"
    ),
}


def test_every_rule_takes_the_numbers_of_the_book() -> None:
    """SS-01, SS-07, SS-20, SS-21, SS-24, SS-26, SS-32, SS-51, SS-53 to SS-55, SS-67, SS+02"""
    assert limits_of(SINEW_STEEL) == LIMITS
