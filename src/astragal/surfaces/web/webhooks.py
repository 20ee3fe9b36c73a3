"""Webhooks: what happens at a table as one seat sees it, sent to another program, signed and retried.

Addresses are the owner's to set, in the terminal. One in a private network is called only where a setting allows it,
and the address that was checked is the one that is called; redirects are not followed. A delivery that fails is tried
again; its cursor moves on once it has arrived, also after a restart, so each event comes at least once.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import ipaddress
import logging
import os
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from astragal.storage.private_files import make_folder, opener
from astragal.surfaces.shared.ai_seats import is_server
from astragal.table.host import Host
from astragal.table.log.store import StoreError
from astragal.table.refusals import Refusal
from astragal.values import frozen

VARIABLE, PRIVATE = "ASTRAGAL_WEBHOOKS", "ASTRAGAL_WEBHOOKS_PRIVATE"
"""Environment variables: the file of webhooks, and whether private addresses may be called (1)."""
SIGNATURE, DELIVERY = "Astragal-Signature", "Astragal-Delivery"
SECONDS = 10.0
"""For a receiver to answer."""
WAITS = (1.0, 5.0, 30.0, 120.0, 600.0)
"""Seconds between tries. After the last it is tried again when something new happens."""
MOST_EVENTS = 100
"""In one delivery."""

log = logging.getLogger(__name__)


class NotDelivered(Exception):
    """The receiver could not be called, or did not answer with 2xx."""


@frozen
class Webhook:
    """One receiver: what a seat sees goes there, signed with the secret."""

    table: str
    seat: str
    address: str
    secret: str
    cursor: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        return self.table, self.seat, self.address


class WebhookFile:
    """The private file of webhooks, outside of every store: it holds the secrets that sign."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()

    def all(self) -> list[Webhook]:
        with suppress(FileNotFoundError):
            return [Webhook(*one) for one in msgspec.json.decode(self._path.read_bytes())]
        return []

    def keep(self, webhook: Webhook) -> None:
        with self._lock:
            self._write([*(one for one in self.all() if one.key != webhook.key), webhook])

    def forget(self, table: str, address: str | None = None) -> int:
        with self._lock:
            known = self.all()
            left = [one for one in known if one.table != table or address not in (None, one.address)]
            self._write(left)
            return len(known) - len(left)

    def move(self, webhook: Webhook, cursor: str) -> None:
        """Go on from a cursor, unless it was forgotten meanwhile."""
        with self._lock:
            known = self.all()
            moved = Webhook(*webhook.key, webhook.secret, cursor)
            if any(one.key == webhook.key for one in known):
                self._write([moved if one.key == webhook.key else one for one in known])

    def _write(self, webhooks: Iterable[Webhook]) -> None:
        make_folder(self._path.parent)
        beside = self._path.with_suffix(".new")
        beside.unlink(missing_ok=True)
        with open(beside, "xb", opener=opener) as out:
            out.write(msgspec.json.encode([[*one.key, one.secret, one.cursor] for one in webhooks]))
        beside.replace(self._path)


def default_path() -> Path:
    if named := os.environ.get(VARIABLE):
        return Path(named)
    from platformdirs import user_config_path

    return user_config_path("astragal", appauthor=False) / "webhooks.json"


def checked_address(address: str) -> str:
    if not is_server(address):
        raise Refusal(
            f"{address[:80]!r} is no address for a webhook. Use one like https://bot.example/hook.", code="bad_fields"
        )
    return address


def signature(secret: str, body: bytes) -> str:
    """As the receiver calculates it: HMAC-SHA-256 of the body, in hexadecimal digits."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


class Webhooks:
    """Sends what happens, in a thread of its own. `waits` are the seconds between tries."""

    def __init__(self, host: Host, file: WebhookFile, waits: tuple[float, ...] = WAITS) -> None:
        self._host, self._file, self._waits = host, file, waits
        self._woken, self._ends = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self._end_watch: Callable[[], None] | None = None

    def start(self) -> None:
        self._ends.clear()
        self._end_watch = self._host.watch(lambda table: self._woken.set())
        self._thread = threading.Thread(target=self._send_all, name="astragal-webhooks", daemon=True)
        self._woken.set()
        self._thread.start()

    def close(self) -> None:
        if self._thread is not None and self._end_watch is not None:
            self._end_watch()
            self._ends.set()
            self._woken.set()
            self._thread.join(SECONDS)

    def _send_all(self) -> None:
        tries: dict[tuple[str, str, str], int] = {}
        while not self._ends.is_set():
            pause: float | None = None
            self._woken.clear()
            for one in self._file.all():
                try:
                    self._deliver(one)
                    tries.pop(one.key, None)
                except (NotDelivered, Refusal, StoreError) as fault:
                    number = tries[one.key] = tries.get(one.key, 0) + 1
                    log.warning("webhook of table %s: %s (try %d)", one.table, fault, number)
                    if number <= len(self._waits):
                        pause = min(pause or self._waits[number - 1], self._waits[number - 1])
            self._woken.wait(pause)

    def _deliver(self, webhook: Webhook) -> None:
        """Everything that its seat has not been told yet, in order."""
        more, cursor = True, webhook.cursor
        while more and not self._ends.is_set():
            page = self._host.follow(webhook.table, webhook.seat, cursor, MOST_EVENTS)
            if page.events:
                said = {"table": webhook.table, "seat": webhook.seat, "after": cursor, "cursor": page.cursor}
                post(webhook, msgspec.json.encode({**said, "events": page.events}))
            if page.cursor != cursor:
                self._file.move(webhook, page.cursor)
            cursor, more = page.cursor, page.more


def post(webhook: Webhook, body: bytes) -> None:
    """Call the receiver once, at the very address that was checked."""
    parts = urlsplit(webhook.address)
    host, is_secure = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if is_secure else 80)
    connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "astragal",
        SIGNATURE: signature(webhook.secret, body),
        DELIVERY: hashlib.sha256(body).hexdigest()[:32],
    }
    try:
        connection.sock = _connected(host, port, secure=is_secure)
        connection.request("POST", parts.path or "/", body, headers)
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as fault:
        raise NotDelivered(f"it can't be reached ({type(fault).__name__})") from fault
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise NotDelivered(f"it answered {status}")


def _connected(host: str, port: int, *, secure: bool) -> Any:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(one[4][0]) for one in found]
    if os.environ.get(PRIVATE) != "1" and not all(ipaddress.ip_address(one).is_global for one in addresses):
        raise NotDelivered(f"its address is private, and {PRIVATE} is not 1")
    made = socket.create_connection((addresses[0], port), SECONDS)
    return ssl.create_default_context().wrap_socket(made, server_hostname=host) if secure else made
