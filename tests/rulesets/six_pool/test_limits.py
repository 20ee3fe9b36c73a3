"""The numbers that the rules of Six-Pool take, and what they are where nobody says."""

from __future__ import annotations

from astragal.rulesets.six_pool import SIX_POOL
from tests.rulesets.limits import limits_of

LIMITS = {
    "check": "dc 1..40, bonus -40..60",
    "attack": "ac 1..40, bonus -40..60",
    "damage_roll": "critical = no",
    "group_check": "dc 1..40",
    "how_many_make_it": "dc 1..40",
    "makes_it": "dc 1..40, bonus -40..60",
    "short_rest": "level 1..20",
}


def test_every_rule_takes_the_numbers_of_the_book() -> None:
    """SP-01, SP-05, SP-08, SP-11, SP-13, SP-14, SP+03"""
    assert limits_of(SIX_POOL) == LIMITS
