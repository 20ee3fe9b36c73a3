"""What a table adds to the book, and the one rule that it may change in mid-campaign. SP-07, SP-13, SP-20, SP+02."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import State

from . import happened as it
from . import words
from .asked_between_rolls import AddClass, AddContest, AddSkill, ChangeEdgeRule
from .classes import HeroClass
from .contest_presets import ContestPreset
from .creation import check_casting
from .game import find_skill, known_classes, known_contests, known_skills
from .pools import pool_called
from .skills import Skill


def _add_skill(call: Call, asked: AddSkill, _: None) -> list[it.SkillAdded]:
    """SP-07: skills are data."""
    name = _new_name(asked.name, known_skills(call.state))
    trains_as = find_skill(call.state, asked.trains_as).name if asked.trains_as else ""
    skill = Skill(name=name, pool=asked.pool, trained_only=asked.trained_only, trains_as=trains_as)
    return [it.SkillAdded(skill=skill)]


def _add_class(call: Call, asked: AddClass, _: None) -> list[it.ClassAdded]:
    check_casting(asked.casting)
    added = HeroClass(
        name=_new_name(asked.name, known_classes(call.state)),
        primary=asked.primary,
        hit_points=asked.hit_points,
        saves=asked.saves,
        casting=asked.casting,
    )
    return [it.ClassAdded(hero_class=added)]


def _add_contest(call: Call, asked: AddContest, _: None) -> list[it.ContestAdded]:
    """SP-13: both sides need something to roll."""
    name = _new_name(asked.name, known_contests(call.state))
    if not asked.actor or not asked.holder:
        raise Refusal("Each side of a contest needs a skill or a pool.", code="no_skill")
    actor, holder = (tuple(_rolled(call.state, one) for one in side) for side in (asked.actor, asked.holder))
    return [it.ContestAdded(contest=ContestPreset(name=name, actor=actor, holder=holder, tie_to=asked.tie_to))]


def _rolled(state: State, name: str) -> str:
    return pool_called(name) or find_skill(state, name).name


def _new_name(name: str, known: Any) -> str:
    plain = name.strip().casefold()
    if plain in known:
        raise Refusal(f"The book has {plain!r} already.", code="name_taken")
    return plain


def _change(call: Call, asked: ChangeEdgeRule, _: None) -> list[it.EdgeRuleChanged]:
    """SP-20: one option for the whole campaign; whoever changes it has it recorded as a change of rules."""
    before = call.state.options.edge
    if before is asked.edge:
        raise Refusal(f"Edge is {before.value} already.", code="no_change")
    return [it.EdgeRuleChanged(before=before, after=asked.edge, why=asked.why)]


def _with_skill(state: State, told: it.SkillAdded) -> State:
    return replace(state, game=replace(state.game, skills={**state.game.skills, told.skill.name: told.skill}))


def _with_class(state: State, told: it.ClassAdded) -> State:
    classes = {**state.game.classes, told.hero_class.name: told.hero_class}
    return replace(state, game=replace(state.game, classes=classes))


def _with_contest(state: State, told: it.ContestAdded) -> State:
    contests = {**state.game.contests, told.contest.name: told.contest}
    return replace(state, game=replace(state.game, contests=contests))


def _with_edge_rule(state: State, told: it.EdgeRuleChanged) -> State:
    return replace(state, options=replace(state.options, edge=told.after))


HOUSE_RULES = Chapter(
    actions=(
        Action(AddSkill, _add_skill),
        Action(AddClass, _add_class),
        Action(AddContest, _add_contest),
        Action(ChangeEdgeRule, _change),
    ),
    happenings=(
        Happening(it.SkillAdded, words.skill_added, _with_skill),
        Happening(it.ClassAdded, words.class_added, _with_class),
        Happening(it.ContestAdded, words.contest_added, _with_contest),
        Happening(it.EdgeRuleChanged, words.edge_rule_changed, _with_edge_rule),
    ),
)
