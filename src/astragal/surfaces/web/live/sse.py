"""Server-sent events for one seat, until it leaves, is cut off, or the server stops."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Annotated

from fastapi import Depends, Header, HTTPException, Query, Request
from sse_starlette import EventSourceResponse, ServerSentEvent
from sse_starlette.sse import SendTimeoutError
from starlette.types import Receive, Scope, Send

from astragal.surfaces.web.live.hub import Follower, RoomCache
from astragal.surfaces.web.security.middleware import address_of, is_local
from astragal.surfaces.web.session import AtTable, SeatSession

PING = 15.0
"""Seconds. A page that hears nothing for longer knows that it is offline."""
LONGEST_SENDING = 10.0
"""Seconds that one message may take. Whoever reads nothing for so long is cut off."""


class Stream(EventSourceResponse):
    def __init__(self, request: Request, session: SeatSession, follower_with: Callable[[RoomCache], Follower]) -> None:
        messages = session.context.hub.follow(session.table, follower_with, address_of(request))
        super().__init__(
            messages,
            ping=PING,
            ping_message_factory=lambda: ServerSentEvent("", event="ping"),
            send_timeout=LONGEST_SENDING,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with suppress(SendTimeoutError):  # it can come back, and go on from where it was
            await super().__call__(scope, receive, send)


def cursor(
    after: Annotated[str, Query(description="the cursor to go on from", max_length=60)] = "",
    last_event_id: Annotated[str, Header(description="the same, as browsers send it", max_length=60)] = "",
) -> str:
    """The cursor that a stream resumes from."""
    return last_event_id or after


def present(request: Request, at: AtTable) -> SeatSession:
    """The seat's session, checked: a stream is refused before it begins, not in its first message."""
    _ = at.viewer
    hub, limits = at.context.hub, at.context.settings.limits
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
