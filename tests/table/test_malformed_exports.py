"""An export with something wrong in it is refused in a sentence, and nothing of it is kept; or it is taken in right.

A log that is in the store already, and can't be read, stops its own table and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from astragal.storage import open_store
from astragal.table.declarations import Role
from astragal.table.host import Host
from astragal.table.log.export import BadExport
from astragal.table.log.store import Batch, Entry, Store, StoreError, titles
from astragal.table.refusals import Refusal
from tests.table.exported import Exported
from tests.table.fair_tables import FairTable, fair_host
from tests.table.malformed import ID, Malformed, damaged, forged


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(open_store(f"sqlite:///{tmp_path}/tables.db")) as opened:
        yield opened


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Store]:
    with closing(open_store(f"sqlite:///{tmp_path}/elsewhere.db")) as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> FairTable:
    """A short evening with a bit of everything: words, a save node, an open and a hidden roll, a rewind."""
    made = FairTable(store)
    node = made.act(made.ada, "mark_save_node", label="the edge").events[0].fields["node"]
    made.act(made.bo, "say", words="Is it deep?")
    made.dare(made.bo)
    made.act(made.ada, "rewind", node=node, price="nerve")
    return made


def assert_refused_or_right(store: Store, files: Iterable[Malformed]) -> tuple[int, int]:
    """How many were refused, how many taken in."""
    host = fair_host(store)
    refused = taken = 0
    for what, lines in files:
        try:
            name = host.archive.import_table(lines)
        except BadExport as refusal:
            refused += 1
            assert refusal.sentence.endswith("."), what
            assert store.tables() == [], what
        else:
            taken += 1
            assert_playable(host, name, what)
            store.delete(name)
            host = fair_host(store)
    return refused, taken


def assert_playable(host: Host, table: str, what: str) -> None:
    assert host.archive.fault(table) == "", what
    seats = host.seats(table)
    for seat in seats:
        assert host.look(table, seat).id == table, what
        assert host.follow(table, seat).events, what
    master = next(seat for seat in seats.values() if seat.role is Role.GAME_MASTER)
    assert host.act(table, master.id, ("say", {"words": "on we go"})).events, what


def kept_as_it_is(store: Store, name: str, file: Malformed) -> bool:
    """Put the log in the store past every check, as far as a store can hold it."""
    rows = [row["entry"] for row in map(json.loads, file.lines) if isinstance(row.get("entry"), list)]
    try:
        entries = tuple(
            Entry(number, kind, int(version), int(at), data.encode()) for number, kind, version, at, data in rows
        )
        store.create(name, Batch(entries))
    except (AttributeError, OverflowError, TypeError, ValueError, StoreError):
        return False
    return True


def some(files: Iterable[Malformed], nth: int) -> Iterator[Malformed]:
    """Every so many; a prime number meets each kind of change in time."""
    return (one for place, one in enumerate(files) if place % nth == 0)


def test_a_damaged_export_is_refused_in_a_sentence(table: FairTable, elsewhere: Store) -> None:
    refused, taken = assert_refused_or_right(elsewhere, some(damaged(list(table.export())), 3))
    assert refused > 100
    assert taken == 0


@pytest.mark.slow
def test_every_malformed_export_is_refused_in_a_sentence_or_taken_in_right(table: FairTable, elsewhere: Store) -> None:
    file = list(table.export())
    assert_refused_or_right(elsewhere, damaged(file))
    refused, taken = assert_refused_or_right(elsewhere, forged(file))
    assert refused > max(taken, 1_000)


def test_the_ledger_of_another_table_is_not_taken_for_this_ones(table: FairTable, elsewhere: Store) -> None:
    exported = Exported(list(table.export()))
    exported.rows[0]["table"] = ID
    with pytest.raises(BadExport, match=f"ledger .* table '{table.table}', not of '{ID}'"):
        fair_host(elsewhere).archive.import_table(exported.file())
    assert elsewhere.tables() == []


@pytest.mark.slow
def test_logs_in_the_store_that_can_not_be_read_stop_their_own_tables_alone(table: FairTable, elsewhere: Store) -> None:
    files = some(forged(list(table.export())), 13)
    names = [f"t{place}" for place, file in enumerate(files) if kept_as_it_is(elsewhere, f"t{place}", file)]
    host = fair_host(elsewhere)
    assert [title.id for title in titles(elsewhere)] == names
    stopped = []
    for name in names:
        try:
            seats = host.seats(name)
        except Refusal as refusal:
            stopped.append(refusal.sentence)
            continue
        stopped.append(host.archive.fault(name))
        for seat in seats:
            host.look(name, seat)
    assert len(names) > 100
    assert sum("entry " in why for why in stopped) > 50
    assert "" in stopped  # what is wrong may be nothing that a reader needs
