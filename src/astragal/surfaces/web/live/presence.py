"""Who is connected to which process, as the processes that serve one store tell each other."""

from __future__ import annotations

from collections.abc import Callable

from astragal.surfaces.web.live.attendance import Seats
from astragal.table.log.passes import Passes

LASTS = 40_000
"""Milliseconds for which a process is believed that is not heard of again: it may have been killed."""
SAY_AGAIN = 15_000


class StoredPresence:
    """The register of attendance, in the store. Says what is new at once, and what is not from time to time."""

    def __init__(self, passes: Passes, process: str, clock: Callable[[], int]) -> None:
        self._passes, self._process, self._clock = passes, process, clock
        self._said: frozenset[tuple[str, str]] = frozenset()
        self._when = 0

    def beat(self, here: Seats) -> Seats:
        """Say who is here, and learn who is with other processes."""
        now = self._clock()
        seats = frozenset((table, seat) for table, there in here.items() for seat in there)
        if seats != self._said or (seats and now - self._when >= SAY_AGAIN):
            noted = self._passes.note_present(self._process, seats - self._said, self._said - seats, now + LASTS, now)
            if noted < len(seats):
                self._passes.note_present(self._process, seats, (), now + LASTS, now)
            self._said, self._when = seats, now
        found: dict[str, set[str]] = {}
        for table, seat in self._passes.elsewhere(self._process, now):
            found.setdefault(table, set()).add(seat)
        return {table: frozenset(there) for table, there in found.items()}
