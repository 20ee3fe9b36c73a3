"""Authentication: links that are exchanged for a device's pass, and tokens for programs.

Every pass is a secret of 256 bits that only its holder has; the store has its digest. A browser has one pass, in one
cookie, however many seats it has: passes to seats, and the owner's, belong to the device in the store, where each can
be revoked alone. The cookie is for this site alone, and scripts can't read it. It works for pages, streams and the JSON
API alike. A program sends its token as `Authorization: Bearer …`. What a request may enter is found here, by `held` and
`owner`; `devices` has already seen to it that a browser has one pass.

The link to a whole table is derived from a secret of the server and a value in the store. So every process shows the
same one, and does so after a restart, while the store alone opens nothing.

Passes are cached, because a stream checks its own at every message. A revocation takes effect at once in the process
that makes it. Others clear their cache when the store reports that somebody else wrote to it, within about a second. If
that notification is lost, it takes `REMEMBERED_FOR`.
"""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from functools import cached_property, partial
from typing import Any

from fastapi.responses import Response
from msgspec.structs import replace
from starlette.requests import HTTPConnection

from astragal.surfaces.web.settings import Settings
from astragal.table.log.store import AtTable, Pass, Passes, PassKind

REMEMBERED_FOR = 5_000
"""Milliseconds for which a pass is cached."""
MOST_REMEMBERED = 20_000


class CachedPasses:
    """Cache of a store's passes, for a short time. `clock` gives milliseconds."""

    def __init__(self, stored: Passes, clock: Callable[[], int]) -> None:
        self._stored = stored
        self._clock = clock
        self._passes: dict[Hashable, tuple[int, Pass]] = {}
        """Passes with the time at which they were read, by their digest, or by device, kind and table."""
        self._dropped = 0
        """Counts how often the cache was cleared: a pass that was read before must not be cached after."""

    def drop(self) -> None:
        """Clear the cache: some of it may have been revoked."""
        self._dropped += 1
        self._passes = {}

    def find(self, digest: str) -> Pass | None:
        return self._cached(digest, lambda: self._stored.find(digest))

    def newest_of_device(self, device: str, kind: PassKind, table: str | None = None) -> Pass | None:
        return self._cached((device, kind, table), lambda: self._stored.newest_of_device(device, kind, table))

    def _cached(self, key: Hashable, read: Callable[[], Pass | None]) -> Pass | None:
        moment = self._clock()
        dropped_before = self._dropped
        read_at, cached = self._passes.get(key, (0, None))
        if cached is not None and 0 <= moment - read_at < REMEMBERED_FOR:
            return cached
        stored = read()
        if stored is not None and self._dropped == dropped_before:
            if len(self._passes) >= MOST_REMEMBERED:
                self._passes = {}
            self._passes[key] = moment, stored
        return stored

    def find_all(self, digests: Collection[str]) -> dict[str, Pass]:
        return self._stored.find_all(digests)

    def of_device(self, device: str) -> list[Pass]:
        return self._stored.of_device(device)

    def issue(self, new_pass: Pass) -> None:
        try:
            self._stored.issue(new_pass)
        finally:
            if new_pass.device is not None:  # it takes the place of an earlier one
                self.drop()

    def issue_if_free(self, new_pass: Pass) -> bool:
        try:
            return self._stored.issue_if_free(new_pass)
        finally:
            self.drop()

    def merge(self, device: str, digests: Collection[str], moment: int, until: int) -> None:
        try:
            self._stored.merge(device, digests, moment, until)
        finally:
            self.drop()

    def revoke_device(self, device: str, moment: int) -> None:
        try:
            self._stored.revoke_device(device, moment)
        finally:
            self.drop()

    def take(self, digest: str, moment: int, into: Callable[[Pass], Pass]) -> Pass | None:
        try:
            return self._stored.take(digest, moment, into)
        finally:
            self.drop()

    def revoke(self, digest: str, moment: int) -> None:
        try:
            self._stored.revoke(digest, moment)
        finally:
            self.drop()

    def revoke_seat(self, table: str, seat: str, moment: int, kinds: Collection[PassKind] = tuple(PassKind)) -> None:
        try:
            self._stored.revoke_seat(table, seat, moment, kinds)
        finally:
            self.drop()

    def revoke_table(self, table: str, moment: int) -> None:
        try:
            self._stored.revoke_table(table, moment)
        finally:
            self.drop()

    def of_table(self, table: str) -> list[Pass]:
        return self._stored.of_table(table)

    def note_present(
        self, process: str, arrivals: Iterable[AtTable], departures: Iterable[AtTable], until: int, moment: int
    ) -> int:
        return self._stored.note_present(process, arrivals, departures, until, moment)

    def present(self, table: str, moment: int) -> set[str]:
        return self._stored.present(table, moment)

    def elsewhere(self, process: str, moment: int) -> set[AtTable]:
        return self._stored.elsewhere(process, moment)


SECRET_BYTES = 32
LONGEST_SECRET = 100
SHORTEST_OWNER_KEY = 20
MINUTE = 60_000
DAY = 24 * 60 * MINUTE
LASTS: Mapping[PassKind, int] = {
    PassKind.OWNER_LINK: 7 * DAY,
    PassKind.DEVICE: 180 * DAY,
    PassKind.OWNER: 180 * DAY,
    PassKind.INVITATION: 14 * DAY,
    PassKind.SEAT: 180 * DAY,
    PassKind.TOKEN: 180 * DAY,
}
DEVICE_COOKIES = "astragal-device-"
SALT_BYTES = 16
SALT = "salt"
"""The option of a table's link that it is derived from, with a secret of the server."""


class BadOwnerKey(ValueError):
    """The key that was set for the owner's link can't be used."""


class PassAuth:
    """Issues passes and checks them. `clock` gives milliseconds since 1970.

    `link_key` returns the secret that links to tables are derived from, unless there is an owner's key. All processes
    on one store need the same secret to show each other's links. Without one, it is made at random.
    """

    def __init__(
        self,
        passes: Passes,
        *,
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
        link_key: Callable[[], bytes] | None = None,
    ) -> None:
        self.passes = CachedPasses(passes, clock)
        self.clock = clock
        self._entropy = entropy
        self._read_link_key = link_key or partial(entropy, SECRET_BYTES)
        self._owner_key = ""

    def fresh(self) -> str:
        """A unique random name."""
        return self._entropy(8).hex()

    # ------------------------------------------------------------ making passes

    def issue(
        self,
        kind: PassKind,
        table: str | None = None,
        seat: str | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> str:
        """Issue a pass to a link or a program, and return its secret, which is not stored."""
        secret = self.new_secret()
        self.passes.issue(self._new(digest(secret), kind, table=table, seat=seat, options=options or {}))
        return secret

    def new_secret(self) -> str:
        return _as_text(self._entropy(SECRET_BYTES))

    def give_seat(self, device: str, table: str, seat: str) -> None:
        """Let a device enter a seat, in place of an earlier one at the table. The device is named by its secret."""
        self.passes.issue(self._of_device(device, PassKind.SEAT, table, seat))

    def make_owners(self, device: str) -> None:
        """Let a device act for the owner. It is named by its secret."""
        self.passes.issue(self._of_device(device, PassKind.OWNER))

    def take_owner_key(self, key: str) -> str:
        """Take a key of the operator's own for the owner's link, and for deriving links. It is not stored."""
        has_right_length = SHORTEST_OWNER_KEY <= len(key) <= LONGEST_SECRET
        is_plain = key.isascii() and key.isprintable()
        if not has_right_length or not is_plain:
            raise BadOwnerKey(
                f"The owner's key must be {SHORTEST_OWNER_KEY} to {LONGEST_SECRET} plain characters, hard to guess."
            )
        self._owner_key = digest(key)
        self._link_key = hashlib.scrypt(key.encode(), salt=b"astragal table links", n=2**14, r=8, p=1, dklen=32)
        return key

    def opens_as_owner(self, secret: str) -> bool:
        """Return whether this is the secret of an owner's link."""
        is_set = bool(self._owner_key) and hmac.compare_digest(digest(secret), self._owner_key)
        return is_set or self.find(secret, PassKind.OWNER_LINK) is not None

    def sit_down(self, invitation: str, device: str) -> bool:
        """Exchange the link to a seat for a device's pass to it. The link can't be used again."""
        link = self.find(invitation, PassKind.INVITATION)
        if link is None or link.seat is None:
            return False
        new = self._of_device(device, PassKind.SEAT)
        used_link = self.passes.take(
            link.digest, self.clock(), lambda used: replace(new, table=used.table, seat=used.seat)
        )
        return used_link is not None

    def take_free_seat(self, invitation: str, seat: str, device: str) -> bool:
        """Let a device enter a free seat by the link to its table, which others can use again."""
        link = self.find(invitation, PassKind.INVITATION)
        if link is None or link.table is None:
            return False
        return self.passes.issue_if_free(self._of_device(device, PassKind.SEAT, link.table, seat))

    def taken_seats(self, table: str) -> frozenset[str]:
        """Seats that someone has, or that have a valid link of their own."""
        moment = self.clock()
        return frozenset(
            stored.seat for stored in self.passes.of_table(table) if stored.seat and stored.is_good(moment)
        )

    # ------------------------------------------------------------ the link to a whole table

    def table_link(self, table: str) -> str:
        """Return the secret of the newest valid link to a table that this server can show; empty if there is none."""
        for link in reversed(self.table_links(table)):
            secret = self._derived(table, str(link.options.get(SALT, "")))
            if digest(secret) == link.digest:
                return secret
        return ""

    def table_links(self, table: str) -> list[Pass]:
        """Return the valid links to a whole table, oldest first."""
        moment = self.clock()
        links = [link for link in self.passes.of_table(table) if link.kind is PassKind.INVITATION and link.seat is None]
        return [link for link in links if link.is_good(moment)]

    def renew_table_link(self, table: str) -> str:
        """Make a new link to a table and return its secret. Earlier ones end."""
        self.withdraw_table_link(table)
        salt = self._entropy(SALT_BYTES).hex()
        secret = self._derived(table, salt)
        self.passes.issue(self._new(digest(secret), PassKind.INVITATION, table=table, options={SALT: salt}))
        return secret

    def withdraw_table_link(self, table: str) -> None:
        """End the links to the whole table; those to single seats stay."""
        for link in self.table_links(table):
            self.passes.revoke(link.digest, self.clock())

    @cached_property
    def _link_key(self) -> bytes:
        """The secret that links to tables are derived from. It is read once a process: it may be random."""
        return self._read_link_key()

    def _derived(self, table: str, salt: str) -> str:
        return _as_text(hmac.digest(self._link_key, f"table link\0{table}\0{salt}".encode(), "sha256"))

    def _new(self, name: str, kind: PassKind, **fields: Any) -> Pass:
        moment = self.clock()
        return Pass(digest=name, kind=kind, made=moment, until=moment + LASTS[kind], **fields)

    def _of_device(self, device: str, kind: PassKind, table: str | None = None, seat: str | None = None) -> Pass:
        """Make a pass that belongs to a device. It has a name as every pass does, and no secret of its own."""
        name = self._entropy(SECRET_BYTES).hex()
        return self._new(name, kind, table=table, seat=seat, device=digest(device))

    # ------------------------------------------------------------ checking passes

    def find(self, secret: str, *kinds: PassKind) -> Pass | None:
        """Find the valid pass of this secret, if it is of one of these kinds."""
        if not 0 < len(secret) <= LONGEST_SECRET:
            return None
        stored = self.passes.find(digest(secret))
        if stored is None or stored.kind not in kinds or not stored.is_good(self.clock()):
            return None
        return stored

    def is_good(self, digest_of_secret: str) -> bool:
        """Return whether this pass is still valid, for connections that stay open."""
        stored = self.passes.find(digest_of_secret)
        return stored is not None and stored.is_good(self.clock())

    def token(self, secret: str) -> Pass | None:
        """The pass of a program's token."""
        return self.find(secret, PassKind.TOKEN)

    def held(self, request: HTTPConnection, table: str) -> Pass | None:
        """The pass of this request to a seat at this table: its bearer token or, without one, its device's."""
        bearer = bearer_of(request)
        if bearer is None:
            return self._of_sender(request, PassKind.SEAT, table)
        token = self.token(bearer)
        return token if token and token.table == table else None

    def owner(self, request: HTTPConnection) -> Pass | None:
        """The owner's pass, if this browser has it."""
        return self._of_sender(request, PassKind.OWNER)

    def _of_sender(self, request: HTTPConnection, kind: PassKind, table: str | None = None) -> Pass | None:
        """The pass that the browser which sent this has to a table, or to none in particular."""
        device = self.device(request)
        if not device:
            return None
        newest = self.passes.newest_of_device(device, kind, table)
        return newest if newest and newest.is_good(self.clock()) else None

    def device(self, request: HTTPConnection) -> str | None:
        """The digest of the browser that sent this, by its cookie."""
        for secret in device_secrets(request):
            if device := self.find(secret, PassKind.DEVICE):
                return device.device or device.digest
        return None

    def device_secret(self, request: HTTPConnection) -> str:
        """The secret of the browser that sent this; if it has none that is valid, a new one."""
        valid = [secret for secret in device_secrets(request) if self.find(secret, PassKind.DEVICE)]
        return valid[0] if valid else self.new_secret()

    def seats_held(self, request: HTTPConnection) -> list[Pass]:
        """Passes of all seats that this browser has, the newest first."""
        device = self.device(request)
        if device is None:
            return []
        moment = self.clock()
        seats = [stored for stored in self.passes.of_device(device) if stored.kind is PassKind.SEAT]
        return [seat for seat in reversed(seats) if seat.is_good(moment)]


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def _as_text(secret: bytes) -> str:
    return urlsafe_b64encode(secret).rstrip(b"=").decode()


def device_cookie(secret: str) -> str:
    """Name of a device's cookie.

    Each device has its own. A browser sends a host's cookies to all of its ports, where other tables may be served; and
    two windows that join at the same moment are given two, of which none replaces the other, until they are merged.
    """
    return DEVICE_COOKIES + digest(secret)[:8]


def device_secrets(request: HTTPConnection) -> list[str]:
    return [value for name, value in request.cookies.items() if name.startswith(DEVICE_COOKIES)]


def bearer_of(request: HTTPConnection) -> str | None:
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if scheme.casefold() == "bearer" else None


SECOND = 1000


def forget_cookie(answer: Response, settings: Settings, name: str) -> None:
    answer.delete_cookie(name, settings.path + "/", secure=settings.secure, httponly=True, samesite="lax")


def remember_device(answer: Response, settings: Settings, secret: str) -> None:
    answer.set_cookie(
        device_cookie(secret),
        secret,
        max_age=LASTS[PassKind.DEVICE] // SECOND,
        path=settings.path + "/",
        secure=settings.secure,
        httponly=True,
        samesite="lax",
    )
