"""What a roll uses up: help that was given for the next roll alone. SS-55, SS-67."""

from __future__ import annotations

from astragal.table.chapters.conditions import ConditionEnded, end_of
from astragal.table.ruleset import Chapter, Reaction

from .circumstances import HELP, HINDRANCE, ONCE, bears_on
from .game import Table
from .happened import Attacked, LuckTried, Opposed, Tried

USED = "used"


def _after_one(state: Table, rolled: Tried | LuckTried) -> list[ConditionEnded]:
    return _used_up(state, rolled.who)


def _after_two(state: Table, rolled: Opposed | Attacked) -> list[ConditionEnded]:
    sides = (rolled.attacker,) if rolled.defence is None else (rolled.attacker, rolled.defender)
    return _used_up(state, *sides)


def _used_up(state: Table, *rollers: str) -> list[ConditionEnded]:
    """Spent even where it only cancelled a hindrance."""
    passing = [one for one in state.conditions.values() if one.numbers.get(ONCE, 0)]
    return [
        end_of(one, words=USED)
        for one in passing
        if any(
            one.who in (who, None) and bears_on(state, one, state.characters[who], effect)
            for who in rollers
            for effect in (HELP, HINDRANCE)
        )
    ]


PASSING = Chapter(
    reactions=(
        Reaction(Tried, _after_one),
        Reaction(LuckTried, _after_one),
        Reaction(Opposed, _after_two),
        Reaction(Attacked, _after_two),
    )
)
