"""Defending: the one who is attacked rolls, and a failure costs stress. NJ+04."""

from __future__ import annotations

from typing import Any

from astragal.chance import Question
from astragal.table.ruleset import Action, Call, Chapter, Spend

from . import words
from .asked import Defend
from .game import Intent
from .gathering import focus_range, gather_hand
from .intent import attempted, no_intent
from .rolling import Outcome, Result, roll_hand
from .sheet import find
from .stress import harmed
from .threats import find_threat


def _gather(call: Call, asked: Defend) -> Question[Outcome]:
    if not asked.approach.strip():
        raise no_intent()
    return roll_hand(gather_hand(call, asked, asked.stat), find_threat(call.state, asked.threat).level)


def _tell(call: Call, asked: Defend, outcome: Outcome) -> list[Any]:
    """NJ+04: a failed defence costs the threat's level and 1 more, 2 more against a boss."""
    threat = find_threat(call.state, asked.threat)
    goal = asked.goal.strip() or words.defence_goal(threat)
    told = attempted(call, asked, asked.stat, Intent(goal=goal, approach=asked.approach), outcome)
    if outcome.success or not call.state.options.stress:
        return [told]
    who = find(call.state, asked.who)
    return [told, *harmed(who, threat.track, threat.stress, condition=asked.condition)]


DEFENCE = Chapter(
    actions=(
        Action(
            Defend,
            _tell,
            gather=_gather,
            spend=Spend("focus", lambda call, asked: focus_range(call, asked, asked.stat)),
            outcome=lambda outcome: outcome.result,
            hopes=lambda result: result is Result.SUCCESS,
        ),
    ),
)
