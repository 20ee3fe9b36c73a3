"""Beats, milestones, and what build points buy. SS-27, SS-60 to SS-62."""

from __future__ import annotations

from dataclasses import replace

from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction

from . import words_story as words
from .accounts import STAMINA
from .advancement import Standing, bought, points_given, settled
from .asked_story import Advance, GrantMilestone, MarkBeat
from .circumstances import known_key
from .fortune import refilled
from .game import Table
from .happened import LuckRefilled
from .happened_story import Advanced, BeatMarked, MilestoneDue, MilestoneReached
from .sheet import Scores, Sheet
from .tracks import hero, heroes

BEATS = 3
"""SS-60: from so many beats on a milestone is due; with one more it is overdue."""


def standing_of(sheet: Sheet) -> Standing:
    """What advancement and sacrifice reckon with."""
    scores = {**sheet.scores.open, STAMINA: sheet.stamina_most}
    return Standing(scores, sheet.luck_key, sheet.stamina, sheet.luck, sheet.points)


# ---------------------------------------------------------------- deciding


def _mark(call: Call, asked: MarkBeat, _: None) -> list[BeatMarked]:
    return [BeatMarked(what=asked.what, beats=call.state.game.beats + 1)]


def _remind(_: Table, marked: BeatMarked) -> list[MilestoneDue]:
    """SS-60: due after 3, overdue after 4."""
    return [MilestoneDue(beats=marked.beats, overdue=marked.beats > BEATS)] if marked.beats >= BEATS else []


def _grant(call: Call, asked: GrantMilestone, _: None) -> list[MilestoneReached]:
    """SS-61: a hero who has not used the last one does so now, before the next."""
    who = [hero(call.state, one) for one in dict.fromkeys(asked.who)] or heroes(call.state)
    if not who:
        raise Refusal("There is no hero for this milestone.", code="nobody")
    waiting = [one.name for one in who if one.sheet.milestone_open]
    if waiting:
        raise Refusal(f"{' and '.join(waiting)} still has the last milestone to use (advance).", code="milestone_open")
    points = points_given(call.state.options.milestone)
    return [MilestoneReached(who=tuple(one.id for one in who), points=points, boon=asked.boon)]


def _advance(call: Call, asked: Advance, _: None) -> list[Advanced]:
    """SS-61, SS-62: what was bought, and then the pool is filled if this closes a milestone."""
    state, who = call.state, hero(call.state, asked.who)
    rises = {_score_key(state, key): rise for key, rise in asked.rises.items()}
    if not rises and not who.sheet.milestone_open:
        raise Refusal("Say what is to rise.", code="no_change")
    before, option = standing_of(who.sheet), state.options.milestone
    after = bought(before, rises.items(), option)
    if who.sheet.milestone_open:
        after = settled(after, option)
    risen = {key: score for key, score in after.scores.items() if score != before.scores[key]}
    closes = who.sheet.milestone_open
    return [Advanced(who=who.id, scores=risen, stamina=after.stamina, points=after.points, closes=closes)]


def _score_key(state: Table, key: str) -> str:
    return STAMINA if key.upper() == STAMINA else known_key(state.options, key)


def _refill(state: Table, told: Advanced) -> list[LuckRefilled]:
    """SS-61: the refill follows the purchases of a milestone. Later ones raise the pool's size only."""
    return [refilled(state.characters[told.who])] if told.closes else []


# ---------------------------------------------------------------- folds


def _count(state: Table, marked: BeatMarked) -> Table:
    return replace(state, game=replace(state.game, beats=marked.beats))


def _reach(state: Table, reached: MilestoneReached) -> Table:
    """SS-61: the count of beats returns to 0; Pressure stays."""
    for who in reached.who:
        sheet = state.characters[who].sheet
        points, boons = sheet.points + reached.points, (*sheet.boons, reached.boon)
        state = state.with_sheet(who, replace(sheet, points=points, boons=boons, milestone_open=True))
    return replace(state, game=replace(state.game, beats=0))


def _rise(state: Table, told: Advanced) -> Table:
    """SS-61: bought Stamina raises the present value too; Luck is a score like the others here."""
    sheet = state.characters[told.who].sheet
    scores = {key: score for key, score in told.scores.items() if key != STAMINA}
    raised = replace(
        sheet,
        scores=Scores(open={**sheet.scores.open, **scores}),
        stamina=told.stamina,
        stamina_most=told.scores.get(STAMINA, sheet.stamina_most),
        points=told.points,
        milestone_open=sheet.milestone_open and not told.closes,
    )
    return state.with_sheet(told.who, raised)


MILESTONES = Chapter(
    actions=(Action(MarkBeat, _mark), Action(GrantMilestone, _grant), Action(Advance, _advance)),
    happenings=(
        Happening(BeatMarked, words.beat_marked, _count),
        Happening(MilestoneDue, words.milestone_due),
        Happening(MilestoneReached, words.milestone_reached, _reach),
        Happening(Advanced, words.advanced, _rise),
    ),
    reactions=(Reaction(BeatMarked, _remind), Reaction(Advanced, _refill)),
)
