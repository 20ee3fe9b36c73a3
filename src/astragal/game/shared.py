"""Events and functions of every table, whichever game is played: for a game's chapters to follow and to use."""

from astragal.table.chapters.calendar import (
    DayPassed,
    EncounterBegan,
    EncounterEnded,
    EveningBegan,
    EveningEnded,
    Rested,
    ends_with,
)
from astragal.table.chapters.cast import FateRecorded, Overridden
from astragal.table.chapters.clocks import (
    KEPT_CLOCKS,
    ClockFired,
    ClockId,
    ClockStarted,
    ClockTicked,
    new_clock,
    ticked,
)
from astragal.table.chapters.conditions import (
    ConditionBegan,
    ConditionEnded,
    conditions_on,
    end_of,
    modifier,
    new_condition,
)
from astragal.table.chapters.oracle import MoveDealt
from astragal.table.chapters.prompts import (
    PromptAnswered,
    PromptPut,
    RequestId,
    RequestMet,
    RequestWithdrawn,
    RollRequested,
    find_request,
    met,
    new_prompt,
)
from astragal.table.chapters.scenes import SceneBegan, SceneEnded, present_scene
from astragal.table.commands.builtin import Decided, DecisionLapsed, DecisionOpened, DecisionWithdrawn, Revealed, Rolled
from astragal.table.state.setting import MoveKind
from astragal.table.state.things import Clock, Condition, Face, Fate, Hands, Request, Rest, Until

__all__ = [
    "KEPT_CLOCKS",
    "Clock",
    "ClockFired",
    "ClockId",
    "ClockStarted",
    "ClockTicked",
    "Condition",
    "ConditionBegan",
    "ConditionEnded",
    "DayPassed",
    "Decided",
    "DecisionLapsed",
    "DecisionOpened",
    "DecisionWithdrawn",
    "EncounterBegan",
    "EncounterEnded",
    "EveningBegan",
    "EveningEnded",
    "Face",
    "Fate",
    "FateRecorded",
    "Hands",
    "MoveDealt",
    "MoveKind",
    "Overridden",
    "PromptAnswered",
    "PromptPut",
    "Request",
    "RequestId",
    "RequestMet",
    "RequestWithdrawn",
    "Rest",
    "Rested",
    "Revealed",
    "RollRequested",
    "Rolled",
    "SceneBegan",
    "SceneEnded",
    "Until",
    "conditions_on",
    "end_of",
    "ends_with",
    "find_request",
    "met",
    "modifier",
    "new_clock",
    "new_condition",
    "new_prompt",
    "present_scene",
    "ticked",
]
