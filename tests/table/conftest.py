"""A table with people at it, for every test of what tables share."""

from __future__ import annotations

import pytest

from astragal.table.host import Host
from tests.table.seated import LaidOnce, Seated, everyone


@pytest.fixture
def seated(laid_once: LaidOnce) -> Seated:
    """Ada runs the game, Bo and Cy play (Kira and Lund), Di looks on; dice are scripted, the store is SQLite."""
    return laid_once(everyone)


@pytest.fixture
def table(seated: Seated) -> str:
    return seated.table


@pytest.fixture
def host(seated: Seated) -> Host:
    return seated.host
