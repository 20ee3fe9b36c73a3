"""A table of Six-Pool d20 on a real store: Ada runs the game, Bo plays Kira, Cy plays Lund, Di looks on."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from astragal.rulesets.six_pool import SIX_POOL
from astragal.storage import open_store
from tests.rulesets.six_pool.playing import GUARD, KIRA, LUND, Playing
from tests.table.seated import ScriptedDice, new_host

Open = Callable[..., Playing]


@dataclass(frozen=True)
class Laid:
    """A table that is laid once and copied for every test: where it is kept, and who sits at it."""

    folder: Path
    table: str
    seats: dict[str, str]


def lay(folder: Path, *, house: dict[str, Any] | None = None, **options: Any) -> Playing:
    playing = Playing.opened(folder, SIX_POOL, "The Gate", options=options, house=house)
    playing.act("Bo", "make_hero", **KIRA)
    playing.act("Cy", "make_hero", **LUND)
    playing.act("Ada", "make_npc", **GUARD)
    return playing


@pytest.fixture(scope="session")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Laid:
    folder = tmp_path_factory.mktemp("laid")
    playing = lay(folder)
    return Laid(folder, playing.table, playing.seats)


@pytest.fixture
def open_table(tmp_path: Path) -> Open:
    """Opens a table with the options that a test wants, and its people."""
    return lambda **options: lay(tmp_path, **options)


@pytest.fixture
def playing(laid: Laid, tmp_path: Path) -> Playing:
    """Kira (rogue 1, DEX 18, Edge 1), Lund (fighter 5, STR 24, Edge 1) and a Guard whose numbers are closed."""
    shutil.copytree(laid.folder, tmp_path, dirs_exist_ok=True)
    dice = ScriptedDice()
    host = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), dice, (SIX_POOL,))
    return Playing(host, laid.table, laid.seats["Ada"], dice, dict(laid.seats))
