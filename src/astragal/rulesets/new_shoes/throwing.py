"""The dice on the table: which came from which, and what they come to. NS-03.

A rule's verdict knows only as much of the total as matters; the dice themselves are in the record, and are read here.
Dice thrown by hand may come in several goes: those that fell are set aside until the others are entered.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from astragal.chance import Fate
from astragal.chance.dice import chains
from astragal.table.deeds import Decided, DecisionLapsed, DecisionOpened, DecisionWithdrawn, Rolled
from astragal.table.ruleset import Chapter, Happening, Reaction
from astragal.table.state import Asked, Die, State

from . import words
from .approaches import approach
from .calling import ROLL
from .game import Thrown
from .happened import DiceSetAside, DiceTakenUp, DiceThrown
from .opposing import opposed_approach

Chains = tuple[tuple[int, ...], ...]
"""Each die that was thrown, with those that it brought."""

RULES = {rule.name: rule for rule in (approach, opposed_approach)}


def _explodes(die: Die) -> bool:
    return die.fate == Fate.EXPLODED.value


def total(thrown: Chains) -> int:
    return sum(map(sum, thrown))


# ---------------------------------------------------------------- reading the record


def _read(state: State, rolled: Rolled) -> list[DiceThrown]:
    dice = (*state.game.taken_up, *rolled.dice)
    if rolled.command != ROLL or rolled.question.rule not in RULES:
        return []
    numbers = _arguments(rolled.question)
    mine, theirs = numbers["dice"], numbers.get("opposing", 0)
    found = chains(iter(dice), mine + theirs, _explodes)
    if len(dice) < mine + theirs or any(_explodes(one[-1]) for one in found):
        return []
    faces = tuple(tuple(die.face for die in one) for one in found)
    return [_thrown(faces[:mine], faces[mine:], numbers)]


def _thrown(mine: Chains, theirs: Chains, numbers: dict[str, Any]) -> DiceThrown:
    opposing = numbers.get("opposing_statuses", 0)
    return DiceThrown(
        mine=mine,
        statuses=numbers["statuses"],
        total=total(mine) + numbers["statuses"],
        theirs=theirs,
        opposing_statuses=opposing,
        opposing_total=total(theirs) + opposing if theirs else None,
    )


def _arguments(asked: Asked) -> dict[str, Any]:
    return dict(zip(RULES[asked.rule].parameters, asked.arguments, strict=True))


def _set_aside(_: State, opened: DecisionOpened) -> list[DiceSetAside]:
    decision = opened.decision
    return [DiceSetAside(act=decision.act, dice=decision.dice)] if decision.command == ROLL and decision.dice else []


def _take_up(state: State, decided: Decided) -> list[DiceTakenUp]:
    return [DiceTakenUp(act=decided.act)] if decided.act in state.game.aside else []


def _clear_away(state: State, gone: DecisionWithdrawn | DecisionLapsed) -> list[DiceSetAside]:
    return [DiceSetAside(act=gone.act, dice=())] if gone.act in state.game.aside else []


# ---------------------------------------------------------------- folds


def _lay(state: State, told: DiceSetAside) -> State:
    others = {act: dice for act, dice in state.game.aside.items() if act != told.act}
    aside = {**others, told.act: told.dice} if told.dice else others
    return replace(state, game=replace(state.game, aside=aside, taken_up=()))


def _gather_up(state: State, told: DiceTakenUp) -> State:
    aside = dict(state.game.aside)
    return replace(state, game=replace(state.game, taken_up=aside.pop(told.act), aside=aside))


def _remember(state: State, told: DiceThrown) -> State:
    return replace(state, game=replace(state.game, thrown=Thrown(mine=told.mine, theirs=told.theirs), taken_up=()))


THROWING = Chapter(
    happenings=(
        Happening(DiceThrown, words.dice_thrown, _remember),
        Happening(DiceSetAside, words.dice_set_aside, _lay),
        Happening(DiceTakenUp, words.dice_taken_up, _gather_up),
    ),
    reactions=(
        Reaction(Rolled, _read),
        Reaction(DecisionOpened, _set_aside),
        Reaction(Decided, _take_up),
        Reaction(DecisionWithdrawn, _clear_away),
        Reaction(DecisionLapsed, _clear_away),
    ),
)
