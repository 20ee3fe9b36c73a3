"""A table of New Shoes on a real store: Ada runs the game, Bo plays Kira, Cy plays Lund, Di looks on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from astragal.rulesets.new_shoes import NEW_SHOES
from tests.rulesets.new_shoes.playing import Playing

Open = Callable[..., Playing]


def lay(folder: Path, house: dict[str, Any] | None = None, **options: Any) -> Playing:
    """Kira (Body 4, Mind 3, Will 3), Lund (2, 5, 3), and a troll with Body 5 and Will 2."""
    playing = Playing.opened(folder, NEW_SHOES, "The Pass", options=options, house=house)
    playing.act("Bo", "make_hero", name="Kira", body=4, mind=3, will=3)
    playing.act("Cy", "make_hero", name="Lund", body=2, mind=5, will=3)
    playing.act("Ada", "make_npc", name="Troll", body=5, will=2)
    return playing


@pytest.fixture
def how_to_lay() -> Open:
    return lay
