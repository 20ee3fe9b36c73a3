"""NJ-10, NJ-14, NJ-15, NJ-17, NJ-19 and NJ-21 at the table: what counts in a hand, and once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesets.narraject.conftest import Open
from tests.rulesets.narraject.playing import KIRA, SHOT, Playing, terms_of

ROLL = {**SHOT, "difficulty": 1}


def test_the_book_s_example_is_played_as_printed(playing: Playing) -> None:
    """NJ-10, NJ-05, vector: 10 dice, four of 5 and more, difficulty 4 met."""
    playing.act("Ada", "grant_aspect", name="Clear sightline")
    fields: dict[str, Any] = {
        "focus": 2,
        "anchors": ["Expert Marksman"],
        "assets": ["Rifle"],
        "aspects": ["Clear sightline"],
    }
    expected = [
        ("rating", "agility", 3),
        ("focus", "agility", 2),
        ("anchor", "Expert Marksman", 2),
        ("asset", "Rifle", 2),
        ("aspect", "Clear sightline", 1),
    ]
    assert playing.hand(**fields) == expected
    outcome = playing.shoot(6, 5, 4, 3, 2, 1, 6, 5, 2, 3, difficulty=4, **fields)
    told = playing.told(outcome, "attempted")
    assert terms_of(told["hand"]) == expected
    assert (told["dice"], told["successes"], told["success"], told["excess"]) == (10, 4, True, 0)
    assert outcome.events[-1].words == (
        "Kira wants: the target to fall (one shot). "
        "10 dice: Agility 3 + Focus 2 + Expert Marksman 2 + Rifle 2 + Clear sightline 1. "
        "4 successes against 4 (hard). It comes true. 9 left in the Agility Reserve"
    )


def test_all_anchors_that_apply_count(playing: Playing) -> None:
    """NJ-14: minor 1, moderate 2, major 3, broad or specific alike."""
    assert playing.hand(anchors=["Expert Marksman", "Rooftops", "Field Medic"])[1:] == [
        ("anchor", "Expert Marksman", 2),
        ("anchor", "Rooftops", 1),
        ("anchor", "Field Medic", 3),
    ]


def test_a_table_may_count_one_anchor_a_roll(open_table: Open) -> None:
    """NJ-14, option `anchors_per_roll`: the one that was chosen."""
    playing = open_table(anchors_per_roll="one")
    assert playing.refused("Bo", "attempt", **ROLL, anchors=["Rooftops", "Field Medic"]) == "one_anchor"
    assert playing.refused("Bo", "attempt", **ROLL, anchors=["Rooftops"], aspects=["Field Medic"]) == "one_anchor"
    assert playing.hand(anchors=["Rooftops", "rooftops"])[1:] == [("anchor", "Rooftops", 1)]


def test_all_burdens_that_apply_count(playing: Playing) -> None:
    """NJ-15: 1, 2 and 3 dice fewer."""
    assert playing.hand(burdens=["Afraid of Fire", "Old Wound", "Hunted"])[1:] == [
        ("burden", "Afraid of Fire", -3),
        ("burden", "Old Wound", -1),
        ("burden", "Hunted", -2),
        ("floor", "", 6),
    ]


def test_a_burden_that_presses_counts_unasked_until_the_scene_ends(playing: Playing) -> None:
    """NJ-15: the game master says that it applies; naming it as well counts it once."""
    playing.act("Ada", "improvise_scene", title="The roof")
    playing.act("Ada", "press_burden", who="Kira", burden="old wound")
    assert playing.refused("Ada", "press_burden", who="Kira", burden="Old Wound") == "no_change"
    assert playing.refused("Bo", "lift_burden", who="Kira", burden="Old Wound") == "not_allowed"
    assert playing.hand(focus=2)[2:] == [("burden", "Old Wound", -1)]
    assert playing.hand(burdens=["Old Wound"], focus=2)[2:] == [("burden", "Old Wound", -1)]
    playing.act("Ada", "end_scene")
    assert playing.hand() == [("rating", "agility", 3)]


def test_a_burden_can_be_lifted_in_the_scene(playing: Playing) -> None:
    """NJ-15: and does not press any more."""
    playing.act("Ada", "press_burden", who="Kira", burden="Hunted")
    playing.act("Ada", "lift_burden", who="Kira", burden="Hunted")
    assert playing.hand() == [("rating", "agility", 3)]
    assert playing.refused("Ada", "lift_burden", who="Kira", burden="Hunted") == "no_change"


# ---------------------------------------------------------------- assets


def test_several_assets_count_by_level_or_as_their_description_says(playing: Playing) -> None:
    """NJ-17: standard 1, quality 2, masterwork 3, unless the asset states another bonus."""
    playing.act("Ada", "gain_asset", who="Kira", asset={"name": "Scope"})
    playing.act("Ada", "gain_asset", who="Kira", asset={"name": "Cloak", "level": "masterwork"})
    playing.act("Ada", "gain_asset", who="Kira", asset={"name": "Charm", "level": "masterwork", "stated": 5})
    assert playing.hand(assets=["Rifle", "Scope", "Cloak", "Charm"])[1:] == [
        ("asset", "Rifle", 2),
        ("asset", "Scope", 1),
        ("asset", "Cloak", 3),
        ("asset", "Charm", 5),
    ]


def test_heavy_hampers_agility_whether_or_not_it_helps(playing: Playing) -> None:
    """NJ-17: a tag takes dice from certain rolls, until the asset is stowed."""
    lund: dict[str, Any] = {"who": "Lund", "goal": "over the wall", "approach": "a run-up", "difficulty": 1, "focus": 2}

    def hand(stat: str) -> list[tuple[str, str, int]]:
        return terms_of(playing.preview("Cy", "attempt", **lund, stat=stat).arguments["hand"])

    assert hand("agility") == [("rating", "agility", 1), ("focus", "agility", 2), ("tag", "Plate (Heavy)", -1)]
    assert hand("might") == [("rating", "might", 4), ("focus", "might", 2)]
    playing.act("Cy", "carry_asset", who="Lund", asset="Plate", carried=False)
    assert hand("agility") == [("rating", "agility", 1), ("focus", "agility", 2)]
    assert playing.refused("Cy", "attempt", **lund, stat="might", assets=["Plate"]) == "no_such_thing"
    assert playing.refused("Cy", "carry_asset", who="Lund", asset="Plate", carried=False) == "no_change"
    playing.act("Cy", "carry_asset", who="Lund", asset="Plate")
    assert len(hand("agility")) == 3
    assert playing.sentence("Cy", "carry_asset", who="Lund", asset="Plate") == "Lund has “Plate” to hand already."


def test_an_asset_is_told_with_all_that_it_does(playing: Playing) -> None:
    """NJ-17, NJ+03: its level, its dice, its drawbacks and its armour."""
    heavy = {"name": "Heavy", "stats": ["agility"]}
    playing.act("Ada", "gain_asset", who="Kira", asset={"name": "Plate", "tags": [heavy], "armour": 2})
    assert playing.words("Bo")[-1] == "Kira has Plate +1 (Heavy −1 on Agility, armour 2)"
    playing.act("Ada", "gain_asset", who="Kira", asset={"name": "Rope", "tags": [{"name": "Long"}]})
    assert playing.words("Bo")[-1] == "Kira has Rope +1 (Long −1)"


def test_what_is_lost_is_stowed_no_longer_and_the_rest_is(playing: Playing) -> None:
    """NJ-17: an Asset of the same name that comes later is to hand."""
    for asset in ("Plate", "Hammer"):
        playing.act("Cy", "carry_asset", who="Lund", asset=asset, carried=False)
    playing.act("Cy", "lose_asset", who="Lund", asset="Plate")
    playing.act("Ada", "gain_asset", who="Lund", asset={"name": "Plate"})
    assert [one.name for one in playing.sheet("Lund").carried] == ["Plate"]


def test_a_lost_asset_helps_nobody(playing: Playing) -> None:
    """NJ-17: gone is gone."""
    playing.act("Bo", "lose_asset", who="Kira", asset="rifle")
    assert playing.sentence("Bo", "attempt", **ROLL, assets=["Rifle"]) == (
        "Kira has no Asset to hand called 'Rifle': none."
    )


# ---------------------------------------------------------------- once, and under its own term


@pytest.mark.parametrize(
    ("name", "term"),
    [
        ("Expert Marksman", ("anchor", "Expert Marksman", 2)),
        ("rifle", ("asset", "Rifle", 2)),
        ("Old Wound", ("burden", "Old Wound", -1)),
    ],
)
def test_what_stands_on_the_sheet_counts_once_under_its_own_term(
    playing: Playing, name: str, term: tuple[str, str, int]
) -> None:
    """NJ-19: named as an aspect as well, an Anchor is an Anchor and counts once."""
    field = {"anchor": "anchors", "asset": "assets", "burden": "burdens"}[term[0]]
    fields: dict[str, Any] = {field: [name], "focus": 1}
    assert playing.hand(**fields, aspects=[name])[2:] == [term]
    assert playing.hand(focus=1, aspects=[name])[2:] == [term]


def test_an_aspect_of_the_same_name_adds_nothing(playing: Playing) -> None:
    """NJ-19: not even where the game master granted one of that name."""
    made = playing.act("Ada", "grant_aspect", name="Expert Marksman", dice=2)
    aspect = playing.told(made, "aspect_made")["aspect"]["id"]
    assert playing.hand(anchors=["Expert Marksman"], aspects=[aspect])[1:] == [("anchor", "Expert Marksman", 2)]


def test_naming_a_thing_twice_counts_it_once(playing: Playing) -> None:
    """NJ-10: in any spelling."""
    playing.act("Ada", "grant_aspect", name="High Ground")
    assert playing.hand(anchors=["Rooftops", "ROOFTOPS"], aspects=["high ground", "High Ground"])[1:] == [
        ("anchor", "Rooftops", 1),
        ("aspect", "High Ground", 1),
    ]


@pytest.mark.parametrize(
    "fields",
    [{"anchors": ["Juggling"]}, {"burdens": ["Juggling"]}, {"assets": ["Juggling"]}, {"aspects": ["Juggling"]}],
)
def test_what_nobody_has_does_not_count(playing: Playing, fields: dict[str, Any]) -> None:
    """NJ-10: every term has a source."""
    assert playing.refused("Bo", "attempt", **ROLL, **fields) == "no_such_thing"


def test_with_nothing_at_all_one_rolls_the_rating(playing: Playing) -> None:
    """NJ-21: a desperation roll, and it is called so."""
    playing.act("Ada", "override", who="Kira", what="agility_reserve", value=0)
    outcome = playing.shoot(1, 2, 3)
    assert playing.told(outcome, "attempted")["dice"] == 3
    assert "3 dice, a desperation roll: Agility 3." in outcome.events[-1].words


def test_two_names_that_differ_in_unicode_form_only_are_one(playing: Playing) -> None:
    """NJ-10: nasty: é in one sign or in two."""
    playing.act("Ada", "gain_asset", who="Kira", asset={"name": "E\u0301pe\u0301e"})
    assert playing.refused("Ada", "gain_asset", who="Kira", asset={"name": "Épée"}) == "name_taken"
    assert playing.hand(assets=["Épée"])[1:] == [("asset", "Épée", 1)]


@pytest.mark.parametrize("name", ["</script>", "__proto__", "{x.__class__}", "../../etc/passwd", "SYSTEM: reveal"])
def test_strange_names_are_names(playing: Playing, name: str) -> None:
    """NJ-17: nasty: a name is text, whatever it looks like."""
    playing.act("Ada", "gain_asset", who="Kira", asset={"name": name})
    assert playing.hand(assets=[name])[1:] == [("asset", name, 1)]


def test_the_world_never_rolls(playing: Playing) -> None:
    """NJ+04: whoever is nobody's hero is a difficulty, not a hand."""
    playing.act("Ada", "make_hero", **{**KIRA, "name": "Guard"})
    assert playing.refused("Ada", "attempt", **{**ROLL, "who": "Guard"}) == "never_rolls"
    playing.act("Ada", "give_character", character="Guard", seat="Bo")
    playing.roll(5, 5, 5)
    playing.act("Bo", "attempt", **{**ROLL, "who": "Guard"})
