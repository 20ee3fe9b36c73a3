"""A roll with the keyboard alone: from the page's beginning to the card, on no day with a mouse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import Theme
from tests.browser.people import LAPTOP, Person, Room, open_house
from tests.browser.screenshots import Screenshots
from tests.surfaces.web.open_tables import Web

MOST_STEPS = 120


@pytest.fixture
def room(browser: Browser, screenshots: Screenshots, tmp_path: Path) -> Iterator[Room]:
    with open_house(f"sqlite:///{tmp_path}/tables.db", browser, screenshots) as found:
        yield found
        assert not found.wrong


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is there."""
    for _ in range(MOST_STEPS):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    pytest.fail(f"Tab does not come to {selector}")


def sat_down(room: Room, game: str, theme: Theme) -> Person:
    """Bo, at a table of this game."""
    web = Web(room.context)
    table = web.table(game)
    bo = room.person("Bo", LAPTOP, theme)
    bo.context.add_cookies(web.cookies(table["Bo"]))  # type: ignore[arg-type]
    bo.table = f"{room.address}/t/{table.id}"
    bo.sit()
    return bo


def test_a_player_rolls_by_keyboard_alone(room: Room) -> None:
    bo = sat_down(room, "six_pool", "light")
    page = bo.page
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    tab_to(page, "#panel-hero button.piece")
    page.keyboard.press("Enter")
    expect(bo.form).to_be_visible()
    expect(bo.form.locator(".odds .chance strong")).to_have_text(re.compile("%"))
    expect(bo.form.locator("button.roll")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(bo.form.locator(".odds .spends input:checked")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(bo.form.locator(".odds label.now > b")).to_have_text("1")
    expect(bo.form.locator(".odds .spends input:checked")).to_be_focused()
    tab_to(page, "#open-form .change > summary")
    page.keyboard.press("Enter")
    tab_to(page, "#open-form [name=modifier]")
    page.locator("#open-form button.roll").focus()
    page.keyboard.press("Enter")
    expect(bo.rolls.locator(".throw .die").first).to_be_visible()
    expect(bo.form).to_have_count(0)
    expect(page.locator("#panel-hero button.piece").first).to_be_focused()


def test_escape_puts_a_form_away_and_gives_the_focus_back(room: Room) -> None:
    bo = sat_down(room, "sinew_steel", "dark")
    tab_to(bo.page, "#panel-hero button.score")
    bo.page.keyboard.press("Enter")
    expect(bo.form).to_be_visible()
    expect(bo.form.locator(":focus")).to_have_count(1)
    bo.page.keyboard.press("Escape")
    expect(bo.form).to_have_count(0)
    expect(bo.page.locator("#panel-hero button.score").first).to_be_focused()
