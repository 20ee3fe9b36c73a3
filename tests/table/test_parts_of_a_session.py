"""The three parts of a table in memory, each without the others' help: its log, its history, its seats' views."""

from __future__ import annotations

import pytest

from astragal.table.log.history import History
from astragal.table.log.store import Entry
from astragal.table.log.table_log import LogReplaced, TableLog
from astragal.table.refusals import NoSuchTable
from astragal.table.registry import Book
from astragal.table.visibility.seat_views import SeatViews
from tests.table.dare import DARE
from tests.table.seated import Seated

BOOK = Book.of(DARE)


def log_of(seated: Seated) -> TableLog:
    """The log of a table, read from its store to the end."""
    store = seated.host._repository.store  # noqa: SLF001 - the log is below what surfaces see
    log = TableLog(seated.table, store, BOOK.codec)
    first = next(store.read(seated.table, 0, 1))
    log.applied(first)
    for entries in log.new_entries():
        if entries:
            log.applied(entries[-1])
    return log


def history_of(log: TableLog) -> History:
    """The fold of a log."""
    happened = list(log.happened())
    history = BOOK.history(happened[0].event)
    for entry in happened:
        history.advance(entry)
    return history


def test_a_log_is_read_to_its_end_without_a_state(seated: Seated) -> None:
    log = log_of(seated)
    assert [happened.number for happened in log.happened()] == list(range(1, log.number + 1))


def test_a_log_finds_all_entries_of_a_command(seated: Seated) -> None:
    outcome = seated.act("Bo", "say", words="here I am")
    log = log_of(seated)
    entries = log.entries_of(outcome.act)
    assert entries == [happened for happened in log.happened() if happened.act == outcome.act]
    assert entries[0].event.words == "here I am"


def test_a_log_finds_entries_by_the_name_of_their_event(seated: Seated) -> None:
    log = log_of(seated)
    names = {entry.number: entry.name for entry in log.entries()}
    assert list(log.numbers_named("seat_taken")) == [number for number, name in names.items() if name == "seat_taken"]
    assert not log.numbers_named("nothing_of_the_kind")


def test_a_log_notices_that_another_took_its_place(seated: Seated) -> None:
    log = log_of(seated)
    log.applied(Entry(log.number, "said", 1, 0, b"of another log"))
    with pytest.raises(LogReplaced):
        next(log.new_entries())


def test_the_fold_of_a_log_is_the_state_of_its_table(seated: Seated) -> None:
    seated.act("Ada", "start_clock", name="Doom", size=6, face="hidden")
    assert history_of(log_of(seated)).state == seated.host._repository.at(seated.table).state  # noqa: SLF001


def test_views_show_a_seat_what_the_table_shows_it(seated: Seated) -> None:
    seated.act("Ada", "write_note", title="Hidden", words="a canary", audience="game master")
    log = log_of(seated)
    views = SeatViews(log, history_of(log), BOOK)
    for name, seat in seated.seats.items():
        assert views.state(seat) == seated.look(name)
        assert tuple(views.all_events(seat)) == seated.host.follow(seated.table, seat).events


def test_views_of_one_state_are_made_once_for_seats_with_the_same_rights(seated: Seated) -> None:
    log = log_of(seated)
    views = SeatViews(log, history_of(log), BOOK)
    happened = next(log.happened())
    events = {id(views.event(happened, views.viewer(seated.seats[name]))) for name in ("Bo", "Cy", "Di")}
    assert len(events) == 1


def test_views_tell_a_stranger_nothing(seated: Seated) -> None:
    log = log_of(seated)
    with pytest.raises(NoSuchTable):
        SeatViews(log, history_of(log), BOOK).state("nobody")
