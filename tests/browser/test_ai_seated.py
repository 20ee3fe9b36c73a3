"""An AI that the table seats itself runs the game for two people in their browsers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from astragal.surfaces.mcp.agent.seats import LocalAiSeats
from astragal.surfaces.mcp.agent.settings import AiFile
from astragal.surfaces.shared.context import AppContext
from astragal.wiring import milliseconds
from tests.browser.axe import assert_accessible
from tests.browser.people import PHONE, Room
from tests.surfaces.ai.model_server import Answer, Asked, calls, model_server
from tests.surfaces.ai.seated import AT_ONCE, KEY

pytestmark = pytest.mark.slow

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


def test_an_ai_of_the_tables_own_runs_the_game(room: Room, tmp_path: Path) -> None:
    context = room.context
    house = AppContext(context.host, context.store)
    context.ai = LocalAiSeats(house, AiFile(tmp_path / "ai.json"), milliseconds, context.hub.wake, pace=AT_ONCE)
    with model_server(script) as server:
        ada = room.owner("Ada", "dark")
        ada.page.get_by_role("button", name="Play Sinew & Steel").click()
        ada.page.wait_for_url("**/t/*")
        ada.table = ada.page.url
        bodil = room.person("Bodil", PHONE, "light")
        bodil.join(ada.invite("Mara Quill’s player"), "Bodil")
        ada.page.goto(f"{ada.table}/people")
        ada.page.get_by_label("Model", exact=True).fill("m")
        ada.page.get_by_label("Address of its server").fill(server.openai)
        ada.page.get_by_label("Key, if it asks for one").fill(KEY)
        ada.page.get_by_role("button", name="Keep the model").click()
        expect(ada.page.locator("#seat-ai")).to_be_visible()
        assert_accessible(ada.page)
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
        ada.sit()
        expect(ada.page.locator("#room")).to_have_class(re.compile("game-master"))
    context.ai.close()
