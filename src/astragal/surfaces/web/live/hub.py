"""Hub of live streams: sends the followers of a table what is new there, as soon as it happens.

Each table with followers has a room. When the store wakes a room, one thread asks its followers for new messages, one
after the other; wake-ups that come meanwhile lead to one more round. As a rule, the thread that ran a command also
notifies the followers, after answering. A follower whose send queue is full is skipped, and is sent everything it
missed once its client reads again. A client that never reads is disconnected when sending takes too long.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from threading import Lock
from typing import Any, TypeVar

from astragal.surfaces.web.live.presence import LINGER, Presence, Register
from astragal.surfaces.web.live.queue import AtOnce, Follower, SendQueue, put_all
from astragal.surfaces.web.live.workers import Workers
from astragal.table.host import Host
from astragal.table.log.group_commit import Steps
from astragal.table.log.store import NoSuchTable, Store, StoreError
from astragal.table.refusals import Refusal

BATCH = 8
"""Batch size: followers of one table that are asked before any of them is sent its messages."""
MOST_IN_A_ROUND = 4
"""Back-pressure: while this many changes of a table wait to be sent together, answers to further commands wait too."""
LONGEST_ROUND = 1.0
"""Maximum seconds that an answer waits until the followers of its table are notified of earlier commands."""
RETRY = 1.0
"""Seconds after which a table is read again when the store could not be reached."""
PAUSE = 1.0
"""Minimum seconds between two checks of all rooms, made when other processes write. Each drops cached passes, too."""
FOLLOWED_AGAIN = 60.0
"""Seconds before a table without followers is let go: people who leave often come back, since they reload its page."""
CHECK = 5.0
"""Seconds between two checks of passes: a stream ends within this time if another process revoked its pass."""

RoomCache = dict[str, Any]
"""Cache that the followers of one table share. One follower uses it at a time, and it is dropped with the last."""

T = TypeVar("T")

log = logging.getLogger(__name__)


class Room:
    """A table with live streams."""

    def __init__(self, table: str, hub: Hub) -> None:
        self.table = table
        self._hub = hub
        self.queues: set[SendQueue] = set()
        self.cache: RoomCache = {}
        self._lock = Lock()
        self._notifying = False
        self._due = 0
        """Changes since the followers were last asked."""
        self._delayed_answers: list[Callable[[], object]] = []
        """Answers that wait until the followers are notified."""

    def wake(self) -> None:
        """Queue this room for notification. Thread-safe."""
        self._hub.workers.queue_notification(self, reads_on=True)

    def record_change(self) -> bool:
        """Record a change. Return False if a thread is notifying the followers already: it will send this one, too."""
        with self._lock:
            self._due += 1
            return not self._notifying

    def notify(self, *, reads_on: bool) -> None:
        """Notify the followers in this thread, unless another does. `reads_on`: another process may have written."""
        with self._lock:
            is_notified_by_another = self._notifying
            self._notifying = True
        if not is_notified_by_another:
            self._go_round(reads_on=reads_on)

    def _is_due(self) -> bool:
        """Return whether to go round, and count changes anew. If not, this thread no longer notifies."""
        with self._lock:
            is_due = bool(self._due and self.queues)
            self._notifying = is_due
            self._due = 0
        self._send_delayed_answers()
        return is_due

    def apply_back_pressure(self, answer: Callable[[], object]) -> bool:
        """Hold an answer back while many changes wait to be sent: nobody acts faster than the others are notified."""
        with self._lock:
            if not self._notifying or self._due < MOST_IN_A_ROUND:
                return False
            self._delayed_answers.append(answer)
        self._hub.workers.on_the_loop(self._hub.workers.later, LONGEST_ROUND, self._send_delayed_answers)
        return True

    def _send_delayed_answers(self) -> None:
        with self._lock:
            delayed_answers = self._delayed_answers
            self._delayed_answers = []
        for answer in delayed_answers:
            answer()

    def end(self, queue: SendQueue, last_message: bytes | None = None) -> None:
        if queue in self.queues:
            self.queues.discard(queue)
            queue.end(last_message)
            self._hub.left(self, queue)

    async def end_revoked(self) -> None:
        """End the streams whose pass was revoked."""
        queues = tuple(self.queues)
        loop = asyncio.get_running_loop()
        with suppress(StoreError):  # while the store can't be reached, nothing is sent either
            revoked = await loop.run_in_executor(self._hub.workers.threads, _revoked, queues)
            for queue in revoked:
                self.end(queue, queue.follower.last_message())

    def close(self) -> None:
        for queue in tuple(self.queues):
            self.end(queue)

    def _go_round(self, *, reads_on: bool) -> None:
        """Ask the followers for news, and again as long as the table keeps changing. Runs in a worker thread."""
        on_the_loop = self._hub.workers.on_the_loop
        try:
            while self._is_due():
                try:
                    self._notify(on_the_loop, reads_on=reads_on)
                    reads_on = True
                except NoSuchTable:
                    for queue in tuple(self.queues):
                        on_the_loop(self.end, queue, queue.follower.last_message())
                except StoreError as fault:
                    log.warning("table %s can't be read now: %s", self.table, fault)
                    on_the_loop(self._hub.workers.later, RETRY, self.wake)
        except BaseException:
            self._notifying = False
            self._send_delayed_answers()
            raise

    def _notify(self, on_the_loop: Callable[..., bool], *, reads_on: bool) -> None:
        """Collect and send news in batches, so that the first followers don't wait for the last."""
        queues = tuple(self.queues)
        try:
            with self._hub.host.looking(self.table, reads_on=reads_on) as newest:
                moment = self._as_of(newest)
                due = [queue for queue in queues if queue.asked_at != moment and not queue.skip_if_full()]
                with self._hub.workers.priority.notifying() as yield_to_commands:
                    self._notify_all(due, moment, on_the_loop, yield_to_commands)
        except Refusal:  # the table is gone
            for queue in queues:
                on_the_loop(self.end, queue, queue.follower.last_message())

    def is_behind(self, queues: Iterable[SendQueue]) -> bool:
        """Return whether the table has changed since these were asked; True if the store can't be reached."""
        try:
            moment = self._as_of(self._hub.store.last(self.table))
        except StoreError:
            return True
        return any(queue.asked_at != moment for queue in queues)

    def _as_of(self, newest: int) -> object:
        """Return what the pages of this table depend on, as a value to compare."""
        return newest, self._hub.present(self.table), self._hub.beside(self.table)

    def _notify_all(
        self,
        queues: list[SendQueue],
        moment: object,
        on_the_loop: Callable[..., bool],
        yield_to_commands: Callable[[], None],
    ) -> None:
        for start in range(0, len(queues), BATCH):
            messages: list[tuple[SendQueue, bytes]] = []
            try:
                for queue in queues[start : start + BATCH]:
                    yield_to_commands()
                    for message in self._news(queue, on_the_loop):
                        messages.append((queue, message))
                    queue.asked_at = moment
            finally:  # a follower gives each message only once
                on_the_loop(put_all, messages)
            # Wait, or the event loop would wait for this thread to yield the interpreter at each message it sends.
            if start + BATCH < len(queues):
                self._hub.workers.wait_for_the_loop(LONGEST_ROUND)

    def _news(self, queue: SendQueue, on_the_loop: Callable[..., bool]) -> Iterator[bytes]:
        """Yield a follower's new messages. Its stream ends if its seat may no longer follow, or if it fails."""
        try:
            yield from queue.follower.news()
        except Refusal:
            on_the_loop(self.end, queue, queue.follower.last_message())
        except StoreError:
            raise
        except Exception:  # one follower's error must not end the others
            log.exception("a stream of table %s failed", self.table)
            on_the_loop(self.end, queue)


def _revoked(queues: Iterable[SendQueue]) -> list[SendQueue]:
    """Return the queues whose followers have lost their pass."""
    return [queue for queue in queues if not queue.follower.is_allowed()]


def _wake_outdated(rooms: Mapping[Room, Iterable[SendQueue]]) -> None:
    for room, queues in rooms.items():
        if room.is_behind(queues):
            room.wake()


class Hub:
    """All rooms of this process, and its worker threads."""

    def __init__(
        self,
        host: Host,
        store: Store,
        register: Register | None = None,
        *,
        linger: float = LINGER,
        check: float = CHECK,
        forget: Callable[[], None] = lambda: None,
    ) -> None:
        """`forget` is called when other processes may have changed anything, including passes."""
        self.store = store
        self.host = host
        self._forget = forget
        self._register = register
        self._linger = linger
        self._check_every = check
        self._presence = Presence(register, linger)
        self._rooms: dict[str, Room] = {}
        self._streams: Counter[Hashable] = Counter()  # by address, and by table and seat
        self._loop: asyncio.AbstractEventLoop | None = None
        self.workers = Workers(store, self._rooms)
        self._round: asyncio.TimerHandle | None = None
        """Timer of the next check of all rooms."""
        self._last_round = 0.0
        """Time of the last check of all rooms."""
        self.beside: Callable[[str], object] = lambda table: None
        """Returns what a table's pages show that is not in its log (what AIs are doing), as a value to compare."""
        self.let_go: Callable[[str], None] = lambda table: None
        """Called with a table that has no followers in this process any more."""

    @property
    def rooms(self) -> int:
        """Number of tables with open streams."""
        return len(self._rooms)

    @property
    def all_streams(self) -> int:
        """Number of open streams."""
        return sum(len(room.queues) for room in tuple(self._rooms.values()))

    # ------------------------------------------------------------ who is there

    def present(self, table: str) -> frozenset[str]:
        """Connected seats, in all processes. Thread-safe."""
        return self._presence.at(table)

    def cut(self, table: str, seat: str) -> None:
        """End this seat's streams at once. Thread-safe."""
        self.workers.on_the_loop(self._cut, table, seat)

    def send(self, table: str, seat: str, message: bytes) -> bool:
        """Send a message to the windows of a seat that this process serves; False if there are none. Thread-safe."""
        if self._loop is None or not self._presence.is_here(table, seat):
            return False
        self.workers.on_the_loop(self._send, table, seat, message)
        return True

    def wake(self, table: str | None) -> None:
        """Wake a table's room, or all rooms: something may have happened. Thread-safe."""
        if table is None:
            self.workers.on_the_loop(self._wake_all)
        elif not self.workers.note_change(table):
            self._wake(table)

    async def run(self, table: str, steps: Callable[[], Steps[T]]) -> T:
        """Run a command, which may change this table, in a worker thread. It answers first, then notifies followers."""
        return await self.workers.run(table, steps)

    # ------------------------------------------------------------ following

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Follow the store while the application runs."""
        self._loop = asyncio.get_running_loop()
        self._presence = Presence(self._register, self._linger)
        self.workers.open()
        end_watch = self.host.watch(self.wake)
        tasks = [asyncio.create_task(self._presence.keep(self._wake)), asyncio.create_task(self._check())]
        try:
            yield
        finally:
            end_watch()
            if self._round is not None:
                self._round.cancel()
                self._round = None
            for task in tasks:
                task.cancel()
            self._end_streams()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._presence.close()
            self._loop = None
            await self.workers.close()

    def streams(self, of: Hashable) -> int:
        """Number of open streams to an address, or to a seat of a table."""
        return self._streams[of]

    async def follow(
        self,
        table: str,
        follower_with: Callable[[RoomCache], Follower],
        address: str = "",
        send_at_once: AtOnce | None = None,
    ) -> AsyncGenerator[bytes]:
        """Stream the messages of a follower until the client disconnects or the seat is removed.

        Messages that `send_at_once` could send are not yielded.
        """
        room = self._rooms.setdefault(table, Room(table, self))
        queue = SendQueue(follower_with(room.cache), room.wake, send_at_once)
        seat = queue.follower.seat
        room.queues.add(queue)
        counted: tuple[Hashable, ...] = (address, (table, seat))
        self._streams.update(counted)
        self._presence.came(table, seat, self._wake)
        room.wake()
        try:
            with self.host.following(table):
                while (messages := await queue.next()) is not None:
                    yield messages
        finally:
            for key in counted:
                self._streams[key] -= 1
                if not self._streams[key]:
                    del self._streams[key]
            room.end(queue)

    def end_streams(self) -> None:
        """End all streams when the server stops. Thread-safe."""
        self.workers.on_the_loop(self._end_streams)

    def _end_streams(self) -> None:
        for room in tuple(self._rooms.values()):
            room.close()

    def left(self, room: Room, queue: SendQueue) -> None:
        if not room.queues:
            self._rooms.pop(room.table, None)
            self.workers.later(FOLLOWED_AGAIN, partial(self._let_go, room.table))
        self._presence.went(room.table, queue.follower.seat, self._wake)

    def _let_go(self, table: str) -> None:
        if table not in self._rooms:
            self.let_go(table)

    async def _check(self) -> None:
        while True:
            await asyncio.sleep(self._check_every)
            for room in tuple(self._rooms.values()):
                await room.end_revoked()

    def _wake_all(self) -> None:
        """Schedule a check of all rooms: now, or once PAUSE has passed since the last one."""
        if self._loop is not None and self._round is None:
            self._round = self._loop.call_at(self._last_round + PAUSE, self._go_round)

    def _go_round(self) -> None:
        if self._loop is not None:
            self._round = None
            self._last_round = self._loop.time()
            self._forget()
            rooms = {room: tuple(room.queues) for room in self._rooms.values()}
            self.workers.in_thread(partial(_wake_outdated, rooms))

    def _wake(self, table: str) -> None:
        if room := self._rooms.get(table):
            room.wake()

    def _send(self, table: str, seat: str, message: bytes) -> None:
        room = self._rooms.get(table)
        if room is None:
            return
        for queue in room.queues:
            if queue.follower.seat == seat and not queue.is_full:
                queue.put(message)

    def _cut(self, table: str, seat: str) -> None:
        if room := self._rooms.get(table):
            for queue in tuple(room.queues):
                if queue.follower.seat == seat:
                    room.end(queue, queue.follower.last_message())
