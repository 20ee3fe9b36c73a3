"""The palette in a real browser: every command is found by the words that people use, by keyboard and by touch."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.axe import assert_accessible
from tests.browser.people import script
from tests.browser.screenshots import Screenshots
from tests.surfaces.web.open_tables import OpenTable, Web

LAPTOP, PHONE = ViewportSize(width=1440, height=900), ViewportSize(width=390, height=844)
GAMES = ("narraject", "new_shoes", "sinew_steel", "six_pool")

SEARCHED = """async ([script, all, wanted]) => {
  const { prepared, search } = await import(script);
  const entries = prepared(all);
  return wanted.filter(([id, words]) => !search(entries, words).some((one) => one.id === id));
}"""
"""What is looked for and not found."""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=LAPTOP)
    yield context.new_page()
    context.close()


def sit(page: Page, web: Web, table: OpenTable, name: str) -> Page:
    page.context.clear_cookies()
    page.context.add_cookies(web.cookies(table[name]))  # type: ignore[arg-type]
    page.goto(f"{web.address}/t/{table.id}")
    expect(page.locator("#live")).to_have_attribute("data-line", "up")
    return page


def test_every_command_of_every_game_is_found_by_its_title_and_by_everyday_words(page: Page, live_web: Web) -> None:
    sit(page, live_web, live_web.table(), "Bo")
    for game in GAMES:
        table = live_web.table(game)
        for name in ("Ada", "Bo"):
            page.context.add_cookies(live_web.cookies(table[name]))  # type: ignore[arg-type]
            entries = page.request.get(f"{live_web.address}/t/{table.id}/palette.json").json()
            phrases = [
                (one["id"], words)
                for one in entries
                if one["id"].startswith("do:")
                for words in (one["title"], *one["words"].split(","))
            ]
            assert phrases
            assert page.evaluate(SEARCHED, [script(page, "palette_search"), entries, phrases]) == [], (game, name)


def test_somebody_is_harmed_by_keyboard_alone(page: Page, live_web: Web, screenshots: Screenshots) -> None:
    table = live_web.table("sinew_steel")
    sit(page, live_web, table, "Ada")
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Do or find anything")
    expect(field).to_be_focused()
    page.keyboard.type("hurt tobin")
    chosen = page.locator("#palette").get_by_role("option", selected=True)
    expect(chosen).to_contain_text("Harm: Tobin Ash")
    expect(field).to_have_attribute("aria-activedescendant", chosen.get_attribute("id") or "")
    assert_accessible(page, part="#palette")
    screenshots.keep(page, "palette.png")
    page.keyboard.press("Enter")
    expect(page.locator("#open-form h3")).to_have_text("Harm")
    expect(page.get_by_role("radio", name="Tobin Ash")).to_be_checked()
    page.locator("#open-form button.go").click()
    expect(page.locator("#log")).to_contain_text("Tobin Ash")
    page.keyboard.press("Escape")
    page.locator("#scroll").focus()
    page.keyboard.press("/")
    expect(page.locator("#palette .grp").first).to_have_text("Recent")
    page.keyboard.type("xyzzy")
    expect(page.locator("#palette-list")).to_contain_text("Nothing is called that.")
    page.keyboard.press("Escape")
    expect(page.locator("#palette")).to_be_hidden()
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keyboard shortcuts")).to_be_visible()
    assert_accessible(page, part="#keys")


def test_what_becomes_possible_while_the_palette_is_open_can_be_chosen(page: Page, live_web: Web) -> None:
    table = live_web.table("new_shoes")
    sit(page, live_web, table, "Ada")
    page.keyboard.press("Control+k")
    page.keyboard.type("change status")
    found = page.locator("#palette").get_by_role("option").first
    expect(found).to_have_attribute("aria-disabled", "true")
    live_web.host.act(table.id, table.seats["Ada"], ("attach_status", {"name": "Waist-deep water", "value": -1}))
    expect(found).not_to_have_attribute("aria-disabled", "true")
    found.click()
    expect(page.locator("#open-form h3")).to_have_text("Change status")


def test_who_attacks_and_who_is_attacked_are_told_apart(page: Page, live_web: Web) -> None:
    table = live_web.table("sinew_steel")
    for name, expected in (
        ("Ada", {"Attack → Mara Quill": "Who is attacked", "Attack as Mara Quill": "Who attacks"}),
        ("Bo", {"Attack as Mara Quill": "Who attacks"}),
    ):
        sit(page, live_web, table, name)
        page.keyboard.press("Control+k")
        page.get_by_role("combobox", name="Do or find anything").fill("attack mara")
        options = page.locator("#palette").get_by_role("option").filter(has_text="Mara Quill")
        options = options.filter(has=page.locator(".t").filter(has_text="Attack"))
        expect(options.locator(".t")).to_have_text(list(expected))
        expect(options.locator("small")).to_have_text(list(expected.values()))


def test_dice_are_rolled_from_the_palette_the_tray_and_the_talk_with_their_odds_in_view(
    page: Page, live_web: Web, screenshots: Screenshots
) -> None:
    table = live_web.table("six_pool")
    sit(page, live_web, table, "Bo")
    page.set_viewport_size(PHONE)
    page.get_by_role("link", name="Do or find anything").click()
    page.get_by_role("combobox", name="Do or find anything").fill("2d6+3")
    expect(page.locator("#palette-odds svg")).to_be_visible()
    assert_accessible(page, part="#palette")
    page.keyboard.press("Enter")
    expect(page.locator("#log")).to_contain_text("Bo rolls 2d6 + 3")
    page.get_by_role("button", name="Dice tray", exact=True).click()
    for die in ("d8", "d8", "+1"):
        page.locator("#tray").get_by_role("button", name=die, exact=True).click()
    expect(page.get_by_label("Dice, such as 2d6+3")).to_have_value("2d8+1")
    expect(page.locator("#tray-odds svg")).to_be_visible()
    screenshots.keep(page, "dice-tray-phone.png")
    assert_accessible(page, part="#tray")
    page.locator("#tray").get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator("#log")).to_contain_text("Bo rolls 2d8 + 1")
    page.get_by_label("Words", exact=True).fill("/r 1d20kep1")
    expect(page.locator("#speak-odds .fault")).to_contain_text("nearest")
    page.get_by_label("Words", exact=True).fill("/r 1d20 # luck")
    expect(page.locator("#speak-odds svg")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#log")).to_contain_text("Bo rolls 1d20")


def test_the_actions_of_a_person_are_on_the_card_of_the_chosen_one(page: Page, live_web: Web) -> None:
    table = live_web.table("sinew_steel")
    live_web.host.act(table.id, table.seats["Ada"], ("make_npc", {"name": "The warden", "score": 11}))
    sit(page, live_web, table, "Ada")
    expect(page.get_by_role("button", name="Ask: Mara Quill")).to_be_visible()
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Attack as: The warden")).to_be_visible()
    expect(page.get_by_role("button", name="Ask: Mara Quill")).to_be_hidden()
    page.get_by_role("link", name="More with The warden").click()
    expect(page.locator("#palette .whom")).to_have_text("The warden ×")
    expect(page.locator("#palette")).to_contain_text("Harm: The warden")
    assert_accessible(page, part="#palette")
