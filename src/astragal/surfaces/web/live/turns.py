"""Turns: tables that wait to be told what is new, the longest-waiting first, and those that are being told.

And how threads give commands meanwhile: who goes first, and when answers are given. All threads share one interpreter:
where two of them are at work, each finds the processor's cache full of what the other needs, and both take far longer
than in turn.
"""

import asyncio
from collections.abc import Callable, Hashable, Iterable, Iterator, Sized
from contextlib import contextmanager
from threading import Event, Lock
from time import monotonic, sleep
from typing import Any, Generic, TypeVar

TELLERS = 1
"""Threads that may be telling, so that a command need not wait until a table is told."""
SLOW, MOST_SLOW = 0.1, 6
"""Seconds after which a thread that tells is not counted any more, since it waits for something; and how many such
threads there may be."""

LONGEST_PAUSE = 0.05
"""Seconds for which a thread that tells a table lets waiting commands go first, at the most. Then they wait for it."""
GLANCE = 0.002
"""Seconds after which it looks again whether any waits."""

T = TypeVar("T", bound=Hashable)


class RightOfWay:
    """Commands go first, for a while; then whoever tells a table does. Thread-safe."""

    def __init__(self, commands: Sized) -> None:
        """`commands` are those that wait."""
        self._commands, self._are_free = commands, Event()
        self._are_free.set()

    def give_way(self) -> None:
        """To be asked before each command: wait for a thread that has let commands pass for long enough.

        Once for all of them if it is slow: it waits for something, and the next command need not wait with it.
        """
        if not self._are_free.wait(SLOW):
            self._are_free.set()

    @contextmanager
    def telling(self) -> Iterator[Callable[[], None]]:
        """While a table is told. Gives what is to be called again and again meanwhile, to let commands pass."""
        until = monotonic() + LONGEST_PAUSE

        def let_pass() -> None:
            while self._commands and monotonic() < until:
                sleep(GLANCE)
            if self._commands:
                self._are_free.clear()

        try:
            yield let_pass
        finally:
            self._are_free.set()


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


Settled = tuple[asyncio.Future[Any], Callable[[], None]]
"""An answer that somebody waits for, and what gives it to them."""
ANSWERED_AT_ONCE = 8


def answer_all(settled: Iterable[Settled]) -> None:
    """Nobody waits for an answer any more once the client has left."""
    for answer, settle in settled:
        if not answer.done():
            settle()


class Answers:
    """Answers to commands that one thread gives. Where many wait, the event loop is woken once for several."""

    def __init__(self, on_the_loop: Callable[..., object]) -> None:
        self._on_the_loop, self._settled = on_the_loop, list[Settled]()

    def add(self, settled: Iterable[Settled], *, still_waiting: int) -> None:
        self._settled += settled
        if len(self._settled) >= min(ANSWERED_AT_ONCE, still_waiting):
            self.give()

    def give(self) -> None:
        if self._settled:
            self._on_the_loop(answer_all, self._settled)
            self._settled = []
