"""An evening of Narraject as text, played again on every run: all of the book, and all of its companions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from astragal.rulesets.narraject import NARRAJECT
from astragal.rulesets.narraject.heroes import HERO_BOOK
from astragal.rulesets.narraject.state import Options
from tests.rulesets.golden import Latest, Move, check, move, playthrough

GOLDEN = Path(__file__).parent / "golden"
TOVE_IS, AGNES_IS = "Tove Lindqvist", "Sister Agnes"
SAMPLES = HERO_BOOK.samples(Options())

DIVE: dict[str, Any] = {
    "who": TOVE_IS,
    "stat": "agility",
    "goal": "the bell loose from its beam",
    "approach": "one long dive under the belfry",
}
BLUFF: dict[str, Any] = {
    "who": AGNES_IS,
    "stat": "persona",
    "goal": "the customs men to search the other boat",
    "approach": "a rosary and a straight face",
}

EVENING: list[Move | str] = [
    "The harbour",
    move("Bo", "make_hero", **SAMPLES[TOVE_IS]),
    move("Cy", "make_hero", **SAMPLES[AGNES_IS]),
    move("Ada", "begin_evening"),
    move("Ada", "improvise_scene", title="Low tide", hook="The towers stand out of the water for an hour."),
    "Intents and difficulties",
    move("Bo", "declare_intent", who=TOVE_IS, goal=DIVE["goal"], approach=DIVE["approach"]),
    move("Ada", "request_roll", who=TOVE_IS, command="attempt", difficulty=4, what_for="the bell"),
    move("Ada", "grant_aspect", name="Slack water", preset="perfect conditions"),
    move("Bo", "attempt", who=TOVE_IS, stat="agility", request=Latest("request"), focus=6),
    move(
        "Bo", "attempt", 6, 5, 4, 3, 2, 1, 6, 5, 2, 3,
        who=TOVE_IS, stat="agility", request=Latest("request"), focus=4,
        anchors=["Breath of a Seal"], assets=["Pry Bar"], aspects=["Slack water"], burdens=[],
    ),
    move("Ada", "say_yes", who=AGNES_IS, goal="the rope made fast", approach="a good knot", missing="challenge"),
    move("Cy", "attempt", who=AGNES_IS, stat="might", goal="the oars in", approach="leaning", difficulty="trivial"),
    "A hidden difficulty",
    move("Ada", "request_roll", who=AGNES_IS, command="attempt", difficulty=3, hidden=True, what_for="the customs"),
    move("Ada", "press_burden", who=AGNES_IS, burden="Will Not Lie"),
    move(
        "Cy", "attempt", 5, 6, 2, 5,
        **BLUFF, request=Latest("request"), anchors=["Nobody Suspects a Nun"], focus=1, makes_aspect="The other boat",
    ),
    move("Ada", "reveal", act=Latest("act")),
    move("Bo", "offer_help", who=TOVE_IS, whom=AGNES_IS),
    move(
        "Cy", "attempt", 1, 2, 3,
        **{**BLUFF, "goal": "the captain to look away"}, difficulty="hard",
        aspects=["help from Tove Lindqvist", "The other boat"],
    ),
    move("Ada", "lift_burden", who=AGNES_IS, burden="Will Not Lie"),
    "Injections",
    move("Bo", "inject", fact="the harbourmaster is blind in one eye", aspect="A blind side", span="story"),
    move("Bo", "inject", fact="and deaf"),
    move("Ada", "veto_injection", injection=Latest("injection"), why="we have met him"),
    move("Bo", "inject", fact="the harbourmaster owes Tove a drink"),
    "A threat",
    move("Ada", "raise_threat", name="The drowned verger", level=2, boss=True),
    move(
        "Bo", "defend", 1, 2, 3, 4,
        who=TOVE_IS, stat="agility", threat="The drowned verger", approach="a kick off the beam", focus=2,
    ),
    move("Ada", "take_stress", who=TOVE_IS, damage=4, condition="water in the lungs"),
    move(
        "Bo", "attempt", 5, 5, 1,
        **{**DIVE, "stat": "might", "goal": "the verger back in his vault"}, threat="The drowned verger",
        anchors=["Hauls and Hoists"],
    ),
    move("Ada", "end_threat", threat="The drowned verger"),
    move(
        "Cy", "treat", 5, 6, 5, 2,
        who=AGNES_IS, whom=TOVE_IS, track="physical", grade="moderate", approach="herbs and a thump on the back",
        anchors=["Herbs and Bandages"],
    ),
    "Rest, growth and a rewind",
    move("Ada", "mark_save_node", label="the quay"),
    move("Ada", "end_scene"),
    move("Ada", "rest", kind="short"),
    move("Ada", "award_points", who=[TOVE_IS], points=2),
    move("Bo", "buy_anchor", who=TOVE_IS, name="Bell Founder", new_burden="Hears Bells", scope="specific"),
    move("Bo", "raise_stat", who=TOVE_IS, stat="might"),
    move("Ada", "rewind", node=Latest("node"), price="reserve", amount=2),
    move("Ada", "mark_save_node", label="the quay again"),
    move("Ada", "rewind", node=Latest("node"), price="burden"),
    move("Ada", "rest", kind="long"),
    move("Ada", "override", who=TOVE_IS, what="persona_reserve", value=0, why="a curse"),
    move("Ada", "end_evening"),
    move("Ada", "begin_evening"),
]  # fmt: skip

BARE: list[Move | str] = [
    "Without the companions, one Anchor a roll, and hands that can be empty",
    move("Bo", "make_hero", **SAMPLES[TOVE_IS]),
    move("Bo", "attempt", **DIVE, difficulty=1, anchors=["Breath of a Seal", "Reads the Tide"]),
    move("Bo", "attempt", **DIVE, difficulty=1, burdens=["Brother Down There", "Half Deaf"], focus=1),
    move("Bo", "attempt", **DIVE, difficulty=1, burdens=["Brother Down There", "Half Deaf"]),
    move("Bo", "carry_asset", who=TOVE_IS, asset="Brass Helmet", carried=False),
    move("Bo", "attempt", 4, **DIVE, difficulty="mythic", burdens=["Brother Down There"]),
    move("Ada", "take_stress", who=TOVE_IS, damage=4),
    move("Ada", "raise_threat", name="A conger", level=1),
    move("Ada", "award_points", who=[TOVE_IS]),
    move("Ada", "rest", kind="long"),
]

WITHOUT_COMPANIONS: dict[str, Any] = {
    "anchors_per_roll": "one",
    "hand_floor": "zero",
    **dict.fromkeys(("stat_points", "recovery", "stress", "threats", "treatment", "advancement"), False),
}


def test_an_evening_of_all_rules(tmp_path: Path) -> None:
    """NJ-01 to NJ-06, NJ-10 to NJ-25, NJ+01 to NJ+06: what everyone sees, word for word."""
    check(GOLDEN / "evening.txt", playthrough(NARRAJECT, EVENING, tmp_path, players=("Bo", "Cy")))


def test_an_evening_with_every_companion_rule_switched_off(tmp_path: Path) -> None:
    """NJ-14, NJ-20: the options, and every companion switched off."""
    text = playthrough(NARRAJECT, BARE, tmp_path, players=("Bo",), options=WITHOUT_COMPANIONS)
    check(GOLDEN / "bare.txt", text)
