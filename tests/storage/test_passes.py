"""Passes let somebody in once, or until they are revoked; presence says who is there."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from astragal.storage import open_store
from astragal.table.log.store import NoSuchTable, Pass, PassKind, Store
from tests.storage.batches import entries
from tests.storage.places import Place, finished
from tests.storage.test_races import at_once

DAY = 86_400_000
NOW = 1_700_000_000_000


def digest(name: str) -> str:
    return name.encode().hex().ljust(64, "0")[:64]


def invitation(name: str, table: str = "table", seat: str = "kira", **other: Any) -> Pass:
    one = Pass(
        digest=digest(name), kind=PassKind.INVITATION, table=table, seat=seat, made=NOW, until=NOW + DAY, options={}
    )
    return replace(one, **other)


def session(taken: Pass) -> Pass:
    return replace(
        taken, digest=digest(f"session of {taken.seat}"), kind=PassKind.SEAT, used=None, until=taken.until + DAY
    )


@pytest.fixture
def tables(store: Store) -> Store:
    store.create("table", entries(1))
    store.create("other", entries(1))
    return store


def test_a_pass_is_found_as_it_was_issued(tables: Store, other_store: Store) -> None:
    token = invitation("a", kind=PassKind.TOKEN, options={"copilot": True, "open_secrets": False})
    tables.passes.issue(token)
    assert other_store.passes.find(digest("a")) == token
    assert tables.passes.find(digest("b")) is None
    assert tables.passes.find("\0") is None
    assert token.is_good(NOW)
    assert not token.is_good(NOW + DAY)


def test_the_owner_has_passes_to_no_table(store: Store) -> None:
    link = Pass(digest=digest("owner"), kind=PassKind.OWNER_LINK, made=NOW, until=NOW + DAY)
    store.passes.issue(link)
    assert store.passes.find(digest("owner")) == link


def test_a_pass_to_no_table_that_is_there_is_refused(store: Store) -> None:
    with pytest.raises(NoSuchTable):
        store.passes.issue(invitation("a"))


def test_an_invitation_is_taken_once(tables: Store) -> None:
    tables.passes.issue(invitation("a"))
    made = tables.passes.take(digest("a"), NOW + 1, session)
    assert made
    assert tables.passes.find(made.digest) == made
    assert (made.table, made.seat, made.kind) == ("table", "kira", PassKind.SEAT)
    assert tables.passes.take(digest("a"), NOW + 2, session) is None
    used = tables.passes.find(digest("a"))
    assert used
    assert used.used == NOW + 1
    assert not used.is_good(NOW + 2)


def test_of_many_who_take_an_invitation_at_once_one_gets_it(tables: Store, other_store: Store) -> None:
    def take(store: Store, invited: str, name: str) -> Pass | None:
        return store.passes.take(digest(invited), NOW + 1, lambda taken: replace(session(taken), digest=digest(name)))

    for turn in range(5):
        tables.passes.issue(invitation(f"turn {turn}"))
        stores = (tables, other_store, tables, other_store, tables, other_store)
        found = at_once(*(partial(take, store, f"turn {turn}", f"{turn} {n}") for n, store in enumerate(stores)))
        assert sum(isinstance(one, Pass) for one in found) == 1
        assert found.count(None) == 5


def test_of_many_who_want_a_free_seat_at_once_one_gets_it(tables: Store, other_store: Store) -> None:
    """They come by the same link, and whichever process they reach asks the store."""
    stores = (tables, other_store, tables, other_store)
    for turn in range(8):
        wanted = [seat_of(f"{turn} {n}", f"seat {turn} {n}", seat=f"free {turn}") for n in range(4)]
        given = at_once(*(partial(store.passes.issue_if_free, one) for store, one in zip(stores, wanted, strict=True)))
        assert sorted(given) == [False, False, False, True]  # type: ignore[type-var]


def test_a_seat_is_free_again_once_its_passes_are_past(tables: Store) -> None:
    tables.passes.issue(invitation("link", until=NOW + 5))
    assert not tables.passes.issue_if_free(seat_of("phone", "a", made=NOW + 4))
    assert tables.passes.issue_if_free(seat_of("phone", "a", made=NOW + 5))
    tables.passes.revoke_seat("table", "kira", NOW + 6)
    assert tables.passes.issue_if_free(seat_of("laptop", "b", made=NOW + 7))
    with pytest.raises(NoSuchTable):
        tables.passes.issue_if_free(seat_of("phone", "c", table="nowhere"))


def test_what_fails_to_turn_into_another_is_not_used_up(tables: Store) -> None:
    tables.passes.issue(invitation("a"))
    with pytest.raises(NoSuchTable):
        tables.passes.take(digest("a"), NOW + 1, lambda taken: replace(session(taken), table="nowhere"))
    assert tables.passes.take(digest("a"), NOW + 1, session)


def test_past_and_revoked_invitations_are_not_taken(tables: Store) -> None:
    tables.passes.issue(invitation("past", until=NOW + 5))
    tables.passes.issue(invitation("revoked"))
    tables.passes.revoke(digest("revoked"), NOW + 1)
    assert tables.passes.take(digest("past"), NOW + 5, session) is None
    assert tables.passes.take(digest("revoked"), NOW + 5, session) is None


def test_passes_are_revoked_by_seat_by_kind_and_by_table(tables: Store) -> None:
    for one in (
        invitation("kira"),
        invitation("kira's phone", kind=PassKind.SEAT),
        invitation("bo", seat="bo"),
        invitation("elsewhere", table="other"),
    ):
        tables.passes.issue(one)

    def good() -> set[str]:
        listed = [*tables.passes.of_table("table"), *tables.passes.of_table("other")]
        return {bytes.fromhex(one.digest).rstrip(b"\0").decode() for one in listed if one.is_good(NOW + 9)}

    tables.passes.revoke_seat("table", "kira", NOW + 1, [PassKind.INVITATION])
    assert good() == {"kira's phone", "bo", "elsewhere"}
    tables.passes.revoke_seat("table", "kira", NOW + 2)
    assert good() == {"bo", "elsewhere"}
    tables.passes.revoke_table("table", NOW + 3)
    assert good() == {"elsewhere"}
    first = tables.passes.find(digest("kira"))
    assert first
    assert first.revoked == NOW + 1


def test_passes_that_are_past_are_forgotten(tables: Store, place: Place) -> None:
    tables.passes.issue(invitation("first"))
    tables.passes.issue(invitation("second", made=NOW + DAY, until=NOW + 2 * DAY))
    assert place.run("SELECT count(*) FROM passes") == [(1,)]


def test_a_deleted_table_takes_its_passes_with_it(tables: Store, place: Place) -> None:
    tables.passes.issue(invitation("a"))
    tables.passes.note_present("here", [("table", "kira")], [], NOW + 10, NOW)
    tables.delete("table")
    assert tables.passes.find(digest("a")) is None
    assert place.run("SELECT count(*) FROM presence") == [(0,)]


def test_who_is_there_is_known_to_all_processes_until_it_is_past(tables: Store, other_store: Store) -> None:
    kira, bo, away = ("table", "kira"), ("table", "bo"), ("other", "kira")
    one, two = tables.passes, other_store.passes
    assert one.note_present("one", [kira, bo, ("nowhere", "x")], [], NOW + 10, NOW) == 2
    assert two.note_present("two", [kira, away], [], NOW + 20, NOW) == 2
    assert one.present("table", NOW) == {"kira", "bo"}
    assert one.present("nowhere", NOW) == set()
    assert one.present("table", NOW + 10) == {"kira"}
    assert one.elsewhere("one", NOW) == {kira, away}
    assert one.elsewhere("one", NOW + 20) == set()
    assert one.note_present("one", [], [kira], NOW + 30, NOW + 2) == 1, "the others of a process stay as they are"
    assert two.elsewhere("two", NOW + 25) == {bo}
    assert one.note_present("one", [], [bo], NOW + 40, NOW + 4) == 0
    assert two.present("table", NOW + 5) == {"kira"}


def test_a_backup_holds_no_passes(tables: Store, tmp_path: Path) -> None:
    tables.passes.issue(invitation("a"))
    tables.passes.note_present("here", [("table", "kira")], [], NOW + 10, NOW)
    tables.backup(tmp_path / "backup.db")
    assert sorted(tmp_path.glob("backup*")) == [tmp_path / "backup.db"]
    opened = open_store(str(tmp_path / "backup.db"))
    assert opened.tables() == ["table", "other"]
    assert opened.passes.of_table("table") == []
    assert opened.passes.present("table", NOW) == set()
    opened.close()
    assert digest("a").encode() not in (tmp_path / "backup.db").read_bytes()


def test_a_restore_leaves_passes_as_they_are_now(tables: Store, tmp_path: Path) -> None:
    """Whoever was sent away since the backup stays away, and whoever sits here stays seated."""
    tables.passes.issue(invitation("sent away"))
    tables.passes.issue(invitation("stays"))
    tables.backup(tmp_path / "backup.db")
    tables.passes.revoke(digest("sent away"), NOW + 1)
    tables.create("later", entries(1))
    tables.passes.issue(invitation("to a later table", table="later"))
    owner = Pass(digest=digest("owner"), kind=PassKind.OWNER, made=NOW, until=NOW + DAY)
    tables.passes.issue(owner)
    tables.restore(tmp_path / "backup.db")
    stays, away = tables.passes.find(digest("stays")), tables.passes.find(digest("sent away"))
    assert stays == invitation("stays")
    assert away == invitation("sent away", revoked=NOW + 1)
    assert tables.passes.find(digest("to a later table")) is None
    assert tables.passes.find(digest("owner")) == owner


@pytest.mark.slow
@pytest.mark.parametrize("statement", ["1", "2", "3", "4"])
def test_who_is_killed_while_taking_an_invitation_has_taken_it_or_not(
    tables: Store, place: Place, statement: str
) -> None:
    tables.passes.issue(invitation("a"))
    code, said = finished("take_and_die", place.url, digest("a"), digest("session of kira"), statement)
    used = tables.passes.find(digest("a"))
    assert used
    assert (code < 0) == (said == "")
    assert (used.used is None) == (tables.passes.find(digest("session of kira")) is None)
    assert said != "taken\n" or used.used is not None


# ---------------------------------------------------------------- devices


def seat_of(device: str, name: str, table: str = "table", **other: Any) -> Pass:
    return invitation(name, table=table, kind=PassKind.SEAT, device=digest(device), **other)


def names_of(passes: list[Pass]) -> set[str]:
    return {one.digest for one in passes}


def test_a_device_comes_with_its_first_pass_and_lasts_as_long_as_its_last(tables: Store, other_store: Store) -> None:
    tables.passes.issue(seat_of("phone", "a"))
    tables.passes.issue(seat_of("phone", "b", table="other", until=NOW + 3 * DAY))
    tables.passes.issue(invitation("own", table=None, seat=None, kind=PassKind.OWNER, device=digest("phone")))  # type: ignore[arg-type]
    device = other_store.passes.find(digest("phone"))
    assert device == Pass(digest=digest("phone"), kind=PassKind.DEVICE, made=NOW, until=NOW + 3 * DAY)
    assert names_of(other_store.passes.of_device(digest("phone"))) == {digest(name) for name in ("a", "b", "own")}
    for kind, table, name in (
        (PassKind.SEAT, "table", "a"),
        (PassKind.SEAT, "other", "b"),
        (PassKind.OWNER, None, "own"),
    ):
        found = other_store.passes.newest_of_device(digest("phone"), kind, table)
        assert found
        assert found.digest == digest(name)
    assert other_store.passes.newest_of_device(digest("phone"), PassKind.SEAT, "\0") is None
    assert other_store.passes.newest_of_device(digest("laptop"), PassKind.SEAT, "table") is None


def test_a_device_has_one_seat_at_a_table(tables: Store) -> None:
    for name in ("a", "b"):
        tables.passes.issue(seat_of("phone", name, made=NOW + (name == "b")))
    tables.passes.issue(seat_of("laptop", "c"))
    tables.passes.issue(seat_of("phone", "d", table="other"))
    revoked = {one.digest for one in tables.passes.of_table("table") if one.revoked}
    assert revoked == {digest("a")}
    found = tables.passes.newest_of_device(digest("phone"), PassKind.SEAT, "table")
    assert found == seat_of("phone", "b", made=NOW + 1)


def test_an_invitation_is_taken_for_a_device(tables: Store) -> None:
    tables.passes.issue(invitation("link"))
    taken = tables.passes.take(digest("link"), NOW + 1, lambda used: replace(session(used), device=digest("phone")))
    assert taken
    assert names_of(tables.passes.of_device(digest("phone"))) == {taken.digest}


def test_devices_are_merged_with_all_that_belongs_to_them(tables: Store) -> None:
    tables.passes.issue(seat_of("phone", "a"))
    tables.passes.issue(seat_of("second", "b", table="other"))
    tables.passes.issue(invitation("of an earlier version", kind=PassKind.SEAT))
    for _ in range(2):
        merged = [digest("second"), digest("of an earlier version"), digest("nobody's"), digest("phone")]
        tables.passes.merge(digest("phone"), merged, NOW + 1, NOW + 2 * DAY)
    belonging = names_of(tables.passes.of_device(digest("phone")))
    assert belonging == {digest(name) for name in ("a", "b", "second", "of an earlier version")}
    device = tables.passes.find(digest("phone"))
    assert device
    assert (device.device, device.until) == (None, NOW + 2 * DAY)
    tables.passes.merge(digest("oldest"), [digest("phone")], NOW + 2, NOW + DAY)
    assert len(tables.passes.of_device(digest("oldest"))) == 5
    tables.passes.merge(digest("second"), [digest("oldest")], NOW + 3, NOW + DAY)
    oldest = tables.passes.find(digest("oldest"))
    assert oldest
    assert oldest.device is None, "no device belongs to one that belongs to it"


def test_a_seat_given_to_a_device_while_it_is_merged_belongs_to_both(tables: Store, other_store: Store) -> None:
    for turn in range(12):
        tables.passes.issue(seat_of(f"second {turn}", f"first {turn}"))
        given = seat_of(f"second {turn}", f"late {turn}", table="other")
        at_once(
            partial(tables.passes.merge, digest("phone"), [digest(f"second {turn}")], NOW + 1, NOW + DAY),
            partial(other_store.passes.issue, given),
        )
        belonging = names_of(tables.passes.of_device(digest("phone")))
        assert {digest(f"first {turn}"), given.digest} <= belonging


def test_passes_are_revoked_with_their_device(tables: Store) -> None:
    tables.passes.issue(seat_of("phone", "a"))
    tables.passes.issue(seat_of("laptop", "b"))
    tables.passes.issue(seat_of("second", "c", table="other"))
    tables.passes.merge(digest("phone"), [digest("second")], NOW, NOW + DAY)
    tables.passes.revoke_device(digest("phone"), NOW + 1)
    revoked = tables.passes.find_all([digest(name) for name in ("phone", "laptop", "second", "a", "b", "c", "d")])
    assert {name for name, one in revoked.items() if one.revoked} == {
        digest(name) for name in ("phone", "second", "a", "c")
    }
    assert digest("d") not in revoked


def test_a_restore_leaves_devices_their_seats(tables: Store, tmp_path: Path) -> None:
    tables.passes.issue(seat_of("phone", "a"))
    tables.backup(tmp_path / "backup.db")
    tables.restore(tmp_path / "backup.db")
    assert tables.passes.of_device(digest("phone")) == [seat_of("phone", "a")]
    assert tables.passes.find(digest("phone"))
