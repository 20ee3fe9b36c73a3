"""AIs on the web table: the owner sets them up and seats them, others see what they are about and can stop them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal

from astragal.surfaces.mcp.agent.seats import LocalAiSeats
from astragal.surfaces.mcp.agent.settings import AiFile
from astragal.surfaces.shared.ai_seats import AiActivity
from astragal.surfaces.shared.context import AppContext
from astragal.table.declarations import Role
from astragal.wiring import milliseconds
from tests.storage.places import SqlitePlace
from tests.surfaces.ai.model_server import Answer, ModelServer, model_server
from tests.surfaces.ai.seated import AT_ONCE, KEY
from tests.surfaces.web.open_tables import Clock, Web, opened_web


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server(lambda asked: Answer("Fog.", hangs=True)) as found:
        yield found


@pytest.fixture
def web(sqlite_place: SqlitePlace, tmp_path: Path, portal: BlockingPortal) -> Iterator[Web]:
    with opened_web(sqlite_place.url, clock=Clock()) as found:
        context = found.context
        house = AppContext(context.host, context.store)
        context.ai = LocalAiSeats(house, AiFile(tmp_path / "ai.json"), milliseconds, context.hub.wake, pace=AT_ONCE)
        with found.running(portal):
            yield found


@pytest.mark.slow
def test_the_owner_seats_an_ai_and_a_player_stops_it(web: Web, server: ModelServer) -> None:
    table = web.table("new_shoes")
    base = f"/t/{table.id}/ai"
    ada = web.client(table["Ada"], owner=True)
    said = {"name": "m", "address": server.openai, "key": KEY, "reads": "3", "writes": "15"}
    assert ada.post(f"{base}/model", data=said).status_code == 303
    seated = ada.post(f"{base}/seat", data={"name": "Vesper", "role": "game master", "model": "m", "tokens": "5,000"})
    assert seated.status_code == 303
    assert server.begun.wait(30)
    people = ada.get(f"/t/{table.id}/people").text
    assert "of 5,000 tokens" in people
    assert "thinking" in people
    assert KEY not in people
    bo = web.client(table["Bo"])
    assert "is thinking" in bo.get(f"/t/{table.id}").text
    assert "Seat the AI" not in bo.get(f"/t/{table.id}/people").text
    (status,) = web.context.ai_at(table.id)
    di = web.client(table["Di"])
    assert di.post(f"{base}/stop", data={"seat": status.seat}).status_code == 422
    assert bo.post(f"{base}/take-over", data={"seat": status.seat}).status_code == 422
    assert bo.post(f"{base}/stop", data={"seat": status.seat}).status_code == 303
    assert web.context.ai_at(table.id)[0].doing is AiActivity.STOPPED
    assert ada.post(f"{base}/take-over", data={"seat": status.seat}).status_code == 303
    assert web.host.seats(table.id)[table.seats["Ada"]].role is Role.GAME_MASTER
    assert_is_taken_over(ada.get(f"/t/{table.id}/people").text, "You run the game in its place.")
    assert '<span class="tag">game master</span>' not in ada.get(f"/t/{table.id}/people").text


@pytest.mark.slow
def test_whose_seat_is_taken_over_is_not_taken_over_again(web: Web, server: ModelServer) -> None:
    table = web.table("new_shoes")
    ada = web.client(table["Ada"], owner=True)
    base = f"/t/{table.id}/ai"
    ada.post(f"{base}/model", data={"name": "m", "address": server.openai, "key": KEY})
    ada.post(f"{base}/seat", data={"name": "Vesper", "role": "player", "model": "m"})
    (status,) = web.context.ai_at(table.id)
    assert "Take over its seat" in ada.get(f"/t/{table.id}/people").text
    ada.post(f"{base}/take-over", data={"seat": status.seat})
    assert_is_taken_over(ada.get(f"/t/{table.id}/people").text, "You decide in its place.")


def assert_is_taken_over(page: str, words: str) -> None:
    assert words in page
    assert "Take over its seat" not in page


@pytest.mark.parametrize("deed", ["model", "forget-model", "seat", "start"])
def test_models_and_addresses_are_the_owners_alone(web: Web, deed: str) -> None:
    table = web.table("new_shoes")
    said = {"name": "m", "address": "http://169.254.169.254/latest", "model": "m"}
    for who in ("Ada", "Bo"):
        assert web.client(table[who]).post(f"/t/{table.id}/ai/{deed}", data=said).status_code == 401
    assert web.context.ai is not None
    assert not web.context.ai.models()


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "http://user:pass@host/v1", "ftp://x", "http://:99999/", "//x"]
)
def test_an_address_is_a_server_of_the_web(web: Web, address: str) -> None:
    table = web.table("new_shoes")
    ada = web.client(table["Ada"], owner=True)
    refused = ada.post(f"/t/{table.id}/ai/model", data={"name": "m", "address": address})
    assert "no address of a model" in refused.text
    assert "Back to the table" in refused.text


@pytest.mark.parametrize("game", ["sinew_steel", "narraject", "new_shoes", "six_pool"])
def test_one_click_plays_alone_with_the_oracle(web: Web, game: str) -> None:
    owner = web.client(owner=True)
    where = owner.post("/tables", data={"game": game, "alone": "yes"}).headers["location"]
    page = owner.get(where).text
    assert "Ask oracle" in page
    assert "Who appears" in page
    table = where.rpartition("/")[2]
    seats = web.host.seats(table)
    (you,) = seats
    state = web.host.look(table, you)
    assert [one.seat for one in state.characters.values()] == [you]
    assert state.calendar.scene
    assert state.setting.foes
    for command in ("ask_oracle", "draw_twist", "who_appears", "deal_move"):
        fields = {"question": "Is the door locked?"} if command == "ask_oracle" else {}
        web.host.act(table, you, (command, fields))
    newest = " ".join(event.words for event in web.host.latest(table, you).events)
    assert "the oracle says" in newest
    assert "your move" in newest
