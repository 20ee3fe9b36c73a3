"""Cursors: pagination of the log for a seat, counting only the events that it may see."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from astragal.table.log.session import LiveTable
from astragal.table.visibility.events import SeenEvent
from astragal.table.visibility.seat_views import Journal


class Page(msgspec.Struct, frozen=True):
    """Page of events that a seat has not seen yet. `cursor` continues it. `restarted`: from the beginning."""

    events: tuple[SeenEvent, ...]
    cursor: str
    more: bool = False
    restarted: bool = False
    start: str = ""
    """Cursor of the page's beginning; empty if nothing precedes it."""


class Position(NamedTuple):
    """A cursor's place in a journal. `is_restart`: the cursor did not fit, and counting starts again."""

    place: int
    is_restart: bool = False


def page(live: LiveTable, seat: str, cursor: str, most: int) -> Page:
    """Return the next events for this seat. An invalid cursor, or one from another role, starts from the beginning."""
    journal = live.views.journal(seat)
    position = _position(cursor, journal)
    end = min(position.place + most, len(journal.numbers))
    return _between(live, journal, position.place, end, is_restart=position.is_restart)


def latest(live: LiveTable, seat: str, before: str, most: int) -> Page:
    """Return the newest events for this seat; with a cursor, those before it."""
    journal = live.views.journal(seat)
    end = len(journal.numbers)
    if before:
        position = _position(before, journal)
        if not position.is_restart:
            end = position.place
    return _between(live, journal, max(end - most, 0), end)


def events_of(live: LiveTable, seat: str, act: str) -> tuple[SeenEvent, ...]:
    """Return the events of a command that this seat may see."""
    return tuple(live.views.events(live.log.entries_of(act), live.viewer(seat)))


def of_kinds(live: LiveTable, seat: str, names: Iterable[str]) -> tuple[SeenEvent, ...]:
    """Return all events of these names that this seat may see, in the order of the log and without a limit."""
    visible = set(live.views.journal(seat).numbers)
    viewer = live.viewer(seat)
    numbers: set[int] = set()
    for name in names:
        numbers |= visible.intersection(live.log.numbers_named(name))
    events: list[SeenEvent] = []
    for number in sorted(numbers):
        events += live.views.events(live.log.happened(number - 1, number), viewer)
    return tuple(events)


def _between(live: LiveTable, journal: Journal, start: int, end: int, *, is_restart: bool = False) -> Page:
    """Return the events at these places of a seat's journal, as a page."""
    return Page(
        events=tuple(_events_at(live, journal, start, end)),
        cursor=f"{journal.prefix}{end}",
        more=end < len(journal.numbers),
        restarted=is_restart,
        start=f"{journal.prefix}{start}" if start else "",
    )


def _events_at(live: LiveTable, journal: Journal, start: int, end: int) -> list[SeenEvent]:
    numbers = journal.numbers[start:end]
    if not numbers:
        return []
    on_page = set(numbers)
    entries = live.log.happened(numbers[0] - 1, numbers[-1])
    visible = (happened for happened in entries if happened.number in on_page)
    return list(live.views.events(visible, live.viewer(journal.viewer.seat)))


def _position(cursor: str, journal: Journal) -> Position:
    """Return a cursor's position in a journal; one that does not fit restarts from the beginning."""
    if not cursor:
        return Position(0)
    digits = cursor.removeprefix(journal.prefix)
    is_number = cursor.startswith(journal.prefix) and digits.isascii() and digits.isdigit()
    if not is_number or int(digits) > len(journal.numbers):
        return Position(0, is_restart=True)
    return Position(int(digits))
