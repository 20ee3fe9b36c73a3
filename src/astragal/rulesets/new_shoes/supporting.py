"""Supporting another player's roll with an attribute of one's own. NS-07."""

from __future__ import annotations

from dataclasses import replace

from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import State

from . import words
from .asked import GiveSupport, WithdrawSupport
from .game import Approach, Support, with_approach
from .happened import SupportGiven, SupportWithdrawn
from .underway import find_able, find_approach, opposite

NOTHING_UNDER_WAY = "has nothing under way that could be supported"


def _support(call: Call, asked: GiveSupport, _: None) -> list[SupportGiven]:
    """NS-07: whoever has the attribute and can act may support; reactions and opponents may be supported too."""
    state, who = call.state, find_able(call.state, asked.who)
    approach = _supported(state, asked.supported, asked.approach)
    if not who.sheet.dice(asked.attribute):
        raise Refusal(
            f"{who.name} has no {words.term(asked.attribute, state.terms)} to support with.", code="no_attribute"
        )
    if who.id == approach.who:
        raise Refusal(f"{who.name} can’t support themselves.", code="one_side")
    if _is_in_it(who.id, approach):
        raise Refusal(f"{who.name} supports this already.", code="no_change")
    other = opposite(state, approach)
    if other is not None and (other.who == who.id or _is_in_it(who.id, other)):
        raise Refusal(f"{who.name} is on the other side.", code="one_side")
    return [SupportGiven(approach=approach.id, supported=approach.who, who=who.id, attribute=asked.attribute)]


def _withdraw(call: Call, asked: WithdrawSupport, _: None) -> list[SupportWithdrawn]:
    approach = _supported(call.state, asked.supported, asked.approach)
    if not _is_in_it(asked.who, approach):
        raise Refusal("There is no such support to withdraw.", code="no_change")
    return [SupportWithdrawn(approach=approach.id, supported=approach.who, who=asked.who)]


def _supported(state: State, who: str, which: str | None) -> Approach:
    return find_approach(state, who, which, lambda _: True, NOTHING_UNDER_WAY)


def _is_in_it(who: str, approach: Approach) -> bool:
    return any(support.who == who for support in approach.support)


def _join(state: State, told: SupportGiven) -> State:
    approach: Approach = state.game.approaches[told.approach]
    support = Support(who=told.who, attribute=told.attribute)
    return with_approach(state, replace(approach, support=(*approach.support, support)))


def _leave(state: State, told: SupportWithdrawn) -> State:
    approach: Approach = state.game.approaches[told.approach]
    support = tuple(one for one in approach.support if one.who != told.who)
    return with_approach(state, replace(approach, support=support))


SUPPORTING = Chapter(
    actions=(Action(GiveSupport, _support), Action(WithdrawSupport, _withdraw)),
    happenings=(
        Happening(SupportGiven, words.support_given, _join),
        Happening(SupportWithdrawn, words.support_withdrawn, _leave),
    ),
)
