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
    now = auth.clock()
    valid = {cookie: stored for cookie, stored in ours.items() if _is_of_browser(stored) and stored.is_good(now)}
    device = _device_of(ours, valid)
    past = tuple(_past(cookies, ours, device))
    if not device:
        return Exchange(past=past)
    name = digest(device)
    present = passes.get(name)
    into = name if present is None else present.device or name
    strays = [stored.digest for stored in valid.values() if into not in (stored.digest, stored.device)]
    if strays:
        auth.passes.merge(into, strays, now, now + LASTS[PassKind.DEVICE])
    return Exchange(device, present is None or bool(strays), past)


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
    return [cookie.name for cookie in cookies if cookie in too_many or (cookie in ours and cookie.secret != device)]


class DeviceMiddleware:
    """Lets requests reach the routes with one device's cookie, whatever cookies with passes they came with."""

    def __init__(self, app: ASGIApp, auth: PassAuth, settings: Callable[[], Settings]) -> None:
        self._app, self._auth, self._settings = app, auth, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        cookies = cookies_with_passes(scope) if scope["type"] == "http" and not self._is_file(scope) else []
        if len(cookies) < 2 and all(cookie.is_of_device for cookie in cookies):
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
        settings, answer = self._settings(), Response()
        if exchanged.is_new:
            remember_device(answer, settings, exchanged.device)
        for name in exchanged.past[:MOST_DELETED]:
            forget_cookie(answer, settings, name)
        return [(name, value) for name, value in answer.raw_headers if name == b"set-cookie"]


def cookies_with_passes(scope: Scope) -> list[Cookie]:
    """Return the cookies of a request that hold passes of this program, of any version."""
    pairs = [pair.partition("=") for pair in _cookie_pairs(scope)]
    cookies = [Cookie(name.strip(), secret.strip()) for name, _, secret in pairs]
    return [cookie for cookie in cookies if cookie.is_of_device or cookie.name.startswith(EARLIER_COOKIES)]


def keep_one_device(scope: Scope, device: str) -> None:
    """Put this device's cookie in place of all cookies of a request that hold passes."""
    names = (DEVICE_COOKIES, *EARLIER_COOKIES)
    pairs = [pair for pair in _cookie_pairs(scope) if not pair.strip().startswith(names)]
    cookie = "; ".join([*pairs, f"{DEVICE_COOKIES}={device}"]).encode("latin-1")
    others = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
    scope["headers"] = [*others, (b"cookie", cookie)]


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
