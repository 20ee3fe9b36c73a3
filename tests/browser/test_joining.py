"""The way in, in a real browser: the owner's link, a table in one click, an invitation on a phone, being sent away."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from astragal.surfaces.web.routes.home import Wanted, start
from astragal.surfaces.web.serve import owner_link
from astragal.table.log.store import PassKind
from tests.browser.axe import ON_A_LAPTOP, ON_A_PHONE, assert_accessible
from tests.browser.screenshots import Screenshots
from tests.storage.places import SqlitePlace
from tests.surfaces.web.open_tables import AtSeat, Web
from tests.surfaces.web.serving import served_web

PHONE, LAPTOP = ViewportSize(width=360, height=740), ViewportSize(width=1366, height=768)


@pytest.fixture
def live_web(sqlite_place: SqlitePlace, held_port: int) -> Iterator[Web]:
    """A house without a table yet: its first page would show them."""
    with served_web(sqlite_place.url, held_port) as found:
        yield found


@pytest.fixture
def owner(page: Page, live_web: Web) -> Page:
    page.goto(owner_link(live_web.address, live_web.context.auth.issue(PassKind.OWNER_LINK)))
    expect(page.get_by_role("heading", name="What shall we play?")).to_be_visible()
    return page


@pytest.fixture
def phone(browser: Browser) -> BrowserContext:
    return browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, color_scheme="dark")


def is_narrow_enough(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_the_owners_link_is_exchanged_and_leaves_the_address(
    owner: Page, live_web: Web, screenshots: Screenshots
) -> None:
    assert owner.url == f"{live_web.address}/"
    assert_accessible(owner)
    screenshots.keep(owner, "start.png", full_page=True)
    owner.reload()
    expect(owner.get_by_role("button", name="Play New Shoes")).to_be_visible()


def test_a_newcomer_sits_at_a_ready_table_after_one_click(owner: Page, live_web: Web) -> None:
    owner.get_by_role("button", name="Play Sinew & Steel").click()
    expect(owner.get_by_role("heading", name="The Lantern on the Far Side")).to_be_visible()
    assert owner.url.startswith(f"{live_web.address}/t/")
    expect(owner.get_by_text("The bridge at dusk").first).to_be_visible()


def test_more_can_be_chosen_for_a_table(owner: Page, screenshots: Screenshots) -> None:
    owner.get_by_role("link", name="More choices for Sinew & Steel").click()
    owner.get_by_label("Name of the table").fill("The drowned bell")
    owner.get_by_text("Saltglass", exact=True).click()
    owner.get_by_text("Rules options").click()
    owner.get_by_text("House rules").click()
    expect(owner.locator("details[open]")).to_have_count(2)
    screenshots.keep(owner, "new-table.png", full_page=True)
    owner.get_by_role("button", name="Open the table").click()
    expect(owner.get_by_role("heading", name="The drowned bell")).to_be_visible()


def test_a_player_comes_by_link_on_a_phone_and_is_sent_away_at_once(
    page: Page, phone: BrowserContext, live_web: Web, screenshots: Screenshots
) -> None:
    opened = start(live_web.context, Wanted("six_pool"))
    table = f"{live_web.address}/t/{opened.table}"
    page.context.add_cookies(live_web.cookies(AtSeat(opened.table, opened.seat)))  # type: ignore[arg-type]
    page.goto(f"{table}/people")
    page.get_by_role("button", name="Make a link").first.click()
    link = page.get_by_role("textbox", name="The link").input_value()
    assert_accessible(page, part=".card.shown:has(#secret)")
    screenshots.keep(page, "people.png", full_page=True)

    player = phone.new_page()
    player.goto(link)
    expect(player.get_by_role("heading", name="Six Lamps for Saint Orrin")).to_be_visible()
    assert "#" not in player.url
    assert is_narrow_enough(player)
    assert_accessible(player)
    screenshots.keep(player, "seat-phone.png", full_page=True)
    player.get_by_label("What should the others call you?").fill("Bodil")
    player.get_by_role("button", name="Take the seat").click()
    player.wait_for_url(table)
    player.goto(f"{table}/people")
    assert is_narrow_enough(player)
    player.goto(table)

    page.goto(f"{table}/people")
    bodil = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Bodil"))
    expect(bodil.get_by_text("at the table")).to_be_visible()
    bodil.get_by_text("More").click()
    bodil.get_by_role("button", name="Remove from the table").click()
    expect(page.get_by_role("heading", name="Bodil")).to_have_count(0)
    player.goto(table)
    expect(player.get_by_role("heading", name="You have no seat here")).to_be_visible()
    assert is_narrow_enough(player)
    assert_accessible(player)
    assert live_web.context.store.tables()
    phone.close()


def test_without_scripts_links_are_pasted(browser: Browser, live_web: Web) -> None:
    table = live_web.table(name="The Gorge")
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.goto(owner_link(live_web.address, live_web.context.auth.issue(PassKind.OWNER_LINK)))
    page.get_by_label("The owner’s link").fill(live_web.context.auth.issue(PassKind.OWNER_LINK))
    page.get_by_role("button", name="Sign in as owner").click()
    expect(page.get_by_role("button", name="Enter as game master of The Gorge")).to_be_visible()
    secret = live_web.context.auth.issue(PassKind.INVITATION, table.id, table.seats["Bo"])
    page.goto(f"{live_web.address}/join#{secret}")
    page.get_by_label("Your link").fill(f"{live_web.address}/join#{secret}")
    page.get_by_role("button", name="Find my seat").click()
    page.get_by_role("button", name="Take the seat").click()
    page.wait_for_url(f"{live_web.address}/t/{table.id}")
    context.close()


def test_a_stranger_is_welcomed(page: Page, live_web: Web, screenshots: Screenshots) -> None:
    for address, shown in (("/", "welcome"), ("/join", "join"), ("/nothing", "nothing-here")):
        page.set_viewport_size(PHONE)
        page.goto(live_web.address + address)
        assert is_narrow_enough(page)
        assert_accessible(page)
        screenshots.keep(page, f"{shown}-phone.png", full_page=True)


def test_the_page_of_people_follows_and_keeps_what_is_shown_only_once(
    page: Page, phone: BrowserContext, live_web: Web
) -> None:
    table = live_web.table()
    page.context.add_cookies(live_web.cookies(table.game_master))  # type: ignore[arg-type]
    page.goto(f"{live_web.address}/t/{table.id}/people")
    page.locator(f"#seat-{table.seats['Bo']}").get_by_role("button", name="Make a link").click()
    link = page.get_by_role("textbox", name="The link")
    bo = page.locator(f"#seat-{table.seats['Bo']}")
    expect(bo).to_contain_text("away")
    page.locator(f"#seat-{table.seats['Cy']} summary").click()
    guest = phone.new_page()
    guest.goto(link.input_value())
    guest.get_by_label("What should the others call you?").fill("Bodil")
    guest.get_by_role("button", name="Take the seat").click()
    expect(bo.get_by_role("heading", name="Bodil")).to_be_visible()
    expect(bo).to_contain_text("at the table")
    expect(bo).to_contain_text("1 device at this seat")
    expect(link).to_be_visible()
    expect(page.locator(f"#seat-{table.seats['Cy']} details")).to_have_attribute("open", "")
    live_web.host.act(table.id, table.seats["Ada"], ("take_seat", {"name": "Eli", "role": "player"}))
    expect(page.get_by_role("heading", name="Eli")).to_be_visible()
    phone.close()
    expect(bo).to_contain_text("away")


def test_the_page_of_people_follows_no_longer_once_a_form_is_on_its_way(page: Page, live_web: Web) -> None:
    """Handing the game over tells the page to reload, which would interrupt the form's own answer."""
    table = live_web.table()
    page.context.add_cookies(live_web.cookies(table.game_master))  # type: ignore[arg-type]
    with page.expect_response("**/events?*"):
        page.goto(f"{live_web.address}/t/{table.id}/people")
    page.route("**/people/hand-over", lambda route: route.fulfill(status=204))  # the page stays
    bo = page.locator(f"#seat-{table.seats['Bo']}")
    bo.locator("summary").click()
    with page.expect_event("requestfailed", lambda request: "/events" in request.url):
        bo.get_by_role("button", name="Make them game master").click()


def test_two_phones_come_by_the_tables_one_link_and_pick_their_heroes(
    page: Page, phone: BrowserContext, live_web: Web, screenshots: Screenshots
) -> None:
    table = live_web.table()
    page.context.add_cookies(live_web.cookies(table.game_master))  # type: ignore[arg-type]
    page.goto(f"{live_web.address}/t/{table.id}/people")
    page.get_by_role("button", name="Make the table’s link").click()
    assert_accessible(page, part="#table-link:has(#table-secret)")
    link = page.get_by_role("textbox", name="The table’s link").input_value()
    heroes = [one.name for one in live_web.host.look(table.id, table.seats["Ada"]).characters.values()]
    guest = phone.new_page()
    guest.goto(link)
    guest.get_by_role("radio", name=heroes[1]).check()
    assert is_narrow_enough(guest)
    assert_accessible(guest)
    screenshots.keep(guest, "pick-seat-phone.png", full_page=True)
    guest.get_by_label("What should the others call you?").fill("Ada")
    guest.get_by_role("button", name="Take the seat").click()
    expect(guest.locator(".fault")).to_contain_text("Somebody called Ada sits here already.")
    expect(guest.get_by_role("radio", name=heroes[1])).to_be_checked()
    assert_accessible(guest, part="form:has(.fault)")
    guest.get_by_label("What should the others call you?").fill("Cyrus")
    guest.get_by_role("button", name="Take the seat").click()
    expect(guest.locator("#panel-hero h3").first).to_have_text(heroes[1])
    guest.goto(link)
    expect(guest).to_have_url(f"{live_web.address}/t/{table.id}")
    expect(page.get_by_role("heading", name="Cyrus")).to_be_visible()


def test_whoever_comes_to_a_one_click_table_is_told_what_to_do_first(owner: Page, phone: BrowserContext) -> None:
    owner.get_by_role("button", name="Play Sinew & Steel").click()
    for size, themes in ((LAPTOP, ON_A_LAPTOP), (PHONE, ON_A_PHONE)):
        owner.set_viewport_size(size)
        expect(owner.locator(".welcome")).to_contain_text("Invite your players")
        expect(owner.locator(".welcome")).to_be_in_viewport()
        assert_accessible(owner, themes, part=".welcome")
    owner.locator(".welcome").get_by_role("link", name="Invite your players").click()
    link = owner.get_by_role("textbox", name="The table’s link").input_value()
    guest = phone.new_page()
    guest.goto(link)
    guest.get_by_label("What should the others call you?").fill("Bo")
    guest.get_by_role("button", name="Take the seat").click()
    expect(guest.locator("#log")).to_contain_text("is called Bo now")
    expect(guest.locator(".welcome")).to_contain_text("You play Mara Quill")
    expect(guest.locator(".welcome")).to_be_in_viewport()
    assert_accessible(guest, part=".welcome")
    expect(guest.locator("#live")).to_have_attribute("data-line", "up")  # before its scripts run, Enter ends a line
    guest.locator("#speak-words").fill("Hello.")
    guest.locator("#speak-words").press("Enter")
    expect(guest.locator(".welcome")).not_to_be_visible()
