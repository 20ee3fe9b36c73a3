"""Passes and what they open: each for its own table and kind, for its time, and not a moment after it was revoked."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import HTTPConnection

from astragal.storage import open_store
from astragal.surfaces.web.security import auth as authentication
from astragal.surfaces.web.security.auth import (
    DAY,
    LASTS,
    REMEMBERED_FOR,
    BadOwnerKey,
    CachedPasses,
    PassAuth,
    bearer_of,
    device_cookie,
    digest,
)
from astragal.table.log.store import NoSuchTable, Pass, PassKind, Store
from tests.table.seated import LaidOnce, Seated, everyone


class Clock:
    """Milliseconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


class Door:
    """Passes on a real store, and requests that carry them."""

    def __init__(self, store: Store, seated: Seated) -> None:
        self.store, self.clock = store, Clock()
        self.table, self.seats = seated.table, seated.seats
        self.auth = self.another()

    def another(self, link_key: bytes | None = None) -> PassAuth:
        """Another process on the same store; with a key of its own, or none."""
        read_key: Callable[[], bytes] | None = (lambda: link_key) if link_key else None
        return PassAuth(self.store.passes, clock=self.clock, entropy=secrets.token_bytes, link_key=read_key)

    def seat_of(self, *, table: str | None = None, **headers: str) -> str | None:
        """The seat that a request with these headers may enter."""
        held = self.auth.held(request(**headers), table or self.table)
        return held.seat if held else None


def request(**headers: str) -> HTTPConnection:
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    return HTTPConnection({"type": "http", "headers": raw})


def cookies(*devices: str) -> str:
    return "; ".join(f"{device_cookie(device)}={device}" for device in devices)


@pytest.fixture
def door(laid_once: LaidOnce, tmp_path: Path) -> Iterator[Door]:
    seated = laid_once(everyone)
    with closing(open_store(f"sqlite:///{tmp_path}/tables.db")) as store:
        yield Door(store, seated)


# ---------------------------------------------------------------- kinds and times


def test_a_secret_opens_only_what_its_kind_does(door: Door) -> None:
    for kind in (PassKind.OWNER_LINK, PassKind.INVITATION, PassKind.TOKEN):
        table = None if kind is PassKind.OWNER_LINK else door.table
        secret = door.auth.issue(kind, table, door.seats["Bo"] if table else None)
        for asked in PassKind:
            assert (door.auth.find(secret, asked) is not None) == (asked is kind)
        assert door.auth.find(secret, *PassKind)
        assert (door.auth.token(secret) is not None) == (kind is PassKind.TOKEN)
        assert door.auth.opens_as_owner(secret) == (kind is PassKind.OWNER_LINK)


@pytest.mark.parametrize(("kind", "days"), [(PassKind.OWNER_LINK, 7), (PassKind.INVITATION, 14), (PassKind.TOKEN, 180)])
def test_a_secret_lasts_as_long_as_its_kind_and_no_longer(door: Door, kind: PassKind, days: int) -> None:
    secret = door.auth.issue(kind, None if kind is PassKind.OWNER_LINK else door.table)
    assert LASTS[kind] == days * DAY
    door.clock.now += days * 24 * 60 * 60 * 1000 - 1
    assert door.auth.find(secret, kind)
    assert door.auth.is_good(digest(secret))
    door.clock.now += 1
    assert door.auth.find(secret, kind) is None
    assert not door.auth.is_good(digest(secret))


def test_what_is_no_secret_opens_nothing(door: Door) -> None:
    secret = door.auth.issue(PassKind.TOKEN, door.table, door.seats["Bo"])
    for wrong in ("", "x", "x" * 101, secret[:-1], secret + "x", digest(secret)):
        assert door.auth.find(wrong, *PassKind) is None
    assert not door.auth.is_good(digest("x"))


def test_the_store_has_no_secret(door: Door) -> None:
    secret = door.auth.issue(PassKind.TOKEN, door.table, door.seats["Bo"], {"copilot": True})
    (stored,) = door.store.passes.of_table(door.table)
    assert stored.digest == digest(secret)
    assert stored.options == {"copilot": True}
    assert secret not in str(stored)
    assert len({door.auth.new_secret() for _ in range(100)}) == 100
    assert len(door.auth.new_secret()) == 43  # 256 bits


# ---------------------------------------------------------------- the owner's key


@pytest.mark.parametrize("key", ["k" * 20, "k" * 100, "a key with some spaces"])
def test_an_owners_key_opens_as_owner_and_only_that_one(door: Door, key: str) -> None:
    assert door.auth.take_owner_key(key) == key
    assert door.auth.opens_as_owner(key)
    for wrong in ("", key[:-1], key + "k", digest(key)):
        assert not door.auth.opens_as_owner(wrong)


@pytest.mark.parametrize("key", ["", "k" * 19, "k" * 101, "ü" * 30, "k" * 30 + "\n", "k" * 30 + "\x7f"])
def test_an_owners_key_that_could_be_guessed_or_mistyped_is_refused(door: Door, key: str) -> None:
    with pytest.raises(BadOwnerKey, match="20 to 100 plain characters"):
        door.auth.take_owner_key(key)
    assert not door.auth.opens_as_owner(key)


def test_without_a_key_nothing_opens_as_owner_but_a_link(door: Door) -> None:
    assert not door.auth.opens_as_owner("")
    assert not door.auth.opens_as_owner("k" * 30)
    assert door.auth.opens_as_owner(door.auth.issue(PassKind.OWNER_LINK))


# ---------------------------------------------------------------- tokens and devices


def test_a_token_opens_its_own_table_by_its_header_alone(door: Door) -> None:
    token = door.auth.issue(PassKind.TOKEN, door.table, door.seats["Bo"])
    assert door.seat_of(Authorization=f"Bearer {token}") == door.seats["Bo"]
    assert door.seat_of(Authorization=f"bearer  {token} ") == door.seats["Bo"]
    assert door.seat_of(Authorization=f"Basic {token}") is None
    assert door.seat_of(Authorization=token) is None
    assert door.seat_of(Cookie=cookies(token)) is None
    assert door.seat_of(table="another", Authorization=f"Bearer {token}") is None
    assert bearer_of(request()) is None


def test_a_link_is_no_token_and_a_device_is_none(door: Door) -> None:
    link = door.auth.issue(PassKind.INVITATION, door.table, door.seats["Bo"])
    device = door.auth.new_secret()
    door.auth.give_seat(device, door.table, door.seats["Bo"])
    for secret in (link, device):
        assert door.seat_of(Authorization=f"Bearer {secret}") is None


def test_whoever_sends_a_token_is_not_let_in_by_a_cookie_instead(door: Door) -> None:
    device = door.auth.new_secret()
    door.auth.give_seat(device, door.table, door.seats["Bo"])
    assert door.seat_of(Cookie=cookies(device)) == door.seats["Bo"]
    assert door.seat_of(Cookie=cookies(device), Authorization="Bearer wrong") is None
    token = door.auth.issue(PassKind.TOKEN, door.table, door.seats["Cy"])
    assert door.seat_of(Cookie=cookies(device), Authorization=f"Bearer {token}") == door.seats["Cy"]


def test_a_device_enters_the_tables_it_was_given_and_acts_for_nobody_else(door: Door) -> None:
    device, other = door.auth.new_secret(), door.auth.new_secret()
    door.auth.give_seat(device, door.table, door.seats["Bo"])
    assert door.seat_of(table="another", Cookie=cookies(device)) is None
    assert door.seat_of(Cookie=cookies(other)) is None
    assert door.seat_of() is None
    assert door.auth.owner(request(Cookie=cookies(device))) is None
    door.auth.make_owners(other)
    owner = door.auth.owner(request(Cookie=cookies(other)))
    assert owner is not None
    assert owner.kind is PassKind.OWNER
    assert door.seat_of(Cookie=cookies(other)) is None


def test_a_cookie_of_another_name_is_no_device(door: Door) -> None:
    device = door.auth.new_secret()
    door.auth.give_seat(device, door.table, door.seats["Bo"])
    assert door.seat_of(Cookie=f"another={device}") is None
    assert door.seat_of(Cookie=f"another=x; {cookies(device)}") == door.seats["Bo"]


def test_a_browser_keeps_its_device_and_a_stranger_is_given_a_new_one(door: Door) -> None:
    device = door.auth.new_secret()
    door.auth.give_seat(device, door.table, door.seats["Bo"])
    assert door.auth.device_secret(request(Cookie=cookies("unknown", device))) == device
    fresh = {door.auth.device_secret(request(Cookie=cookies("unknown"))) for _ in range(2)}
    assert len(fresh) == 2
    assert "unknown" not in fresh


def test_the_seats_of_a_browser_are_its_own_and_valid_ones(door: Door) -> None:
    device, other = door.auth.new_secret(), door.auth.new_secret()
    assert door.auth.seats_held(request(Cookie=cookies(device))) == []
    door.auth.give_seat(device, door.table, door.seats["Bo"])
    door.auth.make_owners(device)
    door.auth.give_seat(other, door.table, door.seats["Cy"])
    held = door.auth.seats_held(request(Cookie=cookies(device)))
    assert [seat.seat for seat in held] == [door.seats["Bo"]]
    door.auth.passes.revoke_seat(door.table, door.seats["Bo"], door.clock())
    assert door.auth.seats_held(request(Cookie=cookies(device))) == []


def test_a_devices_pass_is_past_after_half_a_year(door: Door) -> None:
    device = door.auth.new_secret()
    door.auth.give_seat(device, door.table, door.seats["Bo"])
    door.auth.make_owners(device)
    door.clock.now += 180 * DAY - 1
    assert door.seat_of(Cookie=cookies(device)) == door.seats["Bo"]
    assert door.auth.owner(request(Cookie=cookies(device)))
    door.clock.now += 1
    assert door.seat_of(Cookie=cookies(device)) is None
    assert door.auth.owner(request(Cookie=cookies(device))) is None


# ---------------------------------------------------------------- links


def test_a_link_to_a_seat_is_exchanged_once(door: Door) -> None:
    link = door.auth.issue(PassKind.INVITATION, door.table, door.seats["Bo"])
    first, second = door.auth.new_secret(), door.auth.new_secret()
    assert door.auth.sit_down(link, first)
    assert not door.auth.sit_down(link, second)
    assert door.seat_of(Cookie=cookies(first)) == door.seats["Bo"]
    assert door.seat_of(Cookie=cookies(second)) is None


def test_only_a_valid_link_to_a_seat_seats_anybody(door: Door) -> None:
    device = door.auth.new_secret()
    past = door.auth.issue(PassKind.INVITATION, door.table, door.seats["Bo"])
    door.clock.now += LASTS[PassKind.INVITATION]
    for link in (
        past,
        "nonsense",
        door.auth.issue(PassKind.INVITATION, door.table),
        door.auth.issue(PassKind.TOKEN, door.table, door.seats["Bo"]),
    ):
        assert not door.auth.sit_down(link, device)
    assert door.seat_of(Cookie=cookies(device)) is None


def test_by_the_link_to_a_table_a_free_seat_is_taken_once(door: Door) -> None:
    link = door.auth.renew_table_link(door.table)
    first, second = door.auth.new_secret(), door.auth.new_secret()
    assert door.auth.take_free_seat(link, door.seats["Bo"], first)
    assert not door.auth.take_free_seat(link, door.seats["Bo"], second)
    assert door.auth.take_free_seat(link, door.seats["Cy"], second)
    assert door.auth.taken_seats(door.table) == {door.seats["Bo"], door.seats["Cy"]}
    for wrong in ("nonsense", door.auth.issue(PassKind.TOKEN, door.table), door.auth.issue(PassKind.OWNER_LINK)):
        assert not door.auth.take_free_seat(wrong, door.seats["Di"], door.auth.new_secret())


def test_a_seat_with_a_link_of_its_own_counts_as_taken_until_the_link_is_past(door: Door) -> None:
    door.auth.issue(PassKind.INVITATION, door.table, door.seats["Bo"])
    assert door.auth.taken_seats(door.table) == {door.seats["Bo"]}
    assert door.auth.taken_seats("another") == frozenset()
    door.clock.now += LASTS[PassKind.INVITATION]
    assert door.auth.taken_seats(door.table) == frozenset()


def test_the_link_to_a_table_is_shown_by_every_process_with_the_key(door: Door) -> None:
    here, there, stranger = door.another(b"k" * 32), door.another(b"k" * 32), door.another(b"x" * 32)
    assert here.table_link(door.table) == ""
    link = here.renew_table_link(door.table)
    assert here.table_link(door.table) == there.table_link(door.table) == link
    assert stranger.table_link(door.table) == ""
    assert here.table_link("another") == ""
    assert stranger.find(link, PassKind.INVITATION)  # it works at all of them


def test_a_new_link_to_a_table_ends_the_earlier_one_and_no_link_to_a_seat(door: Door) -> None:
    to_seat = door.auth.issue(PassKind.INVITATION, door.table, door.seats["Bo"])
    first = door.auth.renew_table_link(door.table)
    second = door.auth.renew_table_link(door.table)
    assert first != second
    assert [door.auth.find(link, PassKind.INVITATION) is not None for link in (first, second, to_seat)] == [
        False,
        True,
        True,
    ]
    door.auth.withdraw_table_link(door.table)
    assert door.auth.table_link(door.table) == ""
    assert door.auth.find(second, PassKind.INVITATION) is None
    assert door.auth.find(to_seat, PassKind.INVITATION)


def test_the_newest_link_to_a_table_is_the_one_that_is_shown(door: Door) -> None:
    door.auth.renew_table_link(door.table)
    door.clock.now += 1
    elsewhere = door.another(b"x" * 32)
    newest = elsewhere._derived(door.table, "salt")  # noqa: SLF001 - two processes that make one at the same moment
    stored = elsewhere._new(digest(newest), PassKind.INVITATION, table=door.table, options={"salt": "salt"})  # noqa: SLF001 - as above
    elsewhere.passes.issue(stored)
    assert elsewhere.table_link(door.table) == newest
    assert len(door.auth.table_links(door.table)) == 2
    door.clock.now += LASTS[PassKind.INVITATION] - 1
    assert len(door.auth.table_links(door.table)) == 1
    assert elsewhere.table_link(door.table) == newest


# ---------------------------------------------------------------- revoked here, revoked elsewhere


def revocations(door: Door, passes: CachedPasses, name: str, device: str) -> dict[str, Callable[[], None]]:
    now, bo = door.clock(), door.seats["Bo"]
    return {
        "by its digest": lambda: passes.revoke(name, now),
        "with its seat": lambda: passes.revoke_seat(door.table, bo, now),
        "with its table": lambda: passes.revoke_table(door.table, now),
        "with its device": lambda: passes.revoke_device(digest(device), now),
    }


@pytest.mark.parametrize("how", ["by its digest", "with its seat", "with its table", "with its device"])
def test_whatever_is_revoked_here_is_over_at_once(door: Door, how: str) -> None:
    device = door.auth.new_secret()
    door.auth.give_seat(device, door.table, door.seats["Bo"])
    held = door.auth.held(request(Cookie=cookies(device)), door.table)
    assert held is not None
    assert door.auth.is_good(held.digest)
    revocations(door, door.auth.passes, held.digest, device)[how]()
    assert door.seat_of(Cookie=cookies(device)) is None
    assert not door.auth.is_good(held.digest)


def test_one_kind_of_a_seats_passes_is_revoked_alone(door: Door) -> None:
    token = door.auth.issue(PassKind.TOKEN, door.table, door.seats["Bo"])
    link = door.auth.issue(PassKind.INVITATION, door.table, door.seats["Bo"])
    door.auth.passes.revoke_seat(door.table, door.seats["Bo"], door.clock(), [PassKind.TOKEN])
    assert door.auth.token(token) is None
    assert door.auth.find(link, PassKind.INVITATION)


def test_what_another_process_revoked_is_over_when_it_is_told_or_five_seconds_later(door: Door) -> None:
    token = door.auth.issue(PassKind.TOKEN, door.table, door.seats["Bo"])
    assert door.auth.token(token)
    door.store.passes.revoke_table(door.table, door.clock())
    assert door.auth.token(token)
    door.clock.now += REMEMBERED_FOR - 1
    assert door.auth.token(token)
    door.clock.now += 1
    assert door.auth.token(token) is None

    token = door.auth.issue(PassKind.TOKEN, door.table, door.seats["Bo"])
    assert door.auth.token(token)
    door.store.passes.revoke_table(door.table, door.clock())
    door.auth.passes.drop()
    assert door.auth.token(token) is None


def test_a_clock_that_is_set_back_does_not_keep_a_pass_alive(door: Door) -> None:
    token = door.auth.issue(PassKind.TOKEN, door.table, door.seats["Bo"])
    assert door.auth.token(token)
    door.store.passes.revoke_table(door.table, door.clock())
    door.clock.now -= 1
    assert door.auth.token(token) is None


class CountedPasses:
    """The passes of a store, and how often one was looked up there."""

    def __init__(self, stored: Any) -> None:
        self.stored, self.count = stored, 0

    def find(self, name: str) -> Pass | None:
        self.count += 1
        found: Pass | None = self.stored.find(name)
        return found


def test_a_pass_is_looked_up_once_in_a_while_and_what_is_no_pass_every_time(door: Door) -> None:
    name = digest(door.auth.issue(PassKind.TOKEN, door.table, door.seats["Bo"]))
    counted: Any = CountedPasses(door.store.passes)
    cache = CachedPasses(counted, door.clock)
    assert all(cache.find(name) for _ in range(3))
    assert counted.count == 1
    assert not any(cache.find("nonsense") for _ in range(2))
    assert counted.count == 3


def test_the_cache_of_passes_has_a_bound(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authentication, "MOST_REMEMBERED", 2)
    tokens = [door.auth.issue(PassKind.TOKEN, door.table, door.seats["Bo"]) for _ in range(3)]
    for token in (*tokens, *tokens):
        assert door.auth.token(token)
        assert len(door.auth.passes._passes) <= 2  # noqa: SLF001 - nothing else shows it


def test_a_device_that_takes_another_seat_is_out_of_the_first_at_once(door: Door) -> None:
    device = door.auth.new_secret()
    for name in ("Bo", "Cy"):
        door.auth.give_seat(device, door.table, door.seats[name])
        assert door.seat_of(Cookie=cookies(device)) == door.seats[name]


def test_no_pass_is_made_for_a_table_that_is_not_there(door: Door) -> None:
    with pytest.raises(NoSuchTable):
        door.auth.issue(PassKind.TOKEN, "another", "seat")
