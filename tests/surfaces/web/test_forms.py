"""Forms come from the commands' own definitions, and what is sent comes back as what was meant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from astragal.surfaces.web.forms.form import Widget, form_of, key_in_name, read_form
from astragal.surfaces.web.forms.ready import ready_of
from astragal.surfaces.web.rendering import environment
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.table.palette import index_of
from astragal.surfaces.web.table.pending import waits_of
from astragal.table.fields.validation import read
from astragal.table.refusals import BadFields, Refusal
from tests.surfaces.web.filled import Inputs
from tests.surfaces.web.open_tables import AtSeat, Web

GAMES = ("sinew_steel", "narraject", "new_shoes", "six_pool")
TEMPLATES = environment("", "1")


def session(web: Web, at: AtSeat) -> SeatSession:
    return SeatSession(web.context, at.table, at.seat)


def html_of(at: SeatSession, command: str, given: Mapping[str, Any]) -> str:
    return TEMPLATES.get_template("forms/form.html").render(at=at, form=form_of(at, command, given), said="")


def sent_back(at: SeatSession, command: str, given: Mapping[str, Any]) -> dict[str, Any]:
    return read_form(at.book.command(command), Inputs(html_of(at, command, given)).sent)


@pytest.mark.parametrize("game", GAMES)
def test_a_sample_hero_comes_through_its_form_unchanged(web: Web, game: str) -> None:
    at = session(web, web.table(game).game_master)
    heroes = at.ruleset.heroes
    assert heroes
    kind = at.book.command(heroes.make)
    for name, hero in heroes.samples(at.state.options).items():
        assert read(kind, sent_back(at, heroes.make, hero)) == read(kind, hero), name


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seat", ["Ada", "Bo", "Di"])
def test_every_command_of_a_role_has_a_form_with_its_fields_and_no_strangers(web: Web, game: str, seat: str) -> None:
    at = session(web, web.table(game)[seat])
    for command in at.book.commands_for(at.viewer.role):
        kind = at.book.command(command)
        sent = sent_back(at, command, {})
        try:
            read(kind, sent)
        except BadFields as refusal:
            assert all("there is no field" not in problem for problem in refusal.problems), (command, refusal)


@pytest.mark.parametrize("game", GAMES)
def test_no_help_repeats_the_words_above_it(web: Web, game: str) -> None:
    at = session(web, web.table(game).game_master)
    helped = 0
    for command in at.book.commands:
        form = form_of(at, command, {})
        for one in (part for widget in form.widgets for part in (widget, *widget.parts)):
            helped += bool(one.doc)
            bare = one.doc.casefold().removeprefix("the ")
            assert not bare or bare not in (one.label.casefold(), "who", "whose", "what for", "why"), (command, one)
    assert helped > 50


def test_a_form_is_called_what_the_palette_called_it(web: Web) -> None:
    at = session(web, web.table().game_master)
    called = {one.id.removeprefix("do:"): one.title for one in index_of(at) if one.id.startswith("do:")}
    assert called["mark_save_node"] == "Mark a save node"
    assert {command: form_of(at, command, {}).title for command in called} == called


def test_help_that_says_more_than_its_label_stays(web: Web) -> None:
    at = session(web, web.table().game_master)
    help_of = {one.name: one.doc for one in form_of(at, "start_clock", {}).widgets}
    assert help_of["name"] == "What the clock counts towards"


def test_who_acts_is_among_ones_own_and_whom_it_is_done_to_is_somebody_else_first(web: Web) -> None:
    table = web.table()
    at = session(web, table["Bo"])
    widgets = {one.name: one for one in form_of(at, "attack", {}).first}
    own = {one.id for one in at.state.characters.values() if one.seat == at.seat}
    assert {option.value for option in widgets["attacker"].options} == own
    assert widgets["defender"].options[0].value not in own


UNSAID = {"Act", "Words", "Alt", "Stated", "Label", "Consent", "Ai", "Dc", "Ac", "Face", "Keep", "Span", "Notation"}
"""Labels that say nothing, or say it to programmers."""


@pytest.mark.parametrize("game", GAMES)
def test_every_input_has_a_label_that_people_would_say(web: Web, game: str) -> None:
    at = session(web, web.table(game).game_master)
    for command in at.book.commands:
        for one in form_of(at, command, {}).widgets:
            inside = (*one.parts, *(part for row in one.rows for part in row))
            assert UNSAID.isdisjoint({one.label, *(part.label for part in inside)}), command


def test_a_small_number_is_asked_for_before_the_reason(web: Web) -> None:
    """As the command has its fields; who acts and what has to be said come first."""
    at = session(web, web.table().game_master)
    assert _names(form_of(at, "harm", {}).first) == ["who", "points", "why"]
    assert _names(form_of(at, "raise_pressure", {}).first)[:3] == ["who", "rise", "why"]


def test_the_parts_of_an_asset_end_with_its_drawbacks(web: Web) -> None:
    at = session(web, web.table("narraject").game_master)
    (asset,) = (one for one in form_of(at, "gain_asset", {}).first if one.name == "asset")
    assert [one.label for one in asset.parts] == ["Name", "Level", "Dice", "Armour", "Drawbacks"]


@pytest.mark.parametrize("command", ["give_character", "make_hero", "take_sample"])
def test_no_spectator_is_offered_a_hero(web: Web, command: str) -> None:
    table = web.table("new_shoes")
    form = form_of(session(web, table.game_master), command, {})
    (seat,) = (one for one in form.widgets if one.name == "seat")
    offered = {option.value for option in seat.options}
    assert table.seats["Bo"] in offered
    assert table.seats["Di"] not in offered


def test_only_heroes_are_offered_a_level(web: Web) -> None:
    table = web.table("six_pool")
    web.host.act(table.id, table.seats["Ada"], ("make_npc", {"name": "Guard"}))
    at = session(web, table.game_master)
    (who,) = (one for one in form_of(at, "raise_level", {}).first if one.name == "who")
    heroes = {one.id for one in at.state.characters.values() if one.seat}
    assert {option.value for option in who.options} == heroes


def test_what_is_seldom_said_of_a_foe_is_folded_away(web: Web) -> None:
    form = form_of(session(web, web.table().game_master), "make_npc", {})
    assert (form.title, form.shows_more) == ("Make NPC", False)
    assert _names(form.first) == ["name", "tier", "concept", "shown"]


def test_whoever_advances_has_an_input_for_each_score(web: Web) -> None:
    at = session(web, web.table()["Bo"])
    (rises,) = (one for one in form_of(at, "advance", {}).first if one.name == "rises")
    assert {"Might", "Reflex", "Stamina"} <= {one.label for one in rises.parts}


def test_numbers_by_name_have_an_input_for_each_name(web: Web) -> None:
    at = session(web, web.table().game_master)
    (scores,) = (one for one in form_of(at, "make_npc", {"scores": {"REF": 13}}).more if one.name == "scores")
    assert [(one.label, one.value) for one in scores.parts] == [
        ("Might", None),
        ("Reflex", 13),
        ("Intellect", None),
        ("Empathy", None),
        ("Luck", None),
    ]
    assert "name = value" not in html_of(at, "make_npc", {})
    assert sent_back(at, "make_npc", {"scores": {"REF": 13}})["scores"] == {"REF": 13}


def test_pools_and_skills_have_an_input_each(web: Web) -> None:
    """Six-Pool: a number for each pool within its limits, a choice for each skill; nobody types names of them."""
    at = session(web, web.table("six_pool").game_master)
    given = {"pools": {"DEX": 12}, "training": {"stealth": "expert"}}
    widgets = {one.name: one for one in form_of(at, "make_npc", given).more}
    pools, skills = widgets["pools"], {one.label: one for one in widgets["training"].parts}
    assert [(one.label, one.value, one.most) for one in pools.parts][:2] == [("STR", None, 99), ("DEX", 12, 99)]
    assert (skills["Stealth"].value, skills["Lock picking"].value) == ("expert", "")
    assert sent_back(at, "make_npc", given) | given == sent_back(at, "make_npc", given)
    for command in ("make_hero", "make_npc", "spread", "raise_level"):
        assert "name = value" not in html_of(at, command, {}), command


def test_numbers_by_name_say_how_whoever_acts_stands(web: Web) -> None:
    """Oda's player spreads points and sees what her pools lack; a game master's form follows the choice of a hero."""
    table = web.table("six_pool")
    ada, bo = session(web, table.game_master), session(web, table["Bo"])
    oda, brannoc = (
        next(one.id for one in ada.state.characters.values() if name in one.name) for name in ("Oda", "Bran")
    )
    ada.act("override", {"who": oda, "what": "STR", "value": 6, "why": "a long day"})

    def said(at: SeatSession, **given: Any) -> dict[str, str]:
        (points,) = (one for one in form_of(at, "spread", given).first if one.name == "points")
        return {part.label: part.doc for part in points.parts}

    own = said(session(web, table["Bo"]))
    assert (own["STR"], own["DEX"]) == ("6 of 10", "18 of 18")
    assert said(session(web, table.game_master), who=brannoc)["STR"] == "18 of 18"
    again = f'hx-get="/t/{table.id}/form/spread" hx-trigger="change"'
    assert again in html_of(session(web, table.game_master), "spread", {})
    assert again not in html_of(bo, "spread", {}), "there is nobody else to choose"


def test_scores_that_rise_say_where_they_stand(web: Web) -> None:
    """Luck and Stamina, too, which a sheet shows by their names and not by their keys."""
    table = web.table("sinew_steel")
    at = session(web, table["Bo"])
    (rises,) = (one for one in form_of(at, "advance", {}).first if one.name == "rises")
    said = {part.label: part.doc for part in rises.parts}
    (bos,) = (at.state.characters[who] for who in at.viewer.characters)
    assert said["Might"] == f"now {bos.sheet.scores['MGT']}"
    assert said["Luck"] == f"{bos.sheet.luck} of {bos.sheet.luck_most}"
    assert said["Stamina"] == f"{bos.sheet.stamina} of {bos.sheet.stamina_most}"


def test_only_heroes_are_given_a_milestone(web: Web) -> None:
    table = web.table("sinew_steel")
    web.host.act(table.id, table.seats["Ada"], ("make_npc", {"name": "Guard"}))
    (who,) = (one for one in form_of(session(web, table.game_master), "milestone", {}).first if one.name == "who")
    assert "Guard" not in [option.words for option in who.options]


def test_what_is_proposed_by_name_is_filled_in(web: Web) -> None:
    """After a short rest the button leads to a form in which the points lie where most is lacking."""
    table = web.table("six_pool")
    ada, bo = session(web, table.game_master), session(web, table["Bo"])
    oda = next(iter(bo.viewer.characters))
    ada.act("override", {"who": oda, "what": "STR", "value": 0, "why": "a long day"})
    ada.act("rest", {"kind": "short"})
    bo.act("recover", {"who": oda})
    (turn,) = (one for one in waits_of(session(web, table["Bo"])).proposals if one.own)
    shown = web.client(table["Bo"]).get(f"/t/{table.id}/form/{turn.asks}").text
    points = session(web, table["Bo"]).state.game.recovered[oda]
    assert next(said for said in Inputs(shown).sent if said[0].startswith("points.")) == ("points.STR", str(points))


def test_what_stands_on_sheets_is_chosen_from_them(web: Web) -> None:
    """Narraject: Anchors, Burdens and Assets are known by name; whose roll it is has no others to choose from."""
    table = web.table("narraject")
    tove, orsino = web.host.look(table.id, table.seats["Ada"]).characters.values()
    at = session(web, table.game_master)
    for command, name in (("raise_anchor", "anchor"), ("press_burden", "burden"), ("lose_asset", "asset")):
        widget = _widget(form_of(at, command, {}).first, name)
        assert [one.value for one in widget.options] == [
            one.name for who in (tove, orsino) for one in getattr(who.sheet, f"{name}s")
        ]
    anchors = _widget(form_of(at, "attempt", {"who": orsino.id}).first, "anchors")
    assert [one.value for one in anchors.options] == [one.name for one in orsino.sheet.anchors]


def test_aspects_are_chosen_from_those_on_the_table(web: Web) -> None:
    table = web.table("narraject")
    at = session(web, table["Bo"])
    assert "aspects" not in _names(form_of(at, "attempt", {}).first)
    web.host.act(table.id, table.seats["Ada"], ("grant_aspect", {"name": "Fog"}))
    aspects = _widget(form_of(session(web, table["Bo"]), "attempt", {}).first, "aspects")
    assert [one.words for one in aspects.options] == ["Fog"]


def test_nobody_is_set_against_themselves_unless_they_say_so(web: Web) -> None:
    at = session(web, web.table("new_shoes").game_master)
    ottilie, teodor = at.state.characters
    for given, other in (({}, teodor), ({"who": teodor}, ottilie)):
        assert _widget(form_of(at, "call_opposed", given).first, "opponent").value == other


def test_a_roll_that_is_ready_says_each_thing_once(web: Web) -> None:
    at = session(web, web.table("narraject")["Bo"])
    ready = ready_of(at, "attempt", {"who": next(iter(at.viewer.characters)), "stat": "agility"})
    assert (ready.title, ready.notes) == ("Tove Lindqvist rolls Agility", ())


@pytest.mark.parametrize(("game", "roll", "said"), [("narraject", "attempt", "difficulty"), ("six_pool", "save", "DC")])
def test_whoever_rolls_reads_first_what_is_only_proposed(web: Web, game: str, roll: str, said: str) -> None:
    """A player's own difficulty waits for the game master, and their button says “Roll” all the same."""
    table = web.table(game, house={"trusting": False})
    for seat, proposed in (("Bo", said), ("Ada", "")):
        at = session(web, table[seat])
        who = next(iter(at.state.characters))
        number = {"narraject": {"stat": "might", "difficulty": 3}, "six_pool": {"pool": "DEX", "dc": 12}}[game]
        ready = ready_of(at, roll, {"who": who, **number})
        assert ready.proposes == proposed
        template = TEMPLATES.get_template("forms/ready_odds.html")
        assert ("the game master says yes or no" in template.render(ready=ready)) is bool(proposed)


def test_a_roll_with_nothing_to_change_offers_no_change(web: Web) -> None:
    """A short rest is a die and the level; its player can change neither, but a game master can hide it."""
    table = web.table("six_pool")

    def card(seat: str) -> str:
        at = session(web, table[seat])
        who = next(one.id for one in at.state.characters.values() if "Oda" in one.name)
        return web.client(table[seat]).get(f"/t/{table.id}/form/recover?who={who}").text

    assert "change…" not in card("Bo")
    assert "change…" in card("Ada")


def test_a_roll_that_lacks_something_has_its_inputs_unfolded(web: Web) -> None:
    """Six-Pool: a save from the palette has to know what against; one that was tapped on a sheet knows its pool."""
    at = session(web, web.table("six_pool")["Bo"])
    who = next(iter(at.viewer.characters))
    for given, lacks in (({"who": who}, "threat"), ({"who": who, "pool": "DEX"}, "")):
        ready = ready_of(at, "save", given)
        assert ready.lacks == lacks
        drawn = TEMPLATES.get_template("forms/ready_card.html").render(at=at, ready=ready)
        assert ('<details class="change" open>' in drawn) is bool(lacks)


def test_a_call_asks_for_what_is_usual_and_folds_the_rest_away(web: Web) -> None:
    at = session(web, web.table("new_shoes").game_master)
    called = form_of(at, "call_approach", {})
    assert _names(called.first) == ["who", "attribute", "target", "words", "hidden", "against"]
    assert _widget(form_of(at, "call_healing", {}).first, "target").value == "fair"


def test_a_reaction_is_described_before_there_is_a_button_to_roll(web: Web) -> None:
    """New Shoes: the roll is asked for with the prompt, and refused until the player says how they react."""
    table = web.table("new_shoes")
    who = next(iter(session(web, table["Bo"]).viewer.characters))
    prompted = {"who": who, "words": "A lantern swings", "attribute": "body", "target": 12}
    web.host.act(table.id, table.seats["Ada"], ("prompt_reaction", prompted))

    def card() -> str:
        at = session(web, table["Bo"])
        return TEMPLATES.get_template("table/panels/pending.html").render(at=at, waits=waits_of(at), paired=False)

    assert ">React</button>" in card()
    assert 'class="go roll"' not in card()
    web.host.act(table.id, table.seats["Bo"], ("describe", {"who": who, "words": "I duck"}))
    assert 'class="go roll"' in card()


def test_help_that_repeats_its_label_is_left_out(web: Web) -> None:
    at = session(web, web.table("narraject").game_master)
    assert [one.doc for one in form_of(at, "raise_stat", {}).first] == ["", ""]
    assert _widget(form_of(at, "attempt", {}).first, "stat").doc == "The stat that the approach fits"


def test_a_things_name_is_a_choice_only_while_there_is_such_a_thing(web: Web) -> None:
    table = web.table()
    game_master = session(web, table.game_master)
    assert "request" not in _names(form_of(game_master, "test", {}).first)
    hero = next(one.id for one in game_master.state.characters.values() if one.seat)
    game_master.act("request_roll", {"who": hero, "command": "test", "what_for": "the ledge"})
    asked = form_of(session(web, table.game_master), "test", {})
    assert "request" in _names(asked.first)
    assert [option.words for option in _widget(asked.first, "request").options] == ["—", "the ledge"]


def test_a_field_that_names_one_of_two_kinds_offers_both(web: Web) -> None:
    table = web.table()
    at = session(web, table.game_master)
    offered = {option.value for option in _widget(form_of(at, "put_prompt", {}).first, "to").options}
    assert offered == {*at.state.characters, *at.state.seats}


def test_things_of_a_game_are_offered_wherever_it_keeps_them(web: Web) -> None:
    """New Shoes: approaches lie on the table, statuses on the table and on sheets."""
    table = web.table("new_shoes")
    hero = next(iter(web.host.look(table.id, table.seats["Ada"]).characters))
    for fields in ({"name": "Fog", "value": -1}, {"name": "Soaked", "value": -1, "who": hero}):
        web.host.act(table.id, table.seats["Ada"], ("attach_status", fields))
    web.host.act(table.id, table.seats["Ada"], ("describe", {"who": hero, "words": "wades"}))
    at = session(web, table["Ada"])
    assert {one.words for one in _widget(form_of(at, "end_status", {}).first, "status").options} == {"Fog", "Soaked"}
    called = form_of(at, "call_approach", {})
    assert [one.words for one in _widget(called.more, "approach").options] == ["—", "wades"]
    assert "do:lift_boundary" in {one.id for one in index_of(at) if one.why_not}


def test_boons_and_rites_of_the_setting_are_suggested_and_other_words_are_taken(web: Web) -> None:
    shelf = web.context.books["sinew_steel"].ruleset.skins
    assert shelf is not None
    table = web.table(skin="plain", **shelf.wear(shelf.shipped()["plain"]).given)
    for seat, command, name in (("Ada", "milestone", "boon"), ("Bo", "rite", "stakes")):
        widget = _widget(form_of(session(web, table[seat]), command, {}).first, name)
        assert (widget.kind, len(widget.options) > 2) == ("line", True)


def test_seldom_fields_are_folded_away_until_they_are_given(web: Web) -> None:
    at = session(web, web.table()["Bo"])
    assert "lethal" in _names(form_of(at, "test", {}).more)
    assert not form_of(at, "test", {"ask": False}).shows_more
    assert form_of(at, "test", {"lethal": "dead"}).shows_more


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_form_that_comes_back_has_its_inputs_where_they_were(web: Web, game: str) -> None:
    at = session(web, web.table(game).game_master)
    for command in at.book.commands_for(at.viewer.role):
        opened = form_of(at, command, {})
        again = form_of(at, command, sent_back(at, command, {}))
        assert _names(again.first) == _names(opened.first), command
        assert _names(again.more) == _names(opened.more), command


def test_what_has_to_be_filled_in_is_marked(web: Web) -> None:
    at = session(web, web.table()["Bo"])
    assert 'class="field must"><label for="f-why"' in html_of(at, "luck_test", {})
    assert 'class="field"><label for="f-stakes"' in html_of(at, "luck_test", {})


def test_a_refusal_that_is_about_one_field_marks_it_and_names_it(web: Web) -> None:
    at = session(web, web.table()["Bo"])
    form = form_of(at, "test", {}).refused_with(Refusal("Say what is at stake.", field="stakes"))
    assert _widget(form.first, "stakes").fault == "Stakes: Say what is at stake."
    assert form.refused == ("Stakes: Say what is at stake.",)


def test_faults_stand_beside_their_inputs(web: Web) -> None:
    at = session(web, web.table().game_master)
    form = form_of(at, "grant_luck", {}).refused_with(
        BadFields(["points must be at most 99, not 999", "the sky is falling"], [("points",), ()])
    )
    assert _widget(form.first, "points").fault == "Points must be at most 99, not 999."
    assert form.faults == ("the sky is falling",)


def test_a_fault_inside_a_record_stands_beside_the_whole_input(web: Web) -> None:
    at = session(web, web.table().game_master)
    refusal = BadFields(["gear[0].name must be text"], [("gear", 0, "name")])
    form = form_of(at, "make_hero", {}).refused_with(refusal)
    assert _widget((*form.first, *form.more), "gear").fault == "gear[0].name must be text."
    assert form.faults == ()


def test_names_spell_where_a_value_belongs(web: Web) -> None:
    at = session(web, web.table().game_master)
    sent = [
        ("name", "Ox"),
        (f"scores.{key_in_name('MGT')}", "12"),
        ("scores=", "REF = 9\nINT: 8"),
        ("gear.0.name", "Axe"),
        ("gear.1.name", ""),
        ("kit;", "Rope, fifteen paces; Lamp"),
        (".id", "abc"),
    ]
    assert read_form(at.book.command("make_hero"), sent) == {
        "name": "Ox",
        "scores": {"MGT": 12, "REF": 9, "INT": 8},
        "gear": [{"name": "Axe"}],
        "kit": ["Rope, fifteen paces", "Lamp"],
    }


@pytest.mark.parametrize(
    "name", ["role", "__class__", "who.__class__", "scores.a.b.c", "gear.x", "gear.0", "name.deep", "..", "a" * 5000]
)
def test_strange_names_of_inputs_end_in_a_refusal_or_in_nothing(web: Web, name: str) -> None:
    table = web.table()
    client = web.client(table["Bo"])
    sent = client.post(f"/t/{table.id}/do/make_hero", data={"name": "Ox", name: "1"}, headers={"HX-Request": "true"})
    assert sent.status_code in (200, 422), sent.text


def test_a_stored_text_is_text_in_every_form(web: Web) -> None:
    table = web.table(name="<script>alert(1)</script>")
    at = session(web, table.game_master)
    at.act("write_note", {"title": "</select><img src=x onerror=alert(1)>", "words": "x"})
    assert "<img" not in html_of(session(web, table.game_master), "reveal_note", {})


def _names(widgets: tuple[Widget, ...]) -> list[str]:
    return [one.name for one in widgets]


def _widget(widgets: tuple[Widget, ...], name: str) -> Widget:
    return next(one for one in widgets if one.name == name)
