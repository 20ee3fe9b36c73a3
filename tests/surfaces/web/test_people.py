"""The game master's tools: links, devices, tokens, seats. And what nobody else can do with them."""

import re
import time

import pytest
from starlette.testclient import TestClient

from astragal.surfaces.web.session import SeatSession
from astragal.table.declarations import Role
from astragal.table.log.store import PassKind
from astragal.table.refusals import NoSuchTable
from tests.patience import LONG
from tests.surfaces.web.open_tables import AtSeat, OpenTable, Web
from tests.surfaces.web.serving import Caller


@pytest.fixture
def table(web: Web) -> OpenTable:
    return web.table(name="The Gorge")


def secret_shown(text: str) -> str:
    found = re.search(r'id="secret" readonly value="([^"]+)"', text)
    assert found
    return found[1]


def ask(client: TestClient, at: AtSeat, what: str, **said: str) -> str:
    """Post and follow; the page that comes of it."""
    answer = client.post(f"/t/{at.table}/people/{what}", data={"seat": at.seat, **said}, follow_redirects=True)
    return answer.text


def test_everybody_sees_who_sits_there(web: Web, table: OpenTable) -> None:
    for name in ("Ada", "Bo", "Di"):
        page = web.client(table[name]).get(f"/t/{table.id}/people").text
        for other in table.seats:
            assert other in page
        assert ("Make a link" in page) == ("Token" in page) == (name == "Ada")


def test_a_link_is_shown_once_with_its_picture_and_leads_to_the_seat(web: Web, table: OpenTable) -> None:
    gm = web.client(table.game_master)
    page = ask(gm, table["Bo"], "invite")
    link = secret_shown(page)
    assert link.startswith("http://127.0.0.1:8000/join#")
    assert "<svg" in page
    assert "Link to the seat of Bo" in page
    again = gm.get(f"/t/{table.id}/people").text
    assert link.partition("#")[2] not in again
    assert "A link was made and is not used yet." in again
    player = web.client()
    assert player.post("/join/take", data={"link": link}).status_code == 303
    assert "1 device at this seat." in gm.get(f"/t/{table.id}/people").text


def test_a_new_link_ends_the_one_before_and_one_can_be_withdrawn(web: Web, table: OpenTable) -> None:
    gm = web.client(table.game_master)
    first, second = (secret_shown(ask(gm, table["Bo"], "invite")) for _ in range(2))
    assert web.client().post("/join", data={"link": first}).status_code == 410
    assert web.client().post("/join", data={"link": second}).status_code == 200
    ask(gm, table["Bo"], "withdraw")
    assert web.client().post("/join", data={"link": second}).status_code == 410


def test_who_is_removed_is_out_at_once(web: Web, table: OpenTable) -> None:
    gm, player = web.client(table.game_master), web.client(table["Bo"])
    token = {"Authorization": f"Bearer {web.token(table['Bo'])}"}
    link = secret_shown(ask(gm, table["Bo"], "invite"))
    ask(gm, table["Bo"], "remove")
    assert player.get(f"/t/{table.id}").status_code == 401
    assert player.post(f"/t/{table.id}/do/say", data={"words": "still here"}).status_code == 401
    assert web.client().get(f"/t/{table.id}/people", headers=token).status_code == 401
    assert web.client().post("/join", data={"link": link}).status_code == 410
    assert "still here" not in web.host.archive.transcript(table.id, table.seats["Ada"])


def test_who_was_removed_in_the_terminal_is_out_too(web: Web, table: OpenTable) -> None:
    player = web.client(table["Bo"])
    web.host.act(table.id, table.seats["Ada"], ("leave_seat", {"seat": table.seats["Bo"]}))
    answer = player.get(f"/t/{table.id}/people")
    assert answer.status_code == 401
    assert "You have no seat here" in answer.text


@pytest.mark.parametrize("what", ["remove", "sign-out"])
def test_an_open_stream_of_who_is_removed_or_signed_out_ends(live_web: Web, what: str) -> None:
    table = live_web.table()
    caller = Caller(int(live_web.address.rpartition(":")[2]), "=".join(live_web.cookie(table["Bo"])))
    stream = caller.listen(f"/t/{table.id}/events")
    assert stream.status == 200
    stream.next()
    live_web.client(table.game_master).post(f"/t/{table.id}/people/{what}", data={"seat": table.seats["Bo"]})
    assert stream.ended()
    assert caller.listen(f"/t/{table.id}/events").status == 401
    caller.hang_up()


def test_a_seat_that_another_process_let_in_is_not_looked_at_anew_once_its_pass_is_gone(web: Web) -> None:
    table = web.table()
    web.cookie(table["Bo"])
    (held,) = (one for one in web.context.auth.passes.of_table(table.id) if one.kind is PassKind.SEAT)
    at = SeatSession(web.context, table.id, table.seats["Bo"], held.digest)
    assert at.refreshed().state.name == "The Gorge"
    web.context.store.passes.revoke(held.digest, held.made + 1)
    web.context.hub.wake(None)  # as the store says when somebody else wrote to it
    deadline = time.monotonic() + LONG
    while web.context.auth.is_good(held.digest):
        assert time.monotonic() < deadline
    with pytest.raises(NoSuchTable):
        at.refreshed()


def test_a_lost_phone_is_signed_out_and_a_new_link_leads_back(web: Web, table: OpenTable) -> None:
    gm, lost = web.client(table.game_master), web.client(table["Bo"])
    ask(gm, table["Bo"], "sign-out")
    assert lost.get(f"/t/{table.id}").status_code == 401
    found = web.client()
    found.post("/join/take", data={"link": secret_shown(ask(gm, table["Bo"], "invite"))})
    assert found.get(f"/t/{table.id}/people").status_code == 200


def test_a_new_seat_comes_with_its_link_or_its_token(web: Web, table: OpenTable) -> None:
    gm = web.client(table.game_master)
    page = ask(gm, table.game_master, "add", name="Eve", role="spectator")
    assert "/join#" in secret_shown(page)
    page = ask(gm, table.game_master, "add", name="Oracle", ai="true")
    bearer = {"Authorization": f"Bearer {secret_shown(page)}"}
    seen = web.client().get(f"/t/{table.id}/people", headers=bearer)
    assert seen.status_code == 200
    state = web.host.look(table.id, table.seats["Ada"])
    seats = {seat.name: seat for seat in state.seats.values()}
    assert seats["Eve"].role is Role.SPECTATOR
    assert seats["Oracle"].ai
    assert "Somebody called eve sits here already." in ask(gm, table.game_master, "add", name="eve")
    assert "There is one game master" in ask(gm, table.game_master, "add", name="Usurper", role="game master")


def test_tokens_carry_what_they_were_allowed_and_can_be_revoked(web: Web, table: OpenTable) -> None:
    gm = web.client(table.game_master)
    token = secret_shown(ask(gm, table["Cy"], "token", copilot="true"))
    held = web.context.auth.token(token)
    assert held
    assert (held.table, held.seat, held.options) == (
        table.id,
        table.seats["Cy"],
        {"copilot": True, "open_secrets": False},
    )
    listed = gm.get(f"/t/{table.id}/people").text
    assert f"Token {held.digest[:6]}, co-pilot" in listed
    assert token not in listed
    gm.post(f"/t/{table.id}/people/revoke-token", data={"token": held.digest})
    assert web.context.auth.token(token) is None


def test_a_game_master_revokes_nothing_of_another_table(web: Web, table: OpenTable) -> None:
    other = web.table(name="The Cliff")
    token = web.token(other["Bo"])
    held = web.context.auth.token(token)
    assert held
    gm = web.client(table.game_master)
    gm.post(f"/t/{table.id}/people/revoke-token", data={"token": held.digest})
    for what in ("invite", "token", "withdraw", "sign-out", "remove", "hand-over"):
        ask(gm, AtSeat(table.id, other.seats["Bo"]), what)
    assert web.context.auth.token(token)
    assert web.client(other["Bo"]).get(f"/t/{other.id}/people").status_code == 200
    assert [one for one in web.context.auth.passes.of_table(table.id) if one.seat == other.seats["Bo"]] == []


@pytest.mark.parametrize("what", ["invite", "token", "withdraw", "hand-over", "add", "revoke-token"])
def test_a_player_has_none_of_these_tools(web: Web, table: OpenTable, what: str) -> None:
    player = web.client(table["Bo"])
    body = {"seat": table.seats["Bo"], "name": "Mallory", "role": "game master", "token": "x"}
    answer = player.post(f"/t/{table.id}/people/{what}", data=body)
    assert answer.status_code == 422
    assert "Only the game master hands out seats." in answer.text
    state = web.host.look(table.id, table.seats["Ada"])
    assert state.game_master == table.seats["Ada"]
    assert len(state.seats) == 4
    assert {one.kind for one in web.context.auth.passes.of_table(table.id)} == {PassKind.SEAT}


def test_a_player_sends_nobody_else_away(web: Web, table: OpenTable) -> None:
    player, other = web.client(table["Bo"]), web.client(table["Cy"])
    assert "Only the game master can send somebody away." in ask(player, table["Cy"], "remove")
    assert "Only the game master can sign out" in ask(player, table["Cy"], "sign-out")
    assert "Only the game master can name a stand-in" in ask(player, table["Cy"], "stand-in", by=table.seats["Bo"])
    assert "Only the game master can say what" in ask(player, table["Cy"], "rename", name="Silly")
    assert other.get(f"/t/{table.id}/people").status_code == 200


def test_whoever_leaves_is_forgotten_by_their_device(web: Web, table: OpenTable) -> None:
    player = web.client(table["Bo"])
    left = player.post(f"/t/{table.id}/people/remove", data={"seat": table.seats["Bo"]})
    assert left.headers["Location"] == "/"
    assert "The Gorge" not in player.get("/").text
    assert table.seats["Bo"] not in web.host.look(table.id, table.seats["Ada"]).seats


def test_the_game_masters_seat_is_handed_over_and_with_it_the_tools(web: Web, table: OpenTable) -> None:
    before, after = web.client(table.game_master), web.client(table["Bo"])
    ask(before, table["Bo"], "hand-over")
    assert "Make a link" not in before.get(f"/t/{table.id}/people").text
    assert "Make a link" in after.get(f"/t/{table.id}/people").text
    assert before.post(f"/t/{table.id}/people/invite", data={"seat": table.seats["Cy"]}).status_code == 422


def test_a_player_names_a_stand_in_and_is_renamed(web: Web, table: OpenTable) -> None:
    player = web.client(table["Bo"])
    assert "Cy decides for them" in ask(player, table["Bo"], "stand-in", by=table.seats["Cy"])
    assert "decides for them" not in ask(player, table["Bo"], "stand-in", by="")
    assert "Bodil" in ask(player, table["Bo"], "rename", name="Bodil")


def test_no_secret_and_no_digest_of_others_reaches_a_player(web: Web, table: OpenTable) -> None:
    gm = web.client(table.game_master)
    link = secret_shown(ask(gm, table["Cy"], "invite")).partition("#")[2]
    token = secret_shown(ask(gm, table["Cy"], "token"))
    held = web.context.auth.token(token)
    assert held
    page = web.client(table["Bo"]).get(f"/t/{table.id}/people").text
    for secret in (link, token, held.digest[:6], "A link was made"):
        assert secret not in page
