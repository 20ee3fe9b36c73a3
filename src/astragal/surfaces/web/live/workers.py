"""Worker threads of the hub: they run commands, store those of different tables together, and notify followers.

All threads share one interpreter: if two work at the same time, each finds the processor's cache full of the other's
data, and both take far longer than one after the other. So it is settled here which goes first. Tables wait in a queue,
longest-waiting first.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Sized
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from contextvars import Context, copy_context
from functools import partial
from threading import Event, Lock, local
from time import monotonic, sleep
from typing import Any, NamedTuple, Protocol, TypeVar

from astragal import background
from astragal.surfaces.web import threads
from astragal.table.log.group_commit import CommandRun, Steps, finish, run_alone, store_together
from astragal.table.log.store import Store

THREADS = 2
"""Worker threads that run commands and notify followers: one works while another waits for the disk. More are slower.
"""
MOST_TOGETHER = 8
"""Maximum number of commands that are stored together. The first is answered after the last."""
COMMANDS_BEFORE_NOTIFYING = 16
"""Number of commands after which a worker thread notifies the next table's followers, though more wait."""
MOST_NOTIFIERS = 1
"""Maximum number of threads that notify followers at a time, so that a command doesn't have to wait for them."""
SLOW = 0.1
"""Seconds after which a notifying thread is slow: it waits for something, and no longer counts as busy."""
MOST_SLOW = 6
"""Maximum number of slow threads."""
LONGEST_PAUSE = 0.05
"""Maximum seconds for which a notifying thread lets waiting commands go first. Then they wait for it."""
POLL_INTERVAL = 0.002
"""Seconds between its checks for waiting commands."""

T = TypeVar("T")

log = logging.getLogger(__name__)


class Notified(Hashable, Protocol):
    """A table whose followers have to be notified of its changes."""

    @property
    def table(self) -> str: ...

    def record_change(self) -> bool:
        """Record a change. Return False if a thread is notifying the followers already: it will send this one, too."""

    def notify(self, *, reads_on: bool) -> None:
        """Notify the followers. `reads_on`: another process may have written."""

    def apply_back_pressure(self, answer: Callable[[], object]) -> bool:
        """Return whether this answer is held back until the followers are notified."""


class _Command(NamedTuple):
    table: str
    steps: Callable[[], Steps[Any]]
    context: Context
    answer: asyncio.Future[Any]


class _Begun(NamedTuple):
    command: _Command
    run: CommandRun[Any]


def _settle(answer: asyncio.Future[Any], run: CommandRun[Any]) -> None:
    if answer.done():  # nobody awaits it once its client has left
        return
    if run.fault is not None:
        answer.set_exception(run.fault)
    else:
        answer.set_result(run.result)


def _settle_all(answers: list[tuple[asyncio.Future[Any], CommandRun[Any]]]) -> None:
    for answer, run in answers:
        _settle(answer, run)


def _log_fault(notification: Future[None]) -> None:
    if fault := notification.exception():
        log.error("a table's followers could not be notified", exc_info=fault)


class CommandPriority:
    """Priority: commands go first for a while, then the thread that notifies a table's followers does. Thread-safe."""

    def __init__(self, commands: Sized) -> None:
        """`commands` is the queue of waiting commands."""
        self._commands = commands
        self._may_run = Event()
        self._may_run.set()

    def wait_for_notifier(self) -> None:
        """Wait for a notifying thread that has let commands pass for long enough. Called before each command.

        If that thread is slow, only the first command waits: the thread waits for something itself, and the next
        commands need not wait with it.
        """
        if not self._may_run.wait(SLOW):
            self._may_run.set()

    @contextmanager
    def notifying(self) -> Iterator[Callable[[], None]]:
        """Context for notifying a table's followers. Yields a function to call often, which lets commands pass."""
        until = monotonic() + LONGEST_PAUSE

        def yield_to_commands() -> None:
            while self._commands and monotonic() < until:
                sleep(POLL_INTERVAL)
            if self._commands:
                self._may_run.clear()

        try:
            yield yield_to_commands
        finally:
            self._may_run.set()


class NotifyQueue:
    """Queue of tables whose followers have to be notified, and the tables in progress. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: dict[Notified, bool] = {}
        """Tables that wait, each with whether another process may have written to it."""
        self._notifying_since: dict[Notified, float] = {}
        """Tables in progress, each with the time when that began."""

    def __bool__(self) -> bool:
        """Return whether any table waits."""
        return bool(self._waiting)

    def wait(self, room: Notified, *, reads_on: bool) -> None:
        with self._lock:
            self._waiting[room] = reads_on or self._waiting.get(room, False)

    def has_next(self) -> bool:
        """Return whether a table can be begun now."""
        with self._lock:
            return self._next() is not None

    def begin(self) -> tuple[Notified, bool] | None:
        """Take the next table, with whether another process may have written to it; None if none can be begun now."""
        with self._lock:
            room = self._next()
            if room is None:
                return None
            self._notifying_since[room] = monotonic()
            return room, self._waiting.pop(room)

    def end(self, room: Notified) -> None:
        with self._lock:
            del self._notifying_since[room]

    def slow(self) -> int:
        """Number of notifying threads that are slow, at most MOST_SLOW."""
        slow_since = monotonic() - SLOW
        count = sum(begun_at < slow_since for begun_at in tuple(self._notifying_since.values()))
        return min(count, MOST_SLOW)

    def _next(self) -> Notified | None:
        if len(self._notifying_since) - self.slow() >= MOST_NOTIFIERS:
            return None
        return next((room for room in self._waiting if room not in self._notifying_since), None)


class Workers:
    """Pool of worker threads for one event loop."""

    def __init__(self, store: Store, rooms: Mapping[str, Notified]) -> None:
        self._store = store
        self._rooms = rooms
        self._loop: asyncio.AbstractEventLoop | None = None
        self._commands: deque[_Command] = deque()
        self.priority = CommandPriority(self._commands)
        self._notifications = NotifyQueue()
        self._lock = Lock()
        self._working = 0
        """Number of threads that run commands or notify followers."""
        self._looks_again = False
        """True if a check for slow threads is scheduled."""
        self._changed_here = local()
        """Thread-local set of tables that the current commands have changed. Their thread notifies them."""

    def open(self) -> None:
        """Start for the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._working = 0
        self._looks_again = False
        self.threads = threads.worker_pool(THREADS + MOST_SLOW, "astragal-room")

    async def close(self) -> None:
        self._loop = None
        await asyncio.to_thread(self.threads.shutdown)  # the threads may wait for the event loop

    async def run(self, table: str, steps: Callable[[], Steps[T]]) -> T:
        """Run a command, which may change this table, in a worker thread. It answers first, then notifies followers."""
        if self._loop is None:
            return await asyncio.to_thread(lambda: run_alone(self._store, steps()))
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._commands.append(_Command(table, steps, copy_context(), answer))
        self._go_on()
        return await answer

    def note_change(self, table: str) -> bool:
        """Note that a table has changed, if one of the commands that this thread runs has changed it."""
        changed: set[str] | None = getattr(self._changed_here, "tables", None)
        if changed is not None:
            changed.add(table)
        return changed is not None

    def queue_notification(self, room: Notified, *, reads_on: bool) -> None:
        """Queue a table whose followers have to be notified. Thread-safe."""
        if room.record_change():
            self._notifications.wait(room, reads_on=reads_on)
            self._go_on()

    def in_thread(self, work: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the server is stopping
            self.threads.submit(work).add_done_callback(_log_fault)

    def on_the_loop(self, call: Callable[..., Any], *arguments: Any) -> bool:
        """Schedule a call on the event loop; False if the server is stopping. Thread-safe."""
        if (loop := self._loop) is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(call, *arguments)
                return True
        return False

    def wait_for_the_loop(self, longest: float) -> None:
        """Wait until the event loop has done what was scheduled on it, unless the loop itself does this work."""
        is_done = Event()
        if background.HAS_THREADS and self.on_the_loop(is_done.set):
            is_done.wait(longest)

    def later(self, seconds: float, call: Callable[[], object]) -> None:
        """Call this after so many seconds. Only from the event loop."""
        if self._loop is not None:
            self._loop.call_later(seconds, call)

    # ------------------------------------------------------------ in the threads

    def _go_on(self) -> None:
        """Start a worker thread if commands or tables wait, unless all threads are busy."""
        if self._needs_a_thread():
            self.in_thread(self._work)

    def _needs_a_thread(self) -> bool:
        """Return whether one more worker is needed. If so, it is counted as busy already."""
        with self._lock:
            waits = self._commands or self._notifications.has_next()
            is_needed = bool(waits) and self._working - self._notifications.slow() < THREADS
            self._working += is_needed
            if self._notifications and not self._looks_again:
                self._looks_again = self.on_the_loop(self.later, SLOW, self._look_again)
            return is_needed

    def _look_again(self) -> None:
        """Start another worker if the notifying threads have become slow: they don't count as busy then."""
        self._looks_again = False
        self._go_on()

    def _work(self) -> None:
        """Worker loop: run the next commands, then notify one table's followers, until nothing waits.

        Under overload each table's followers are notified less often, of several commands at once: far less work.
        """
        goes_on = True
        while goes_on:
            commands_run = 0
            while commands_run < COMMANDS_BEFORE_NOTIFYING and (count := self._run_commands()):
                commands_run += count
            self._notify_next()
            with self._lock:
                self._working -= 1
            goes_on = self._needs_a_thread()

    def _run_commands(self) -> int:
        """Run the next commands, store them together, and answer them. Return how many there were."""
        self.priority.wait_for_notifier()
        changed = set[str]()
        self._changed_here.tables = changed
        begun = self._begin_commands()
        store_together(self._store, [command.run for command in begun])
        unfinished = [command for command in begun if not command.run.is_done]
        self._answer([command for command in begun if command.run.is_done], changed)
        for command in unfinished:
            finish(self._store, command.run)
            self._answer([command], changed)
        self._changed_here.tables = None
        return len(begun)

    def _answer(self, finished: Sequence[_Begun], changed: set[str]) -> None:
        """Answer commands, and queue the tables that they changed for notification."""
        answers = []
        for command, run in finished:
            if not self._is_held_back(command, run, changed):
                answers.append((command.answer, run))
        for table in changed:
            room = self._rooms.get(table)
            if room and room.record_change():
                self._notifications.wait(room, reads_on=False)
        changed.clear()
        if answers:
            self.on_the_loop(_settle_all, answers)

    def _is_held_back(self, command: _Command, run: CommandRun[Any], changed: set[str]) -> bool:
        """Return whether the command is answered later, once the followers of its table are notified."""
        if command.table not in changed:
            return False
        room = self._rooms.get(command.table)
        answer = partial(self.on_the_loop, _settle, command.answer, run)
        return room is not None and room.apply_back_pressure(answer)

    def _begin_commands(self) -> list[_Begun]:
        """Begin the commands that wait, of different tables."""
        begun: list[_Begun] = []
        while len(begun) < MOST_TOGETHER:
            try:
                command = self._commands.popleft()
            except IndexError:
                break
            if any(command.table == earlier.command.table for earlier in begun):  # the earlier one comes first
                self._commands.appendleft(command)
                break
            begun.append(_Begun(command, CommandRun(command.steps(), command.context.run)))
        return begun

    def _notify_next(self) -> None:
        turn = self._notifications.begin()
        if turn is None:
            return
        room, reads_on = turn
        try:
            room.notify(reads_on=reads_on)
        except Exception:  # one table's error must not stop the worker
            log.exception("the followers of table %s could not be notified", room.table)
        finally:
            self._notifications.end(room)
