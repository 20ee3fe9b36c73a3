"""Wealth at the table: buying, paying dearly, and being noticed. SS+02."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from astragal.chance import Question
from astragal.table.chapters.clocks import ClockStarted, find_clock, ticked
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import Character
from astragal.table.things.clocks import Face, Hands

from . import words_toolkit as words
from .able import check_acts, decider
from .asked_toolkit import Buy, SetWealth, ShowWealth
from .circumstances import Circumstances, favours_for, ground, may_spend
from .crises import check_free, losable, told_rise
from .fortune import spent_by
from .game import Table
from .happened import LuckTried
from .happened_toolkit import Bought, WealthChange, WealthChanged
from .luck import LuckTarget
from .options import Companion
from .pressure import Crisis, rising
from .purchase import Deal, Purchase, purchase
from .sheet import Sheet
from .shown import shown
from .tracks import hero, step, surcharge, track_of

NOTICED = 3
"""SS+02: from this Wealth on, showing it has a price."""
DEBT_TICKS = 6


def _wealth(call: Call, who: str) -> tuple[Character[Sheet], int]:
    found = hero(call.state, who)
    if found.sheet.wealth is None or not call.state.options.plays(Companion.WEALTH):
        raise Refusal("This table does not reckon with Wealth.", code="not_played")
    return found, found.sheet.wealth


# ---------------------------------------------------------------- buying


def _ask(call: Call, asked: Buy) -> Question[Purchase]:
    who, wealth = _wealth(call, asked.who)
    options, luck = call.state.options, call.state.options.luck
    check_acts(call, who, on_luck=True)
    stance = ground(call.state, who, luck, Circumstances()).footing
    target = options.luck_test_target if may_spend(call, who, luck) else LuckTarget.LIVE
    track = track_of(call.state, who.id)
    if wealth < asked.tier:
        check_free(call, track)
    return purchase(
        wealth,
        asked.tier,
        large=asked.large,
        tokens=who.sheet.luck,
        stance=stance,
        target=target,
        before=step(call.state, track),
        carried=losable(who),
        surcharge=surcharge(call.state, who),
        favours=favours_for(call.state, who),
    )


def _tell(call: Call, asked: Buy, made: Purchase) -> list[Any]:
    who, wealth = _wealth(call, asked.who)
    told = [*_rolled(call, who, asked, made), Bought(who=who.id, what=asked.what, tier=asked.tier, deal=made.deal)]
    match made.deal:
        case Deal.WEALTH:
            told.append(WealthChanged(who=who.id, wealth=wealth - 1, how=WealthChange.SPENT))
        case Deal.DEBT:
            hands = Hands(ticks=0, size=DEBT_TICKS, public=True)
            name = words.debt_name(asked.what, who.name)
            told.append(ClockStarted(clock=f"{call.fresh}-debt", name=name, face=Face.PUBLIC, hands=hands))
        case Deal.PRESSURE:
            told += told_rise(call, track_of(call.state, who.id), who, made.crisis, why=asked.what)
        case _:
            pass
    return told


def _rolled(call: Call, who: Character[Sheet], asked: Buy, made: Purchase) -> list[Any]:
    """SS-29: it is a test of Luck like any other, and counts as one."""
    if made.roll is None:
        return []
    luck = call.state.options.luck
    told = shown(who, luck, ground(call.state, who, luck, Circumstances()), made.roll)
    tried = LuckTried(who=who.id, roll=told, why=words.DEAR, stakes=asked.what, lethal=False)
    return [*spent_by(call.state, (who.id, made.roll)), tried]


def _sides(call: Call, asked: Buy | ShowWealth) -> Mapping[str, str]:
    who = decider(call.state, asked.who)
    return {"who": who, "struck": who, "custodian": call.state.game_master}


# ---------------------------------------------------------------- being noticed


def _ask_show(call: Call, asked: ShowWealth) -> Question[Crisis | None]:
    who, wealth = _wealth(call, asked.who)
    if wealth < NOTICED:
        raise Refusal(f"{who.name}’s Wealth is {wealth}; nobody looks twice below {NOTICED}.", code="too_poor")
    if asked.clock is not None:
        find_clock(call.state, asked.clock)
        return rising(0, 0)
    track = track_of(call.state, who.id)
    check_free(call, track)
    return rising(step(call.state, track), 1, losable(who))


def _tell_show(call: Call, asked: ShowWealth, broke: Crisis | None) -> list[Any]:
    who, _ = _wealth(call, asked.who)
    if asked.clock is not None:
        return [ticked(find_clock(call.state, asked.clock), 1)]
    return told_rise(call, track_of(call.state, who.id), who, broke, why=words.RICHES)


def _set_wealth(call: Call, asked: SetWealth, _: None) -> list[WealthChanged]:
    who, wealth = _wealth(call, asked.who)
    if wealth == asked.wealth:
        raise Refusal(f"{who.name}’s Wealth is {wealth} already.", code="no_change")
    return [WealthChanged(who=who.id, wealth=asked.wealth, how=WealthChange.SET)]


def _hold(state: Table, changed: WealthChanged) -> Table:
    return state.with_sheet(changed.who, replace(state.characters[changed.who].sheet, wealth=changed.wealth))


WEALTH = Chapter(
    actions=(
        Action(Buy, _tell, gather=_ask, sides=_sides, outcome=lambda made: made.deal),
        Action(ShowWealth, _tell_show, gather=_ask_show, sides=_sides),
        Action(SetWealth, _set_wealth),
    ),
    happenings=(
        Happening(Bought, words.bought),
        Happening(WealthChanged, words.wealth_changed, _hold),
    ),
)
