"""A table of Narraject on a real store: Ada runs the game, Bo plays Kira, Cy plays Lund, Di looks on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from astragal.rulesets.narraject import NARRAJECT
from tests.rulesets.narraject.playing import KIRA, LUND, Playing
from tests.table.seated import Laid

Open = Callable[..., Playing]


def lay(folder: Path, *, house: dict[str, Any] | None = None, **options: Any) -> Playing:
    playing = Playing.opened(folder, NARRAJECT, "Rooftops", options=options, house=house)
    playing.act("Bo", "make_hero", **KIRA)
    playing.act("Cy", "make_hero", **LUND)
    return playing


@pytest.fixture(scope="session")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Laid[Playing]:
    folder = tmp_path_factory.mktemp("laid")
    return Laid(folder, lay(folder))


@pytest.fixture
def open_table(tmp_path: Path) -> Open:
    """Opens a table with the options that a test wants, and its heroes."""
    return partial(lay, tmp_path)


@pytest.fixture
def playing(laid: Laid[Playing], tmp_path: Path) -> Playing:
    """Kira (Agility 3, a Rifle) and Lund (Might 4, in Plate), with the book’s own options."""
    return laid.copied(tmp_path)
