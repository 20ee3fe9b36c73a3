"""Approaches: described first, then called by the game master, perhaps supported, then rolled. NS-02, NS-07, NS-12.

This chapter has the approach itself, its description, and support for it. `calling` names what is rolled, `reactions`
prompts for one, `rolling` rolls it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, TypeAlias

from annotated_types import MaxLen, MinLen
from typing_extensions import Doc

from astragal.game import (
    GAME_MASTER_OR_OWNER,
    Chapter,
    Command,
    Event,
    NoSuchThing,
    NotAllowed,
    Refusal,
    Seen,
    Teller,
    replace,
)
from astragal.game.fields import LONGEST_TEXT, CharacterId, FreeText, Names, Seldom, Words
from astragal.game.shared import RequestWithdrawn

from .harm import KnockedOut
from .state import Approach, Attribute, Call, State, Support, find, find_able, find_roller

APPROACHES = Chapter(seen=Seen.ALL)

Said: TypeAlias = Annotated[str, MinLen(1), MaxLen(LONGEST_TEXT), FreeText()]
WhichApproach: TypeAlias = Annotated[
    Annotated[str, MaxLen(40), Names("approach")] | None, Doc("which approach, where there is more than one"), Seldom()
]

# ---------------------------------------------------------------- an approach under way


def find_approach(
    state: State, who: str, which: str | None, is_meant: Callable[[Approach], bool], lacking: str
) -> Approach:
    """The approach of this id, or the only one of this character that can be meant."""
    if which is not None:
        found: Approach | None = state.game.approaches.get(which)
        if found is None or found.who != who:
            raise NoSuchThing("There is no such approach: it was rolled or dropped.")
        return found
    approaches: Iterable[Approach] = state.game.approaches.values()
    meant = [one for one in approaches if one.who == who and is_meant(one)]
    if len(meant) != 1:
        name = find(state, who).name
        each = ", ".join(f"“{one.title[:60]}” ({one.id})" for one in meant)
        many = f"{name} has {len(meant)} approaches under way: say which, {each}."
        raise Refusal(many if meant else f"{name} {lacking}.", code="which_approach" if meant else "no_approach")
    return meant[0]


def has_to_react(state: State, who: str) -> bool:
    """NS-08: whether something comes at them that they have not answered."""
    return any(one.who == who and not one.is_described for one in state.game.approaches.values())


def opposite(state: State, approach: Approach) -> Approach | None:
    """NS-06: the approach on the other side."""
    if approach.called is None or approach.called.opposing is None:
        return None
    found: Approach | None = state.game.approaches.get(approach.called.opposing)
    return found


def with_approach(state: State, approach: Approach) -> State:
    return state.with_game(approaches={**state.game.approaches, approach.id: approach})


def without_approaches(state: State, *gone: str | None) -> State:
    return state.with_game(approaches={key: one for key, one in state.game.approaches.items() if key not in gone})


# ---------------------------------------------------------------- describing


@APPROACHES.event("approach_described", owner="who")
class ApproachDescribed(Event):
    """Somebody said how they go about it."""

    approach: str
    who: CharacterId
    words: Words
    harmful: bool

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.who)}{' (to harm)' if self.harmful else ''}: {self.words}"

    def fold(self, state: State) -> State:
        waiting: Approach = state.game.approaches.get(self.approach) or Approach(id=self.approach, who=self.who)
        return with_approach(state, replace(waiting, words=self.words, harmful=self.harmful))


@APPROACHES.command("describe", may=GAME_MASTER_OR_OWNER, actor="who")
class Describe(Command):
    """Say how somebody goes about it, or how they react to what comes at them. The game master names what is rolled."""

    who: Annotated[CharacterId, Doc("who acts")]
    words: Annotated[Said, Doc("how they go about it")]
    harmful: Annotated[bool, Doc("whether it is meant to harm")] = False
    approach: Annotated[WhichApproach, Doc("the reaction that this answers, where several wait")] = None

    def does(self, call: Call) -> list[ApproachDescribed]:
        """NS-02: a new approach. NS-08: where a reaction waits, whatever is described next is the answer to it."""
        who = find_roller(call.state, self.who)
        approach = call.fresh
        if self.approach is not None or has_to_react(call.state, who.id):
            reaction = find_approach(call.state, who.id, self.approach, lambda one: not one.is_described, "")
            if reaction.is_described:
                raise Refusal("That is described already; drop it to go about it otherwise.", code="described")
            approach = reaction.id
        return [ApproachDescribed(approach=approach, who=who.id, words=self.words, harmful=self.harmful)]


# ---------------------------------------------------------------- dropping


@APPROACHES.event("approach_dropped", owner="who", says="nothing comes of what {who} was about to do")
class ApproachDropped(Event):
    """An approach comes to nothing: it was left, withdrawn, or its hero was knocked out."""

    approach: str
    who: CharacterId

    def fold(self, state: State) -> State:
        return without_approaches(state, self.approach)


def dropping(state: State, approach: Approach) -> list[Any]:
    """Drop an approach, or withdraw its request or that of the one it opposes, which drops them both."""
    for one in (approach, opposite(state, approach)):
        if one is not None and one.called is not None and one.called.request is not None:
            return [RequestWithdrawn(request=one.called.request, who=one.who)]
    return [ApproachDropped(approach=approach.id, who=approach.who)]


@APPROACHES.command("drop_approach", may=GAME_MASTER_OR_OWNER, actor="who")
class DropApproach(Command):
    """Leave an approach be. A reaction is the game master's to withdraw."""

    who: Annotated[CharacterId, Doc("whose approach")]
    approach: WhichApproach = None

    def does(self, call: Call) -> list[Any]:
        """NS-08: a reaction stays open until it is answered, or the game master withdraws it."""
        approach = find_approach(call.state, self.who, self.approach, lambda _: True, "has nothing under way")
        if approach.threat is not None and not call.viewer.is_game_master:
            raise NotAllowed("Only the game master withdraws what comes at you.")
        return dropping(call.state, approach)


@APPROACHES.after(RequestWithdrawn)
def withdrawal_drops_both_sides(state: State, withdrawn: RequestWithdrawn) -> list[ApproachDropped]:
    """NS-08: an approach whose roll is no longer asked for goes, with what opposes it."""
    called = [(one, one.called) for one in state.game.approaches.values() if one.called]
    gone = [one for one, call in called if call.request == withdrawn.request]
    gone += [one for one, call in called if call.opposing in {other.id for other in gone}]
    return [ApproachDropped(approach=one.id, who=one.who) for one in gone]


@APPROACHES.after(KnockedOut)
def the_knocked_out_drop_theirs(state: State, told: KnockedOut) -> list[Any]:
    """NS-12: the knocked-out don't act, and get no reaction."""
    own = [one for one in state.game.approaches.values() if one.who == told.who]
    return list(dict.fromkeys(event for one in own for event in dropping(state, one)))


# ---------------------------------------------------------------- supporting


@APPROACHES.event("support_given", owner="who", says="{who} supports {supported} with {attribute}")
class SupportGiven(Event):
    """Somebody supports an approach."""

    approach: str
    supported: CharacterId
    who: CharacterId
    attribute: Attribute

    def fold(self, state: State) -> State:
        approach: Approach = state.game.approaches[self.approach]
        support = Support(who=self.who, attribute=self.attribute)
        return with_approach(state, replace(approach, support=(*approach.support, support)))


@APPROACHES.event("support_withdrawn", owner="who", says="{who} no longer supports {supported}")
class SupportWithdrawn(Event):
    """Somebody supports an approach no longer."""

    approach: str
    supported: CharacterId
    who: CharacterId

    def fold(self, state: State) -> State:
        approach: Approach = state.game.approaches[self.approach]
        return with_approach(state, replace(approach, support=tuple(s for s in approach.support if s.who != self.who)))


def find_supported(state: State, who: str, which: str | None) -> Approach:
    return find_approach(state, who, which, lambda _: True, "has nothing under way that could be supported")


@APPROACHES.command("support", may=GAME_MASTER_OR_OWNER, actor="who")
class GiveSupport(Command):
    """Support somebody's approach with an attribute, for that one roll."""

    who: Annotated[CharacterId, Doc("who supports")]
    supported: Annotated[CharacterId, Doc("whose approach")]
    attribute: Annotated[Attribute, Doc("what helps")]
    approach: WhichApproach = None

    def does(self, call: Call) -> list[SupportGiven]:
        """NS-07: whoever has the attribute and can act may support; reactions and opponents may be supported too."""
        state, who = call.state, find_able(call.state, self.who)
        approach = find_supported(state, self.supported, self.approach)
        if not who.sheet.dice(self.attribute):
            raise Refusal(
                f"{who.name} has no {self.attribute.called(state.terms)} to support with.", code="no_attribute"
            )
        if who.id == approach.who:
            raise Refusal(f"{who.name} can’t support themselves.", code="one_side")
        if approach.is_supported_by(who.id):
            raise Refusal(f"{who.name} supports this already.", code="no_change")
        other = opposite(state, approach)
        if other is not None and (other.who == who.id or other.is_supported_by(who.id)):
            raise Refusal(f"{who.name} is on the other side.", code="one_side")
        return [SupportGiven(approach=approach.id, supported=approach.who, who=who.id, attribute=self.attribute)]


@APPROACHES.command("withdraw_support", may=GAME_MASTER_OR_OWNER, actor="who")
class WithdrawSupport(Command):
    """Support somebody's approach no longer."""

    who: Annotated[CharacterId, Doc("who supports")]
    supported: Annotated[CharacterId, Doc("whose approach")]
    approach: WhichApproach = None

    def does(self, call: Call) -> list[SupportWithdrawn]:
        approach = find_supported(call.state, self.supported, self.approach)
        if not approach.is_supported_by(self.who):
            raise Refusal("There is no such support to withdraw.", code="no_change")
        return [SupportWithdrawn(approach=approach.id, supported=approach.who, who=self.who)]
