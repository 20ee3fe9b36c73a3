"""Server-sent events for one seat, until it leaves, is cut off, or the server stops."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing, suppress
from typing import Annotated

from fastapi import Depends, Header, HTTPException, Query, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from astragal.surfaces.web.live.hub import RoomCache
from astragal.surfaces.web.live.queue import ABORT, WRITE, AtOnce, Follower
from astragal.surfaces.web.security.middleware import address_of, is_local
from astragal.surfaces.web.session import SeatSession, seat_session

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
LONGEST_SENDING = 10.0
"""Seconds that sending one message may take. A client that reads nothing for so long is disconnected."""


class Stream(Response):
    """Streaming response: goes on for as long as there are messages and the client reads them."""

    def __init__(self, request: Request, session: SeatSession, follower_with: Callable[[RoomCache], Follower]) -> None:
        super().__init__()
        write: AtOnce | None = request.scope.get("extensions", {}).get(WRITE, {}).get("write")
        self._messages = session.context.hub.follow(session.table, follower_with, address_of(request), write)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # A client that is disconnected can reconnect, and resume from its cursor.
        async with aclosing(self._messages) as messages:
            with suppress(TimeoutError):
                async with asyncio.timeout(None) as connected:
                    leaving = asyncio.create_task(_end_with(receive, connected))
                    watch = _Watch(connected, scope)
                    try:
                        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
                        async for message in messages:
                            watch.sending_since = watch.loop.time()
                            await send({"type": "http.response.body", "body": message, "more_body": True})
                            watch.sending_since = None
                        await send({"type": "http.response.body", "body": b""})
                    finally:
                        watch.timer.cancel()
                        leaving.cancel()


class _Watch:
    """Watchdog: disconnects a client that takes too long over a message. One timer serves all messages."""

    def __init__(self, connected: asyncio.Timeout, scope: Scope) -> None:
        self.loop = asyncio.get_running_loop()
        self._connected = connected
        self._abort: Callable[[], None] | None = scope.get("extensions", {}).get(ABORT, {}).get("abort")
        self.sending_since: float | None = None
        self.timer = self.loop.call_later(LONGEST_SENDING, self._look)

    def _look(self) -> None:
        moment = self.loop.time()
        since = moment if self.sending_since is None else self.sending_since
        if moment - since >= LONGEST_SENDING:
            if self._abort:  # the response has no end then: for the server, the client has left
                self._abort()
            else:
                self._connected.reschedule(moment)
        else:
            self.timer = self.loop.call_at(since + LONGEST_SENDING, self._look)


async def _end_with(receive: Receive, connected: asyncio.Timeout) -> None:
    """End the stream as soon as the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
    connected.reschedule(asyncio.get_running_loop().time())


async def cursor(
    after: Annotated[str, Query(description="the cursor to go on from", max_length=400)] = "",
    last_event_id: Annotated[str, Header(description="the same, as browsers send it", max_length=400)] = "",
) -> str:
    """The cursor that a stream resumes from."""
    return last_event_id or after


def present(request: Request, table: str) -> SeatSession:
    """Check the seat and the limits of streams: a stream is refused before it begins, not in its first message."""
    at = seat_session(request, table)  # in the same thread: after a restart everyone asks for a stream at once
    _ = at.viewer
    hub = at.context.hub
    limits = at.context.settings.limits
    if hub.streams((at.table, at.seat)) >= limits.seat_streams:
        raise HTTPException(
            429, f"This seat is open in {limits.seat_streams} windows already. Close one of them first."
        )
    if not is_local(request) and hub.streams(address_of(request)) >= limits.address_streams:
        raise HTTPException(
            429, f"{limits.address_streams} windows are open at your address already. Close some first."
        )
    return at


FromCursor = Annotated[str, Depends(cursor)]
Following = Annotated[SeatSession, Depends(present)]
