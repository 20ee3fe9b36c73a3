"""Tables that nobody has opened yet, and several threads that come for them at once."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest

from astragal.storage import open_store
from astragal.storage.sqlite import SqliteStore
from astragal.table.log.repository import MOST_IDLE, TableRepository
from astragal.table.log.store import Snapshot
from astragal.table.refusals import NoSuchTable
from tests.rulesets.kept_evenings import keep_evenings
from tests.storage.places import finished
from tests.table.dare import DARE
from tests.table.fair_tables import FairTable, fair_host

MANY = 8


class CountingStore(SqliteStore):
    """Counts how often a table is opened: each time its snapshot is asked for once."""

    opened = 0

    def snapshot(self, table: str) -> Snapshot | None:
        self.opened += 1
        return super().snapshot(table)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[FairTable]:
    with closing(open_store(f"sqlite:///{tmp_path}/tables.db")) as store:
        yield FairTable(store)


def test_threads_that_come_at_once_open_a_table_once(table: FairTable, tmp_path: Path) -> None:
    with closing(CountingStore(tmp_path / "tables.db")) as store:
        host, together = fair_host(store), Barrier(MANY)

        def look(_: int) -> str:
            together.wait()
            return host.look(table.table, table.bo).name

        with ThreadPoolExecutor(MANY) as pool:
            assert set(pool.map(look, range(MANY))) == {"The Cliff"}
        assert store.opened == 1


def test_a_table_that_is_not_there_is_refused_to_each_who_asks(table: FairTable) -> None:
    for _ in range(2):
        with pytest.raises(NoSuchTable):
            table.host.look("nowhere", table.bo)


@pytest.mark.slow
def test_a_fresh_process_outlives_many_threads_at_cold_tables_of_every_game(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.db"
    with closing(open_store(url)) as store:
        keep_evenings(store)
    for _ in range(2):
        code, said = finished("look_together", url, "4", of="tests.rulesets.programs")
        assert (code, said[:5]) == (0, "seen ")


@pytest.mark.slow
def test_a_table_that_is_followed_stays_in_memory_however_many_are_opened() -> None:
    """It was read anew for every command where more tables were followed than are kept idle."""
    store = open_store("memory:")
    repository = TableRepository(store, (DARE,), clock=lambda: 0, entropy=secrets.token_bytes, rehearses=False)
    host = fair_host(store)
    tables = [host.open("dare", name=f"Table {n}", game_master="Ada").table for n in range(MOST_IDLE + 2)]
    repository.follow(tables[0])
    followed, idle = repository.at(tables[0]), repository.at(tables[1])
    for table in tables[2:]:
        repository.at(table)
    repository.at(host.open("dare", name="One more", game_master="Ada").table)
    assert repository.at(tables[0]) is followed
    assert repository.at(tables[1]) is not idle
    repository.unfollow(tables[0])
    for table in tables[1:]:
        repository.at(table)
    assert repository.at(tables[0]) is not followed
