"""An evening of each game, played through the interface: a game master on a laptop, two players on their phones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import evenings as on
from tests.browser.evenings import Evening, gather
from tests.browser.people import Person, Room, open_house

pytestmark = pytest.mark.slow

MOST_TRIES = 20


@pytest.fixture(scope="module")
def house(browser: Browser, screenshots: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    folder = tmp_path_factory.mktemp("evenings")
    with open_house(f"sqlite:///{folder}/tables.db", browser, screenshots) as room:
        yield room


@pytest.fixture
def room(house: Room) -> Iterator[Room]:
    """Everybody goes home when it is over, and nothing went wrong in anybody's page."""
    house.wrong.clear()
    yield house
    house.leave()
    assert not house.wrong


def test_an_evening_of_sinew_and_steel(room: Room) -> None:
    evening = gather(room, "sinew_steel", "Sinew & Steel", "light")
    ada, bodil, cyra = evening.all
    on.set_the_scene(evening)
    on.ask_for(evening, evening.hero, "the slippery pews", Attribute="Reflex")
    on.get_ready(bodil, "the slippery pews")
    expect(bodil.chance).to_have_text(re.compile("%"))
    bodil.picture("sinew_steel-odds")
    bodil.submit()
    settle(bodil)
    on.rolled(evening, bodil, "the slippery pews")
    evening.pictures("rolled")
    take_an_offer_of_luck(evening)
    attack_somebody_of_the_game_masters(evening)
    on.mark_a_save_node(evening)
    ada.tap_score("Might", evening.hero)
    ada.fill("Stakes", "the stone lid")
    on.turn_over_a_hidden_roll(evening)
    on.whisper(evening)
    on.stop_and_go_on(evening)
    ada.tool("Pressure", "Raise pressure")
    ada.submit()
    evening.all_read("Pressure rises")
    on.undo(evening, "Pressure rises")
    on.go_back(evening, re.compile("token|Luck"))
    on.drop_and_rejoin(evening)
    on.verify(evening)


def settle(person: Person) -> None:
    """If Luck could turn it, the roll waits: this once it is left as it fell."""
    offers = person.waits.locator(".mine .offer")
    expect(offers.first.or_(person.rolls.last.locator(".outcome")).first).to_be_visible()
    if offers.count():
        person.waits.locator(".offer.declines").click()
    expect(person.waits.locator(".mine")).to_have_count(0)


def take_an_offer_of_luck(evening: Evening) -> None:
    """Until the dice fall so that Luck could turn them: then it is taken, for the price that the offer names."""
    cyra = evening.cyra
    for number in range(MOST_TRIES):
        stakes = f"step {number} in the dark"
        cyra.tap_score("Might")
        expect(cyra.chance).to_have_text(re.compile("%"))
        cyra.fill("Stakes", stakes)
        cyra.submit()
        offers = cyra.waits.locator(".mine .offer")
        card = cyra.rolls.filter(has_text=stakes)
        expect(offers.first.or_(card.locator(".outcome")).first).to_be_visible()
        if not offers.count():
            continue
        expect(evening.bodil.waits).to_contain_text(f"{evening.made} decides")
        expect(evening.bodil.waits.locator(".offer")).to_have_count(0)
        evening.pictures("offer")
        offers.nth(1).click()
        expect(cyra.waits.locator(".mine")).to_have_count(0)
        evening.all_read(re.compile("Luck"))
        return
    pytest.fail(f"no offer of Luck in {MOST_TRIES} rolls")


def attack_somebody_of_the_game_masters(evening: Evening) -> None:
    ada, bodil, _ = evening.all
    ada.tool("Bring in", "Make npc")
    ada.fill("Name", "The sexton")
    ada.submit()
    evening.all_read("The sexton")
    bodil.view("play")
    bodil.page.get_by_role("button", name="Attack", exact=True).click()
    bodil.choose("Defender", "The sexton")
    expect(bodil.chance).to_have_text(re.compile("%"))
    bodil.submit()
    settle(bodil)
    for one in evening.all:
        expect(one.rolls.last).to_contain_text("The sexton")
