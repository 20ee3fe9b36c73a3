"""Who can act, and who decides for them. SS-30, SS-55, SS-56, SS-65."""

from __future__ import annotations

from astragal.table.chapters.conditions import conditions_on
from astragal.table.refusals import NotAllowed, Refusal
from astragal.table.ruleset import Call
from astragal.table.state import Character

from .game import Table
from .sheet import Fate, Sheet

OUT_OF_CONTROL = "out_of_control"
"""SS-55: the key of a condition under which the custodian plays a hero."""
IN_A_RITE = "in_a_rite"
"""SS-56: the key of a condition under which a hero does nothing else."""


def check_able(who: Character[Sheet], *, on_luck: bool) -> None:
    """SS-30: the collapsed make Luck tests only; the dead make none."""
    if who.sheet.fate is Fate.DEAD:
        raise Refusal(f"{who.name} is dead.", code="dead")
    if who.sheet.is_collapsed and not on_luck:
        raise Refusal(f"{who.name} has collapsed and can only test Luck.", code="collapsed")


def check_acts(call: Call, who: Character[Sheet], *, on_luck: bool = False) -> None:
    """SS-30, SS-54 to SS-56: whoever wants something must be able to act, and nothing comes before a crisis."""
    check_able(who, on_luck=on_luck)
    check_no_crisis(call.state)
    if is_marked(call.state, who.id, OUT_OF_CONTROL) and not call.viewer.is_game_master:
        raise NotAllowed(f"{who.name} is out of control: the game master says what happens until the scene ends.")
    if is_marked(call.state, who.id, IN_A_RITE) and not on_luck:
        raise Refusal(f"{who.name} spends this session in a rite.", code="in_a_rite")


def check_no_crisis(state: Table) -> None:
    """SS-54, SS-65: a crisis comes at once."""
    if state.game.crises_due:
        raise Refusal(f"{state.terms['pressure']} has come to its crisis; that comes first.", code="crisis_due")


def is_marked(state: Table, who: str, mark: str) -> bool:
    return any(one.numbers.get(mark, 0) > 0 for one in conditions_on(state, who))


def decider(state: Table, who: str) -> str:
    """SS-55: who answers for a character: its player, or the custodian while it is out of control."""
    return state.game_master if is_marked(state, who, OUT_OF_CONTROL) else who
