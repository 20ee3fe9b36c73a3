"""Words that are forgotten for good: by whoever wrote them, or by the game master."""

import re

from astragal.surfaces.web.live.updates import PageCache, PageFollower
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.table.panels import PANELS
from tests.surfaces.web.open_tables import OpenTable, Web

WORDS = "My sister's name is Wilhelmina"


def say(web: Web, table: OpenTable, seat: str, words: str) -> str:
    return web.host.act(table.id, table.seats[seat], ("say", {"words": words})).act


def forget(web: Web, table: OpenTable, seat: str, *acts: str) -> int:
    return web.client(table[seat]).post(f"/t/{table.id}/log/forget", data={"act": acts}).status_code


def log(web: Web, table: OpenTable, seat: str) -> str:
    return web.client(table[seat]).get(f"/t/{table.id}/log").text


def ways_to_forget(text: str) -> list[str]:
    return re.findall(r"/log/forget\?act=(\w+)", text)


def test_the_log_offers_to_forget_ones_own_words_and_the_game_master_all(web: Web) -> None:
    table = web.table()
    bos, adas = say(web, table, "Bo", WORDS), say(web, table, "Ada", "Nobody heard that.")
    assert bos in ways_to_forget(log(web, table, "Bo"))
    assert adas not in ways_to_forget(log(web, table, "Bo"))
    assert {bos, adas} <= set(ways_to_forget(log(web, table, "Ada")))
    assert not ways_to_forget(log(web, table, "Di"))


def test_words_are_shown_once_more_before_they_are_forgotten(web: Web) -> None:
    table = web.table()
    act = say(web, table, "Bo", WORDS)
    asked = web.client(table["Bo"]).get(f"/t/{table.id}/log/forget?act={act}")
    assert "Wilhelmina" in asked.text
    assert "Wilhelmina" in log(web, table, "Ada")
    assert forget(web, table, "Bo", act) == 303
    for seat in ("Ada", "Bo", "Di"):
        assert "Wilhelmina" not in log(web, table, seat)
        assert "Wilhelmina" not in web.client(table[seat]).get(f"/t/{table.id}").text
        assert "Wilhelmina" not in "".join(map(bytes.decode, web.host.archive.export(table.id, table.seats[seat])))
    assert act not in ways_to_forget(log(web, table, "Bo"))


def test_nobody_forgets_the_words_of_others(web: Web) -> None:
    table = web.table()
    act = say(web, table, "Ada", "The bridge holds.")
    assert web.client(table["Bo"]).get(f"/t/{table.id}/log/forget?act={act}").status_code == 422
    assert forget(web, table, "Bo", act) == 422
    assert forget(web, table, "Bo", "no-such-act") == 422
    assert "The bridge holds." in log(web, table, "Bo")


def test_nobody_forgets_the_words_of_others_by_repeating_them(web: Web) -> None:
    table = web.table()
    say(web, table, "Ada", "The bridge holds.")
    echo = say(web, table, "Bo", "The bridge holds.")
    assert log(web, table, "Di").count("The bridge holds.</p>") == 2
    assert forget(web, table, "Bo", echo) == 303
    assert log(web, table, "Di").count("The bridge holds.</p>") == 1
    assert forget(web, table, "Ada", say(web, table, "Ada", "The bridge holds.")) == 303
    assert "The bridge holds.</p>" not in log(web, table, "Di")


def test_nothing_or_too_much_to_forget_is_refused(web: Web) -> None:
    table = web.table()
    assert forget(web, table, "Ada") == 422
    assert forget(web, table, "Ada", *(["x"] * 51)) == 422
    assert web.client(table["Ada"]).get(f"/t/{table.id}/log/forget").status_code == 422


def test_an_open_page_draws_its_log_again_without_them(web: Web) -> None:
    table = web.table()
    act = say(web, table, "Bo", WORDS)
    at = SeatSession(web.context, table.id, table.seats["Di"])
    page = PageFollower(
        at, PageCache(web.app.state.templates, table.id, PANELS), web.host.latest(table.id, at.seat).cursor
    )
    assert b"event: redraw" not in b"".join(page.news())
    forget(web, table, "Bo", act)
    news = b"".join(page.news())
    assert b"event: redraw" in news
    assert b"Wilhelmina" not in news
    assert "Wilhelmina" not in web.client(table["Di"]).get(f"/t/{table.id}/log/newest").text
