"""An AI in its client and people in their browsers, at one table: each sees what the other does, and answers it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from astragal.surfaces.web.routes.home import Wanted, start
from astragal.table.starter import Started
from tests.browser.assistants import Assistant, assisting
from tests.browser.people import LAPTOP, PHONE, Person, Room

pytestmark = pytest.mark.slow

MOST_TRIES = 200
"""So many rolls that a table's own dice, which nobody scripts, offer Luck in one: one in seven does at worst."""


def ada_at(room: Room, opened: Started) -> Person:
    ada = room.person("Ada", LAPTOP, "light")
    ada.has_seat(opened.table, opened.seat)
    return ada


def token_for(ada: Person, seat: str, *, more: str) -> str:
    """From the page of people, as a game master would give it to their client."""
    ada.page.goto(f"{ada.table}/people")
    card = ada.page.get_by_role("listitem").filter(has=ada.page.get_by_role("heading", name=seat, exact=True))
    card.get_by_text(more).first.click()
    card.get_by_role("button", name=re.compile("^Token for a program")).click()
    return ada.page.get_by_role("textbox", name="The token").input_value()


def test_an_ai_runs_the_game_for_somebody_in_a_browser(room: Room) -> None:
    opened = start(room.context, Wanted("sinew_steel"))
    ada, bodil = ada_at(room, opened), room.person("Bodil", PHONE, "dark")
    bodil.come(opened.table, opened.players[0])
    with assisting(room, token_for(ada, "Game master", more="Your seat")) as assistant:
        assistant("narrate", words="A bell tolls under the water.")
        bodil.reads("A bell tolls under the water.")
        decision = until_it_waits(assistant, "Mara Quill")
        assert decision["whose"] != "yours"
        bodil.view("play")
        offer = bodil.waits.locator(".mine .offer:not(.declines)").first
        expect(offer).to_contain_text(re.compile("Luck|token"))
        bodil.picture("ai-offer")
        offer.click()
        expect(bodil.waits.locator(".mine")).to_have_count(0)
        seen = assistant("look")
        assert not seen["waits"]
        assistant("narrate", words="The plank holds, this once.")
        bodil.reads("The plank holds, this once.")


def until_it_waits(assistant: Assistant, who: str) -> dict[str, Any]:
    """The AI asks for rolls until one could be turned by Luck: that is the player's to decide, not the AI's."""
    for number in range(MOST_TRIES):
        fields = {"who": who, "attribute": "MGT", "stakes": f"plank {number}"}
        rolled = assistant("act", command="test", fields=fields)
        if rolled["waits"]:
            found: dict[str, Any] = rolled["waits"][0]
            return found
    pytest.fail(f"no offer of Luck in {MOST_TRIES} rolls")


def test_an_ai_plays_along_while_somebody_runs_the_game_in_a_browser(room: Room) -> None:
    ada = ada_at(room, start(room.context, Wanted("sinew_steel")))
    with assisting(room, token_for(ada, "Tobin Ash’s player", more="More")) as assistant:
        ada.sit()
        assistant("act", command="say", fields={"words": "I hold the rope."})
        ada.reads("I hold the rope.")
        ada.page.get_by_role("button", name="Ask for a roll").click()
        ada.choose("Who", "Tobin Ash")
        ada.choose("Attribute", "Might")
        ada.fill("What for", "to keep hold")
        ada.submit()
        request = re.search(r"to keep hold \[(\w+)\]", str(assistant("look")["story"]))
        assert request, "the AI is not told that it is asked"
        fields = {"who": "Tobin Ash", "attribute": "MGT", "request": request[1]}
        rolled = assistant("act", command="test", fields=fields)
        expect(ada.rolls.or_(ada.waits.locator(".decision")).first).to_be_attached()
        if not rolled["waits"]:
            until_it_waits(assistant, "Tobin Ash")
        take_it_for_them(ada)
        expect(ada.page.locator("#panel-screen_due")).not_to_contain_text("to keep hold")
        assert not assistant("look")["waits"]
        ada.page.get_by_label("Words", exact=True).fill("The rope bites into his hands.")
        ada.page.get_by_role("button", name="Tell", exact=True).click()
        ada.reads("The rope bites into his hands.")
        assert "The rope bites into his hands." in str(assistant("recap"))
        ada.picture("ai-plays")


def take_it_for_them(ada: Person) -> None:
    """Somebody who is not there is decided for by the game master, and the log says so."""
    ada.waits.locator(".decision details > summary").first.click()
    ada.waits.locator(".offer.declines").first.click()
    expect(ada.waits.locator(".wait[data-act]")).to_have_count(0)
