"""A page is kept up by its stream: cards and panels as they change, from where it was, and for as long as it may."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from astragal.fair import verify
from astragal.surfaces.web.security.auth import digest
from tests.surfaces.web.served import Served, served
from tests.surfaces.web.serving import Caller, Listening


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    with served(f"sqlite:///{tmp_path}/tables.db") as found:
        yield found


def stream_of(table: Served, caller: Caller) -> str:
    """The address that the page gives to its stream."""
    status, read = caller.call("GET", table.page)
    assert status == 200
    _, _, after = read.decode().partition('hx-sse:connect="')
    return after.partition('"')[0].replace("&amp;", "&")


def listen(table: Served, name: str) -> Listening:
    found = table.at(name).listen(stream_of(table, table.at(name)))
    assert found.status == 200
    found.wait_until_begun()
    return found


def test_a_deed_in_one_window_is_a_card_in_another(table: Served) -> None:
    di = listen(table, "Di")
    table.seated.dice.faces += [6]
    table.seated.act("Bo", "dare", who="Kira", danger=4)
    told = di.until("#log")
    assert '<hx-partial hx-target="#log" hx-swap="beforeend"><article' in told.data
    assert "Kira" in told.data
    assert told.id.partition(".")[0] == table.seated.host.follow(table.seated.table, table.seated.seats["Di"]).cursor


def test_a_page_that_is_up_to_date_is_told_nothing_at_first(table: Served) -> None:
    di = listen(table, "Di")
    table.seated.act("Ada", "say", words="the first word")
    assert "the first word" in di.next().data


def test_every_page_is_given_a_receipt_of_what_another_seat_did(table: Served) -> None:
    """So what is promised when somebody sits down can't be replaced when they ask for a roll."""
    di = listen(table, "Di")
    host, seat = table.seated.host, table.seated.seats["Di"]
    table.seated.act("Ada", "take_seat", name="Eve")
    ledger = list(host.ledger(table.seated.table, seat))
    while (receipt := di.next_receipt()).line < len(ledger) - 1:
        pass
    assert receipt.table == table.seated.table
    assert verify(ledger, [receipt]).receipts == 1


def test_only_panels_that_changed_are_sent(table: Served) -> None:
    bo = listen(table, "Bo")
    table.seated.dice.faces += [2]
    table.seated.act("Bo", "dare", who="Kira", danger=4)
    asked = bo.until("panel-pending")
    assert "panel-safety" not in asked.data
    assert "panel-hero" not in asked.data


def test_what_happened_between_page_and_stream_is_told(table: Served) -> None:
    address = stream_of(table, table.at("Bo"))
    table.seated.act("Ada", "say", words="in between")
    table.seated.act("Ada", "write_note", title="A map", words="north is up")
    bo = table.at("Bo").listen(address)
    told = bo.next().data
    assert "in between" in told
    assert "A map" in told


def test_a_stream_goes_on_from_the_last_message_that_was_heard(table: Served) -> None:
    bo = listen(table, "Bo")
    table.seated.act("Ada", "say", words="first")
    heard = bo.until("first")
    bo.close()
    table.seated.act("Ada", "say", words="second")
    table.seated.act("Ada", "say", words="third")
    again = table.at("Bo").listen(f"{table.page}/events?after=player-1", after=heard.id)
    told = again.until("third").data
    assert "first" not in told
    assert told.index("second") < told.index("third")


@pytest.mark.parametrize("cursor", ["game master-3", "player-99999", "nonsense", "player-٣"])
def test_a_cursor_that_is_not_known_makes_the_page_load_again(table: Served, cursor: str) -> None:
    bo = table.at("Bo").listen(f"{table.page}/events?after={quote(cursor)}")
    assert bo.next().event == "reload"


@pytest.mark.slow
def test_a_page_that_is_too_far_behind_loads_again(table: Served) -> None:
    address = stream_of(table, table.at("Bo"))
    for number in range(201):
        table.seated.act("Ada", "say", words=f"word {number}")
    bo = table.at("Bo").listen(address)
    assert bo.next().event == "reload"


def test_a_seat_that_is_emptied_is_told_so_and_stays_outside(table: Served) -> None:
    bo = listen(table, "Bo")
    table.seated.act("Ada", "leave_seat", seat=table.seated.seats["Bo"])
    while bo.next().event != "gone":
        pass
    assert bo.ended()
    assert table.at("Bo").call("GET", f"{table.page}/events")[0] == 401


def test_a_pass_that_is_revoked_ends_its_stream(table: Served) -> None:
    bo = listen(table, "Bo")
    secret = table.at("Bo").cookie.partition("=")[2]
    table.context.auth.passes.revoke_device(digest(secret), table.context.auth.clock())
    table.seated.act("Ada", "say", words="he should not hear this")
    assert bo.ended()
    assert b"event: gone" in bo.bytes
    assert b"should not hear" not in bo.bytes


def test_nobody_comes_in_without_a_seat(table: Served) -> None:
    assert Caller(table.port, "").call("GET", f"{table.page}/events")[0] == 401


def test_who_is_there_is_seen_by_others(table: Served) -> None:
    bo = listen(table, "Bo")
    listen(table, "Cy")
    assert "panel-people" in bo.until("Cy, player, here").data


def test_the_game_master_who_hands_over_gets_another_page(table: Served) -> None:
    ada = listen(table, "Ada")
    table.seated.act("Ada", "hand_over", seat=table.seated.seats["Bo"])
    while (told := ada.next()).event != "reload":
        assert told.event == ""
