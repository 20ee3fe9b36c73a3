"""Rests: points come back. SP+03."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from astragal.chance import Question
from astragal.table.chapters.calendar import Rested
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction
from astragal.table.state import State
from astragal.table.things.calendar import Rest

from . import happened as it
from . import words
from .asked import Recover, Spread
from .pools import Pool, pool_called
from .sheet import Sheet, find
from .trial.rests import short_rest
from .wounds import healed


def _after_rest(state: State, rested: Rested) -> list[Any]:
    """SP+03: a short rest is rolled for and spread, a long one gives everything back."""
    if not state.options.rests or rested.kind is Rest.CARE:
        return []
    if rested.kind is Rest.SHORT:
        return [it.BreatherTaken(who=rested.who)]
    return [it.PoolsRefilled(who=rested.who), *_healing(state, rested.who)]


def _healing(state: State, who: tuple[str, ...]) -> list[it.Healed]:
    """The ledger is silent on hit points; a table expects a night to give them back, and may choose otherwise."""
    if not state.options.long_rest_heals:
        return []
    resting = [find(state, one) for one in who]
    return [told for one in resting for told in healed(state, one, one.sheet.numbers.harm)]


# ---------------------------------------------------------------- rolling and spreading


def _gather(call: Call, asked: Recover) -> Question[int]:
    who = find(call.state, asked.who)
    if asked.who not in call.state.game.resting:
        raise Refusal(f"{who.name} has had no short rest to roll for.", code="not_rested")
    return short_rest(who.sheet.numbers.level)


def _recover(_: Call, asked: Recover, points: int) -> list[it.PointsRecovered]:
    return [it.PointsRecovered(who=asked.who, points=points)]


def _spread(call: Call, asked: Spread, _: None) -> list[it.PointsSpread]:
    """SP+03: as the player likes, over pools that are not full."""
    who, left = find(call.state, asked.who), call.state.game.recovered.get(asked.who, 0)
    shares = {_pool(name): points for name, points in asked.points.items()}
    wanted = sum(shares.values())
    if not 0 < wanted <= left:
        raise Refusal(f"{who.name} has {left} points to spread, not {wanted}.", code="not_held")
    for pool, points in shares.items():
        room = who.sheet.numbers.pool(pool).room
        if points > room:
            raise Refusal(f"{who.name}'s {pool} has room for {room}, not {points}.", code="full")
    return [it.PointsSpread(who=asked.who, points=shares)]


def _pool(name: str) -> Pool:
    pool = pool_called(name)
    if pool is None:
        raise Refusal(f"There is no pool {name[:20]!r}; there are {', '.join(Pool)}.", code="no_pool")
    return pool


# ---------------------------------------------------------------- folds


def _note_rest(state: State, told: it.BreatherTaken) -> State:
    resting = (*state.game.resting, *(who for who in told.who if who not in state.game.resting))
    return replace(state, game=replace(state.game, resting=resting))


def _note_points(state: State, told: it.PointsRecovered) -> State:
    resting = tuple(who for who in state.game.resting if who != told.who)
    recovered = {**state.game.recovered, told.who: told.points}
    return replace(state, game=replace(state.game, resting=resting, recovered=recovered))


def _put_back(state: State, told: it.PointsSpread) -> State:
    left = state.game.recovered[told.who] - sum(told.points.values())
    recovered = {**state.game.recovered, told.who: left}
    state = replace(state, game=replace(state.game, recovered={who: one for who, one in recovered.items() if one}))
    return state.with_sheet(told.who, _filled(find(state, told.who).sheet, told.points))


def _filled(sheet: Sheet, points: Mapping[Pool, int]) -> Sheet:
    for pool, share in points.items():
        sheet = sheet.with_pool(pool, sheet.numbers.pool(pool).now + share)
    return sheet


def _refill(state: State, told: it.PoolsRefilled) -> State:
    """SP+03: all. Points past the most, by override, stay; nothing is left to roll for or to spread."""
    for who in told.who:
        sheet = find(state, who).sheet
        rooms = {pool: points.room for pool, points in sheet.numbers.pools.items()}
        state = state.with_sheet(who, _filled(sheet, rooms))
    resting = tuple(who for who in state.game.resting if who not in told.who)
    recovered = {who: points for who, points in state.game.recovered.items() if who not in told.who}
    return replace(state, game=replace(state.game, resting=resting, recovered=recovered))


RESTS = Chapter(
    actions=(Action(Recover, _recover, gather=_gather), Action(Spread, _spread)),
    happenings=(
        Happening(it.BreatherTaken, words.breather_taken, _note_rest),
        Happening(it.PointsRecovered, words.points_recovered, _note_points),
        Happening(it.PointsSpread, words.points_spread, _put_back),
        Happening(it.PoolsRefilled, words.pools_refilled, _refill),
    ),
    reactions=(Reaction(Rested, _after_rest),),
)
