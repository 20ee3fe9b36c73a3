"""Webhooks: events at a table as one seat sees them, sent to another program, signed and with retries.

An address in a private network is called only if a setting allows it, and only for the owner of these tables. The
address that was checked is the one that is called, and redirects are not followed. Each webhook is a job of the store:
one of the processes that serve its tables delivers, and another takes over if that one is gone. A delivery that fails
is retried. The cursor moves on only after a delivery has arrived, so each event arrives at least once.
"""

import hashlib
import hmac
import http.client
import ipaddress
import logging
import os
import secrets
import socket
import ssl
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from astragal.surfaces.shared.addresses import is_server
from astragal.table.host import Host
from astragal.table.log.store import Job, Jobs, Leases, StoreError
from astragal.table.refusals import NoSuchThing, Refusal

KIND = "webhook"
PRIVATE = "ASTRAGAL_WEBHOOKS_PRIVATE"
"""The environment variable that allows calls to private addresses (1)."""
SIGNATURE, DELIVERY = "Astragal-Signature", "Astragal-Delivery"
SECONDS = 10.0
"""Seconds for a receiver to respond."""
LEASE = 30_000
"""Milliseconds until another process takes over from one that is gone."""
WAITS = (1.0, 5.0, 30.0, 120.0, 600.0)
"""Seconds between tries; the last one repeats."""
FAULTS: tuple[tuple[type[Exception], str], ...] = (
    (socket.gaierror, "nobody knows its name"),
    (ConnectionRefusedError, "nothing listens there"),
    (TimeoutError, "it does not answer"),
    (ssl.SSLError, "its certificate is not good"),
    (OSError, "it can't be reached"),
    (http.client.HTTPException, "it does not answer as a web server does"),
)
MOST_EVENTS = 100
"""The most events in one delivery."""
MOST_AT_A_SEAT = 5

log = logging.getLogger(__name__)


class NotDelivered(Exception):
    """The receiver could not be called, or did not answer with 2xx."""


class Webhook(Struct, frozen=True, kw_only=True):
    """One receiver of the events that a seat sees, which are signed with the secret."""

    id: str
    table: str
    seat: str
    address: str
    secret: str
    cursor: str = ""
    by_owner: bool = False
    """True if the owner of these tables made it. Only the owner may use a private address."""
    sent: int | None = None
    """When something last arrived there, in milliseconds since 1970."""
    failures: int = 0
    """Failed deliveries since then."""
    fault: str = ""


def webhook_of(job: Job) -> Webhook:
    return Webhook(id=job.id, table=job.table, **job.data)


def checked_address(address: str) -> str:
    if not is_server(address):
        raise Refusal(
            f"{address[:80]!r} is no address for a webhook. Use one like https://bot.example/hook.", code="bad_fields"
        )
    return address


def signature(secret: str, body: bytes) -> str:
    """Sign a body, as the receiver checks it: HMAC-SHA-256 in hexadecimal digits."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


class Webhooks:
    """Webhooks of a store. `start` sends events in a thread of its own; `waits` are the seconds between tries."""

    def __init__(
        self,
        host: Host,
        jobs: Jobs,
        clock: Callable[[], int],
        waits: tuple[float, ...] = WAITS,
        lease: int = LEASE,
    ) -> None:
        self._host, self._jobs, self._clock, self._waits = host, jobs, clock, waits
        self._leases = Leases(jobs, secrets.token_hex(8), clock, lease)
        self._woken, self._ends = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self._end_watch: Callable[[], None] | None = None

    # ------------------------------------------------------------ making and removing

    def at(self, table: str, seat: str | None = None) -> list[Webhook]:
        found = [webhook_of(one) for one in self._jobs.of(KIND) if one.table == table]
        return [one for one in found if seat in (None, one.seat)]

    def add(self, table: str, seat: str, address: str, *, by_owner: bool) -> Webhook:
        """Add a webhook for what the seat sees from now on. The caller shows its secret, once."""
        known = self.at(table, seat)
        if len(known) >= MOST_AT_A_SEAT:
            raise Refusal(f"{MOST_AT_A_SEAT} webhooks are enough for a seat; remove one first.", code="no_room")
        checked_address(address)
        for one in known:
            if one.address == address:
                self._jobs.forget(one.id)
        data = {
            "seat": seat,
            "address": address,
            "secret": secrets.token_urlsafe(32),
            "cursor": self._host.latest(table, seat, most=1).cursor,
            "by_owner": by_owner,
        }
        job = Job(id=f"{KIND} {secrets.token_hex(8)}", kind=KIND, table=table, data=data)
        self._jobs.keep(job)
        return webhook_of(job)

    def remove(self, webhook: Webhook) -> None:
        self._jobs.forget(webhook.id)

    def find(self, table: str, seat: str, webhook: str) -> Webhook:
        for one in self.at(table, seat):
            if one.id == webhook:
                return one
        raise NoSuchThing("There is no such webhook at this seat.")

    def test(self, webhook: Webhook) -> None:
        """Call the receiver now, with no events."""
        said = {"table": webhook.table, "seat": webhook.seat, "test": True, "events": []}
        try:
            post(webhook, msgspec.json.encode(said))
        except NotDelivered as fault:
            self._note(webhook, fault=str(fault), failures=webhook.failures + 1)
            raise Refusal(f"Nothing arrived at {webhook.address}: {fault}.", code="not_delivered") from fault
        self._note(webhook, sent=self._clock(), fault="", failures=0)

    def _note(self, webhook: Webhook, **changes: object) -> Job | None:
        return self._jobs.edit(webhook.id, lambda job: replace(job, data={**job.data, **changes}), wakes=False)

    # ------------------------------------------------------------ delivering

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
            self._jobs.release(self._leases.holder)

    def _send_all(self) -> None:
        failed: dict[str, tuple[int, float]] = {}  # failures in a row, and when to try again
        while not self._ends.is_set():
            pause = self._leases.length / 2_000  # another process may be gone
            self._woken.clear()
            try:
                for job in self._jobs.of(KIND):
                    pause = min(pause, self._tried(job, failed))
            except StoreError as fault:
                log.warning("webhooks wait for the store: %s", fault)
            self._woken.wait(pause)

    def _tried(self, job: Job, failed: dict[str, tuple[int, float]]) -> float:
        """Deliver what is due, unless it failed just now. Return the seconds until the next try."""
        times, until = failed.get(job.id, (0, 0.0))
        if (left := until - time.monotonic()) > 0:
            return left
        try:
            self._deliver(job)
            failed.pop(job.id, None)
        except (NotDelivered, Refusal) as fault:
            wait = self._waits[min(times, len(self._waits) - 1)]
            failed[job.id] = times + 1, time.monotonic() + wait
            log.warning("webhook of table %s: %s (try %d)", job.table, fault, times + 1)
            self._note(webhook_of(job), failures=times + 1, fault=str(fault))
            return wait
        return float("inf")

    def _deliver(self, job: Job | None) -> None:
        """Send everything that has not been delivered yet, in order."""
        while job is not None and not self._ends.is_set():
            webhook = webhook_of(job)
            page = self._host.follow(webhook.table, webhook.seat, webhook.cursor, MOST_EVENTS)
            if page.cursor == webhook.cursor or not self._leases.hold(job):
                return
            changes: dict[str, object] = {"cursor": page.cursor}
            if page.events:
                said = {"table": job.table, "seat": webhook.seat, "after": webhook.cursor, "cursor": page.cursor}
                post(webhook, msgspec.json.encode({**said, "events": page.events}))
                changes |= {"sent": self._clock(), "fault": "", "failures": 0}
            job = self._note(webhook, **changes)


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
        connection.sock = _connected(host, port, secure=is_secure, private=webhook.by_owner)
        connection.request("POST", parts.path or "/", body, headers)
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as fault:
        raise NotDelivered(next(words for kind, words in FAULTS if isinstance(fault, kind))) from fault
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise NotDelivered(f"it answered {status}")


def _connected(host: str, port: int, *, secure: bool, private: bool) -> Any:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(one[4][0]) for one in found]
    may_be_private = private and os.environ.get(PRIVATE) == "1"
    if not may_be_private and not all(ipaddress.ip_address(one).is_global for one in addresses):
        raise NotDelivered(f"its address is private; that is for the owner, where {PRIVATE} is 1")
    made = socket.create_connection((addresses[0], port), SECONDS)
    return ssl.create_default_context().wrap_socket(made, server_hostname=host) if secure else made
