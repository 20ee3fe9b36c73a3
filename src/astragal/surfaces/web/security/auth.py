"""Authentication: links that are exchanged for cookies, and tokens for programs.

Every pass is a secret of 256 bits that only its holder has; the store has its digest. A browser has one cookie for each
table where it has a seat, and one more if it is the owner's. Cookies are for this site alone, and scripts can't read
them. They work for pages, streams and the JSON API alike. A program sends its token as `Authorization: Bearer …`.

Passes are cached, because a stream checks its own at every message. A revocation takes effect at once in the process
that makes it. Others clear their cache when the store reports that somebody else wrote to it, within about a second. If
that notification is lost, it takes `REMEMBERED_FOR`.
"""

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Callable, Collection, Iterable, Mapping
from hmac import compare_digest
from threading import Lock
from typing import Any

from fastapi import Request
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
        self._stored, self._clock = stored, clock
        self._found: dict[str, tuple[int, Pass]] = {}
        self._dropped = 0
        """Counts how often the cache was cleared: a pass that was read before must not be cached after."""

    def drop(self) -> None:
        """Clear the cache: some of it may have been revoked."""
        self._dropped += 1
        self._found = {}

    def find(self, digest: str) -> Pass | None:
        now, dropped = self._clock(), self._dropped
        when, known = self._found.get(digest, (0, None))
        if known is not None and 0 <= now - when < REMEMBERED_FOR:
            return known
        found = self._stored.find(digest)
        if found is not None and dropped == self._dropped:
            if len(self._found) >= MOST_REMEMBERED:
                self._found = {}
            self._found[digest] = now, found
        return found

    def issue(self, one: Pass) -> None:
        self._stored.issue(one)

    def take(self, digest: str, now: int, into: Callable[[Pass], Pass]) -> Pass | None:
        try:
            return self._stored.take(digest, now, into)
        finally:
            self.drop()

    def revoke(self, digest: str, now: int) -> None:
        try:
            self._stored.revoke(digest, now)
        finally:
            self.drop()

    def revoke_seat(self, table: str, seat: str, now: int, kinds: Collection[PassKind] = tuple(PassKind)) -> None:
        try:
            self._stored.revoke_seat(table, seat, now, kinds)
        finally:
            self.drop()

    def revoke_table(self, table: str, now: int) -> None:
        try:
            self._stored.revoke_table(table, now)
        finally:
            self.drop()

    def of_table(self, table: str) -> list[Pass]:
        return self._stored.of_table(table)

    def note_present(self, process: str, came: Iterable[AtTable], went: Iterable[AtTable], until: int, now: int) -> int:
        return self._stored.note_present(process, came, went, until, now)

    def present(self, table: str, now: int) -> set[str]:
        return self._stored.present(table, now)

    def elsewhere(self, process: str, now: int) -> set[AtTable]:
        return self._stored.elsewhere(process, now)


SECRET_BYTES = 32
LONGEST_SECRET = 100
SHORTEST_OWNER_KEY = 20
MINUTE = 60_000
DAY = 24 * 60 * MINUTE
LASTS: Mapping[PassKind, int] = {
    PassKind.OWNER_LINK: 7 * DAY,
    PassKind.OWNER: 180 * DAY,
    PassKind.INVITATION: 14 * DAY,
    PassKind.SEAT: 180 * DAY,
    PassKind.TOKEN: 180 * DAY,
}
OWNER_COOKIE = "astragal-owner"
SEAT_COOKIES = "astragal-seat-"


class BadOwnerKey(ValueError):
    """The key that was set for the owner's link can't be used."""


class PassAuth:
    """Issues passes and checks them. `clock` gives milliseconds since 1970."""

    def __init__(self, passes: Passes, *, clock: Callable[[], int], entropy: Callable[[int], bytes]) -> None:
        self.passes, self.clock, self._entropy = CachedPasses(passes, clock), clock, entropy
        self._one_by_one = Lock()
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
        """Issue a pass and return its secret, which is not stored."""
        secret, new = self._made(kind, options or {})
        self.passes.issue(replace(new, table=table, seat=seat))
        return secret

    def take_owner_key(self, key: str) -> str:
        """Take a key of the operator's own for the owner's link of this process. It is not stored."""
        if not SHORTEST_OWNER_KEY <= len(key) <= LONGEST_SECRET or not key.isascii() or not key.isprintable():
            raise BadOwnerKey(
                f"The owner's key must be {SHORTEST_OWNER_KEY} to {LONGEST_SECRET} plain characters, hard to guess."
            )
        self._owner_key = digest(key)
        return key

    def opens_as_owner(self, secret: str) -> bool:
        """Return whether this is the secret of an owner's link."""
        is_set = bool(self._owner_key) and compare_digest(digest(secret), self._owner_key)
        return is_set or self.find(secret, PassKind.OWNER_LINK) is not None

    def sit_down(self, invitation: str) -> tuple[Pass, str] | None:
        """Exchange an invitation for the seat's pass and its secret. It can't be used again."""
        found = self.find(invitation, PassKind.INVITATION)
        if found is None or found.seat is None:
            return None
        secret, new = self._made(PassKind.SEAT, {})
        taken = self.passes.take(
            digest(invitation), self.clock(), lambda used: replace(new, table=used.table, seat=used.seat)
        )
        return (taken, secret) if taken else None

    def take_free_seat(self, invitation: str, seat: str) -> str | None:
        """Issue a pass to a free seat by the link to its table, which others can use again. Return the secret."""
        with self._one_by_one:
            found = self.find(invitation, PassKind.INVITATION)
            if found is None or found.table is None or seat in self.taken_seats(found.table):
                return None
            return self.issue(PassKind.SEAT, found.table, seat)

    def taken_seats(self, table: str) -> frozenset[str]:
        """Seats that someone has, or that have a valid link of their own."""
        now = self.clock()
        return frozenset(one.seat for one in self.passes.of_table(table) if one.seat and one.is_good(now))

    def withdraw_table_link(self, table: str) -> None:
        """End the links to the whole table; those to single seats stay."""
        for one in self.passes.of_table(table):
            if one.kind is PassKind.INVITATION and one.seat is None:
                self.passes.revoke(one.digest, self.clock())

    def _made(self, kind: PassKind, options: Mapping[str, Any]) -> tuple[str, Pass]:
        secret = urlsafe_b64encode(self._entropy(SECRET_BYTES)).rstrip(b"=").decode()
        now = self.clock()
        return secret, Pass(digest=digest(secret), kind=kind, made=now, until=now + LASTS[kind], options=options)

    # ------------------------------------------------------------ checking passes

    def find(self, secret: str, *kinds: PassKind) -> Pass | None:
        """Find the valid pass of this secret, if it is of one of these kinds."""
        if not 0 < len(secret) <= LONGEST_SECRET:
            return None
        found = self.passes.find(digest(secret))
        return found if found and found.kind in kinds and found.is_good(self.clock()) else None

    def is_good(self, digest_of_secret: str) -> bool:
        """Return whether this pass is still valid, for connections that stay open."""
        found = self.passes.find(digest_of_secret)
        return found is not None and found.is_good(self.clock())

    def token(self, secret: str) -> Pass | None:
        """The pass of a program's token."""
        return self.find(secret, PassKind.TOKEN)

    def held(self, request: HTTPConnection, table: str) -> Pass | None:
        """The pass of this request for this table: its bearer token or, without one, its cookie."""
        bearer = bearer_of(request)
        if bearer is not None:
            found = self.token(bearer)
        else:
            found = self.find(request.cookies.get(seat_cookie(table), ""), PassKind.SEAT)
        return found if found and found.table == table else None

    def seat(self, request: Request, table: str) -> str | None:
        """The seat that this request has at this table."""
        found = self.held(request, table)
        return found.seat if found else None

    def seats_held(self, request: Request) -> list[Pass]:
        """Passes of all seats that this browser has."""
        secrets = [value for name, value in request.cookies.items() if name.startswith(SEAT_COOKIES)]
        return [found for secret in secrets if (found := self.find(secret, PassKind.SEAT))]

    def owner(self, request: Request) -> Pass | None:
        """The owner's pass, if this browser has it."""
        return self.find(request.cookies.get(owner_cookie(request.url.port), ""), PassKind.OWNER)


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def owner_cookie(port: int | None) -> str:
    """Name of the owner's cookie at a port: browsers send a host's cookies to all of its ports."""
    return OWNER_COOKIE if port is None else f"{OWNER_COOKIE}-{port}"


def seat_cookie(table: str) -> str:
    """Name of a table's cookie: made from a digest, since a table's id may not be a valid cookie name."""
    return SEAT_COOKIES + digest(table)[:16]


def bearer_of(request: HTTPConnection) -> str | None:
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if scheme.casefold() == "bearer" else None


SECOND = 1000


def remember_owner(request: Request, answer: Response, secret: str) -> None:
    _set(request, answer, owner_cookie(request.url.port), secret, PassKind.OWNER)


def remember_seat(request: Request, answer: Response, table: str, secret: str) -> None:
    _set(request, answer, seat_cookie(table), secret, PassKind.SEAT)


def forget(request: Request, answer: Response, name: str) -> None:
    settings: Settings = request.app.state.context.settings
    answer.delete_cookie(name, settings.path + "/", secure=settings.secure, httponly=True, samesite="lax")


def _set(request: Request, answer: Response, name: str, secret: str, kind: PassKind) -> None:
    settings: Settings = request.app.state.context.settings
    answer.set_cookie(
        name,
        secret,
        max_age=LASTS[kind] // SECOND,
        path=settings.path + "/",
        secure=settings.secure,
        httponly=True,
        samesite="lax",
    )
