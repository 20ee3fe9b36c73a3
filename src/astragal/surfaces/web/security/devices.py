"""Devices: a browser has one pass. Cookies of earlier versions are exchanged for it, and several passes become one.

Earlier versions gave a browser a cookie for each table and one for the owner. At the next request their passes are made
to belong to a device, and the cookies are deleted. Nobody notices, since the request is answered as if it had come with
the device's cookie. Two windows that join at the same moment are given two devices, which are merged in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

import anyio.to_thread
import msgspec
from fastapi import Request
from fastapi.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from astragal.surfaces.web.errors import answer_to
from astragal.surfaces.web.security.auth import (
    DEVICE_COOKIES,
    LASTS,
    PassAuth,
    digest,
    forget_cookie,
    remember_device,
)
from astragal.surfaces.web.settings import Settings
from astragal.table.log.store import Pass, PassKind, StoreError

EARLIER_COOKIES = ("astragal-seat-", "astragal-owner")
"""Beginnings of the names that earlier versions gave to cookies with passes."""
MOST_DELETED = 12
"""The most cookies that one response deletes. A proxy accepts few headers: nginx 4 kB, of which these are a third."""
MOST_UNKNOWN = 20
"""The most cookies with passes of other stores that a browser keeps. Others may be served at another port of the host.
Too many, and proxies refuse its requests."""


class Cookie(NamedTuple):
    name: str
    secret: str

    @property
    def is_of_device(self) -> bool:
        return self.name.startswith(DEVICE_COOKIES)


class Exchange(msgspec.Struct, frozen=True):
    """What becomes of a browser's cookies."""

    device: str = ""
    """The secret of the only device that the browser has from now on; empty if it has none here."""
    is_new: bool = False
    """True if the browser has to be given its cookie."""
    past: tuple[str, ...] = ()
    """Names of cookies that are no longer needed."""


def exchange(auth: PassAuth, cookies: Sequence[Cookie]) -> Exchange:
    """Make one device of all passes that a browser sends, and let their seats belong to it."""
    digests = {cookie: digest(cookie.secret) for cookie in cookies}
    passes = auth.passes.find_all(digests.values())
    ours = {cookie: passes[digests[cookie]] for cookie in cookies if digests[cookie] in passes}
    moment = auth.clock()
    valid = {cookie: stored for cookie, stored in ours.items() if _is_of_browser(stored) and stored.is_good(moment)}
    device = _device_of(ours, valid)
    past = tuple(_past(cookies, ours, device))
    if not device:
        return Exchange(past=past)
    device_pass = passes.get(digest(device))
    device_digest = digest(device)
    if device_pass is not None and device_pass.device:  # it was merged into another device before
        device_digest = device_pass.device
    strays = [stored.digest for stored in valid.values() if device_digest not in (stored.digest, stored.device)]
    if strays:
        auth.passes.merge(device_digest, strays, moment, moment + LASTS[PassKind.DEVICE])
    return Exchange(device, device_pass is None or bool(strays), past)


def _is_of_browser(stored: Pass) -> bool:
    return stored.kind in (PassKind.DEVICE, PassKind.SEAT, PassKind.OWNER)


def _device_of(ours: Mapping[Cookie, Pass], valid: Mapping[Cookie, Pass]) -> str:
    """Choose the secret of the device that a browser keeps: of its own the oldest, or else a new one.

    A new one is derived from the secrets that it replaces. So requests that are sent at the same moment, or again
    because the answer was lost, lead to the same device.
    """
    devices = [cookie for cookie, stored in valid.items() if stored.kind is PassKind.DEVICE]
    if devices:
        return min(devices, key=lambda cookie: (valid[cookie].device or "", valid[cookie].made, cookie)).secret
    if not valid:
        return ""
    secrets = sorted(cookie.secret for cookie, stored in ours.items() if _is_of_browser(stored))
    return sha256("\0".join(["astragal device", *secrets]).encode()).hexdigest()


def _past(cookies: Sequence[Cookie], ours: Mapping[Cookie, Pass], device: str) -> list[str]:
    """List cookies that are no longer needed, the oldest first, as browsers send them."""
    unknown = [cookie for cookie in cookies if cookie not in ours]
    too_many = set(unknown[: max(0, len(unknown) - MOST_UNKNOWN)])
    past = []
    for cookie in cookies:
        is_replaced = cookie in ours and cookie.secret != device
        if is_replaced or cookie in too_many:
            past.append(cookie.name)
    return past


class DeviceMiddleware:
    """Lets requests reach the routes with one device's cookie, whatever cookies with passes they came with."""

    def __init__(self, app: ASGIApp, auth: PassAuth, settings: Callable[[], Settings]) -> None:
        self._app = app
        self._auth = auth
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        cookies: list[Cookie] = []
        if scope["type"] == "http" and not self._is_file(scope):
            cookies = cookies_with_passes(scope)
        has_one_device_at_most = len(cookies) < 2 and all(cookie.is_of_device for cookie in cookies)
        if has_one_device_at_most:
            await self._app(scope, receive, send)
            return
        try:
            exchanged = await anyio.to_thread.run_sync(exchange, self._auth, cookies)
        except StoreError as fault:
            await answer_to(Request(scope, receive), fault)(scope, receive, send)
            return
        if exchanged.device:
            keep_one_device(scope, exchanged.device)
        await self._app(scope, receive, _with_cookies(send, self._set_cookies(exchanged)))

    def _is_file(self, scope: Scope) -> bool:
        """Return whether the request is for a file of a page, which is the same for everybody."""
        return str(scope["path"]).removeprefix(self._settings().path).startswith("/static/")

    def _set_cookies(self, exchanged: Exchange) -> list[tuple[bytes, bytes]]:
        """Return the headers that give a browser the cookie of its device, and delete those it no longer needs."""
        settings = self._settings()
        answer = Response()
        if exchanged.is_new:
            remember_device(answer, settings, exchanged.device)
        for name in exchanged.past[:MOST_DELETED]:
            forget_cookie(answer, settings, name)
        return [(name, value) for name, value in answer.raw_headers if name == b"set-cookie"]


def cookies_with_passes(scope: Scope) -> list[Cookie]:
    """Return the cookies of a request that hold passes of this program, of any version."""
    cookies = []
    for pair in _cookie_pairs(scope):
        name, _, secret = pair.partition("=")
        cookie = Cookie(name.strip(), secret.strip())
        if cookie.is_of_device or cookie.name.startswith(EARLIER_COOKIES):
            cookies.append(cookie)
    return cookies


def keep_one_device(scope: Scope, device: str) -> None:
    """Put this device's cookie in place of all cookies of a request that hold passes."""
    names = (DEVICE_COOKIES, *EARLIER_COOKIES)
    pairs = [pair for pair in _cookie_pairs(scope) if not pair.strip().startswith(names)]
    pairs.append(f"{DEVICE_COOKIES}={device}")
    headers = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
    scope["headers"] = [*headers, (b"cookie", "; ".join(pairs).encode("latin-1"))]


def _cookie_pairs(scope: Scope) -> list[str]:
    """Split the cookies of a request. HTTP/2 allows several headers of them."""
    headers = [value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie"]
    return [pair for pair in ";".join(headers).split(";") if pair.strip()]


def _with_cookies(send: Send, headers: list[tuple[bytes, bytes]]) -> Send:
    """Add cookies to a response, unless it may be cached: then the next request is given them."""

    async def with_cookies(message: Message) -> None:
        if message["type"] == "http.response.start":
            caching = dict(message["headers"]).get(b"cache-control", b"no-store")
            if caching == b"no-store":
                message["headers"] = [*message["headers"], *headers]
        await send(message)

    return with_cookies
