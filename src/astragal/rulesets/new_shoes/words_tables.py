"""What New Shoes says over its tables, and how it says a target."""

from __future__ import annotations

from .approaches import TARGETS

CHANCES_TO_BEAT = "Chances to beat a target, in percent"
CHANCES_AGAINST_ANOTHER = "Chances to beat another player, in percent"


def target_words(target: int) -> str:
    """NS-02: a target, with its name if it has one."""
    name = next((step.value for step, number in TARGETS.items() if number == target), "")
    return f"{target} ({name})" if name else str(target)
