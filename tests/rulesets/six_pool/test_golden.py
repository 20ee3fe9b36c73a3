"""An evening of Six-Pool d20, played again and held against its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.rulesets.six_pool import SIX_POOL
from astragal.rulesets.six_pool.heroes import HERO_BOOK
from astragal.rulesets.six_pool.state import Options
from astragal.table.declarations import Sight
from tests.rulesets.golden import Latest, check, move, playthrough

ODA, BRANNOC, YSOLDE, *_ = HERO_BOOK.samples(Options()).values()

EVENING = (
    "The people",
    move("Bo", "make_hero", **ODA),
    move("Cy", "make_hero", **BRANNOC),
    move("Ed", "make_hero", **{**YSOLDE, "pools": {**YSOLDE["pools"], "STR": 12}}),
    move("Ed", "make_hero", **YSOLDE),
    move("Ada", "make_npc", name="Warden", level=5, armour=5, hit_points=9, training={"perception": "trained"}),
    move("Ada", "make_npc", name="Magistrate", level=5, pools={"CHA": 6}, training={"persuasion": "trained"}),
    move("Ada", "add_skill", name="tide lore", pool="WIS"),
    "Over the wall",
    move("Ada", "begin_evening"),
    move("Ada", "improvise_scene", title="The customs house", hook="Low tide, no moon."),
    move("Ada", "mark_save_node", label="low tide"),
    move("Bo", "check", 10, who="Oda Kestrel", skill="lock picking", dc=18, points=3),
    move("Bo", "check", who="Oda Kestrel", skill="lock picking", dc=18, points=6),
    move("Ed", "check", 11, who="Ysolde Marr", skill="tide lore", difficulty="medium", circumstances=["favourable"]),
    move("Ed", "check", who="Ysolde Marr", skill="arcane knowledge", difficulty="easy"),
    move("Ed", "help", who="Ysolde Marr", ally="Oda Kestrel", skill="stealth", how="hums over the creaking"),
    move("Ada", "judge_help", offer=Latest("offer")),
    move("Ada", "judge_help", offer=Latest("offer"), waive_training=True),
    move("Ada", "call_group_check", skill="stealth", dc=13, hidden=True, leader="Oda Kestrel", what_for="the yard"),
    move("Bo", "lead", who="Oda Kestrel", ally="Brannoc Tull", points=4),
    move("Cy", "check", 10, who="Brannoc Tull", skill="stealth"),
    move("Bo", "check", 3, 15, who="Oda Kestrel", skill="stealth"),
    move("Bo", "answer", act=Latest("act"), answer="keep"),
    move("Ed", "check", 2, who="Ysolde Marr", skill="stealth"),
    move("Ada", "award_inspiration", who="Oda Kestrel", why="the song about the gulls"),
    move("Ada", "passive", who="Warden", dc=12, sight=Sight.SECRET),
    move(
        "Ada",
        "request_roll",
        who="Oda Kestrel",
        command="check",
        fields={"skill": "stealth"},
        difficulty=16,
        hidden=True,
    ),
    move("Bo", "check", 6, who="Oda Kestrel", skill="stealth", points=2),
    move("Bo", "answer", 17, act=Latest("act"), answer="inspiration"),
    "A word with the magistrate",
    move("Ed", "contest", who="Ysolde Marr", against="Magistrate", contest="debate"),
    move("Ed", "answer", act=Latest("act"), answer=2),
    move("Ada", "answer", 4, act=Latest("act"), answer=1),
    move("Ed", "answer", 12, 11, act=Latest("act"), answer="second verse"),
    "Blades in the yard",
    move("Ada", "begin_encounter", name="the yard"),
    move("Bo", "take", who="Oda Kestrel", skill="lock picking", dc=14),
    move("Cy", "attack", 9, 6, who="Brannoc Tull", target="Warden", points=2, advantage=["flanking"]),
    move("Cy", "answer", act=Latest("act"), answer="keep"),
    move("Cy", "attack", 4, who="Brannoc Tull", target="Warden", damage="1d8+3"),
    move("Cy", "answer", 20, 7, 5, act=Latest("act"), answer="old drill"),
    move("Ada", "answer_prompt", prompt=Latest("prompt"), words="The gate stands open behind him."),
    move("Ada", "check", 1, who="Magistrate", pool="DEX", dc=10, sight=Sight.HIDDEN),
    move("Ed", "save", 14, who="Ysolde Marr", threat="fear", dc=15, points=1),
    move("Ada", "harm", 5, who="Oda Kestrel", damage="1d6+2", why="a bolt"),
    move("Ada", "end_encounter"),
    "Breath",
    move("Ada", "rest"),
    move("Bo", "recover", 4, who="Oda Kestrel"),
    move("Bo", "spread", who="Oda Kestrel", points={"DEX": 5}),
    move("Ada", "rewind", node=Latest("node"), price="points", amount=2),
    move("Ada", "change_edge_rule", edge="efficiency", why="the table voted"),
    move("Bo", "check", 9, who="Oda Kestrel", skill="lock picking", dc=18, points=3),
    move("Ada", "rest", kind="long"),
    move("Ada", "end_evening"),
)


@pytest.mark.slow
def test_an_evening_of_six_pool_is_told_as_before(tmp_path: Path) -> None:
    """SP-01 to SP-21, SP+01 to SP+05: everything that an evening meets, as each seat sees it."""
    text = playthrough(SIX_POOL, EVENING, tmp_path, players=("Bo", "Cy", "Ed"))
    check(Path(__file__).parent / "golden" / "evening.txt", text)
