"""An AI that the table seats itself runs the game for two people in their browsers; and an evening of other games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from astragal import fair
from astragal.surfaces.mcp.agent.seats import LocalAiSeats
from astragal.surfaces.mcp.agent.settings import AiFile
from astragal.surfaces.shared.ai_seats import AiRole, Limits, Model
from astragal.surfaces.shared.context import AppContext
from astragal.surfaces.web.routes.home import Wanted, start
from astragal.wiring import milliseconds
from tests.browser import evenings as on
from tests.browser.axe import assert_accessible
from tests.browser.people import PHONE, Room
from tests.surfaces.ai.model_server import Answer, Asked, calls, model_server
from tests.surfaces.ai.seated import AT_ONCE, KEY
from tests.surfaces.ai.test_ai_evenings import GameMaster

pytestmark = pytest.mark.slow

SKINS = {  # an evening of Six-Pool d20 needs no browser: see tests/surfaces/ai/test_ai_evenings.py
    "sinew_steel": "borrowed_hours",
    "narraject": "orchard_nine",
    "new_shoes": "third_shift",
}
OPENING = "Rain drums on the roof of the ferry house, and somebody has left the lamp burning. What do you do?"


def script(asked: Asked) -> Answer:
    """It begins, asks Mara for a roll when she moves, and then thinks until somebody stops it."""
    news = asked.prompt.rpartition("New since your last turn.")[2]
    if "I take the lamp" in news and not asked.results:
        request = {"who": "Mara Quill", "command": "test", "fields": {"attribute": "REF"}, "what_for": "the wet steps"}
        return calls("act", command="request_roll", fields=request)
    if "I take the lamp" in news:
        return Answer("The steps are wet. Mara, mind your feet.")
    if "I wait" in news:
        return Answer(f"The lamp flickers, and goes out. {OPENING} {OPENING}", hangs=True)
    return Answer("PASS" if "ferry house" in asked.prompt else OPENING)


@pytest.fixture
def ai(room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalAiSeats]:
    context = room.context
    house = AppContext(context.host, context.store)
    seats = LocalAiSeats(house, AiFile(tmp_path / "ai.json"), milliseconds, context.hub.wake, pace=AT_ONCE)
    monkeypatch.setattr(context, "ai", seats)
    yield seats
    seats.close()


@pytest.mark.usefixtures("ai")
def test_an_ai_of_the_tables_own_runs_the_game(room: Room) -> None:
    with model_server(script) as server:
        opened = start(room.context, Wanted("sinew_steel"))
        ada, bodil = room.owner("Ada", "dark"), room.person("Bodil", PHONE, "light")
        bodil.come(opened.table, opened.players[0])
        ada.has_seat(opened.table, opened.seat)
        ada.page.goto(f"{ada.table}/people")
        ada.page.get_by_label("Model", exact=True).fill("m")
        ada.page.get_by_label("Address of its server").fill(server.openai)
        ada.page.get_by_label("Key, if it asks for one").fill(KEY)
        ada.page.get_by_role("button", name="Keep the model").click()
        expect(ada.page.locator("#seat-ai")).to_be_visible()
        assert_accessible(ada.page, part=".ai-seats")
        ada.picture("ai-setup")
        assert KEY not in ada.page.content()
        ada.page.get_by_role("button", name="Seat the AI").click()
        bodil.reads(OPENING)
        expect(bodil.log.locator(".told .ai-mark")).to_have_count(1)
        ada.sit()
        ada.reads(OPENING)
        ada.page.locator("#speak-words").fill("I take the lamp and go down.")
        ada.page.get_by_role("button", name="Send").click()
        bodil.reads("Mara, mind your feet.")
        expect(bodil.waits).to_contain_text("the wet steps")
        ada.page.locator("#speak-words").fill("I wait.")
        ada.page.get_by_role("button", name="Send").click()
        now = bodil.page.locator("#panel-ai")
        expect(now).to_contain_text(re.compile("Vesper.*is writing", re.DOTALL))
        expect(ada.page.locator(".ai-words")).to_be_in_viewport()  # where the story is read, as it grows
        bodil.picture("ai-thinking")
        ada.picture("ai-thinking")
        now.get_by_role("button", name="Stop the AI").click()
        expect(now).to_be_empty()
        ada.page.goto(f"{ada.table}/people")
        expect(ada.page.locator(".ai-seats")).to_contain_text("stopped")
        ada.picture("ai-stopped")
        ada.page.get_by_role("button", name=re.compile("^Take over its seat")).click()
        expect(ada.page.locator(".ai-seats")).to_contain_text("You run the game in its place.")
        ada.sit()
        expect(ada.page.locator("#room")).to_have_class(re.compile("game-master"))


@pytest.mark.parametrize(("game", "skin"), SKINS.items())
def test_an_ai_runs_an_evening_for_two_people(room: Room, ai: LocalAiSeats, game: str, skin: str) -> None:
    """It opens, asks for a roll, tells what came of it, brings a foe from the setting, and ends the evening.

    Ada needs no browser for what she does.
    """
    script, host = GameMaster(game, "Bodil"), room.context.host
    with model_server(script) as server:
        ai.keep_model(Model("m", server.openai), KEY)
        opened = start(room.context, Wanted(game, skin=skin))
        table, player = opened.table, opened.players[0]
        host.act(table, player, ("rename_seat", {"seat": player, "name": "Bodil"}))
        bodil = room.person("Bodil", PHONE, "dark")
        bodil.come(table, player)
        bodil.hero = bodil.page.locator("#panel-hero h3").first.inner_text()
        seat = ai.seat(table, opened.seat, name="Vesper", role=AiRole.GAME_MASTER, model="m", limits=Limits())

        def both_read(words: str) -> None:
            bodil.reads(words)
            assert words in [one.words for one in host.latest(table, opened.seat, most=50).events]

        both_read("The water rises around your boots, and a door stands ajar.")
        bodil.speak("I push the door")
        on.get_ready(bodil, "the door" if game != "new_shoes" else "with a shoulder")
        bodil.weighs()
        if game == "new_shoes":  # nothing turns what fell there; a failure may teach something
            bodil.submit()
        else:
            on.roll_and_let_it_stand(bodil)
        bodil.speak("Bodil has rolled.")
        both_read("Beyond it somebody is breathing.")
        bodil.picture(f"{game}-ai-told")
        host.act(table, opened.seat, ("say", {"words": "Who is there?"}))
        both_read("Somebody steps out of the dark and shows both hands.")
        bodil.speak("Good night!")
        both_read("The water keeps rising. To be continued.")
        bodil.picture(f"{game}-ai-evening")
        ai.stop(table, seat)
    seen = host.look(table, opened.seat)
    assert "The water" in [one.name for one in seen.clocks.values()]
    assert not seen.calendar.sitting
    assert fair.verify(list(host.ledger(table, opened.seat))).sound
