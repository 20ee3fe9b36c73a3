"""The story as a graph: drawn, written, walked, marked and gone back in; and only what a seat may know of it."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.graph_layout import Sizes, Spot, lay_out
from astragal.surfaces.web.story.log import left_behind
from astragal.surfaces.web.story.scene_graph import story_of
from astragal.table.declarations import Sight
from tests.surfaces.web.filled import Inputs
from tests.surfaces.web.open_tables import OpenTable, Web
from tests.surfaces.web.played import playing
from tests.surfaces.web.test_cards import ODA, check

PART = {"HX-Request": "true"}
MANY = 250
"""More than one page of the log holds."""


def do(web: Web, table: OpenTable, order: str, /, **fields: Any) -> Any:
    return web.host.act(table.id, table.seats["Ada"], (order, fields)).events[0].fields


def page(web: Web, table: OpenTable, name: str = "Ada", query: str = "") -> str:
    found = web.client(table[name]).get(f"/t/{table.id}/scenes{query}")
    assert found.status_code == 200
    return unescape(found.text)


def post(web: Web, table: OpenTable, command: str, name: str = "Ada", **fields: Any) -> Any:
    return web.client(table[name]).post(f"/t/{table.id}/scenes/do/{command}", data=fields)


def words_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def form_in(html: str) -> str:
    """The form by which a scene is written."""
    return html.partition('id="write"')[2].partition("</form>")[0]


def way(words: str, leads_to: str | None = None, how: str = "open") -> dict[str, Any]:
    return {"words": words, "leads_to": leads_to, "way": how}


@pytest.fixture
def table(web: Web) -> OpenTable:
    """A gorge with three ways on, one risky and one hidden; the story is there."""
    table = web.table()
    bridge = do(web, table, "write_scene", title="The bridge", hook="Wet planks")["scene"]
    chapel = do(web, table, "write_scene", title="The chapel", hook="Canary of the chapel")["scene"]
    ways = [way("Cross", bridge, "risky"), way("Climb down", chapel), way("Canary way", chapel, "hidden")]
    gorge = do(web, table, "write_scene", title="The gorge", hook="Wind", options=ways, save_node=True)["scene"]
    do(
        web,
        table,
        "write_scene",
        scene=bridge,
        title="The bridge",
        hook="Wet planks",
        options=[way("Run"), way("Back", gorge)],
    )
    do(web, table, "begin_evening")
    do(web, table, "begin_scene", scene=gorge)
    return table


def scene_of(web: Web, table: OpenTable, title: str) -> str:
    scenes = web.host.look(table.id, table.seats["Ada"]).scenes
    return next(one.id for one in scenes.values() if one.title == title)


def present(web: Web, table: OpenTable) -> str | None:
    state = web.host.look(table.id, table.seats["Ada"])
    return state.scenes[state.calendar.scene].title if state.calendar.scene else None


# ---------------------------------------------------------------- who sees what


def test_whoever_runs_the_game_sees_all_of_it(web: Web, table: OpenTable) -> None:
    shown = page(web, table)
    picture = shown.partition('<svg class="graph"')[2].partition("</svg>")[0]
    assert picture.count('class="frame"') == 3
    assert {'class="way risky', 'class="way hidden', 'class="way open'} <= set(re.findall(r'class="way \w+', picture))
    assert "the story is here" in picture
    assert "Canary way" in picture


@pytest.mark.parametrize("name", ["Bo", "Di"])
def test_players_see_what_was_told_and_where_the_story_went(web: Web, table: OpenTable, name: str) -> None:
    before = page(web, table, name)
    assert "Canary" not in before
    assert "The bridge" not in before
    assert before.count('class="frame"') == 1
    assert "Cross" in before
    assert "/scenes/do/" not in before
    post(web, table, "take_option", number=1)
    after = page(web, table, name)
    assert after.count('class="frame"') == 2
    assert re.search(r'class="way risky walked"', after)
    assert "Canary" not in after
    assert "marks a save node" not in after


@pytest.mark.parametrize("name", ["Bo", "Di"])
def test_nobody_else_walks_writes_or_goes_back(web: Web, table: OpenTable, name: str) -> None:
    client = web.client(table[name])
    node = next(iter(web.host.look(table.id, table.seats["Ada"]).nodes))
    assert post(web, table, "take_option", name, number=1).status_code == 400
    assert client.post(f"/t/{table.id}/scenes/write", data={"title": "Mine"}).status_code == 400
    assert client.get(f"/t/{table.id}/scenes/rewind/{node}").status_code == 422
    price = client.get(f"/t/{table.id}/scenes/rewind/{node}/price?price=luck")
    assert "pays" not in price.text
    chapel = scene_of(web, table, "The chapel")
    for query in (f"?scene={chapel}", f"?write={chapel}", "?write=new"):
        assert "Canary" not in page(web, table, name, query)
        assert "/scenes/write" not in page(web, table, name, query)
    assert present(web, table) == "The gorge"


# ---------------------------------------------------------------- walking


def test_a_way_is_taken_by_its_button_and_the_picture_leads_there(web: Web, table: OpenTable) -> None:
    shown = page(web, table)
    for number in ("1", "2", "3"):
        assert f'data-press="take-{number}"' in shown
        assert f'id="take-{number}"' in shown
    answer = post(web, table, "take_option", number="1")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{table.id}/scenes")
    assert present(web, table) == "The bridge"


def test_a_scene_is_begun_and_ended_from_the_page(web: Web, table: OpenTable) -> None:
    assert post(web, table, "begin_scene", scene=scene_of(web, table, "The chapel")).status_code == 303
    assert present(web, table) == "The chapel"
    assert post(web, table, "end_scene").status_code == 303
    assert present(web, table) is None
    refused = post(web, table, "end_scene")
    assert refused.status_code == 400
    assert "No scene has begun." in refused.text


def closed_roll(web: Web, table: OpenTable, name: str = "Guard") -> str:
    """By somebody who has no luck to spend: nothing waits afterwards."""
    npc = do(web, table, "make_npc", name=name, score=10)["who"]
    fields = {"who": npc, "attribute": "REF", "stakes": "the gate"}
    return web.host.act(table.id, table.seats["Ada"], ("test", fields), sight=Sight.HIDDEN).act


def test_a_scene_that_would_open_closed_rolls_asks_first_which_to_keep(web: Web, table: OpenTable) -> None:
    rolled = [closed_roll(web, table), closed_roll(web, table, "Captain")]
    asked = post(web, table, "end_scene")
    assert asked.status_code == 200
    assert present(web, table) == "The gorge"
    inputs = Inputs(asked.text)
    assert {("keep", act) for act in rolled} & set(inputs.sent) == set(), "what is not ticked opens"
    assert all(f'name="keep" value="{act}"' in asked.text for act in rolled)
    answer = web.client(table["Ada"]).post(f"/t/{table.id}/do/end_scene", data={**dict(inputs.sent), "keep": rolled[0]})
    assert answer.status_code == 303
    assert present(web, table) is None
    assert web.host.look(table.id, table.seats["Bo"]).revealed == (rolled[1],)


def test_closed_rolls_all_open_where_nothing_is_ticked(web: Web, table: OpenTable) -> None:
    act = closed_roll(web, table)
    assert "opens when the scene ends" in web.client(table["Bo"]).get(f"/t/{table.id}").text
    inputs = Inputs(post(web, table, "end_scene").text)
    web.client(table["Ada"]).post(f"/t/{table.id}/do/end_scene", data=dict(inputs.sent))
    assert web.host.look(table.id, table.seats["Bo"]).revealed == (act,)


def test_only_what_belongs_here_is_done_here(web: Web, table: OpenTable) -> None:
    assert post(web, table, "undo").status_code == 422
    assert post(web, table, "end_evening").status_code == 422


# ---------------------------------------------------------------- writing


def test_a_scene_is_drawn_together_with_those_that_it_leads_to(web: Web, table: OpenTable) -> None:
    client = web.client(table.game_master)
    fields = {
        "title": "The ferry",
        "hook": "Fog",
        "options.0.words": "Pay",
        "options.0.way": "open",
        "options.0.leads_to": scene_of(web, table, "The gorge"),
        "options.1.words": "Swim for it",
        "options.1.way": "risky",
        "options.1.leads_to": "+",
        "save_node": "yes",
    }
    empty = dict(Inputs(form_in(client.get(f"/t/{table.id}/scenes?write=new").text)).sent)
    answer = client.post(f"/t/{table.id}/scenes/write", data=empty | fields)
    assert answer.status_code == 303
    scenes = web.host.look(table.id, table.seats["Ada"]).scenes
    ferry = scenes[scene_of(web, table, "The ferry")]
    assert ferry.save_node
    assert [option.words for option in ferry.options] == ["Pay", "Swim for it"]
    assert [scenes[str(option.leads_to)].title for option in ferry.options] == ["The gorge", "Swim for it"]


def test_a_scene_written_anew_keeps_what_was_not_touched(web: Web, table: OpenTable) -> None:
    client = web.client(table.game_master)
    gorge = scene_of(web, table, "The gorge")
    before = web.host.look(table.id, table.seats["Ada"]).scenes[gorge]
    form = client.get(f"/t/{table.id}/scenes?write={gorge}").text
    sent = dict(Inputs(form_in(form)).sent) | {"hook": "No wind"}
    assert client.post(f"/t/{table.id}/scenes/write", data=sent).status_code == 303
    after = web.host.look(table.id, table.seats["Ada"]).scenes[gorge]
    assert after.hook == "No wind"
    assert (after.title, after.options, after.save_node) == (before.title, before.options, before.save_node)


def test_what_is_refused_stays_in_the_form_and_begins_nothing(web: Web, table: OpenTable) -> None:
    fields = {"title": "The ferry", "options.0.words": "Alone", "options.0.leads_to": "+"}
    answer = web.client(table.game_master).post(f"/t/{table.id}/scenes/write", data=fields)
    assert answer.status_code == 400
    assert "two to four options" in answer.text
    assert {("title", "The ferry"), ("options.0.words", "Alone")} <= set(Inputs(answer.text).sent)
    assert len(web.host.look(table.id, table.seats["Ada"]).scenes) == 3


def test_a_draft_is_thrown_away(web: Web, table: OpenTable) -> None:
    assert post(web, table, "discard_scene", scene=scene_of(web, table, "The chapel")).status_code == 303
    assert "The chapel" not in page(web, table)


# ---------------------------------------------------------------- going back


def test_a_rewind_shows_its_price_before_it_is_paid(web: Web, table: OpenTable) -> None:
    client = web.client(table.game_master)
    post(web, table, "take_option", number="2")
    node = next(iter(web.host.look(table.id, table.seats["Ada"]).nodes))
    asked = unescape(client.get(f"/t/{table.id}/scenes/rewind/{node}").text)
    assert "“The gorge” ends" in asked
    assert "pays 1 token" in asked
    dearer = client.get(f"/t/{table.id}/scenes/rewind/{node}/price?node={node}&price=luck&amount=3").text
    assert "pays 3 tokens" in dearer
    assert present(web, table) == "The chapel"
    held = [one.sheet.luck for one in web.host.look(table.id, table.seats["Ada"]).characters.values()]
    went_back = post(web, table, "rewind", node=node, price="luck", amount="3")
    assert went_back.headers["location"] == f"/t/{table.id}"
    assert present(web, table) == "The gorge"
    now = [one.sheet.luck for one in web.host.look(table.id, table.seats["Ada"]).characters.values()]
    assert now == [luck - 3 for luck in held]


def test_a_rewind_names_what_happened_and_not_that_a_decision_waited(tmp_path: Path) -> None:
    with playing(tmp_path, "six_pool") as played:
        played.act("Bo", "make_hero", **ODA)
        played.act("Ada", "award_inspiration", who=played.who("Oda Kestrel"))
        node = played.act("Ada", "mark_save_node", label="Here").events[0].fields["node"]
        asked = played.act("Ada", "request_roll", who=played.who("Oda Kestrel"), command="check", what_for="the yard")
        check(played, 5, request=asked.events[0].fields["request"]["id"])
        played.act("Bo", "answer", act=played.decisions("Bo")[0].act, answer="keep")
        words = left_behind(played.at("Ada"), node)
    assert [line.partition(":")[0] for line in words] == [
        "Oda Kestrel is asked to check",
        "Oda Kestrel answers “Keep it”",
        "Oda Kestrel rolls stealth (DEX) for “the yard”",
    ]


def test_what_a_rewind_left_behind_stays_visible_to_those_who_were_there(web: Web, table: OpenTable) -> None:
    post(web, table, "take_option", number="2")
    node = next(iter(web.host.look(table.id, table.seats["Ada"]).nodes))
    post(web, table, "rewind", node=node, price="pressure")
    post(web, table, "take_option", number="1")
    for name in ("Ada", "Bo"):
        shown = page(web, table, name)
        assert "The story went back to The gorge for 1 Pressure." in words_of(shown)
        assert "No longer part of the story: The chapel." in words_of(shown)
        assert re.search(r'class="way open left"', shown)
        assert re.search(r'class="way risky walked"', shown)
    assert "left behind" in page(web, table, "Bo")


def test_the_present_is_marked_and_unknown_places_are_not_gone_back_to(web: Web, table: OpenTable) -> None:
    assert post(web, table, "mark_save_node", label="Before the storm").status_code == 303
    assert "Before the storm" in page(web, table, "Bo")
    assert web.client(table.game_master).get(f"/t/{table.id}/scenes/rewind/nowhere").status_code == 422
    assert post(web, table, "rewind", node="nowhere", price="luck").status_code == 400


@pytest.mark.parametrize("game", ["narraject", "new_shoes", "six_pool"])
def test_every_game_names_what_going_back_costs(web: Web, game: str) -> None:
    table = web.table(game)
    do(web, table, "mark_save_node", label="Here")
    node = next(iter(web.host.look(table.id, table.seats["Ada"]).nodes))
    ruleset = web.context.books[game].ruleset
    asked = unescape(web.client(table.game_master).get(f"/t/{table.id}/scenes/rewind/{node}").text)
    for name, price in ruleset.prices.items():
        assert price.doc in asked
        address = f"/t/{table.id}/scenes/rewind/{node}/price?price={name}&amount=1"
        assert "<li>" in web.client(table.game_master).get(address).text


# ---------------------------------------------------------------- the picture

SIZES = Sizes()


def test_boxes_stand_below_those_that_lead_to_them_and_never_on_each_other() -> None:
    boxes = list("abcdefg")
    lines = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("a", "d"), ("d", "e"), ("c", "f"), ("a", "g")]
    picture = lay_out(boxes, lines, SIZES)
    assert all(picture.spots[end].y > picture.spots[start].y for start, end in lines)
    assert len(set(picture.spots.values())) == len(boxes)
    for one in boxes:
        for other in boxes:
            here, there = picture.spots[one], picture.spots[other]
            assert one == other or here.y != there.y or abs(here.x - there.x) >= SIZES.width + SIZES.gap
    assert all(0 <= spot.x <= picture.width - SIZES.width for spot in picture.spots.values())
    assert all(0 <= spot.y <= picture.height - SIZES.height for spot in picture.spots.values())


def test_a_line_past_a_layer_runs_beside_its_boxes() -> None:
    picture = lay_out(list("abc"), [("a", "b"), ("b", "c"), ("a", "c")], SIZES)
    (bend,) = picture.bends["a", "c"]
    box = picture.spots["b"]
    assert bend.y == box.y
    assert not box.x <= bend.x <= box.x + SIZES.width


def test_a_circle_is_cut_where_it_leads_back() -> None:
    picture = lay_out(list("abc"), [("a", "b"), ("b", "c"), ("c", "a"), ("b", "b")], SIZES)
    assert picture.backward == {("c", "a"), ("b", "b")}
    assert [picture.spots[name].y for name in "abc"] == sorted(picture.spots[name].y for name in "abc")


def test_a_long_table_has_not_forgotten_where_its_story_began(web: Web) -> None:
    table = web.table()
    do(web, table, "improvise_scene", title="The beginning")
    for number in range(MANY):
        web.host.act(table.id, table.seats["Ada"], ("say", {"words": f"word {number}"}))
    do(web, table, "improvise_scene", title="The end")
    story = story_of(SeatSession(web.context, table.id, table.seats["Bo"]))
    assert [line.words for line in story.lines] == ["The beginning → The end"]


def test_ways_back_are_drawn_apart(web: Web) -> None:
    table = web.table()

    def write(title: str, *ways: str, **refreshed: str) -> str:
        options = [{"words": f"way {number}", "leads_to": to} for number, to in enumerate(ways)]
        return str(do(web, table, "write_scene", title=title, options=options, **refreshed)["scene"])

    gorge, mill, tower = write("The gorge"), write("The mill"), write("The tower")
    write("The gorge", mill, tower, scene=gorge)
    write("The mill", gorge, gorge, scene=mill)
    write("The tower", gorge, mill, gorge, scene=tower)
    story = story_of(SeatSession(web.context, table.id, table.seats["Ada"]))
    around = [re.findall(r"[-.0-9]+", line.path) for line in story.lines if "H" in line.path]
    sides, ends = [path[8] for path in around], [(path[-3], path[-1]) for path in around]
    assert len(around) == 4
    assert len(set(sides)) == len(set(ends)) == 4
    assert max(map(int, sides)) < story.width


def test_an_empty_story_is_an_empty_picture() -> None:
    assert lay_out([], [], SIZES).spots == {}
    assert lay_out(["a"], [("a", "gone")], SIZES).spots == {"a": Spot(SIZES.margin, SIZES.margin)}


def test_before_anything_is_told_the_page_says_so(web: Web) -> None:
    table = web.table()
    assert "No scene yet" in page(web, table)
    assert "Nothing has been told yet" in page(web, table, "Bo")


def test_a_title_is_text_whatever_it_says(web: Web) -> None:
    table = web.table()
    do(web, table, "improvise_scene", title="<script>alert(1)</script>", hook="<img src=x onerror=alert(1)>")
    raw = web.client(table["Bo"]).get(f"/t/{table.id}/scenes").text
    assert "<script>alert" not in raw
    assert "<img" not in raw


def test_the_form_of_a_scene_says_who_will_read_it(web: Web, table: OpenTable) -> None:
    form = form_in(page(web, table, query="?write=new"))
    assert "Everyone reads hook, action and consequence as soon as the scene begins" in words_of(form)
    for name in ("hook", "action", "consequence"):
        assert f'aria-describedby="w-{name}-doc w-sees"' in form
