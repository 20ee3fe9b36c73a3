"""Driver: calls the web application for the requests of the page's own browser, as a server would."""

import asyncio
import logging
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from astragal.page.jar import CookieJar
from astragal.surfaces.web.settings import Settings

WITHOUT_BODY = frozenset({"GET", "HEAD"})

log = logging.getLogger(__name__)


class PageRequest(msgspec.Struct, frozen=True):
    """A request as the service worker passes it on. It has no cookies; those are in the jar."""

    method: str
    path: str
    """As in the address, percent-encoded."""
    query: str = ""
    headers: Sequence[tuple[bytes, bytes]] = ()
    body: bytes = b""


class Driver:
    def __init__(self, app: ASGIApp, settings: Settings, jar: CookieJar) -> None:
        self._app, self._jar = app, jar
        self._address = urlsplit(settings.address)

    async def answer(self, request: PageRequest, send: Send, gone: asyncio.Event) -> None:
        """Pass the messages of the answer to `send`. `gone` is set when nobody waits for it any more."""

        async def keep_cookies_and_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._jar.take_from(message["headers"])
            if not gone.is_set():
                await send(message)

        await self._app(self._scope(request), _receive(request, gone), keep_cookies_and_send)

    def _scope(self, request: PageRequest) -> Scope:
        host = self._address.netloc
        headers = [(b"host", host.encode()), *request.headers]
        if request.method not in WITHOUT_BODY:
            headers.append((b"content-length", str(len(request.body)).encode()))
        if cookies := self._jar.header():
            headers.append((b"cookie", cookies))
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": self._address.scheme,
            "path": unquote(request.path),
            "raw_path": request.path.encode(),
            "query_string": request.query.encode(),
            "root_path": "",
            "client": ("127.0.0.1", 1),
            "server": (self._address.hostname or "", self._address.port or 0),
            "headers": headers,
            "extensions": {},
            "state": {},
        }


def _receive(request: PageRequest, gone: asyncio.Event) -> Receive:
    is_read = False

    async def receive() -> Message:
        nonlocal is_read
        if not is_read:
            is_read = True
            return {"type": "http.request", "body": request.body, "more_body": False}
        await gone.wait()
        return {"type": "http.disconnect"}

    return receive
