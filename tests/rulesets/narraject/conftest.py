"""A table of Narraject on a real store: Ada runs the game, Bo plays Kira, Cy plays Lund, Di looks on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from astragal.rulesets.narraject import NARRAJECT
from tests.rulesets.narraject.playing import KIRA, LUND, Playing

Open = Callable[..., Playing]


@pytest.fixture
def open_table(tmp_path: Path) -> Open:
    """Opens a table with the options that a test wants, and its heroes."""

    def opened(*, house: dict[str, Any] | None = None, **options: Any) -> Playing:
        playing = Playing.opened(tmp_path, NARRAJECT, "Rooftops", options=options, house=house)
        playing.act("Bo", "make_hero", **KIRA)
        playing.act("Cy", "make_hero", **LUND)
        return playing

    return opened


@pytest.fixture
def playing(open_table: Open) -> Playing:
    """Kira (Agility 3, a Rifle) and Lund (Might 4, in Plate), with the book’s own options."""
    return open_table()
