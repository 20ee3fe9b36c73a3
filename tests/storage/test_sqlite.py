"""What is SQLite's own: room that runs out, words that are gone for good, one file for several."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from astragal.storage import open_store
from astragal.storage.sqlite import STEPS_AT_ONCE, SqliteStore
from astragal.table.log.store import Append, Batch, Conflict, Snapshot, Store, StoreFull, StoreUnavailable, Text
from tests.storage.batches import answered, entries, entry
from tests.storage.places import SqlitePlace


@pytest.fixture
def connections() -> Iterator[list[apsw.Connection]]:
    """Those which a store opens while the test runs."""
    opened: list[apsw.Connection] = []
    apsw.connection_hooks.append(opened.append)
    yield opened
    apsw.connection_hooks.remove(opened.append)


def append_until_full(store: Store) -> int:
    for last in range(1, 1_000):
        try:
            store.append("table", last, answered(last + 1, f"command {last}", b"x" * 2_000))
        except StoreFull:
            return last
    pytest.fail("there was room for everything")


def test_a_full_disk_refuses_keeps_nothing_half_and_recovers_by_itself(
    sqlite_place: SqlitePlace, connections: list[apsw.Connection]
) -> None:
    store = open_store(sqlite_place.url)
    store.create("table", entries(1))
    for connection in connections:
        connection.pragma("max_page_count", 40)
    last = append_until_full(store)
    assert store.last("table") == last
    assert store.answer("table", f"command {last}") is None
    assert len(list(store.read("table"))) == last
    store.keep_snapshot("table", Snapshot(last, b"x" * 100_000))
    assert store.snapshot("table") is None
    with pytest.raises(StoreFull, match="There is no room left for"):
        store.append("table", last, Batch((entry(last + 1, b"x" * 100_000),)))
    for connection in connections:
        connection.pragma("max_page_count", 1_000_000)
    store.append("table", last, answered(last + 1, f"command {last}", b"x" * 2_000))
    assert store.last("table") == last + 1
    store.close()


def test_the_settings_that_durability_rests_on_are_set(
    sqlite_place: SqlitePlace, connections: list[apsw.Connection]
) -> None:
    store = open_store(sqlite_place.url)
    store.tables()
    assert len(connections) == 2
    for connection in connections:
        assert connection.pragma("journal_mode") == "wal"
        assert connection.pragma("synchronous") == 2
        assert connection.pragma("foreign_keys") == 1
        assert connection.pragma("secure_delete") == 1
        assert connection.pragma("trusted_schema") == 0
    store.close()


def test_all_that_a_command_writes_is_one_statement(
    sqlite_place: SqlitePlace, connections: list[apsw.Connection]
) -> None:
    store = open_store(sqlite_place.url)
    store.create("table", entries(1))
    ran: list[str] = []

    def note(_cursor: apsw.Cursor, sql: str, _values: object) -> bool:
        ran.append(sql)
        return True

    connections[0].exec_trace = note
    whole = Batch(
        (entry(2), entry(3)),
        answered(4, "roll", b"six").answer,
        texts=(Text("digest", b"salt", "words"),),
        private={"key": b"new"},
        pictures={"picture": b"data"},
    )
    store.append("table", 1, whole)
    assert [sql.partition("(")[0] for sql in ran] == ["INSERT INTO step VALUES "]
    assert store.last("table") == 3
    assert store.private("table") == {"key": b"new"}
    assert store.pictures("table") == ["picture"]
    store.close()


def test_more_than_fits_into_one_statement_is_kept_together_or_not_at_all(sqlite_place: SqlitePlace) -> None:
    store = open_store(sqlite_place.url)
    many = STEPS_AT_ONCE + 1
    store.create("table", Batch(tuple(entry(number) for number in range(1, many + 1))))
    assert store.last("table") == many
    more = tuple(entry(number) for number in range(many + 1, 2 * many + 1))
    store.append("table", many, Batch(more[:1], answered(1, "roll", b"six").answer))
    with pytest.raises(Conflict, match="Command roll of table table is answered already"):
        store.append("table", many + 1, Batch(more[1:], answered(1, "roll", b"one").answer))
    assert store.last("table") == many + 1
    store.append("table", many + 1, Batch(more[1:]))
    assert [one.number for one in store.read("table")] == list(range(1, 2 * many + 1))
    store.close()


def test_blanked_words_are_in_no_file_any_more(sqlite_place: SqlitePlace, tmp_path: Path) -> None:
    store = open_store(sqlite_place.url)
    store.create("table", Batch((entry(1),), texts=(Text("digest", b"salt", "Rumpelstiltskin" * 500),)))
    store.blank("table", "digest")
    store.backup(tmp_path / "backup.db")
    store.close()
    assert sqlite_place.path in tmp_path.iterdir()
    for path in tmp_path.iterdir():
        assert b"Rumpelstiltskin" not in path.read_bytes()


def test_another_who_writes_for_very_long_makes_the_store_unavailable_for_a_while(
    sqlite_place: SqlitePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("astragal.storage.sqlite.PATIENCE", 0.2)
    store = open_store(sqlite_place.url)
    store.create("table", entries(1))
    store.create("other", entries(1))
    with closing(apsw.Connection(str(sqlite_place.path))) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match=r"can't be used now: .*locked"):
            store.append("table", 1, entries(2))
        with pytest.raises(StoreUnavailable, match=r"can't be used now: .*locked"):
            store.append_all([Append("table", 1, entries(2)), Append("other", 1, entries(2))])
        assert store.last("table") == store.last("other") == 1
        other.execute("ROLLBACK")
    store.append("table", 1, entries(2))
    store.close()


def test_a_closed_store_says_so(sqlite_place: SqlitePlace) -> None:
    store = open_store(sqlite_place.url)
    store.create("table", entries(1))
    store.close()
    store.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        store.last("table")
    with pytest.raises(StoreUnavailable, match="closed"):
        store.append("table", 1, entries(2))
    assert sorted(path.name for path in sqlite_place.path.parent.iterdir()) == ["tables.db"]


def test_threads_that_read_share_a_few_connections(
    sqlite_place: SqlitePlace, connections: list[apsw.Connection]
) -> None:
    store = SqliteStore(sqlite_place.path)
    for number in range(200):
        store.create(f"table {number}", entries(1))
        assert len(list(store.read(f"table {number}"))) == 1
    assert len(connections) == 2
    store.close()


def test_what_is_appended_together_is_written_to_the_disk_together(sqlite_place: SqlitePlace) -> None:
    store, tables = open_store(sqlite_place.url), [f"table {number}" for number in range(8)]
    for table in tables:
        store.create(table, entries(1))
    log = sqlite_place.path.with_name(sqlite_place.path.name + "-wal")
    sizes = [log.stat().st_size]
    for table in tables:
        store.append(table, 1, entries(2))
    sizes.append(log.stat().st_size)
    store.append_all([Append(table, 2, entries(3)) for table in tables])
    sizes.append(log.stat().st_size)
    assert sizes[2] - sizes[1] < (sizes[1] - sizes[0]) / 4
    store.close()
