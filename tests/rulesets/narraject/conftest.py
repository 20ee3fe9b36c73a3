"""A table of Narraject on a real store: Ada runs the game, Bo plays Kira, Cy plays Lund, Di looks on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from astragal.rulesets.narraject import NARRAJECT
from tests.rulesets.narraject.playing import KIRA, LUND, Playing

Open = Callable[..., Playing]


def lay(folder: Path, *, house: dict[str, Any] | None = None, **options: Any) -> Playing:
    """Kira (Agility 3, a Rifle) and Lund (Might 4, in Plate), with the book’s own options unless told otherwise."""
    playing = Playing.opened(folder, NARRAJECT, "Rooftops", options=options, house=house)
    playing.act("Bo", "make_hero", **KIRA)
    playing.act("Cy", "make_hero", **LUND)
    return playing


@pytest.fixture
def how_to_lay() -> Open:
    return lay
