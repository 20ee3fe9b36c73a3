"""A table of a game on a real store, laid as the conftest of the game says in `how_to_lay`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.table.seated import LaidOnce, S


@pytest.fixture
def playing(how_to_lay: Callable[..., S], laid_once: LaidOnce) -> S:
    """A table with the people and the options that a game's tests usually want."""
    return laid_once(how_to_lay)


@pytest.fixture
def open_table(how_to_lay: Callable[..., S], laid_once: LaidOnce) -> Callable[..., S]:
    """Opens a table with the options that a test wants, and its people."""
    return partial(laid_once, how_to_lay)
