"""Webhooks: events at a table as one seat sees them, sent to another program, signed and with retries.

An address in a private network is called only if a setting allows it, and only for the owner of these tables. The
address that was checked is the one that is called, and redirects are not followed. Each webhook is a job of the store:
one of the processes that serve its tables delivers, and another takes over if that one is gone. A delivery that fails
is retried. The cursor moves on only after a delivery has arrived, so each event arrives at least once.

Each receiver has a queue of its own, which is the log from its cursor on, and each delivery a thread and a deadline of
its own. So a receiver that is slow, or answers with nonsense, delays nobody else's.
"""

import hashlib
import hmac
import http.client
import ipaddress
import logging
import os
import queue
import secrets
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from astragal.background import start_daemon
from astragal.surfaces.shared.addresses import ip_of, is_public, is_server
from astragal.table.host import Host
from astragal.table.log.store import Job, Jobs, Leases, StoreError
from astragal.table.refusals import NoSuchThing, Refusal

KIND = "webhook"
PRIVATE = "ASTRAGAL_WEBHOOKS_PRIVATE"
"""The environment variable that allows calls to private addresses (1)."""
SIGNATURE = "Astragal-Signature"
DELIVERY = "Astragal-Delivery"
SECONDS = 10.0
"""Seconds for a delivery, from the question for the receiver's address to its answer."""
MOST_AT_ONCE = 64
"""The most deliveries at once. Receivers that didn't fail last time go first."""
CLOSING_SECONDS = 2.0
"""Seconds for deliveries under way when the server stops."""
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
    (UnicodeError, "its name can't be one"),
    (Exception, "it can't be called"),
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
    failing_since: int | None = None
    """When the first of them failed, in milliseconds since 1970; None if an older version noted it."""
    fault: str = ""
    """The reason why the last one failed."""


def webhook_of(job: Job) -> Webhook:
    return Webhook(id=job.id, table=job.table, **job.data)


def checked_address(address: str, *, by_owner: bool) -> str:
    """Return the address, or refuse one that nothing could ever be delivered to."""
    if not is_server(address):
        raise Refusal(
            f"{address[:80]!r} is no address for a webhook. Use one like https://bot.example/hook.", code="bad_fields"
        )
    ip = ip_of(urlsplit(address).hostname or "")
    if ip is not None and not by_owner and not is_public(ip):
        raise Refusal(f"{address[:80]!r} is a private address, and those are for the owner.", code="bad_fields")
    return address


def signature(secret: str, body: bytes) -> str:
    """Sign a body, as the receiver checks it: HMAC-SHA-256 in hexadecimal digits."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


class Address(NamedTuple):
    """An address that DNS has answered, as sockets take it."""

    family: socket.AddressFamily
    of_socket: tuple[Any, ...]


class Delivery:
    """One call of a receiver, at the very address that was checked, within a deadline for all of it."""

    def __init__(self, webhook: Webhook, body: bytes, seconds: float = SECONDS) -> None:
        self._webhook = webhook
        self._body = body
        self._seconds = seconds
        self._outcomes: queue.SimpleQueue[Exception | None] = queue.SimpleQueue()
        """The first outcome counts: None if it arrived, or the reason why it did not."""
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._is_abandoned = False

    def make(self) -> None:
        """Call the receiver, and raise `NotDelivered` if that fails in any way or takes too long.

        Names are looked up in ways that can't be interrupted, and a receiver may send a byte at a time; so the call has
        a thread of its own, which is left behind at the deadline.
        """
        start_daemon(self._call, "astragal-webhook-call")
        try:
            fault = self._outcomes.get(timeout=self._seconds)
        except queue.Empty:
            self.abandon(f"it has not answered within {self._seconds:g} seconds")
            fault = self._outcomes.get()
        if isinstance(fault, NotDelivered):
            raise fault
        if fault is not None:
            reason = next(words for kind, words in FAULTS if isinstance(fault, kind))
            raise NotDelivered(reason) from fault

    def abandon(self, reason: str) -> None:
        """End the call from another thread."""
        self._outcomes.put(NotDelivered(reason))
        with self._lock:
            self._is_abandoned = True
            if self._socket is not None:
                _hang_up(self._socket)

    def _call(self) -> None:
        try:
            self._request()
        except Exception as fault:  # noqa: BLE001 - of whatever kind, it means "not delivered"
            self._outcomes.put(fault)
        else:
            self._outcomes.put(None)

    def _request(self) -> None:
        parts = urlsplit(self._webhook.address)
        host = parts.hostname or ""
        is_secure = parts.scheme == "https"
        port = parts.port or (443 if is_secure else 80)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "astragal",
            SIGNATURE: signature(self._webhook.secret, self._body),
            DELIVERY: hashlib.sha256(self._body).hexdigest()[:32],
        }
        connection = http.client.HTTPConnection(host, port)
        try:
            self._connect(_addresses_of(host, port, may_be_private=_may_be_private(self._webhook)))
            connection.sock = self._encrypted(host) if is_secure else self._socket
            connection.request("POST", parts.path or "/", self._body, headers)
            status = connection.getresponse().status
        finally:
            connection.close()
            if self._socket is not None:
                self._socket.close()
        if not 200 <= status < 300:
            raise NotDelivered(f"it answered {status}")

    def _connect(self, addresses: list[Address]) -> None:
        """Connect to the first of the addresses that accepts."""
        for address in addresses:
            new_socket = socket.socket(address.family, socket.SOCK_STREAM)
            new_socket.settimeout(self._seconds / len(addresses))
            self._use(new_socket)
            try:
                new_socket.connect(address.of_socket)
            except OSError:
                new_socket.close()
                if address is addresses[-1]:
                    raise
            else:
                new_socket.settimeout(self._seconds)
                return

    def _encrypted(self, host: str) -> socket.socket:
        if self._socket is None:
            raise OSError("not connected")
        context = ssl.create_default_context()
        encrypted = context.wrap_socket(self._socket, server_hostname=host, do_handshake_on_connect=False)
        self._use(encrypted)
        encrypted.do_handshake()
        return encrypted

    def _use(self, open_socket: socket.socket) -> None:
        """Keep the socket, to be closed when the call is abandoned."""
        with self._lock:
            self._socket = open_socket
            if self._is_abandoned:
                open_socket.close()
                raise TimeoutError


def _addresses_of(host: str, port: int, *, may_be_private: bool) -> list[Address]:
    """Ask DNS for the addresses of a host, once. One private address among them refuses all."""
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [Address(family, of_socket) for family, _, _, _, of_socket in answers]
    if not may_be_private:
        for address in addresses:
            if not is_public(ipaddress.ip_address(address.of_socket[0])):
                raise NotDelivered(f"its address is private; that is for the owner, where {PRIVATE} is 1")
    return addresses


def _may_be_private(webhook: Webhook) -> bool:
    return webhook.by_owner and os.environ.get(PRIVATE) == "1"


def _hang_up(connected: socket.socket) -> None:
    """End a connection that another thread reads from: its read returns at once."""
    with suppress(OSError):
        socket.socket.shutdown(connected, socket.SHUT_RDWR)  # of TLS, too, without its own farewell


class Receiver:
    """The queue of one webhook in this process. What waits in it is the log after the webhook's cursor."""

    def __init__(self) -> None:
        self.has_news = True
        """True if there may be something to deliver."""
        self.is_busy = False
        """True while a thread delivers."""
        self.failures = 0
        """Failed deliveries in a row."""
        self.retry_at = 0.0

    def seconds_until_due(self, clock: float) -> float:
        return max(0.0, self.retry_at - clock)


class Webhooks:
    """Webhooks of a store. `start` sends events in threads of its own.

    `waits` are the seconds between tries, and `seconds` are those for each delivery.
    """

    def __init__(
        self,
        host: Host,
        jobs: Jobs,
        clock: Callable[[], int],
        *,
        waits: tuple[float, ...] = WAITS,
        lease: int = LEASE,
        seconds: float = SECONDS,
    ) -> None:
        self._host = host
        self._jobs = jobs
        self._clock = clock
        self._waits = waits
        self._seconds = seconds
        self._leases = Leases(jobs, secrets.token_hex(8), clock, lease)
        self._woken = threading.Event()
        self._ends = threading.Event()
        self._thread: threading.Thread | None = None
        self._end_watch: Callable[[], None] | None = None
        self._lock = threading.Lock()
        self._changed_tables: set[str | None] = set()
        """Tables that may have new events; None stands for all of them. Emptied each time deliveries are started."""
        self._receivers: dict[str, Receiver] = {}
        """Queues by webhook. A webhook that is removed takes its queue along."""
        self._deliveries: dict[threading.Thread, Delivery | None] = {}
        """Threads that deliver, each with its present delivery. At most MOST_AT_ONCE."""

    # ------------------------------------------------------------ making and removing

    def at(self, table: str, seat: str | None = None) -> list[Webhook]:
        """Return the webhooks of a table, or of one seat there."""
        webhooks = [webhook_of(job) for job in self._jobs.of(KIND) if job.table == table]
        return [webhook for webhook in webhooks if seat in (None, webhook.seat)]

    def add(self, table: str, seat: str, address: str, *, by_owner: bool) -> Webhook:
        """Add a webhook for what the seat sees from now on. The caller shows its secret, once."""
        earlier_webhooks = self.at(table, seat)
        if len(earlier_webhooks) >= MOST_AT_A_SEAT:
            raise Refusal(f"{MOST_AT_A_SEAT} webhooks are enough for a seat; remove one first.", code="no_room")
        checked_address(address, by_owner=by_owner)
        for webhook in earlier_webhooks:
            if webhook.address == address:
                self._jobs.forget(webhook.id)
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

    def find(self, table: str, seat: str, webhook_id: str) -> Webhook:
        for webhook in self.at(table, seat):
            if webhook.id == webhook_id:
                return webhook
        raise NoSuchThing("There is no such webhook at this seat.")

    def test(self, webhook: Webhook) -> None:
        """Call the receiver now, with no events."""
        content = {"table": webhook.table, "seat": webhook.seat, "test": True, "events": []}
        try:
            Delivery(webhook, msgspec.json.encode(content), self._seconds).make()
        except NotDelivered as fault:
            self._note_failure(webhook.id, str(fault))
            raise Refusal(f"Nothing arrived at {webhook.address}: {fault}.", code="not_delivered") from fault
        self._note(webhook, **self._arrived())

    def _arrived(self) -> dict[str, object]:
        return {"sent": self._clock(), "fault": "", "failures": 0, "failing_since": None}

    def _note_failure(self, webhook_id: str, reason: str) -> None:
        moment = self._clock()

        def with_failure(job: Job) -> Job:
            failures = job.data.get("failures", 0)
            since = job.data.get("failing_since") if failures else moment
            changes = {"fault": reason, "failures": failures + 1, "failing_since": since}
            return replace(job, data={**job.data, **changes})

        self._jobs.edit(webhook_id, with_failure, wakes=False)

    def _note(self, webhook: Webhook, **changes: object) -> Job | None:
        return self._jobs.edit(webhook.id, lambda job: replace(job, data={**job.data, **changes}), wakes=False)

    # ------------------------------------------------------------ delivering

    def start(self) -> None:
        self._ends.clear()
        self._changed_tables.add(None)
        self._end_watch = self._host.watch(self._wake)
        self._woken.set()
        self._thread = start_daemon(self._start_deliveries, "astragal-webhooks")

    def close(self) -> None:
        """Stop sending. Deliveries under way have a moment to arrive; those that don't are made again later."""
        if self._thread is None or self._end_watch is None:
            return
        self._end_watch()
        self._ends.set()
        self._woken.set()
        self._thread.join()
        deadline = time.monotonic() + CLOSING_SECONDS
        with self._lock:
            threads = list(self._deliveries)
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        with self._lock:
            late = [delivery for delivery in self._deliveries.values() if delivery is not None]
        for delivery in late:
            delivery.abandon("the server stopped")
        for thread in threads:
            thread.join(CLOSING_SECONDS)
        self._jobs.release(self._leases.holder)

    def _wake(self, table: str | None) -> None:
        with self._lock:
            self._changed_tables.add(table)
        self._woken.set()

    def _start_deliveries(self) -> None:
        """Start a delivery for each receiver that may have news, whenever a table has changed or a try is due."""
        longest_pause = self._leases.length / 2_000  # another process may be gone
        look_at_all = 0.0
        while not self._ends.is_set():
            self._woken.clear()
            with self._lock:
                changed = self._changed_tables
                self._changed_tables = set()
            if time.monotonic() >= look_at_all:
                changed.add(None)
                look_at_all = time.monotonic() + longest_pause
            pause = longest_pause
            try:
                pause = min(pause, self._start_due(self._jobs.of(KIND), changed))
            except StoreError as fault:
                log.warning("webhooks wait for the store: %s", fault)
                with self._lock:
                    self._changed_tables |= changed
            self._woken.wait(pause)

    def _start_due(self, jobs: list[Job], changed: set[str | None]) -> float:
        """Start what is due now, and return the seconds until the next try."""
        pause = float("inf")
        with self._lock:
            self._receivers = {job.id: self._receivers.get(job.id) or Receiver() for job in jobs}
            for job in sorted(jobs, key=lambda job: self._receivers[job.id].failures):
                receiver = self._receivers[job.id]
                if None in changed or job.table in changed:
                    receiver.has_news = True
                if receiver.is_busy or not receiver.has_news:
                    continue
                seconds = receiver.seconds_until_due(time.monotonic())
                if seconds > 0:
                    pause = min(pause, seconds)
                elif len(self._deliveries) < MOST_AT_ONCE:  # else it is looked at again when one of them ends
                    self._start_delivery(job, receiver)
        return pause

    def _start_delivery(self, job: Job, receiver: Receiver) -> None:
        receiver.has_news = False
        receiver.is_busy = True
        thread = threading.Thread(target=self._deliver, args=(job, receiver), name=f"astragal-{job.id}", daemon=True)
        self._deliveries[thread] = None
        thread.start()

    def _deliver(self, job: Job, receiver: Receiver) -> None:
        """Deliver what one receiver is due. Whatever goes wrong concerns this receiver only."""
        try:
            self._send_pages(job)
            receiver.failures = 0
        except (NotDelivered, Refusal, StoreError) as fault:
            self._put_off(job, receiver, str(fault))
        except Exception:  # of whatever kind, it must not end the deliveries of others
            log.exception("webhook of table %s failed", job.table)
            self._put_off(job, receiver, "something went wrong on this server; its log says what")
        finally:
            with self._lock:
                receiver.is_busy = False
                self._deliveries.pop(threading.current_thread(), None)
            self._woken.set()

    def _put_off(self, job: Job, receiver: Receiver, reason: str) -> None:
        """Wait with the next try, and note the reason for the webhook's page."""
        wait = self._waits[min(receiver.failures, len(self._waits) - 1)]
        receiver.failures += 1
        receiver.retry_at = time.monotonic() + wait
        receiver.has_news = True
        if self._ends.is_set():
            return
        log.warning("webhook of table %s: %s (try %d)", job.table, reason, receiver.failures)
        with suppress(StoreError):
            self._note_failure(job.id, reason)

    def _send_pages(self, job: Job | None) -> None:
        """Send everything that has not been delivered yet, in order."""
        while job is not None and not self._ends.is_set():
            webhook = webhook_of(job)
            page = self._host.follow(webhook.table, webhook.seat, webhook.cursor, MOST_EVENTS)
            if page.cursor == webhook.cursor or not self._leases.hold(job):
                return
            changes: dict[str, object] = {"cursor": page.cursor}
            if page.events:
                content = {
                    "table": job.table,
                    "seat": webhook.seat,
                    "after": webhook.cursor,
                    "cursor": page.cursor,
                    "events": page.events,
                }
                self._send(Delivery(webhook, msgspec.json.encode(content), self._seconds))
                changes |= self._arrived()
            job = self._note(webhook, **changes)

    def _send(self, delivery: Delivery) -> None:
        thread = threading.current_thread()
        with self._lock:
            self._deliveries[thread] = delivery
        try:
            delivery.make()
        finally:
            with self._lock:
                self._deliveries[thread] = None
