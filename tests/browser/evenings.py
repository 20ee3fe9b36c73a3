"""What happens on every evening, whatever is played: people come, the scene is set, dice are hidden, time goes back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import expect

from astragal.surfaces.web.routes.home import Wanted, start
from astragal.table.declarations import Role
from astragal.table.host import Host
from tests.browser.axe import Theme
from tests.browser.people import LAPTOP, PHONE, Person, Room

SCENE, HOOK = "The drowned chapel", "Water stands *knee-deep* between the pews."
NODE = "Before the altar"


@dataclass
class Evening:
    """Ada runs the game on a laptop, Bodil and Cyra play on phones."""

    game: str
    ada: Person
    bodil: Person
    cyra: Person

    @property
    def all(self) -> tuple[Person, ...]:
        return self.ada, self.bodil, self.cyra

    def who_decides(self) -> tuple[str, ...]:
        """Whom the table waits for, as the host knows it."""
        host, table, seat = self._at_the_host()
        return tuple(name for waiting in host.decisions(table, seat) for name in waiting.who)

    def act(self, command: str, /, **fields: Any) -> None:
        """As another program of the game master's would do it: for what is done by hand on another evening."""
        host, table, seat = self._at_the_host()
        host.act(table, seat, (command, fields))

    def id_of(self, hero: str) -> str:
        host, table, seat = self._at_the_host()
        return next(one.id for one in host.look(table, seat).characters.values() if one.name == hero)

    def _at_the_host(self) -> tuple[Host, str, str]:
        """With the table and the game master's seat."""
        host, table = self.ada.room.context.host, self.ada.table.rpartition("/")[2]
        return host, table, next(one.id for one in host.seats(table).values() if one.role is Role.GAME_MASTER)

    def pictures(self, moment: str) -> None:
        for one in self.all:
            one.picture(f"{self.game}-{moment}")

    def all_read(self, words: str | re.Pattern[str]) -> None:
        for one in self.all:
            one.reads(words)


# ---------------------------------------------------------------- coming together


def gather(room: Room, game: str, theme: Theme, *, newcomer: bool = False) -> Evening:
    """A table with heroes; who plays has sat there before. As a newcomer, Cyra has a link, and makes a hero."""
    opened = start(room.context, Wanted(game))
    ada, bodil, cyra = (
        room.person("Ada", LAPTOP, theme),
        room.person("Bodil", PHONE, "dark"),
        room.person("Cyra", PHONE, "light"),
    )
    ada.come(opened.table, opened.seat)
    for person, seat in zip((bodil,) if newcomer else (bodil, cyra), opened.players, strict=False):
        room.context.host.act(opened.table, opened.seat, ("rename_seat", {"seat": seat, "name": person.name}))
        person.come(opened.table, seat)
    if newcomer:
        cyra.join(link_to_a_new_seat(ada, cyra.name))
        ada.sit()
        make_a_hero(cyra, "Yrsa Vane")
    for one in (bodil, cyra):
        one.hero = one.page.locator("#panel-hero h3").first.inner_text()
    evening = Evening(game, ada, bodil, cyra)
    expect(ada.page.locator("#panel-people .here")).to_have_count(3)
    evening.all_read(cyra.hero)
    return evening


def link_to_a_new_seat(ada: Person, name: str) -> str:
    ada.page.goto(f"{ada.table}/people")
    ada.page.get_by_label("Called", exact=True).last.fill(name)
    ada.page.get_by_role("button", name="Add the seat").click()
    return ada.page.get_by_role("textbox", name="The link").input_value()


def make_a_hero(person: Person, name: str) -> None:
    """Whoever chance proposes, under a name of one's own."""
    person.view("hero")
    person.page.get_by_role("link", name="Choose or make a hero").click()
    expect(person.page.get_by_text("Ready to play.")).to_be_visible()
    person.page.locator("#hero-form").get_by_label("Name", exact=True).first.fill(name)
    expect(person.page.get_by_text("Ready to play.")).to_be_visible()
    person.picture("making-a-hero")
    person.page.get_by_role("button", name="Bring them into the story").click()
    person.page.wait_for_url(person.table)
    person.listen()
    person.view("hero")
    expect(person.page.locator("#panel-hero h3")).to_have_text(name)


def set_the_scene(evening: Evening) -> None:
    ada = evening.ada
    ada.do("Open a scene")
    ada.fill("Title", SCENE)
    ada.fill("Hook", HOOK)
    ada.submit()
    evening.all_read(SCENE)
    for one in (evening.bodil, evening.cyra):
        one.view("scene")
        expect(one.page.locator("#panel-scene h3")).to_have_text(SCENE)
        one.view("play")


# ---------------------------------------------------------------- rolls


def ask_for(evening: Evening, who: str, what_for: str, *, hidden: bool = False, **how: str) -> None:
    """The game master asks somebody for a roll. `how` are further fields of the form, by their labels."""
    ada = evening.ada
    ada.page.get_by_role("button", name="Ask for a roll").click()
    ada.choose("Who", who)
    ada.fill("What for", what_for)
    for label, value in how.items():
        put(ada, label, value)
    if hidden:
        ada.choose("Do the players see it?", "Hidden")
    ada.submit()


def put(person: Person, label: str, value: str) -> None:
    """Into whatever field has that label."""
    person.unfold()
    one = person.form.get_by_label(label, exact=True)
    if one.count() and one.first.evaluate("field => field.matches('input:not([type=radio]), textarea')"):
        one.first.fill(value)
    else:
        person.choose(label, value)


def get_ready(person: Person, what_for: str) -> None:
    """A roll that is asked for lies ready on the player's screen."""
    person.view("play")
    expect(person.waits.locator(".mine", has_text=what_for)).to_be_visible()
    expect(person.form).to_be_visible()


def waits_after_roll(person: Person) -> bool:
    """Sends the form of a roll; whether somebody has to decide before it is told."""
    told = person.rolls.filter(has_text=person.hero)
    before = told.count()
    person.submit()
    offers = person.waits.locator(".mine .offer")
    expect(told.nth(before).or_(offers.first).first).to_be_attached()
    return offers.count() > 0


def roll_and_let_it_stand(person: Person) -> None:
    """If something could still turn it, the roll waits: it is left as it fell, however often somebody asks."""
    waits_after_roll(person)
    decision = person.waits.locator(".decision.mine .asks")
    while decision.count():
        asked = decision.inner_text()
        person.waits.locator(".mine .offer.declines").click()
        expect(decision.filter(has_text=asked)).to_have_count(0)
    expect(person.waits.locator(".mine")).to_have_count(0)


def rolled(evening: Evening, what_for: str) -> None:
    """The dice and what became of them are in all windows, on one card."""
    for one in evening.all:
        expect(one.rolls.filter(has_text=what_for).last).to_be_attached()
        expect(one.rolls.locator(".die").last).to_be_attached()


def rule(evening: Evening) -> None:
    """The game master says yes to what a player proposed."""
    ada = evening.all[0]
    ada.view("play")
    with ada.page.expect_response(lambda answer: answer.request.method == "POST"):
        ada.waits.get_by_role("button", name="Yes, do it").click()


def turn_over_a_hidden_roll(evening: Evening) -> None:
    """The form of a roll is open on the game master's screen: it falls hidden, and is revealed later."""
    ada = evening.ada
    for one in evening.all:
        one.view("play")
    before = {one.name: one.page.locator(".log-card.closed").count() for one in evening.all}
    ada.choose("Who sees the dice", "A closed card")
    ada.submit()
    for one in (evening.bodil, evening.cyra):
        expect(one.page.locator(".log-card.closed")).to_have_count(before[one.name] + 1)
        expect(one.log.locator(".log-card").last).to_contain_text("Behind the screen")
    evening.pictures("hidden")
    ada.log.locator(".covered").last.get_by_role("button", name="Reveal").click()
    for one in (evening.bodil, evening.cyra):
        expect(one.log.locator(".log-card.revealed .die").first).to_be_attached()
        expect(one.page.locator(".log-card.closed")).to_have_count(before[one.name])


# ---------------------------------------------------------------- words, safety, time


def whisper(evening: Evening) -> None:
    """Cyra tells the game master something; Bodil's device never hears of it."""
    evening.cyra.speak("I took the key.", "Whisper to Game master")
    expect(evening.ada.log.locator(".whisper .words")).to_have_text("I took the key.")
    evening.cyra.page.get_by_label("To whom, or as whom").select_option(label="To all")
    evening.cyra.speak("Shall we go on?")
    evening.bodil.reads("Shall we go on?")
    evening.bodil.never_reads("I took the key.")


def stop_and_go_on(evening: Evening) -> None:
    """One tap from wherever one looks."""
    evening.cyra.view("hero")
    evening.cyra.page.get_by_role("button", name="Stop").click()
    for one in evening.all:
        expect(one.page.locator("#panel-stopped")).to_contain_text("The scene is stopped.")
    evening.pictures("stopped")
    evening.ada.page.locator("#panel-stopped").get_by_role("button", name="Go on").click()
    for one in evening.all:
        expect(one.page.locator("#panel-stopped .stopped")).to_have_count(0)


def undo(evening: Evening, taken_back: str) -> None:
    """The last command, visibly."""
    ada = evening.ada
    ada.do("Undo the last command")
    expect(ada.form).to_contain_text(taken_back)
    ada.submit()
    undone(evening, taken_back)


def undone(evening: Evening, taken_back: str) -> None:
    for one in evening.all:
        expect(one.log.locator(".log-card.aside.undo")).to_have_count(1)
        expect(one.log.locator(".log-card.abandoned", has_text=taken_back).first).to_be_attached()


def mark_a_save_node(evening: Evening) -> None:
    ada = evening.ada
    ada.do("Mark a save node")
    ada.fill("Name", NODE)
    ada.submit()
    evening.all_read(NODE)


def go_back(evening: Evening, paid: str | re.Pattern[str]) -> None:
    """To the save node, for a price that is said beforehand and paid by all."""
    ada = evening.ada
    ada.page.get_by_role("link", name=re.compile("^Scenes")).first.click()
    ada.page.get_by_role("link", name=f"Go back… to {NODE}").click()
    expect(ada.page.locator(".cost")).to_contain_text(paid)
    ada.picture(f"{evening.game}-going-back")
    ada.page.get_by_role("button", name="Go back and pay").click()
    ada.page.wait_for_url(ada.table)
    ada.listen()
    for one in evening.all:
        expect(one.log.locator(".log-card.aside.rewind")).to_contain_text("The story goes back")
        expect(one.log.locator(".log-card.aside.rewind")).to_contain_text(paid)


def drop_and_rejoin(evening: Evening) -> None:
    """Bodil's phone loses the line and then its battery; the same device comes back to its seat and catches up."""
    bodil = evening.bodil
    bodil.context.set_offline(True)
    bodil.page.evaluate("document.getElementById('live')._htmx.sse.reader.cancel()")
    expect(bodil.page.locator("#offline")).to_contain_text("Offline")
    bodil.picture(f"{evening.game}-offline")
    evening.cyra.speak("Bodil is gone!")
    bodil.context.set_offline(False)
    bodil.reads("Bodil is gone!")
    expect(bodil.page.locator("#offline")).to_be_hidden()
    bodil.page.close()
    expect(evening.ada.page.locator("#panel-people .here")).to_have_count(2)
    evening.cyra.speak("And gone again.")
    evening.ada.reads("And gone again.")
    bodil.new_page()
    bodil.sit()
    bodil.reads("And gone again.")
    expect(bodil.page.locator("#panel-hero h3").first).to_have_text(bodil.hero)
    expect(evening.ada.page.locator("#panel-people .here")).to_have_count(3)


def verify(*people: Person) -> None:
    """Everybody's own browser finds the dice sound, and reads the same four words."""
    words = []
    for one in people:
        one.page.goto(f"{one.table}/fairness")
        expect(one.page.locator("[data-part=verdict]")).to_have_attribute("data-sound", "yes")
        words.append(one.page.locator("[data-part=words]").inner_text())
    assert len(set(words)) == 1, words
    people[-1].picture("fairness")
