"""Messages of a live stream, and the queue in which they wait for one follower's client to read them."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Protocol

LONGEST_QUEUE = 8
PING = 15.0
"""Seconds of silence after which a stream sends a ping. A page that receives nothing for longer is offline."""

ABORT = "astragal.abort"
"""Extension of ASGI that ends a response's connection at once, even with data still to be sent."""
WRITE = "astragal.write"
"""Extension of ASGI that sends a chunk of a response at once while the client keeps up, without awaiting and without
passing through the middleware again."""

AtOnce = Callable[[bytes], bool]
"""Sends a message without waiting, and returns whether that was possible."""


def message(data: str, *, event: str = "", id: str = "") -> bytes:  # noqa: A002 - the field's own name
    """Encode a server-sent event. `data` may have any line endings; `event` and `id` must be the program's words."""
    if "\r" in data:
        data = data.replace("\r\n", "\n").replace("\r", "\n")
    head = ""
    if id:
        head += f"id: {id}\n"
    if event:
        head += f"event: {event}\n"
    lines = data.replace("\n", "\ndata: ")
    return f"{head}data: {lines}\n\n".encode()


PING_MESSAGE = message("", event="ping")


class Follower(Protocol):
    """The source of a stream's messages."""

    @property
    def seat(self) -> str: ...

    def news(self) -> Iterable[bytes]:
        """Return new messages. Called in a worker thread, never concurrently; a refusal ends the stream."""

    def is_allowed(self) -> bool:
        """Return whether the pass is still valid: another process may have revoked it. Called in a thread at times."""

    def last_message(self) -> bytes:
        """The last message to a seat that is no longer at the table."""


class SendQueue:
    """Bounded queue of messages for one follower."""

    def __init__(self, follower: Follower, caught_up: Callable[[], None], send_at_once: AtOnce | None = None) -> None:
        """`caught_up` is called once a client that was skipped has read what waited for it."""
        self.follower = follower
        self._caught_up = caught_up
        self._send_at_once = send_at_once
        self.asked_at: object = None
        """State of the table when the follower was last asked."""
        self._waiting: deque[bytes] = deque()
        self._reader: asyncio.Future[None] | None = None
        self._behind = False
        self._ended = False
        self._loop = asyncio.get_running_loop()
        self._taken_at = self._loop.time()
        self._timer = self._loop.call_later(PING, self._ping)

    @property
    def is_full(self) -> bool:
        return len(self._waiting) >= LONGEST_QUEUE

    def skip_if_full(self) -> bool:
        """Return whether to skip the follower, whose client doesn't read. It is asked again once the client does."""
        self._behind = self.is_full  # set before the second check: the client may read in between
        return self._behind and self.is_full

    def put(self, message: bytes) -> None:
        if self._ended:  # nothing comes after the last message
            return
        is_read = self._reader is not None and not self._reader.done()  # so nothing is queued before it
        if is_read and self._send_at_once and self._send_at_once(message):
            self._taken_at = self._loop.time()
        else:
            self._waiting.append(message)
            self._wake_reader()

    def end(self, last_message: bytes | None = None) -> None:
        """End the stream; messages that still wait are dropped."""
        self._timer.cancel()
        self._waiting.clear()
        if last_message:
            self._waiting.append(last_message)
        self._ended = True
        self._wake_reader()

    async def next(self) -> bytes | None:
        """Wait for messages and return all that are queued, joined; None after the last."""
        while not self._waiting:
            if self._ended:
                return None
            self._reader = self._loop.create_future()
            await self._reader
        messages = b"".join(self._waiting)
        self._waiting.clear()
        self._taken_at = self._loop.time()
        if self._behind:
            self._behind = False
            self._caught_up()
        return messages

    def _wake_reader(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def _ping(self) -> None:
        """Send a ping after a silence. Checked with one recurring timer: a timer for each message would cost more."""
        silence = self._loop.time() - self._taken_at
        if silence >= PING and not self._waiting:
            self.put(PING_MESSAGE)
        next_check = PING - silence if silence < PING else PING
        self._timer = self._loop.call_later(next_check, self._ping)


def put_all(messages: Iterable[tuple[SendQueue, bytes]]) -> None:
    """Put each message into its queue."""
    for queue, encoded in messages:
        queue.put(encoded)
