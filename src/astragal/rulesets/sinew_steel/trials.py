"""Tests at the table, of attributes and of Luck, and what needs no dice. SS-01 to SS-06, SS-09, SS-24, SS-29, SS-41."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from astragal.chance import Question
from astragal.table.chapters.calendar import EveningBegan
from astragal.table.chapters.requests import RequestMet, find_request, met
from astragal.table.refusals import NotAllowed, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction
from astragal.table.state import Character

from . import words
from .asked import Attempt, Resolve, TryLuck
from .circumstances import Circumstances, check_able, check_circumstances, ground, is_closed, known_key, score_on, stand
from .fortune import spent_on
from .game import Table
from .happened import FateRecorded, LuckTestsCounted, LuckTestsForgotten, LuckTried, Resolved, Tried
from .luck import degree, luck_test, nudged_test
from .rolling import Roll
from .sheet import Fate, Sheet, find
from .shown import shown

MANY_LUCK_TESTS = 2

# ---------------------------------------------------------------- tests


def _named(asked: Attempt | TryLuck) -> Circumstances:
    return Circumstances(asked.advantage, asked.disadvantage)


def _stakes(call: Call, asked: Attempt | TryLuck) -> str:
    """SS-09: what is at stake is said with the roll, or was said when it was asked for."""
    asked_for = find_request(call.state, asked.request, asked.who).what_for if asked.request else ""
    stakes = asked.stakes.strip() or asked_for
    if not stakes:
        raise Refusal("Say what is at stake; where nothing is, no roll is needed.", code="no_stakes")
    return stakes


def _met(call: Call, asked: Attempt | TryLuck) -> list[RequestMet]:
    return [met(find_request(call.state, asked.request, asked.who))] if asked.request else []


def _ask_test(call: Call, asked: Attempt) -> Question[Roll]:
    state, who = call.state, find(call.state, asked.who)
    key = known_key(state.options, asked.attribute)
    if key == state.options.luck:
        raise Refusal("Luck is tested by luck_test, which says why no attribute will do.", code="luck_test")
    _stakes(call, asked)
    check_able(who, on_luck=False)
    check_circumstances(call, _named(asked))
    standing = stand(state, who, key, _named(asked), always_asked=asked.ask)
    return nudged_test(score_on(state, who, key), standing, is_warned(who, _lethal(call, asked)))


def _tell_test(call: Call, asked: Attempt, roll: Roll) -> list[Any]:
    who, stakes = find(call.state, asked.who), _stakes(call, asked)
    key = known_key(call.state.options, asked.attribute)
    told = shown(who, key, ground(call.state, who, key, _named(asked)), roll)
    lethal = _lethal(call, asked)
    tried = Tried(who=who.id, roll=told, stakes=stakes, lethal=lethal is not None)
    return [*spent_on(call.state, who.id, roll), tried, *_fate(who, lethal, roll, stakes), *_met(call, asked)]


def check_called(call: Call, lethal: Fate | None) -> None:
    """SS-41: lethal stakes are the custodian's to call."""
    if lethal is not None and not call.viewer.is_game_master:
        raise NotAllowed("Only the game master calls for lethal stakes.")


def is_warned(who: Character[Sheet], lethal: Fate | None) -> bool:
    """SS-41: whoever is concerned is warned; the custodian, who called, need not be."""
    return lethal is not None and who.seat is not None


def _lethal(call: Call, asked: Attempt | TryLuck) -> Fate | None:
    """SS-41: the stakes as they were called, with the roll or with the request for it."""
    if asked.request:
        called = find_request(call.state, asked.request, asked.who).fields.get("lethal")
        if called in [fate.value for fate in Fate]:
            return Fate(called)
    check_called(call, asked.lethal)
    return asked.lethal


def _fate(who: Character[Sheet], lethal: Fate | None, roll: Roll, stakes: str) -> list[FateRecorded]:
    if lethal is None or roll.success:
        return []
    return [FateRecorded(who=who.id, fate=lethal, told=stakes)]


def _sides(call: Call, asked: Attempt | TryLuck) -> Mapping[str, str]:
    return {"who": asked.who, "custodian": call.state.game_master}


def _numbers_are_closed(call: Call, asked: Attempt | TryLuck) -> bool:
    return is_closed(find(call.state, asked.who))


# ---------------------------------------------------------------- Luck tests


def _ask_luck(call: Call, asked: TryLuck) -> Question[Roll]:
    state, who = call.state, find(call.state, asked.who)
    options = state.options
    _stakes(call, asked)
    check_able(who, on_luck=True)
    check_circumstances(call, _named(asked))
    if not who.sheet.is_hero and not who.sheet.luck:
        raise Refusal(f"{who.name} holds no tokens, so there is no Luck to test.", code="no_tokens")
    footing = ground(state, who, options.luck, _named(asked)).footing
    return luck_test(who.sheet.luck, footing, options.luck_test_target, is_warned(who, _lethal(call, asked)))


def _tell_luck(call: Call, asked: TryLuck, roll: Roll) -> list[Any]:
    who, stakes, key = find(call.state, asked.who), _stakes(call, asked), call.state.options.luck
    told = shown(who, key, ground(call.state, who, key, _named(asked)), roll)
    lethal = _lethal(call, asked)
    tried = LuckTried(who=who.id, roll=told, why=asked.why, stakes=stakes, lethal=lethal is not None)
    return [*spent_on(call.state, who.id, roll), tried, *_fate(who, lethal, roll, stakes), *_met(call, asked)]


def _count(state: Table, _: LuckTried) -> Table:
    return replace(state, game=replace(state.game, luck_tests=state.game.luck_tests + 1))


def _mention_count(state: Table, _: LuckTried) -> list[LuckTestsCounted]:
    """SS-29: once or twice an evening is what the book has in mind."""
    tests = state.game.luck_tests
    return [LuckTestsCounted(tests=tests)] if tests >= MANY_LUCK_TESTS else []


def _new_evening(state: Table, _: EveningBegan) -> list[LuckTestsForgotten]:
    return [LuckTestsForgotten()] if state.game.luck_tests else []


def _forget(state: Table, _: LuckTestsForgotten) -> Table:
    return replace(state, game=replace(state.game, luck_tests=0))


# ---------------------------------------------------------------- without dice


def _resolve(call: Call, asked: Resolve, _: None) -> list[Resolved]:
    who = find(call.state, asked.who)
    return [Resolved(who=who.id, answer=asked.answer, matter=asked.matter, told=asked.told)]


TRIALS = Chapter(
    actions=(
        Action(Attempt, _tell_test, gather=_ask_test, sides=_sides, outcome=degree, hides=_numbers_are_closed),
        Action(TryLuck, _tell_luck, gather=_ask_luck, sides=_sides, outcome=degree, hides=_numbers_are_closed),
        Action(Resolve, _resolve),
    ),
    happenings=(
        Happening(Tried, words.tried),
        Happening(LuckTried, words.luck_tried, _count),
        Happening(LuckTestsCounted, words.luck_tests_counted),
        Happening(LuckTestsForgotten, words.luck_tests_forgotten, _forget),
        Happening(Resolved, words.resolved),
    ),
    reactions=(Reaction(LuckTried, _mention_count), Reaction(EveningBegan, _new_evening)),
)
