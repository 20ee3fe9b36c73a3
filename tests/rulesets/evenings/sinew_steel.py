"""An evening of Sinew & Steel: what brings about all that samples alone do not."""

from __future__ import annotations

from typing import Any

from astragal.table.contract import GAME_MASTER, OTHER_PLAYER, PLAYER, Step

SAMPLE = {
    "name": "Sable",
    "concept": "a courier",
    "scores": {"REF": 12},
    "gear": ["Satchel"],
    "advantage": "knows every roof",
}

OPTIONS: dict[str, Any] = {
    "samples": [SAMPLE],
    "plugins": ["feat", "ritual", "ally", "stress"],
    "build_points": 16,
}

EVENING = [
    Step(PLAYER, "make_hero", {"name": "Kira", "scores": {"REF": 12, "LCK": 8}}),
    Step(OTHER_PLAYER, "take_sample", {"sample": "Sable"}),
    Step(GAME_MASTER, "make_npc", {"name": "Guard", "score": 10}),
    Step(GAME_MASTER, "begin_evening"),
    # a roll that was asked for, on which the ally's tokens are spent and given back
    Step(GAME_MASTER, "request_roll", {"who": "Kira", "command": "test", "what_for": "the rope"}),
    Step(PLAYER, "test", {"who": "Kira", "attribute": "REF", "request": "act-5"}, faces=(14,), answers=(2, -2)),
    Step(GAME_MASTER, "grant_favours", {"points": 2}),
    Step(PLAYER, "luck_test", {"who": "Kira", "why": "sheer chance", "stakes": "the coin"}, faces=(4,)),
    Step(PLAYER, "feat", {"who": "Kira"}),
    Step(PLAYER, "ritual", {"who": "Kira", "attribute": "INT", "stakes": "the ward"}, faces=(19, 18)),
    # an encounter in which sides roll for who is first
    Step(GAME_MASTER, "begin_encounter", {"name": "The Gorge"}),
    Step(GAME_MASTER, "roll_sides", faces=(12, 7)),
    Step(PLAYER, "attack", {"attacker": "Kira", "defender": "Guard"}, faces=(3, 17)),
    Step(GAME_MASTER, "attack", {"attacker": "Guard", "defender": "Kira"}, faces=(2, 19)),
    Step(GAME_MASTER, "end_encounter"),
    # Pressure: up, used, eased
    Step(PLAYER, "tamper", {"who": "Kira", "attribute": "INT", "stakes": "the seal"}, faces=(19,)),
    Step(GAME_MASTER, "set_wealth", {"who": "Kira", "wealth": 3}),
    Step(GAME_MASTER, "show_wealth", {"who": "Kira"}),
    Step(GAME_MASTER, "pressure_move", {"move": "side effect", "who": "Kira", "words": "a cold hand"}),
    Step(PLAYER, "rite", {"who": "Kira", "attribute": "INT", "stakes": "peace"}, faces=(4,)),
    # a rewind that is paid in Pressure, and the crisis that it brings
    Step(GAME_MASTER, "end_evening"),
    Step(GAME_MASTER, "begin_evening"),
    Step(GAME_MASTER, "raise_pressure", {"who": "Kira", "rise": 2}),
    Step(GAME_MASTER, "mark_save_node", {"label": "the brink"}),
    Step(PLAYER, "test", {"who": "Kira", "attribute": "MGT", "stakes": "the ledge"}, faces=(19,)),
    Step(GAME_MASTER, "rewind", {"node": "act-24", "price": "pressure"}),
    Step(GAME_MASTER, "face_crisis", {"strikes": "Kira"}),
    Step(GAME_MASTER, "raise_pressure", {"who": "Sable", "rise": 1}),
    Step(GAME_MASTER, "sacrifice", {"who": "Sable", "score": "REF"}),
]
