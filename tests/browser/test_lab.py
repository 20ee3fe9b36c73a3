"""The lab in a browser: a slider by the keyboard, the chart and the address that follow it, on a phone too."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_accessible
from tests.browser.people import LAPTOP, PHONE, Room

pytestmark = pytest.mark.slow


def test_the_chart_and_the_address_follow_a_slider(room: Room) -> None:
    page = room.person("Ada", LAPTOP, "light").page
    page.goto(f"{room.address}/lab/six_pool/check?dc=15&bonus=5&.over=bonus")
    chart = page.locator("#answer svg").first
    expect(chart).to_have_attribute("aria-label", re.compile("bonus 0 30.0%, 20 95.0%"))
    slider = page.get_by_role("slider", name="Dc")
    slider.focus()
    slider.press("ArrowRight")
    expect(chart).to_have_attribute("aria-label", re.compile("bonus 0 25.0%"))
    expect(page.locator("output[for=f-dc]")).to_have_text("16")
    expect(page).to_have_url(f"{room.address}/lab/six_pool/check?.over=bonus&dc=16&bonus=5")
    expect(slider).to_be_focused()
    page.get_by_label("And over").select_option("stance")
    expect(chart).to_have_attribute("aria-label", re.compile("Chance of success by bonus and stance"))
    page.get_by_label("Compare with").select_option("sinew_steel/simple_test")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", name="Against: simple test")).to_be_visible()
    page.get_by_text("Numbers", exact=True).click()
    assert_accessible(page)


def test_a_duel_has_charts_of_when_to_spend_and_foes_to_choose_from(room: Room) -> None:
    page = room.person("Ada", LAPTOP, "light").page
    page.goto(f"{room.address}/lab/sinew_steel/duel?stamina=3&luck=3&edge=1")
    expect(page.get_by_role("img", name="When to spend Luck to hit")).to_be_visible()
    assert_accessible(page)
    page.set_viewport_size(PHONE)
    page.get_by_role("link", name="tier 8").click()
    expect(page.locator("output[for='f-b-attack']")).to_have_text("8")
    expect(page.locator("output[for='f-edge']")).to_have_text("1")
    page.get_by_role("slider", name="Soak").last.scroll_into_view_if_needed()
    expect(page.locator("figure.chart").first).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_on_a_phone_the_chart_stays_in_sight_and_nothing_is_wider_than_the_screen(room: Room) -> None:
    page = room.person("Bo", PHONE, "dark").page
    page.goto(f"{room.address}/lab/sinew_steel/attack?.over=attacker")
    page.get_by_label("Fatal").scroll_into_view_if_needed()
    expect(page.locator("figure.chart")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert_accessible(page, (("dark", ()),))  # its colours in the light are those of the others
