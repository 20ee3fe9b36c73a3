"""Advantage, circumstances by name, conditions that bear on a roll, its bonuses, and the request that it answers."""

from astragal.table.authoring.rolls import (
    HELP,
    HINDRANCE,
    NEXT_ROLL,
    Advantage,
    Disadvantage,
    Footing,
    Ground,
    Term,
    circumstance_choices,
    ended_by_roll,
    footing,
    request_for,
    sum_words,
    terms,
    total,
)

__all__ = [
    "HELP",
    "HINDRANCE",
    "NEXT_ROLL",
    "Advantage",
    "Disadvantage",
    "Footing",
    "Ground",
    "Term",
    "circumstance_choices",
    "ended_by_roll",
    "footing",
    "request_for",
    "sum_words",
    "terms",
    "total",
]
