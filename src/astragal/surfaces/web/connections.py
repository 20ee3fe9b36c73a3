"""Connection limits: how many there can be, and how long a request's headers may take.

A connection that has sent no whole request is *waiting*. When no more connections are possible, the one that has waited
longest is closed, so that idle clients lock nobody out.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any
from weakref import ref as weakref

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from astragal.surfaces.web.live.queue import ABORT, WRITE
from astragal.surfaces.web.network import is_loopback
from astragal.surfaces.web.settings import Limits

RESERVED_FILES = 128
"""Files that a server needs besides its connections: databases, listening sockets, files that it reads."""
FEWEST_CONNECTIONS = 32
USUAL_MOST = 10_240
"""The number of files that macOS grants a process, whatever limit it reports."""
LOG_EVERY = 60.0
"""Seconds between two log lines about the same problem."""
MOST_PROBLEMS = 1000
"""Problems whose last log line is remembered: some name an address, and there are many of these."""
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"

log = logging.getLogger(__name__)


def raise_file_limit() -> int:
    """Raise this process's limit of open files as far as the system allows, and return it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return 2**31
    limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    for higher_limit in (most, USUAL_MOST):
        if limit not in (most, resource.RLIM_INFINITY):
            with suppress(ValueError, OSError):  # macOS has a hard limit that it doesn't grant
                resource.setrlimit(resource.RLIMIT_NOFILE, (higher_limit, most))
        limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 2**31 if limit == resource.RLIM_INFINITY else limit


class RateLimitedLog:
    """Rate-limited log: writes each warning at most once a minute, with how often it occurred."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._logged_at: dict[str, float] = {}
        """When each problem was last written."""
        self._unlogged: Counter[str] = Counter()
        """How often each problem has occurred since then."""

    def warn(self, problem: str) -> None:
        moment = self._clock()
        if len(self._unlogged) + len(self._logged_at) >= MOST_PROBLEMS:
            self._forget_old(moment)
        if len(self._logged_at) >= MOST_PROBLEMS:  # that many within a minute: one line says enough
            return
        self._unlogged[problem] += 1
        if moment - self._logged_at.get(problem, -LOG_EVERY) >= LOG_EVERY:
            log.warning("%s (%d times)", problem, self._unlogged.pop(problem))
            self._logged_at[problem] = moment

    def _forget_old(self, moment: float) -> None:
        """Forget all problems that were not written within the last minute."""
        self._logged_at = {
            problem: logged_at for problem, logged_at in self._logged_at.items() if moment - logged_at < LOG_EVERY
        }
        unlogged = {problem: count for problem, count in self._unlogged.items() if problem in self._logged_at}
        self._unlogged = Counter(unlogged)


class Connections:
    """All connections of a server. `by_address` is off behind a proxy, which makes all of them."""

    def __init__(self, limits: Limits, *, files: int, by_address: bool) -> None:
        self.limits = limits
        self._by_address = by_address
        self.most = min(limits.connections, max(files - RESERVED_FILES, FEWEST_CONNECTIONS))
        self.seldom = RateLimitedLog()
        self._addresses: Counter[str] = Counter()
        self._waiting: dict[LimitedProtocol, None] = {}
        self.hand_over: Callable[[asyncio.Transport, bytes], bool] = lambda transport, data: False
        """With several processes, hands a connection over to the process that its next request belongs to."""

    def admit(self, connection: LimitedProtocol, open_connections: int) -> bool:
        """Make room for one more connection, if necessary by closing a waiting one. Return whether there is room."""
        address = connection.address
        if self._by_address and not is_loopback(address) and self._addresses[address] >= self.limits.address:
            self.seldom.warn(f"{address} has {self.limits.address} connections open; more are refused")
            return False
        if open_connections >= self.most:
            self.seldom.warn(f"{self.most} connections are open; those that ask for nothing give way")
            if not self._waiting:
                return False
            longest_waiting = next(iter(self._waiting))
            longest_waiting.give_way()
        self._addresses[address] += 1
        return True

    def left(self, connection: LimitedProtocol) -> None:
        self.answered(connection)
        self._addresses[connection.address] -= 1
        if self._addresses[connection.address] <= 0:
            del self._addresses[connection.address]

    def waits(self, connection: LimitedProtocol) -> None:
        self._waiting[connection] = None

    def answered(self, connection: LimitedProtocol) -> None:
        self._waiting.pop(connection, None)

    def on_loop_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log errors of the event loop. If no file is left for a new connection, the log is rate-limited."""
        if isinstance(context.get("exception"), OSError) and "accept" in context.get("message", ""):
            self.seldom.warn(f"no connection can be taken now: {context['exception']}")
        else:
            loop.default_exception_handler(context)


def _write(request: weakref[RequestResponseCycle], chunk: bytes) -> bool:
    """Send a chunk of an unfinished response, and return whether that was possible."""
    cycle = request()
    if (
        cycle is None
        or not cycle.chunked_encoding
        or cycle.response_complete
        or cycle.disconnected
        or cycle.flow.write_paused
    ):
        return False
    cycle.transport.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
    return True


class LimitedProtocol(HttpToolsProtocol):
    """An HTTP connection with time limits."""

    def __init__(self, everyone: Connections, read: bytes = b"", **options: Any) -> None:
        """`read` is the data that another process read from a connection before it handed it over."""
        super().__init__(**options)
        self._everyone = everyone
        self._limits = everyone.limits
        self._read = read
        self._timer: asyncio.TimerHandle | None = None
        self._heard = 0
        """Bytes since the last whole request."""
        self._is_between = True
        """True if the next byte begins a request."""
        self._admitted = False

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._admitted = self._everyone.admit(self, len(self.connections) - 1)
        if not self._admitted:
            self.give_way()
            return
        self._wait_for_headers()
        if self._read:
            self._take(self._read)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        if self._admitted:
            self._everyone.left(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        cycle: RequestResponseCycle | None = self.cycle
        is_idle = self._is_between and (cycle is None or cycle.response_complete)
        if is_idle and self._everyone.hand_over(self.transport, data):
            self.give_way()
        else:
            self._take(data)

    def _take(self, data: bytes) -> None:
        cycle: RequestResponseCycle | None = self.cycle
        if self._timer is None and (cycle is None or cycle.response_complete):
            self._wait_for_headers()
        if self._timer is not None:
            self._heard += len(data)
        super().data_received(data)
        if self._timer is not None and self._heard > self._limits.header_bytes:
            self._refuse(TOO_LONG)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_between = False
        self.scope["extensions"] = {ABORT: {"abort": self.transport.abort}}

    def on_message_complete(self) -> None:
        self._is_between = True
        super().on_message_complete()

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()
        self.scope["extensions"][WRITE] = {"write": partial(_write, weakref(self.cycle))}

    def give_way(self) -> None:
        """Close a connection that has sent no request."""
        self._stop_waiting()
        self.connections.discard(self)
        self.transport.abort()

    def _wait_for_headers(self) -> None:
        self._heard = 0
        self._timer = self.loop.call_later(self._limits.headers_within, self._refuse, TOO_SLOW)
        self._everyone.waits(self)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._everyone.answered(self)

    def _refuse(self, answer: bytes) -> None:
        self._stop_waiting()
        if self._heard:
            self.transport.write(answer)
        self.transport.close()
