"""A table of a game on a real store, laid as the conftest of the game says in `how_to_lay`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest

from tests.table.seated import LaidOnce, Seated

S = TypeVar("S", bound=Seated)


@pytest.fixture
def playing(how_to_lay: Callable[[Path], S], laid_once: LaidOnce) -> S:
    """A table with the people and the options that a game's tests usually want."""
    return laid_once(how_to_lay)


@pytest.fixture
def open_table(how_to_lay: Callable[..., S], tmp_path: Path) -> Callable[..., S]:
    """Opens a table with the options that a test wants, and its people."""
    return partial(how_to_lay, tmp_path)
