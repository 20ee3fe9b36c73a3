"""A table of Sinew & Steel on a real store: Ada runs the game, Bo plays Kira, Cy plays Lund, Di looks on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from astragal.rulesets.sinew_steel import SINEW_STEEL
from tests.rulesets.sinew_steel.playing import Playing
from tests.table.seated import LaidOnce

Open = Callable[..., Playing]


def opened(folder: Path, *, trusting: bool = True, **options: Any) -> Playing:
    return Playing.opened(folder, SINEW_STEEL, "The Gorge", options=options, house={"trusting": trusting})


@pytest.fixture
def open_table(laid_once: LaidOnce) -> Open:
    """Opens a table with the options that a test wants; one that trusts its players, unless told otherwise."""
    return partial(laid_once, opened)


def lay(folder: Path) -> Playing:
    """Kira (REF 12, Luck 8), Lund (MGT 14), and a guard of the custodian's whose scores are hidden."""
    playing = opened(folder, build_points=16)
    playing.act("Bo", "make_hero", name="Kira", scores={"REF": 12, "LCK": 8})
    playing.act("Cy", "make_hero", name="Lund", scores={"MGT": 14})
    playing.act("Ada", "make_npc", name="Guard", score=10)
    return playing


@pytest.fixture
def how_to_lay() -> Open:
    return lay
