"""An evening of each game, played through the interface: a game master on a laptop, two players on their phones."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import evenings as on
from tests.browser.evenings import Evening, gather
from tests.browser.people import Person, Room, open_house_of_workers
from tests.browser.screenshots import Screenshots

pytestmark = pytest.mark.slow

MOST_TRIES = 200
"""So many rolls that a table's own dice, which nobody scripts, offer Luck in one: one in seven does at worst."""


def test_an_evening_of_sinew_and_steel(room: Room) -> None:
    """With all that is the same whatever is played: a newcomer, scenes, whispers, the stop, a phone that is gone."""
    evening = gather(room, "sinew_steel", "light", newcomer=True)
    ada, bodil, _ = evening.all
    on.set_the_scene(evening)
    on.ask_for(evening, evening.bodil.hero, "the slippery pews", Attribute="Reflex")
    on.get_ready(bodil, "the slippery pews")
    bodil.weighs()
    bodil.picture("sinew_steel-odds")
    on.roll_and_let_it_stand(bodil)
    on.rolled(evening, "the slippery pews")
    evening.pictures("rolled")
    take_an_offer_of_luck(evening)
    attack_somebody_of_the_game_masters(evening)
    on.mark_a_save_node(evening)
    ada.tap_score("Might", evening.bodil.hero)
    ada.fill("Stakes", "the stone lid")
    on.turn_over_a_hidden_roll(evening)
    on.whisper(evening)
    on.stop_and_go_on(evening)
    ada.do("Raise pressure")
    ada.submit()
    evening.all_read("Pressure rises")
    on.undo(evening, "Pressure rises")
    on.go_back(evening, re.compile("token|Luck"))
    on.drop_and_rejoin(evening)
    on.verify(ada, bodil)


def let_all_of_it_stand(evening: Evening) -> None:
    """Whoever could still turn what fell, by rolling again for instance, leaves it as it is."""
    while names := evening.who_decides():
        person = next(one for one in evening.all if one.hero in names)
        with person.page.expect_response(lambda answer: answer.request.method == "POST"):
            person.waits.locator(".mine .offer.declines").click()


def take_an_offer_of_luck(evening: Evening) -> None:
    """Until the dice fall so that Luck could turn them: then it is taken, for the price that the offer names."""
    cyra = evening.cyra
    cyra.tap_score("Might")
    cyra.weighs()
    cyra.fill("Stakes", step := "step 0 in the dark")
    if not on.waits_after_roll(cyra):
        step = roll_until_somebody_decides(evening)
    expect(evening.bodil.waits).to_contain_text(f"{evening.cyra.hero} decides")
    expect(evening.bodil.waits.locator(".offer")).to_have_count(0)
    evening.pictures("offer")
    offer = cyra.waits.locator(".mine .offer:not(.declines)").first
    expect(offer).to_contain_text(re.compile("Spend [0-9]+ Luck.*success"))
    offer.click()
    expect(cyra.waits.locator(".mine")).to_have_count(0)
    for one in evening.all:
        expect(one.rolls.last).to_contain_text(step)
        expect(one.rolls.last.locator(".outcome")).to_contain_text("Success")


def roll_until_somebody_decides(evening: Evening) -> str:
    """The same again, as another program of Cyra's would roll: her page is not needed for it. Gives what for."""
    host, table = evening.cyra.room.context.host, evening.cyra.table.rpartition("/")[2]
    seat = next(one.id for one in host.seats(table).values() if one.name == evening.cyra.name)
    who = evening.id_of(evening.cyra.hero)
    for number in range(1, MOST_TRIES):
        step = f"step {number} in the dark"
        host.act(table, seat, ("test", {"who": who, "attribute": "MGT", "stakes": step}))
        if evening.who_decides():
            return step
    return pytest.fail(f"no offer of Luck in {MOST_TRIES} rolls")


def attack_somebody_of_the_game_masters(evening: Evening) -> None:
    ada, bodil, _ = evening.all
    ada.do("Make NPC")
    ada.fill("Name", "The sexton")
    ada.submit()
    evening.all_read("The sexton")
    bodil.view("play")
    bodil.page.get_by_role("button", name="Attack", exact=True).click()
    bodil.choose("Whom", "The sexton")
    on.roll_and_let_it_stand(bodil)
    for one in evening.all:
        expect(one.rolls.last).to_contain_text("The sexton")


def test_an_evening_of_new_shoes(room: Room) -> None:
    play_new_shoes(room)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="workers are forked")
def test_an_evening_with_two_workers(browser: Browser, screenshots: Screenshots, tmp_path: Path) -> None:
    with open_house_of_workers(tmp_path, browser, screenshots) as room:
        play_new_shoes(room)
        assert not room.wrong


def play_new_shoes(room: Room) -> None:
    evening = gather(room, "new_shoes", "dark")
    ada, bodil, cyra = evening.all
    evening.act("improvise_scene", title=on.SCENE, hook=on.HOOK)
    bodil.tap_score("Will")
    bodil.fill("How", "wades to the altar")
    bodil.submit()
    call_and_roll(evening, "wades to the altar")
    evening.act("describe", who=evening.id_of(bodil.hero), words="feels along the wall")
    call_and_roll(evening, "feels along the wall", hidden=True)
    react_to_somebody(evening)
    evening.act("mark_save_node", label=on.NODE)
    evening.act("call_approach", who=evening.id_of(cyra.hero), words="lifts the stone lid", attribute="body", target=7)
    ada.waits.get_by_role("button", name="Roll for them").click()
    on.turn_over_a_hidden_roll(evening)
    ada.do("Attach status")
    ada.fill("What is true", "Waist-deep water")
    ada.fill("Value", "-1")
    ada.submit()
    evening.all_read("Waist-deep water")
    evening.act("undo")
    on.undone(evening, "Waist-deep water")
    on.go_back(evening, re.compile("Body|Mind|Will"))
    on.verify(evening.bodil)


def call_and_roll(evening: Evening, words: str, *, hidden: bool = False) -> None:
    """The game master says what it takes, and the player rolls with the odds in view."""
    ada, bodil, _ = evening.all
    ada.page.locator(".proposed", has_text=words).get_by_role("button", name="Call for the roll").click()
    ada.choose("Attribute", "Will")
    ada.fill("Target", "7")
    if hidden:
        ada.form.get_by_role("checkbox", name="Hidden").check()
    ada.submit()
    on.get_ready(bodil, words)
    bodil.weighs()
    bodil.picture(f"new_shoes-odds{'-hidden' if hidden else ''}")
    bodil.submit()
    for one in evening.all:
        expect(one.rolls.locator(".die").last).to_be_attached()


def react_to_somebody(evening: Evening) -> None:
    """Nobody of the game master's rolls: what they do waits on the player's screen until it is answered."""
    ada, bodil, cyra = evening.all
    ada.do("Prompt reaction")
    ada.choose("Who", evening.bodil.hero)
    ada.fill("What comes at them", "The sexton swings a spade")
    ada.submit()
    expect(bodil.waits.locator(".mine", has_text="The sexton swings a spade")).to_be_attached()
    expect(cyra.waits).to_contain_text("The sexton swings a spade")
    expect(cyra.waits.locator(".mine")).to_have_count(0)
    bodil.view("play")
    evening.pictures("reaction")
    bodil.waits.get_by_role("button", name="React").click()
    bodil.fill("How", "ducks behind the font")
    bodil.submit()
    evening.act("call_approach", who=evening.id_of(bodil.hero), attribute="will", target=7)
    on.get_ready(bodil, "ducks behind the font")
    bodil.submit()
    evening.all_read("ducks behind the font")
    expect(bodil.waits.get_by_role("button", name="React")).to_have_count(0)


def test_an_evening_of_narraject(room: Room) -> None:
    evening = gather(room, "narraject", "light")
    ada, bodil, cyra = evening.all
    evening.act("improvise_scene", title=on.SCENE, hook=on.HOOK)
    asked = {"who": evening.id_of(bodil.hero), "command": "attempt", "fields": {"stat": "might"}, "difficulty": 2}
    for what_for, hidden in (("the stone lid", False), ("the lock beneath", True)):
        if hidden:
            evening.act("request_roll", what_for=what_for, hidden=True, **asked)
        else:
            on.ask_for(evening, bodil.hero, what_for, Stat="Might", Difficulty="2")
        on.get_ready(bodil, what_for)
        expect(bodil.waits).to_contain_text("difficulty hidden" if hidden else "against 2")
        intend(bodil, what_for)
        spend(bodil, 2, hidden=hidden)
        bodil.picture(f"narraject-spend{'-hidden' if hidden else ''}")
        bodil.submit()
        on.rolled(evening, what_for)
    bodil.view("hero")
    expect(bodil.page.locator("#panel-hero")).to_contain_text(re.compile(r"Might Reserve\s*\d+"))
    cyra.tap_score("Might")
    intend(cyra, "the sexton's spade")
    cyra.choose("Difficulty", "Easy")
    cyra.weighs()
    cyra.submit()
    on.rule(evening)
    on.rolled(evening, "the sexton's spade")
    evening.pictures("rolled")
    evening.act("mark_save_node", label=on.NODE)
    ada.tap_score("Intellect", evening.bodil.hero)
    intend(ada, "what she overhears")
    ada.choose("Difficulty", "Moderate")
    on.turn_over_a_hidden_roll(evening)
    ada.want("Grant aspect")
    ada.fill("Name", "Knee-deep water")
    ada.submit()
    evening.all_read("Knee-deep water")
    evening.act("undo")
    on.undone(evening, "Knee-deep water")
    on.go_back(evening, "Reserve")
    on.verify(evening.bodil)


def intend(person: Person, goal: str) -> None:
    if person.form.get_by_label("What is wanted", exact=True).count():  # a request says it itself
        person.fill("What is wanted", goal)
    person.fill("How", "with both hands")


def spend(person: Person, points: int, *, hidden: bool) -> None:
    """From the chart, where every spend stands with its chance; under a hidden difficulty, with the likely one."""
    person.weighs()
    if hidden:
        expect(person.form.locator(".odds .chance")).to_contain_text(re.compile(r"likely against \d"))
    chart = person.form.locator(".odds .spends")
    chart.get_by_role("radio").nth(points).check()
    expect(chart.locator("label.now")).to_contain_text(str(points))


def test_an_evening_of_six_pool(room: Room) -> None:
    evening = gather(room, "six_pool", "dark")
    ada, bodil, cyra = evening.all
    evening.act("improvise_scene", title=on.SCENE, hook=on.HOOK)
    asked = {"who": evening.id_of(bodil.hero), "command": "check", "fields": {"pool": "DEX"}, "difficulty": 14}
    for what_for, hidden in (("the slippery pews", False), ("the hidden step", True)):
        if hidden:
            on.ask_for(evening, bodil.hero, what_for, hidden=True, Pool="DEX", Difficulty="14")
        else:
            evening.act("request_roll", what_for=what_for, **asked)
        on.get_ready(bodil, what_for)
        spend(bodil, 1, hidden=hidden)
        bodil.picture(f"six_pool-spend{'-hidden' if hidden else ''}")
        on.roll_and_let_it_stand(bodil)
        on.rolled(evening, f"{evening.bodil.hero} rolls DEX")
    bodil.view("hero")
    expect(bodil.page.locator("#panel-hero .piece", has_text="DEX")).to_contain_text(re.compile(r"DEX\s*1[0-7]"))
    cyra.tap_score("STR")
    cyra.fill("DC", "8")
    cyra.weighs()
    cyra.submit()
    on.rule(evening)
    let_all_of_it_stand(evening)
    evening.pictures("rolled")
    contest_with_sealed_spends(evening)
    evening.act("mark_save_node", label=on.NODE)
    ada.tap_score("WIS", evening.bodil.hero)
    ada.fill("DC", "12")
    on.turn_over_a_hidden_roll(evening)
    ada.want("Award inspiration")
    ada.choose("Who", evening.bodil.hero)
    ada.submit()
    evening.all_read("Inspiration")
    evening.act("undo")
    on.undone(evening, "Inspiration")
    on.go_back(evening, "pays 1")
    on.verify(evening.bodil)


def contest_with_sealed_spends(evening: Evening) -> None:
    """Both choose in secret; what the first has chosen is nowhere on the other's screen, only that it is there."""
    _, bodil, cyra = evening.all
    bodil.view("play")
    bodil.page.get_by_role("button", name="Contest", exact=True).click()
    bodil.choose("Whom", evening.cyra.hero)
    bodil.choose("Contest", "Stealth")
    bodil.submit()
    for one in (bodil, cyra):
        one.view("play")
        expect(one.waits.locator(".mine .bids")).to_be_visible()
    evening.pictures("contest")
    bodil.waits.locator(".mine .bids").get_by_role("radio").nth(1).check()
    bodil.waits.get_by_role("button", name="Seal it").click()
    expect(bodil.waits.locator(".mine")).to_have_count(0)
    expect(cyra.waits.locator(".mine .bids")).to_be_visible()
    evening.pictures("sealed")
    with cyra.page.expect_response(lambda answer: answer.request.method == "POST"):
        cyra.waits.get_by_role("button", name="Seal it").click()
    let_all_of_it_stand(evening)
    for one in evening.all:  # a prompt may wait besides: a natural 20 asks the game master what comes of it
        expect(one.waits.locator(".wait[data-act]")).to_have_count(0)
        expect(one.rolls.last).to_contain_text(evening.cyra.hero)
