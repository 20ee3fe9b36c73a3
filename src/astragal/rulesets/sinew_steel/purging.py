"""Shedding Pressure before it breaks: by sacrifice, by a rite, by a quest. SS-56."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from astragal.chance import Question
from astragal.table.chapters.conditions import new_condition
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.things.conditions import Until

from . import words_story as words
from .able import IN_A_RITE, check_acts
from .accounts import STAMINA
from .advancement import sacrifice
from .asked_story import CompleteQuest, MakeSacrifice, PerformRite, SetQuest
from .crises import check_free
from .fortune import WITH_LUCK
from .game import Quest, Table
from .happened_story import ItemLost, PressureFell, Purge, QuestDone, QuestSet, ScoreSacrificed
from .luck import degree, is_hoped_for, nudged_test
from .milestones import standing_of
from .rolling import Roll
from .sheet import Scores
from .tracks import TrackOf, hero, step, track_of, with_step
from .trials import numbers_are_closed, sides, tested, told_test


def _check_downtime(call: Call, track: TrackOf) -> None:
    """SS-56: in downtime, and where there is something to shed."""
    state: Table = call.state
    if state.calendar.encounter is not None:
        raise Refusal(f"“{state.calendar.encounter}” is going on; this takes downtime.", code="no_downtime")
    if not step(state, track):
        raise Refusal(f"{state.terms['pressure']} is at 0 already.", code="no_pressure")


def _fell(state: Table, track: TrackOf, how: Purge, *, to: int | None = None) -> PressureFell:
    before = step(state, track)
    return PressureFell(track_of=track, before=before, after=before - 1 if to is None else to, how=how)


# ---------------------------------------------------------------- sacrifice


def _sacrifice(call: Call, asked: MakeSacrifice, _: None) -> list[Any]:
    who = hero(call.state, asked.who)
    track = track_of(call.state, who.id, shared=asked.shared)
    check_acts(call, who)
    _check_downtime(call, track)
    if (asked.item is None) == (asked.score is None):
        raise Refusal("Give up one thing: a treasured item or a point of a score.", code="sacrifice")
    given = _item_given(call, asked) if asked.item else _score_given(call, asked)
    return [given, _fell(call.state, track, Purge.SACRIFICE)]


def _item_given(call: Call, asked: MakeSacrifice) -> ItemLost:
    who = hero(call.state, asked.who)
    item = who.sheet.item(asked.item or "")
    if item is None:
        raise Refusal(f"{who.name} does not carry {asked.item!r}.", code="not_carried")
    return ItemLost(who=who.id, item=item.name)


def _score_given(call: Call, asked: MakeSacrifice) -> ScoreSacrificed:
    """SS-56: within the rails; above baseline a build point comes back. Held tokens and Stamina are capped."""
    standing = standing_of(hero(call.state, asked.who).sheet)
    found = [key for key in standing.scores if key.casefold() == (asked.score or "").casefold()]
    if not found:
        raise NoSuchThing(f"There is no score {asked.score!r}; there are {', '.join(standing.scores)}.")
    left = sacrifice(standing, found[0])
    return ScoreSacrificed(
        who=asked.who,
        key=found[0],
        score=left.scores[found[0]],
        points=left.points,
        luck=left.tokens,
        stamina=left.stamina,
    )


# ---------------------------------------------------------------- rite


def _ask_rite(call: Call, asked: PerformRite) -> Question[Roll]:
    who = hero(call.state, asked.who)
    track = track_of(call.state, who.id, shared=asked.shared)
    check_free(call, track)
    _check_downtime(call, track)
    return nudged_test(*tested(call, asked))


def _tell_rite(call: Call, asked: PerformRite, roll: Roll) -> list[Any]:
    """SS-56: it costs the session either way; success takes 1 off, failure nothing."""
    track = track_of(call.state, asked.who, shared=asked.shared)
    busy = new_condition(
        call.state, call.fresh, words.RITE, who=asked.who, until=Until.EVENING_ENDS, numbers={IN_A_RITE: 1}
    )
    eased = [_fell(call.state, track, Purge.RITE)] if roll.success else []
    return [*told_test(call, asked, roll), busy, *eased]


# ---------------------------------------------------------------- quest


def _set_quest(call: Call, asked: SetQuest, _: None) -> list[QuestSet]:
    track = track_of(call.state, asked.who)
    return [QuestSet(quest=call.fresh, objective=asked.objective, who=track)]


def _complete(call: Call, asked: CompleteQuest, _: None) -> list[Any]:
    """SS-56: done, it clears the track."""
    quest = call.state.game.quests.get(asked.quest)
    if quest is None:
        raise NoSuchThing("There is no such quest, or it is done.")
    done = QuestDone(quest=quest.id, objective=quest.objective)
    is_clear = not step(call.state, quest.who)
    return [done] if is_clear else [done, _fell(call.state, quest.who, Purge.QUEST, to=0)]


# ---------------------------------------------------------------- folds


def _drop(state: Table, given: ScoreSacrificed) -> Table:
    sheet = state.characters[given.who].sheet
    if given.key == STAMINA:
        sheet = replace(sheet, stamina_most=given.score)
    else:
        sheet = replace(sheet, scores=Scores(open={**sheet.scores.open, given.key: given.score}))
    return state.with_sheet(given.who, replace(sheet, points=given.points, luck=given.luck, stamina=given.stamina))


def _note_quest(state: Table, told: QuestSet) -> Table:
    quest = Quest(id=told.quest, objective=told.objective, who=told.who)
    return replace(state, game=replace(state.game, quests={**state.game.quests, quest.id: quest}))


def _forget_quest(state: Table, done: QuestDone) -> Table:
    quests = {key: one for key, one in state.game.quests.items() if key != done.quest}
    return replace(state, game=replace(state.game, quests=quests))


PURGING = Chapter(
    actions=(
        Action(MakeSacrifice, _sacrifice),
        Action(
            PerformRite,
            _tell_rite,
            gather=_ask_rite,
            sides=sides,
            outcome=degree,
            hopes=is_hoped_for,
            policies=WITH_LUCK,
            hides=numbers_are_closed,
        ),
        Action(SetQuest, _set_quest),
        Action(CompleteQuest, _complete),
    ),
    happenings=(
        Happening(PressureFell, words.pressure_fell, lambda state, fell: with_step(state, fell.track_of, fell.after)),
        Happening(ScoreSacrificed, words.score_sacrificed, _drop),
        Happening(QuestSet, words.quest_set, _note_quest),
        Happening(QuestDone, words.quest_done, _forget_quest),
    ),
)
