"""Tables: durable commands, opening and replaying long logs, and the memory that closed tables leave behind."""

import gc
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from secrets import token_bytes, token_hex
from tempfile import TemporaryDirectory
from typing import Any

import apsw

from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.storage import open_store
from astragal.table.commands.builtin import Happened
from astragal.table.declarations import Sight
from astragal.table.ledger_writer import CommandRecord, LedgerLine, Proof, rollers_of
from astragal.table.log.repository import MOST_IDLE, SNAPSHOT_EVERY, TableRepository
from astragal.table.log.session import LiveTable, open_live
from astragal.table.log.store import Batch, Entry, Store
from astragal.table.registry import Book
from benchmarks.harness import OURS, Mark, Work, benchmark, medians, within
from benchmarks.played import Played
from benchmarks.storage import COMMITS, bare_commits_to_sqlite

EVENTS = 100_000
AT_ONCE = 5_000
BOOKS = {SINEW_STEEL.id: Book.of(SINEW_STEEL)}


@benchmark("table.commands")
def commands() -> Iterator[Mark]:
    """Commands with rule, codec, ledger and views, on SQLite with `synchronous = FULL`; by one process, and by two."""
    with TemporaryDirectory() as folder, closing(apsw.Connection(f"{folder}/bare.db")) as bare:
        file = str(Path(folder) / "tables.db")
        store = open_store(file)
        with _playing_elsewhere(file, 2) as both:
            contenders = {"floor": bare_commits_to_sqlite(bare), OURS: Played(store).turn(COMMITS), "both": both}
            times = medians(contenders)
        store.close()
    floor = COMMITS / times["floor"]
    for who, rate in (("", COMMITS / times[OURS]), (", two processes on one file", 2 * COMMITS / times["both"])):
        share, detail = rate / floor, f"{rate:,.0f} commands/s against {floor:,.0f} bare commits/s"
        name = f"durable commands, of bare commits{who}"
        yield Mark("table.commands", name, f"{share:.0%}", "≥ 20%", share >= 0.2, detail)


@contextmanager
def _playing_elsewhere(file: str, processes: int) -> Iterator[Work]:
    """Yield a turn at a table in each of several processes at once."""
    context = get_context("spawn")
    pipes = [context.Pipe() for _ in range(processes)]
    players = [context.Process(target=_play_on_demand, args=(file, theirs), daemon=True) for _, theirs in pipes]
    for player in players:
        player.start()

    def turn() -> None:
        for ours, _ in pipes:
            ours.send("play")
        for ours, _ in pipes:
            ours.recv()

    try:
        yield turn
    finally:
        for ours, _ in pipes:
            ours.send("end")
        for player in players:
            player.join()


def _play_on_demand(file: str, orders: Connection) -> None:
    store = open_store(file)
    turn = Played(store).turn(COMMITS)
    while orders.recv() == "play":
        turn()
        orders.send("played")
    store.close()


# ---------------------------------------------------------------- long logs


@benchmark("table.log")
def long_log() -> Iterator[Mark]:
    with TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "tables.db"))
        table = _long_table(store)
        times = medians({"open": lambda: _opened(store, table), "replay": lambda: _replayed(store, table)})
        assert _opened(store, table).state == _replayed(store, table).state
        store.close()
    name = f"a log of {EVENTS:,} events, opened from a snapshot"
    yield within("table.log", name, times["open"], 0.3, f"with {SNAPSHOT_EVERY} events after it")
    rate = EVENTS / times["replay"]
    yield Mark("table.log", "events replayed", f"{rate:,.0f}/s", "≥ 40,000/s", rate >= 40_000)


def _opened(store: Store, table: str) -> LiveTable:
    return open_live(table, BOOKS, store, token_bytes)


def _replayed(store: Store, table: str) -> LiveTable:
    return open_live(table, BOOKS, store, token_bytes, from_snapshot=False)


def _long_table(store: Store) -> str:
    """Create a table with test after test, each with its line of the ledger, and the snapshot that such a log has."""
    played = Played(store)
    told = _a_test(store, played)
    live = _opened(store, played.table)
    _lengthen(store, live, told, EVENTS - SNAPSHOT_EVERY)
    live = _opened(store, played.table)
    TableRepository(store, (SINEW_STEEL,), clock=lambda: 0, entropy=token_bytes, rehearses=False).snap(live)
    _lengthen(store, live, told, EVENTS)
    return played.table


def _a_test(store: Store, played: Played) -> list[Happened]:
    """Return the events of a test in which nobody has to decide anything."""
    while True:
        before = store.last(played.table)
        played.next_command()
        told = [
            one for one in _opened(store, played.table).log.happened(before) if not isinstance(one.event, LedgerLine)
        ]
        if len({one.act for one in told}) == 1 and "decision_opened" not in {_name(one) for one in told}:
            return told


def _lengthen(store: Store, live: LiveTable, told: list[Happened], up_to: int) -> None:
    """Append to the store directly, without waking watchers; always whole commands."""
    number, entries = store.last(live.table), list[Entry]()
    while number < up_to:
        proof, more = _command(live, told, number + len(entries))
        entries += more
        if proof.seeds or len(entries) >= AT_ONCE or number + len(entries) >= up_to:
            store.append(live.table, number, Batch(tuple(entries), private=proof.seeds))
            number, entries = number + len(entries), []


def _command(live: LiveTable, told: list[Happened], after: int) -> tuple[Proof, list[Entry]]:
    act, by, events = token_hex(8), told[0].by, [one.event for one in told]

    def encoded(some: Sequence[Any], after: int) -> list[Entry]:
        numbered = (Happened(number, 0, by, act, event) for number, event in enumerate(some, after + 1))
        return [live.book.codec.encode(one, lambda: b"").entry for one in numbered]

    drawing = live.ledger_writer.drawing(act, by, Sight.OPEN)
    drawing.face(20)
    entries = encoded(events, after)
    rollers = rollers_of(live.state)
    record = CommandRecord(act, by, Sight.OPEN, False, events, entries, drawing, rollers=rollers)
    proof = live.ledger_writer.attest(record, live.log.entries_of)
    live.ledger_writer.ledger = proof.ledger
    return proof, [*entries, *encoded(proof.lines, after + len(entries))]


def _name(happened: Happened) -> str:
    return BOOKS[SINEW_STEEL.id].event_specs[type(happened.event)].name


# ---------------------------------------------------------------- memory


@benchmark("table.memory")
def closed_tables() -> Iterator[Mark]:
    """Memory that each table leaves behind, beyond those that are kept open."""
    with TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "tables.db"))
        tables = [Played(store).table for _ in range(4 * MOST_IDLE)]
        repository = TableRepository(store, (SINEW_STEEL,), clock=lambda: 0, entropy=token_bytes, rehearses=False)
        tracemalloc.start()
        before, after = (_held(repository, some) for some in (tables[: 2 * MOST_IDLE], tables))
        tracemalloc.stop()
        store.close()
    growth = (after - before) / before
    detail = f"{before / 1e6:.2f} MB after {2 * MOST_IDLE} tables, {after / 1e6:.2f} MB after {4 * MOST_IDLE}"
    yield Mark("table.memory", "growth with closed tables", f"{growth:.1%}", "≤ 5%", growth <= 0.05, detail)


TALKERS = ("Cy", "Di", "Ed", "Flo")
LINES = 3_600
"""Lines of talk in an hour, one each second."""
LINES_BEFORE = 600
"""Lines before it is measured, which fill the caches that hold the newest entries."""


@benchmark("table.talk")
def an_hour_of_talk() -> Iterator[Mark]:
    """Memory that grows with an hour of nothing but talk, which six seats follow: the table's state never changes."""
    with TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "tables.db"))
        played = Played(store)
        seats = [played.ada, played.bo]
        seats += [
            str(played.give(played.ada, "take_seat", name=name).events[0].fields["seat"]["id"]) for name in TALKERS
        ]
        tracemalloc.start()
        _talk(played, seats, LINES_BEFORE)
        before = _traced()
        _talk(played, seats, LINES)
        growth = (_traced() - before) / LINES
        tracemalloc.stop()
        store.close()
    name = f"growth with {LINES:,} lines of talk, bytes a line"
    yield Mark("table.talk", name, f"{growth:.0f}", "≤ 100", growth <= 100, f"{len(seats)} seats read every line")


def _talk(played: Played, seats: Sequence[str], lines: int) -> None:
    """Have the seats talk in turn, and each read every line."""
    cursors = {seat: played.host.latest(played.table, seat, most=1).cursor for seat in seats}
    for number in range(lines):
        words = f"What somebody says at the table, line {number}."
        played.give(seats[number % len(seats)], "say", words=words)
        for seat in seats:
            cursors[seat] = played.host.follow(played.table, seat, cursors[seat], 10).cursor


def _held(repository: TableRepository, tables: list[str]) -> int:
    """Return the bytes held after all of these were looked at."""
    for table in tables:
        repository.at(table)
    return _traced()


def _traced() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]
