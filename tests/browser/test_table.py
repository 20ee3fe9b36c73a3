"""The table's page in a real browser: its views on a phone, a roll from the sheet, and others who see it at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, ViewportSize, expect

from astragal.table.declarations import Sight
from tests.browser.axe import assert_accessible
from tests.browser.screenshots import Screenshots
from tests.surfaces.web.open_tables import OpenTable, Web

PHONE, LAPTOP = ViewportSize(width=360, height=780), ViewportSize(width=1440, height=900)
GAMES = ("sinew_steel", "narraject", "new_shoes", "six_pool")

Sit = Callable[..., Page]


@pytest.fixture
def sit(browser: Browser, live_web: Web) -> Iterator[Sit]:
    """Seats somebody with a browser of their own, which is closed before the server is."""
    contexts: list[BrowserContext] = []

    def seat(table: OpenTable, name: str, size: ViewportSize, where: str = "") -> Page:
        contexts.append(browser.new_context(viewport=size, reduced_motion="no-preference"))
        page = contexts[-1].new_page()
        page.context.add_cookies(live_web.cookies(table[name]))  # type: ignore[arg-type]
        page.goto(f"{live_web.address}/t/{table.id}{where}")
        return page

    yield seat
    for context in contexts:
        context.close()


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def hero_of(web: Web, table: OpenTable, name: str) -> str:
    state = web.host.look(table.id, table.seats[name])
    return next(one.id for one in state.characters.values() if one.seat == table.seats[name])


@pytest.mark.parametrize(
    ("game", "name"), [*((game, "Bo") for game in GAMES), ("sinew_steel", "Ada"), ("six_pool", "Di")]
)
def test_a_laptop_shows_it_all_and_a_phone_one_view_at_a_time_and_axe_has_nothing_to_say(
    sit: Sit, live_web: Web, screenshots: Screenshots, game: str, name: str
) -> None:
    page = sit(live_web.table(game), name, LAPTOP)
    for column in ("#view-hero", "#view-play", "#view-scene"):
        expect(page.locator(column)).to_be_visible()
    assert overflow(page) == 0
    if game != "six_pool" and name == "Bo":  # the others' are in test_every_page and test_screen
        assert_accessible(page)
    screenshots.keep(page, f"table-{game}-{name}-laptop.png")
    page.set_viewport_size(PHONE)
    for view in ("hero", "scene", "table", "play"):
        page.locator(f'.tabs a[data-view="{view}"]').click()
        expect(page.locator(f"#view-{view}")).to_be_visible()
        expect(page.locator(".column:visible")).to_have_count(1)
        assert overflow(page) == 0
        screenshots.keep(page, f"table-{game}-{name}-{view}-phone.png")


def let_it_stand(page: Page) -> None:
    """The dice of these tables are real: where Luck could turn them, it is not spent."""
    declines, told = page.locator(".offer.declines"), page.locator("#log .log-card.roll")
    expect(declines.or_(told).first).to_be_visible()
    if declines.count():
        declines.click()


def test_a_click_on_a_score_rolls_it_and_the_others_see_the_card(sit: Sit, live_web: Web) -> None:
    table = live_web.table("sinew_steel")
    player, other = (sit(table, name, LAPTOP) for name in ("Bo", "Cy"))
    player.locator("button.score").first.click()
    expect(player.locator(".odds .chance")).to_be_visible()
    player.locator("#open-form button[type=submit]").click()
    let_it_stand(player)
    expect(other.locator("#log .log-card.roll")).to_have_count(1)
    expect(other.locator("#log .log-card.roll .throw .die").first).to_be_visible()
    expect(player.locator("#open-form form")).to_have_count(0)


def test_a_chance_that_is_chosen_on_the_card_has_its_price(sit: Sit, live_web: Web, screenshots: Screenshots) -> None:
    """NJ-24, SP-21: it is answered at once, and nothing is rolled."""
    player = sit(live_web.table("sinew_steel"), "Bo", LAPTOP)
    player.locator("button.score").first.click()
    player.locator("#open-form .change > summary").click()
    player.locator("#open-form .settings").get_by_role("radio", name="75 %").check()
    expect(player.locator("#open-form .price")).to_contain_text("75 %")
    expect(player.locator("#log .rc")).to_have_count(0)
    player.set_viewport_size(PHONE)  # where little else has to be looked at
    assert_accessible(player, part="#open-form")
    screenshots.keep(player, "form-reach.png")


def test_a_form_that_was_changed_a_moment_ago_is_sent_once_its_odds_have_come(sit: Sit, live_web: Web) -> None:
    player = sit(live_web.table("sinew_steel"), "Bo", LAPTOP)
    player.locator("button.score").first.click()
    expect(player.locator(".odds .chance")).to_be_visible()
    late: list[Route] = []
    sent: list[str] = []
    player.route("**/odds/*", lambda route: late.append(route), times=1)  # noqa: PLW0108 - Playwright marks it
    player.on("request", lambda request: sent.append(request.url))
    with player.expect_request("**/odds/*"):
        player.locator("#open-form [name=stakes]").fill("the rope")
    player.locator("#open-form button[type=submit]").click()
    assert not [address for address in sent if "/do/" in address]
    late[0].continue_()
    expect(player.locator("#open-form form")).to_have_count(0)
    let_it_stand(player)
    expect(player.locator("#log .log-card.roll")).to_have_count(1)


def test_a_decision_waits_on_the_players_screen_with_its_odds_until_it_is_taken(sit: Sit, live_web: Web) -> None:
    table = live_web.table("six_pool")
    hero = hero_of(live_web, table, "Bo")
    ada = table.seats["Ada"]
    live_web.host.act(table.id, ada, ("award_inspiration", {"who": hero}))
    player, other = (sit(table, name, PHONE) for name in ("Bo", "Cy"))
    fields = {"who": hero, "pool": "STR", "dc": 30, "rerolls": "always"}
    live_web.host.act(table.id, table.seats["Bo"], ("check", fields))
    expect(player.locator(".rc.mine .offer")).to_have_count(2)
    expect(other.locator(".rc.wait")).to_contain_text("decides")
    expect(other.locator(".wait .offer")).to_have_count(0)
    player.locator(".rc.mine .offer", has_text="Keep it").click()
    expect(player.locator(".wait.mine")).to_have_count(0)
    expect(other.locator("#log .outcome").last).to_be_visible()


def test_what_is_open_stays_open_and_what_is_typed_stays_typed_while_others_play(sit: Sit, live_web: Web) -> None:
    table = live_web.table("sinew_steel")
    page = sit(table, "Bo", LAPTOP)
    page.locator(".who .choose summary").first.click()
    page.locator("#speak-words").fill("half a sent")
    live_web.host.act(table.id, table.seats["Ada"], ("start_clock", {"name": "The tide turns"}))
    live_web.host.act(table.id, table.seats["Ada"], ("harm", {"who": hero_of(live_web, table, "Cy"), "points": 1}))
    expect(page.locator(".clock")).to_contain_text("The tide turns")
    expect(page.locator(".who .choose").first).to_have_attribute("open", "")
    expect(page.locator("#speak-words")).to_have_value("half a sent")


def test_talk_and_whispers(sit: Sit, live_web: Web) -> None:
    table = live_web.table()
    bo, cy, ada = (sit(table, name, PHONE) for name in ("Bo", "Cy", "Ada"))
    bo.locator("#speak-words").fill("Hello all.")
    bo.locator("#speak-words").press("Enter")
    expect(ada.locator("#log .talk .words").last).to_have_text("Hello all.")
    expect(bo.locator("#speak-words")).to_have_value("")
    bo.locator("#speak-to").select_option(label="Whisper to Cy")
    bo.locator("#speak-words").fill("Psst.")
    bo.locator("#speak-words").press("Enter")
    expect(cy.locator("#log .whisper .words")).to_have_text("Psst.")
    live_web.host.act(table.id, table.seats["Cy"], ("say", {"words": "And then?"}))
    expect(ada.locator("#log .talk .words").last).to_have_text("And then?")
    expect(ada.locator("#log .whisper")).to_have_count(0)


def test_what_was_undone_is_struck_for_all_at_once(sit: Sit, live_web: Web) -> None:
    table = live_web.table("six_pool")
    page = sit(table, "Di", LAPTOP)
    fields = {"who": hero_of(live_web, table, "Bo"), "pool": "STR", "dc": 12, "rerolls": "never"}
    live_web.host.act(table.id, table.seats["Bo"], ("check", fields))
    expect(page.locator("#log .log-card.roll")).to_have_count(1)
    live_web.host.act(table.id, table.seats["Ada"], ("undo", {}))
    expect(page.locator("#log .log-card.roll.abandoned")).to_have_count(1)


def test_a_hidden_roll_lies_closed_until_the_game_master_turns_it_over(sit: Sit, live_web: Web) -> None:
    table = live_web.table("six_pool")
    game_master, player = sit(table, "Ada", LAPTOP), sit(table, "Bo", PHONE)
    fields = {"who": hero_of(live_web, table, "Bo"), "pool": "STR", "dc": 12, "rerolls": "never"}
    live_web.host.act(table.id, table.seats["Ada"], ("check", fields), sight=Sight.HIDDEN)
    expect(player.locator("#log .log-card.closed")).to_have_count(1)
    expect(player.locator("#log .outcome")).to_have_text("Behind the screen")
    card = player.locator("#log .log-card.closed").get_attribute("id")
    game_master.locator("#log .covered button", has_text="Reveal").click()
    expect(player.locator(f"#log #{card}.revealed .throw .die")).to_have_count(1)
    expect(player.locator("#log .log-card.closed")).to_have_count(0)


def test_anyone_stops_the_scene_with_one_tap(sit: Sit, live_web: Web) -> None:
    table = live_web.table()
    looking_on, playing = (sit(table, name, PHONE) for name in ("Di", "Bo"))
    looking_on.locator(".stop button").click()
    expect(playing.locator(".stopped")).to_contain_text("The scene is stopped.")
    assert_accessible(playing, part=".stopped")


def test_a_draft_belongs_to_the_score_whose_form_it_was_typed_in(sit: Sit, live_web: Web) -> None:
    page = sit(live_web.table("sinew_steel"), "Bo", LAPTOP)
    scores = page.locator("#panel-hero button.score")
    scores.nth(0).click()
    page.locator("#open-form [name=stakes]").fill("the rope")
    page.locator("#open-form [data-close]").click()
    scores.nth(1).click()
    expect(page.locator("#open-form [name=stakes]")).to_have_value("")
    scores.nth(0).click()
    expect(page.locator("#open-form [name=stakes]")).to_have_value("the rope")


def open_a_score(page: Page) -> None:
    page.locator('.tabs a[data-view="hero"]').click()
    page.locator("#panel-hero button.score").first.click()
    expect(page.locator("#open-form form")).to_be_visible()


def close_and(page: Page, at_once: str) -> None:
    """Close the form; what else comes before the browser has stepped back is JavaScript that may name it `form`."""
    page.evaluate(
        f"""async () => {{
            const room = document.getElementById("open-form"), form = room.querySelector("form");
            const stepped = new Promise((next) => addEventListener("popstate", next, {{ once: true }}));
            room.querySelector("[data-close]").click();
            {at_once};
            await stepped;
        }}"""
    )


def test_back_closes_a_form_and_stays_at_the_table(sit: Sit, live_web: Web) -> None:
    table = live_web.table("sinew_steel")
    page = sit(table, "Bo", PHONE, "/log")
    before = page.url
    page.goto(at_the_table := f"{live_web.address}/t/{table.id}")
    for close in (Page.go_back, lambda one: close_and(one, "")):
        open_a_score(page)
        close(page)
        expect(page.locator("#open-form form")).to_have_count(0)
        assert page.url == at_the_table
    page.go_back()
    expect(page).to_have_url(before)


def test_a_form_that_is_closed_twice_at_once_leads_back_to_the_table(sit: Sit, live_web: Web) -> None:
    """By a tap, and by the answer that comes in just then."""
    page = sit(live_web.table("sinew_steel"), "Bo", PHONE)
    open_a_score(page)
    close_and(page, 'room.replaceChildren(document.createElement("p"))')
    open_a_score(page)
    page.go_back()
    expect(page.locator("#open-form form")).to_have_count(0)


def test_a_form_that_is_opened_while_another_closes_stays_open(sit: Sit, live_web: Web) -> None:
    page = sit(live_web.table("sinew_steel"), "Bo", PHONE)
    open_a_score(page)
    close_and(page, "room.replaceChildren(form.cloneNode(true))")
    expect(page.locator("#open-form form")).to_be_visible()
    page.go_back()
    expect(page.locator("#open-form form")).to_have_count(0)
    expect(page.locator("#open-form")).to_be_attached()


def test_pips_are_full_in_forced_colours(browser: Browser, live_web: Web) -> None:
    context = browser.new_context(forced_colors="active")
    table = live_web.table("sinew_steel")
    context.add_cookies(live_web.cookies(table["Bo"]))  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{live_web.address}/t/{table.id}")
    live_web.host.act(table.id, table.seats["Ada"], ("harm", {"who": hero_of(live_web, table, "Bo"), "points": 1}))
    pips = page.locator("#panel-hero .piece", has_text="Stamina").locator(".pips i")
    expect(page.locator("#panel-hero .piece", has_text="Stamina").locator(".pips .on")).to_have_count(4)
    drawn = pips.evaluate_all("pips => pips.map((one) => getComputedStyle(one).backgroundColor)")
    assert len(set(drawn[:4])) == 1
    assert drawn[4] != drawn[0]
    context.close()


@pytest.fixture(scope="module")
def stopping(browser: Browser, live_web: Web) -> Iterator[tuple[Page, OpenTable]]:
    """Bo's phone, which goes from page to page."""
    table = live_web.table()
    context = browser.new_context(viewport=PHONE)
    context.add_cookies(live_web.cookies(table["Bo"]))  # type: ignore[arg-type]
    yield context.new_page(), table
    context.close()


@pytest.mark.parametrize(
    "where", ["", "/log", "/scenes", "/people", "/fairness", "/heroes", "/form/test", "/notes/none"]
)
def test_the_scene_is_stopped_from_every_page(stopping: tuple[Page, OpenTable], live_web: Web, where: str) -> None:
    page, table = stopping
    if live_web.host.look(table.id, table.seats["Ada"]).safety.stopped:
        live_web.host.act(table.id, table.seats["Ada"], ("go_on", {}))
    page.goto(f"{live_web.address}/t/{table.id}{where}")
    expect(page.locator(".stopped")).to_have_count(0)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".stopped")).to_contain_text("The scene is stopped.")
    assert live_web.host.look(table.id, table.seats["Ada"]).safety.stopped
    page.goto(f"{live_web.address}/t/{table.id}{where}")
    if where != "/notes/none":
        expect(page.locator(".stopped")).to_contain_text("The scene is stopped.")
    if where in {"/log", "/people"}:  # one stands for all that have the same bar, and the page of people has its own
        assert_accessible(page, part=".stopped")
