"""Who tells what comes of a roll. NS-05.

The prompt is the table's: an answer that the game master edits keeps its first text beside the second.
"""

from __future__ import annotations

from astragal.table.chapters.prompts import PromptPut, new_prompt
from astragal.table.state import State

from .results import Result
from .words import WHAT_COMES_OF_IT

NARRATION = "narration"
"""The kind of these prompts. Each has the id of the approach that it is about."""


def narrating(state: State, approach: str, who: str, result: Result) -> PromptPut:
    """NS-05: the player tells a success, the game master whatever else. The words give no hidden target away."""
    teller = who if result.player_narrates else state.game_master
    return new_prompt(state, approach, teller, WHAT_COMES_OF_IT, kind=NARRATION)
