"""Presence: who is connected to a table, by this process and by the others that serve the same store."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Protocol

from astragal.table.log.store import Passes, StoreError

HEARTBEAT = 5.0
"""Seconds between two exchanges with the register; other processes learn within this time who came or left."""
PAUSE = 0.5
"""Seconds for which arrivals and departures are counted together: after a restart, everyone comes at once."""
LINGER = 4.0
"""Seconds for which a seat that left still counts as present: a page that is reloaded leaves and comes back."""
EXPIRES = 40_000
"""Milliseconds after which a process without a heartbeat counts as dead: it may have been killed."""
REFRESH = 15_000
"""Milliseconds after which unchanged entries are written again."""

NOBODY: frozenset[str] = frozenset()
Seats = Mapping[str, frozenset[str]]
"""Seats by table."""
Wake = Callable[[str], None]

log = logging.getLogger(__name__)


class Register(Protocol):
    """Register in which processes publish who is connected to them."""

    def exchange(self, seats_here: Seats) -> Seats:
        """Publish who is connected here, and return who is connected to other live processes."""


class Presence:
    """Connected seats, counted by their streams. Changed on the event loop; read from any thread."""

    def __init__(self, register: Register | None = None, linger: float = LINGER) -> None:
        self._register = register
        self._linger = linger
        self._streams: dict[str, Counter[str]] = {}
        """Number of streams, by table and seat."""
        self._going: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._pausing: dict[str, asyncio.TimerHandle] = {}
        """Tables that were counted less than PAUSE ago."""
        self._here: Seats = {}
        self._elsewhere: Seats = {}
        self._changed = asyncio.Event()

    def is_here(self, table: str, seat: str) -> bool:
        """Return whether this process has a stream of the seat."""
        return seat in self._streams.get(table, ())

    def at(self, table: str) -> frozenset[str]:
        return self._here.get(table, NOBODY) | self._elsewhere.get(table, NOBODY)

    def came(self, table: str, seat: str, wake: Wake) -> None:
        if going := self._going.pop((table, seat), None):
            going.cancel()
        self._streams.setdefault(table, Counter())[seat] += 1
        self._count(table, wake)

    def went(self, table: str, seat: str, wake: Wake) -> None:
        """Record that a stream has ended. After its last one, the seat counts as gone once LINGER has passed."""
        streams = self._streams.get(table, Counter())  # empty once all is closed
        streams[seat] -= 1
        if streams[seat] == 0:
            loop = asyncio.get_running_loop()
            self._going[table, seat] = loop.call_later(self._linger, self._gone, table, seat, wake)

    async def keep(self, wake: Wake) -> None:
        """Exchange with the register at every heartbeat, and whenever someone comes or leaves."""
        while self._register is not None:
            self._changed.clear()
            try:
                elsewhere = await asyncio.to_thread(self._register.exchange, self._here)
            except StoreError as fault:
                log.warning("who is connected elsewhere is not known now: %s", fault)
            else:
                previous = self._elsewhere
                self._elsewhere = elsewhere
                for table in {*previous, *elsewhere}:
                    if previous.get(table) != elsewhere.get(table):
                        wake(table)
            await asyncio.sleep(PAUSE)
            try:
                await asyncio.wait_for(self._changed.wait(), HEARTBEAT)
            except TimeoutError:
                continue

    def close(self) -> None:
        for timer in (*self._going.values(), *self._pausing.values()):
            timer.cancel()
        self._going.clear()
        self._pausing.clear()
        self._streams.clear()
        self._here = {}

    def _gone(self, table: str, seat: str, wake: Wake) -> None:
        del self._streams[table][seat], self._going[table, seat]
        if not self._streams[table]:
            del self._streams[table]
        self._count(table, wake)

    def _count(self, table: str, wake: Wake) -> None:
        """Count who is at a table: at once, or as soon as PAUSE has passed since the last count."""
        if table in self._pausing:
            return
        seats = frozenset(self._streams.get(table, ()))
        if seats == self._here.get(table, NOBODY):
            return
        seats_by_table = dict(self._here)  # replaced, never changed: other threads read it
        seats_by_table.pop(table, None)
        if seats:
            seats_by_table[table] = seats
        self._here = seats_by_table
        self._changed.set()
        self._pausing[table] = asyncio.get_running_loop().call_later(PAUSE, self._count_again, table, wake)
        wake(table)

    def _count_again(self, table: str, wake: Wake) -> None:
        del self._pausing[table]
        self._count(table, wake)


class StoredPresence:
    """Presence register in the store. Writes changes at once, and refreshes the rest from time to time."""

    def __init__(self, passes: Passes, process: str, clock: Callable[[], int]) -> None:
        self._passes = passes
        self._process = process
        self._clock = clock
        self._published: frozenset[tuple[str, str]] = frozenset()
        """Tables and seats that the store has from this process."""
        self._published_at = 0

    def exchange(self, seats_here: Seats) -> Seats:
        """Publish who is connected here, and return who is connected to other processes."""
        moment = self._clock()
        self._publish(seats_here, moment)
        elsewhere: dict[str, set[str]] = {}
        for table, seat in self._passes.elsewhere(self._process, moment):
            elsewhere.setdefault(table, set()).add(seat)
        return {table: frozenset(seats) for table, seats in elsewhere.items()}

    def _publish(self, seats_here: Seats, moment: int) -> None:
        """Write who came and who left, or everyone if the store has lost some of them."""
        present = frozenset((table, seat) for table, seats in seats_here.items() for seat in seats)
        is_due = bool(present) and moment - self._published_at >= REFRESH
        if present == self._published and not is_due:
            return
        arrivals = present - self._published
        departures = self._published - present
        expires = moment + EXPIRES
        count = self._passes.note_present(self._process, arrivals, departures, expires, moment)
        if count < len(present):
            self._passes.note_present(self._process, present, (), expires, moment)
        self._published = present
        self._published_at = moment
