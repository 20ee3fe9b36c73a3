"""Advantage and disadvantage, circumstances by name, conditions that bear on a roll, and what is added to it."""

from astragal.table.authoring.rolls import (
    HELP,
    HINDRANCE,
    NEXT_ROLL,
    Advantage,
    Disadvantage,
    Footing,
    Ground,
    Term,
    check_circumstances,
    circumstance_choices,
    ended_by_roll,
    footing,
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
    "check_circumstances",
    "circumstance_choices",
    "ended_by_roll",
    "footing",
    "total",
]
