"""Every page, from every kind of seat: no fault that axe finds in either theme, and nothing wider than its screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from astragal.table.declarations import Sight
from tests.browser.axe import ON_A_LAPTOP, ON_A_PHONE, RULES_OF_COLOURS, SOURCE, THEMES, Themes, assert_accessible
from tests.browser.people import LAPTOP, PHONE, Room, open_house
from tests.browser.screenshots import Screenshots
from tests.surfaces.web.open_tables import OpenTable, Web

pytestmark = pytest.mark.slow

GAME = "six_pool"
SEATS = ("Ada", "Bo", "Di")
SIZES: dict[str, ViewportSize] = {
    "laptop": LAPTOP,
    "phone": PHONE,
    "a laptop at 200 %": ViewportSize(width=LAPTOP["width"] // 2, height=LAPTOP["height"] // 2),
    "the narrowest that has to do without scrolling sideways": ViewportSize(width=320, height=480),
}
LOOKS: dict[str, dict[str, Themes]] = {
    "Ada": {"laptop": ON_A_LAPTOP, "phone": ON_A_PHONE},
    "Bo": {"laptop": (("light", RULES_OF_COLOURS),), "phone": (("dark", ()),)},
    "Di": {"laptop": (("dark", ()),), "phone": (("light", RULES_OF_COLOURS),)},
}
"""Where axe looks at their pages, and how: at each by all rules once, and in both themes at its colours."""
MOST_UNFOLDED = 8
"""Of a long list, whose parts are all alike."""
UNFOLD = """() => {
    for (const one of document.querySelectorAll("main details > summary")) if (one.checkVisibility()) one.click();
}"""
EMPTY_WHAT_IS_FOLDED = """() => {
    for (const one of document.querySelectorAll("main details:not([open]) > :not(summary)")) one.remove();
}"""
"""Axe has nothing to say of what nobody sees, but walks through all of it for each rule."""
PAGES = ("/people", "/log", "/scenes", "/fairness", "/luck", "/heroes", "/everything", "/rules", "/recap")
LOOKED_AT: set[str] = set()
"""What pages have shown: some show the same to two seats."""


@pytest.fixture(scope="module")
def room(browser: Browser, screenshots: Screenshots, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    folder = tmp_path_factory.mktemp("pages")
    with open_house(f"sqlite:///{folder}/tables.db", browser, screenshots) as found:
        yield found


@pytest.fixture(scope="module")
def web(room: Room) -> Web:
    return Web(room.context)


@pytest.fixture(scope="module")
def table(web: Web) -> OpenTable:
    """In the middle of an evening: something of everything lies on the table, and something waits for everybody."""
    found = web.table(GAME)
    ada, bo, cy = (found.seats[name] for name in ("Ada", "Bo", "Cy"))

    def give(seat: str, order: str, sight: Sight = Sight.OPEN, /, **fields: Any) -> Any:
        return web.host.act(found.id, seat, (order, fields), sight=sight).events[0].fields

    heroes = {one.seat: one.id for one in web.host.look(found.id, ada).characters.values()}
    ways = [{"words": "Cross the bridge", "way": "risky"}, {"words": "Climb down"}, {"words": "Wait", "way": "hidden"}]
    gorge = give(ada, "write_scene", title="At the gorge", hook="Wind *howls*.", options=ways, save_node=True)
    give(ada, "begin_evening")
    give(ada, "begin_scene", scene=gorge["scene"])
    for face in ("public", "known", "hidden"):
        give(ada, "start_clock", name=f"A {face} clock", size=6, face=face)
    give(ada, "write_note", title="Who did it", words="The *abbot*", audience="game master")
    give(ada, "write_note", title="The map", words="North is up.", audience="all")
    give(bo, "whisper", to=[cy], words="Psst.")
    give(bo, "say", words="Hello all.")
    give(ada, "agree_boundary", kind="line", words="spiders")
    give(bo, "check", who=heroes[bo], pool="STR", dc=12, rerolls="never")
    give(ada, "check", Sight.HIDDEN, who=heroes[cy], pool="WIS", dc=12, rerolls="never")
    give(ada, "harm", who=heroes[bo], damage="2", why="a fall")
    give(ada, "undo")
    give(ada, "override", who=heroes[bo], what="hit points", value=5, why="a fall")
    give(
        ada,
        "request_roll",
        who=heroes[bo],
        command="check",
        fields={"pool": "DEX"},
        what_for="the ledge",
        difficulty=13,
    )
    give(ada, "put_prompt", to=heroes[bo], words="What do you see?")
    give(ada, "award_inspiration", who=heroes[bo])
    give(bo, "check", who=heroes[bo], pool="CON", dc=30, rerolls="always")
    return found


@pytest.fixture(scope="module")
def address(room: Room, table: OpenTable) -> str:
    return f"{room.address}/t/{table.id}"


@pytest.fixture(scope="module")
def one_page(room: Room) -> Page:
    """Everybody's in turn: another browser for each of them would have to read every script anew."""
    page = room.person("anybody", LAPTOP, "light").page
    page.add_init_script(path=SOURCE)  # as it is looked at wherever it comes next
    return page


@pytest.fixture
def page(one_page: Page, web: Web, table: OpenTable, name: str) -> Page:
    """At the seat of that name, or the owner's."""
    cookies = web.cookies(table[name]) if name in SEATS else [owners_cookie(web)]
    one_page.context.clear_cookies()
    one_page.context.add_cookies(cookies)  # type: ignore[arg-type]
    return one_page


def owners_cookie(web: Web) -> dict[str, str]:
    name, value = web.owner_cookie()
    return {"name": name, "value": value, "url": web.address}


@pytest.fixture
def wrong(room: Room) -> Iterator[list[str]]:
    room.wrong.clear()
    yield room.wrong
    assert not room.wrong


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def assert_fits(page: Page, looks: Mapping[str, Themes], part: str = "") -> None:
    """Nothing is wider than any screen, and axe finds no fault on those where it looks."""
    for screen, size in SIZES.items():
        page.set_viewport_size(size)
        assert overflow(page) <= 0, (page.url, screen)
        if screen in looks:
            assert_accessible(page, looks[screen], part)
    page.set_viewport_size(LAPTOP)


@pytest.mark.parametrize("name", SEATS)
@pytest.mark.parametrize("where", PAGES)
def test_a_page_of_the_table(page: Page, address: str, wrong: list[str], name: str, where: str) -> None:
    page.goto(address + where)
    if (name, where) == ("Di", "/heroes"):
        wrong.clear()  # a spectator makes no hero, and is told so
    if where == "/fairness":
        expect(page.locator("[data-part=verdict]")).to_have_attribute("data-sound", "yes")
    page.evaluate(UNFOLD)
    shown = page.locator("main").inner_html()
    if shown not in LOOKED_AT:
        LOOKED_AT.add(shown)
        assert_fits(page, LOOKS[name])


@pytest.mark.usefixtures("wrong")
@pytest.mark.parametrize("name", SEATS)
def test_the_table_and_its_views_on_a_phone(page: Page, address: str, name: str) -> None:
    page.goto(address)
    page.evaluate(UNFOLD)
    assert_fits(page, LOOKS[name])
    page.set_viewport_size(PHONE)
    expect(page.locator("#view-play")).to_be_visible()
    for view in ("hero", "scene", "table", *(["screen"] if name == "Ada" else [])):
        page.locator(f'.tabs a[data-view="{view}"]').click()
        expect(page.locator(f"#view-{view}")).to_be_visible()
        assert overflow(page) <= 0, (name, view)
        assert_accessible(page, LOOKS[name]["phone"], part=f"#view-{view}, .tabs")
    page.set_viewport_size(LAPTOP)


@pytest.mark.usefixtures("wrong")
@pytest.mark.parametrize("name", ["Ada", "Bo"])
def test_the_table_with_a_roll_in_hand(page: Page, address: str) -> None:
    """The form of a roll with its odds and its chart of spends, decisions that wait above it, the menu open."""
    page.goto(address)
    page.keyboard.press("Control+k")
    page.keyboard.type("skill check")
    page.keyboard.press("Enter")
    page.locator("#open-form").get_by_role("group", name="Pool", exact=True).get_by_role("radio", name="DEX").check()
    expect(page.locator("#open-form .spends label").nth(1)).to_be_visible()
    assert_fits(page, {"phone": THEMES}, part="#view-play")
    page.locator(".menu summary").click()  # over the page, whose colours axe can't tell then
    assert_fits(page, {"phone": THEMES}, part=".menu")


@pytest.mark.usefixtures("wrong")
@pytest.mark.parametrize("name", ["the owner"])
@pytest.mark.parametrize("where", ["/", "/tables/new?game=sinew_steel", "/tables/new?game=six_pool", "/api"])
def test_a_page_of_the_house(room: Room, page: Page, where: str) -> None:
    page.goto(room.address + where)
    if where == "/":
        expect(page.locator(".tables")).to_be_visible()
    for folded in page.locator("main details > summary").all()[:MOST_UNFOLDED]:
        folded.click()
    page.evaluate(EMPTY_WHAT_IS_FOLDED)
    assert_fits(page, LOOKS["Ada"])
