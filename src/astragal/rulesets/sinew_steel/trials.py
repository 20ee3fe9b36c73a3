"""Tests at the table, of attributes and of Luck, and what needs no dice. SS-01 to SS-06, SS-09, SS-24, SS-29, SS-41."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from astragal.chance import Question
from astragal.table.chapters.calendar import EveningBegan
from astragal.table.chapters.requests import RequestMet, find_request, met
from astragal.table.declarations import Sight
from astragal.table.refusals import NotAllowed, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction
from astragal.table.state import Character

from . import words
from .able import check_acts, decider
from .asked import Attempt, Resolve, Trial, TryLuck
from .circumstances import (
    Circumstances,
    check_circumstances,
    favours_for,
    ground,
    is_closed,
    known_key,
    may_spend,
    score_on,
    stand,
)
from .fortune import WITH_LUCK, spent_by
from .game import Table
from .happened import FateRecorded, LuckTestsCounted, LuckTestsForgotten, LuckTried, Resolved, Tried
from .luck import LuckTarget, Stand, degree, is_hoped_for, luck_test, nudged_test
from .rolling import Roll
from .sheet import Fate, Sheet, find
from .shown import shown
from .tracks import surcharge

MANY_LUCK_TESTS = 2

Asked = Trial | TryLuck

# ---------------------------------------------------------------- tests


def _named(asked: Asked) -> Circumstances:
    return Circumstances(asked.advantage, asked.disadvantage)


def _stakes(call: Call, asked: Asked) -> str:
    """SS-09: what is at stake is said with the roll, or was said when it was asked for."""
    asked_for = find_request(call.state, asked.request, asked.who).what_for if asked.request else ""
    stakes = asked.stakes.strip() or asked_for
    if not stakes:
        raise Refusal("Say what is at stake; where nothing is, no roll is needed.", code="no_stakes")
    return stakes


def _met(call: Call, asked: Asked) -> list[RequestMet]:
    return [met(find_request(call.state, asked.request, asked.who))] if asked.request else []


class Tested(NamedTuple):
    """What a test of an attribute is rolled with."""

    score: int
    stand: Stand
    lethal: bool


def tested(call: Call, asked: Trial) -> Tested:
    """SS-09, SS-32, SS-41: whether it can be rolled, and with what."""
    state, who = call.state, find(call.state, asked.who)
    key = known_key(state.options, asked.attribute)
    if key == state.options.luck:
        raise Refusal("Luck is tested by luck_test, which says why no attribute will do.", code="luck_test")
    _stakes(call, asked)
    check_acts(call, who)
    check_circumstances(call, _named(asked), key)
    standing = stand(call, who, key, _named(asked), always_asked=isinstance(asked, Attempt) and asked.ask)
    return Tested(score_on(state, who, key), standing, is_warned(who, _lethal(call, asked)))


def told_test(call: Call, asked: Trial, roll: Roll) -> list[Any]:
    who, stakes = find(call.state, asked.who), _stakes(call, asked)
    key = known_key(call.state.options, asked.attribute)
    told = shown(who, key, ground(call.state, who, key, _named(asked)), roll)
    lethal = _lethal(call, asked)
    tried = Tried(who=who.id, roll=told, stakes=stakes, lethal=lethal is not None)
    return [*spent_by(call.state, (who.id, roll)), tried, *_fate(who, lethal, roll, stakes), *_met(call, asked)]


def _ask_test(call: Call, asked: Attempt) -> Question[Roll]:
    return nudged_test(*tested(call, asked))


def check_called(call: Call, who: Character[Sheet], lethal: Fate | None) -> None:
    """SS-41: lethal stakes are the custodian's to call, and not in secret: everyone concerned is warned."""
    if lethal is not None and not call.viewer.is_game_master:
        raise NotAllowed("Only the game master calls for lethal stakes.")
    if is_warned(who, lethal) and call.sight is not Sight.OPEN:
        raise Refusal(f"{who.name}’s player is warned of lethal stakes, so this can't be rolled hidden.", code="lethal")


def is_warned(who: Character[Sheet], lethal: Fate | None) -> bool:
    """SS-41: whoever is concerned is warned; the custodian, who called, need not be."""
    return lethal is not None and who.seat is not None


def _lethal(call: Call, asked: Asked) -> Fate | None:
    """SS-41: the stakes as they were called, with the roll or with the request for it."""
    if asked.request:
        called = find_request(call.state, asked.request, asked.who).fields.get("lethal")
        if called in [fate.value for fate in Fate]:
            return Fate(called)
    check_called(call, find(call.state, asked.who), asked.lethal)
    return asked.lethal


def _fate(who: Character[Sheet], lethal: Fate | None, roll: Roll, stakes: str) -> list[FateRecorded]:
    if lethal is None or roll.success:
        return []
    return [FateRecorded(who=who.id, fate=lethal, told=stakes)]


def sides(call: Call, asked: Asked) -> Mapping[str, str]:
    """SS-55: whom a crisis strikes decides for themselves, and the custodian for the crisis."""
    who = decider(call.state, asked.who)
    return {"who": who, "struck": who, "custodian": call.state.game_master}


def numbers_are_closed(call: Call, asked: Asked) -> bool:
    return is_closed(find(call.state, asked.who))


# ---------------------------------------------------------------- Luck tests


def _ask_luck(call: Call, asked: TryLuck) -> Question[Roll]:
    state, who = call.state, find(call.state, asked.who)
    options = state.options
    _stakes(call, asked)
    check_acts(call, who, on_luck=True)
    check_circumstances(call, _named(asked), options.luck)
    if not who.sheet.is_hero and not who.sheet.luck:
        raise Refusal(f"{who.name} holds no tokens, so there is no Luck to test.", code="no_tokens")
    footing = ground(state, who, options.luck, _named(asked)).footing
    is_lethal = is_warned(who, _lethal(call, asked))
    if not may_spend(call, who, options.luck):
        return luck_test(who.sheet.luck, footing, LuckTarget.LIVE, is_lethal)
    return luck_test(
        who.sheet.luck,
        footing,
        options.luck_test_target,
        is_lethal,
        surcharge=surcharge(state, who),
        favours=favours_for(state, who),
    )


def _tell_luck(call: Call, asked: TryLuck, roll: Roll) -> list[Any]:
    who, stakes, key = find(call.state, asked.who), _stakes(call, asked), call.state.options.luck
    told = shown(who, key, ground(call.state, who, key, _named(asked)), roll)
    lethal = _lethal(call, asked)
    tried = LuckTried(who=who.id, roll=told, why=asked.why, stakes=stakes, lethal=lethal is not None)
    return [*spent_by(call.state, (who.id, roll)), tried, *_fate(who, lethal, roll, stakes), *_met(call, asked)]


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
        Action(
            Attempt,
            told_test,
            gather=_ask_test,
            sides=sides,
            outcome=degree,
            hopes=is_hoped_for,
            policies=WITH_LUCK,
            hides=numbers_are_closed,
        ),
        Action(
            TryLuck,
            _tell_luck,
            gather=_ask_luck,
            sides=sides,
            outcome=degree,
            hopes=is_hoped_for,
            hides=numbers_are_closed,
        ),
        Action(Resolve, _resolve),
    ),
    happenings=(
        Happening(Tried, words.tried, went=words.roll_went),
        Happening(LuckTried, words.luck_tried, _count, words.roll_went),
        Happening(LuckTestsCounted, words.luck_tests_counted),
        Happening(LuckTestsForgotten, words.luck_tests_forgotten, _forget),
        Happening(Resolved, words.resolved, went=words.resolved_went),
    ),
    reactions=(Reaction(LuckTried, _mention_count), Reaction(EveningBegan, _new_evening)),
)
