"""One pass for a browser: cookies of earlier versions are exchanged for it, and nothing is lost when windows race."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from astragal.surfaces.web.security.auth import DAY, DEVICE_COOKIES, digest
from astragal.surfaces.web.security.devices import MOST_DELETED, MOST_UNKNOWN
from astragal.surfaces.web.settings import Settings
from astragal.table.log.store import PassKind
from tests.surfaces.web.open_tables import PORT, AtSeat, Clock, OpenTable, Web, bring, opened_web
from tests.surfaces.web.serving import Caller

PROXY_HEADERS = 4096
"""Bytes of a response's headers that nginx takes as it comes."""


@pytest.fixture
def table(web: Web) -> OpenTable:
    return web.table(name="The Gorge")


def empty_table(web: Web, number: int) -> AtSeat:
    """A table with nobody but its game master, which is laid quickly."""
    opened = web.host.open("new_shoes", name=f"Table {number}", game_master="Ada")
    return AtSeat(opened.table, opened.seat)


def earlier_cookie(web: Web, at: AtSeat) -> tuple[str, str]:
    """The cookie that earlier versions gave to a browser with a seat."""
    return f"astragal-seat-{digest(at.table)[:16]}", web.context.auth.issue(PassKind.SEAT, at.table, at.seat)


def earlier_owner(web: Web) -> tuple[str, str]:
    return f"astragal-owner-{PORT}", web.context.auth.issue(PassKind.OWNER)


def is_in(client: TestClient, at: AtSeat) -> bool:
    return client.get(f"/t/{at.table}/people").status_code == 200


def names_of_cookies(client: TestClient) -> list[str]:
    return [cookie.name for cookie in client.cookies.jar]


# ---------------------------------------------------------------- from earlier versions


def test_cookies_of_earlier_versions_become_one_without_anybody_noticing(web: Web, table: OpenTable) -> None:
    other = web.table(name="The Cliff")
    client = web.client()
    bring(client, earlier_cookie(web, table["Bo"]))
    bring(client, earlier_cookie(web, other["Cy"]))
    bring(client, earlier_owner(web))
    assert is_in(client, table["Bo"])
    (name,) = names_of_cookies(client)
    assert name.startswith(DEVICE_COOKIES)
    assert is_in(client, table["Bo"])
    assert is_in(client, other["Cy"])
    assert "What shall we play?" in client.get("/").text or "Continue" in client.get("/").text
    assert "1 device at this seat." in web.client(table.game_master).get(f"/t/{table.id}/people").text


def test_a_hundred_and_more_cookies_are_exchanged_at_once_and_deleted_little_by_little(web: Web) -> None:
    tables = [empty_table(web, number) for number in range(120)]
    client = web.client()
    for at in tables:
        bring(client, earlier_cookie(web, at))
    bring(client, earlier_owner(web))
    assert is_in(client, tables[0])
    with_device = dict(client.cookies)
    assert len(with_device) == len(tables) + 2 - MOST_DELETED
    for at in tables:
        assert is_in(client, at)
    assert [len(names_of_cookies(client)), len(client.cookies)] == [1, 1]
    assert client.post("/tables", data={"game": "new_shoes"}).status_code == 303, "and it is still the owner's"


def test_a_proxy_takes_the_answer_that_deletes_the_cookies(web: Web) -> None:
    client = web.client()
    for number in range(40):
        bring(client, earlier_cookie(web, empty_table(web, number)))
    answer = client.get("/")
    assert len(answer.headers.get_list("Set-Cookie")) == MOST_DELETED + 1
    assert sum(len(name) + len(value) + 4 for name, value in answer.headers.multi_items()) < PROXY_HEADERS


def test_requests_at_the_same_moment_are_given_the_same_device(web: Web, table: OpenTable) -> None:
    other = web.table(name="The Cliff")
    cookies = [earlier_cookie(web, table["Bo"]), earlier_cookie(web, other["Cy"])]

    def first_request(at: AtSeat) -> list[str]:
        client = web.client()
        for cookie in cookies:
            bring(client, cookie)
        assert is_in(client, at)
        return [cookie.value or "" for cookie in client.cookies.jar]

    with ThreadPoolExecutor(4) as pool:
        devices = list(pool.map(first_request, [table["Bo"], other["Cy"]] * 2))
    assert len({tuple(values) for values in devices}) == 1


def test_an_answer_that_was_lost_is_given_again(web: Web, table: OpenTable) -> None:
    cookie = earlier_cookie(web, table["Bo"])
    answers = [web.client().get(f"/t/{table.id}", headers={"Cookie": "=".join(cookie)}) for _ in range(2)]
    devices = [answer.headers.get_list("Set-Cookie")[0] for answer in answers]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert devices[0].startswith(DEVICE_COOKIES)
    assert devices[0] == devices[1]


def test_what_may_be_cached_carries_no_device(web: Web, table: OpenTable) -> None:
    client = web.client()
    bring(client, earlier_cookie(web, table["Bo"]))
    assert "Set-Cookie" not in client.get("/manifest.webmanifest").headers
    assert "Set-Cookie" in client.get("/").headers


def test_a_seat_that_was_signed_out_before_the_exchange_stays_so(web: Web, table: OpenTable) -> None:
    other = web.table(name="The Cliff")
    client = web.client()
    bring(client, earlier_cookie(web, table["Bo"]))
    bring(client, earlier_cookie(web, other["Cy"]))
    web.client(table.game_master).post(f"/t/{table.id}/people/sign-out", data={"seat": table.seats["Bo"]})
    assert not is_in(client, table["Bo"])
    assert is_in(client, other["Cy"])
    assert len(names_of_cookies(client)) == 1


def test_a_cookie_of_an_earlier_version_opens_its_own_seat_alone(web: Web, table: OpenTable) -> None:
    other = web.table(name="The Cliff")
    stolen = earlier_cookie(web, table["Bo"])
    client = web.client()
    for cookie in (stolen, earlier_cookie(web, other["Cy"])):
        bring(client, cookie)
    assert is_in(client, other["Cy"])
    thief = web.client()
    bring(thief, stolen)
    assert not is_in(thief, other["Cy"])


def test_programs_and_streams_are_let_in_by_cookies_of_earlier_versions(live_web: Web) -> None:
    table = live_web.table()
    caller = Caller(int(live_web.address.rpartition(":")[2]), "=".join(earlier_cookie(live_web, table["Bo"])))
    stream = caller.listen(f"/t/{table.id}/events")
    assert stream.status == 200
    assert caller.post(f"/api/tables/{table.id}/commands/say", {"words": "here"})[0] == 200
    live_web.client(table.game_master).post(f"/t/{table.id}/people/remove", data={"seat": table.seats["Bo"]})
    assert stream.ended()
    caller.hang_up()


# ---------------------------------------------------------------- one pass


def test_a_browser_has_one_small_cookie_for_all_its_seats(web: Web, table: OpenTable) -> None:
    other = web.table(name="The Cliff")
    auth = web.context.auth
    client = web.client()
    client.post("/owner", data={"link": auth.issue(PassKind.OWNER_LINK)})
    for at in (table["Bo"], other["Cy"]):
        client.post("/join/take", data={"link": auth.issue(PassKind.INVITATION, at.table, at.seat)})
    assert is_in(client, table["Bo"])
    assert is_in(client, other["Cy"])
    assert client.get("/tables/new?game=new_shoes").status_code == 200
    (cookie,) = client.cookies.jar
    assert len(f"{cookie.name}={cookie.value}") < 80


def test_each_seat_of_a_device_is_taken_back_alone(web: Web, table: OpenTable) -> None:
    other = web.table(name="The Cliff")
    client = web.client(table["Bo"], owner=True)
    bring(client, web.cookie(other["Cy"]))
    assert is_in(client, other["Cy"])
    web.client(other.game_master).post(f"/t/{other.id}/people/sign-out", data={"seat": other.seats["Cy"]})
    assert not is_in(client, other["Cy"])
    assert is_in(client, table["Bo"])
    client.post("/owner/leave")
    assert client.get("/tables/new?game=new_shoes").status_code == 401
    assert is_in(client, table["Bo"])


def test_a_device_is_signed_out_of_everything(web: Web, table: OpenTable) -> None:
    other = web.table(name="The Cliff")
    client, elsewhere = web.client(table["Bo"], owner=True), web.client(table["Bo"])
    bring(client, web.cookie(other["Cy"]))
    stolen = dict(client.cookies)
    assert is_in(client, other["Cy"])
    assert "Sign out" in client.get("/").text
    assert client.post("/sign-out").headers["Location"] == "/"
    assert names_of_cookies(client) == []
    for again in (client, web.client()):
        bring(again, *stolen.items())
        assert not is_in(again, table["Bo"])
        assert not is_in(again, other["Cy"])
        assert again.get("/tables/new?game=new_shoes").status_code == 401
    assert is_in(elsewhere, table["Bo"])


def test_another_seat_at_a_table_sets_the_first_free(web: Web, table: OpenTable) -> None:
    client = web.client(table["Bo"])
    link = web.context.auth.issue(PassKind.INVITATION, table.id, table.seats["Cy"])
    client.post("/join/take", data={"link": link})
    assert web.context.auth.taken_seats(table.id) == {table.seats["Cy"]}


def test_a_device_lasts_as_long_as_its_last_seat(web: Web, table: OpenTable) -> None:
    clock = web.context.auth.clock
    assert isinstance(clock, Clock)
    client = web.client(table["Bo"])
    clock.now += 170 * DAY
    other = web.table(name="The Cliff")
    taken = client.post(
        "/join/take", data={"link": web.context.auth.issue(PassKind.INVITATION, other.id, other.seats["Cy"])}
    )
    assert "Max-Age=15552000" in taken.headers["Set-Cookie"], "the browser keeps it as long"
    clock.now += 20 * DAY
    assert not is_in(client, table["Bo"])
    assert is_in(client, other["Cy"])
    clock.now += 170 * DAY
    assert not is_in(client, other["Cy"])


def test_the_store_has_digests_alone(web: Web, table: OpenTable) -> None:
    client = web.client()
    bring(client, earlier_cookie(web, table["Bo"]))
    client.get("/")
    web.context.auth.renew_table_link(table.id)
    link = web.context.auth.table_link(table.id)
    (cookie,) = client.cookies.jar
    kept = b"".join(file.read_bytes() for file in Path(web.context.store.path).parent.iterdir())  # type: ignore[attr-defined]
    assert digest(cookie.value or "").encode() in kept
    for secret in (cookie.value or "", link):
        assert secret.encode() not in kept


# ---------------------------------------------------------------- races


def test_two_windows_that_join_two_tables_at_once_lose_neither_seat(web: Web, table: OpenTable) -> None:
    """Each is sent before the other's answer has come, by a browser that has no pass yet."""
    other = web.table(name="The Cliff")
    browser = web.client()
    for at in (table["Bo"], other["Cy"]):
        window = web.client()
        link = web.context.auth.issue(PassKind.INVITATION, at.table, at.seat)
        assert window.post("/join/take", data={"link": link}).status_code == 303
        bring(browser, *window.cookies.items())
    assert len(browser.cookies) == 2
    assert is_in(browser, table["Bo"])
    assert len(names_of_cookies(browser)) == 1
    assert is_in(browser, other["Cy"])


def test_two_windows_of_a_known_browser_that_join_at_once_lose_neither_seat(web: Web) -> None:
    tables = [web.table(name=f"Table {number}") for number in range(6)]
    browser = web.client(owner=True)

    def join(table: OpenTable) -> int:
        window = web.client()
        bring(window, *browser.cookies.items())
        link = web.context.auth.issue(PassKind.INVITATION, table.id, table.seats["Bo"])
        return window.post("/join/take", data={"link": link}).status_code

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(join, tables)) == [303] * 6
    for table in tables:
        assert is_in(browser, table["Bo"])


def test_a_seat_that_is_given_to_a_device_while_it_is_merged_is_not_lost(web: Web, table: OpenTable) -> None:
    """A window sends the pass that another window's request has just merged into the older one."""
    other = web.table(name="The Cliff")
    first, second = web.cookie(table["Bo"]), web.cookie(other["Bo"])
    browser = web.client()
    for cookie in (first, second):
        bring(browser, cookie)
    assert is_in(browser, table["Bo"])
    late = web.client()
    bring(late, second)
    third = web.table(name="The Ford")
    link = web.context.auth.issue(PassKind.INVITATION, third.id, third.seats["Bo"])
    assert late.post("/join/take", data={"link": link}).status_code == 303
    assert is_in(late, table["Bo"]), "what is sent late is answered as well"
    assert is_in(browser, third["Bo"])


# ---------------------------------------------------------------- other servers on the host


def test_two_servers_on_one_host_leave_each_others_seats_alone(web: Web, table: OpenTable, tmp_path: Path) -> None:
    """A browser sends the cookies of a host to all of its ports."""
    with opened_web(f"sqlite:///{tmp_path}/other.db", Settings.local(PORT + 1)) as there:
        other = there.table(name="The Cliff")
        jar = dict([web.cookie(table["Bo"]), there.cookie(other["Cy"]), earlier_cookie(there, other["Bo"])])
        for _ in range(2):
            for house, at in ((web, table["Bo"]), (there, other["Cy"])):
                client = house.client()
                bring(client, *jar.items())
                assert is_in(client, at)
                jar = dict(client.cookies)
    assert len(jar) == 2


def test_cookies_that_nobody_knows_do_not_pile_up(web: Web, table: OpenTable) -> None:
    client = web.client(table["Bo"])
    for number in range(MOST_UNKNOWN + 5):
        bring(client, (f"astragal-seat-{number:016}", f"of a table that was deleted {number}"))
    assert is_in(client, table["Bo"])
    names = names_of_cookies(client)
    assert len(names) == MOST_UNKNOWN + 1
    assert "astragal-seat-0000000000000000" not in names, "the oldest goes first"


@pytest.mark.parametrize("value", ["", "\u00e9", "x" * 5_000, '"quoted"', "a=b=c"])
def test_what_is_no_pass_is_harmless(web: Web, table: OpenTable, value: str) -> None:
    sent = {b"Cookie": f"astragal-device-x={value}; astragal-seat-y={value}; theme=dark; ;=".encode()}
    assert web.client().get("/", headers=sent).status_code == 200
    assert web.client().get(f"/t/{table.id}", headers=sent).status_code == 401


def test_a_store_that_is_away_is_said_by_the_page(web: Web, table: OpenTable) -> None:
    client = web.client()
    bring(client, earlier_cookie(web, table["Bo"]))
    web.context.store.close()
    assert client.get(f"/t/{table.id}").status_code == 503


# ---------------------------------------------------------------- the link to a table


def test_every_process_shows_the_same_link_and_so_does_the_next_start(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.db"
    key = b"k" * 32
    with opened_web(url, link_key=key) as here, opened_web(url, link_key=key) as there:
        table = here.table()
        link = here.context.auth.renew_table_link(table.id)
        assert there.context.auth.table_link(table.id) == link
        renewed = there.context.auth.renew_table_link(table.id)
        assert renewed != link
        assert here.context.auth.table_link(table.id) == renewed
        assert here.context.auth.find(link, PassKind.INVITATION) is None
    with opened_web(url, link_key=key) as later:
        assert later.context.auth.table_link(table.id) == renewed


def test_a_link_that_was_withdrawn_never_comes_back(web: Web, table: OpenTable) -> None:
    auth = web.context.auth
    links = []
    for _ in range(3):
        links.append(auth.renew_table_link(table.id))
        auth.withdraw_table_link(table.id)
        assert auth.table_link(table.id) == ""
        assert isinstance(auth.clock, Clock)
        auth.clock.now += 15 * DAY
    assert len(set(links)) == 3
    assert not any(auth.find(link, PassKind.INVITATION) for link in links)


def test_a_link_of_an_earlier_version_goes_on_working_until_a_new_one_is_made(web: Web, table: OpenTable) -> None:
    auth, gm = web.context.auth, web.client(table.game_master)
    earlier = auth.issue(PassKind.INVITATION, table.id)
    page = gm.get(f"/t/{table.id}/people").text
    assert "handed out earlier is still valid" in page
    assert "table-secret" not in page
    assert web.client().post("/join", data={"link": earlier}).status_code == 200
    gm.post(f"/t/{table.id}/people/table-link")
    assert "handed out earlier" not in gm.get(f"/t/{table.id}/people").text
    assert web.client().post("/join", data={"link": earlier}).status_code == 410


def test_a_server_with_another_secret_shows_nothing_wrong_and_lets_people_in(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.db"
    with opened_web(url, link_key=b"a" * 32) as here, opened_web(url, link_key=b"b" * 32) as there:
        table = here.table()
        link = here.context.auth.renew_table_link(table.id)
        assert there.context.auth.table_link(table.id) == ""
        assert there.client().post("/join", data={"link": link}).status_code == 200


def test_with_an_owners_key_links_are_the_same_on_every_machine(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.db"
    with opened_web(url, link_key=b"a" * 32) as here, opened_web(url, link_key=b"b" * 32) as there:
        for machine in (here, there):
            machine.context.auth.take_owner_key("at least twenty characters")
        table = here.table()
        assert here.context.auth.renew_table_link(table.id) == there.context.auth.table_link(table.id)
