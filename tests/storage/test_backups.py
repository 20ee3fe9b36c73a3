"""Backup while others write, and restore: all or nothing."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest

from astragal.storage import Damaged, NotAStore, open_store
from astragal.table.log.store import Answer, Batch, Snapshot, Store, StoreError, StoreTooNew, Text
from tests.patience import LONG
from tests.storage.batches import answered, entries, entry
from tests.storage.places import Place, PostgresPlace, SqlitePlace, finished


def contents(store: Store) -> dict[str, tuple[object, ...]]:
    return {
        table: (list(store.read(table)), store.texts(table), store.private(table), store.answer(table, "roll"))
        for table in store.tables()
    }


def fill(store: Store) -> None:
    for name in ("zebra", "ant"):
        store.create(name, entries(1, 600))
        store.append(name, 600, answered(601, "roll", name.encode()))
    store.create("empty", Batch(()))
    store.create("odd", Batch((entry(1, b"\0\xff"),), Answer("roll", b"", b""), (Text("d", b"", "\0\ud800"),)))
    store.append("odd", 1, Batch((entry(2),), texts=(Text("blank", b"s", None),), private={"key": b""}))


@pytest.fixture
def filled(store: Store) -> Store:
    fill(store)
    return store


@pytest.fixture
def backup(filled: Store, tmp_path: Path) -> Path:
    path = tmp_path / "backup.db"
    filled.backup(path)
    return path


@pytest.mark.slow
def test_a_restored_backup_is_what_was_there(filled: Store, backup: Path) -> None:
    before = contents(filled)
    filled.append("ant", 601, entries(602))
    filled.delete("zebra")
    filled.create("later", entries(1))
    filled.restore(backup)
    assert contents(filled) == before
    assert filled.tables() == ["zebra", "ant", "empty", "odd"]
    filled.append("ant", 601, entries(602))


def test_a_backup_is_one_file_and_a_store_that_can_be_opened(filled: Store, backup: Path) -> None:
    assert sorted(backup.parent.glob("backup*")) == [backup]
    opened = open_store(str(backup))
    assert contents(opened) == contents(filled)
    opened.close()


def test_tables_move_between_the_two_kinds_of_store(
    sqlite_place: SqlitePlace, postgres_place: PostgresPlace, tmp_path: Path
) -> None:
    small, large = open_store(sqlite_place.url), open_store(postgres_place.url)
    fill(small)
    small.backup(tmp_path / "there")
    large.restore(tmp_path / "there")
    assert contents(large) == contents(small)
    large.append("ant", 601, entries(602))
    large.backup(tmp_path / "back")
    small.restore(tmp_path / "back")
    assert contents(large) == contents(small)
    small.close()
    large.close()


def test_snapshots_do_not_outlive_a_restore(filled: Store, backup: Path) -> None:
    filled.keep_snapshot("ant", Snapshot(601, b"of another history"))
    filled.restore(backup)
    assert filled.snapshot("ant") is None


def test_a_restore_wakes_everyone(filled: Store, other_store: Store, backup: Path) -> None:
    woken, others = Event(), Event()
    filled.watch(lambda table: woken.set() if table is None else None)
    other_store.watch(lambda table: others.set() if table is None else None)
    assert woken.wait(LONG)
    assert others.wait(LONG)
    woken.clear()
    others.clear()
    filled.restore(backup)
    assert woken.wait(LONG)
    assert others.wait(LONG)


@pytest.fixture
def busy(other_store: Store) -> Iterator[Callable[[], int]]:
    """Somebody who appends the same number to two tables, one after the other, all the while."""
    stop = Event()
    kept = 0

    def write() -> None:
        nonlocal kept
        for table in ("first", "second"):
            other_store.create(table, Batch(()))
        while not stop.is_set():
            for table in ("first", "second"):
                other_store.append(table, kept, answered(kept + 1, f"command {kept}"))
            kept += 1

    thread = Thread(target=write)
    thread.start()
    while kept < 10:
        assert thread.is_alive()
    yield lambda: kept
    stop.set()
    thread.join()


@pytest.mark.slow
def test_a_backup_is_of_one_moment_while_others_write(filled: Store, busy: Callable[[], int], tmp_path: Path) -> None:
    for turn in range(5):
        path, before = tmp_path / f"backup {turn}", busy()
        filled.backup(path)
        after = busy() + 1
        opened = open_store(str(path))
        first, second = opened.last("first"), opened.last("second")
        assert before <= second <= first <= second + 1 <= after + 1
        assert len(opened.texts("first")) == len(opened.private("first")) == len(list(opened.read("first"))) == first
        opened.close()


def test_writers_meet_a_restore_whole_or_not_at_all(filled: Store, other_store: Store, backup: Path) -> None:
    stop = Event()
    met: set[type[BaseException]] = set()

    def write() -> None:
        while not stop.is_set():
            try:
                last = other_store.last("ant")
                other_store.append("ant", last, entries(last + 1))
            except StoreError as fault:
                met.add(type(fault))

    thread = Thread(target=write)
    thread.start()
    for _ in range(3):
        filled.restore(backup)
    stop.set()
    thread.join()
    numbers = [kept.number for kept in filled.read("ant")]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 601
    assert {fault.__name__ for fault in met} <= {"Conflict", "NoSuchTable"}


@pytest.mark.slow
@pytest.mark.parametrize("statement", ["1", "3", "40"])
def test_who_is_killed_in_the_middle_of_a_restore_has_changed_nothing(
    filled: Store, place: Place, backup: Path, statement: str
) -> None:
    filled.append("ant", 601, entries(602))
    before = contents(filled)
    code, said = finished("restore_and_die", place.url, str(backup), statement)
    assert said == "restored\n" or (code < 0 and contents(filled) == before)
    filled.restore(backup)
    assert filled.last("ant") == 601


def test_a_backup_takes_no_name_that_is_taken(filled: Store, tmp_path: Path) -> None:
    path = tmp_path / "precious"
    path.write_text("precious")
    with pytest.raises(FileExistsError):
        filled.backup(path)
    assert path.read_text() == "precious"


def test_a_backup_that_fails_leaves_no_file(store: Store, tmp_path: Path) -> None:
    store.close()
    with pytest.raises(StoreError):
        store.backup(tmp_path / "never")
    assert not list(tmp_path.glob("never*"))
    with pytest.raises(FileNotFoundError):
        store.backup(tmp_path / "no such folder" / "never")


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def cut_within_a_page(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1_000])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def a_text(path: Path) -> None:
    path.write_text("Dear diary, " * 1_000)


def another_programs(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE entries (x)")


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


def scrambled(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\x55" * 4_096)


def without_a_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE answers")


@pytest.mark.parametrize(
    ("harm", "fault"),
    [
        (truncated, Damaged),
        (cut_within_a_page, Damaged),
        (emptied, NotAStore),
        (a_text, NotAStore),
        (another_programs, NotAStore),
        (newer, StoreTooNew),
        (scrambled, Damaged),
        (without_a_table, Damaged),
    ],
)
def test_what_is_no_whole_backup_is_refused_and_nothing_is_changed(
    filled: Store, backup: Path, harm: Callable[[Path], None], fault: type[StoreError]
) -> None:
    before = contents(filled)
    harm(backup)
    harmed = backup.read_bytes()
    with pytest.raises(fault, match=str(backup)):
        filled.restore(backup)
    assert contents(filled) == before
    assert backup.read_bytes() == harmed


def test_a_backup_that_is_not_there_is_named(filled: Store, tmp_path: Path) -> None:
    before = contents(filled)
    for path in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(FileNotFoundError, match="There is no backup"):
            filled.restore(path)
    assert contents(filled) == before


def test_a_backup_of_an_older_version_can_be_restored(filled: Store, backup: Path) -> None:
    before = contents(filled)
    with closing(sqlite3.connect(backup)) as connection:
        for later in ("jobs", "pictures", "presence", "passes", "snapshots"):
            connection.execute(f"DROP TABLE {later}")
        connection.execute("ALTER TABLE tables DROP COLUMN length")
        connection.execute("PRAGMA user_version = 2")
    older = backup.read_bytes()
    filled.restore(backup)
    assert contents(filled) == before
    assert backup.read_bytes() == older


def test_a_store_can_be_restored_from_a_copy_of_a_live_file(sqlite_place: SqlitePlace, tmp_path: Path) -> None:
    """The file in use is a store like any other; what is still in its write-ahead log counts."""
    store, other = open_store(sqlite_place.url), open_store(str(tmp_path / "other.db"))
    fill(store)
    other.restore(sqlite_place.path)
    assert contents(other) == contents(store)
    store.restore(sqlite_place.path)
    assert contents(other) == contents(store)
    store.close()
    other.close()


def test_a_damaged_entry_survives_backup_and_restore_as_damaged(filled: Store, place: Place, tmp_path: Path) -> None:
    place.run("UPDATE entries SET at = at + 1 WHERE table_id = 'ant' AND number = 7")
    filled.backup(tmp_path / "backup")
    filled.restore(tmp_path / "backup")
    assert len(list(filled.read("zebra"))) == 601
    with pytest.raises(StoreError, match="entry 7 of table ant is damaged"):
        list(filled.read("ant"))
