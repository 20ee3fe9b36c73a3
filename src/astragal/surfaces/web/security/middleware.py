"""Security middleware, before any route: allowed hosts and origins, rate limits, request sizes, response headers.

Hosts and origins are compared exactly. Browsers send `Origin` with every request that changes something; without it,
`Sec-Fetch-Site` is checked instead. A program that sends its token in a header needs neither, because it has no cookies
that another site could abuse.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Mapping, Sequence

from fastapi import Request
from fastapi.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from astragal.surfaces.shared.rate_limit import Buckets
from astragal.surfaces.web.errors import OUR_FAULT, problem, too_fast
from astragal.surfaces.web.network import is_loopback
from astragal.surfaces.web.security.auth import bearer_of
from astragal.surfaces.web.settings import Settings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # Nothing leaves this site; within it a form must be able to say where it came from, which "no-referrer" forbids.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}
FRAMED_HEADERS = HEADERS | {
    "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    "X-Frame-Options": "SAMEORIGIN",
}
"""Where the application runs inside a page, a frame of that page shows it."""


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()]


RAW_HEADERS = _encoded(HEADERS)
RAW_FRAMED_HEADERS = _encoded(FRAMED_HEADERS)
PROBES = frozenset({"/healthz", "/readyz"})
"""Answered for every Host, because monitoring calls a server by its IP address. They reveal nothing about tables."""
UPLOAD = re.compile(r"/t/[^/]+/pictures")
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

log = logging.getLogger(__name__)


class SecurityMiddleware:
    """Checks each request before it reaches a route. `clock` gives seconds, for the rate limit.

    Settings are read at each request, because running tables can be opened to the home network.
    """

    def __init__(self, app: ASGIApp, settings: Callable[[], Settings], clock: Callable[[], float]) -> None:
        self._app = app
        self._read_settings = settings
        self._paces = Buckets(settings().address_pace, clock)

    @property
    def _settings(self) -> Settings:
        return self._read_settings()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        scope = self._below_the_path(scope)
        request = Request(scope, receive)
        send = _with_headers(send, RAW_FRAMED_HEADERS if self._settings.in_page else RAW_HEADERS)
        refusal = self._refusal(request)
        if refusal is None and is_upload(scope, self._settings.path):
            refusal = self._refusal_of_upload(request)
        elif refusal is None and scope["method"] not in SAFE_METHODS:
            body = await self._body_or_refusal(request, receive)
            if isinstance(body, Response):
                refusal = body
            else:
                receive = _again(body, receive)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        await self._answer(request, receive, send)

    def _refusal_of_upload(self, request: Request) -> Response | None:
        """Refuse an upload that is too large by its own account. Its route reads the body."""
        most = self._settings.largest_upload
        if _is_at_most(request.headers.get("Content-Length", ""), most):
            return None
        return problem(request, 413, f"A picture can be at most {most // 1024**2} MB; this one is larger.")

    async def _body_or_refusal(self, request: Request, receive: Receive) -> Message | Response:
        """Read the whole body; refuse one that is too large, or takes too long."""
        try:
            async with asyncio.timeout(self._settings.limits.body_within):
                body = await _body(receive, self._settings.largest_body)
        except TimeoutError:
            refusal = problem(request, 408, "This request took too long to arrive, so nothing was done.")
            refusal.headers["Connection"] = "close"
            return refusal
        if body is None:
            most = self._settings.largest_body // 1024
            return problem(request, 413, f"A request can be at most {most} kB; this one is larger.")
        return body

    async def _answer(self, request: Request, receive: Receive, send: Send) -> None:
        """Call the application. An unexpected error goes to the log; the client is told only that there was one."""
        has_begun = False

        async def noting(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(request.scope, receive, noting)
        except Exception:
            log.exception("%s %s failed", request.method, request.url.path)
            if has_begun:
                raise
            await problem(request, 500, OUR_FAULT)(request.scope, receive, send)

    def _below_the_path(self, scope: Scope) -> Scope:
        """Match routes below the base path, whether or not a proxy has stripped it. Sets `root_path` in the scope."""
        path = self._settings.path
        if path and (scope["path"] == path or scope["path"].startswith(path + "/")):
            scope["root_path"] = path
        return scope

    def _refusal(self, request: Request) -> Response | None:
        path = self._settings.path
        if len(request.headers.getlist("Host")) > 1:  # a proxy may have checked another one than is read here
            return problem(request, 400, "This request names its host twice, so nothing was done.")
        if request.scope["path"] in PROBES:
            return None
        if request.headers.get("Host") not in self._settings.hosts:
            return problem(request, 421, f"Nothing is served under this address. Go to {self._settings.address}/")
        if path and request.scope["path"] == path:
            return RedirectResponse(path + "/", 308)
        if self._settings.proxied or not is_local(request):
            if seconds := self._paces.wait(address_of(request)):
                return too_fast(request, seconds)
        if request.method not in SAFE_METHODS and not self._is_from_here(request):
            return problem(
                request, 403, "This was sent from another site, so nothing was done. Go to the table and do it there."
            )
        return None

    def _is_from_here(self, request: Request) -> bool:
        origin = request.headers.get("Origin")
        if origin is not None:
            return origin in self._settings.origins
        return request.headers.get("Sec-Fetch-Site") == "same-origin" or bearer_of(request) is not None


def address_of(request: Request) -> str:
    return request.client.host if request.client else ""


def is_local(request: Request) -> bool:
    """Return whether the request comes from this computer."""
    return is_loopback(address_of(request))


def is_upload(scope: Scope, path: str) -> bool:
    """Return whether the request uploads a picture. Its route reads the body, once it knows the sender."""
    return scope["method"] == "POST" and UPLOAD.fullmatch(str(scope["path"]).removeprefix(path)) is not None


def _is_at_most(length: str, most: int) -> bool:
    """Return whether a Content-Length is given and within the limit. The server reads no further than it says."""
    return length.isascii() and length.isdigit() and len(length) < 12 and int(length) <= most


async def _body(receive: Receive, most: int) -> Message | None:
    """Read the whole body as one message; None if it is too long, and the rest is not read."""
    parts: list[bytes] = []
    length = 0
    has_more = True
    while has_more:
        message = await receive()
        if message["type"] != "http.request":  # they hung up
            return message
        part = message.get("body", b"")
        length += len(part)
        if length > most:
            return None
        parts.append(part)
        has_more = message.get("more_body", False)
    return {"type": "http.request", "body": b"".join(parts), "more_body": False}


def _again(body: Message, receive: Receive) -> Receive:
    """A `receive` that replays the body, then goes on."""
    unread: Message | None = body

    async def first_the_body() -> Message:
        nonlocal unread
        if unread is None:
            return await receive()
        message = unread
        unread = None
        return message

    return first_the_body


def _with_headers(send: Send, headers: Sequence[tuple[bytes, bytes]]) -> Send:
    """Add the security headers to a response, except those that its route has set."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            set_by_route = {name for name, _ in message["headers"]}
            missing = [(name, value) for name, value in headers if name not in set_by_route]
            message["headers"] = [*message["headers"], *missing]
        await send(message)

    return send_with_headers
