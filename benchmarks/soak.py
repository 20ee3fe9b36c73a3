"""The soak: several processes at one table, each killed again and again, on both stores: `./run soak [minutes]`.

Nothing acknowledged may be lost, doubled or reordered; the fold of the log is the state; the ledger verifies, with
every receipt that anyone was given.
"""

import argparse
import multiprocessing
import signal
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from random import Random
from secrets import randbits, token_bytes
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import msgspec

from astragal.fair import verify
from astragal.storage import open_store
from astragal.table.log.audit import audit
from astragal.table.log.export import ledger_in
from astragal.table.log.session import open_live
from astragal.table.log.store import Entry, Store
from astragal.table.registry import Book
from benchmarks.soaking import Journal, Seats, Sent, soak
from benchmarks.storage import postgres_url
from tests.storage.places import postgres_database
from tests.table.dare import DARE
from tests.table.fair_tables import FairTable

PROCESSES = 3
PAUSE = (0.5, 2.5)
"""Seconds between two kills."""
FEWEST_MINUTES, MOST_MINUTES = 0.05, 60.0


@dataclass(frozen=True)
class Soaked:
    """What a soak came to."""

    told: int
    refused: int
    in_doubt: int
    kills: int
    entries: int
    lines: int

    def __str__(self) -> str:
        return (
            f"{self.told} commands told, {self.refused} refused, {self.in_doubt} in doubt, {self.kills} kills; "
            f"{self.entries} entries and {self.lines} lines of the ledger: nothing lost, doubled or reordered."
        )


def soak_store(url: str, folder: Path, seconds: float, seed: int) -> Soaked:
    """Soak a new table of this store, and then look at what is left."""
    store = open_store(url)
    table = FairTable(store)
    journals = [folder / f"{name}.journal" for name in "abcdefgh"[:PROCESSES]]
    kills = _soak(url, table, journals, seconds, Random(seed))
    try:
        return _checked(store, table, [Journal(path) for path in journals], kills)
    finally:
        store.close()


# ---------------------------------------------------------------- soaking


def _soak(url: str, table: FairTable, journals: list[Path], seconds: float, random: Random) -> int:
    """How many were killed, the last ones included."""
    seats = Seats(table.ada, table.bo, table.cy)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([soak.__module__])  # who is killed is soon replaced

    def start(journal: Path) -> ForkServerProcess:
        given = (url, table.table, seats, journal, random.getrandbits(32))
        process = context.Process(target=soak, args=given, daemon=True)
        process.start()
        return process

    running = {journal: start(journal) for journal in journals}
    while not all(map(_has_begun, journals)):  # on a busy machine the first start takes long
        sleep(PAUSE[0])
        assert all(process.is_alive() for process in running.values()), "a process ended by itself"
    end, kills = monotonic() + seconds, 0
    while monotonic() < end:
        sleep(min(random.uniform(*PAUSE), max(0.0, end - monotonic())))
        journal = random.choice(journals)
        _kill(running[journal])
        kills += 1
        running[journal] = start(journal)
    for process in running.values():
        _kill(process)
    return kills + len(running)


def _has_begun(journal: Path) -> bool:
    """Was anything told to whoever writes it?"""
    return journal.exists() and b'"told"' in journal.read_bytes()


def _kill(process: ForkServerProcess) -> None:
    """By `kill -9`; whoever has ended before that has found a fault, and said it."""
    process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL, f"a process ended by itself, with {process.exitcode}"


# ---------------------------------------------------------------- what is left


def _checked(store: Store, table: FairTable, journals: list[Journal], kills: int) -> Soaked:
    for journal in journals:
        _nothing_is_lost(table, journal)
        _nothing_is_reordered(store, table.table, journal)
    entries = list(store.read(table.table))
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    _nothing_is_doubled(store, table.table, entries, journals)
    _the_fold_is_the_state(store, table)
    export = table.export()
    ledger = ledger_in(export)
    report = verify(ledger, [receipt for journal in journals for receipt in journal.receipts])
    assert report.sound, report.sentences()
    assert not audit(export).edits
    told, refused, in_doubt = (
        sum(map(len, some)) for some in zip(*((one.told, one.refused, one.in_doubt) for one in journals), strict=True)
    )
    return Soaked(told, refused, in_doubt, kills, len(entries), len(ledger))


def _nothing_is_lost(table: FairTable, journal: Journal) -> None:
    """Whatever was told is told again."""
    for told in journal.told.values():
        outcome = journal.sent[told.id].give(table.host, table.table)
        assert outcome.receipt
        assert (outcome.act, list(outcome.receipt)) == (told.act, told.receipt), f"{told} is {outcome} now"


def _nothing_is_reordered(store: Store, table: str, journal: Journal) -> None:
    """What one process was told later stands later in the log."""
    answers = [store.answer(table, told.id) for told in journal.told.values()]
    places = [msgspec.json.decode(answer.data)["first"] for answer in answers if answer]
    assert len(places) == len(journal.told)
    assert all(early < late for early, late in pairwise(places))


def _nothing_is_doubled(store: Store, table: str, entries: list[Entry], journals: list[Journal]) -> None:
    """Every command that was told left its mark once; one in doubt once or never; nobody else left any."""
    rolled = Counter(_act(entry) for entry in entries if entry.name == "rolled")
    assert set(rolled.values()) <= {1}
    written = Counter(text.words for text in store.texts(table).values())
    for journal in journals:
        for told in journal.told.values():
            assert all(written[mark] == 1 for mark in _marks(journal.sent[told.id]))
            assert rolled[told.act] == 1 or not _rolls(journal.sent[told.id])
        for sent in journal.in_doubt:
            assert all(written[mark] <= 1 for mark in _marks(sent))
    most = sum(_rolls(sent) for journal in journals for sent in _done(journal))
    assert len(rolled) <= most


def _done(journal: Journal) -> list[Sent]:
    return [*(journal.sent[key] for key in journal.told), *journal.in_doubt]


def _marks(sent: Sent) -> list[str]:
    """Words that nobody else would write."""
    return [words for words in sent.fields.values() if isinstance(words, str) and " by " in words]


def _rolls(sent: Sent) -> bool:
    return sent.command == "dare"


def _act(entry: Entry) -> str:
    act: str = msgspec.json.decode(entry.data)["act"]
    return act


def _the_fold_is_the_state(store: Store, table: FairTable) -> None:
    books = {DARE.id: Book.of(DARE)}
    whole = open_live(table.table, books, store, token_bytes, from_snapshot=False)
    quick = open_live(table.table, books, store, token_bytes)
    assert whole.state == quick.state
    assert whole.notary.ledger == quick.notary.ledger


# ---------------------------------------------------------------- from the command line


def main() -> int:
    parser = argparse.ArgumentParser(prog="./run soak", description=__doc__)
    parser.add_argument("minutes", nargs="?", type=float, default=1.0, help="for each store; one, if not said")
    parser.add_argument("--seed", type=int, default=None, help="of the commands and the kills")
    asked = parser.parse_args()
    if not FEWEST_MINUTES <= asked.minutes <= MOST_MINUTES:
        parser.error(f"a soak takes {FEWEST_MINUTES:g} to {MOST_MINUTES:g} minutes")
    seed = randbits(32) if asked.seed is None else asked.seed
    print(f"{asked.minutes:g} minutes a store, with seed {seed} …", file=sys.stderr)
    with TemporaryDirectory() as folder:
        soaked = soak_store(f"sqlite:///{folder}/tables.db", Path(folder), asked.minutes * 60, seed)
        print(f"SQLite: {soaked}", flush=True)
    with TemporaryDirectory() as folder, postgres_url() as url, postgres_database(url) as place:
        print(f"PostgreSQL: {soak_store(place.url, Path(folder), asked.minutes * 60, seed)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
