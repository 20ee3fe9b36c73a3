"""Turns: tables that wait to be told what is new, the longest-waiting first, and those that are being told."""

from collections.abc import Hashable, Sized
from threading import Lock
from time import monotonic, sleep
from typing import Generic, TypeVar

TELLERS = 1
"""Threads that may be telling, so that a command need not wait until a table is told."""
SLOW, MOST_SLOW = 0.1, 6
"""Seconds after which a thread that tells is not counted any more, since it waits for something; and how many such
threads there may be."""

LONGEST_PAUSE = 0.05
"""Seconds for which a thread that tells a table lets waiting commands go first, at the most."""
GLANCE = 0.002
"""Seconds after which it looks again whether any waits."""

T = TypeVar("T", bound=Hashable)


def let_pass(waiting: Sized, until: float) -> None:
    """Pause while anything waits, until then at the latest: all threads share one interpreter."""
    while waiting and monotonic() < until:
        sleep(GLANCE)


class Turns(Generic[T]):
    """Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: dict[T, bool] = {}
        """The tables that wait to be told, and of each whether another process may have acted."""
        self._told_since: dict[T, float] = {}
        """The tables that are being told, and when that began."""

    def __bool__(self) -> bool:
        """Does any table wait?"""
        return bool(self._waiting)

    def wait(self, table: T, *, reads_on: bool) -> None:
        with self._lock:
            self._waiting[table] = reads_on or self._waiting.get(table, False)

    def is_anyones(self) -> bool:
        """Is it the turn of any table?"""
        with self._lock:
            return self._next() is not None

    def begin(self) -> tuple[T, bool] | None:
        """The table whose turn it is, if it is anyone's, and whether another process may have acted."""
        with self._lock:
            if (table := self._next()) is None:
                return None
            self._told_since[table] = monotonic()
            return table, self._waiting.pop(table)

    def end(self, table: T) -> None:
        with self._lock:
            del self._told_since[table]

    def slow(self) -> int:
        """Threads that have told one table for long."""
        before = monotonic() - SLOW
        return min(sum(since < before for since in tuple(self._told_since.values())), MOST_SLOW)

    def _next(self) -> T | None:
        if len(self._told_since) - self.slow() >= TELLERS:
            return None
        return next((table for table in self._waiting if table not in self._told_since), None)
