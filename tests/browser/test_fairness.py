"""The ledger verified in the browser, by a script that shares nothing with the server's own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from astragal.fair import Receipt
from tests.browser.axe import assert_accessible
from tests.browser.people import script
from tests.browser.screenshots import Screenshots
from tests.fair.forgeries import SHOWN_BY_THE_LEDGER_ITSELF
from tests.fair.rewritings import SHOWN_BY_RECEIPTS_ALONE
from tests.fair.spoken import spoken
from tests.fair.tables import Table, an_evening, as_file
from tests.surfaces.web.open_tables import OpenTable, Web

SCRIPT = """async ([module, text, receipts]) => {
  const { verify, spoken } = await import(module);
  const { byCommand, ...report } = await verify(text, new Map(receipts));
  return { ...report, words: report.head && spoken(report.head) };
}"""


@pytest.fixture(scope="module")
def evening() -> Table:
    return an_evening()


@pytest.fixture
def table(live_web: Web) -> OpenTable:
    return live_web.table()


@pytest.fixture
def fairness(page: Page, live_web: Web, table: OpenTable) -> Page:
    """The page as Bo sees it."""
    page.context.add_cookies(live_web.cookies(table["Bo"]))  # type: ignore[arg-type]
    page.goto(f"{live_web.address}/t/{table.id}/fairness")
    return page


@pytest.fixture(scope="module")
def scripts(browser: Browser, live_web: Web) -> Iterator[Page]:
    """Any page of the house, for its scripts."""
    page = browser.new_context().new_page()
    page.goto(live_web.address)
    yield page
    page.context.close()


def verified(page: Page, lines: list[bytes], receipts: Iterable[Receipt] = ()) -> Any:
    text = as_file(lines).decode("latin-1")
    return page.evaluate(SCRIPT, [script(page, "fd1/verify"), text, [[one.line, one.head] for one in receipts]])


def test_an_honest_evening_is_sound_with_the_head_and_the_words_that_everyone_has(
    scripts: Page, evening: Table
) -> None:
    report = verified(scripts, evening.lines, evening.receipts)
    head = evening.receipts[-1].head
    assert report["sound"], report["fault"]
    assert (report["head"], report["words"]) == (head, spoken(head))


def test_it_finds_what_the_other_verifiers_find(scripts: Page, evening: Table) -> None:
    expected = {name: str(forgery.code) for name, forgery in SHOWN_BY_THE_LEDGER_ITSELF.items()}
    reports = {name: verified(scripts, one.forge(evening)) for name, one in SHOWN_BY_THE_LEDGER_ITSELF.items()}
    assert {name: report["fault"] and report["fault"]["code"] for name, report in reports.items()} == expected


def test_receipts_show_what_a_whole_rewriting_hides(scripts: Page, evening: Table) -> None:
    for name, rewrite in SHOWN_BY_RECEIPTS_ALONE.items():
        forged = rewrite(evening)
        assert verified(scripts, forged)["sound"], name
        assert not verified(scripts, forged, evening.receipts)["sound"], name


def test_the_page_verifies_by_itself_explains_and_keeps_receipts(
    fairness: Page, live_web: Web, table: OpenTable, screenshots: Screenshots
) -> None:
    verdict = fairness.locator("[data-part=verdict]")
    expect(verdict).to_have_attribute("data-sound", "yes")
    hero = next(one for one in live_web.host.look(table.id, table.seats["Bo"]).characters.values() if one.seat)
    rolled = live_web.host.act(
        table.id, table.seats["Ada"], ("test", {"who": hero.id, "attribute": "MGT", "stakes": "the rope"})
    )
    assert rolled.receipt
    fairness.goto(f"{live_web.address}/t/{table.id}/fairness#{rolled.act}")
    fairness.reload()
    expect(verdict).to_have_attribute("data-sound", "yes")
    expect(fairness.locator("[data-part=words]")).to_have_text(spoken(rolled.receipt.head))
    expect(fairness.locator("[data-part=roll-lines]")).to_contain_text(f'"cmd":"{rolled.act}"')
    # One receipt or two: its script of own chains reads the ledger too, before the roll or after it.
    expect(fairness.locator("[data-part=found]")).to_contain_text(re.compile("receipts? that this browser kept agreed"))
    screenshots.keep(fairness, "fairness.png", full_page=True)
    assert_accessible(fairness)


def test_a_rewritten_ledger_is_noticed_by_a_browser_that_saw_another(fairness: Page, table: OpenTable) -> None:
    verdict = fairness.locator("[data-part=verdict]")
    expect(verdict).to_have_attribute("data-sound", "yes")
    fairness.evaluate(
        "table => localStorage.setItem(`receipts/${table}`, JSON.stringify([[0, 'f'.repeat(64)]]))", table.id
    )
    fairness.get_by_role("button", name="Check again").click()
    expect(verdict).to_have_attribute("data-sound", "no")
    expect(verdict).to_contain_text("receipt-differs")


def test_the_page_holds_what_a_player_saw_against_the_ledger(fairness: Page) -> None:
    story = fairness.locator("[data-part=story]")
    expect(story).to_have_attribute("data-sound", "yes")
    expect(story).to_contain_text("are as they were sealed")


def test_the_page_notices_a_story_that_was_not_sealed(fairness: Page) -> None:
    """The server tells Bo another story than the one that it sealed."""

    def forged(route: Route) -> None:
        seen = json.loads(route.fetch().text())
        seen["events"][-1]["at"] += 1
        route.fulfill(body=json.dumps(seen, sort_keys=True, separators=(",", ":")))

    fairness.route("**/export", forged)
    fairness.get_by_role("button", name="Check again").click()
    story = fairness.locator("[data-part=story]")
    expect(story).to_have_attribute("data-sound", "no")
    expect(story).to_contain_text("of the ledger sealed")
