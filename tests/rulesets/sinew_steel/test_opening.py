"""Skins at the table: what a table is opened with, and what is then said there."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.sinew_steel.options import Options, Plugin
from astragal.storage import open_store
from astragal.table.fields.validation import read
from astragal.table.refusals import NoSuchThing
from tests.rulesets.sinew_steel.playing import Playing
from tests.rulesets.sinew_steel.skin_files import SHELF, SHIPPED, load_skin, shipped_skins, wear
from tests.table.seated import ScriptedDice, new_host


def seated(folder: Path, skin: str, **options: object) -> Playing:
    dice = ScriptedDice()
    host = new_host(open_store(f"sqlite:///{folder}/skins.db"), dice, (SINEW_STEEL,))
    given = wear(skin, **options)
    opened = host.open("sinew_steel", name="The Coast", game_master="Ada", house={"trusting": True}, **given)
    playing = Playing(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
    playing.sit("Bo")
    return playing


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_skin_opens_a_table_and_its_heroes_can_be_played(tmp_path: Path, name: str) -> None:
    """SS-70, SS-72"""
    skin, playing = shipped_skins()[name], seated(tmp_path, name)
    for hero in skin.heroes:
        playing.act("Bo", "take_sample", sample=hero.name)
        sheet = playing.sheet(hero.name)
        assert [item.name for item in sheet.gear] == list(hero.gear)
        assert (sheet.concept, sheet.advantage, sheet.luck) == (hero.concept, hero.advantage, hero.scores[skin.luck])
    assert playing.look("Bo").game.plugins == tuple(Plugin(plugin.kind) for plugin in skin.plugins)
    assert playing.look("Bo").skin == name


def test_the_skin_speaks(tmp_path: Path) -> None:
    """SS-70: attributes, Luck, Pressure and its steps, crises, plug-ins."""
    playing = seated(tmp_path, "saltglass")
    playing.act("Bo", "take_sample", sample="kira dunlin")
    playing.roll(11)
    waits = playing.act("Bo", "ritual", who="Kira Dunlin", attribute="LOR", stakes="the gate")
    outcome = playing.answer("Bo", waits, 0)
    assert [event.words for event in outcome.events][-2:] == [
        "Kira Dunlin, Lore 10: 11, failure, margin −1. At stake: the gate.",
        "Undertow rises from 0 to 1. A whisper goes round the fire, and none of you said it.",
    ]
    for _ in range(3):
        playing.act("Ada", "raise_pressure")
    waits = playing.act("Ada", "raise_pressure", who="Kira Dunlin")
    (decision,) = playing.host.decisions(playing.table, playing.seats["Ada"])
    assert decision.choices[1].words.startswith("A rider in the blood: Someone who died under water")
    outcome = playing.answer("Ada", waits, 3)
    assert "Crisis: The drowned dream. Undertow returns to 0" in [event.words for event in outcome.events]


def test_weapons_and_armour_are_known_by_name(tmp_path: Path) -> None:
    """SS-70: with edge, soak and tags; what the skin does not know is a thing of its own."""
    playing = seated(tmp_path, "saltglass")
    playing.act("Bo", "make_hero", name="Osk", kit=["shardpot", "Bell-diver's harness"])
    playing.act("Bo", "carry", who="Osk", item="Ferry token, worn smooth")
    playing.act("Bo", "carry", who="Osk", item={"name": "a letter"})
    pot, harness, token, letter = playing.sheet("Osk").gear
    assert (pot.edge, pot.tags, harness.soak) == (2, ("ranged", "explosive"), 3)
    assert (token.substantial, letter.name, letter.substantial) == (False, "a letter", True)


def test_a_sample_that_is_not_there_is_refused_with_those_there_are(tmp_path: Path) -> None:
    """SS-70"""
    playing = seated(tmp_path, "saltglass")
    with pytest.raises(
        NoSuchThing, match="There is no sample hero 'Nobody' here: Kira Dunlin, Brother Osk, Marrow Jonquil"
    ):
        playing.act("Bo", "take_sample", sample="Nobody")


def test_options_can_be_added_to_a_skin(tmp_path: Path) -> None:
    """SS-70: a skin fills in what is its own, a table the rest."""
    playing = seated(tmp_path, "saltglass", build_points=0, pressure="personal")
    assert playing.look("Bo").options.build_points == 0
    assert playing.look("Bo").options.luck == "GRC"


def test_what_a_skin_leaves_unsaid_follows_from_the_places() -> None:
    """SS-43, SS-70"""
    skin = load_skin(SHELF.template().replace('attack = "heavy"\n', ""))
    options = read(Options, skin.fills_in())
    assert "heavy" not in options.usual_attack
