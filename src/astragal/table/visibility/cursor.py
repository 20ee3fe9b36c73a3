"""Cursors: pagination of the log for a seat, counting only the events that it may see."""

from collections.abc import Iterable

import msgspec

from astragal.table.log.session import Journal, LiveTable
from astragal.table.visibility.events import SeenEvent


class Page(msgspec.Struct, frozen=True):
    """Page of events that a seat has not seen yet. `cursor` continues it. `restarted`: from the beginning."""

    events: tuple[SeenEvent, ...]
    cursor: str
    more: bool = False
    restarted: bool = False
    start: str = ""
    """Cursor of the page's beginning; empty if nothing precedes it."""


def page(live: LiveTable, seat: str, cursor: str, most: int) -> Page:
    """Return the next events for this seat. An invalid cursor, or one from another role, starts from the beginning."""
    journal = live.journal(seat)
    start, restarted = _place(cursor, journal)
    return _between(live, journal, start, min(start + most, len(journal.numbers)), restarted=restarted)


def latest(live: LiveTable, seat: str, before: str, most: int) -> Page:
    """Return the newest events for this seat; with a cursor, those before it."""
    journal = live.journal(seat)
    end = len(journal.numbers)
    if before:
        place, restarted = _place(before, journal)
        end = end if restarted else place
    return _between(live, journal, max(end - most, 0), end)


def events_of(live: LiveTable, seat: str, act: str) -> tuple[SeenEvent, ...]:
    """Return the events of a command that this seat may see."""
    viewer = live.viewer(seat)
    return tuple(one for one in (live.shown(happened, viewer) for happened in live.entries_of(act)) if one)


def of_kinds(live: LiveTable, seat: str, names: Iterable[str]) -> tuple[SeenEvent, ...]:
    """Return all events of these names that this seat may see, in the order of the log and without a limit."""
    visible, viewer = set(live.journal(seat).numbers), live.viewer(seat)
    places = sorted(place for name in names for place in live.places_of_kind(name) if place in visible)
    found = (happened for place in places for happened in live.happened(place - 1, place))
    return tuple(one for one in (live.shown(happened, viewer) for happened in found) if one)


def _between(live: LiveTable, journal: Journal, start: int, end: int, *, restarted: bool = False) -> Page:
    """Return the events at these places of a seat's journal, as a page."""
    numbers = journal.numbers[start:end]
    shown: list[SeenEvent] = []
    if numbers:
        wanted, viewer = set(numbers), live.viewer(journal.viewer.seat)
        between = live.happened(numbers[0] - 1, numbers[-1])
        seen = (live.shown(happened, viewer) for happened in between if happened.number in wanted)
        shown = [one for one in seen if one]
    return Page(
        tuple(shown),
        f"{journal.prefix}{end}",
        end < len(journal.numbers),
        restarted,
        f"{journal.prefix}{start}" if start else "",
    )


def _place(cursor: str, journal: Journal) -> tuple[int, bool]:
    """Return a cursor's position in a journal, and whether the count has to start again because it does not fit."""
    if not cursor:
        return 0, False
    place = cursor.removeprefix(journal.prefix)
    is_number = cursor.startswith(journal.prefix) and place.isascii() and place.isdigit()
    return (int(place), False) if is_number and int(place) <= len(journal.numbers) else (0, True)
