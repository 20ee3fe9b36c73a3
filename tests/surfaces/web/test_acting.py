"""Doing things by form: odds while one fills in, the deed once, refusals where they belong."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.surfaces.web.filled import Inputs
from tests.surfaces.web.open_tables import OpenTable, Web

PART = {"HX-Request": "true"}


def hero_of(web: Web, table: OpenTable, name: str) -> str:
    state = web.host.look(table.id, table.seats[name])
    return next(one.id for one in state.characters.values() if one.seat == table.seats[name])


def rolls(web: Web, table: OpenTable) -> int:
    seen = web.host.follow(table.id, table.seats["Di"]).events
    return sum(event.name == "rolled" for event in seen)


def test_odds_are_exact_and_come_before_the_words(web: Web) -> None:
    """Sinew & Steel: a test at 12 or under succeeds twelve times in twenty."""
    table = web.table()
    hero = hero_of(web, table, "Bo")
    sheet = web.host.look(table.id, table.seats["Bo"]).characters[hero].sheet
    key, score = next((key, score) for key, score in sheet.scores.open.items() if key != sheet.luck_key)
    shown = web.client(table["Bo"]).post(f"/t/{table.id}/odds/test", data={"who": hero, "attribute": key})
    assert f"<strong>{score * 5}<small>%</small></strong>" in shown.text
    assert 'name=".shown"' in shown.text
    assert rolls(web, table) == 0


def test_every_spend_is_a_choice_with_its_chance(web: Web) -> None:
    table = web.table("six_pool")
    hero = hero_of(web, table, "Bo")
    fields = {"who": hero, "pool": "STR", "dc": "15", "points": "1"}
    shown = web.client(table["Bo"]).post(f"/t/{table.id}/odds/check", data=fields).text
    chances = [int(found) for found in re.findall(r"<em>([0-9]+)<", shown)]
    assert len(chances) > 1
    assert chances == sorted(chances)
    assert ("points", "1") in Inputs(shown).sent


@pytest.mark.parametrize(
    ("game", "command", "fields", "held"),
    [
        ("six_pool", "check", {"pool": "STR", "dc": "15"}, lambda sheet: f"{sheet.numbers.pools['STR'].now} in STR"),
        ("narraject", "attempt", {"stat": "might"}, lambda sheet: f"{sheet.reserves.might} in Might"),
        ("sinew_steel", "test", {}, lambda sheet: str(sheet.luck)),
    ],
)
def test_beside_the_chance_by_spend_stands_what_there_is_to_spend(
    web: Web, game: str, command: str, fields: dict[str, str], held: Callable[[Any], str]
) -> None:
    table = web.table(game)
    hero = hero_of(web, table, "Bo")
    sheet = web.host.look(table.id, table.seats["Bo"]).characters[hero].sheet
    shown = web.client(table["Bo"]).post(f"/t/{table.id}/odds/{command}", data={"who": hero, **fields}).text
    assert f"<span>you have {held(sheet)}</span></legend>" in shown


def test_under_a_hidden_difficulty_the_odds_are_a_likely_figure_and_a_span_that_don_t_depend_on_it(web: Web) -> None:
    shown = set()
    for difficulty in (5, 17):
        table = web.table("six_pool")
        hero = hero_of(web, table, "Bo")
        asked = {"who": hero, "command": "check", "difficulty": difficulty, "hidden": True}
        request = web.host.act(table.id, table.seats["Ada"], ("request_roll", asked)).events[0].fields["request"]["id"]
        fields = {"who": hero, "pool": "STR", "request": request}
        odds = web.client(table["Bo"]).post(f"/t/{table.id}/odds/check", data=fields).text
        assert re.search(r"\d+–\d+ %, likely against \d+", odds)
        shown |= set(re.findall(r"<strong>~([0-9]+)<", odds))
        assert len(re.findall(r"<em>", odds)) > 1
    assert len(shown) == 1


def test_the_card_says_what_a_chance_costs(web: Web) -> None:
    """SP-21: in a sentence; what is no chance is said there too, and is not executed as markup."""
    table = web.table("six_pool")
    fields = {"who": hero_of(web, table, "Bo"), "pool": "STR", "dc": "15"}

    def priced(wanted: str) -> str:
        shown = web.client(table["Bo"]).post(f"/t/{table.id}/odds/check", data=fields | {".reach": wanted}).text
        return "".join(re.findall(r'<p class="price quiet">(.*?)</p>', shown))

    assert priced("") == ""
    assert re.fullmatch(r"To reach 40 %, spend \d: 40 %\.", priced("40 %"))
    assert priced("100").startswith("No spend reaches 100 %: the best is ")
    assert priced("<script>alert(1)") == "A chance is 0 to 100 %, written as 75% or 3/4."


def test_the_card_says_what_luck_brings_after_the_roll(web: Web) -> None:
    """SS-21: point for point."""
    table = web.table()
    hero = hero_of(web, table, "Bo")
    sheet = web.host.look(table.id, table.seats["Bo"]).characters[hero].sheet
    key, score = next((key, score) for key, score in sheet.scores.open.items() if key != sheet.luck_key)
    shown = web.client(table["Bo"]).post(f"/t/{table.id}/odds/test", data={"who": hero, "attribute": key}).text
    assert re.findall(r"<em>([0-9]+)<", shown)[:3] == [str(5 * score + more) for more in (0, 5, 10)]


def test_the_same_form_sent_twice_rolls_once(web: Web) -> None:
    table = web.table()
    client = web.client(table["Bo"])
    fields = dict(Inputs(client.get(f"/t/{table.id}/form/test?attribute=MGT").text).sent) | {"stakes": "the rope"}
    for _ in range(3):
        assert client.post(f"/t/{table.id}/do/test", data=fields, headers=PART).status_code == 200
    assert rolls(web, table) == 1


def test_what_is_wrong_is_said_beside_its_input_and_nothing_typed_is_lost(web: Web) -> None:
    table = web.table()
    hero = hero_of(web, table, "Bo")
    fields = {"who": hero, "points": "999"}
    answer = web.client(table.game_master).post(f"/t/{table.id}/do/grant_luck", data=fields, headers=PART)
    assert answer.status_code == 422
    assert "must be at most 99, not 999" in answer.text
    assert ("points", "999") in Inputs(answer.text).sent


def test_without_scripts_a_form_leads_back_to_the_table(web: Web) -> None:
    table = web.table()
    answer = web.client(table["Bo"]).post(f"/t/{table.id}/do/say", data={"words": "Hello"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{table.id}")
    refused = web.client(table["Bo"]).post(f"/t/{table.id}/do/say", data={"words": "x" * 5000})
    assert refused.status_code == 400
    assert "<html" in refused.text


@pytest.mark.parametrize("command", ["narrate", "undo", "grant_luck"])
def test_a_player_does_not_do_what_is_the_game_masters(web: Web, command: str) -> None:
    table = web.table()
    answer = web.client(table["Bo"]).post(f"/t/{table.id}/do/{command}", data={}, headers=PART)
    assert answer.status_code == 422


def test_an_offer_is_answered_by_its_button_and_only_once(web: Web) -> None:
    table = web.table()
    hero = hero_of(web, table, "Bo")
    client = web.client(table["Bo"])
    for _ in range(40):
        web.host.act(table.id, table.seats["Bo"], ("test", {"who": hero, "attribute": "MGT", "stakes": "x"}))
        waiting = web.host.decisions(table.id, table.seats["Bo"])
        if waiting:
            break
    else:
        pytest.fail("forty tests in a row left nothing to decide")
    act, first = waiting[0].act, waiting[0].choices[0].answer
    answers = [
        client.post(f"/t/{table.id}/answer/{act}", data={"answer": str(first)}, headers=PART).status_code
        for _ in range(2)
    ]
    assert answers == [204, 422]


def test_dice_thrown_by_hand_are_entered_as_faces(web: Web) -> None:
    table = web.table(house={"hand_dice": True})
    hero = hero_of(web, table, "Bo")
    client = web.client(table["Bo"])
    fields = {"who": hero, "attribute": "MGT", "stakes": "x", ".by_hand": "yes"}
    assert client.post(f"/t/{table.id}/do/test", data=fields, headers=PART).status_code == 200
    waiting = web.host.decisions(table.id, table.seats["Bo"])[0]
    assert waiting.dice == (20,)
    assert client.post(f"/t/{table.id}/answer/{waiting.act}", data={"face": "1"}, headers=PART).status_code == 204
    assert rolls(web, table) == 1


def test_what_is_rolled_out_of_sight_has_its_own_odds_and_is_rolled_as_they_were_shown(web: Web) -> None:
    """Sinew & Steel: nobody spends Luck on a roll that they don't see."""
    table = web.table()
    client = web.client(table["Ada"])
    fields = {"who": hero_of(web, table, "Bo"), "attribute": "MGT", "stakes": "the lid", ".sight": "hidden"}
    open_odds = client.post(f"/t/{table.id}/odds/test", data={**fields, ".sight": "open"}).text
    hidden_odds = client.post(f"/t/{table.id}/odds/test", data=fields).text
    assert "Luck spent after the roll" in open_odds
    assert "Luck spent after the roll" not in hidden_odds
    shown = dict(Inputs(hidden_odds).sent)
    assert shown[".shown"] != dict(Inputs(open_odds).sent)[".shown"]
    assert client.post(f"/t/{table.id}/do/test", data={**fields, **shown}, headers=PART).status_code == 200
    assert web.host.follow(table.id, table.seats["Di"]).events[-1].closed


def test_a_refused_form_still_says_who_shall_see_the_dice(web: Web) -> None:
    table = web.table(house={"hand_dice": True})
    sight = {".sight": "hidden", ".by_hand": "yes"}
    fields = {"who": hero_of(web, table, "Bo"), "attribute": "MGT", "advantage": "blind", **sight}
    refused = web.client(table["Ada"]).post(f"/t/{table.id}/do/test", data=fields, headers=PART)
    assert refused.status_code == 422
    assert {(".sight", "hidden"), (".by_hand", "yes")} <= set(Inputs(refused.text).sent)
