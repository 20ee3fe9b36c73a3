"""Where things are on the screen: no page scrolls into nothing, a refusal is in view, a revealed roll can be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from astragal.table.declarations import Sight
from tests.browser.axe import ON_A_LAPTOP, ON_A_PHONE, assert_accessible
from tests.browser.screenshots import Screenshots
from tests.surfaces.web.open_tables import OpenTable, Web

LAPTOP, PHONE = ViewportSize(width=1366, height=768), ViewportSize(width=390, height=844)
GAMES = ("sinew_steel", "narraject", "new_shoes", "six_pool")

Sit = Callable[[OpenTable, str, ViewportSize], Page]

WHOLE = 0.95
"""As much of something as has to be in the window: scrolling stops at whole pixels, and may leave a hair outside."""


@pytest.fixture
def sit(browser: Browser, live_web: Web) -> Iterator[Sit]:
    contexts = []

    def seat(table: OpenTable, name: str, size: ViewportSize) -> Page:
        contexts.append(browser.new_context(viewport=size))
        page = contexts[-1].new_page()
        page.context.add_cookies(live_web.cookies(table[name]))  # type: ignore[arg-type]
        page.goto(f"{live_web.address}/t/{table.id}")
        expect(page.locator("#live")).to_have_attribute("data-line", "up")
        return page

    yield seat
    for context in contexts:
        context.close()


def hero_of(web: Web, table: OpenTable, name: str) -> str:
    state = web.host.look(table.id, table.seats["Ada"])
    return next(one.id for one in state.characters.values() if one.seat == table.seats[name])


def scrolls_down_by(page: Page) -> int:
    """How far the page itself can be scrolled. The table's can't: its columns do."""
    return int(page.evaluate("document.documentElement.scrollHeight - document.documentElement.clientHeight"))


VIEWS_THAT_SCROLL_AWAY = """() => [...document.querySelectorAll(".tabs a")].map((tab) => {
  tab.click();
  for (const one of document.querySelectorAll("main details")) one.open = true;
  const { scrollHeight, clientHeight } = document.documentElement;
  return [tab.dataset.view, scrollHeight - clientHeight];
}).filter(([, below]) => below !== 0)"""
"""Each view in turn, with everything unfolded: those that make the page itself longer than its window."""


# ---------------------------------------------------------------- the page


@pytest.mark.parametrize("game", GAMES)
def test_the_table_does_not_scroll_away_into_nothing(
    sit: Sit, live_web: Web, screenshots: Screenshots, game: str
) -> None:
    table = live_web.table(game)
    for number in range(12):
        live_web.host.act(table.id, table.seats["Ada"], ("start_clock", {"name": f"Clock {number}", "face": "hidden"}))
    page, players = sit(table, "Ada", PHONE), sit(table, "Bo", PHONE)
    for one in (page, players):
        assert one.evaluate(VIEWS_THAT_SCROLL_AWAY) == []
        one.set_viewport_size(LAPTOP)
        assert scrolls_down_by(one) == 0
    page.locator("#view-screen").hover(position={"x": 5, "y": 5})
    page.mouse.wheel(0, 10_000)
    expect(page.locator("#panel-safety .card")).to_be_in_viewport(ratio=WHOLE)
    assert page.evaluate("scrollY") == 0
    screenshots.keep(page, f"layout-{game}-scrolled.png")


def test_a_tablet_shows_the_sheet_beside_the_log(sit: Sit, live_web: Web, screenshots: Screenshots) -> None:
    page = sit(live_web.table("sinew_steel"), "Bo", ViewportSize(width=820, height=1180))
    expect(page.locator("#panel-hero .sheet")).to_be_in_viewport()
    expect(page.locator("#log")).to_be_in_viewport()
    screenshots.keep(page, "layout-tablet.png")
    assert_accessible(page, ON_A_LAPTOP)
    for view in ("scene", "table", "hero", "play"):
        page.locator(f'.tabs a[data-view="{view}"]').click()
        expect(page.locator(f"#view-{view}")).to_be_visible()
        expect(page.locator("#log")).to_be_visible()
        expect(page.locator(".column:visible")).to_have_count(2)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture(scope="module")
def open_pages(browser: Browser, live_web: Web) -> Iterator[list[Page]]:
    """The game master's and a player's, to be looked at in many widths: a page follows its window."""
    table = live_web.table("narraject")
    contexts, pages = [], []
    for name in ("Ada", "Bo"):
        contexts.append(browser.new_context())
        contexts[-1].add_cookies(live_web.cookies(table[name]))  # type: ignore[arg-type]
        for where in ("", "/people", "/heroes"):
            pages.append(contexts[-1].new_page())
            pages[-1].goto(f"{live_web.address}/t/{table.id}{where}")
    yield pages
    for context in contexts:
        context.close()


@pytest.mark.parametrize("width", [320, 360, 390, 600, 844, 1024, 1280, 1920, 2560])
def test_nothing_is_wider_than_its_screen(open_pages: list[Page], width: int) -> None:
    for page in open_pages:
        page.set_viewport_size(ViewportSize(width=width, height=390 if width == 844 else 900))
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, page.url


def test_the_chart_of_a_roll_against_a_hidden_number_is_seen_whole(sit: Sit, live_web: Web) -> None:
    table = live_web.table("sinew_steel")
    live_web.host.act(table.id, table.seats["Ada"], ("make_npc", {"name": "The warden", "score": 11}))
    page = sit(table, "Bo", LAPTOP)
    page.locator(".who.foe .choose summary").click()
    page.get_by_role("button", name="Attack: The warden").click()
    expect(page.locator("#open-form .span")).to_be_visible()
    over = page.locator("#open-form .spends > div").evaluate("bars => bars.scrollWidth - bars.clientWidth")
    assert over <= 0


# ---------------------------------------------------------------- refusals


def test_why_a_roll_is_refused_stands_beside_its_button_in_view(
    sit: Sit, live_web: Web, screenshots: Screenshots
) -> None:
    page = sit(live_web.table("sinew_steel"), "Bo", PHONE)
    page.locator("#panel-actions .score").first.click()
    page.locator(".odds .chance").wait_for()
    page.locator("#open-form .change > summary").click()
    page.locator("#open-form .settings").get_by_role("group", name="Advantage", exact=True).get_by_role(
        "checkbox"
    ).first.check()
    page.locator("#open-form [name=advantage]").first.evaluate("field => { field.value = 'blind' }")
    page.locator("#open-form button.go").click()
    refused = page.locator("#open-form .refused")
    expect(refused).to_contain_text("Blind gives disadvantage")
    expect(refused).to_be_in_viewport(ratio=WHOLE)
    expect(refused).to_be_focused()
    expect(page.locator("#open-form button.go")).to_be_in_viewport(ratio=WHOLE)
    assert_accessible(page, part="#open-form")
    screenshots.keep(page, "layout-refused-phone.png")


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_why_a_command_of_the_palette_is_refused_is_in_view(
    sit: Sit, live_web: Web, screenshots: Screenshots, size: ViewportSize
) -> None:
    table = live_web.table("sinew_steel")
    live_web.host.act(table.id, table.seats["Ada"], ("begin_evening", {}))
    page = sit(table, "Ada", size)
    page.locator("#find").click()
    page.get_by_role("combobox", name="Do or find anything").fill("end evening")
    page.route("**/events*", lambda route: route.abort())  # so that the button is there when its time has passed
    page.locator("#live").evaluate("live => live._htmx.sse.reader.cancel()")
    expect(page.locator("#live")).to_have_attribute("data-line", "down")
    live_web.host.act(table.id, table.seats["Ada"], ("end_evening", {}))
    page.keyboard.press("Enter")
    refused = page.locator("#doing .refused")
    expect(refused).to_contain_text("No evening has begun.")
    expect(refused).to_be_in_viewport(ratio=WHOLE)
    expect(refused).to_be_focused()
    screenshots.keep(page, f"layout-refused-command-{size['width']}.png")


# ---------------------------------------------------------------- cards


def test_a_revealed_roll_can_be_read(sit: Sit, live_web: Web, screenshots: Screenshots) -> None:
    table = live_web.table("six_pool")
    fields = {"who": hero_of(live_web, table, "Bo"), "pool": "STR", "dc": 12, "rerolls": "never"}
    live_web.host.act(table.id, table.seats["Ada"], ("check", fields), sight=Sight.HIDDEN)
    game_master, player = sit(table, "Ada", LAPTOP), sit(table, "Bo", LAPTOP)
    game_master.locator("#log .covered button", has_text="Reveal").click()
    card, heading, roll = (
        player.locator(f"#log .revealed{part}") for part in ("", " .fold[open] > summary .hd", " .fold[open] .result")
    )
    for size, themes in ((LAPTOP, ON_A_LAPTOP), (PHONE, ON_A_PHONE)):
        player.set_viewport_size(size)
        expect(roll).to_be_visible()
        boxes = [one.bounding_box() for one in (card, heading, roll)]
        whole, above, below = (box for box in boxes if box)
        assert above["y"] + above["height"] <= below["y"], "the heading stands above the roll"
        assert below["width"] > 0.8 * whole["width"], "the roll has the width of its card"
        assert above["width"] > 0.8 * whole["width"], "the heading has the width of its card"
        assert_accessible(player, themes, part="#log .revealed")
        for theme in ("light", "dark"):
            player.emulate_media(color_scheme=theme)
            screenshots.keep(player, f"layout-revealed-{size['width']}-{theme}.png")


def test_a_line_of_the_log_with_a_button_keeps_its_width(sit: Sit, live_web: Web, screenshots: Screenshots) -> None:
    """Whatever else stands on its card: a sign, a button."""
    table = live_web.table("sinew_steel")
    live_web.host.act(table.id, table.seats["Ada"], ("start_clock", {"name": "The tide turns", "face": "hidden"}))
    page = sit(table, "Ada", LAPTOP)
    card = page.locator("#log .log-card.table").last
    card.evaluate(
        "card => card.insertAdjacentHTML('beforeend', '<p class=mark>Players see less of this.</p>"
        "<form class=reveal><button class=unveil>Reveal</button></form>')"
    )
    line, whole = card.locator(".line").bounding_box(), card.bounding_box()
    assert line
    assert whole
    assert line["width"] > 0.6 * whole["width"]
    screenshots.keep(page, "layout-log-line.png")


# ---------------------------------------------------------------- across a room

TELEVISION = ViewportSize(width=1920, height=1080)
SMALL_OR_BELOW = """() => {
  const found = [], walk = document.createTreeWalker(document.getElementById("room"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const [words, holder, range] = [walk.currentNode.textContent.trim(), walk.currentNode.parentElement, new Range()];
    range.selectNode(walk.currentNode);
    const box = range.getBoundingClientRect();
    if (!words || !box.width || !holder.checkVisibility() || holder.closest(".unseen")) continue;
    if (parseFloat(getComputedStyle(holder).fontSize) < 30 || box.bottom > innerHeight) found.push(words);
  }
  return found;
}"""


def test_a_television_shows_scene_party_clocks_and_the_last_roll_in_large_type(sit: Sit, live_web: Web) -> None:
    table = live_web.table("six_pool")

    def act(command: str, /, **fields: object) -> None:
        live_web.host.act(table.id, table.seats["Ada"], (command, fields))

    act("improvise_scene", title="The bridge at dusk", hook="The rope bridge sways. " * 5)
    act("start_clock", name="The tide turns", size=6)
    page = sit(table, "Di", TELEVISION)
    shown = page.locator("#panel-television")
    for words in ("The bridge at dusk", "The tide turns", "No dice yet"):
        expect(shown.get_by_text(words)).to_be_in_viewport(ratio=WHOLE)
    hero = hero_of(live_web, table, "Bo")
    act("check", who=hero, pool="STR", dc=12, rerolls="never")
    expect(shown.locator(".tv-card .die")).to_be_in_viewport(ratio=WHOLE)
    act("narrate", words="The planks in the middle are gone. " * 12)
    act("request_roll", who=hero, command="check", difficulty=12, what_for="past the dogs")
    expect(shown.locator(".tv-waits")).to_have_text(re.compile("is asked: .*past the dogs"))
    assert page.evaluate(SMALL_OR_BELOW) == []
    assert scrolls_down_by(page) == 0
    assert_accessible(page)
    page.get_by_label("Menu").click()
    page.get_by_role("button", name="As on a television").click()
    expect(page.locator("#log")).to_be_visible()
