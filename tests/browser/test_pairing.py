"""A chain of one's own in the browser: its links go with the rolls, its secret goes nowhere."""

from __future__ import annotations

import json
from itertools import accumulate
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from astragal.fair import Report, verify
from astragal.fair.chain import link_after
from astragal.table.declarations import Sight
from astragal.table.log.repository import Outcome
from tests.browser.axe import assert_accessible
from tests.surfaces.web.open_tables import OpenTable, Web


@pytest.fixture
def table(live_web: Web) -> OpenTable:
    """Of a game whose rolls stand as they fell: nothing waits for a decision after them."""
    return live_web.table("narraject", house={"witnessed": True})


def sit(page: Page, web: Web, table: OpenTable, part: str = "", name: str = "Bo") -> None:
    page.context.add_cookies(web.cookies(table[name]))  # type: ignore[arg-type]
    page.goto(f"{web.address}/t/{table.id}{part}")


def at_table(page: Page, web: Web, table: OpenTable) -> None:
    page.goto(f"{web.address}/t/{table.id}")
    expect(page.locator("#live")).to_have_attribute("data-line", "up")


def chain(page: Page, kind: str = "paired") -> Any:
    """The box of a chain on the fairness page."""
    return page.locator(f"#own [data-kind={kind}]")


def pair(page: Page, web: Web, table: OpenTable) -> None:
    sit(page, web, table, "/fairness")
    page.get_by_role("button", name="Pair my rolls").click()
    expect(chain(page)).to_have_attribute("data-state", "here")


def open_form(page: Page) -> None:
    page.locator("#panel-hero button.score").first.click()
    expect(page.locator("#open-form form")).to_be_visible()


def roll(page: Page, approach: str = "with both hands") -> None:
    open_form(page)
    page.get_by_label("What is wanted").fill("over the wall")
    page.get_by_label("How", exact=True).fill(approach)
    page.locator("#open-form button[type=submit]").click()


def report(web: Web, table: OpenTable) -> Report:
    found = verify(list(web.host.ledger(table.id, table.seats["Ada"])))
    assert found.sound
    return found


def rolls_hidden(web: Web, table: OpenTable) -> Outcome:
    hero = next(one for one in web.host.look(table.id, table.seats["Bo"]).characters.values() if one.seat)
    attempt = {"who": hero.id, "stat": "might", "goal": "to hear them", "approach": "in the dark", "difficulty": 2}
    return web.host.act(table.id, table.seats["Ada"], ("attempt", attempt), sight=Sight.HIDDEN)


def kept(page: Page, table: OpenTable, src: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.evaluate("place => localStorage.getItem(place)", f"chain/{table.id}/{src}"))
    return found


def test_each_roll_takes_a_link_of_the_browsers_own_chain_and_its_secret_stays(
    page: Page, live_web: Web, table: OpenTable
) -> None:
    sent: list[Request] = []
    said: list[str] = []
    page.on("request", lambda one: sent.append(one))  # noqa: PLW0108 - it wants a function of its own
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    pair(page, live_web, table)
    assert_accessible(page, part="#own")
    at_table(page, live_web, table)
    for count in (1, 2):
        roll(page)
        expect(page.locator("#log .log-card.roll")).to_have_count(count)
        expect(page.locator("#open-form form")).to_have_count(0)
    assert report(live_web, table).paired == 2
    assert said == [], "a roll that goes well is no error in the console"

    src = f"u:{table.seats['Bo']}"
    mine = kept(page, table, src)
    links = accumulate(range(4096 - 2), lambda link, _: link_after(src, link), initial=bytes.fromhex(mine["seed"]))
    *to_come, spent = (link.hex() for link in links)
    asked = "\n".join(f"{one.url} {one.post_data or ''}" for one in sent)
    assert mine["spent"] == 2
    assert spent in asked
    assert "promise_chain" in asked
    assert not [link for link in to_come if link in asked]


def test_a_device_without_the_chain_says_so_and_can_start_a_new_one(
    page: Page, browser: Browser, live_web: Web, table: OpenTable
) -> None:
    pair(page, live_web, table)
    other = browser.new_context().new_page()
    sit(other, live_web, table)
    roll(other)
    expect(other.locator(".paired .elsewhere")).to_be_visible()
    expect(other.locator("#chain")).to_contain_text("a chain that this browser doesn’t have")
    expect(other.get_by_label("What is wanted")).to_have_value("over the wall")
    other.locator("#chain").get_by_role("link", name="Fair dice").click()
    expect(chain(other)).to_have_attribute("data-state", "elsewhere")
    other.get_by_role("button", name="start a new one here").first.click()
    expect(chain(other)).to_have_attribute("data-state", "here")
    at_table(other, live_web, table)
    roll(other)
    expect(other.locator("#log .log-card.roll")).to_have_count(1)

    page.reload()
    expect(chain(page)).to_have_attribute("data-state", "elsewhere")
    page.get_by_role("button", name="Stop pairing").click()
    expect(chain(page)).to_have_attribute("data-state", "none")
    at_table(page, live_web, table)
    roll(page)
    expect(page.locator("#log .log-card.roll")).to_have_count(2)
    assert report(live_web, table).paired == 1
    other.context.close()


def test_a_roll_that_did_not_arrive_is_sent_again_with_the_same_link(
    page: Page, live_web: Web, table: OpenTable
) -> None:
    """And one that did arrive, of which only the server's answer was lost, is the same roll once it is sent again."""
    pair(page, live_web, table)
    at_table(page, live_web, table)
    asked: list[str] = []

    def lose(route: Route) -> None:
        body = route.request.post_data or ""
        if ".link" not in body:
            route.continue_()
            return
        asked.append(body)
        if len(asked) == 1:
            route.abort()
        elif len(asked) == 3:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/do/*", lose)
    roll(page)
    expect(page.locator("#chain")).to_contain_text("No answer came")
    at_table(page, live_web, table)
    expect(page.locator("#chain")).to_contain_text("is not in the ledger yet")
    roll(page, "by a ladder")
    expect(page.locator("#open-form .fault")).to_be_visible()
    page.get_by_role("button", name="Send that roll again").click()
    expect(page.locator("#log .log-card.roll")).to_have_count(1)
    expect(page.locator("#chain")).to_be_empty()
    assert asked[1] == asked[0]
    page.locator("#open-form button[type=submit]").click()
    expect(page.locator("#chain")).to_contain_text("No answer came")
    expect(page.locator("#log .log-card.roll")).to_have_count(2)
    page.locator("#open-form button[type=submit]").click()
    expect(page.locator("#open-form form")).to_have_count(0)
    expect(page.locator("#chain")).to_be_empty()
    expect(page.locator("#log .log-card.roll")).to_have_count(2)
    assert report(live_web, table).paired == 2


def test_a_witness_adds_a_link_to_each_hidden_roll_by_itself(
    page: Page, browser: Browser, live_web: Web, table: OpenTable
) -> None:
    sit(page, live_web, table, "/fairness")
    page.get_by_role("button", name="Witness hidden rolls").click()
    expect(chain(page, "witness")).to_have_attribute("data-state", "here")
    at_table(page, live_web, table)
    other = browser.new_context().new_page()
    sit(other, live_web, table)
    for _ in (1, 2):
        with page.expect_response("**/commands/answer") as answered:
            hidden = rolls_hidden(live_web, table)
        assert hidden.waits_for == (f"w:{table.seats['Bo']}",)
        assert answered.value.ok
        expect(page.locator("#panel-chains")).to_be_empty()
    assert report(live_web, table).witnessed == 2

    page.close()
    rolls_hidden(live_web, table)
    expect(other.locator("#panel-chains")).to_contain_text("A hidden roll waits for your link as a witness")
    other.context.close()
