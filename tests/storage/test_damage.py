"""Bits that flip by themselves: a sentence, never a driver's trace, and never another value than was written."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from astragal.storage import Damaged, NotAStore, open_store
from astragal.table.log.store import Corrupted, Entry, Store, StoreError, StoreUnavailable
from tests.storage.batches import answered, entries
from tests.storage.places import Place, SqlitePlace, finished


def filled(url: str) -> dict[str, list[Entry]]:
    store = open_store(url)
    for table in ("one", "other"):
        store.create(table, entries(1, 60))
        for after in range(60, 80):
            store.append(table, after, answered(after + 1, f"command {after}", b"data" * 20))
    logs = {table: list(store.read(table)) for table in store.tables()}
    store.close()
    return logs


@pytest.mark.parametrize(
    "harm",
    ["name = 'another'", "version = 2", "at = at + 1", "data = 'other'", "checksum = checksum + 1", "number = 7000"],
)
def test_a_damaged_entry_is_named_where_it_stands_and_disturbs_no_other_table(
    store: Store, place: Place, harm: str
) -> None:
    store.create("one", entries(1, 10))
    store.create("other", entries(1, 10))
    if isinstance(place, SqlitePlace):
        harm = harm.replace("'other'", "x'00'")
    place.run(f"UPDATE entries SET {harm} WHERE table_id = 'one' AND number = 7")  # noqa: S608, from above
    reading = store.read("one")
    assert [next(reading).number for _ in range(6)] == [1, 2, 3, 4, 5, 6]
    with pytest.raises(Corrupted, match="entry 7 of table one is damaged") as told:
        next(reading)
    assert (told.value.table, told.value.number) == ("one", 7)
    assert len(list(store.read("other"))) == 10
    store.append("other", 10, entries(11))


def test_a_missing_entry_is_a_damaged_one(store: Store, place: Place) -> None:
    store.create("table", entries(1, 10))
    place.run("DELETE FROM entries WHERE number = 4")
    with pytest.raises(Corrupted, match="entry 4 of table table"):
        list(store.read("table"))


def test_entries_that_changed_places_are_damaged(store: Store, place: Place) -> None:
    store.create("one", entries(1, 3))
    store.create("other", entries(1, 2))
    place.run("UPDATE entries SET table_id = 'other' WHERE table_id = 'one' AND number = 3")
    with pytest.raises(Corrupted, match="entry 3 of table other"):
        list(store.read("other"))


def test_a_damaged_answer_or_private_value_is_not_passed_off_as_whole(store: Store, place: Place) -> None:
    store.create("table", answered(1, "open"))
    place.run("UPDATE answers SET checksum = checksum - 1")
    place.run("UPDATE private SET checksum = checksum - 1")
    with pytest.raises(Damaged, match="The answer to command open of table table is damaged"):
        store.answer("table", "open")
    with pytest.raises(Damaged, match="The private value key of open of table table is damaged"):
        store.private("table")
    assert store.last("table") == 1


def read_through(url: str, logs: dict[str, list[Entry]]) -> bool:
    """Whether all is as it was. What is damaged is told by a fault of the store's; the rest is as it was written."""
    try:
        store = open_store(url)
    except StoreError:
        return False
    whole = True
    for table, log in logs.items():
        read: list[Entry] = []
        for ask in (
            lambda table=table, read=read: read.extend(store.read(table)),
            lambda table=table: store.answer(table, "command 70"),
            lambda table=table: store.private(table),
            lambda table=table: store.texts(table),
            lambda table=table: store.append(table, 80, entries(81)),
            store.tables,
        ):
            whole = goes_well(ask) and whole
        assert read == log[: len(read)]
    goes_well(store.close)
    return whole


def goes_well(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except StoreError:
        return False
    return True


@pytest.mark.parametrize("seed", range(40))
def test_a_file_with_flipped_bits_is_told_in_a_sentence(sqlite_place: SqlitePlace, seed: int) -> None:
    logs = filled(sqlite_place.url)
    dice = random.Random(seed)
    damaged = bytearray(sqlite_place.path.read_bytes())
    for _ in range(dice.choice([1, 20, 400])):
        damaged[dice.randrange(len(damaged))] ^= 1 << dice.randrange(8)
    sqlite_place.path.write_bytes(damaged)
    read_through(sqlite_place.url, logs)


@pytest.mark.parametrize("share", [0.001, 0.01, 0.3, 0.5, 0.9, 0.99])
def test_a_truncated_file_is_told_in_a_sentence(sqlite_place: SqlitePlace, share: float) -> None:
    logs = filled(sqlite_place.url)
    whole = sqlite_place.path.read_bytes()
    sqlite_place.path.write_bytes(whole[: int(len(whole) * share)])
    assert not read_through(sqlite_place.url, logs)


def test_an_undamaged_file_is_read_whole(sqlite_place: SqlitePlace) -> None:
    assert read_through(sqlite_place.url, filled(sqlite_place.url))


def test_a_foreign_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    diary = tmp_path / "diary.txt"
    diary.write_text("Dear diary, " * 1_000)
    theirs = tmp_path / "theirs.db"
    with closing(sqlite3.connect(theirs)) as connection:
        connection.execute("CREATE TABLE entries (x)")
    for path in (diary, theirs):
        before = path.read_bytes()
        with pytest.raises(NotAStore, match=str(path)):
            open_store(str(path))
        assert path.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == [diary, theirs]


def test_a_place_that_can_be_no_file_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="There is no folder"):
        open_store(str(tmp_path / "nowhere" / "tables.db"))
    with pytest.raises(StoreUnavailable, match="can't be used now"):
        open_store(str(tmp_path))


# ---------------------------------------------------------------- what is missing


@pytest.mark.parametrize("kept", [0, 1, 7, 499, 500, 501, 1_000])
def test_a_log_that_ends_early_is_damaged_after_its_last_entry(store: Store, place: Place, kept: int) -> None:
    store.create("table", entries(1, 1_000))
    store.append("table", 1_000, entries(1_001, 5))
    place.run(f"DELETE FROM entries WHERE number > {kept}")  # noqa: S608, a number from above
    read: list[Entry] = []
    with pytest.raises(Corrupted, match=f"the log of table table is damaged after entry {kept}$"):
        read.extend(store.read("table"))
    assert len(read) in (0, kept), "what is there was read, or nothing is"
    assert len(list(store.read("table", 0, kept))) == kept
    if kept:
        with pytest.raises(Corrupted, match=f"damaged after entry {kept}$"):
            list(store.read("table", kept))


def test_a_file_that_was_deleted_or_replaced_is_acknowledged_nothing_more(sqlite_place: SqlitePlace) -> None:
    store = open_store(sqlite_place.url)
    store.create("table", entries(1))
    copy = sqlite_place.path.read_bytes()
    sqlite_place.path.unlink()
    with pytest.raises(StoreUnavailable, match="was deleted or replaced while it was in use"):
        store.append("table", 1, entries(2))
    sqlite_place.path.write_bytes(copy)
    with pytest.raises(StoreUnavailable, match="was deleted or replaced while it was in use"):
        store.append("table", 1, entries(2))
    assert store.last("table") == 1
    store.close()


def test_a_store_that_can_not_be_written_can_be_read() -> None:
    code, said = finished("read_only")
    assert (code, said.splitlines()) == (0, ["1 entry", "attempt to write a readonly database.", "2 of version 2"])
