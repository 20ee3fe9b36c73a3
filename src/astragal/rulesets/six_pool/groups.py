"""Group checks: everyone is asked, a leader may spend on one ally, half is enough. SP-14."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from astragal.table.chapters.requests import RequestWithdrawn, RollRequested
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction
from astragal.table.state import State
from astragal.table.things.requests import Request

from . import happened as it
from . import words
from .aftermath import lose_points
from .asked import CallGroupCheck, Lead
from .attempts import check_points
from .game import GroupRoll, find_skill
from .pools import Pool
from .sheet import RollKind, find
from .shown import Aim
from .trial.groups import MOST_MEMBERS, Group

# ---------------------------------------------------------------- calling and leading


def _call(call: Call, asked: CallGroupCheck, _: None) -> list[Any]:
    """SP-14: each member gets a request for the same check, and rolls it like any other."""
    members = tuple(dict.fromkeys(asked.members)) or _heroes(call.state)
    if not 1 < len(members) <= MOST_MEMBERS:
        raise Refusal(f"A group is 2 to {MOST_MEMBERS}, not {len(members)}.", code="group_size")
    if asked.leader is not None and asked.leader not in members:
        raise Refusal(f"{find(call.state, asked.leader).name} is not in this group.", code="not_in_group")
    aim = _aim(call.state, asked)
    requests = {find(call.state, who).id: f"{call.fresh}-{number}" for number, who in enumerate(members, 1)}
    called = it.GroupCheckCalled(group=call.fresh, members=requests, aim=aim, leader=asked.leader)
    return [called, *(_requested(who, request, aim, asked) for who, request in requests.items())]


def _heroes(state: State) -> tuple[str, ...]:
    return tuple(one.id for one in state.characters.values() if one.seat is not None)


def _aim(state: State, asked: CallGroupCheck) -> Aim:
    if asked.skill is not None:
        skill = find_skill(state, asked.skill)
        return Aim(kind=RollKind.CHECK, pool=skill.pool, name=skill.name)
    if asked.pool is None:
        raise Refusal("Name a skill or a pool.", code="no_skill")
    return Aim(kind=RollKind.CHECK, pool=asked.pool)


def _requested(who: str, request: str, aim: Aim, asked: CallGroupCheck) -> RollRequested:
    fields: Mapping[str, int | str | bool] = {"skill": aim.name} if aim.name else {"pool": aim.pool.value}
    return RollRequested(
        request=request,
        who=who,
        command="check",
        fields=fields,
        what_for=asked.what_for,
        hidden=asked.hidden,
        shown_difficulty=None if asked.hidden else asked.dc,
        secret_difficulty=asked.dc if asked.hidden else None,
    )


def _lead(call: Call, asked: Lead, _: None) -> list[it.AllyBoosted]:
    """SP-14: a spend of its own, within the leader's limit, before any dice; never doubled."""
    leader = find(call.state, asked.who)
    group = next((one for one in call.state.game.groups.values() if one.leader == asked.who), None)
    if group is None:
        raise Refusal(f"{leader.name} leads no group check.", code="no_leader")
    if group.rolled or _has_dice_out(call.state, group):
        raise Refusal("Dice have been rolled: it is too late to lead.", code="too_late")
    if group.boosted is not None:
        raise Refusal(f"{leader.name} has spent on one ally already.", code="once")
    if asked.ally == asked.who or asked.ally not in group.members:
        raise Refusal("A leader spends on an ally of the same group.", code="not_in_group")
    pool = _pool_of(call.state, group)
    check_points(leader, pool, asked.points)
    return [it.AllyBoosted(group=group.id, who=asked.who, ally=asked.ally, pool=pool, points=asked.points)]


def _has_dice_out(state: State, group: GroupRoll) -> bool:
    """Has a member thrown and still to decide on a reroll?"""
    thrown = [decision for decision in state.decisions.values() if decision.dice and decision.command == "check"]
    return any(who in group.members for decision in thrown for who in decision.sides.values())


def _pool_of(state: State, group: GroupRoll) -> Pool:
    fields = state.requests[next(iter(group.members.values()))].fields
    return Pool(str(fields["pool"])) if "pool" in fields else find_skill(state, str(fields["skill"])).pool


def boost_for(state: State, request: Request | None) -> int:
    """SP-14: what the leader has put into this roll, beside what its roller puts in."""
    group = _group_of(state, request.who, request.id) if request else None
    return group.boost if group and request and group.boosted == request.who else 0


# ---------------------------------------------------------------- what follows


def _member_rolled(state: State, told: it.Checked | it.Taken) -> list[it.GroupMemberRolled]:
    group = _group_of(state, told.who, told.request)
    return [it.GroupMemberRolled(group=group.id, who=told.who, success=told.roll.success)] if group else []


def _member_left(state: State, withdrawn: RequestWithdrawn) -> list[it.GroupMemberLeft]:
    group = _group_of(state, withdrawn.who, withdrawn.request)
    return [it.GroupMemberLeft(group=group.id, who=withdrawn.who)] if group else []


def _group_of(state: State, who: str, request: str | None) -> GroupRoll | None:
    groups = state.game.groups.values()
    return next((one for one in groups if request is not None and one.members.get(who) == request), None)


def _decided(state: State, told: it.GroupMemberRolled | it.GroupMemberLeft) -> list[it.GroupCheckDecided]:
    """SP-14: at least half, when all are in."""
    group = state.game.groups.get(told.group)
    if group is None or not group.is_complete:
        return []
    result = Group(sum(group.rolled.values()), len(group.rolled))
    return [it.GroupCheckDecided(group=group.id, made=result.made, of=result.of, success=result.success)]


# ---------------------------------------------------------------- folds


def _with_group(state: State, group: GroupRoll) -> State:
    return replace(state, game=replace(state.game, groups={**state.game.groups, group.id: group}))


def _without_group(state: State, group: str) -> State:
    kept = {key: one for key, one in state.game.groups.items() if key != group}
    return replace(state, game=replace(state.game, groups=kept))


def _begin(state: State, called: it.GroupCheckCalled) -> State:
    return _with_group(state, GroupRoll(id=called.group, members=called.members, leader=called.leader))


def _boost(state: State, boosted: it.AllyBoosted) -> State:
    group = replace(state.game.groups[boosted.group], boosted=boosted.ally, boost=boosted.points)
    return lose_points(_with_group(state, group), boosted.who, boosted.pool, boosted.points)


def _note(state: State, told: it.GroupMemberRolled) -> State:
    group = state.game.groups[told.group]
    return _with_group(state, replace(group, rolled={**group.rolled, told.who: told.success}))


def _leave(state: State, left: it.GroupMemberLeft) -> State:
    group = state.game.groups[left.group]
    members = {who: request for who, request in group.members.items() if who != left.who}
    return _with_group(state, replace(group, members=members)) if members else _without_group(state, left.group)


GROUPS = Chapter(
    actions=(Action(CallGroupCheck, _call), Action(Lead, _lead)),
    happenings=(
        Happening(it.GroupCheckCalled, words.group_check_called, _begin),
        Happening(it.AllyBoosted, words.ally_boosted, _boost),
        Happening(it.GroupMemberRolled, words.group_member_rolled, _note),
        Happening(it.GroupMemberLeft, words.group_member_left, _leave),
        Happening(
            it.GroupCheckDecided,
            words.group_check_decided,
            lambda state, told: _without_group(state, told.group),
            words.group_went,
        ),
    ),
    reactions=(
        Reaction(it.Checked, _member_rolled),
        Reaction(it.Taken, _member_rolled),
        Reaction(RequestWithdrawn, _member_left),
        Reaction(it.GroupMemberRolled, _decided),
        Reaction(it.GroupMemberLeft, _decided),
    ),
)
