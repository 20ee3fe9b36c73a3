"""A table of Narraject on a real store: Ada runs the game, Bo plays Kira, Cy plays Lund, Di looks on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from astragal.rulesets.narraject import NARRAJECT
from astragal.storage import open_store
from tests.rulesets.narraject.playing import KIRA, LUND, Playing
from tests.table.seated import ScriptedDice, new_host

Open = Callable[..., Playing]


@pytest.fixture
def open_table(tmp_path: Path) -> Open:
    """Opens a table with the options that a test wants, and its heroes."""

    def opened(*, house: dict[str, Any] | None = None, **options: Any) -> Playing:
        dice = ScriptedDice()
        host = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), dice, (NARRAJECT,))
        opened = host.open("narraject", name="Rooftops", game_master="Ada", options=options, house=house)
        playing = Playing(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
        playing.sit("Bo")
        playing.sit("Cy")
        playing.sit("Di", "spectator")
        playing.act("Bo", "make_hero", **KIRA)
        playing.act("Cy", "make_hero", **LUND)
        return playing

    return opened


@pytest.fixture
def playing(open_table: Open) -> Playing:
    """Kira (Agility 3, a Rifle) and Lund (Might 4, in Plate), with the book’s own options."""
    return open_table()
