"""A command is decided on what is in memory, and the store says whether that was the present.

Two hosts on one store stand for two processes: neither is told what the other did before it acts.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.fair import verify
from astragal.storage import open_store
from astragal.table.dice import HIDDEN_AT_ONCE
from astragal.table.host import Host
from astragal.table.log.store import Store
from astragal.table.refusals import IdReused, NoSuchTable, Refusal
from tests.table.dare import DARE
from tests.table.fair_tables import FairTable, fair_host


@pytest.fixture
def table(store: Store) -> FairTable:
    return FairTable(store)


@pytest.fixture
def other(table: FairTable, tmp_path: Path) -> Iterator[Host]:
    """Another process, which has the table in memory as it is now."""
    opened = open_store(f"sqlite:///{tmp_path}/tables.db")
    host = fair_host(opened)
    host.look(table.table, table.ada)
    yield host
    opened.close()


def test_what_another_process_did_meanwhile_is_counted_in(table: FairTable, other: Host) -> None:
    table.dare(table.bo)
    other.act(table.table, table.bo, ("dare", {"who": "Kira", "danger": 9}))
    table.dare(table.bo)
    assert len(table.lines("roll")) == 3
    assert verify(table.ledger()).sound


def test_a_refusal_is_given_on_what_is_true_now(table: FairTable, other: Host) -> None:
    """In the other's memory nobody sits there yet: that is no reason to refuse."""
    di = table.sit("Di")
    assert other.act(table.table, di, ("say", {"words": "here I am"})).events
    table.act(table.ada, "leave_seat", seat=di)
    with pytest.raises(NoSuchTable):
        other.act(table.table, di, ("say", {"words": "and gone"}))


def test_an_id_that_was_answered_elsewhere_is_answered_the_same(table: FairTable, other: Host) -> None:
    first = table.dare(table.bo, command_id="once")
    again = other.act(table.table, table.bo, ("dare", {"who": "Kira", "danger": 9}), command_id="once")
    assert again == first
    with pytest.raises(IdReused):
        other.act(table.table, table.bo, ("dare", {"who": "Kira", "danger": 8}), command_id="once")
    assert len(table.lines("roll")) == 1


def test_a_command_that_comes_again_is_looked_up_and_not_decided_again(table: FairTable, store: Store) -> None:
    asked = list[int]()

    def entropy(count: int) -> bytes:
        asked.append(count)
        return secrets.token_bytes(count)

    host = Host(store, (DARE,), clock=lambda: 0, entropy=entropy)
    dare = "dare", {"who": "Kira", "danger": 9}
    first = host.act(table.table, table.bo, dare, command_id="once")
    asked.clear()
    assert host.act(table.table, table.bo, dare, command_id="once") == first
    assert not asked


def test_a_command_that_would_now_be_refused_is_still_answered_as_it_was(table: FairTable) -> None:
    sat = table.give(table.ada, "take_seat", {"name": "Di"}, command_id="sit")
    di = str(sat.events[0].fields["seat"]["id"])
    left = table.give(table.ada, "leave_seat", {"seat": di}, command_id="leave")
    with pytest.raises(Refusal):
        table.act(table.ada, "leave_seat", seat=di)
    assert table.give(table.ada, "leave_seat", {"seat": di}, command_id="leave") == left


def test_a_log_of_the_same_length_is_not_taken_for_the_one_that_was_read(
    table: FairTable, other: Host, tmp_path: Path
) -> None:
    """A restore adds entries of its own: here as many as were lost."""
    table.host.archive.backup(tmp_path / "backup.db")
    before = table.store.last(table.table)
    renewed = other.ledger_state(table.table, table.bo).sources
    added = len(["the restore", "the gap", *renewed]) + HIDDEN_AT_ONCE
    other.act(table.table, table.ada, ("take_seat", {"name": "Di"}))
    while table.store.last(table.table) < before + added:
        other.act(table.table, table.bo, ("say", {"words": "soon forgotten"}))
    known = table.store.last(table.table)
    table.host.archive.restore(tmp_path / "backup.db")
    assert table.store.last(table.table) == known
    said = other.act(table.table, table.bo, ("say", {"words": "after it all"}))
    assert said.receipt
    assert verify(table.ledger(), [said.receipt]).sound
    words = " ".join(event.words for event in other.follow(table.table, table.ada).events)
    assert "after it all" in words
    assert "soon forgotten" not in words


def test_who_looks_sees_what_another_process_did(table: FairTable, other: Host) -> None:
    before = other.look(table.table, table.bo)
    assert other.look(table.table, table.bo) is before
    di = table.sit("Di")
    assert di in other.look(table.table, table.bo).seats
    assert other.follow(table.table, table.bo).events[-1].name == "seat_taken"
