"""Three evenings as text: a fight with Luck and soak, a crisis and its purge, a total defeat and a rewind.

`ASTRAGAL_REGENERATE=1 python -m pytest tests/rulesets/sinew_steel/test_golden.py` writes the files anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.rulesets.sinew_steel import SINEW_STEEL
from tests.rulesets.golden import check, playthrough
from tests.rulesets.sinew_steel.evenings import A_CRISIS, A_DEFEAT, A_FIGHT, Evening
from tests.rulesets.sinew_steel.skin_files import wear

GOLDEN = Path(__file__).parent / "golden"
EVENINGS = {"a_fight": A_FIGHT, "a_crisis": A_CRISIS, "a_defeat": A_DEFEAT}


@pytest.mark.parametrize(("name", "evening"), EVENINGS.items())
def test_an_evening_is_played_as_it_was(name: str, evening: Evening, tmp_path: Path) -> None:
    """SS-01 to SS-09, SS-20 to SS-43, SS-50 to SS-56, SS-60 to SS-68, SS+03, SS+05: what an evening meets, in words."""
    saltglass = wear("saltglass")
    text = playthrough(SINEW_STEEL, evening, tmp_path, players=("Bo", "Cy"), house={}, **saltglass)
    check(GOLDEN / f"{name}.txt", text)
