"""Kills: several processes at one table, each killed again and again, and the database server as well.

Nothing acknowledged may be lost, doubled or reordered; the fold of the log is the state; the ledger verifies, with
every receipt that was issued.
"""

import atexit
import multiprocessing
import signal
import subprocess
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache
from itertools import pairwise
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any, Self

import msgspec
import psycopg

from astragal.storage import open_store
from astragal.table.log.store import Store
from benchmarks.soak.clients import Figures, Journal, Seats, Sent, check_whole, folder, play_until_killed
from tests.patience import LONG
from tests.storage.places import postgres_database, postgres_server
from tests.table.fair_tables import FairTable

PROCESSES = 3
PAUSE = 0.06
"""Most seconds between the first entry of a process and its death."""


def kills(seed: int, count: int = 60) -> Figures:
    """Kill three processes at one table of an SQLite file, again and again."""
    with folder() as place:
        return soak_store(f"sqlite:///{place}/tables.db", place, count, Random(seed))


def postgres(seed: int, count: int = 20) -> Figures:
    """Kill three processes on PostgreSQL, its server, or both at once, again and again."""
    server = own_postgres()
    with folder() as place, postgres_database(server.url) as database:
        return soak_store(database.url, place, count, Random(seed), server)


def soak_store(url: str, place: Path, count: int, random: Random, server: "OwnPostgres | None" = None) -> Figures:
    """Soak a new table of this store, then check what is left."""
    store = open_store(url)
    table = FairTable(store)
    crowd = ProcessGroup(url, table, [place / f"{name}.journal" for name in "abcdefgh"[:PROCESSES]], random)
    killed: Counter[str] = Counter()
    for _ in range(count):
        how = random.choice(["application", "server", "both"]) if server else "application"
        victim = crowd.one_that_has_begun()
        sleep(random.uniform(0, PAUSE))
        if server and how != "application":
            server.kill(random)
            killed["server kills"] += 1
        if how != "server":
            crowd.kill(victim)
            killed["kills"] += 1
        if server:
            server.go_on()
        if how != "server":
            crowd.start(victim)
    for journal in crowd.journals:
        crowd.kill(journal)
        killed["kills"] += 1
    try:
        return {**killed, **_checked(store, table, [Journal(path) for path in crowd.journals])}
    finally:
        store.close()


# ---------------------------------------------------------------- who is killed


class ProcessGroup:
    """Processes at one table, each with a journal; a killed process is soon replaced by one with the same journal."""

    def __init__(self, url: str, table: FairTable, journals: Sequence[Path], random: Random) -> None:
        self._given = url, table.table, Seats(table.ada, table.bo, table.cy)
        self._random = random
        self.journals = journals
        self._running: dict[Path, ForkServerProcess] = {}
        self._before: dict[Path, int] = {}
        for journal in journals:
            self.start(journal)

    def start(self, journal: Path) -> None:
        given = (*self._given, journal, self._random.getrandbits(32))
        self._before[journal] = _size(journal)
        self._running[journal] = forks().Process(target=play_until_killed, args=given, daemon=True)
        self._running[journal].start()

    def one_that_has_begun(self) -> Path:
        """Return the journal of a process that has written since it was started."""
        deadline = monotonic() + LONG
        while not (begun := [one for one in self.journals if _size(one) > self._before[one]]):
            assert monotonic() < deadline, "nobody begins"
            assert all(process.is_alive() for process in self._running.values()), "a process ended by itself"
            sleep(0.005)
        return self._random.choice(begun)

    def kill(self, journal: Path) -> None:
        """Kill a process by `kill -9`. One that has ended before has found a fault, and reported it."""
        process = self._running[journal]
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL, f"a process ended by itself, with {process.exitcode}"


@cache
def forks() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["astragal.storage.postgres", "benchmarks.soak.warm"])
    return context


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@cache
def own_postgres() -> "OwnPostgres":
    """Start a server for all rounds of a campaign; it ends with the campaign."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(OwnPostgres())


class OwnPostgres:
    """PostgreSQL server as a child of this process, so that it can be killed and restarted quickly.

    It does not wait for the disk: what was written survives the death of any process.
    """

    def __enter__(self) -> Self:
        self._made = ExitStack()
        made: Any = self._made.enter_context(postgres_server())
        self.url: str = made.get_uri()
        made.stop()
        self._command = [f"{made.bin_path}/postgres", "-D", str(made.pgdata), "-F", "-h", "", "-k", str(made.pgdata)]
        self._user: str | None = made.system_user
        self._process: subprocess.Popen[bytes] | None = None
        self.go_on()
        return self

    def kill(self, random: Random) -> None:
        """Kill it at once and without warning: an immediate stop, or `kill -9`."""
        assert self._process
        self._process.send_signal(random.choice([signal.SIGQUIT, signal.SIGKILL]))
        self._process.wait(LONG)

    def go_on(self) -> None:
        """Restart it if it was killed. While children of its predecessor live, it ends at once."""
        deadline = monotonic() + LONG
        while self._process is None or self._process.poll() is not None:
            assert monotonic() < deadline, "the server does not start"
            self._process = subprocess.Popen(  # noqa: S603 - the tests' own database
                self._command, user=self._user, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            while self._process.poll() is None and not self._answers():
                sleep(0.01)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url).close()
        except psycopg.OperationalError:
            return False
        return True

    def __exit__(self, *_: object) -> None:
        assert self._process
        self._process.send_signal(signal.SIGINT)
        self._process.wait(LONG)
        self._made.close()


# ---------------------------------------------------------------- what is left


def _checked(store: Store, table: FairTable, journals: list[Journal]) -> Figures:
    for journal in journals:
        _nothing_is_lost(table, journal)
        _nothing_is_reordered(store, table.table, journal)
    _nothing_is_doubled(store, table.table, journals)
    check_whole(store, table.host, table.table, table.ada, [one for journal in journals for one in journal.receipts])
    return {
        "commands": sum(len(journal.told) for journal in journals),
        "in doubt": sum(len(journal.in_doubt) for journal in journals),
    }


def _nothing_is_lost(table: FairTable, journal: Journal) -> None:
    """Check that every acknowledged command is answered the same again."""
    for told in journal.told.values():
        outcome = journal.sent[told.id].give(table.host, table.table)
        assert outcome.receipt
        assert (outcome.act, list(outcome.receipt)) == (told.act, told.receipt), f"{told} is {outcome} now"


def _nothing_is_reordered(store: Store, table: str, journal: Journal) -> None:
    """Check that commands acknowledged later to one process are later in the log."""
    answers = [store.answer(table, told.id) for told in journal.told.values()]
    places = [msgspec.json.decode(answer.data)["first"] for answer in answers if answer]
    assert len(places) == len(journal.told)
    assert all(early < late for early, late in pairwise(places))


def _nothing_is_doubled(store: Store, table: str, journals: list[Journal]) -> None:
    """Check that each acknowledged command left its mark once, one in doubt at most once, and nothing else any."""
    rolled = {msgspec.json.decode(entry.data)["act"] for entry in store.read(table) if entry.name == "rolled"}
    written = Counter(text.words for text in store.texts(table).values())
    for journal in journals:
        for told in journal.told.values():
            assert all(written[mark] == 1 for mark in journal.sent[told.id].marks)
            assert told.act in rolled or not _rolls(journal.sent[told.id])
        for sent in journal.in_doubt:
            assert all(written[mark] <= 1 for mark in sent.marks)
    most = sum(_rolls(sent) for journal in journals for sent in _done(journal))
    assert len(rolled) <= most


def _done(journal: Journal) -> list[Sent]:
    return [*(journal.sent[key] for key in journal.told), *journal.in_doubt]


def _rolls(sent: Sent) -> bool:
    return sent.command == "dare"
