"""One roll, one card: the same live and after a reload, turned over in place, and few taps from wish to result."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, ViewportSize, expect

from astragal.table.declarations import Sight
from tests.browser.axe import assert_accessible
from tests.browser.people import LAPTOP, PHONE, Person, Room
from tests.surfaces.web.open_tables import OpenTable, Web

COUNT_SOUNDS = """() => {
    window.sounds = 0;
    window.AudioContext = class extends AudioContext {
        constructor() {
            window.speaker = super();
        }
        get destination() {
            window.sounds += 0.5; // two notes
            return super.destination;
        }
    };
}"""
UNTIL_SILENT = """() => new Promise((silent) => {
    const look = () => speaker.state === "suspended" && silent();
    speaker.addEventListener("statechange", look);
    look();
})"""
COUNT_TAPS = "addEventListener('pointerdown', () => { window.taps = (window.taps ?? 0) + 1 }, true)"


class Table:
    """Ada runs a game on a laptop; Bo and Cy play on phones, Di looks on."""

    def __init__(self, room: Room, game: str, **house: Any) -> None:
        self.room, self.web = room, Web(room.context)
        self.table: OpenTable = self.web.table(game, house=house)

    def act(self, name: str, command: str, /, sight: Sight = Sight.OPEN, **fields: Any) -> str:
        """The id of what was done."""
        seat = self.table.seats[name]
        return self.web.host.act(self.table.id, seat, (command, fields), sight=sight).act

    def sit(self, name: str, size: ViewportSize) -> Person:
        person = self.room.person(name, size, "dark")
        person.page.add_init_script(COUNT_TAPS)
        person.context.add_cookies(self.web.cookies(self.table[name]))  # type: ignore[arg-type]
        person.table = f"{self.room.address}/t/{self.table.id}"
        person.sit()
        return person

    def hero(self, name: str) -> str:
        characters = self.web.host.look(self.table.id, self.table.seats["Ada"]).characters.values()
        return next(one.id for one in characters if one.seat == self.table.seats[name])

    def decide(self, name: str, answer: Any) -> None:
        (waits,) = self.web.host.decisions(self.table.id, self.table.seats[name])
        self.act(name, "answer", act=waits.act, answer=answer)


def taps(person: Person) -> int:
    return int(person.page.evaluate("window.taps ?? 0"))


def cards(page: Page) -> list[tuple[str, str]]:
    """Every card on a page, in order: its id, and all that it says."""
    found: list[list[str]] = page.evaluate(
        """() => [...document.querySelectorAll("#log > article, #panel-pending > article")].map((card) => {
            const copy = card.cloneNode(true);
            copy.querySelectorAll("input").forEach((one) => one.remove());
            return [card.id, copy.textContent.replace(/\\s+/g, " ").trim()];
        })"""
    )
    return [(one, words) for one, words in found]


def assert_a_reload_changes_nothing(*people: Person) -> None:
    for one in people:
        live = cards(one.page)
        one.sit()
        assert cards(one.page) == live, one.name


# ---------------------------------------------------------------- the same live and reloaded


def test_a_roll_is_one_card_from_its_request_to_its_end_live_and_reloaded(room: Room) -> None:
    """And a hidden roll turns over in its place, on every screen, with one tap."""
    table = Table(room, "six_pool")
    hero = table.hero("Bo")
    table.act("Ada", "award_inspiration", who=hero)
    people = [table.sit(name, size) for name, size in (("Ada", LAPTOP), ("Bo", PHONE), ("Di", LAPTOP))]
    hidden = f"card-{table.act('Ada', 'check', sight=Sight.HIDDEN, who=hero, pool='STR', dc=12, rerolls='never')}"
    table.act("Cy", "say", words="What was that?")
    asked = table.act("Ada", "request_roll", who=hero, command="check", fields={"pool": "STR"}, difficulty=30)
    card = f"card-{asked}"
    for one in people:
        one.reads("What was that?")
        expect(one.log.locator(f"#{hidden}")).to_have_count(1)
        expect(one.page.locator(f"#panel-pending #{card}")).to_be_visible()
    order = [[one for one, _ in cards(person.page)] for person in people]
    assert_a_reload_changes_nothing(*people)
    before = taps(people[0])
    people[0].log.locator(f"#{hidden}").get_by_role("button", name="Reveal to everybody").click()
    for one in people:
        expect(one.log.locator(f"#{hidden}.revealed .throw .die")).to_have_count(1)
        expect(one.log.locator(".closed")).to_have_count(0)
    assert taps(people[0]) == before + 1
    assert [[one for one, _ in cards(person.page)] for person in people] == order
    table.act("Bo", "check", who=hero, pool="STR", request=asked, rerolls="always")
    for one in people:
        expect(one.page.locator(f"#panel-pending #{card} .throw .die")).to_have_count(1)
        expect(one.log.locator(f"#{card}")).to_have_count(0)
    assert_a_reload_changes_nothing(*people)
    table.decide("Bo", "keep")
    for one in people:
        expect(one.log.locator(f"#{card} .outcome")).to_be_visible()
        expect(one.page.locator(f"#{card}")).to_have_count(1)
    assert_a_reload_changes_nothing(*people)


def test_words_join_their_roll_and_what_is_older_folds_to_a_line_live_and_reloaded(room: Room) -> None:
    table = Table(room, "six_pool")
    people = [table.sit(name, size) for name, size in (("Ada", LAPTOP), ("Bo", PHONE))]
    bo = people[1]
    check: dict[str, Any] = {"who": table.hero("Bo"), "pool": "STR", "rerolls": "never"}
    for dc in range(5, 9):
        table.act("Bo", "check", dc=dc, **check)
    rolled = table.act("Bo", "check", dc=8, **check)
    table.act("Bo", "say", words="Was that enough?")
    table.act("Bo", "check", dc=8, **check)
    table.act("Ada", "start_clock", name="The tide", size=6)
    table.act("Ada", "narrate", words="The gate gives, and then it does not stop giving.")
    table.act("Ada", "tick_clock", clock="The tide")
    for one in people:
        expect(one.log.locator(".roll .teller")).to_have_text("The gate gives, and then it does not stop giving.")
        expect(one.log.locator(f"#card-{rolled} .teller")).to_have_count(0)
        expect(one.log.locator(".minors > summary").last).to_contain_text("2 more: A clock: The tide")
        expect(one.rolls).to_have_count(6)
        expect(one.rolls.locator(".fold[open]")).to_have_count(3)
    told = [one.log.locator(".minors").all_inner_texts() for one in people]
    assert_a_reload_changes_nothing(*people)
    assert [one.log.locator(".minors").all_inner_texts() for one in people] == told
    for one in people:
        expect(one.rolls.locator(".fold[open]")).to_have_count(3)
    bo.rolls.first.locator(".fold > summary").click()
    expect(bo.rolls.first.locator(".throw .die")).to_be_visible()
    bo.log.locator(".minors > summary").last.click()
    expect(bo.log.locator(".minor").last).to_be_visible()
    assert_accessible(bo.page, part="#log")


# ---------------------------------------------------------------- whose turn it is


def test_whoever_is_waited_for_sees_it_in_the_title_and_can_be_reminded(room: Room) -> None:
    table = Table(room, "sinew_steel")
    ada, bo, cy = table.sit("Ada", LAPTOP), table.sit("Bo", PHONE), table.sit("Cy", PHONE)
    title = bo.page.title()
    ask: dict[str, Any] = {"who": table.hero("Bo"), "command": "test", "fields": {"attribute": "REF"}}
    bo.page.evaluate(COUNT_SOUNDS)
    bo.page.locator(".menu > summary").click()
    bo.page.get_by_role("button", name="Sound when it is your turn").click()
    asked = table.act("Ada", "request_roll", **ask)
    expect(bo.page).to_have_title(f"● Your turn – {title}")
    table.act("Ada", "withdraw_request", request=asked)
    expect(bo.page).to_have_title(title)
    assert bo.page.evaluate("sounds") == 0, "muted"
    bo.page.get_by_role("button", name="Sound when it is your turn").click()
    assert bo.page.evaluate("sounds") == 1, "one hears what one has switched on"
    bo.page.locator(".menu > summary").click()  # where it lies over the page, axe can't tell its colours
    asked = table.act("Ada", "request_roll", **ask)
    expect(bo.page).to_have_title(f"● Your turn – {title}")
    assert bo.page.evaluate("sounds") == 2
    bo.page.evaluate(UNTIL_SILENT)  # else the silence would keep a phone busy
    expect(cy.page).to_have_title(title)
    due = ada.page.locator("#panel-screen_due")
    expect(due.get_by_text("is to roll")).to_have_count(1)
    before = cards(bo.page)
    due.get_by_role("button", name="Nudge").click()
    expect(bo.page.get_by_role("alert")).to_contain_text("it is your turn")
    assert_accessible(bo.page, part="#nudged")
    due.get_by_role("button", name="Nudge").click()
    expect(due.locator(".refused")).to_contain_text("was reminded a moment ago")
    bo.view("hero")
    bo.page.get_by_role("button", name="Show me").click()
    expect(bo.page.get_by_role("button", name="Roll", exact=True)).to_be_in_viewport()
    expect(cy.page.locator("#nudged")).to_be_hidden()
    assert cards(bo.page) == before
    table.act("Ada", "withdraw_request", request=asked)
    expect(bo.page).to_have_title(title)
    room.wrong[:] = [one for one in room.wrong if "422" not in one]  # the second reminder was refused


# ---------------------------------------------------------------- taps


def test_a_roll_of_ones_own_is_a_tap_and_roll(room: Room) -> None:
    table = Table(room, "sinew_steel")
    bo = table.sit("Bo", LAPTOP)
    bo.page.locator("#panel-hero button.score").first.click()
    bo.page.get_by_role("button", name="Roll", exact=True).click()
    expect(bo.rolls.or_(bo.waits.locator(".offer")).first).to_be_visible()
    assert taps(bo) == 2


def test_to_ask_takes_two_taps_and_to_roll_as_asked_one(room: Room) -> None:
    table = Table(room, "sinew_steel")
    ada, bo = table.sit("Ada", LAPTOP), table.sit("Bo", PHONE)
    ada.page.get_by_role("button", name="Ask for a roll").click()
    ada.page.get_by_role("group", name="Ask Mara Quill").get_by_role("button", name="Reflex").click()
    expect(bo.form.locator(".chance strong")).to_be_visible()
    assert taps(ada) == 2
    bo.page.get_by_role("button", name="Roll", exact=True).click()
    expect(bo.form).to_have_count(0)
    expect(ada.rolls.or_(ada.waits.locator(".decision")).first).to_be_visible()
    assert taps(bo) == 1


def test_to_ask_everybody_takes_two_taps_and_all_of_them_share_a_card(room: Room) -> None:
    table = Table(room, "sinew_steel")
    ada, bo, cy = table.sit("Ada", LAPTOP), table.sit("Bo", PHONE), table.sit("Cy", PHONE)
    ada.page.get_by_role("button", name="Ask for a roll").click()
    ada.page.get_by_role("group", name="Ask Everybody").get_by_role("button", name="Might").click()
    for one in (bo, cy):
        expect(one.waits.locator(".rc")).to_have_count(1)
        expect(one.form).to_have_count(1)
        expect(one.waits).to_contain_text("Everybody tests Might")
    assert taps(ada) == 2
    expect(bo.waits).to_contain_text("Tobin Ash is to roll")
    expect(cy.waits).to_contain_text("Mara Quill is to roll")
    assert_accessible(bo.page, part="#panel-pending")


def test_an_attack_takes_three_taps_foes_stand_first_and_nobody_attacks_themselves(room: Room) -> None:
    table = Table(room, "sinew_steel")
    for name in ("The warden", "A chorister"):
        table.act("Ada", "make_npc", name=name, tier=10)
    bo = table.sit("Bo", PHONE)
    bo.page.get_by_role("button", name="Attack", exact=True).click()
    whom = bo.form.get_by_role("group", name="Whom").get_by_role("radio")
    expect(whom).to_have_count(3)
    expect(whom.nth(0)).to_be_checked()
    bo.form.get_by_text("A chorister").locator("..").click()
    expect(bo.page.locator("#open-form h3")).to_have_text("Mara Quill attacks A chorister")
    bo.form.get_by_role("button", name="Attack").click()
    expect(bo.form).to_have_count(0)
    assert taps(bo) == 3


def test_the_next_scene_is_a_tap_away(room: Room) -> None:
    table = Table(room, "sinew_steel")
    table.act("Ada", "begin_evening")
    further = table.act("Ada", "write_scene", title="Below", hook="Dark.")
    options = [{"words": "Climb down", "leads_to": further}, {"words": "Ring it again"}]
    first = table.act("Ada", "write_scene", title="The bell", hook="It hums.", options=options)
    table.act("Ada", "begin_scene", scene=first)
    ada = table.sit("Ada", LAPTOP)
    ada.page.get_by_role("button", name="Take it Climb down").click()
    expect(ada.page.locator("#panel-scene h3")).to_have_text("Below")
    assert taps(ada) == 1


# ---------------------------------------------------------------- what may be known


def test_a_request_is_offered_only_to_whom_it_was_made(room: Room) -> None:
    table = Table(room, "sinew_steel")
    table.act("Ada", "request_roll", who=table.hero("Bo"), command="test", what_for="the ledge")
    cy = table.sit("Cy", PHONE)
    expect(cy.waits).to_contain_text("Mara Quill is to roll")
    assert cy.waits.locator("form").count() == 0
    cy.tap_score("Might")
    assert "the ledge" not in cy.form.inner_text()
