"""Worker processes on one port: each serves its share of the tables, and one that dies is restarted.

Any free process accepts a connection. If its request is about a table of another process, the connection is handed over
with the data that was read. So all seats of a table are served by one process, which draws for all of them at once.
Nothing depends on that: the store is shared, and any process can answer any request.
"""

import asyncio
import logging
import os
import re
import signal
import socket
import sys
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from mmap import mmap
from typing import NamedTuple, NoReturn
from zlib import crc32

CONNECTION = b"c"
"""Message between processes: a connection with the data that was read."""
CHANGED = b"t"
"""Message between processes: the id of a table that has changed."""
MOST_READ = 32 * 1024
"""The most bytes of a request that are handed over with its connection. With more, it stays where it is."""
LONGEST_MESSAGE = MOST_READ + 1
BUFFER = 1024 * 1024
SLOTS = 1 << 14
"""Slots for tables in the shared memory. Tables in the same slot are served by the same process."""
AT_ONCE = 64
"""The most messages that are read before the event loop does anything else."""
OF_A_TABLE = re.compile(rb"[A-Z]+ (?:/[^ ?]*?)??/(?:t|api/tables)/([^/? ]+)")
MCP = re.compile(rb"[A-Z]+ (?:/[^ ?]*?)??/mcp[/? ]")
"""Requests for MCP. Its sessions are in the memory of one process: the first has them all."""
KIND = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
SHORT_LIFE = 5.0
"""Seconds: a worker that ran for less is restarted after a pause."""
PAUSE = 1.0
STOP_WITHIN = 10.0
"""Seconds after which a worker that does not stop is killed."""

log = logging.getLogger(__name__)


class Mailbox(NamedTuple):
    """The two ends of a process's mailbox."""

    receiver: socket.socket
    """Where the process reads its messages."""
    sender: socket.socket
    """Where the others write them."""


def mailboxes(count: int) -> list[Mailbox]:
    """Make a mailbox for each process. Their parent makes them, so messages to a dead process wait for the next one."""
    boxes = [Mailbox(*socket.socketpair(socket.AF_UNIX, KIND)) for _ in range(count)]
    for box in boxes:
        for end in box:
            end.setblocking(False)
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
    return boxes


class Shares:
    """Assignment of tables to processes, in shared memory. A new table goes to the process that has the fewest.

    There is no lock. If two processes assign a table at the same moment, some of its seats may be served by another
    process than the rest, until they reconnect.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._owners = mmap(-1, SLOTS)
        """For each slot, the number of its process plus one; 0 if it has none."""

    def owner(self, table: bytes) -> int:
        """Return the process that serves the table; if none does, assign one."""
        owner = self.present_owner(table)
        if owner is None:
            owner = self._least_busy(crc32(table))
            self._owners[crc32(table) % SLOTS] = owner + 1
        return owner

    def _least_busy(self, table_hash: int) -> int:
        """Return the process with the fewest tables. Of several, each table prefers another one."""
        owners = self._owners[:]

        def tables_and_preference(process: int) -> tuple[int, int]:
            return owners.count(process + 1), (process - table_hash) % self._count

        return min(range(self._count), key=tables_and_preference)

    def present_owner(self, table: bytes) -> int | None:
        """Return the process that serves the table, if one does."""
        owner = self._owners[crc32(table) % SLOTS]
        return owner - 1 if owner else None

    def let_go(self, table: bytes) -> None:
        self._owners[crc32(table) % SLOTS] = 0


class Siblings:
    """The processes that serve the same port, seen from one of them."""

    def __init__(self, number: int, boxes: list[Mailbox], shares: Shares) -> None:
        self._number = number
        self._boxes = boxes
        self._shares = shares

    def hand_over(self, transport: asyncio.Transport, data: bytes) -> bool:
        """Hand a connection over to the process that has the request's table. Return False to answer it here."""
        process = self._process_of(data)
        if process == self._number or len(data) > MOST_READ:
            return False
        transport.pause_reading()  # the other process reads the rest
        try:
            descriptor = transport.get_extra_info("socket").fileno()
            socket.send_fds(self._boxes[process].sender, [CONNECTION + data], [descriptor])
        except OSError:  # its mailbox is full
            transport.resume_reading()
            return False
        return True

    def let_go(self, table: str) -> None:
        """Release a table that nobody follows here any more, so that the process with the fewest can have it."""
        if self._shares.present_owner(table.encode()) == self._number:
            self._shares.let_go(table.encode())

    def tell_changed(self, table: str | None) -> None:
        """Notify the process that serves a table that it has changed here. Thread-safe.

        If that is lost, or another process serves some of its seats too, they find out from the store.
        """
        if table is None:
            return
        owner = self._shares.present_owner(table.encode())
        if owner is None or owner == self._number:
            return
        with suppress(OSError):
            self._boxes[owner].sender.send(CHANGED + table.encode())

    def listen(self, adopt: Callable[[socket.socket, bytes], None], changed: Callable[[str], None]) -> None:
        """Receive messages from the others, in the running event loop."""
        box = self._boxes[self._number].receiver
        asyncio.get_running_loop().add_reader(box, self._take_in, box, adopt, changed)

    def _take_in(
        self, box: socket.socket, adopt: Callable[[socket.socket, bytes], None], changed: Callable[[str], None]
    ) -> None:
        with suppress(BlockingIOError):
            for _ in range(AT_ONCE):
                data, descriptors, *_ = socket.recv_fds(box, LONGEST_MESSAGE, 1)
                if data[:1] == CHANGED:
                    changed(data[1:].decode())
                elif descriptors:
                    adopt(socket.socket(fileno=descriptors[0]), data[1:])

    def _process_of(self, data: bytes) -> int:
        """Return the process that a request is for, from the beginning of its data."""
        table = OF_A_TABLE.match(data)
        if table:
            return self._shares.owner(table[1])
        if MCP.match(data):
            return 0
        return self._number


# ---------------------------------------------------------------- supervision


class RunningWorker(NamedTuple):
    """A worker process: its number, and when it was started."""

    number: int
    started_at: float


def supervise(count: int, work: Callable[[int], None]) -> None:
    """Run `count` processes until this one is told to stop, and restart any that ends by itself."""
    running: dict[int, RunningWorker] = {}
    signals = {signal.SIGINT, signal.SIGTERM}
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    def start(number: int) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, signals)
        process = os.fork()
        if not process:  # this is the new one
            _work(number, count, work)
        running[process] = RunningWorker(number, time.monotonic())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)

    try:
        for number in range(count):
            start(number)
        while True:
            process, status = os.wait()
            worker = running.pop(process)
            log.warning("worker %d ended (%s); it is started again", worker.number, _ending(status))
            if time.monotonic() - worker.started_at < SHORT_LIFE:
                time.sleep(PAUSE)
            start(worker.number)
    except KeyboardInterrupt:
        _stop(running)


def _work(number: int, count: int, work: Callable[[int], None]) -> NoReturn:
    """Run as a worker, then exit the process."""
    code = 1
    try:
        _keep_to_one_core(number, count)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
        with suppress(KeyboardInterrupt):
            work(number)
        code = 0
    except Exception:
        log.exception("worker %d failed", number)
    finally:
        os._exit(code)


def _keep_to_one_core(number: int, count: int) -> None:
    """Pin a worker to one core. Its threads take turns anyway, and on one core they share its cache.

    Only done if there is a worker for each core: with fewer, the system knows better which cores are free.
    """
    if sys.platform == "linux":
        cores = sorted(os.sched_getaffinity(0))
        if count >= len(cores):
            with suppress(OSError):
                os.sched_setaffinity(0, {cores[number % len(cores)]})


def _stop(processes: Collection[int]) -> None:
    """Stop these processes, and kill those that don't stop in time."""
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGTERM)
    until = time.monotonic() + STOP_WITHIN
    for process in processes:
        while time.monotonic() < until and not os.waitpid(process, os.WNOHANG)[0]:
            time.sleep(0.02)
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def _ending(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"signal {-code}" if code < 0 else f"exit code {code}"
