"""An evening of New Shoes in which everything is done at least once."""

from __future__ import annotations

from astragal.table.contract import GAME_MASTER, OTHER_PLAYER, PLAYER, Step

OPTIONS = {"lessons": True}

EVENING = [
    Step(PLAYER, "make_hero", {"name": "Kira", "body": 3, "mind": 3, "will": 4}),
    Step(OTHER_PLAYER, "make_hero", {"name": "Lund", "body": 2, "mind": 3, "will": 5}),
    Step(GAME_MASTER, "make_npc", {"name": "Wolf", "body": 4}),
    Step(GAME_MASTER, "make_npc", {"name": "Door", "thing": True}),
    # an approach, with a hand lent and taken back
    Step(PLAYER, "describe", {"who": "Kira", "words": "a leap at its throat", "harmful": True}),
    Step(GAME_MASTER, "call_approach", {"who": "Kira", "attribute": "body", "target": 8, "against": "Wolf"}),
    Step(OTHER_PLAYER, "support", {"who": "Lund", "supported": "Kira", "attribute": "will"}),
    Step(OTHER_PLAYER, "withdraw_support", {"who": "Lund", "supported": "Kira"}),
    Step(OTHER_PLAYER, "support", {"who": "Lund", "supported": "Kira", "attribute": "will"}),
    Step(PLAYER, "roll_approach", {"who": "Kira"}, faces=(3, 2, 1, 1, 1, 1, 1, 1)),
    # sixes teach
    Step(PLAYER, "describe", {"who": "Kira", "words": "up the wall"}),
    Step(GAME_MASTER, "call_approach", {"who": "Kira", "attribute": "body", "target": "hard", "hidden": True}),
    Step(PLAYER, "roll_approach", {"who": "Kira"}, faces=(6, 6, 6, 1, 1, 1)),
    Step(PLAYER, "learn", {"who": "Kira", "speciality": "climbing"}),
    Step(PLAYER, "describe", {"who": "Kira", "words": "through the door", "harmful": True}),
    Step(GAME_MASTER, "call_approach", {"who": "Kira", "attribute": "body", "target": 4, "against": "Door"}),
    Step(PLAYER, "roll_approach", {"who": "Kira"}, faces=(5, 5, 5)),
    # one player against the other
    Step(PLAYER, "describe", {"who": "Kira", "words": "holds the map"}),
    Step(OTHER_PLAYER, "describe", {"who": "Lund", "words": "takes the map", "harmful": True}),
    Step(
        GAME_MASTER,
        "call_opposed",
        {"who": "Lund", "attribute": "will", "opponent": "Kira", "opposing_attribute": "mind"},
    ),
    Step(OTHER_PLAYER, "roll_approach", {"who": "Lund"}, faces=(3, 1, 1, 1, 1, 3, 1, 1)),
    # down, kept down, awake, healed
    Step(
        GAME_MASTER,
        "prompt_reaction",
        {"who": "Lund", "words": "it bites", "by": "Wolf", "attribute": "body", "target": 20},
    ),
    Step(OTHER_PLAYER, "describe", {"who": "Lund", "words": "aside", "approach": "act-22"}),
    Step(OTHER_PLAYER, "roll_approach", {"who": "Lund"}, faces=(1, 1)),
    Step(GAME_MASTER, "keep_down", {"who": "Lund"}),
    Step(GAME_MASTER, "begin_evening", {}),
    Step(GAME_MASTER, "wake", {"who": "Lund"}),
    Step(PLAYER, "describe", {"who": "Kira", "words": "bandages"}),
    Step(
        GAME_MASTER,
        "call_healing",
        {"who": "Kira", "attribute": "will", "target": 5, "patient": "Lund", "healed": "body"},
    ),
    Step(PLAYER, "roll_approach", {"who": "Kira"}, faces=(5, 5, 1, 1)),
    Step(PLAYER, "describe", {"who": "Kira", "words": "a nap"}),
    Step(PLAYER, "drop_approach", {"who": "Kira"}),
]
