"""A table of a game on a real store, laid as the conftest of the game says in `how_to_lay`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.table.seated import Laid, Seated

S = TypeVar("S", bound=Seated)
Lay = Callable[..., S]


@pytest.fixture(scope="session")
def laid_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Lay[Any]], Laid[Any]]:
    @cache
    def laid(lay: Lay[Any]) -> Laid[Any]:
        folder = tmp_path_factory.mktemp("laid")
        return Laid(folder, lay(folder))

    return laid


@pytest.fixture
def playing(how_to_lay: Lay[S], laid_once: Callable[[Lay[S]], Laid[S]], tmp_path: Path) -> S:
    """A table with the people and the options that a game's tests usually want."""
    return laid_once(how_to_lay).copied(tmp_path)


@pytest.fixture
def open_table(how_to_lay: Lay[S], tmp_path: Path) -> Lay[S]:
    """Opens a table with the options that a test wants, and its people."""
    return partial(how_to_lay, tmp_path)
