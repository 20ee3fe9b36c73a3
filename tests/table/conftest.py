"""A table with people at it, for every test of what tables share."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.storage import open_store
from astragal.table.host import Host
from tests.table.seated import Seated, seat_everyone


@pytest.fixture
def seated(tmp_path: Path) -> Seated:
    """Ada runs the game, Bo and Cy play (Kira and Lund), Di looks on; dice are scripted, the store is SQLite."""
    return seat_everyone(open_store(f"sqlite:///{tmp_path}/tables.db"))


@pytest.fixture
def table(seated: Seated) -> str:
    return seated.table


@pytest.fixture
def host(seated: Seated) -> Host:
    return seated.host
