"""A table with people at it, for every test of what tables share."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.storage import open_store
from astragal.table.host import Host
from tests.table.seated import Laid, Seated, seat_everyone


@pytest.fixture(scope="session")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Laid[Seated]:
    folder = tmp_path_factory.mktemp("laid")
    return Laid(folder, seat_everyone(open_store(f"sqlite:///{folder}/tables.db")))


@pytest.fixture
def seated(laid: Laid[Seated], tmp_path: Path) -> Seated:
    """Ada runs the game, Bo and Cy play (Kira and Lund), Di looks on; dice are scripted, the store is SQLite."""
    return laid.copied(tmp_path)


@pytest.fixture
def table(seated: Seated) -> str:
    return seated.table


@pytest.fixture
def host(seated: Seated) -> Host:
    return seated.host
