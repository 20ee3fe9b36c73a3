"""The game master's screen: each tool does what it says, and nobody else receives a byte of it."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from tests.surfaces.web.filled import Inputs
from tests.surfaces.web.open_tables import OpenTable, Web

PART = {"HX-Request": "true"}
GAMES = ["narraject", "new_shoes", "sinew_steel", "six_pool"]
SCREEN = ("screen_due", "screen_clocks", "screen_notes")
SECRETS = ("Canary of the clock", "Canary of the note")


def do(web: Web, table: OpenTable, order: str, /, **fields: Any) -> Any:
    return web.host.act(table.id, table.seats["Ada"], (order, fields)).events[0].fields


def hero_of(web: Web, table: OpenTable, name: str = "Bo") -> str:
    state = web.host.look(table.id, table.seats["Ada"])
    return next(one.id for one in state.characters.values() if one.seat == table.seats[name])


def page(web: Web, table: OpenTable, name: str = "Ada") -> str:
    return unescape(web.client(table[name]).get(f"/t/{table.id}").text)


def panel(html: str, name: str) -> str:
    """What stands in one panel of a page."""
    _, _, rest = html.partition(f'id="panel-{name}">')
    return rest.partition('<div class="panel"')[0]


def quick(web: Web, table: OpenTable, order: str, name: str = "Ada", **fields: Any) -> Any:
    return web.client(table[name]).post(f"/t/{table.id}/quick/{order}", data=fields, headers=PART)


def with_secrets(web: Web, table: OpenTable) -> None:
    do(web, table, "start_clock", name="Canary of the clock", face="hidden")
    do(web, table, "write_note", title="Canary of the note", audience="game master")
    request = {"who": hero_of(web, table), "command": "check", "difficulty": 30, "hidden": True}
    do(web, table, "request_roll", **request)


# ---------------------------------------------------------------- for whom it is


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_screen_for_its_game_master_alone(web: Web, game: str) -> None:
    table = web.table(game)
    shown = page(web, table)
    assert all(panel(shown, name).strip() for name in SCREEN)
    for name in ("Bo", "Di"):
        others = page(web, table, name)
        assert not any(f"panel-{one}" in others for one in SCREEN)
        assert "screen.css" not in others
        assert "Due now" not in others


@pytest.mark.parametrize("name", ["Bo", "Cy", "Di"])
def test_nothing_that_the_screen_holds_reaches_another_seat(web: Web, name: str) -> None:
    table = web.table("six_pool")
    with_secrets(web, table)
    assert all(secret in page(web, table) for secret in SECRETS)
    client = web.client(table[name])
    asked = ["", "/asking", "/overriding", "/undoing", "/scenes", "/form/test", "/log", "/log.md", "/log/newest"]
    for address in asked:
        text = client.get(f"/t/{table.id}{address}").text
        assert not any(secret in text for secret in SECRETS), address
        assert "against 30" not in text, address


@pytest.mark.parametrize("address", ["asking", "overriding", "undoing"])
@pytest.mark.parametrize("name", ["Bo", "Di"])
def test_forms_of_the_screen_are_for_whoever_runs_the_game(web: Web, address: str, name: str) -> None:
    table = web.table()
    assert web.client(table[name]).get(f"/t/{table.id}/{address}", headers=PART).status_code == 422
    assert web.client(table.game_master).get(f"/t/{table.id}/{address}", headers=PART).status_code == 200


def test_a_player_ticks_no_clock(web: Web) -> None:
    table = web.table()
    clock = do(web, table, "start_clock", name="The tide")["clock"]["id"]
    assert quick(web, table, "tick_clock", "Bo", clock=clock).status_code == 422
    assert web.host.look(table.id, table.seats["Ada"]).clocks[clock].hands.ticks == 0


# ---------------------------------------------------------------- what is due


def test_what_is_due_is_told_with_a_button_for_what_settles_it(web: Web) -> None:
    table = web.table()
    due = panel(page(web, table), "screen_due")
    assert "No evening is going on" in due
    assert "begin_evening)" not in due
    assert f"/t/{table.id}/quick/begin_evening" in due
    assert not re.search(r">\s*[.,]", due), "a sign stands alone behind a button"
    recap = f'href="/t/{table.id}/recap">Recap of the evening'
    assert recap not in page(web, table)
    assert quick(web, table, "begin_evening").status_code == 204
    assert "No evening is going on" not in panel(page(web, table), "screen_due")
    assert quick(web, table, "end_evening").status_code == 204
    assert recap in page(web, table)


def test_a_command_that_can_not_be_now_says_why(web: Web) -> None:
    table = web.table()
    answer = quick(web, table, "end_evening")
    assert answer.status_code == 422
    assert "No evening has begun." in answer.text


def test_when_nothing_but_talk_happens_a_move_lies_at_hand(web: Web) -> None:
    table = web.table()
    do(web, table, "begin_evening")
    for _ in range(8):
        do(web, table, "say", words="Hm.")
    due = panel(page(web, table), "screen_due")
    assert f"/t/{table.id}/form/deal_move" in due
    assert not re.search(r">\s*[.,]", due), "a sign stands alone behind a button"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_foes_of_the_setting_lie_at_hand_and_its_words_are_there_to_read(web: Web, game: str) -> None:
    shelf = web.context.book(game).ruleset.skins
    assert shelf is not None
    worn = shelf.wear(next(iter(shelf.shipped().values())))
    table = web.table(game, options=worn.options, terms=worn.terms, setting=worn.setting)
    shown = page(web, table)
    more = panel(shown, "party") + panel(shown, "screen_tools")
    brings = web.context.book(game).ruleset.foes
    for foe in worn.setting.foes:
        assert f"/form/{brings}?foe=" in more
        assert foe.name in more
    for words in (*worn.setting.boons, *worn.setting.rites, *worn.setting.moves["omen"]):
        assert words in more
    first = worn.setting.foes[0].name
    form = unescape(web.client(table["Ada"]).get(f"/t/{table.id}/form/{brings}", params={"foe": first}).text)
    assert first in form
    assert not any(foe.name in page(web, table, "Bo") for foe in worn.setting.foes)
    assert quick(web, table, brings, foe=first).status_code < 300
    assert first in page(web, table)


def test_what_is_waited_for_can_be_withdrawn(web: Web) -> None:
    table = web.table("six_pool")
    with_secrets(web, table)
    hero = hero_of(web, table)
    do(web, table, "put_prompt", to=hero, words="What do you see?", secret=True)
    shown = page(web, table)
    due = panel(shown, "screen_due")
    assert "against 30, hidden" in due
    assert "between you" in due
    assert "withdraw_request" not in due, "its card takes it back"
    waits = panel(shown, "pending") + due
    for command, field in re.findall(r'quick/(withdraw\w*)".*?name="(\w+)"', waits):
        value = re.search(rf'{command}".*?name="{field}" value="(\w+)"', waits)
        assert value
        assert quick(web, table, command, **{field: value[1]}).status_code == 204
    state = web.host.look(table.id, table.seats["Ada"])
    assert not state.requests
    assert not state.prompts


def test_what_the_game_master_is_asked_stands_once_where_it_is_answered(web: Web) -> None:
    """Below the log, with the way to withdraw it; what is due lists the others, and says where to look."""
    table = web.table("six_pool")
    words = "What benefit comes of it?"
    do(web, table, "begin_evening")
    do(web, table, "improvise_scene", title="The yard", hook="It rains.")
    do(web, table, "mark_save_node", label="Before the storm")
    assert "Nothing. The story is yours." in panel(page(web, table), "screen_due")
    asked = do(web, table, "put_prompt", to=table.seats["Ada"], words=words)["prompt"]["id"]
    shown = page(web, table)
    assert words not in panel(shown, "screen_due")
    assert "You are asked below the log." in panel(shown, "screen_due")
    assert panel(shown, "pending").count(words) == 1
    assert "withdraw_prompt" in panel(shown, "pending")
    quick(web, table, "answer_prompt", prompt=asked, words="The bell cracks.")
    assert "The bell cracks." in panel(page(web, table), "screen_due"), "it is answered, and can be cleared away"


def test_nobody_but_the_game_master_can_withdraw_what_a_player_is_asked(web: Web) -> None:
    table = web.table("six_pool")
    do(web, table, "put_prompt", to=hero_of(web, table), words="What do you see?")
    assert "answer_prompt" in panel(page(web, table, "Bo"), "pending")
    assert "withdraw_prompt" not in page(web, table, "Bo")


def test_a_turn_of_somebody_who_is_not_there_can_be_taken_for_them(web: Web) -> None:
    """A short rest waits for Oda's player: the game master has a button, other players have none."""
    table = web.table("six_pool")
    hero = hero_of(web, table)
    do(web, table, "override", who=hero, what="STR", value=3, why="a long day")
    do(web, table, "rest", kind="short")
    opens = f'value="form/recover?who={hero}"'
    assert opens in panel(page(web, table), "pending")
    assert opens in panel(page(web, table, "Bo"), "pending")
    assert opens not in page(web, table, "Cy")


# ---------------------------------------------------------------- tools


def test_pressure_proposes_the_moves_of_its_step(web: Web) -> None:
    """SS-53: two at step 3; a click fills the form in."""
    table = web.table()
    assert "Pressure stands" not in panel(page(web, table), "screen_due")
    do(web, table, "raise_pressure", rise=3)
    tools = panel(page(web, table), "screen_due")
    assert "Pressure stands at 3" in tools
    proposed = re.findall(r'hx-get="([^"]+form/pressure_move[^"]*)"', tools)
    assert len(proposed) == 2
    form = Inputs(web.client(table.game_master).get(proposed[1], headers=PART).text)
    assert ("move", "side effect") in form.sent


def test_an_approach_that_waits_is_called_by_a_click(web: Web) -> None:
    table = web.table("new_shoes")
    hero = hero_of(web, table)
    web.host.act(table.id, table.seats["Bo"], ("describe", {"who": hero, "words": "I climb the rope"}))
    tools = panel(page(web, table), "screen_due")
    assert tools.count("I climb the rope") == 1
    address = re.findall(r'hx-get="([^"]+form/call_approach[^"]*)"', tools)[0]
    form = web.client(table.game_master).get(address, headers=PART).text
    assert ("who", hero) in Inputs(form).sent
    assert 'name="words"' not in form, "how they go about it is asked twice"
    assert "<details" not in form.partition('name="approach"')[0], "which one it is, is settled"
    aloud = web.client(table.game_master).get(address.partition("&approach=")[0], headers=PART).text
    assert 'name="words"' in aloud


def test_dice_that_a_condition_takes_are_told_with_a_minus(web: Web) -> None:
    table = web.table("narraject")
    hero = hero_of(web, table)
    do(web, table, "take_stress", who=hero, damage=20, armour=False)
    shown = panel(page(web, table, "Bo"), "hero")
    assert "<b>−3</b>" in shown
    assert not re.search(r">-[0-9]", shown)


def test_an_intent_is_asked_a_roll_for_or_comes_true(web: Web) -> None:
    table = web.table("narraject")
    hero = hero_of(web, table)
    intent = {"who": hero, "goal": "the far side", "approach": "balance"}
    web.host.act(table.id, table.seats["Bo"], ("declare_intent", intent))
    shown = page(web, table)
    tools = panel(shown, "screen_due")
    assert tools.count("wants: the far side (balance)") == 1
    assert "wants: the far side" not in panel(shown, "screen_tools") + panel(shown, "pending")
    asking, yes = re.findall(r'class="small" [^>]*hx-get="([^"]+)"', tools)[:2]
    form = Inputs(web.client(table.game_master).get(asking, headers=PART).text)
    assert {("who", hero), ("command", "attempt"), ("what_for", "the far side")} <= set(form.sent)
    assert ("who", hero) in Inputs(web.client(table.game_master).get(yes, headers=PART).text).sent


def test_what_was_declared_is_not_asked_for_again(web: Web) -> None:
    table = web.table("narraject")
    hero = hero_of(web, table)
    intent = {"who": hero, "goal": "the far side", "approach": "with a rope"}
    web.host.act(table.id, table.seats["Bo"], ("declare_intent", intent))
    own = web.client(table["Bo"]).get(f"/t/{table.id}/form/attempt?who={hero}&stat=agility", headers=PART).text
    assert 'placeholder="the far side"' in own
    assert 'placeholder="with a rope"' in own
    do(web, table, "request_roll", who=hero, command="attempt", difficulty=2, fields={"stat": "agility"})
    shown = panel(page(web, table, "Bo"), "pending")
    assert "wants: the far side" in shown
    assert "With a rope · Agility" in shown
    assert not {"goal", "approach"} & {name for name, _ in Inputs(shown).sent}
    assert "Anchors, Assets and more…" in shown
    assert "The game master says what comes next" not in shown


def test_what_came_true_without_dice_lies_open_in_the_log(web: Web) -> None:
    table = web.table("narraject")
    intent = {"who": hero_of(web, table), "goal": "the far side", "approach": "with a rope"}
    do(web, table, "declare_intent", **intent)
    do(web, table, "say_yes", **intent, missing="challenge")
    shown = page(web, table, "Di")
    folded = re.findall(r"<details.*?</details>", shown, re.DOTALL)
    assert "Done without dice, since it is too easy to fail" in shown
    assert not [one for one in folded if "Done without dice" in one]


def test_the_story_and_those_whom_no_player_plays_speak_from_the_screen(web: Web) -> None:
    table = web.table()
    do(web, table, "make_npc", name="The ferryman", score=9)
    voices = dict(re.findall(r'<option value="([^"]*)">([^<]+)</option>', page(web, table)))
    assert next(iter(voices)) == "story"
    ferryman = next(value for value, words in voices.items() if words == "As The ferryman")
    client = web.client(table.game_master)
    for to, words in (("story", "The fog lifts."), (ferryman, "Two coins.")):
        assert client.post(f"/t/{table.id}/speak", data={"to": to, "words": words}, headers=PART).status_code == 204
    seen = [event.name for event in web.host.follow(table.id, table.seats["Di"]).events][-2:]
    assert seen == ["narrated", "said"]


# ---------------------------------------------------------------- asking for a roll


def test_a_roll_is_asked_for_in_words_against_a_hidden_difficulty(web: Web) -> None:
    table = web.table("six_pool")
    client, hero = web.client(table.game_master), hero_of(web, table)
    form = client.get(f"/t/{table.id}/asking", headers=PART).text
    assert {"Check", "Save"} <= set(re.findall(r'<option value="\w+"[^>]*>(\w+)</option>', form))
    filled = dict(Inputs(form).sent) | {
        "who": hero,
        "command": "check",
        "fields.pool": "STR",
        "difficulty": "23",
        "hidden": "yes",
        "what_for": "the rope",
    }
    assert "fields.dc" not in form
    assert client.post(f"/t/{table.id}/asking", data=filled, headers=PART).status_code == 200
    request = next(iter(web.host.look(table.id, table.seats["Ada"]).requests.values()))
    assert (request.who, request.command, request.what_for) == (hero, "check", "the rope")
    assert request.fields["pool"] == "STR"
    assert (request.hidden, request.difficulty) == (True, 23)
    mine = page(web, table, "Bo")
    assert "difficulty hidden" in mine
    assert not re.search(r"\b23\b", re.sub(r"<[^>]*>", " ", panel(mine, "pending")))


def test_whoever_is_asked_on_their_card_comes_first_and_the_others_are_folded_away(web: Web) -> None:
    table = web.table()
    client, hero = web.client(table.game_master), hero_of(web, table)
    name = web.host.look(table.id, table.seats["Ada"]).characters[hero].name
    shown, _, folded = client.get(f"/t/{table.id}/asking?who={hero}", headers=PART).text.partition("<details>")
    assert re.findall(r'aria-label="Ask ([^"]+)"', shown) == [name]
    assert re.findall(r'aria-label="Ask ([^"]+)"', folded)[0] == "Everybody"
    everybody = client.get(f"/t/{table.id}/asking", headers=PART).text
    assert everybody.index('"Ask Everybody"') < everybody.index(f'"Ask {name}"')
    assert "Somebody else" not in everybody


def test_a_difficulty_is_chosen_by_its_name(web: Web) -> None:
    """SP-05, NJ-04: a name counts in a request, too."""
    table = web.table("six_pool")
    client, hero = web.client(table.game_master), hero_of(web, table)
    form = client.get(f"/t/{table.id}/asking", headers=PART).text
    assert 'value="very hard"><span>Very hard 25</span>' in form
    filled = dict(Inputs(form).sent) | {"who": hero, "command": "check", "difficulty": "very hard"}
    assert client.post(f"/t/{table.id}/asking", data=filled, headers=PART).status_code == 200
    (request,) = web.host.look(table.id, table.seats["Ada"]).requests.values()
    assert request.difficulty == 25


def test_what_is_wrong_with_a_request_is_said_in_its_form(web: Web) -> None:
    table = web.table("narraject")
    fields = {"who": hero_of(web, table), "command": "attempt", "difficulty": "5000", "what_for": "the rope"}
    answer = web.client(table.game_master).post(f"/t/{table.id}/asking", data=fields, headers=PART)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert ("what_for", "the rope") in Inputs(answer.text).sent
    assert not web.host.look(table.id, table.seats["Ada"]).requests


def test_a_game_without_difficulties_asks_for_none(web: Web) -> None:
    table = web.table("sinew_steel")
    form = web.client(table.game_master).get(f"/t/{table.id}/asking", headers=PART).text
    assert 'name="difficulty"' not in form
    assert 'name="fields.attribute"' in form


def test_a_game_that_calls_for_rolls_in_its_own_way_says_so(web: Web) -> None:
    table = web.table("new_shoes")
    answer = web.client(table.game_master).get(f"/t/{table.id}/asking", headers=PART)
    assert answer.status_code == 422
    assert "with its own commands" in answer.text
    assert "Ask for a roll" not in page(web, table)


# ---------------------------------------------------------------- clocks, notes and secrets


def test_a_clock_is_set_ticked_and_shown(web: Web) -> None:
    table = web.table()
    client = web.client(table.game_master)
    form = client.get(f"/t/{table.id}/form/start_clock?face=known", headers=PART).text
    filled = dict(Inputs(form).sent) | {"name": "What sleeps below", "size": "4"}
    assert filled["face"] == "known"
    assert client.post(f"/t/{table.id}/do/start_clock", data=filled, headers=PART).status_code == 200
    clock = next(iter(web.host.look(table.id, table.seats["Ada"]).clocks))
    for command, ticks in (("tick_clock", 1), ("tick_clock", 2), ("untick_clock", 1)):
        assert quick(web, table, command, clock=clock).status_code == 204
        assert f"{ticks} of 4" in panel(page(web, table), "screen_clocks")
    assert "1 of 4" not in page(web, table, "Bo")
    assert quick(web, table, "show_clock", clock=clock).status_code == 204
    assert "1 of 4" in page(web, table, "Bo")


def test_a_secret_is_kept_until_it_is_revealed(web: Web) -> None:
    table = web.table()
    note = do(web, table, "write_note", title="Who did it", words="The abbot", audience="game master")["note"]["id"]
    assert "secret" in panel(page(web, table), "screen_notes")
    assert "The abbot" not in page(web, table, "Bo")
    form = Inputs(web.client(table.game_master).get(f"/t/{table.id}/notes/{note}", headers=PART).text)
    assert {("title", "Who did it"), ("words", "The abbot"), (".reader", "game master")} <= set(form.sent)
    assert web.client(table["Bo"]).get(f"/t/{table.id}/notes/{note}", headers=PART).status_code == 422
    assert quick(web, table, "reveal_note", note=note).status_code == 204
    assert "The abbot" in page(web, table, "Bo")


def test_whoever_writes_a_note_says_in_one_place_who_reads_it(web: Web) -> None:
    table = web.table()

    def write(name: str, title: str, reader: str, **more: str) -> int:
        client = web.client(table[name])
        shown = dict(Inputs(client.get(f"/t/{table.id}/notes/{more.get('note', 'new')}", headers=PART).text).sent)
        filled = shown | {"title": title, ".reader": reader} | more
        return client.post(f"/t/{table.id}/notes", data=filled, headers=PART).status_code

    assert write("Ada", "Who did it", "game master") == 200
    assert write("Ada", "For Bo", table.seats["Bo"]) == 200
    assert write("Bo", "Mine", table.seats["Bo"]) == 200
    assert write("Bo", "For all", "all") == 200
    assert write("Bo", "Not his to keep", "game master") == 422
    notes = {one.title: one for one in web.host.look(table.id, table.seats["Ada"]).notes.values()}
    read_by = {title: (one.audience.value, one.seat) for title, one in notes.items()}
    assert read_by == {
        "Who did it": ("game master", None),
        "For Bo": ("seat", table.seats["Bo"]),
        "Mine": ("seat", table.seats["Bo"]),
        "For all": ("all", None),
    }
    own = panel(page(web, table, "Bo"), "notes")
    assert "you and the game master" in own, "who runs the game reads every note, and that is said"
    assert f"notes/{notes['Mine'].id}" in own
    assert f"notes/{notes['For Bo'].id}" not in own
    assert write("Bo", "Mine, mended", table.seats["Bo"], note=notes["Mine"].id) == 200
    assert "Mine, mended" in page(web, table, "Bo")
    assert "Everybody reads it." in web.client(table["Ada"]).get(f"/t/{table.id}/notes/{notes['For all'].id}").text
    assert web.client(table["Di"]).get(f"/t/{table.id}/notes/new", headers=PART).status_code == 422


# ---------------------------------------------------------------- by hand and back


def test_a_number_is_set_by_hand_for_all_to_see(web: Web) -> None:
    table = web.table()
    client, hero = web.client(table.game_master), hero_of(web, table)
    form = client.get(f"/t/{table.id}/overriding?who={hero}&what=luck", headers=PART).text
    assert "it can be 0 to 20" in form
    fields = dict(Inputs(form).sent) | {"value": "1", "why": "a gift of the river"}
    refused = client.post(f"/t/{table.id}/overriding", data=fields | {"value": "99"}, headers=PART)
    assert refused.status_code == 422
    assert "not to 99" in refused.text
    assert client.post(f"/t/{table.id}/overriding", data=fields | {".id": ""}, headers=PART).status_code == 200
    shown = page(web, table, "Di")
    assert "Set by hand" in shown
    assert "a gift of the river" in shown
    assert re.search(r'class="log-card [^"]*\baside override"', shown)


def test_an_undo_says_first_what_it_takes_back_and_then_all_see_it(web: Web) -> None:
    table = web.table()
    client = web.client(table.game_master)
    do(web, table, "start_clock", name="The bridge gives way")
    form = unescape(client.get(f"/t/{table.id}/undoing", headers=PART).text)
    assert "The bridge gives way" in form
    assert client.post(f"/t/{table.id}/do/undo", data=dict(Inputs(form).sent), headers=PART).status_code == 200
    shown = page(web, table, "Bo")
    assert re.search(r'class="log-card [^"]*\baside undo"', shown)
    assert "abandoned" in shown


def test_whoever_runs_the_game_chooses_at_once_who_sees_the_dice(web: Web) -> None:
    table = web.table()
    form = web.client(table.game_master).get(f"/t/{table.id}/form/test").text
    assert 'name=".sight"' in form
    assert 'name=".sight"' not in web.client(table["Bo"]).get(f"/t/{table.id}/form/test").text


def test_the_scene_is_left_by_its_options_from_the_table(web: Web) -> None:
    table = web.table()
    ways = [{"words": "Cross"}, {"words": "Canary way", "way": "hidden"}]
    scene = do(web, table, "write_scene", title="The gorge", options=ways)["scene"]
    do(web, table, "begin_scene", scene=scene)
    assert "take_option" in panel(page(web, table), "scene")
    assert "take_option" not in page(web, table, "Bo")
    assert "Canary way" not in page(web, table, "Bo")
    assert quick(web, table, "open_option", number="2").status_code == 204
    assert "Canary way" in page(web, table, "Bo")
    assert quick(web, table, "take_option", number="1").status_code == 204
    assert web.host.look(table.id, table.seats["Ada"]).calendar.scene is None


def test_whoever_runs_the_game_finds_the_way_to_invite_others(web: Web) -> None:
    table = web.table()
    way = f'<a class="invite" href="/t/{table.id}/people">'
    assert way in web.client(table.game_master).get(f"/t/{table.id}").text
    assert way not in web.client(table["Bo"]).get(f"/t/{table.id}").text


# ---------------------------------------------------------------- without scripts


@pytest.mark.parametrize("opened", ["asking", "overriding", "undoing", "form/start_clock?face=public"])
def test_without_scripts_a_button_leads_to_its_form_on_a_page_of_its_own(web: Web, opened: str) -> None:
    table = web.table()
    ada = web.client(table.game_master)
    led = ada.get(f"/t/{table.id}/open", params={".open": opened})
    assert (led.status_code, led.headers["Location"]) == (303, f"/t/{table.id}/{opened}")
    alone = ada.get(led.headers["Location"]).text
    part = ada.get(led.headers["Location"], headers=PART).text
    assert "Back to the table" in alone
    assert "<!doctype html>" in alone
    assert "<!doctype html>" not in part


@pytest.mark.parametrize("opened", ["asking", "overriding"])
def test_what_is_for_browsers_without_scripts_is_in_no_part_of_a_page(web: Web, opened: str) -> None:
    """A part is parsed as if there were none: its first button would be what Enter presses."""
    table = web.table("six_pool")
    client = web.client(table.game_master)
    assert "<noscript>" in client.get(f"/t/{table.id}/{opened}").text
    assert "<noscript>" not in client.get(f"/t/{table.id}/{opened}", headers=PART).text


@pytest.mark.parametrize(
    "opened", ["", "people", "form/../people", "//elsewhere.example", "form/\\elsewhere", "https://a.b"]
)
def test_an_address_elsewhere_is_not_led_to(web: Web, opened: str) -> None:
    table = web.table()
    led = web.client(table.game_master).get(f"/t/{table.id}/open", params={".open": opened})
    assert led.status_code == 422
    assert "Location" not in led.headers
