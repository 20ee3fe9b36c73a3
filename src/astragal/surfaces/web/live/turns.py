"""Scheduler of worker threads: which table's followers are notified next, and when commands go first.

Tables wait in a queue, longest-waiting first. All threads share one interpreter: if two work at the same time, each
finds the processor's cache full of the other's data, and both take far longer than one after the other.
"""

from collections.abc import Callable, Hashable, Iterator, Sized
from contextlib import contextmanager
from threading import Event, Lock
from time import monotonic, sleep
from typing import Generic, TypeVar

MOST_NOTIFIERS = 1
"""Maximum number of threads that notify followers at a time, so that a command doesn't have to wait for them."""
SLOW, MOST_SLOW = 0.1, 6
"""Seconds after which a notifying thread is slow: it waits for something, and no longer counts as busy. And how many
such threads there may be."""

LONGEST_PAUSE = 0.05
"""Maximum seconds for which a notifying thread lets waiting commands go first. Then they wait for it."""
POLL_INTERVAL = 0.002
"""Seconds between its checks for waiting commands."""

T = TypeVar("T", bound=Hashable)


class CommandPriority:
    """Priority: commands go first for a while, then the thread that notifies a table's followers does. Thread-safe."""

    def __init__(self, commands: Sized) -> None:
        """`commands` is the queue of waiting commands."""
        self._commands, self._are_free = commands, Event()
        self._are_free.set()

    def wait_for_notifier(self) -> None:
        """Wait for a notifying thread that has let commands pass for long enough. Called before each command.

        If that thread is slow, only the first command waits: the thread waits for something itself, and the next
        commands need not wait with it.
        """
        if not self._are_free.wait(SLOW):
            self._are_free.set()

    @contextmanager
    def notifying(self) -> Iterator[Callable[[], None]]:
        """Context for notifying a table's followers. Yields a function to call often, which lets commands pass."""
        until = monotonic() + LONGEST_PAUSE

        def yield_to_commands() -> None:
            while self._commands and monotonic() < until:
                sleep(POLL_INTERVAL)
            if self._commands:
                self._are_free.clear()

        try:
            yield yield_to_commands
        finally:
            self._are_free.set()


class NotifyQueue(Generic[T]):
    """Queue of tables whose followers have to be notified, and the tables in progress. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: dict[T, bool] = {}
        """Tables that wait, each with whether another process may have written to it."""
        self._notifying_since: dict[T, float] = {}
        """Tables in progress, each with the time when that began."""

    def __bool__(self) -> bool:
        """Return whether any table waits."""
        return bool(self._waiting)

    def wait(self, table: T, *, reads_on: bool) -> None:
        with self._lock:
            self._waiting[table] = reads_on or self._waiting.get(table, False)

    def has_next(self) -> bool:
        """Return whether a table can be begun now."""
        with self._lock:
            return self._next() is not None

    def begin(self) -> tuple[T, bool] | None:
        """Take the next table, with whether another process may have written to it; None if none can be begun now."""
        with self._lock:
            if (table := self._next()) is None:
                return None
            self._notifying_since[table] = monotonic()
            return table, self._waiting.pop(table)

    def end(self, table: T) -> None:
        with self._lock:
            del self._notifying_since[table]

    def slow(self) -> int:
        """Number of notifying threads that are slow, at most MOST_SLOW."""
        before = monotonic() - SLOW
        return min(sum(since < before for since in tuple(self._notifying_since.values())), MOST_SLOW)

    def _next(self) -> T | None:
        if len(self._notifying_since) - self.slow() >= MOST_NOTIFIERS:
            return None
        return next((table for table in self._waiting if table not in self._notifying_since), None)
