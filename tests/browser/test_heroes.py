"""Making a hero in a real browser: what is wrong is mended with one click, and nothing typed is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.axe import ON_A_LAPTOP, ON_A_PHONE, assert_accessible
from tests.browser.screenshots import Screenshots
from tests.surfaces.web.open_tables import OpenTable, Web

PHONE, LAPTOP = ViewportSize(width=390, height=844), ViewportSize(width=1366, height=768)
NAME = 'Ox "the <Bull>" & sons'
WRONG: Mapping[str, Mapping[str, str]] = {
    "sinew_steel": {"scores.MGT": "16", "scores.REF": "16"},
    "narraject": {f"ratings.{stat}": "6" for stat in ("might", "agility", "intellect", "persona")},
    "new_shoes": {"body": "5", "mind": "5", "will": "5"},
    "six_pool": {"pools.STR": "18", "pools.DEX": "18", "pools.INT": "18"},
}
"""Scores that no hero can have at once."""
TYPE_AT_ONCE = """(form, typed) => {
    for (const [name, text] of Object.entries(typed)) form.elements[name].value = text
    form.dispatchEvent(new Event("input", {bubbles: true}))
}"""
"""So that the repairs in view are those of all that was typed, not of a part of it."""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    found = context.new_page()
    yield found
    context.close()


def come_to_the_bench(page: Page, web: Web, table: OpenTable, scores: Mapping[str, str]) -> None:
    """Bo has typed a name and these scores, and has been told that they can't be."""
    page.context.add_cookies(web.cookies(table["Bo"]))  # type: ignore[arg-type]
    page.goto(f"{web.address}/t/{table.id}/heroes")
    page.locator("#hero-form").evaluate(TYPE_AT_ONCE, {"name": NAME, **scores})
    expect(page.locator("#ledger .repairs button").first).to_be_visible()


@dataclass(frozen=True)
class Bench:
    game: str
    table: OpenTable
    page: Page


@pytest.fixture(scope="module", params=WRONG)
def found_bench(request: pytest.FixtureRequest, browser: Browser, live_web: Web) -> Iterator[Bench]:
    context = browser.new_context()
    yield Bench(request.param, live_web.table(request.param), context.new_page())
    context.close()


@pytest.fixture
def bench(found_bench: Bench, live_web: Web) -> Bench:
    """As the test before has left it, if what was typed there still can't be."""
    if found_bench.page.locator("#ledger .repairs button").count() == 0:
        come_to_the_bench(found_bench.page, live_web, found_bench.table, WRONG[found_bench.game])
    return found_bench


def test_what_is_left_to_spend_is_in_view_at_every_step(bench: Bench, screenshots: Screenshots) -> None:
    page = bench.page
    for size, themes in ((PHONE, ON_A_PHONE), (LAPTOP, ON_A_LAPTOP)):
        page.set_viewport_size(size)
        expect(page.locator("#balance")).to_contain_text("to change")
        for step in page.locator(".steps-nav a").all():
            step.click()
            expect(page.locator("#balance")).to_be_in_viewport(ratio=0.95)
            expect(page.locator(".accounts" if size is LAPTOP else "#balance > span")).to_be_in_viewport(ratio=0.5)
            expect(page.get_by_role("button", name="Bring them into the story")).to_be_in_viewport(ratio=0.95)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if bench.game != "six_pool":  # whose bench is in test_every_page
            assert_accessible(page, themes)
        screenshots.keep(page, f"hero-{bench.game}-{size['width']}.png", full_page=True)


def test_a_repair_that_fits_no_more_keeps_what_was_typed_and_says_so_beside_the_button(bench: Bench) -> None:
    page = bench.page
    button = page.locator("#ledger .repairs button").first
    button.evaluate("button => { button.value = 'something else' }")
    button.click()
    expect(page.locator("#ledger .fault[role=alert]")).to_contain_text("That fix no longer fits")
    expect(page.locator("#ledger .fault[role=alert]")).to_be_in_viewport()
    for name, score in {"name": NAME, **WRONG[bench.game]}.items():
        expect(page.locator(f'#hero-form [name="{name}"]')).to_have_value(score)
    expect(page.locator("#ledger .repairs button").first).to_be_visible()


def test_one_click_mends_a_hero_and_keeps_its_name(bench: Bench, live_web: Web) -> None:
    page, table = bench.page, bench.table
    page.locator("#ledger .repairs button").first.click()
    expect(page.get_by_text("Ready to play.")).to_be_visible()
    expect(page.locator('#hero-form [name="name"]')).to_have_value(NAME)
    page.get_by_role("button", name="Bring them into the story").click()
    page.wait_for_url(f"**/t/{table.id}")
    assert NAME in [one.name for one in live_web.host.look(table.id, table.seats["Bo"]).characters.values()]


def test_why_a_hero_is_refused_is_in_view_on_a_phone(page: Page, live_web: Web) -> None:
    page.set_viewport_size(PHONE)
    come_to_the_bench(page, live_web, live_web.table("new_shoes"), WRONG["new_shoes"])
    page.get_by_role("button", name="Bring them into the story").click()
    refused = page.locator("#hero-form footer .refused[role=alert]")
    expect(refused).to_be_in_viewport()
    expect(refused).to_be_focused()
    expect(page.get_by_role("button", name="Bring them into the story")).to_be_in_viewport()
    assert_accessible(page, part="#hero-form footer")


@pytest.mark.parametrize(
    ("game", "typed", "field"),
    [
        ("new_shoes", {"body": "9"}, "body"),
        ("sinew_steel", {"scores.MGT": "25"}, "scores.MGT"),
        ("narraject", {"ratings.might": "12"}, "ratings.might"),
        ("six_pool", {"level": "40"}, "level"),
    ],
)
def test_what_is_not_legal_is_marked_where_it_is(
    page: Page, live_web: Web, game: str, typed: dict[str, str], field: str
) -> None:
    table = live_web.table(game)
    page.context.add_cookies(live_web.cookies(table["Bo"]))  # type: ignore[arg-type]
    page.goto(f"{live_web.address}/t/{table.id}/heroes")
    before = page.locator(f'#hero-form [name="{field}"]').input_value()
    page.locator("#hero-form").evaluate(TYPE_AT_ONCE, typed)
    wrong = page.locator(f'#hero-form [name="{field}"]')
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(page.locator(f'.field:has([name="{field}"]) > .doc .fault').last).to_be_visible()
    page.locator("#hero-form").evaluate(TYPE_AT_ONCE, {field: before})
    expect(wrong).not_to_have_attribute("aria-invalid", "true")


@pytest.mark.parametrize("game", ["narraject", "new_shoes", "six_pool"])
def test_a_ready_hero_is_played_with_one_click(page: Page, live_web: Web, game: str) -> None:
    table = live_web.table(game)
    page.context.add_cookies(live_web.cookies(table["Bo"]))  # type: ignore[arg-type]
    page.goto(f"{live_web.address}/t/{table.id}/heroes")
    name = page.locator(".starts li > b").first.inner_text()
    page.get_by_role("button", name=f"Play {name}").click()
    page.wait_for_url(f"**/t/{table.id}")
    expect(page.locator("#panel-hero h3", has_text=name)).to_be_visible()


def test_a_hint_that_was_switched_off_stays_off_in_this_browser(page: Page, live_web: Web) -> None:
    table = live_web.table("sinew_steel")
    page.context.add_cookies(live_web.cookies(table["Bo"]))  # type: ignore[arg-type]
    page.goto(f"{live_web.address}/t/{table.id}/heroes")
    plain = {f"scores.{key}": "10" for key in ("MGT", "REF", "INT", "EMP", "LCK")}
    page.locator("#hero-form").evaluate(TYPE_AT_ONCE, {"name": NAME, "scores.STM": "5", **plain})
    better = page.get_by_role("button", name="Might 10 → 13")
    expect(better).to_be_visible()
    assert_accessible(page, part="#ledger")
    page.get_by_label("Hints").uncheck()
    expect(better).to_be_hidden()
    page.reload()
    page.locator("#hero-form").evaluate(TYPE_AT_ONCE, {"name": NAME, "scores.STM": "5", **plain})
    expect(page.get_by_label("Hints")).not_to_be_checked()
    expect(better).to_be_hidden()
