"""The table in a browser that runs no scripts: slower, and whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.surfaces.web.open_tables import AtSeat, OpenTable, Web


@pytest.fixture
def table(live_web: Web) -> OpenTable:
    return live_web.table()


@pytest.fixture
def page(browser: Browser, live_web: Web, table: OpenTable) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies(live_web.cookies(table.game_master))  # type: ignore[arg-type]
    found = context.new_page()
    found.goto(f"{live_web.address}/t/{table.id}")
    yield found
    context.close()


def open_tool(page: Page, title: str) -> None:
    page.get_by_role("link", name="Do or find anything").click()
    found = page.get_by_role("link", name=title, exact=True).or_(page.get_by_role("button", name=title, exact=True))
    found.click()


def back_at(page: Page, web: Web, table: OpenTable) -> None:
    expect(page).to_have_url(f"{web.address}/t/{table.id}")


def test_a_roll_is_asked_for_and_rolled(page: Page, live_web: Web, table: OpenTable) -> None:
    page.get_by_role("button", name="Ask for a roll").click()
    expect(page.locator("h1")).to_have_text("Ask for a roll")
    page.get_by_role("button", name="Update the form").click()
    page.get_by_label("What for").fill("the rope bridge")
    page.get_by_role("button", name="Ask", exact=True).click()
    back_at(page, live_web, table)
    expect(page.locator("#panel-pending")).to_contain_text("the rope bridge")

    asked = next(iter(live_web.host.look(table.id, table.seats["Ada"]).requests.values()))
    player = live_web.host.look(table.id, table.seats["Ada"]).characters[asked.who].seat
    page.context.clear_cookies()
    page.context.add_cookies(live_web.cookies(AtSeat(table.id, player or "")))  # type: ignore[arg-type]
    page.reload()
    page.locator("#panel-pending form.roll button[type=submit]").click()
    back_at(page, live_web, table)
    expect(page.locator("#log .log-card.roll, #panel-pending .offer").first).to_be_visible()


def test_a_number_is_set_by_hand_and_taken_back(page: Page, live_web: Web, table: OpenTable) -> None:
    open_tool(page, "Set a number by hand")
    page.get_by_label("New value").fill("3")
    page.get_by_label("Why").fill("the rules were read wrongly")
    page.get_by_role("button", name="Set it").click()
    back_at(page, live_web, table)
    expect(page.locator("#log")).to_contain_text("the rules were read wrongly")
    open_tool(page, "Undo the last command")
    expect(page.locator(".last")).to_contain_text(re.compile("wrongly|by hand"))
    page.get_by_role("button", name="Undo it").click()
    back_at(page, live_web, table)
    expect(page.locator("#log .log-card.undo")).to_have_count(1)


def test_the_tabs_of_a_phone_lead_to_each_view(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".column:visible")).to_have_count(1)
    for view in ("hero", "scene", "screen", "table", "play"):
        page.locator(f'.tabs a[data-view="{view}"]').click()
        expect(page.locator(f"#view-{view}")).to_be_visible()
        expect(page.locator(".column:visible")).to_have_count(1)
