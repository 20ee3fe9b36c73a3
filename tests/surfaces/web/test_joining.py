"""Invitations: one use, one seat, revocable; and devices that come back."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from astragal.surfaces.web.security.auth import DAY, device_cookie
from astragal.table.log.store import PassKind
from tests.surfaces.web.open_tables import AtSeat, Clock, OpenTable, Web


def invitation(web: Web, at: AtSeat) -> str:
    return web.context.auth.issue(PassKind.INVITATION, at.table, at.seat)


@pytest.fixture
def table(web: Web) -> OpenTable:
    return web.table(name="The Gorge")


def test_the_page_itself_knows_no_secret(web: Web) -> None:
    page = web.client().get("/join")
    assert page.status_code == 200
    assert "data-fragment" in page.text


def test_a_link_shows_table_and_seat_before_it_is_used(web: Web, table: OpenTable) -> None:
    secret = invitation(web, table["Bo"])
    client = web.client()
    for _ in range(3):
        shown = client.post("/join", data={"link": f"{web.address}/join#{secret}"})
        assert shown.status_code == 200
        for words in ("The Gorge", "Sinew &amp; Steel", "Bo", "player", "run by Ada"):
            assert words in shown.text
    assert client.get(f"/t/{table.id}/people").status_code == 401


def test_a_link_seats_one_browser_once(web: Web, table: OpenTable) -> None:
    secret = invitation(web, table["Bo"])
    first, second = web.client(), web.client()
    taken = first.post("/join/take", data={"link": secret, "name": "Bodil"})
    assert (taken.status_code, taken.headers["Location"]) == (303, f"/t/{table.id}")
    assert secret not in taken.headers["Set-Cookie"]
    people = first.get(f"/t/{table.id}/people").text
    assert "Bodil" in people
    for path in ("/join", "/join/take"):
        refused = second.post(path, data={"link": secret})
        assert refused.status_code == 410
        assert "Ask the game master for a new one" in refused.text
        assert "Set-Cookie" not in refused.headers


def test_of_many_who_click_at_once_one_gets_the_seat(web: Web, table: OpenTable) -> None:
    secret = invitation(web, table["Bo"])
    clients = [web.client() for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda client: client.post("/join/take", data={"link": secret}).status_code, clients))
    assert sorted(found) == [303] + [410] * 5


def test_whoever_follows_their_own_old_link_is_led_to_their_seat(web: Web, table: OpenTable) -> None:
    secret = invitation(web, table["Bo"])
    client = web.client()
    client.post("/join/take", data={"link": secret})
    for path in ("/join", "/join/take"):
        again = client.post(path, data={"link": secret})
        assert (again.status_code, again.headers["Location"]) == (303, f"/t/{table.id}")


def test_a_name_that_is_taken_is_said_and_the_link_is_still_good(web: Web, table: OpenTable) -> None:
    secret = invitation(web, table["Bo"])
    client = web.client()
    refused = client.post("/join/take", data={"link": secret, "name": "cy"})
    assert refused.status_code == 422
    assert "Somebody called cy sits here already." in refused.text
    assert client.post("/join/take", data={"link": secret, "name": ""}).status_code == 303


def test_a_second_device_comes_by_a_second_link_and_the_first_one_stays(web: Web, table: OpenTable) -> None:
    phone, laptop = web.client(), web.client()
    phone.post("/join/take", data={"link": invitation(web, table["Bo"])})
    laptop.post("/join/take", data={"link": invitation(web, table["Bo"])})
    for device in (phone, laptop):
        assert device.get(f"/t/{table.id}/people").status_code == 200


def test_another_seat_on_the_same_device_takes_the_place_of_the_first(web: Web, table: OpenTable) -> None:
    client = web.client(table["Bo"])
    secret = invitation(web, table["Cy"])
    assert "This device already sits at this table as Bo" in client.post("/join", data={"link": secret}).text
    client.post("/join/take", data={"link": secret})
    people = client.get(f"/t/{table.id}/people").text
    assert re.search(r"Cy</h2>.*?you</span>", people, re.DOTALL)


def test_a_link_is_past_after_two_weeks_and_a_device_after_half_a_year(web: Web, table: OpenTable) -> None:
    clock = web.context.auth.clock
    assert isinstance(clock, Clock)
    early, late = invitation(web, table["Bo"]), web.client(table["Cy"])
    clock.now += 14 * DAY
    assert web.client().post("/join", data={"link": early}).status_code == 410
    assert late.get(f"/t/{table.id}/people").status_code == 200
    clock.now += 166 * DAY
    assert late.get(f"/t/{table.id}/people").status_code == 401


def test_a_link_to_a_seat_that_was_left_leads_nowhere(web: Web, table: OpenTable) -> None:
    secret = invitation(web, table["Bo"])
    web.host.act(table.id, table.seats["Ada"], ("leave_seat", {"seat": table.seats["Bo"]}))
    for path in ("/join", "/join/take"):
        assert web.client().post(path, data={"link": secret}).status_code == 410


@pytest.mark.parametrize("link", ["", "#", "key=", "x" * 500, "\0", "é" * 43, "../../etc/passwd"])
def test_what_is_no_link_leads_nowhere(web: Web, link: str) -> None:
    assert web.client().post("/join", data={"link": link}).status_code == 410


def test_only_an_invitation_is_an_invitation(web: Web, table: OpenTable) -> None:
    auth = web.context.auth
    for kind in (PassKind.SEAT, PassKind.TOKEN):
        secret = auth.issue(kind, table.id, table.seats["Bo"])
        assert web.client().post("/join/take", data={"link": secret}).status_code == 410
        assert auth.find(secret, kind)
    assert web.client().post("/join/take", data={"link": auth.issue(PassKind.OWNER_LINK)}).status_code == 410


def test_an_invitation_is_no_cookie_and_a_device_opens_its_own_tables(web: Web, table: OpenTable) -> None:
    other = web.table(name="The Cliff")
    client = web.client()
    secret = invitation(web, table["Bo"])
    client.cookies.set(device_cookie(secret), secret)
    assert client.get(f"/t/{table.id}/people").status_code == 401
    client.cookies.set(*web.cookie(table["Bo"]))
    assert client.get(f"/t/{table.id}/people").status_code == 200
    assert client.get(f"/t/{other.id}/people").status_code == 401


def test_a_token_opens_its_own_table_alone(web: Web, table: OpenTable) -> None:
    other = web.table(name="The Cliff")
    bearer = {"Authorization": f"Bearer {web.token(table['Bo'])}"}
    assert web.client().get(f"/t/{table.id}/people", headers=bearer).status_code == 200
    assert web.client().get(f"/t/{other.id}/people", headers=bearer).status_code == 401
    # Whoever sends a token is what the token says, whatever cookies come with it.
    assert web.client(other["Bo"]).get(f"/t/{other.id}/people", headers=bearer).status_code == 401


# ---------------------------------------------------------------- one link for the whole table


def whole_table(web: Web, table: OpenTable) -> str:
    return web.context.auth.issue(PassKind.INVITATION, table.id)


def test_by_the_tables_link_everybody_picks_a_free_seat_or_a_hero(web: Web, table: OpenTable) -> None:
    secret = whole_table(web, table)
    heroes = {one.seat: one.name for one in web.host.look(table.id, table.seats["Ada"]).characters.values()}
    first, second = web.client(), web.client()
    shown = first.post("/join", data={"link": f"{web.address}/join#{secret}"})
    assert shown.status_code == 200
    for name in ("Bo", "Cy"):
        assert heroes[table.seats[name]] in shown.text
    for name in ("Ada", "Di"):
        assert table.seats[name] not in shown.text
    taken = first.post("/join/take", data={"link": secret, "seat": table.seats["Bo"], "name": "Bodil"})
    assert (taken.status_code, taken.headers["Location"]) == (303, f"/t/{table.id}")
    assert "Bodil" in first.get(f"/t/{table.id}/people").text
    again = first.post("/join", data={"link": secret})
    assert (again.status_code, again.headers["Location"]) == (303, f"/t/{table.id}")
    left = second.post("/join", data={"link": secret}).text
    assert table.seats["Bo"] not in left
    assert table.seats["Cy"] in left


def test_whoever_picks_a_hero_sees_who_they_are_and_nothing_that_only_their_player_may(
    web: Web, table: OpenTable
) -> None:
    (kira,) = (
        one for one in web.host.look(table.id, table.seats["Ada"]).characters.values() if one.seat == table.seats["Bo"]
    )
    notes = "I owe the ferryman more than I shall ever tell the others."
    web.host.act(table.id, table.seats["Bo"], ("make_hero", {"name": "Una", "notes": notes}))
    shown = web.client().post("/join", data={"link": whole_table(web, table)}).text
    assert kira.sheet.concept in shown
    assert "/portraits/" in shown
    assert "Una" in shown
    assert "ferryman" not in shown


@pytest.mark.parametrize("seat", ["", "nobody", "Ada", "Di"])
def test_the_tables_link_gives_no_seat_that_is_not_free(web: Web, table: OpenTable, seat: str) -> None:
    client = web.client()
    data = {"link": whole_table(web, table), "seat": table.seats.get(seat, seat)}
    refused = client.post("/join/take", data=data)
    assert refused.status_code == 422
    assert "Set-Cookie" not in refused.headers
    assert client.get(f"/t/{table.id}").status_code == 401


def test_a_seat_that_a_link_of_its_own_is_out_for_is_kept_for_them(web: Web, table: OpenTable) -> None:
    invitation(web, table["Bo"])
    assert table.seats["Bo"] not in web.client().post("/join", data={"link": whole_table(web, table)}).text


def test_of_many_who_pick_the_same_seat_one_gets_it(web: Web, table: OpenTable) -> None:
    data = {"link": whole_table(web, table), "seat": table.seats["Bo"]}
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: web.client().post("/join/take", data=data).status_code, range(6)))
    assert found.count(303) == 1


def test_the_tables_link_is_withdrawn_and_who_came_by_it_stays(web: Web, table: OpenTable) -> None:
    gm, bo = web.client(table.game_master), web.client()
    gm.post(f"/t/{table.id}/people/table-link")
    found = re.search(r'id="table-secret" readonly value="([^"]+)"', gm.get(f"/t/{table.id}/people").text)
    assert found
    assert bo.post("/join/take", data={"link": found[1], "seat": table.seats["Bo"]}).status_code == 303
    assert found[1] in gm.get(f"/t/{table.id}/people").text, "it is shown again"
    gm.post(f"/t/{table.id}/people/withdraw-table-link")
    assert web.client().post("/join", data={"link": found[1]}).status_code == 410
    assert bo.get(f"/t/{table.id}").status_code == 200
    assert "table-secret" not in gm.get(f"/t/{table.id}/people").text
    assert "table-link" not in bo.get(f"/t/{table.id}/people").text


def test_where_every_seat_is_taken_that_is_said(web: Web, table: OpenTable) -> None:
    for name in ("Bo", "Cy"):
        web.cookie(table[name])
    assert "Every seat is taken." in web.client().post("/join", data={"link": whole_table(web, table)}).text
