"""Making heroes in the browser: samples, chance, accounts while one changes things, reasons and repairs."""

from __future__ import annotations

import html
import re

import pytest

from astragal.table.starter import worn
from tests.surfaces.web.filled import Inputs
from tests.surfaces.web.open_tables import OpenTable, Web

GAMES = ("sinew_steel", "narraject", "new_shoes", "six_pool")


def heroes_of(web: Web, table: OpenTable, name: str) -> list[str]:
    characters = web.host.look(table.id, table.seats[name]).characters.values()
    return [one.name for one in characters if one.seat == table.seats[name]]


@pytest.mark.parametrize("game", GAMES)
def test_whoever_starts_with_a_sample_has_a_hero_after_one_more_click(web: Web, game: str) -> None:
    table = web.table(game)
    client = web.client(table["Bo"])
    before = heroes_of(web, table, "Bo")
    started = client.get(f"/t/{table.id}/heroes")
    samples = re.findall(r"\?sample=([^\"]+)\"", started.text)
    page = client.get(f"/t/{table.id}/heroes?sample={samples[0]}").text if samples else started.text
    assert "Ready to play." in page
    made = client.post(f"/t/{table.id}/heroes", data=_as_form(page))
    assert made.status_code == 303, made.text
    assert len(heroes_of(web, table, "Bo")) == len(before) + 1


@pytest.mark.parametrize("game", GAMES)
def test_chance_always_gives_a_hero_that_can_be_played(web: Web, game: str) -> None:
    table = web.table(game)
    client = web.client(table["Bo"])
    for options in ("", "?theme=nonsense&class=nonsense&level=99&best=nonsense"):
        page = client.get(f"/t/{table.id}/heroes{options}").text
        assert "Ready to play." in page
        assert f'action="/t/{table.id}/heroes#step-1"' in page, "a phone shows who it became"


def test_the_advantage_of_a_hero_is_in_ones_own_words(web: Web) -> None:
    """Not in those of a roll."""
    table = web.table("sinew_steel")
    assert "flanking" not in web.client(table["Bo"]).get(f"/t/{table.id}/heroes").text


def test_wishes_for_a_random_hero_are_choices_in_the_settings_words_and_stay_chosen(web: Web) -> None:
    skin = worn(web.context.books["sinew_steel"].ruleset, "saltglass")
    table = web.table("sinew_steel", skin="saltglass", options=skin.options, terms=skin.terms)
    client = web.client(table["Bo"])
    page = client.get(f"/t/{table.id}/heroes").text
    assert '<option value="">Any</option>' in page
    assert re.search('<option value="VOC">(.+?)</option>', page)
    wished = client.get(f"/t/{table.id}/heroes?theme=VOC").text
    assert '<option value="VOC" selected>' in wished
    scores = {name: int(said) for name, said in Inputs(wished).sent if name.startswith("scores.")}
    assert scores["scores.VOC"] == max(scores.values())


def test_a_wish_with_a_usual_answer_says_it_and_not_any(web: Web) -> None:
    """Nobody wishes for a level: it is 1, and the form says so. A class that nobody wishes for is any."""
    table = web.table("six_pool")
    client = web.client(table["Bo"])
    of_class, of_level = re.findall("<select id=.wish.*?</select>", client.get(f"/t/{table.id}/heroes").text)
    assert '<option value="">Any</option>' in of_class
    assert "Any" not in of_level
    assert '<option value="1" selected>' in of_level
    assert ("level", "1") in Inputs(client.get(f"/t/{table.id}/heroes").text).sent
    assert '<option value="5" selected>' in client.get(f"/t/{table.id}/heroes?class=&level=5").text


@pytest.mark.parametrize(("game", "wish"), [("new_shoes", "best"), ("six_pool", "class"), ("six_pool", "level")])
def test_every_choice_of_a_wish_can_be_granted(web: Web, game: str, wish: str) -> None:
    ruleset = web.context.books[game].ruleset
    book, options = ruleset.heroes, ruleset.options()
    assert book is not None
    assert book.random is not None
    choices = book.wish_choices(options)[wish]
    assert len(choices) > 2
    assert all(book.random(lambda _: 0, {wish: key}, options)["name"] for key in choices)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_random_heroes_have_names_and_no_two_the_same(web: Web, game: str) -> None:
    table = web.table(game)
    client = web.client(table["Bo"])
    for _ in range(6):
        made = client.post(f"/t/{table.id}/heroes", data=_as_form(client.get(f"/t/{table.id}/heroes").text))
        assert made.status_code == 303, made.text
    names = [one.name for one in web.host.look(table.id, table.seats["Ada"]).characters.values()]
    assert len(set(names)) == len(names) == 8
    assert "A stranger" not in names


def test_accounts_follow_what_is_changed_and_say_what_is_wrong(web: Web) -> None:
    table = web.table("new_shoes")
    client = web.client(table["Bo"])
    sent = {"name": "Ox", "body": "5", "mind": "3", "will": "2"}
    assert "Ready to play." in client.post(f"/t/{table.id}/heroes/check", data=sent).text
    over = client.post(f"/t/{table.id}/heroes/check", data=sent | {"will": "4"}).text
    assert "Not yet" in over
    assert "12 of 10 points" in over


@pytest.mark.parametrize(
    ("game", "wrong"),
    [
        ("new_shoes", {"name": "Ox", "body": "5", "mind": "5", "will": "5"}),
        ("sinew_steel", {"name": "Ox", "scores.MGT": "16", "scores.REF": "16"}),
    ],
)
def test_a_repair_is_one_click_and_gives_a_hero_that_can_be_played(web: Web, game: str, wrong: dict[str, str]) -> None:
    table = web.table(game)
    client = web.client(table["Bo"])
    shown = client.post(f"/t/{table.id}/heroes/check", data=wrong).text
    repairs = re.findall(r'name=".repair" value="(.+?)"', shown)
    assert repairs
    mended = client.post(f"/t/{table.id}/heroes/mend", data=wrong | {".repair": html.unescape(repairs[0])}).text
    assert "Ready to play." in mended
    assert ("name", "Ox") in Inputs(mended).sent


def test_whoever_leaves_points_sees_a_hero_who_is_better_everywhere_and_takes_them_with_one_click(web: Web) -> None:
    table = web.table("sinew_steel")
    client = web.client(table["Bo"])
    typed = {"name": "Ox", "scores.MGT": "12"}
    shown = client.post(f"/t/{table.id}/heroes/check", data=typed).text
    assert "at least as good at everything" in shown
    better = re.findall(r'name=".repair" value="(.+?)"', shown)
    assert better == ["Might 12 → 13"]
    taken = client.post(f"/t/{table.id}/heroes/mend", data=typed | {".repair": better[0]}).text
    assert ("scores.MGT", "13") in Inputs(taken).sent
    assert "at least as good at everything" not in taken
    over = client.post(f"/t/{table.id}/heroes/check", data=typed | {"name": ""}).text
    assert "at least as good at everything" not in over  # first what keeps them from play


@pytest.mark.parametrize("sent", [{}, {".repair": ""}, {".repair": "Body 5 → 9"}, {"hero": "{"}])
def test_a_repair_that_is_none_keeps_what_was_typed_and_says_so(web: Web, sent: dict[str, str]) -> None:
    table = web.table("new_shoes")
    typed = {"name": "Ox", "body": "5", "mind": "5", "will": "5"}
    answer = web.client(table["Bo"]).post(f"/t/{table.id}/heroes/mend", data=typed | sent)
    assert answer.status_code == 422
    assert "That fix no longer fits the hero." in answer.text
    assert set(typed.items()) <= set(Inputs(answer.text).sent)


def test_a_hero_that_is_not_legal_is_not_made_and_nothing_typed_is_lost(web: Web) -> None:
    table = web.table("new_shoes")
    client = web.client(table["Bo"])
    before = heroes_of(web, table, "Bo")
    answer = client.post(f"/t/{table.id}/heroes", data={"name": "Ox", "body": "9", "mind": "9", "will": "9"})
    assert answer.status_code == 422
    assert ("name", "Ox") in Inputs(answer.text).sent
    assert heroes_of(web, table, "Bo") == before


def test_a_spectator_makes_no_heroes_and_a_player_gives_none_to_others(web: Web) -> None:
    table = web.table()
    assert web.client(table["Di"]).get(f"/t/{table.id}/heroes").status_code == 404
    page = web.client(table["Bo"]).get(f"/t/{table.id}/heroes").text
    assert "seat" not in dict(Inputs(page).sent)
    assert "seat" in dict(Inputs(web.client(table.game_master).get(f"/t/{table.id}/heroes").text).sent)


def _as_form(page: str) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    form = page[page.index('<form id="hero-form"') : page.index("</form>", page.index('<form id="hero-form"'))]
    for name, text in Inputs(form).sent:
        fields.setdefault(name, []).append(text)
    return fields
