"""A table of Six-Pool d20 on a real store: Ada runs the game, Bo plays Kira, Cy plays Lund, Di looks on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from astragal.rulesets.six_pool import SIX_POOL
from tests.rulesets.six_pool.playing import GUARD, KIRA, LUND, Playing

Open = Callable[..., Playing]


def lay(folder: Path, *, house: dict[str, Any] | None = None, **options: Any) -> Playing:
    """Kira (rogue 1, DEX 18, Edge 1), Lund (fighter 5, STR 24, Edge 1) and a Guard whose numbers are closed."""
    playing = Playing.opened(folder, SIX_POOL, "The Gate", options=options, house=house)
    playing.act("Bo", "make_hero", **KIRA)
    playing.act("Cy", "make_hero", **LUND)
    playing.act("Ada", "make_npc", **GUARD)
    return playing


@pytest.fixture
def how_to_lay() -> Open:
    return lay
