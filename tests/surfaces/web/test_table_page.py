"""The table's page: what each seat finds there, what it may not find, and what people say."""

from __future__ import annotations

import re

import pytest

from astragal.surfaces.web.rendering import HERE
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.table.panels import LISTED, LISTS, PANELS
from astragal.table.starter import worn
from astragal.table.state.setting import (
    DARK_GROUNDS,
    LIGHT_GROUNDS,
    ON_DARK_ACCENT,
    ON_LIGHT_ACCENT,
    renamed_words,
    reworded,
)
from tests.surfaces.web.open_tables import OpenTable, Web
from tests.surfaces.web.played import drawn_alone

GAMES = ("sinew_steel", "narraject", "new_shoes", "six_pool")
SEATS = ("Ada", "Bo", "Di")
PART = {"HX-Request": "true"}
LARGEST = 150_000


def page(web: Web, table: OpenTable, seat: str) -> str:
    shown = web.client(table[seat]).get(f"/t/{table.id}")
    assert shown.status_code == 200
    return shown.text


def do(web: Web, table: OpenTable, seat: str, command: str, **fields: object) -> None:
    web.host.act(table.id, table.seats[seat], (command, fields))


def said(web: Web, table: OpenTable, seat: str) -> list[str]:
    return [event.words for event in web.host.follow(table.id, table.seats[seat]).events]


# ---------------------------------------------------------------- the page


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seat", SEATS)
def test_every_game_has_a_table_that_every_seat_can_look_at(web: Web, game: str, seat: str) -> None:
    table = web.table(game)
    text = page(web, table, seat)
    assert "The Gorge" in text
    for panel in PANELS:
        for_game_master, for_others = panel.name not in ("clocks", "notes"), not panel.name.startswith("screen_")
        wanted = for_game_master if seat == "Ada" else for_others
        if panel.name == "television":
            wanted = seat == "Di"
        assert text.count(f'id="panel-{panel.name}"') == wanted, panel.name


@pytest.mark.parametrize("game", GAMES)
def test_nothing_on_it_is_inline(web: Web, game: str) -> None:
    text = page(web, web.table(game), "Ada")
    assert not re.search(r"\sstyle=|<style|\son[a-z]+=|hx-on", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)


def test_a_score_is_the_way_to_its_roll_for_whoever_may_roll_it(web: Web) -> None:
    table = web.table("sinew_steel")
    hero = next(one for one in web.host.look(table.id, table.seats["Bo"]).characters.values() if one.seat)
    way = f"/form/test?who={hero.id}&amp;attribute="
    assert way in page(web, table, "Bo")
    assert way in page(web, table, "Ada")
    assert way not in page(web, table, "Cy")
    assert way not in page(web, table, "Di")


def test_whoever_looks_on_is_offered_nothing_to_do(web: Web) -> None:
    text = page(web, web.table(), "Di")
    assert 'id="speak"' not in text
    assert 'class="chip"' not in text
    assert "/do/stop_scene" in text, "but anyone may stop the scene"


@pytest.mark.parametrize(
    "where",
    ["", "/people", "/log", "/scenes", "/fairness", "/luck", "/heroes", "/everything", "/rules", "/recap", "/form/say"],
)
def test_every_page_can_be_light_or_dark_and_stops_the_scene(web: Web, where: str) -> None:
    table = web.table()
    text = web.client(table["Bo"]).get(f"/t/{table.id}{where}").text
    assert text.count('id="theme"') == 1
    assert "/do/stop_scene" in text


def test_what_the_game_master_keeps_is_in_no_byte_of_a_players_page(web: Web) -> None:
    table = web.table()
    do(web, table, "Ada", "start_clock", name="canary-clock", size=4, face="hidden")
    do(web, table, "Ada", "start_clock", name="known-clock", size=7, face="known")
    do(web, table, "Ada", "write_note", title="canary-note", words="canary-words", audience="game master")
    do(web, table, "Ada", "write_scene", title="canary-scene", hook="canary-hook")
    for seat in ("Bo", "Di"):
        text = page(web, table, seat)
        assert "canary" not in text
        assert "known-clock" in text
        assert "progress hidden" in text
    assert page(web, table, "Ada").count("canary") >= 3


@pytest.mark.parametrize("game", GAMES)
def test_a_first_page_is_light(web: Web, game: str) -> None:
    shown = web.client(web.table(game)["Ada"]).get("/t/" + web.host.archive.tables()[-1])
    files = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', shown.text))
    sizes = [len(web.client().get(file).content) for file in files]
    assert len(shown.content) + sum(sizes) < 2 * LARGEST
    assert len(shown.content) < LARGEST


def test_a_new_table_tells_its_game_master_what_comes_next(web: Web) -> None:
    opened = web.host.open("six_pool", name="Empty", game_master="Ada")
    table = OpenTable(opened.table, {"Ada": opened.seat})
    text = page(web, table, "Ada")
    assert "Invite your players" in text
    assert "Bring heroes" in text


def test_the_stop_is_one_tap_away_and_says_nothing_of_who_tapped(web: Web) -> None:
    table = web.table()
    answered = web.client(table["Di"]).post(f"/t/{table.id}/do/stop_scene", headers=PART)
    assert answered.status_code == 200
    text = page(web, table, "Bo")
    assert "The scene is stopped." in text
    assert "I am ready to go on" in text


def test_what_a_sheet_lists_is_sent_to_whoever_looks_it_up(web: Web) -> None:
    table = web.table("six_pool")
    hero = next(one for one in web.host.look(table.id, table.seats["Bo"]).characters.values() if one.seat)
    assert f"/lookup/{hero.id}" in page(web, table, "Bo")
    listed = web.client(table["Bo"]).get(f"/t/{table.id}/lookup/{hero.id}").text
    assert "Difficulty" in listed
    assert "Difficulty" not in page(web, table, "Bo")
    assert "Nothing." in web.client(table["Bo"]).get(f"/t/{table.id}/lookup/nobody").text


# ---------------------------------------------------------------- talk


def test_one_speaks_to_all_as_a_character_or_as_the_story(web: Web) -> None:
    table = web.table()
    hero = next(one for one in web.host.look(table.id, table.seats["Bo"]).characters.values() if one.seat)
    bo, ada = web.client(table["Bo"]), web.client(table["Ada"])
    address = f"/t/{table.id}/speak"
    assert bo.post(address, data={"words": "Hello."}, headers=PART).status_code == 204
    assert bo.post(address, data={"words": "Hush.", "to": f"as:{hero.id}"}, headers=PART).status_code == 204
    assert bo.post(address, data={"words": "waves", "to": f"does:{hero.id}"}, headers=PART).status_code == 204
    assert ada.post(address, data={"words": "Night falls.", "to": "story"}, headers=PART).status_code == 204
    assert said(web, table, "Cy")[-4:] == ["Bo: Hello.", f"{hero.name}: Hush.", f"{hero.name} waves", "Night falls."]


def test_a_whisper_is_for_its_two_ends(web: Web) -> None:
    table = web.table()
    whisper = {"words": "psst-canary", "to": f"to:{table.seats['Cy']}"}
    assert web.client(table["Bo"]).post(f"/t/{table.id}/speak", data=whisper, headers=PART).status_code == 204
    assert "psst-canary" in page(web, table, "Cy")
    assert "psst-canary" not in page(web, table, "Ada")
    assert "psst-canary" not in page(web, table, "Di")


def test_what_may_not_be_said_is_refused_in_a_sentence(web: Web) -> None:
    table = web.table()
    refused = web.client(table["Bo"]).post(
        f"/t/{table.id}/speak", data={"words": "Night falls.", "to": "story"}, headers=PART
    )
    assert refused.status_code == 422
    assert 'role="alert"' in refused.text
    assert "Night falls." not in said(web, table, "Cy")


def test_without_htmx_one_comes_back_to_the_table(web: Web) -> None:
    table = web.table()
    answered = web.client(table["Bo"]).post(f"/t/{table.id}/speak", data={"words": "Hello."})
    assert (answered.status_code, answered.headers["location"]) == (303, f"/t/{table.id}")


# ---------------------------------------------------------------- the log


@pytest.fixture
def told(web: Web) -> OpenTable:
    table = web.table("six_pool")
    hero = next(one for one in web.host.look(table.id, table.seats["Bo"]).characters.values() if one.seat)
    do(web, table, "Bo", "say", words="a word in passing")
    do(web, table, "Ada", "narrate", words="the moon goes down")
    do(web, table, "Ada", "check", who=hero.id, pool="STR", dc=12)
    return table


@pytest.mark.parametrize(
    ("only", "seen", "unseen"),
    [
        ("talk", "a word in passing", "the moon goes down"),
        ("story", "the moon goes down", "a word in passing"),
        ("rolls", "Verify", "a word in passing"),
        ("mine", "a word in passing", "the moon goes down"),
    ],
)
def test_the_log_shows_what_one_asks_for(web: Web, told: OpenTable, only: str, seen: str, unseen: str) -> None:
    text = web.client(told["Bo"]).get(f"/t/{told.id}/log?only={only}").text
    assert seen in text
    assert unseen not in text


def test_the_log_finds_words(web: Web, told: OpenTable) -> None:
    client = web.client(told["Di"])
    assert "the moon goes down" in client.get(f"/t/{told.id}/log?find=MOON+down").text
    assert "Nothing here is like that." in client.get(f"/t/{told.id}/log?find=sun").text


def test_the_log_is_read_backwards_page_by_page(web: Web, told: OpenTable) -> None:
    for number in range(130):
        do(web, told, "Bo", "say", words=f"word number {number};")
    client = web.client(told["Cy"])
    newest = client.get(f"/t/{told.id}/log").text
    assert "word number 129;" in newest
    assert "word number 0;" not in newest
    earlier = re.search(r'href="(/t/[^"]+/log\?before=[^"]+)"', newest)
    assert earlier
    before = client.get(earlier[1].replace("&amp;", "&")).text
    assert "word number 0;" in before
    assert "word number 129;" not in before


def test_the_log_can_be_taken_along(web: Web, told: OpenTable) -> None:
    taken = web.client(told["Di"]).get(f"/t/{told.id}/log.md")
    assert taken.headers["content-type"].startswith("text/markdown")
    assert 'filename="the-gorge.md"' in taken.headers["content-disposition"]
    assert "the moon goes down" in taken.text


def test_a_stranger_sees_no_log(web: Web, told: OpenTable) -> None:
    assert web.client().get(f"/t/{told.id}/log").status_code == 401


# ---------------------------------------------------------------- who a hero is


@pytest.mark.parametrize(
    ("game", "fields", "shown"),
    [
        ("sinew_steel", {"notes": "Owes the ferryman", "concept": "A pilot"}, ("Owes the ferryman", "A pilot")),
        ("narraject", {"about": "A drover on the salt road"}, ("A drover on the salt road",)),
        (
            "new_shoes",
            {"about": "Twelve, and never late", "body": 4, "mind": 3, "will": 3},
            ("Twelve, and never late",),
        ),
        ("six_pool", {"about": "Court of the Drowned Hours"}, ("Court of the Drowned Hours", ", level 1")),
    ],
)
def test_who_a_hero_is_stands_on_the_sheet(web: Web, game: str, fields: dict[str, object], shown: list[str]) -> None:
    table = web.table(game)
    heroes = web.context.books[game].ruleset.heroes
    assert heroes
    assert heroes.random
    options = web.host.look(table.id, table.seats["Ada"]).options
    hero = {**heroes.random(lambda _: 0, {}, options), "name": "Somebody new", **fields}
    do(web, table, "Bo", heroes.make, **hero)
    own = SeatSession(web.context, table.id, table.seats["Bo"])
    text = drawn_alone(next(panel for panel in PANELS if panel.name == "hero"), web.app.state.templates, own)
    assert all(words in text for words in shown), text


def test_what_a_player_notes_for_themselves_is_on_nobody_elses_page(web: Web) -> None:
    table = web.table("sinew_steel")
    do(web, table, "Bo", "make_hero", name="Ox", notes="Owes the ferryman")
    assert "Owes the ferryman" in page(web, table, "Bo")
    assert "Owes the ferryman" not in page(web, table, "Cy")


# ---------------------------------------------------------------- the skin's words


def test_the_skins_words_go_all_the_way(web: Web) -> None:
    skin = worn(web.context.books["sinew_steel"].ruleset, "saltglass")
    table = web.table("sinew_steel", skin="saltglass", options=skin.options, terms=skin.terms)
    heroes = [one.id for one in web.host.look(table.id, table.seats["Ada"]).characters.values()]
    do(web, table, "Bo", "luck_test", who=heroes[0], why="the wind turns", stakes="the lamp")
    do(web, table, "Ada", "test", who=heroes[1], attribute="Step", stakes="the lamp")
    forms = [f"/form/{command}" for command in ("luck_test", "grant_luck", "raise_pressure", "override", "rewind")]
    for where in ("", *forms, "/heroes", "/overriding", "/asking", "/log"):
        shown = web.client(table["Ada"]).get(f"/t/{table.id}{where}")
        read = re.sub(r"<[^>]*>", " ", re.sub(r'title="([^"]*)"', r">\1<", shown.text))
        assert shown.status_code == 200
        assert not re.search(r"\b(Luck|luck|Pressure|pressure|[Cc]ustodian)\b", read), (where, read)


def test_a_word_that_is_also_plain_english_is_replaced_only_as_a_name() -> None:
    book = {"might": "Might", "luck": "Luck", "long": "A whole sentence."}
    renamed = renamed_words(book, {"might": "Brawn", "luck": "Grace", "long": "Another."})
    assert reworded("It might rain: test Might, or spend luck.", renamed) == (
        "It might rain: test Brawn, or spend Grace."
    )


# ---------------------------------------------------------------- the skin's colours


def test_a_setting_has_its_own_accents_for_every_seat(web: Web) -> None:
    worn_skin = worn(web.context.books["sinew_steel"].ruleset, "saltglass")
    table = web.table("sinew_steel", skin="saltglass", **worn_skin.given)
    for seat in ("Ada", "Bo", "Di"):
        (address,) = re.findall(r'href="(/look/[^"]+)"', page(web, table, seat))
        style = web.client(table[seat]).get(address)
        assert style.headers["content-type"].startswith("text/css")
        assert "--brass: light-dark(#0b5668, #6cc6dc)" in style.text
        assert "ornaments/waves.svg" in style.text
    assert "/look/" not in page(web, web.table("sinew_steel", name="Bare"), "Bo")
    for wrong in ("/look/red-blue-green-waves.css", "/look/0b5668-6cc6dc-0f3b38-lace.css"):
        assert web.client().get(wrong).status_code == 422


def test_colours_that_words_could_not_be_read_in_are_refused_with_their_contrast(web: Web) -> None:
    shelf = web.context.books["sinew_steel"].ruleset.skins
    assert shelf
    text = shelf.shipped()["saltglass"]
    assert not shelf.faults(text, "saltglass.toml")
    (fault,) = shelf.faults(text.replace("#0b5668", "#9fd0dc"), "saltglass.toml")
    assert "look.light has a contrast of 1." in fault
    (fault,) = shelf.faults(text.replace("#0f3b38", "darkred"), "saltglass.toml")
    assert "look.cover is not a colour" in fault


def test_the_grounds_that_colours_are_held_against_are_those_of_the_page() -> None:
    css = (HERE / "static" / "css" / "base.css").read_text("utf-8")
    for name, light, dark in zip(("ground", "surface", "raised"), LIGHT_GROUNDS, DARK_GROUNDS, strict=True):
        assert f"--{name}: light-dark({light}, {dark});" in css
    assert f"--on-brass: light-dark({ON_LIGHT_ACCENT}, {ON_DARK_ACCENT});" in css


def test_the_tables_can_be_installed_as_an_app(web: Web) -> None:
    shown = web.client().get("/").text
    (address,) = re.findall(r'rel="manifest" href="([^"]+)"', shown)
    manifest = web.client().get(address).json()
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        assert web.client().get(icon["src"]).status_code == 200


@pytest.mark.parametrize(("name", "panel"), [("Ada", "screen_notes"), ("Bo", "notes")])
def test_of_very_many_notes_the_newest_are_drawn_and_older_ones_are_a_link_away(
    web: Web, name: str, panel: str
) -> None:
    table = web.table()
    for number in range(LISTED + 5):
        note = {"title": f"Note {number}.", "words": "", "audience": "all"}
        web.host.act(table.id, table.seats["Bo"], ("write_note", note))
    shown = page(web, table, name)
    assert re.findall(r"<summary><span>(?:<b>)?Note (\d+)\.", shown) == [str(number) for number in range(5, LISTED + 5)]
    (older,) = re.findall(r'href="([^"]*/older/[^"]*)"', shown)
    assert older == f"/t/{table.id}/older/{panel}?after={LISTED}"
    listed = web.client(table[name]).get(older)
    assert re.findall(r"<summary><span>(?:<b>)?Note (\d+)\.", listed.text) == [str(number) for number in range(5)]
    assert "/older/" not in listed.text


def test_the_game_masters_lists_are_at_no_address_for_others(web: Web) -> None:
    table = web.table()
    bo = web.client(table["Bo"])
    for name in ("screen_notes", "screen_clocks", "screen_due", "nothing"):
        assert bo.get(f"/t/{table.id}/older/{name}").status_code == 404
    for name, shows in LISTS.items():
        expected = 200 if shows(SeatSession(web.context, table.id, table.seats["Bo"]), 0) else 404
        assert bo.get(f"/t/{table.id}/older/{name}").status_code == expected
