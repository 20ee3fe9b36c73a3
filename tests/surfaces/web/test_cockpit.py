"""The palette's index, the list of everything, cards of people, the dice tray and lines that begin with a slash."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from astragal.surfaces.web.forms.odds import MOST_BARS, written_odds
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.table.palette import index_of
from astragal.table.chapters import EVERYDAY
from tests.surfaces.web.open_tables import OpenTable, Web

PART = {"HX-Request": "true"}
GAMES = ["narraject", "new_shoes", "sinew_steel", "six_pool"]


def at(web: Web, table: OpenTable, name: str) -> SeatSession:
    return SeatSession(web.context, table.id, table.seats[name])


def hero_of(web: Web, table: OpenTable, name: str = "Bo") -> str:
    state = web.host.look(table.id, table.seats["Ada"])
    return next(one.id for one in state.characters.values() if one.seat == table.seats[name])


def said(web: Web, table: OpenTable, name: str, words: str, to: str = "") -> Any:
    return web.client(table[name]).post(f"/t/{table.id}/speak", data={"words": words, "to": to}, headers=PART)


# ---------------------------------------------------------------- the palette


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_command_of_a_seat_is_in_its_palette_and_opens_or_says_why_not(web: Web, game: str) -> None:
    table = web.table(game)
    for name in ("Ada", "Bo", "Di"):
        session = at(web, table, name)
        found = {one.id.removeprefix("do:"): one for one in index_of(session) if one.id.startswith("do:")}
        assert set(found) == set(session.book.commands_for(session.viewer.role))
        client = web.client(table[name])
        for command, one in found.items():
            assert session.book.everyday(command), f"nobody says in other words what {command} is"
            if one.form and not one.why_not:
                assert client.get(f"/t/{table.id}/{one.form}", headers=PART).status_code == 200, command
            assert one.form or one.post or one.href or one.why_not, command


@pytest.mark.parametrize("game", GAMES)
def test_everyday_words_and_what_is_at_hand_name_commands_that_there_are(web: Web, game: str) -> None:
    book = web.context.book(game)
    assert {*EVERYDAY, *book.ruleset.everyday, *book.ruleset.at_hand.commands} <= set(book.commands)


def test_a_player_finds_no_scene_that_nobody_has_told(web: Web) -> None:
    table = web.table()
    web.host.act(table.id, table.seats["Ada"], ("write_scene", {"title": "Canary of the scene"}))
    assert "Canary of the scene" in web.client(table["Ada"]).get(f"/t/{table.id}/palette.json").text
    for where in ("palette.json", "everything"):
        assert "Canary of the scene" not in web.client(table["Bo"]).get(f"/t/{table.id}/{where}").text


def test_all_that_can_be_done_is_listed_for_a_browser_without_scripts(web: Web) -> None:
    table = web.table()
    client = web.client(table["Ada"])
    listed = unescape(client.get(f"/t/{table.id}/everything").text)
    assert f'href="/t/{table.id}/form/harm"' in listed
    assert "There is no clock here now." in listed
    hero = hero_of(web, table)
    about = unescape(client.get(f"/t/{table.id}/everything?who={hero}").text)
    assert f'href="/t/{table.id}/form/harm?who={hero}"' in about
    assert client.get(f"/t/{table.id}/everything?who=nobody").status_code == 422


def test_a_clause_of_the_book_can_be_looked_up(web: Web) -> None:
    table = web.table()
    rules = [one for one in index_of(at(web, table, "Bo")) if one.group == "Rules"]
    shown = web.client(table["Bo"]).get(f"/t/{table.id}/rules").text
    assert rules
    assert all(f'id="{one.href.partition("#")[2]}"' in shown for one in rules)


def test_a_roll_is_asked_for_from_the_palette_in_one_step(web: Web) -> None:
    table = web.table()
    asks = next(one for one in index_of(at(web, table, "Ada")) if one.title.startswith("Ask Mara Quill for"))
    client = web.client(table["Ada"])
    assert client.post(f"/t/{table.id}/{asks.post}", data=dict(asks.fields), headers=PART).status_code == 200
    (request,) = web.host.look(table.id, table.seats["Ada"]).requests.values()
    assert request.who == hero_of(web, table)


# ---------------------------------------------------------------- cards of people


def test_the_card_of_a_person_has_what_this_seat_can_do_with_them(web: Web) -> None:
    table = web.table()
    web.host.act(table.id, table.seats["Ada"], ("make_npc", {"name": "The warden", "score": 11}))
    warden = next(
        key for key, one in web.host.look(table.id, table.seats["Ada"]).characters.items() if one.seat is None
    )
    mine, yours = (unescape(web.client(table[name]).get(f"/t/{table.id}").text) for name in ("Ada", "Bo"))
    assert f"asking?who={hero_of(web, table)}" in mine
    assert f"form/harm?who={hero_of(web, table)}" in mine
    assert f"form/attack?attacker={warden}" in mine
    assert f"form/open_scores?who={warden}" in mine
    assert f"form/attack?defender={warden}" in yours
    assert "form/harm" not in yours
    assert 'class="acts"><button' not in web.client(table["Di"]).get(f"/t/{table.id}").text


def test_what_a_number_is_for_unfolds_below_it(web: Web) -> None:
    """NJ-22, NJ+06: a player learns on the sheet what Narrative Points buy, and that a fact needs none."""
    table = web.table("narraject")
    page = web.client(table["Bo"]).get(f"/t/{table.id}").text
    opened = page.partition(">Narrative Points<")[2].partition("</details>")[0]
    assert "They buy Anchors, Ratings and relief from Burdens; a fact (inject), once a session, costs none" in opened


def test_what_there_is_nothing_to_do_for_is_found_by_name_and_put_forward_nowhere(web: Web) -> None:
    table = web.table("narraject")

    def treating() -> tuple[bool, str]:
        (found,) = (one for one in index_of(at(web, table, "Bo")) if one.id == "do:treat")
        return "form/treat" in web.client(table["Bo"]).get(f"/t/{table.id}").text, found.why_not

    assert treating() == (False, "Nothing calls for it now.")
    hurt = {"who": hero_of(web, table, "Cy"), "track": "physical", "damage": 4}
    web.host.act(table.id, table.seats["Ada"], ("take_stress", hurt))
    assert treating() == (True, "")


@pytest.mark.parametrize("name", ["Ada", "Cy", "Di"])
def test_what_the_card_of_a_person_has_in_view_does_not_stand_on_its_sheet_again(web: Web, name: str) -> None:
    table = web.table()
    page = web.client(table[name]).get(f"/t/{table.id}").text
    card = re.search(rf'<article class="who" data-who="{hero_of(web, table)}">.*?</article>', page, re.DOTALL)
    assert card
    assert [card[0].count(f">{piece}</") for piece in ("Stamina", "Luck", "Wealth", "Gear")] == [1, 1, 1, 1]
    assert '<p class="at">steady</p>' in card[0]


# ---------------------------------------------------------------- dice


def test_dice_are_rolled_from_the_tray_and_after_a_slash(web: Web) -> None:
    table = web.table()
    client = web.client(table["Bo"])
    assert client.post(f"/t/{table.id}/dice", data={"line": "2d6+3 # a leap"}, headers=PART).status_code == 204
    assert said(web, table, "Bo", "/r 1d20").status_code == 204
    rolled = [one.fields for one in web.host.follow(table.id, table.seats["Di"]).events if one.name == "dice_rolled"]
    assert [(one["notation"], one.get("label", "")) for one in rolled] == [("2d6 + 3", "a leap"), ("1d20", "")]


def test_only_the_game_master_sees_what_is_rolled_behind_the_screen(web: Web) -> None:
    table = web.table()
    assert said(web, table, "Bo", "/gmr d20").status_code == 422
    assert said(web, table, "Ada", "/gmr d20 # canary").status_code == 204
    assert "canary" in web.client(table["Ada"]).get(f"/t/{table.id}").text
    assert "canary" not in web.client(table["Bo"]).get(f"/t/{table.id}").text


def test_a_slash_whispers_and_tells_what_somebody_does(web: Web) -> None:
    table = web.table()
    for words in ("/w ada I took the key", "/w Tobin hush", "/me grins"):
        assert said(web, table, "Bo", words).status_code == 204
    heard = {name: [one.words for one in web.host.follow(table.id, table.seats[name]).events] for name in table.seats}
    assert "Bo whispers to Ada: I took the key" in heard["Ada"]
    assert "Bo whispers to Cy: hush" in heard["Cy"]
    assert not any("whispers" in one for one in heard["Di"])
    assert "Mara Quill grins" in heard["Di"]


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("/rol d6", "The nearest is /roll."),
        ("/r 2d6advantage", "adv, the nearest to “advantage”"),
        ("/roll", "Which dice?"),
        ("/w nobody hush", "Whisper to whom?"),
    ],
)
def test_a_line_that_means_nothing_says_the_nearest_that_does(web: Web, words: str, answer: str) -> None:
    refused = said(web, web.table(), "Bo", words)
    assert refused.status_code == 422
    assert answer in unescape(refused.text)


def test_the_odds_of_a_line_are_shown_while_it_is_typed(web: Web) -> None:
    table = web.table()
    client = web.client(table["Bo"])
    for line in ("2d6", "/roll 2d6 # a leap", "/gmr 2d6"):
        shown = unescape(client.get(f"/t/{table.id}/dice/odds", params={"line": line}).text)
        assert "7 16.7%" in shown
    assert not client.get(f"/t/{table.id}/dice/odds", params={"line": "/me grins"}).text.strip()
    assert "nearest" in client.get(f"/t/{table.id}/dice/odds", params={"line": "1d20kep1"}).text


def test_many_outcomes_share_a_bar_and_too_many_are_not_counted() -> None:
    odds = written_odds("3d100")
    assert len(odds.bars) <= MOST_BARS
    assert re.fullmatch(r"3–\d+", odds.bars[0][0])
    assert written_odds("999d1000").bars == ()
