"""The game master's screen and the graph of scenes in a real browser, by mouse, by keyboard and on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import assert_accessible
from tests.browser.screenshots import Screenshots
from tests.surfaces.web.open_tables import OpenTable, Web

LAPTOP, PHONE = {"width": 1440, "height": 900}, {"width": 360, "height": 740}
CLICK_VISIBLE = "all => all.forEach((one) => one.checkVisibility() && one.click())"
Seated = Callable[..., Page]


@pytest.fixture
def seated(browser: Browser, live_web: Web) -> Iterator[Seated]:
    """Opens a page at a seat. What goes wrong in it fails the test."""
    contexts, wrong = [], []

    def sit(table: OpenTable, name: str, address: str = "", viewport: Any = LAPTOP) -> Page:
        context = browser.new_context(viewport=viewport)
        contexts.append(context)
        context.add_cookies(live_web.cookies(table[name]))  # type: ignore[arg-type]
        page = context.new_page()
        page.on("pageerror", lambda fault: wrong.append(str(fault)))
        page.goto(f"{live_web.address}/t/{table.id}{address}")
        return page

    yield sit
    for context in contexts:
        context.close()
    assert not wrong


def do(web: Web, table: OpenTable, order: str, /, **fields: Any) -> Any:
    return web.host.act(table.id, table.seats["Ada"], (order, fields)).events[0].fields


def hero_of(web: Web, table: OpenTable, name: str = "Bo") -> str:
    state = web.host.look(table.id, table.seats["Ada"])
    return next(one.id for one in state.characters.values() if one.seat == table.seats[name])


def at_the_gorge(web: Web, game: str = "sinew_steel") -> OpenTable:
    """A story with two scenes behind a choice and a clock that nobody else knows of."""
    table = web.table(game)
    bridge = do(web, table, "write_scene", title="The rope bridge", hook="The planks are wet.")["scene"]
    chapel = do(web, table, "write_scene", title="The chapel below", hook="Candles burn.")["scene"]
    ways = [
        {"words": "Cross the bridge", "leads_to": bridge, "way": "risky"},
        {"words": "Climb down", "leads_to": chapel},
        {"words": "Wait for the ferryman", "way": "hidden"},
    ]
    gorge = do(web, table, "write_scene", title="At the gorge", hook="Wind *howls*.", options=ways, save_node=True)
    do(web, table, "begin_evening")
    do(web, table, "begin_scene", scene=gorge["scene"])
    do(web, table, "start_clock", name="The cult arrives", size=4, face="hidden")
    do(web, table, "write_note", title="Who did it", words="The abbot", audience="game master")
    return table


def assert_no_wider_than(page: Page, viewport: dict[str, int]) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


@pytest.mark.parametrize("game", ["narraject", "new_shoes", "sinew_steel", "six_pool"])
def test_every_games_screen_is_accessible_on_a_laptop_and_fits_a_phone(
    live_web: Web, seated: Seated, screenshots: Screenshots, game: str
) -> None:
    table = at_the_gorge(live_web, game)
    page = seated(table, "Ada")
    expect(page.get_by_role("heading", name="Due now")).to_be_visible()
    page.locator("#panel-party summary, #panel-screen_tools summary").evaluate_all(CLICK_VISIBLE)
    if game != "six_pool":  # every page of which is in test_every_page
        assert_accessible(page)
    screenshots.keep(page, f"screen-{game}-page.png")
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.get_by_role("link", name="Screen").click()
    expect(page.get_by_role("heading", name="Due now")).to_be_visible()
    assert_no_wider_than(page, PHONE)
    screenshots.keep(page, f"screen-{game}-phone.png", full_page=True)


def test_what_is_told_ticked_and_revealed_on_the_screen_happens_at_the_table(live_web: Web, seated: Seated) -> None:
    table = at_the_gorge(live_web)
    ada, bo = seated(table, "Ada"), seated(table, "Bo")
    ada.get_by_label("Words", exact=True).fill("The fog lifts.")
    ada.get_by_role("button", name="Tell", exact=True).click()
    expect(bo.locator("#log")).to_contain_text("The fog lifts.")
    expect(ada.get_by_label("Words", exact=True)).to_have_value("")
    ada.get_by_role("button", name="on: The cult arrives").click()
    expect(ada.locator("#panel-screen_clocks")).to_contain_text("1 of 4")
    ada.get_by_role("button", name="Show to all The cult arrives").click()
    expect(bo.locator("#panel-clocks")).to_contain_text("The cult arrives")
    ada.get_by_role("button", name="Reveal Who did it").click()
    expect(bo.locator("#panel-notes")).to_contain_text("Who did it")
    expect(bo.locator("#panel-notes").get_by_text("The abbot")).to_be_visible()
    expect(bo.locator("#log")).to_contain_text("Who did it")
    assert_accessible(bo, part="#panel-notes, #log")
    ada.get_by_role("button", name="Take it Climb down").click()
    expect(bo.locator("#panel-scene")).to_contain_text("The chapel below")


def test_a_clock_and_a_note_are_made_and_put_away_by_one_button_each(live_web: Web, seated: Seated) -> None:
    table = live_web.table()
    ada = seated(table, "Ada")
    ada.get_by_role("button", name="New clock").click()
    ada.locator("#open-form").get_by_label("Name").fill("The tide")
    ada.locator("#open-form").get_by_role("radio", name="Hidden").check()
    ada.locator("#open-form button.go").click()
    clock = ada.locator("#panel-screen_clocks .clock").filter(has_text="The tide")
    expect(clock).to_contain_text("only you know")
    clock.get_by_role("button", name="Remove The tide").click()
    expect(clock).to_have_count(0)
    ada.get_by_role("button", name="New note").click()
    form = ada.locator("#open-form")
    expect(form.get_by_label("Who reads it").locator("option:checked")).to_have_text("Only me")
    form.get_by_label("Title").fill("Who did it")
    form.locator("button.go").click()
    expect(ada.locator("#panel-screen_notes")).to_contain_text("Who did it secret")


def test_a_roll_is_asked_for_by_form_and_the_player_is_told(
    live_web: Web, seated: Seated, screenshots: Screenshots
) -> None:
    table = at_the_gorge(live_web, "six_pool")
    ada, bo = seated(table, "Ada"), seated(table, "Bo", viewport=PHONE)
    ada.get_by_role("button", name="Ask for a roll").click()
    ada.get_by_text("Another roll").click()
    ada.get_by_label("Which roll").select_option("save")
    expect(ada.locator("#ask-roll-doc")).to_contain_text("withstand")
    ada.get_by_label("Who", exact=True).select_option(hero_of(live_web, table))
    ada.get_by_label("What for").fill("the poison")
    ada.get_by_label("Difficulty", exact=True).fill("17")
    ada.get_by_role("radio", name="Hidden").check()
    assert_accessible(ada, part="#act")
    screenshots.keep(ada, "asking-for-a-roll.png")
    ada.get_by_role("button", name="Ask", exact=True).click()
    expect(bo.locator("#panel-pending")).to_contain_text("difficulty hidden")
    expect(ada.locator("#panel-screen_due")).to_contain_text("against 17, hidden")
    expect(ada.locator("#act")).to_have_count(0)


def test_an_undo_is_confirmed_and_both_see_it(live_web: Web, seated: Seated) -> None:
    table = at_the_gorge(live_web)
    ada, bo = seated(table, "Ada"), seated(table, "Bo")
    do(live_web, table, "raise_pressure", rise=1)
    ada.keyboard.press("Control+k")
    ada.keyboard.type("oops")
    ada.keyboard.press("Enter")
    expect(ada.locator("#act")).to_contain_text("Pressure rises")
    ada.keyboard.press("Escape")
    ada.get_by_label("Menu").click()
    ada.get_by_role("button", name="Undo the last command").click()
    expect(ada.locator(".menu > nav")).not_to_be_visible()
    ada.get_by_role("button", name="Undo it").click()
    for page in (ada, bo):
        expect(page.locator(".log-card.aside.undo")).to_be_visible()
        expect(page.locator(".log-card.abandoned").last).to_contain_text("Pressure rises")


# ---------------------------------------------------------------- one click


@pytest.mark.parametrize(
    ("game", "what", "most"),
    [("sinew_steel", "Stamina", 5), ("narraject", "Physical stress", 3), ("new_shoes", "Body", 2)],
)
def test_a_click_on_a_pip_changes_the_number_on_every_screen_and_is_taken_back(
    live_web: Web, seated: Seated, game: str, what: str, most: int
) -> None:
    table = live_web.table(game)
    ada, bo = seated(table, "Ada"), seated(table, "Bo", viewport=PHONE)
    bo.get_by_role("link", name="Hero").click()
    held = ada.locator("#panel-party .held").first.locator(".adjust", has_text=what)
    before = "0" if what == "Physical stress" else str(most)
    expect(held.locator(".number")).to_have_text(f"{before}/{most}")
    held.locator(".pips button").nth(0).click()
    own = bo.locator("#panel-hero .piece", has_text=what)
    expect(own.locator(".number")).to_have_text(f"1/{most}")
    expect(ada.locator("#toast")).to_contain_text(f"{what} {before} → 1")
    if game == "sinew_steel":  # it is the same toast in all of them
        assert_accessible(ada, part="#toast")
    ada.get_by_role("button", name="Undo", exact=True).click()
    expect(own.locator(".number")).to_have_text(f"{before}/{most}")
    expect(ada.locator("#toast")).not_to_be_visible()
    expect(bo.locator("#panel-hero .adjust, #panel-party .adjust")).to_have_count(0)


def test_harm_by_a_click_is_the_rules_own_harm(live_web: Web, seated: Seated) -> None:
    table = live_web.table("sinew_steel")
    ada = seated(table, "Ada")
    stamina = ada.locator("#panel-party .held").first.locator(".adjust", has_text="Stamina")
    stamina.get_by_role("button", name="Stamina to 4").press("Enter")
    expect(stamina.locator(".number")).to_have_text("4/5")
    for _ in range(4):
        now = stamina.locator(".number").inner_text()
        stamina.locator(".step").first.click()
        expect(stamina.locator(".number")).not_to_have_text(now)
    expect(ada.locator("#log")).to_contain_text("collapses")
    expect(stamina.locator(".step").first).to_be_disabled()


def test_the_next_scene_is_one_click_away(live_web: Web, seated: Seated) -> None:
    table = live_web.table()
    do(live_web, table, "begin_evening")
    do(live_web, table, "write_scene", title="The rope bridge", hook="The planks are wet.")
    ada, bo = seated(table, "Ada"), seated(table, "Bo")
    ada.locator("#panel-scene").get_by_role("button", name="Begin The rope bridge").click()
    expect(bo.locator("#panel-scene")).to_contain_text("The planks are wet.")


# ---------------------------------------------------------------- scenes


def test_the_graph_is_walked_by_a_click_and_followed_elsewhere(
    live_web: Web, seated: Seated, screenshots: Screenshots
) -> None:
    table = at_the_gorge(live_web)
    ada, bo = seated(table, "Ada", "/scenes"), seated(table, "Bo", "/scenes")
    assert_accessible(ada)
    screenshots.keep(ada, "scenes-laptop.png", full_page=True)
    expect(bo.locator(".box")).to_have_count(1)
    ada.locator("a.take", has_text="1").click()
    expect(ada.locator(".box.now")).to_contain_text("The rope bridge")
    expect(bo.locator(".box.now")).to_contain_text("The rope bridge")
    expect(bo.locator(".way.walked")).to_have_count(2)  # one of them in the legend
    assert_accessible(bo)
    screenshots.keep(bo, "scenes-player.png", full_page=True)


def test_the_graph_is_walked_by_keyboard_alone(live_web: Web, seated: Seated) -> None:
    table = at_the_gorge(live_web)
    ada = seated(table, "Ada", "/scenes")
    ada.locator("a.take", has_text="2").focus()
    ada.keyboard.press("Enter")
    expect(ada.locator(".box.now")).to_contain_text("The chapel")
    ada.get_by_role("link", name="At the gorge").first.focus()
    ada.keyboard.press("Enter")
    expect(ada.locator("#scene-title")).to_have_text("At the gorge")


def test_a_scene_is_written_and_the_way_back_is_paid_for(
    live_web: Web, seated: Seated, screenshots: Screenshots
) -> None:
    table = at_the_gorge(live_web)
    ada = seated(table, "Ada", "/scenes", PHONE)
    ada.get_by_role("link", name="Write a scene").click()
    ada.get_by_label("Title").fill("The ferry")
    ada.get_by_label("Hook").fill("Fog.")
    for number, words in ((1, "Pay"), (2, "Swim")):
        ada.get_by_label(f"{number}. What the heroes can do").fill(words)
    ada.get_by_label("It leads to").first.select_option(label="a new scene")
    assert_accessible(ada)
    assert_no_wider_than(ada, PHONE)
    ada.get_by_role("button", name="Save", exact=True).click()
    expect(ada.locator("#scene-title")).to_have_text("The ferry")
    assert_no_wider_than(ada, PHONE)
    screenshots.keep(ada, "scenes-phone.png", full_page=True)
    do(live_web, table, "take_option", number=1)
    ada.get_by_role("link", name="Go back… to At the gorge").click()
    expect(ada.locator(".cost")).to_contain_text("pays 1 token")
    ada.get_by_label("How much").fill("2")
    expect(ada.locator(".cost")).to_contain_text("pays 2 tokens")
    assert_accessible(ada)
    assert_no_wider_than(ada, PHONE)
    screenshots.keep(ada, "rewind-phone.png", full_page=True)
    ada.get_by_role("button", name="Go back and pay").click()
    expect(ada.locator("#log .log-card.aside.rewind")).to_contain_text("The story goes back")  # at the table again
    ada.goto(f"{live_web.address}/t/{table.id}/scenes")
    expect(ada.locator("#branches-title")).to_be_visible()
    expect(ada.locator(".box.now")).to_contain_text("At the gorge")
    log = seated(table, "Bo", "/log")
    expect(log.locator(".log-card.aside.rewind")).to_contain_text("The story goes back")
    assert_accessible(log, part=".log-card.aside.rewind")
