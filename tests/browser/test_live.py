"""A page keeps up with its table: in the background, through a restart of the server, and with what was typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, BrowserType, Page, expect

from tests.browser.axe import assert_accessible
from tests.browser.people import IN_VAIN
from tests.storage.places import SqlitePlace
from tests.surfaces.web.open_tables import OpenTable, Web
from tests.surfaces.web.serving import served_web

FOLLOWS = "document.getElementById('live')._htmx?.sse"


KEPT = """async () => {
    const kept = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return kept.flat().map((request) => new URL(request.url).pathname).sort();
}"""
"""Everything that the page's origin has in its caches."""


class Restarting:
    """A table whose server can be stopped, and started again at the same address."""

    def __init__(self, url: str, port: int) -> None:
        self.url, self.port = url, port

    def running(self) -> AbstractContextManager[Web]:
        return served_web(self.url, self.port)


@pytest.fixture
def place(sqlite_place: SqlitePlace, held_port: int) -> Restarting:
    return Restarting(sqlite_place.url, held_port)


def until(page: Page, condition: str) -> None:
    """Wait in the page itself: Playwright's own way evaluates strings there, which its policy forbids, and rightly."""
    page.evaluate(
        f"""async () => {{
            const end = performance.now() + {IN_VAIN};
            while (!({condition})) {{
                if (performance.now() > end) throw new Error("in vain");
                await new Promise((next) => setTimeout(next, 10));
            }}
        }}"""
    )


def open_at(page: Page, web: Web, table: OpenTable, name: str) -> None:
    page.context.add_cookies(web.cookies(table[name]))  # type: ignore[arg-type]
    page.goto(f"{web.address}/t/{table.id}")
    until(page, FOLLOWS)


def say(web: Web, table: OpenTable, words: str) -> None:
    web.host.act(table.id, table.seats["Cy"], ("say", {"words": words}))


def turn_away(page: Page, *, hidden: bool) -> None:
    """As when another tab is in front."""
    page.evaluate(
        """(hidden) => {
            Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


def test_what_is_drawn_anew_answers_a_tap_from_its_first_moment(page: Page, live_web: Web) -> None:
    """A tap on what is not wired yet would send its form without the script, and lead to another page."""
    table = live_web.table()
    open_at(page, live_web, table, "Bo")
    page.evaluate(
        """() => {
            window.unwired = [];
            window.drawn = 0;
            new MutationObserver((changes) => {
                for (const { addedNodes } of changes)
                    for (const node of addedNodes)
                        for (const one of node.querySelectorAll?.("[hx-get], [hx-post]") ?? []) {
                            window.drawn += 1;
                            if (!one._htmx) window.unwired.push(one.outerHTML);
                        }
            }).observe(document.body, { childList: true, subtree: true });
        }"""
    )
    for _ in range(2):  # what has the same ids as what it takes the place of is where it was late
        page.locator("#panel-hero button.score").first.click()
        expect(page.locator("#open-form form")).to_be_visible()
    live_web.host.act(table.id, table.seats["Ada"], ("rename_seat", {"seat": table.seats["Bo"], "name": "Bodil"}))
    expect(page.locator("#panel-people")).to_contain_text("Bodil")
    assert page.evaluate("window.drawn") > 1
    assert page.evaluate("window.unwired") == []


def test_a_tab_in_the_background_is_left_alone_and_catches_up(page: Page, live_web: Web) -> None:
    table = live_web.table()
    open_at(page, live_web, table, "Bo")
    turn_away(page, hidden=True)
    until(page, "document.getElementById('live')._htmx.sse.reader === null")
    say(live_web, table, "said while away")
    turn_away(page, hidden=False)
    expect(page.get_by_text("said while away")).to_have_count(1)
    expect(page.locator("#offline")).to_be_hidden()
    page.context.close()


def test_a_page_survives_its_server_and_so_does_what_was_typed(page: Page, place: Restarting) -> None:
    with place.running() as web:
        table = web.table()
        open_at(page, web, table, "Bo")
        page.fill("#speak-words", "half a thought")
    expect(page.locator("#offline")).to_contain_text("Offline")
    with place.running() as web:
        say(web, table, "after the restart")
        expect(page.get_by_text("after the restart")).to_have_count(1)
        expect(page.locator("#offline")).to_be_hidden()
        expect(page.locator("#speak-words")).to_have_value("half a thought")
        page.reload()
        expect(page.locator("#speak-words")).to_have_value("half a thought")
        until(page, FOLLOWS)
        page.press("#speak-words", "Enter")
        expect(page.locator("#log").get_by_text("half a thought")).to_have_count(1)
        page.reload()
        expect(page.locator("#speak-words")).to_have_value("")
        page.context.close()


@pytest.fixture
def at_home(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], tmp_path: Path
) -> Iterator[BrowserContext]:
    """A browser with a profile of its own: others are private windows, where nothing can be installed."""
    context = browser_type.launch_persistent_context(tmp_path / "profile", **browser_type_launch_args)
    context.set_default_timeout(IN_VAIN)
    yield context
    context.close()


def test_the_table_is_an_app_that_waits_for_its_server_and_keeps_nothing_of_a_table(
    at_home: BrowserContext, place: Restarting
) -> None:
    page = at_home.new_page()
    with place.running() as web:
        table = web.table()
        open_at(page, web, table, "Bo")
        page.evaluate("async () => { await navigator.serviceWorker.ready }")
        until(page, "navigator.serviceWorker.controller")
        kept = page.evaluate(KEPT)
        faults = at_home.new_cdp_session(page).send("Page.getInstallabilityErrors")
        assert faults == {"installabilityErrors": []}
        fill = page.locator("#speak-words")
        fill.fill("half a thought")
    page.goto(f"{web.address}/t/{table.id}")
    expect(page.get_by_role("heading", name="The table can’t be reached")).to_be_visible()
    assert_accessible(page)
    with place.running() as web:
        expect(page.locator("#live[data-line=up]")).to_be_attached()
        expect(fill).to_have_value("half a thought")
        assert page.evaluate(KEPT) == kept
        assert "/offline" in kept
        assert all(re.fullmatch(r"/offline|/static/[0-9a-f]{12}/[a-z+./_]+", path) for path in kept), kept


def test_whoever_is_removed_is_told_and_left_in_peace(page: Page, live_web: Web) -> None:
    table = live_web.table()
    open_at(page, live_web, table, "Bo")
    live_web.host.act(table.id, table.seats["Ada"], ("leave_seat", {"seat": table.seats["Bo"]}))
    expect(page.locator("#offline")).to_contain_text("You no longer have a seat at this table")
    until(page, "!document.getElementById('live')._htmx.sse")
    page.context.close()
