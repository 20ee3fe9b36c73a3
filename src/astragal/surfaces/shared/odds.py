"""Odds of a command and of an answer: success first, then the likeliest outcomes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from astragal.chance.pictures import Row, rows
from astragal.chance.verdicts import in_words

if TYPE_CHECKING:
    from astragal.chance import Odds
    from astragal.table.preview import Case

SUCCESS = "success"
ANY_SUCCESS = "any success"
IDLE = " (the last point adds nothing)"


def summary(odds: Odds[Any], success: Fraction | None, most: int) -> list[Row]:
    """The chance of success, where the game says what success is, and so many of the likeliest outcomes.

    What is certain is said once; where one outcome is called success, all of them together are any success.
    """
    likeliest = sorted(rows(in_words(odds)), key=lambda row: -row.chance)
    if success is None or len(likeliest) < 2:
        return likeliest[:most]
    named = {row.words: row.chance for row in likeliest}
    if named.get(SUCCESS) == success:
        return sorted(likeliest, key=lambda row: row.words != SUCCESS)[:most]
    return [Row(ANY_SUCCESS if SUCCESS in named else SUCCESS, success), *likeliest[:most]]


def case_words(case: Case) -> str:
    """The case that some odds are of: what is spent, what is hidden, how offers are answered, what is different."""
    parts = [f"spend {case.spend}{IDLE if case.is_idle else ''}"] if case.spend is not None else []
    parts += [f"{name.replace('_', ' ')} {value}" for name, value in (case.hidden or {}).items()]
    parts += [case.otherwise] if case.otherwise else []
    return ", ".join(parts) or "as it falls"


def exact(rows: list[Row]) -> list[dict[str, Any]]:
    """Chances for programs: as an exact fraction, and in percent."""
    return [
        {"outcome": row.words, "exactly": str(row.chance), "percent": round(float(row.chance) * 100, 6)} for row in rows
    ]
