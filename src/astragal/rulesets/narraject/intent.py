"""The core loop: declare an intent, roll a hand for it, and make it true on a success. NJ-01 to NJ-06, NJ+04."""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Annotated, Any, TypeAlias

from astragal.game import WITHHELD, Chapter, Command, Event, Kept, Refusal, Seen, StillDeciding, Teller, copied_into
from astragal.game.display import Proposal, Tone, Went, capitalised
from astragal.game.fields import Against, CharacterId, Doc, Label, Name, Words
from astragal.game.shared import Request, RequestId, RollRequested, find_request, met, withdrawn_requests

from .gathering import Gathered, HandRoll, rolls_a_hand
from .hand import MOST_SUCCESSES, Difficulty, Hand, Outcome, Successes, name_of, roll_hand, success_words, successes_of
from .scene import KEPT_ASPECTS, KEPT_FACTS, KEPT_THREATS, AspectMade, ThreatId
from .state import Aspect, Call, Fact, Intent, Span, Stat, State, Who

INTENT = Chapter(seen=Seen.ALL)

ATTEMPT = "attempt"
"""The command that a request asks for."""

Goal: TypeAlias = Annotated[Words, Label("what is wanted"), Doc("NJ-01: what is wanted; left out, as declared")]
Approach: TypeAlias = Annotated[Words, Label("how"), Doc("NJ-01: with what, or by doing what; left out, as declared")]
HowItIsDone: TypeAlias = Annotated[Words, Label("how"), Doc("NJ-01: with what, or by doing what")]


KEPT_INTENTS = Kept(INTENT, Intent, key="who", board="Wanted", row=("{who}: {goal}", "{approach}"))
"""NJ-01: intents declared and not rolled for yet; each character has one at a time."""


@INTENT.proposes
def roll_or_yes(state: State, teller: Teller) -> Iterator[Proposal]:
    """NJ-02: propose a roll or a yes for each declared intent, unless a roll was already asked of that character."""
    asked_to_roll = {request.who for request in state.requests.values() if request.command == ATTEMPT}
    for intent in KEPT_INTENTS.each(state):
        if intent.who in asked_to_roll:
            continue
        about = f"{teller.name(intent.who)} wants: {intent.goal} ({intent.approach})"
        who = ("who", intent.who)
        yield Proposal(about, "ask for the roll", "request_roll", (who, ("what_for", intent.goal)))
        yield Proposal(about, "say yes", "say_yes", (who, ("goal", intent.goal), ("approach", intent.approach)))


# ---------------------------------------------------------------- declaring


@KEPT_INTENTS.put("intent_declared", says="{intent.who} wants: {intent.goal} ({intent.approach})")
class IntentDeclared(Event):
    """NJ-01: somebody said what they want, and how."""

    intent: Intent


def check_said(*parts: str) -> None:
    """NJ-01: refuse an intent that lacks a part."""
    if not all(part.strip(" .") for part in parts):
        raise Refusal("Say what is wanted, and how (declare_intent).", code="no_intent")


def intent_of(state: State, who: str, goal: str, approach: str) -> Intent:
    """NJ-01: complete an intent: goal and approach as given now, or else as declared."""
    declared = state.game.intents.get(who, Intent(who=who, goal="", approach=""))
    goal = goal.strip(" .") or declared.goal
    approach = approach.strip(" .") or declared.approach
    check_said(goal, approach)
    return Intent(who=who, goal=goal, approach=approach)


@INTENT.command("declare_intent", actor="who")
class DeclareIntent(Command):
    """Say what is wanted and how, before anyone rolls. The game master asks for the roll, or says yes."""

    who: Who
    goal: Annotated[Words, Label("what is wanted"), Doc("NJ-01: what is wanted")]
    approach: HowItIsDone

    def does(self, call: Call) -> list[Any]:
        """NJ-06: a difficulty belongs to one intent; declaring another withdraws the request for a roll."""
        check_said(self.goal, self.approach)
        state = call.state
        last_intent = state.game.intents.get(self.who)
        who = state.find(self.who).id
        intent = Intent(who=who, goal=self.goal.strip(" ."), approach=self.approach.strip(" ."))
        if any(decision.fields.get("who") == self.who for decision in state.decisions.values()):
            raise StillDeciding("The dice for the last intent are still in the air.")
        if intent == last_intent:
            raise Refusal("That is declared already.", code="no_change")
        if last_intent is None:
            return [IntentDeclared(intent=intent)]
        return [IntentDeclared(intent=intent), *withdrawn_requests(state, self.who, ATTEMPT)]


# ---------------------------------------------------------------- attempting


class Wanted(Event):
    """NJ-01: base of the events that tell what became of an intent."""

    who: CharacterId
    goal: Words
    approach: Words

    def wanted(self, teller: Teller) -> str:
        return f"{teller.name(self.who)} wants: {self.goal} ({self.approach})"


@INTENT.event("attempted")
class Attempted(Wanted):
    """NJ-01, NJ-05, NJ-10: a hand was rolled for an intent. Everyone sees the successes, but no hidden difficulty."""

    stat: Stat
    hand: Hand
    dice: int
    focus: int
    """NJ-13: points that were spent."""
    used_up: tuple[str, ...]
    """Aspects that ended with this roll."""
    successes: int
    difficulty: Annotated[int, Seen.DIFFICULTY]
    success: Annotated[bool, Seen.DIFFICULTY]
    excess: Annotated[int, Seen.DIFFICULTY]
    """NJ-05: successes beyond the difficulty; a shortfall is negative."""
    fact: str
    """NJ-03: the id of the fact that a success makes."""
    hidden: bool = False
    left: int | None = None
    """NJ-13: points left in the stat's Reserve, if Focus was spent."""

    @property
    def meaning(self) -> str:
        """NJ-05: the result in words, as far as the viewer may know it."""
        if self.success is WITHHELD:
            return "the game master knows what it means"
        if not self.success:
            return f"failed, {-self.excess} short"
        return f"it comes true, {self.excess} to spare" if self.excess else "it comes true"

    def says(self, teller: Teller) -> str:
        """NJ-05, NJ-10: the intent, every term of the hand, the count, and what it means."""
        count = success_words(self.successes) if self.dice else "Nothing to roll"
        if self.difficulty is not WITHHELD:
            count += f" against {self.difficulty} ({name_of(self.difficulty).value})"
        sentences = [self.wanted(teller), capitalised(self.hand.words(teller)), count, capitalised(self.meaning)]
        if self.left is not None:
            sentences.append(f"{self.left} left in the {teller.term(self.stat.value)} Reserve")
        return ". ".join(sentences)

    def in_short(self, teller: Teller) -> str:
        return f"{self.wanted(teller)}. {capitalised(self.meaning)}"

    def went(self, _: Teller) -> Went:
        """NJ-05: good or bad; not shown to viewers who may not know the difficulty."""
        return Went(Tone.GOOD if self.success else Tone.BAD, self.meaning)

    def fold(self, state: State) -> State:
        """NJ-13: Focus is spent. NJ-03: on a success, the goal becomes a fact."""
        sheet = state.characters[self.who].sheet
        reserve = sheet.reserves[self.stat] - self.focus
        state = state.with_sheet(self.who, sheet.with_reserve(self.stat, reserve))
        state = KEPT_INTENTS.take_off(state, self.who)
        state = KEPT_ASPECTS.take_off(state, *self.used_up)
        if not self.success:
            return state
        return KEPT_FACTS.put_on(state, Fact(id=self.fact, by=self.who, words=self.goal, hidden=self.hidden))


def attempted(call: Call, roll: Gathered, intent: Intent, outcome: Outcome, *, hidden: bool = False) -> Attempted:
    """NJ-05, NJ-10: make the event of a roll, with every term of the hand and the result of the dice."""
    hand = outcome.hand
    focus = hand.focus if hand.dice else 0  # NJ-20: an empty hand is not rolled, and costs nothing
    reserve = call.state.find(roll.who).sheet.reserves[roll.stat]
    return copied_into(
        Attempted,
        outcome,
        who=intent.who,
        goal=intent.goal,
        approach=intent.approach,
        stat=roll.stat,
        dice=hand.dice,
        focus=focus,
        left=reserve - focus if focus else None,
        used_up=roll.used_up(call),
        fact=call.fresh,
        hidden=hidden,
    )


@INTENT.command(
    ATTEMPT,
    **rolls_a_hand(
        title="{who} wants: {goal|what_for}",
        short="{who} rolls {stat}",
        notes=("{approach}", "{stat}"),
        hopes="to make it true",
        verb="Roll {The hand}",
        usual=(("difficulty", Difficulty.MODERATE.value),),
        unless=("request", "threat"),
        words=(("goal", "what comes next"), ("approach", "with whatever comes to hand")),
    ),
)
class Attempt(Gathered):
    """Roll a hand for an intent. A success makes it true, whole."""

    stat: Annotated[Stat, Doc("NJ-11: the stat that the approach fits")]
    goal: Goal = ""
    approach: Approach = ""
    difficulty: Annotated[
        Successes | Difficulty | None, Doc("NJ-04: successes wanted, by number or name"), Against()
    ] = None
    request: Annotated[RequestId | None, Doc("the game master's request, which holds the difficulty")] = None
    threat: Annotated[ThreatId | None, Doc("NJ+04: the threat to be hit, whose level is the difficulty")] = None
    makes_aspect: Annotated[
        Name | None, Label("aspect it makes"), Doc("NJ-23: a scene aspect that a success makes")
    ] = None

    def does(self, call: Call) -> HandRoll:
        """NJ-06: the difficulty of a request holds only for the intent that was declared.

        NJ-23: a success can make a scene injection; NJ-18: it lends 1 die.
        """
        state = call.state
        declared = state.game.intents.get(self.who)
        intent = intent_of(state, self.who, self.goal, self.approach)
        if self.request is not None and declared is not None and intent != declared:
            raise Refusal("The difficulty was set for another intent: declare this one first.", code="intent_changed")
        if self.makes_aspect is not None:
            KEPT_ASPECTS.check_free(call, self.makes_aspect)
        hand = self.hand(call)
        request = self.find_request(state)
        outcome = yield roll_hand(hand, self.successes_wanted(call, request))
        request_is_met = [met(request)] if request else []
        if outcome.difficulty == 0:
            done = copied_into(DoneWithoutDice, intent, missing=Missing.CHALLENGE, fact=call.fresh)
            return [done, *request_is_met]
        hidden = request is not None and request.hidden
        events: list[Any] = [attempted(call, self, intent, outcome, hidden=hidden)]
        if self.makes_aspect is not None and outcome.success:
            aspect = Aspect(id=call.fresh, name=self.makes_aspect, dice=1, span=Span.SCENE, hidden=hidden)
            events.append(AspectMade(aspect=aspect))
        return [*events, *request_is_met]

    def recalls(self, call: Call) -> dict[str, str]:
        """NJ-01: goal and approach as declared."""
        declared = call.state.game.intents.get(self.who)
        if declared is None:
            return {}
        return {"goal": declared.goal, "approach": declared.approach}

    def hides(self, call: Call) -> bool:
        return self.request is not None and find_request(call.state, self.request, self.who).hidden

    def find_request(self, state: State) -> Request | None:
        """Find the request that is named, or refuse one that asks for another command."""
        if self.request is None:
            return None
        request = find_request(state, self.request, self.who)
        if request.command != ATTEMPT:
            requested_roll = request.command.replace("_", " ")
            raise Refusal(f"That request asks for another roll: {requested_roll}.", code="other_roll")
        return request

    def successes_wanted(self, call: Call, request: Request | None) -> int:
        """NJ-04: return the difficulty of the threat or request, or the one named here: exactly one of them."""
        difficulties = []
        if request is not None and request.difficulty is not None:
            difficulties.append(request.difficulty)
        if self.threat is not None:
            difficulties.append(KEPT_THREATS.find(call, self.threat).level)
        if self.difficulty is not None:
            difficulties.append(successes_of(self.difficulty))
        if len(difficulties) != 1:
            message = "Set the difficulty once: name it, or a request or a threat that has one."
            raise Refusal(message, code="difficulty")
        return difficulties[0]


@INTENT.after(RollRequested)
def check_requested_difficulty(_: State, requested: RollRequested) -> Sequence[Any]:
    """NJ-06: accept any difficulty from 0 to `MOST_SUCCESSES`."""
    difficulty = requested.request.difficulty
    if requested.request.command == ATTEMPT and difficulty is not None and not 0 <= difficulty <= MOST_SUCCESSES:
        raise Refusal(f"A difficulty is 0 to {MOST_SUCCESSES} successes, not {difficulty}.", code="difficulty")
    return ()


# ---------------------------------------------------------------- without dice


class Missing(Enum):
    """NJ-02: a need of every roll that this action does not meet."""

    UNCERTAINTY = "uncertainty"
    CONSEQUENCES = "consequences"
    CHALLENGE = "challenge"

    @property
    def why(self) -> str:
        reasons = {
            Missing.UNCERTAINTY: "the outcome is certain",
            Missing.CONSEQUENCES: "failing would change nothing",
            Missing.CHALLENGE: "it is too easy to fail",
        }
        return reasons[self]


@INTENT.event("done_without_dice", says="{wanted}. Done without dice, since {missing.why}")
class DoneWithoutDice(Wanted):
    """NJ-02: an intent came true without a roll."""

    missing: Missing
    fact: str

    def in_short(self, teller: Teller) -> str:
        return f"{self.wanted(teller)}. It comes true"

    def fold(self, state: State) -> State:
        state = KEPT_INTENTS.take_off(state, self.who)
        return KEPT_FACTS.put_on(state, Fact(id=self.fact, by=self.who, words=self.goal))


@INTENT.command("say_yes")
class SayYes(Command):
    """Let an intent come true without dice, and say what a roll lacks: uncertainty, consequences or challenge."""

    who: Who
    missing: Annotated[Missing, Label("what it lacks"), Doc("NJ-02: what a roll needs and this has not")]
    goal: Goal = ""
    approach: Approach = ""

    def does(self, call: Call) -> list[Any]:
        intent = intent_of(call.state, call.state.find(self.who).id, self.goal, self.approach)
        done = copied_into(DoneWithoutDice, intent, missing=self.missing, fact=call.fresh)
        return [done, *withdrawn_requests(call.state, self.who, ATTEMPT)]
