"""Real databases: every test that asks for a `place` runs on SQLite and on PostgreSQL."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.storage.places import Place, PostgresPlace, SqlitePlace, hurry, postgres_database, postgres_server


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    if given := os.environ.get("ASTRAGAL_TEST_POSTGRES"):
        yield given
        return
    with postgres_server() as server:
        hurry(server.get_uri())
        yield server.get_uri()


@pytest.fixture
def sqlite_place(tmp_path: Path) -> SqlitePlace:
    return SqlitePlace(tmp_path / "tables.db")


@pytest.fixture
def postgres_place(server_url: str) -> Iterator[PostgresPlace]:
    with postgres_database(server_url) as place:
        yield place


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> Place:
    found: Place = request.getfixturevalue(f"{request.param}_place")
    return found
