"""Durable commits: a command's entry and answer through the store, against the least its database can be asked to do.

The floor is one prepared insert of the same bytes into a bare table, each its own commit, with the same durability.
"""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import psycopg

from astragal.storage import open_store
from astragal.table.log.store import Answer, Batch, Entry, Store
from benchmarks.harness import OURS, Mark, Times, Work, benchmark, medians
from tests.storage.places import postgres_database, postgres_server

COMMITS = 100
"""Commits in one turn."""
LOG = 100_000
DATA = b"x" * 250
BARE_TABLE = "CREATE TABLE bare (number BIGINT PRIMARY KEY, data {bytes} NOT NULL)"


def batch(number: int) -> Batch:
    return Batch((Entry(number, "bench.rolled", 1, 0, DATA),), Answer(f"command {number}", b"asked", b"answer"))


def commits(store: Store) -> Work:
    """Return a turn of appends to a table of its own."""
    numbers = count(2)
    store.create("commits", batch(1))

    def turn() -> None:
        for number in (next(numbers) for _ in range(COMMITS)):
            store.append("commits", number - 1, batch(number))

    return turn


def bare_commits_to_sqlite(connection: apsw.Connection) -> Work:
    connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL").fetchall()
    connection.execute(BARE_TABLE.format(bytes="BLOB"))
    numbers = count(1)

    def turn() -> None:
        for _ in range(COMMITS):
            connection.execute("INSERT INTO bare VALUES (?, ?)", (next(numbers), DATA))

    return turn


def bare_commits_to_postgres(connection: psycopg.Connection) -> Work:
    connection.execute(BARE_TABLE.format(bytes="BYTEA").encode())
    numbers = count(1)

    def turn() -> None:
        for _ in range(COMMITS):
            connection.execute("INSERT INTO bare VALUES (%s, %s)", (next(numbers), DATA))

    return turn


def share_of_floor(name: str, times: Times, target: float) -> Mark:
    share = times["floor"] / times[OURS]
    rates = {contender: COMMITS / seconds for contender, seconds in times.items()}
    detail = f"{rates[OURS]:,.0f} commits/s against {rates['floor']:,.0f} bare ones"
    return Mark(name, "entry and answer, of bare commits", f"{share:.0%}", f"≥ {target:.0%}", share >= target, detail)


def reading(name: str, store: Store) -> Mark:
    """Measure reading. A log has to be replayed at 40,000 events a second, so reading it must not matter."""
    store.create("log", Batch(()))
    for after in range(0, LOG, 10_000):
        numbers = range(after + 1, after + 10_001)
        store.append("log", after, Batch(tuple(Entry(number, "bench.rolled", 1, 0, DATA) for number in numbers)))
    times = medians({OURS: lambda: sum(1 for _ in store.read("log"))})
    rate = LOG / times[OURS]
    return Mark(name, f"entries read, of {LOG:,}", f"{rate:,.0f}/s", "≥ 80,000/s", rate >= 80_000)


@benchmark("storage.sqlite")
def sqlite() -> Iterator[Mark]:
    with TemporaryDirectory() as folder, closing(apsw.Connection(f"{folder}/bare.db")) as bare:
        store = open_store(str(Path(folder) / "tables.db"))
        times = medians({"floor": bare_commits_to_sqlite(bare), OURS: commits(store)})
        yield share_of_floor("storage.sqlite", times, 0.33)
        yield reading("storage.sqlite", store)
        store.close()


@contextmanager
def postgres_url() -> Iterator[str]:
    if given := os.environ.get("ASTRAGAL_TEST_POSTGRES"):
        yield given
        return
    with postgres_server() as server:
        yield server.get_uri()


@benchmark("storage.postgres")
def postgres() -> Iterator[Mark]:
    with postgres_url() as url, postgres_database(url) as place:
        store = open_store(place.url)
        with psycopg.connect(place.url, autocommit=True) as bare:
            times = medians({"floor": bare_commits_to_postgres(bare), OURS: commits(store)})
        yield share_of_floor("storage.postgres", times, 0.2)
        yield reading("storage.postgres", store)
        store.close()
