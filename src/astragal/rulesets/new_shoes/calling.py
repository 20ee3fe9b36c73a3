"""Calls: the game master names what is rolled, against what, and what is at stake; reactions to what others do.

NS-02, NS-06, NS-08, NS-10, NS-14.
"""

from typing import Annotated, Any, TypeAlias

from astragal.game import Chapter, Command, Event, Refusal, Seen, copied_into, replace
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, Seldom, Suggests, Unless
from astragal.game.shared import Request, RollRequested

from .approaches import KEPT_APPROACHES, ApproachDescribed, Said, WhichApproach, described, find_approach, withdrawing
from .rules import Step, is_usual
from .state import Approach, Attribute, Call, Called, Does, Effect, State, Threat, find_able, find_roller
from .statuses import StatusName, find_status

CALLING = Chapter(seen=Seen.ALL)

ROLL = "roll_approach"
"""The command that a call requests."""

TargetSaid: TypeAlias = Annotated[int, Ge(-999), Le(999)] | Step
Hidden: TypeAlias = Annotated[bool, Doc("whether the target is the game master's secret")]
Hurt: TypeAlias = Annotated[
    Attribute | None, Label("failure lowers"), Doc("what a failed defence lowers; else what is rolled"), Seldom()
]
WhichStatuses: TypeAlias = Annotated[
    tuple[StatusName, ...] | None,
    Doc("the statuses that apply; by default all of their own, of the scene, and of whoever stands against it"),
    Seldom(),
]

# ---------------------------------------------------------------- what was called


@KEPT_APPROACHES.put(
    "approach_called",
    says="{approach.who} rolls {approach.called.attribute}[ against {opponent}][ against {approach.called.against}]"
    "[ to heal {approach.called.healing.to} ({approach.called.healing.attribute})]",
)
class ApproachCalled(Event):
    """The game master named what is rolled. The target comes with the request for the roll."""

    approach: Approach
    opponent: CharacterId | None = None

    def fold(self, state: State) -> State:
        """Free an approach that was on the other side before."""
        freed = []
        for approach in KEPT_APPROACHES.each(state):
            if approach.opposing == self.approach.id and approach.id != self.approach.opposing:
                freed.append(replace(approach, called=None))
        return KEPT_APPROACHES.put_on(state, *freed)


@CALLING.event("target_beyond_the_usual", secret=True, says="a target of {target} lies outside the usual 4 to 20")
class TargetBeyondTheUsual(Event):
    """NS-02: a target outside 4 to 20 stands, with a warning."""

    target: int


def target_of(target: int | Step) -> int:
    return target.target if isinstance(target, Step) else target


def asking_to_roll(
    state: State,
    approach: Approach,
    called: Called,
    target: int | None,
    *,
    hidden: bool = False,
    opponent: str | None = None,
) -> list[Any]:
    """NS-02: events of a call, with the table's request for the roll, which holds the target."""
    request = Request(
        id=called.request or "",
        who=approach.who,
        command=ROLL,
        fields={"who": approach.who, "approach": approach.id},
        what_for=approach.title,
        hidden=hidden,
        difficulty=target,
    )
    events: list[Any] = [ApproachCalled(approach=replace(approach, called=called), opponent=opponent)]
    events += withdrawing(state, approach)
    if target is not None and not is_usual(target):
        events.append(TargetBeyondTheUsual(target=target))
    events.append(RollRequested(request=request))
    return events


def find_described(state: State, who: str, which: str | None) -> Approach:
    lacking = "has described nothing that could be called"
    return find_approach(state, who, which, lambda approach: approach.words, lacking)


def status_ids(state: State, statuses: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Return the ids of the statuses that were named, each once; None if none were, so that the usual ones apply."""
    if statuses is None:
        return None
    ids = [find_status(state, status).id for status in statuses]
    return tuple(dict.fromkeys(ids))


# ---------------------------------------------------------------- against a target


@CALLING.command("call_approach")
class CallApproach(Command):
    """Name the attribute and the target of an approach. If a player said it aloud, describe it here, too."""

    who: Annotated[CharacterId, Doc("whose approach")]
    attribute: Annotated[Attribute, Doc("what is rolled")]
    target: Annotated[TargetSaid, Doc("what to beat, by number or name; usually 4 to 20")] = Step.FAIR
    words: Annotated[
        Said | None,
        Suggests("way on"),
        Label("how"),
        Doc("how they go about it, where it is not described yet"),
        Unless("approach"),
    ] = None
    hidden: Hidden = False
    against: Annotated[CharacterId | None, Doc("who or what stands against it, without rolling")] = None
    harmed: Annotated[
        Attribute | None, Label("success lowers"), Doc("what a harmful success lowers; else what is rolled"), Seldom()
    ] = None
    hurt: Hurt = None
    statuses: WhichStatuses = None
    approach: WhichApproach = None

    def does(self, call: Call) -> list[Any]:
        """NS-02: attribute and target, and who stands against it: the one named, or the one reacted to.

        Given words describe the approach. NS-10: only an approach meant to harm does harm, and it needs a victim.
        """
        state = call.state
        who = find_roller(state, self.who)
        events: list[Any] = []
        if self.words is None:
            approach = find_described(state, who.id, self.approach)
        else:
            approach = described(call, who.id, self.words, self.approach)
            events.append(ApproachDescribed(approach=approach))
        against = self.find_opposition(state, approach)
        statuses = status_ids(state, self.statuses)
        called = copied_into(Called, self, request=call.fresh, against=against, statuses=statuses)
        if approach.harmful and against is None:
            raise Refusal("Say against whom it is: it is meant to harm.", code="no_victim", field="against")
        if self.harmed is not None and not approach.harmful and approach.words:
            raise Refusal("That approach is not meant to harm.", code="harmless")
        events += asking_to_roll(state, approach, called, target_of(self.target), hidden=self.hidden)
        return events

    def find_opposition(self, state: State, approach: Approach) -> str | None:
        """Return the id of who or what stands against it: the one named, or else the one reacted to."""
        if self.against is None:
            return approach.threat.by if approach.threat else None
        if self.against == approach.who:
            raise Refusal("You can't oppose yourself.", code="one_side")
        return state.find(self.against).id


# ---------------------------------------------------------------- against another player


@CALLING.command("call_opposed")
class CallOpposed(Command):
    """Set two players' approaches against each other: the other's total is the target."""

    who: Annotated[CharacterId, Doc("who acts")]
    attribute: Annotated[Attribute, Doc("what the one who acts rolls")]
    opponent: Annotated[CharacterId, Doc("who opposes")]
    opposing_attribute: Annotated[Attribute, Doc("what the opponent rolls")]
    harmed: Annotated[
        Attribute | None,
        Label("success lowers"),
        Doc("what harm lowers for the opponent; else what they roll"),
        Seldom(),
    ] = None
    hurt: Annotated[
        Attribute | None,
        Label("failure lowers"),
        Doc("what the opponent's harm lowers; else what is rolled"),
        Seldom(),
    ] = None
    statuses: WhichStatuses = None
    opposing_statuses: WhichStatuses = None
    approach: WhichApproach = None
    opposing: WhichApproach = None

    def does(self, call: Call) -> list[Any]:
        """NS-06: two players' approaches, each of which is the other's target."""
        state = call.state
        who = find_roller(state, self.who)
        opponent = find_roller(state, self.opponent)
        if who.id == opponent.id:
            raise Refusal(f"{who.name} can’t be on both sides.", code="one_side")
        acting = find_described(state, who.id, self.approach)
        opposing = find_described(state, opponent.id, self.opposing)
        if acting.is_reaction or opposing.is_reaction:
            raise Refusal("A reaction is rolled against a target, not against another player.", code="reaction")
        mine = status_ids(state, self.statuses)
        theirs = status_ids(state, self.opposing_statuses)
        my_call = copied_into(Called, self, request=call.fresh, opposing=opposing.id, statuses=mine)
        their_call = Called(attribute=self.opposing_attribute, opposing=acting.id, statuses=theirs)
        return [
            ApproachCalled(approach=replace(opposing, called=their_call), opponent=who.id),
            *withdrawing(state, opposing),
            *asking_to_roll(state, acting, my_call, None, opponent=opponent.id),
        ]


# ---------------------------------------------------------------- to heal


@CALLING.command("call_healing")
class CallHealing(Command):
    """Name attribute and target of an approach that heals, where there are means to do it."""

    who: Annotated[CharacterId, Doc("who heals")]
    attribute: Annotated[Attribute, Doc("what is rolled")]
    patient: Annotated[CharacterId, Doc("who is healed")]
    healed: Annotated[Attribute, Doc("which attribute is restored")]
    target: Annotated[TargetSaid, Doc("what to beat, by number or name; usually 4 to 20")] = Step.FAIR
    hidden: Hidden = False
    statuses: WhichStatuses = None
    approach: WhichApproach = None

    def does(self, call: Call) -> list[Any]:
        """NS-14: the game master has seen that there are means to do it."""
        state = call.state
        who = find_roller(state, self.who)
        patient = state.find(self.patient)
        points = patient.sheet.points(self.healed)
        attribute = self.healed.called(state.terms)
        if points is None:
            raise Refusal(f"{patient.name} has no {attribute} that could be healed.", code="nothing_to_heal")
        if not points.missing:
            raise Refusal(f"{patient.name} has all {points.full} points of {attribute}.", code="nothing_to_heal")
        approach = find_described(state, who.id, self.approach)
        healing = Effect(does=Does.HEAL, to=patient.id, attribute=self.healed)
        statuses = status_ids(state, self.statuses)
        called = Called(request=call.fresh, attribute=self.attribute, healing=healing, statuses=statuses)
        return asking_to_roll(state, approach, called, target_of(self.target), hidden=self.hidden)


# ---------------------------------------------------------------- reactions: others never roll


@KEPT_APPROACHES.put(
    "reaction_prompted", says="{approach.who} has to react. [{approach.threat.by}: ]{approach.threat.words}"
)
class ReactionPrompted(Event):
    """Something comes at a hero, who has to react: an approach that the player has yet to describe."""

    approach: Approach


@CALLING.command("prompt_reaction")
class PromptReaction(Command):
    """Act against a hero: the player describes how they react, and rolls. Attribute and target may be named later."""

    who: Annotated[CharacterId, Doc("who has to react")]
    words: Annotated[Said, Label("what comes at them")]
    by: Annotated[CharacterId | None, Label("who does it")] = None
    harmful: Annotated[bool, Doc("whether a failed reaction harms")] = True
    attribute: Annotated[Attribute | None, Doc("what is rolled")] = None
    target: Annotated[TargetSaid | None, Doc("what to beat, by number or name; usually 4 to 20")] = None
    hidden: Hidden = False
    hurt: Hurt = None

    def does(self, call: Call) -> list[Any]:
        """NS-08: it waits for the player. NS-12: the knocked-out get no reaction."""
        who = find_roller(call.state, self.who)
        by = None if self.by is None else find_able(call.state, self.by)
        if by is not None and by.sheet.is_hero:
            raise Refusal(f"{by.name} is a hero: set the two approaches against each other.", code="hero")
        if (self.attribute is None) != (self.target is None):
            message = "Name attribute and target together, or both when they have described it."
            raise Refusal(message, code="half_called")
        threat = Threat(words=self.words, by=by.id if by else None, harmful=self.harmful)
        prompted = ReactionPrompted(approach=Approach(id=call.fresh, who=who.id, threat=threat))
        if self.attribute is None:
            return [prompted]
        assert self.target is not None  # noqa: S101 - they are named together
        called = Called(request=call.fresh, attribute=self.attribute, against=self.by, hurt=self.hurt)
        target = target_of(self.target)
        return [prompted, *asking_to_roll(call.state, prompted.approach, called, target, hidden=self.hidden)]
