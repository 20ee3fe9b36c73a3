"""A database is brought up to date step by step, whoever is killed meanwhile."""

from contextlib import ExitStack

import pytest
from msgspec.structs import replace

from astragal.storage import open_store
from astragal.storage.queries import scripts
from astragal.table.log.store import Pass, PassKind, Snapshot, StoreTooNew
from tests.storage.batches import answered
from tests.storage.places import Place, SqlitePlace, finished, started

MOST_STATEMENTS = 60
"""More than opening a store sends to its database."""


def dialect(place: Place) -> str:
    return "sqlite" if isinstance(place, SqlitePlace) else "postgres"


def version(place: Place) -> int:
    query = "PRAGMA user_version" if dialect(place) == "sqlite" else "SELECT max(number) FROM migrations"
    return int(place.run(query)[0][0])


def works(place: Place) -> bool:
    store = open_store(place.url)
    store.create("table", answered(1, "open"))
    store.keep_snapshot("table", Snapshot(1, b"state"))
    sound = store.snapshot("table") == Snapshot(1, b"state") and store.last("table") == 1
    store.delete("table")
    store.close()
    return sound and version(place) == len(scripts(dialect(place)))


@pytest.mark.slow
def test_a_program_killed_before_any_statement_of_its_first_opening_does_no_harm(place: Place) -> None:
    """One place: each who opens it goes on where the one before was killed."""
    for statement in range(MOST_STATEMENTS):
        code, said = finished("open_and_die", place.url, str(statement))
        if said == "opened\n":
            break
        assert code < 0
    else:
        pytest.fail("it was always killed")
    assert statement > 5
    assert works(place)


@pytest.mark.slow
@pytest.mark.parametrize("statement", [3, 14])
def test_a_place_left_half_made_is_made_whole_by_the_next(place: Place, statement: int) -> None:
    finished("open_and_die", place.url, str(statement))
    assert works(place)


def test_a_database_of_an_older_version_is_brought_up_to_date_with_what_is_in_it(place: Place) -> None:
    store = open_store(place.url)
    store.create("table", answered(1, "open"))
    store.close()
    for later in ("jobs", "pictures", "presence", "passes", "snapshots"):
        place.run(f"DROP TABLE {later}")
    place.run("ALTER TABLE tables DROP COLUMN length")
    place.run("PRAGMA user_version = 2" if dialect(place) == "sqlite" else "DELETE FROM migrations WHERE number > 2")
    assert version(place) == 2
    store = open_store(place.url)
    store.keep_snapshot("table", Snapshot(1, b"state"))
    assert store.snapshot("table") == Snapshot(1, b"state")
    assert store.answer("table", "open")
    store.append("table", 1, answered(2, "go on"))
    assert len(list(store.read("table"))) == 2
    store.close()


def test_passes_of_the_version_before_devices_go_on(place: Place) -> None:
    store = open_store(place.url)
    store.create("table", answered(1, "open"))
    earlier = Pass(digest="a" * 64, kind=PassKind.SEAT, table="table", seat="kira", made=1, until=9)
    store.passes.issue(earlier)
    store.close()
    place.run("DROP INDEX passes_of_a_device")
    place.run("ALTER TABLE passes DROP COLUMN device")
    place.run("PRAGMA user_version = 7" if dialect(place) == "sqlite" else "DELETE FROM migrations WHERE number > 7")
    assert version(place) == 7
    store = open_store(place.url)
    assert store.passes.find(earlier.digest) == earlier
    store.passes.merge("b" * 64, [earlier.digest], 2, 9)
    assert store.passes.newest_of_device("b" * 64, PassKind.SEAT, "table") == replace(earlier, device="b" * 64)
    store.close()


def test_a_newer_database_is_refused_and_left_alone(place: Place) -> None:
    store = open_store(place.url)
    store.create("table", answered(1, "open"))
    store.close()
    place.run("PRAGMA user_version = 99" if dialect(place) == "sqlite" else "INSERT INTO migrations VALUES (99)")
    with pytest.raises(StoreTooNew, match=r"newer Astragal: it is of version 99, and this program knows \d+\."):
        open_store(place.url)
    assert version(place) == 99
    assert place.run("SELECT count(*) FROM entries") == [(1,)]


@pytest.mark.slow
def test_programs_that_open_a_new_place_at_once_all_can(place: Place) -> None:
    with ExitStack() as stack:
        processes = [stack.enter_context(started("open_and_die", place.url, "1000000")) for _ in range(4)]
        said = [process.stdout.read() for process in processes]
    assert said == ["opened\n"] * 4
    assert works(place)
