"""Approaches: described first, then called by the game master, perhaps supported, then rolled. NS-02, NS-07, NS-12.

This chapter has the approach itself, its description, and support for it. `calling` names what is rolled and prompts
for reactions, `rolling` rolls it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, TypeAlias

from astragal.game import Chapter, Command, Event, Kept, NoSuchThing, NotAllowed, Refusal, Seen, Teller, replace
from astragal.game.display import Proposal
from astragal.game.fields import (
    LONGEST_TEXT,
    CharacterId,
    Doc,
    FreeText,
    Label,
    MaxLen,
    MinLen,
    Names,
    Seldom,
    Suggests,
)
from astragal.game.shared import Fate, FateRecorded, RequestWithdrawn

from .harm import KnockedOut
from .state import Approach, Attribute, Call, State, Support, find_able, find_roller

APPROACHES = Chapter(seen=Seen.ALL)

Said: TypeAlias = Annotated[str, MinLen(1), MaxLen(LONGEST_TEXT), FreeText()]
WhichApproach: TypeAlias = Annotated[
    Annotated[str, MaxLen(40), Names("approach")] | None, Doc("which approach, where there is more than one"), Seldom()
]

# ---------------------------------------------------------------- an approach under way


def proposals(approach: Approach, teller: Teller) -> Iterator[Proposal]:
    """NS-02: described approaches wait for their call. NS-08: a reaction waits for its player's words."""
    fields = (("who", approach.who), ("approach", approach.id))
    threat = approach.threat
    if not approach.words and threat is not None:
        about = f"{teller.name(threat.by)}: {threat.words}" if threat.by else threat.words
        yield Proposal(about, "react", "describe", fields, who=approach.who)
    elif approach.words and approach.called is None:
        about = f"{teller.name(approach.who)}: {approach.words}"
        yield Proposal(about, "call for the roll", "call_approach", fields)


def under_way(approach: Approach, teller: Teller) -> str:
    words = approach.words or "has to react"
    if approach.called is None:
        return words
    return f"{words} ({teller.term(approach.called.attribute.value)})"


KEPT_APPROACHES = Kept(
    APPROACHES,
    Approach,
    "approaches",
    name="title",
    board="Under way",
    row=("{who}", under_way),
    proposes=proposals,
)


def find_approach(
    state: State, who: str, which: str | None, is_meant: Callable[[Approach], object], lacking: str
) -> Approach:
    """Find the approach with this id, or the character's only one that can be meant."""
    if which is not None:
        named_approach = state.game.approaches.get(which)
        if named_approach is None or named_approach.who != who:
            raise NoSuchThing("There is no such approach: it was rolled or dropped.")
        return named_approach
    approaches = [approach for approach in approaches_of(state, who) if is_meant(approach)]
    if len(approaches) == 1:
        return approaches[0]
    name = state.find(who).name
    if not approaches:
        raise Refusal(f"{name} {lacking}.", code="no_approach")
    titles = ", ".join(f"{approach.title[:60]} ({approach.id})" for approach in approaches)
    message = f"{name} has {len(approaches)} approaches under way: say which, {titles}."
    raise Refusal(message, code="which_approach")


def approaches_of(state: State, who: str) -> list[Approach]:
    return [approach for approach in KEPT_APPROACHES.each(state) if approach.who == who]


def opposite(state: State, approach: Approach) -> Approach | None:
    """NS-06: the approach on the other side."""
    return KEPT_APPROACHES.get(state, approach.opposing)


# ---------------------------------------------------------------- describing


@KEPT_APPROACHES.put("approach_described", says="{approach.who}{approach.harmful: (to harm)|}: {approach.words}")
class ApproachDescribed(Event):
    """Someone described how they go about it."""

    approach: Approach


@APPROACHES.command("describe", actor="who")
class Describe(Command):
    """Say how someone goes about it, or how they react to what comes at them. The game master names what is rolled."""

    who: Annotated[CharacterId, Doc("who acts")]
    words: Annotated[Said, Suggests("way on"), Label("how"), Doc("how they go about it")]
    harmful: Annotated[bool, Label("meant to harm")] = False
    approach: Annotated[WhichApproach, Doc("the reaction that this answers, where several wait")] = None

    def does(self, call: Call) -> list[ApproachDescribed]:
        who = find_roller(call.state, self.who)
        approach = described(call, who.id, self.words, self.approach)
        return [ApproachDescribed(approach=replace(approach, harmful=self.harmful))]


def described(call: Call, who: str, words: str, which: str | None) -> Approach:
    """NS-02: describe a new approach. NS-08: if a reaction waits, the description answers it."""
    approach = Approach(id=call.fresh, who=who)
    is_awaited = any(not waiting.words for waiting in approaches_of(call.state, who))
    if which is not None or is_awaited:
        approach = find_approach(call.state, who, which, lambda waiting: not waiting.words, "")
        if approach.words:
            raise Refusal("That is described already; drop it to do it another way.", code="described")
    return replace(approach, words=words)


# ---------------------------------------------------------------- dropping


@KEPT_APPROACHES.taken("approach_dropped", says="nothing comes of what {approach.who} was about to do")
class ApproachDropped(Event):
    """An approach comes to nothing: it was left, withdrawn, or its hero was knocked out."""

    approach: Approach


def withdrawing(state: State, approach: Approach) -> list[RequestWithdrawn]:
    """Withdraw the requested roll of this approach, or of the one against it."""
    events = []
    for side in (approach, opposite(state, approach)):
        if side is not None and side.request:
            events.append(RequestWithdrawn(request=state.requests[side.request]))
    return events


def dropping(state: State, approach: Approach) -> Sequence[RequestWithdrawn | ApproachDropped]:
    """Drop an approach, or withdraw its roll, which drops both sides of it."""
    return withdrawing(state, approach) or [ApproachDropped(approach=approach)]


@APPROACHES.command("drop_approach", actor="who")
class DropApproach(Command):
    """Drop an approach. Only the game master withdraws a reaction."""

    who: Annotated[CharacterId, Doc("whose approach")]
    approach: WhichApproach = None

    def does(self, call: Call) -> Sequence[RequestWithdrawn | ApproachDropped]:
        """NS-08: a reaction stays open until it is answered, or the game master withdraws it."""
        approach = find_approach(call.state, self.who, self.approach, lambda _: True, "has nothing under way")
        if approach.threat is not None and not call.viewer.is_game_master:
            raise NotAllowed("Only the game master withdraws what comes at you.")
        return dropping(call.state, approach)


@APPROACHES.after(RequestWithdrawn)
def withdrawal_drops_both_sides(state: State, withdrawn: RequestWithdrawn) -> list[ApproachDropped]:
    """NS-08: drop an approach whose roll is no longer requested, and the approach against it."""
    approaches = list(KEPT_APPROACHES.each(state))
    unrequested = [approach for approach in approaches if approach.request == withdrawn.request.id]
    ids = {approach.id for approach in unrequested}
    against = [approach for approach in approaches if approach.opposing in ids]
    return [ApproachDropped(approach=approach) for approach in (*unrequested, *against)]


@APPROACHES.after(KnockedOut, FateRecorded)
def drop_approaches_of_fallen(state: State, event: KnockedOut | FateRecorded) -> list[Any]:
    """NS-12: the knocked-out and the dead don't act, and get no reaction."""
    if isinstance(event, FateRecorded) and event.fate is not Fate.DEAD:
        return []
    events: list[Any] = []
    for approach in approaches_of(state, event.who):
        events += dropping(state, approach)
    return events


# ---------------------------------------------------------------- supporting


@KEPT_APPROACHES.put("support_given", says="{who} supports {approach.who} with {attribute}")
class SupportGiven(Event):
    """Someone supports an approach."""

    approach: Approach
    who: CharacterId
    attribute: Attribute


@KEPT_APPROACHES.put("support_withdrawn", says="{who} no longer supports {approach.who}")
class SupportWithdrawn(Event):
    """Someone no longer supports an approach."""

    approach: Approach
    who: CharacterId


def find_supported(state: State, who: str, which: str | None) -> Approach:
    return find_approach(state, who, which, lambda _: True, "has nothing under way that could be supported")


@APPROACHES.command("support", actor="who")
class GiveSupport(Command):
    """Support someone's approach with an attribute, for that one roll."""

    who: Annotated[CharacterId, Doc("who supports")]
    supported: Annotated[CharacterId, Label("whom"), Doc("whose approach")]
    attribute: Annotated[Attribute, Doc("what helps")]
    approach: WhichApproach = None

    def does(self, call: Call) -> list[SupportGiven]:
        """NS-07: anyone who has the attribute and can act may support; reactions and opponents may be supported too."""
        state = call.state
        who = find_able(state, self.who)
        approach = find_supported(state, self.supported, self.approach)
        if not who.sheet.dice(self.attribute):
            attribute = self.attribute.called(state.terms)
            raise Refusal(f"{who.name} has no {attribute} to support with.", code="no_attribute")
        if who.id == approach.who:
            raise Refusal(f"{who.name} can’t support themselves.", code="one_side")
        if approach.is_supported_by(who.id):
            raise Refusal(f"{who.name} supports this already.", code="no_change")
        opposing = opposite(state, approach)
        if opposing is not None and (opposing.who == who.id or opposing.is_supported_by(who.id)):
            raise Refusal(f"{who.name} is on the other side.", code="one_side")
        support = (*approach.support, Support(who=who.id, attribute=self.attribute))
        return [SupportGiven(approach=replace(approach, support=support), who=who.id, attribute=self.attribute)]


@APPROACHES.command("withdraw_support", actor="who")
class WithdrawSupport(Command):
    """Stop supporting someone's approach."""

    who: Annotated[CharacterId, Doc("who supports")]
    supported: Annotated[CharacterId, Label("whom"), Doc("whose approach")]
    approach: WhichApproach = None

    def does(self, call: Call) -> list[SupportWithdrawn]:
        approach = find_supported(call.state, self.supported, self.approach)
        if not approach.is_supported_by(self.who):
            raise Refusal("There is no such support to withdraw.", code="no_change")
        support = tuple(support for support in approach.support if support.who != self.who)
        return [SupportWithdrawn(approach=replace(approach, support=support), who=self.who)]
