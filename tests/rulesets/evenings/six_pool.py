"""An evening of Six-Pool in which everything is done at least once."""

from __future__ import annotations

from typing import Any

from astragal.table.contract import GAME_MASTER, OTHER_PLAYER, PLAYER, Step

OPTIONS: dict[str, Any] = {}

FIGHTER = {
    "hero_class": "fighter",
    "pools": {"STR": 18, "DEX": 15, "CON": 12, "INT": 10, "WIS": 12, "CHA": 10},
    "edges": {"STR": 1},
    "training": {"athletics": "trained", "perception": "trained"},
}

EVENING = [
    Step(PLAYER, "make_hero", {"name": "Kira", **FIGHTER}),
    Step(OTHER_PLAYER, "make_hero", {"name": "Lund", **FIGHTER}),
    Step(GAME_MASTER, "make_npc", {"name": "Guard", "pools": {"STR": 6, "DEX": 6}}),
    Step(GAME_MASTER, "begin_evening"),
    Step(GAME_MASTER, "award_inspiration", {"who": "Kira", "why": "a song"}),
    # rolls
    Step(PLAYER, "check", {"who": "Kira", "skill": "athletics", "dc": 15, "points": 3}, faces=(9,)),
    Step(PLAYER, "attack", {"who": "Kira", "target": "Guard", "damage": "1d8+2"}, faces=(19, 5)),
    Step(PLAYER, "contest", {"who": "Kira", "against": "Lund", "pool": "STR", "against_pool": "STR"}, faces=(9, 8)),
    Step(GAME_MASTER, "contest", {"who": "Guard", "against": "Kira", "pool": "STR", "against_pool": "DEX"}),
    Step(GAME_MASTER, "request_roll", {"who": "Kira", "command": "check", "difficulty": 14, "hidden": True}),
    Step(PLAYER, "check", {"who": "Kira", "pool": "DEX", "request": "act-10"}, faces=(12,)),
    Step(PLAYER, "take", {"who": "Kira", "skill": "athletics", "dc": 12}),
    # groups and help
    Step(GAME_MASTER, "call_group_check", {"members": ["Kira", "Lund"], "skill": "athletics", "leader": "Kira"}),
    Step(PLAYER, "lead", {"who": "Kira", "ally": "Lund", "points": 2}),
    Step(PLAYER, "help", {"who": "Kira", "ally": "Lund", "how": "a shove"}),
    Step(GAME_MASTER, "judge_help", {"offer": "act-15"}),
    # rests
    Step(GAME_MASTER, "rest", {"who": ["Kira", "Lund"], "kind": "short"}),
    Step(PLAYER, "recover", {"who": "Kira"}, faces=(3,)),
    Step(PLAYER, "spread", {"who": "Kira", "points": {"STR": 1}}),
    # between rolls
    Step(GAME_MASTER, "raise_level", {"who": "Kira", "points": {"STR": 1, "DEX": 1, "CON": 1}}),
    Step(GAME_MASTER, "give_weapon", {"who": "Kira", "weapon": {"name": "Bow", "damage": "1d8", "manner": "ranged"}}),
    Step(PLAYER, "attack", {"who": "Kira", "target": "Guard"}, faces=(19, 5)),
    Step(PLAYER, "lose_weapon", {"who": "Kira", "weapon": "bow"}),
]
