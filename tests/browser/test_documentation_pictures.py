"""Pictures of the documentation: made from the real table. ASTRAGAL_REGENERATE=1 keeps them in docs/pictures."""

from __future__ import annotations

import io
import os
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect

from astragal.surfaces.web.table.starter import Wanted, start
from tests.browser.people import LAPTOP, Person, Room
from tests.surfaces.web.open_tables import AtSeat, Web

KEPT = Path(__file__).parents[2] / "docs" / "pictures"
WIDTH = 1000
SECONDS = (1.6, 2.6, 2.6)
"""How long each moment of the moving picture stays."""


def test_the_pictures_show_the_table_and_a_roll_with_its_odds(room: Room, tmp_path: Path) -> None:
    web = Web(room.context)
    opened = start(room.context, Wanted("sinew_steel", skin="saltglass"))
    person = room.person("Bo", LAPTOP, "light")
    person.context.add_cookies(web.cookies(AtSeat(opened.table, opened.players[0])))  # type: ignore[arg-type]
    person.table = f"{room.address}/t/{opened.table}"
    person.sit()
    moments = [seen(person.page)]
    choose_a_score(person)
    moments.append(seen(person.page))
    person.page.locator("#open-form .go").click()
    fallen = person.page.locator("#log article.roll, #panel-pending article")  # it is told, or Luck is offered first
    expect(fallen.last).to_be_visible()
    moments.append(seen(person.page))

    folder = KEPT if os.environ.get("ASTRAGAL_REGENERATE") else tmp_path
    moments[0].save(folder / "table.webp", quality=80)
    durations = [int(seconds * 1000) for seconds in SECONDS]
    moments[0].save(
        folder / "roll.webp", save_all=True, append_images=moments[1:], duration=durations, loop=0, quality=80
    )
    with Image.open(folder / "roll.webp") as roll:
        assert getattr(roll, "n_frames", 1) == len(SECONDS)


def choose_a_score(person: Person) -> None:
    person.page.locator("#panel-hero button.score").first.click()
    expect(person.page.locator("#open-form .odds")).to_be_visible()


def seen(page: Page) -> Image.Image:
    page.wait_for_function("document.getAnimations().every((one) => one.playState === 'finished')")
    picture = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    return picture.resize((WIDTH, round(picture.height * WIDTH / picture.width)), Image.Resampling.LANCZOS)


def test_the_pictures_that_the_documentation_shows_are_there() -> None:
    for name in ("roll.webp", "table.webp"):
        with Image.open(KEPT / name) as picture:
            assert picture.width == WIDTH
