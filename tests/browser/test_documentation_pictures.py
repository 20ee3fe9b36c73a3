"""Pictures of the documentation: made from the real table. ASTRAGAL_REGENERATE=1 keeps them in docs/pictures."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Page, ViewportSize, expect

from astragal.surfaces.web.routes.home import Wanted, start
from tests.browser.people import LAPTOP, PHONE, Person, Room
from tests.surfaces.web.open_tables import AtSeat, Web

KEPT = Path(__file__).parents[2] / "docs" / "pictures"
TELEVISION = ViewportSize(width=1920, height=1080)
WIDTH = 1000
SECONDS = (1.6, 2.6, 2.6)
"""How long each moment of the moving picture stays."""
AT_HOME = "http://192.168.178.20:8000"
"""An address that phones could reach, and that a QR code is shown for."""
MOVING = "roll"
LARGEST = 60_000
"""Bytes of a picture; of the one that moves, twice as many."""
ALIKE = 24
"""How far apart the mean colours of two pictures of one page may be, of 255: other dice fall each time."""


class Evening:
    """A started table with a party of four, and a screen at any of its seats."""

    def __init__(self, room: Room) -> None:
        self.room, self.web = room, Web(room.context)
        self.opened = start(room.context, Wanted("sinew_steel", skin="saltglass"))

    def do(self, command: str, /, **fields: object) -> None:
        self.web.host.act(self.opened.table, self.opened.seat, (command, fields))

    def sit(self, seat: str, size: ViewportSize) -> Person:
        person = self.room.person("Bo", size, "light")
        person.context.add_cookies(self.web.cookies(AtSeat(self.opened.table, seat)))  # type: ignore[arg-type]
        person.table = f"{self.room.address}/t/{self.opened.table}"
        person.sit()
        return person

    def pictures(self) -> Iterator[tuple[str, list[Image.Image]]]:
        """Every picture by its name; one of several moments moves."""
        player = self.sit(self.opened.players[0], LAPTOP)
        moments = [seen(player.page)]
        choose_a_score(player)
        moments.append(seen(player.page))
        player.page.locator("#open-form .go").click()
        fallen = player.page.locator("#log article.roll, #panel-pending article")  # told, or Luck is offered first
        expect(fallen.last).to_be_visible()
        moments.append(seen(player.page))
        yield "table", moments[:1]
        yield MOVING, moments
        player.page.goto(f"{player.table}/fairness")
        expect(player.page.locator("[data-part=verdict]")).to_have_attribute("data-sound", "yes")
        yield "fair-dice", [seen(player.page, height=640)]

        phone = self.sit(self.opened.players[1], PHONE)
        phone.view("hero")
        sheet = seen(phone.page)
        choose_a_score(phone)
        yield "phone", [side_by_side(sheet, seen(phone.page))]

        master = self.sit(self.opened.seat, LAPTOP)
        yield "game-master", [seen(master.page)]
        master.page.goto(f"{master.table}/scenes")
        yield "scenes", [seen(master.page)]
        self.room.context.settings = replace(settings := self.room.context.settings, address=AT_HOME)
        master.page.goto(f"{master.table}/people")
        master.page.get_by_role("button", name="Make the table’s link").click()
        expect(master.page.get_by_role("textbox", name="The table’s link")).to_be_visible()
        yield "invite", [seen(master.page, height=640)]
        self.room.context.settings = settings
        master.page.goto(f"{self.room.address}/lab/six_pool/check?dc=15&.over=bonus&.and=stance")
        yield "lab", [seen(master.page)]
        owner = self.room.owner("Ada", "light")
        yield "home", [seen(owner.page)]

        spectator = self.web.host.act(
            self.opened.table, self.opened.seat, ("take_seat", {"name": "Television", "role": "spectator"})
        )
        television = self.sit(spectator.events[0].fields["seat"]["id"], TELEVISION)
        yield "television", [seen(television.page)]


def choose_a_score(person: Person) -> None:
    person.page.locator("#panel-hero button.score").first.click()
    expect(person.page.locator("#open-form .odds")).to_be_visible()


def seen(page: Page, height: int | None = None) -> Image.Image:
    """The window, or the upper part of it."""
    page.wait_for_function("document.getAnimations().every((one) => one.playState === 'finished')")
    picture = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    picture = picture.crop((0, 0, picture.width, height or picture.height))
    width = min(WIDTH, picture.width)
    return picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS)


def side_by_side(*pictures: Image.Image) -> Image.Image:
    gap = 24
    whole = Image.new("RGB", (sum(one.width + gap for one in pictures) - gap, pictures[0].height), "white")
    for number, one in enumerate(pictures):
        whole.paste(one, (number * (one.width + gap), 0))
    return whole


def test_the_pictures_of_the_documentation_are_as_the_pages_are(room: Room) -> None:
    for name, (first, *others) in Evening(room).pictures():
        file = KEPT / f"{name}.webp"
        if os.environ.get("ASTRAGAL_REGENERATE"):
            durations = [int(seconds * 1000) for seconds in SECONDS] if others else 0
            first.save(
                file,
                save_all=bool(others),
                append_images=others,
                duration=durations,
                loop=0,
                quality=65,
                method=6,
            )
        with Image.open(file) as kept:
            assert kept.size == first.size, f"{name} has another size; ASTRAGAL_REGENERATE=1 makes it again"
            assert getattr(kept, "n_frames", 1) == len(others) + 1
            far = apart(kept.convert("RGB"), first)
            assert far < ALIKE, f"{name} looks different now ({far:.0f}); ASTRAGAL_REGENERATE=1 makes it again"


def apart(one: Image.Image, other: Image.Image) -> float:
    size = (32, 20)
    return max(ImageStat.Stat(ImageChops.difference(one.resize(size), other.resize(size))).mean)


@pytest.mark.parametrize("picture", sorted(KEPT.glob("*.webp")), ids=lambda picture: picture.stem)
def test_every_picture_is_light_and_shown_with_words_for_it(picture: Path) -> None:
    shown = re.compile(rf"!\[[^\]]{{20,}}\]\([./]*pictures/{picture.name}\)")
    assert any(shown.search(page.read_text("utf-8")) for page in KEPT.parent.rglob("*.md"))
    assert picture.stat().st_size <= LARGEST * (1 + (picture.stem == MOVING))
