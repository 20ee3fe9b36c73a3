"""SS-70, SS-72: skins as data, and the skins that ship."""

import pytest

from astragal.rulesets.sinew_steel.scores import STAMINA, Tone, build_points
from astragal.rulesets.sinew_steel.skin import DEFAULT
from astragal.table.declarations import replace
from tests.rulesets.sinew_steel.skin_files import SHIPPED, TEMPLATE, changed, load_skin, shipped_skins


def test_a_skin_names_all_that_a_table_needs() -> None:
    """SS-70: names, colours, gear and people, from the file as they were written."""
    skin = shipped_skins()["saltglass"]
    assert (skin.name, skin.luck, skin.agility, skin.luck_name) == ("Saltglass", "GRC", "STP", "Grace")
    assert (skin.custodian, skin.pressure.name, len(skin.pressure.steps)) == ("Bellkeeper", "Undertow", 6)
    assert skin.keys == ("ARM", "STP", "LOR", "VOC", "GRC")
    assert skin.labels["ARM"] == "Arm"
    assert skin.labels[STAMINA] == "Stamina"
    assert [crisis.name for crisis in skin.crises][5] == "Spring tide"
    assert {weapon.name: weapon.edge for weapon in skin.weapons}["Whale-axe"] == 2
    assert {armour.name: armour.soak for armour in skin.armour}["Bell-diver's harness"] == 3
    assert [(plugin.kind, plugin.name) for plugin in skin.plugins] == [("ritual", "Singing the glass")]
    assert shipped_skins()[DEFAULT].custodian == "Custodian"


def test_a_skin_says_what_is_usually_rolled() -> None:
    """SS-70: the book's ways of attacking and defending, in the skin's own keys."""
    skin = shipped_skins()["ninety_south"]
    usual = skin.fills_in()
    assert (usual["usual_attack"]["heavy"], usual["usual_defence"]["dodge"]) == ("HRD", "FTG")
    assert "heavy" not in load_skin(TEMPLATE.replace('attack = "heavy"\n', "")).fills_in()["usual_attack"]


def test_a_skin_is_read_out_with_what_it_has() -> None:
    """SS-70: crises by the faces of their die; weapons, armour and gear where there are any."""
    skin = shipped_skins()["saltglass"]
    lines = skin.lines()
    for line in ("  1. A rider in the blood: ", "Weapons: ", "Armour: ", "Gear:"):
        assert len([one for one in lines if one.startswith(line)]) == 1
    bare = replace(skin, weapons=(), armour=(), gear=()).lines()
    assert not [one for one in bare if one.startswith(("Weapons", "Armour", "Gear"))]


def test_text_is_text_and_nothing_else() -> None:
    """SS-70: markup, format strings and paths mean nothing here."""
    for nasty in ("{x.__class__}", "../../etc/passwd", "</script><img src=x onerror=y>", "%s ${HOME}", "[red]x[/red]"):
        assert load_skin(changed("First Hero", nasty)).heroes[0].name == nasty
        assert load_skin(changed("Might", nasty)).attributes[0].label == nasty


def test_names_are_kept_composed_with_single_spaces() -> None:
    """SS-70: one name, one spelling."""
    assert load_skin(changed("First Hero", "Zoe\u0308  \u00a0Ku\u0308hn ")).heroes[0].name == "Zo\u00eb K\u00fchn"
    assert load_skin("\ufeff" + TEMPLATE.replace("\n", "\r\n")) == load_skin(TEMPLATE)


def test_four_genres_and_more_ship_with_the_project() -> None:
    """SS-72: the default, fantasy, science fiction, and others."""
    assert set(shipped_skins()) >= {"plain", "saltglass", "borrowed_hours", "ninety_south", "night_timetable"}
    genres = " ".join(skin.genre for skin in shipped_skins().values())
    assert all(genre in genres for genre in ("fantasy", "science fiction", "Polar", "Gothic"))


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_skin_is_complete(name: str) -> None:
    """SS-72: colours, crises, gear, every usual roll, and four heroes who are legal at the standard budget."""
    skin = shipped_skins()[name]
    assert len(skin.heroes) == 4
    assert not any(build_points(skin.keys, Tone.STANDARD).faults(hero.scores) for hero in skin.heroes)
    assert {weapon.edge for weapon in skin.weapons} == {0, 1, 2}
    assert skin.armour
    assert len(skin.gear) >= 6
    attacks, defences = skin.fills_in()["usual_attack"], skin.fills_in()["usual_defence"]
    assert all(attacks[way] for way in ("heavy", "fast", "clever", "presence", "lucky"))
    assert attacks["lucky"] == defences["chance"] == skin.luck
    assert defences["dodge"] == skin.agility
    assert all(hero.scores[key] for hero in skin.heroes for key in (*skin.keys, STAMINA))


@pytest.mark.parametrize("name", SHIPPED)
def test_sample_heroes_carry_what_their_skin_knows(name: str) -> None:
    """SS-72: every item of a sample hero is a weapon, an armour or gear of the skin."""
    skin = shipped_skins()[name]
    known = {one.name for one in skin.weapons} | {one.name for one in skin.armour} | {one.name for one in skin.gear}
    assert {item for hero in skin.heroes for item in hero.gear} <= known


def test_every_genre_brings_a_rule_of_its_own() -> None:
    """SS-72: one plug-in each, all four kinds among them; the default plays the book as it is."""
    kinds = {name: [plugin.kind for plugin in skin.plugins] for name, skin in shipped_skins().items()}
    assert kinds.pop(DEFAULT) == []
    assert sorted(kind for (kind,) in kinds.values()) == ["ally", "feat", "ritual", "stress"]


def test_the_template_can_be_played_as_it_stands() -> None:
    """SS-70: and every line of it is explained."""
    assert load_skin(TEMPLATE, "template.toml").name == "My skin"
    assert TEMPLATE.count("#") > 20
