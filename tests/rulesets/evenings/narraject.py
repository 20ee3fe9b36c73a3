"""An evening of Narraject in which everything is done at least once."""

from __future__ import annotations

from typing import Any

from astragal.table.contract import GAME_MASTER, OTHER_PLAYER, PLAYER, Step
from tests.rulesets.narraject.playing import KIRA, LUND, SHOT

OPTIONS: dict[str, Any] = {}


def _another_session() -> list[Step]:
    """A session gives 2 points, and a hero holds no more than 5."""
    award = Step(GAME_MASTER, "award_points", {"who": ["Kira"], "points": 2})
    return [Step(GAME_MASTER, "end_evening"), Step(GAME_MASTER, "begin_evening"), award]


EVENING = [
    Step(PLAYER, "make_hero", KIRA),
    Step(OTHER_PLAYER, "make_hero", LUND),
    Step(GAME_MASTER, "begin_evening"),
    # intents and rolls
    Step(PLAYER, "declare_intent", {"who": "Kira", "goal": "across", "approach": "a leap"}),
    Step(GAME_MASTER, "say_yes", {"who": "Kira", "missing": "challenge"}),
    Step(GAME_MASTER, "grant_aspect", {"name": "Fog"}),
    Step(OTHER_PLAYER, "offer_help", {"who": "Lund", "whom": "Kira"}),
    Step(PLAYER, "attempt", {**SHOT, "difficulty": 2, "focus": 1, "anchors": ["Expert Marksman"], "aspects": ["Fog"]}),
    Step(GAME_MASTER, "request_roll", {"who": "Kira", "command": "attempt", "difficulty": 3, "hidden": True}),
    Step(PLAYER, "attempt", {**SHOT, "request": "act-9"}, faces=(5, 5, 6)),
    # injections
    Step(PLAYER, "inject", {"fact": "a rope hangs there", "aspect": "Rope"}),
    Step(GAME_MASTER, "veto_injection", {"injection": "act-11", "why": "it burned"}),
    # burdens and gear
    Step(GAME_MASTER, "press_burden", {"who": "Kira", "burden": "Old Wound"}),
    Step(GAME_MASTER, "lift_burden", {"who": "Kira", "burden": "Old Wound"}),
    Step(GAME_MASTER, "press_burden", {"who": "Kira", "burden": "Hunted"}),
    Step(GAME_MASTER, "gain_asset", {"who": "Kira", "asset": {"name": "Lamp"}}),
    Step(PLAYER, "carry_asset", {"who": "Kira", "asset": "Lamp", "carried": False}),
    Step(PLAYER, "lose_asset", {"who": "Kira", "asset": "Lamp"}),
    # harm and what becomes of it
    Step(GAME_MASTER, "raise_threat", {"name": "Hound", "level": 4, "boss": True}),
    Step(PLAYER, "defend", {"who": "Kira", "stat": "agility", "threat": "Hound", "approach": "aside"}, faces=(1,) * 9),
    Step(PLAYER, "attempt", {**SHOT, "threat": "Hound"}, faces=(6,) * 9),
    Step(GAME_MASTER, "take_stress", {"who": "Lund", "damage": 7, "condition": "Broken Rib"}),
    Step(
        PLAYER,
        "treat",
        {"who": "Kira", "whom": "Lund", "track": "physical", "grade": "minor", "approach": "splints"},
        faces=(6,) * 9,
    ),
    *(Step(GAME_MASTER, "take_stress", {"who": "Lund", "damage": 30}) for _ in range(2)),
    Step(GAME_MASTER, "bring_back", {"who": "Lund"}),
    Step(GAME_MASTER, "rest", {"who": ["Kira", "Lund"], "kind": "long"}),
    # growth
    *_another_session(),
    Step(PLAYER, "buy_anchor", {"who": "Kira", "name": "Cook", "new_burden": "Picky"}),
    *_another_session(),
    Step(PLAYER, "raise_anchor", {"who": "Kira", "anchor": "Rooftops"}),
    *_another_session(),
    *_another_session(),
    Step(PLAYER, "raise_stat", {"who": "Kira", "stat": "might"}),
    *_another_session(),
    Step(PLAYER, "ease_burden", {"who": "Kira", "burden": "Hunted"}),
]
