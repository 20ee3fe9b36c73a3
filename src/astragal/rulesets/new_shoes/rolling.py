"""Rolls: statuses and support that count, totals, effects, and who tells them. NS-03 to NS-06, NS-10, NS-17."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Self

from astragal.chance import Fate, Question, Rule
from astragal.chance.dice import chains
from astragal.game import WITHHELD, Chapter, Command, Die, Doing, Event, Refusal, Seen, Teller, Value, shared
from astragal.game.display import RollCard, Tone, Went, signed
from astragal.game.fields import CharacterId, Doc
from astragal.game.rolls import Term, total

from .approaches import KEPT_APPROACHES, WhichApproach, find_approach, opposite
from .calling import ROLL
from .harm import ATTRIBUTES, can_take, harmed, healed
from .rules import Reached, Result, approach, beats, opposed_approach, target_words
from .state import Approach, Attribute, Call, Called, Chains, Does, Effect, State, Status, Thrown, find_roller
from .statuses import all_statuses

ROLLING = Chapter(seen=Seen.ALL)

NARRATION = "narration"
"""Kind of the prompt that asks what comes of a roll."""

# ---------------------------------------------------------------- what counts


def terms_of(state: State, acting: Approach) -> tuple[Term, ...]:
    """NS-04: everything that is added to this side's total."""
    statuses = [term_of(status, acting) for status in all_statuses(state) if applies(status, acting)]
    return (*statuses, *support_of(state, acting))


def applies(status: Status, acting: Approach) -> bool:
    """NS-04: true for statuses that the game master named, or else the roller's, the scene's, the opposition's."""
    if acting.called is not None and acting.called.statuses is not None:
        return status.id in acting.called.statuses
    if status.who is None:
        return not status.what
    return status.who == acting.who or is_on_opposition(status, acting)


def is_on_opposition(status: Status, acting: Approach) -> bool:
    """Return whether the status is on who or what stands against the approach without rolling."""
    return status.who is not None and acting.called is not None and status.who == acting.called.against


def term_of(status: Status, acting: Approach) -> Term:
    """NS-04: a status on the opposition counts with its sign reversed."""
    amount = -status.value if is_on_opposition(status, acting) else status.value
    return Term(name=status.name, amount=amount)


def support_of(state: State, acting: Approach) -> Iterator[Term]:
    """NS-07: the present value of each supporter's attribute, without their statuses. The fallen give none."""
    for support in acting.support:
        supporter = state.find(support.who)
        if not supporter.sheet.knocked_out and not supporter.is_dead:
            yield Term(name=f"support of {supporter.name}", amount=supporter.sheet.dice(support.attribute))


class Side(Value, kw_only=False):
    """One side of a roll: an approach, its dice, and what counts."""

    approach: Approach
    attribute: Attribute
    dice: int
    terms: tuple[Term, ...]

    @classmethod
    def of(cls, state: State, acting: Approach, called: Called) -> Self:
        """NS-03, NS-11: as many dice as the attribute has now."""
        dice = find_roller(state, acting.who).sheet.dice(called.attribute)
        return cls(acting, called.attribute, dice, terms_of(state, acting))

    @property
    def statuses(self) -> int:
        return total(self.terms)


def other_side(state: State, acting: Approach) -> Side | None:
    """NS-06: the side of another player who opposes."""
    opposing = opposite(state, acting)
    if opposing is None or opposing.called is None:
        return None
    return Side.of(state, opposing, opposing.called)


def in_words(terms: Sequence[Term]) -> str:
    """List the terms in brackets, after a space; empty without any."""
    if not terms:
        return ""
    words = ", ".join(f"{term.name} {signed(term.amount)}" for term in terms)
    return f" ({words})"


# ---------------------------------------------------------------- what it does


def effect_of_success(state: State, acting: Approach) -> Effect | None:
    """NS-10, NS-14: heal, or harm the attribute named, else the one the victim rolls, else the attacker's."""
    called = acting.called
    if called is None:
        return None
    if called.healing is not None:
        return called.healing
    if not acting.harmful:
        return None
    opposing = opposite(state, acting)
    if opposing is not None and opposing.called is not None:
        return Effect(does=Does.HARM, to=opposing.who, attribute=called.harmed or opposing.called.attribute)
    if called.against is None:
        return None
    return Effect(does=Does.HARM, to=called.against, attribute=called.harmed or called.attribute)


def effect_of_failure(state: State, acting: Approach) -> Effect | None:
    """NS-10: a failed defence harms, and so does an opponent whose approach is meant to."""
    called = acting.called
    opposing = opposite(state, acting)
    threat_harms = acting.threat is not None and acting.threat.harmful
    opponent_harms = opposing is not None and opposing.harmful
    if called is None or not (threat_harms or opponent_harms):
        return None
    return Effect(does=Does.HARM, to=acting.who, attribute=called.hurt or called.attribute)


def reach(state: State, effect: Effect | None) -> int:
    """NS-17: the greatest margin that matters: 1 to tell success from failure, more for harm and healing."""
    if effect is None:
        return 1
    sheet = state.find(effect.to).sheet
    if effect.does is Does.HEAL:
        most = ATTRIBUTES[effect.attribute].room(sheet)
    else:
        most = can_take(sheet, effect.attribute)
    return max(1, most)


def effects(state: State, acting: Approach, reached: Reached) -> Sequence[Any]:
    """NS-10: the difference harms or heals; a tie does nothing to anyone."""
    if reached.result is Result.PARTIAL:
        return []
    effect = effect_of_success(state, acting) if beats(reached) else effect_of_failure(state, acting)
    if effect is None:
        return []
    change = healed if effect.does is Does.HEAL else harmed
    return change(state.find(effect.to), effect.attribute, abs(reached.margin))


# ---------------------------------------------------------------- the roll

RESULTS = {
    Result.SUCCESS: "success, and the player tells it",
    Result.PARTIAL: "partial success, with a twist that the game master tells",
    Result.FAILURE: "failure, which the game master tells",
}
TONES = {Result.SUCCESS: Tone.GOOD, Result.PARTIAL: Tone.MIXED, Result.FAILURE: Tone.BAD}


@ROLLING.event("approach_rolled")
class ApproachRolled(Event):
    """An approach was rolled. Its effects follow, and then someone is asked to tell what comes of it."""

    approach: str
    who: CharacterId
    attribute: Attribute
    terms: tuple[Term, ...]
    target: Annotated[int | None, Seen.DIFFICULTY]
    """None where another player's total was the target."""
    result: Annotated[Result, Seen.DIFFICULTY]
    opposing: str | None = None
    opponent: CharacterId | None = None
    opposing_attribute: Attribute | None = None
    opposing_terms: tuple[Term, ...] = ()

    def says(self, teller: Teller) -> str:
        roll = f"{teller.name(self.who)}, {teller.term(self.attribute.value)}{in_words(self.terms)}"
        if self.result is WITHHELD:
            return f"{roll}: the game master knows what it was against"
        if self.target is not None:
            against = target_words(self.target)
        else:
            assert self.opposing_attribute is not None  # noqa: S101 - without a target there is an opponent
            attribute = teller.term(self.opposing_attribute.value)
            against = f"{teller.name(self.opponent)}, {attribute}{in_words(self.opposing_terms)}"
        return f"{roll} against {against}: {RESULTS[self.result]}"

    def went(self, _: Teller) -> Went | None:
        if self.result is WITHHELD:
            return None
        return Went(TONES[self.result], self.result.value)

    def fold(self, state: State) -> State:
        """NS+01: remove both approaches, and the lesson of an earlier roll."""
        for who in (self.who, self.opponent):
            if who is not None:
                state = state.changed(who, lesson=None)
        return KEPT_APPROACHES.take_off(state, self.approach, self.opposing)


@ROLLING.command(
    ROLL,
    actor="who",
    outcome=lambda reached: reached.result,
    hopes=lambda result: result is not Result.FAILURE,
    card=RollCard(
        title="{who}: {what_for}",
        short="{who} rolls",
        notes=("{attribute}",),
        hopes="to get there",
        verb="Roll {Dice}",
        sides=(("who", "mine"), ("opponent", "theirs")),
    ),
)
class RollApproach(Command):
    """Roll an approach that is described and called."""

    who: Annotated[CharacterId, Doc("who rolls")]
    approach: WhichApproach = None

    def does(self, call: Call) -> Doing[Reached]:
        """NS-03: roll against the target. NS-06: or against the dice of another player.

        NS-16: a preview of the question gives the chances to beat, meet and miss the target before the roll, and
        `variants` those with and without each status and support.
        NS-05: the player tells a success, the game master anything else. The prompt gives no hidden target away, and
        the table keeps both the answer and the game master's edit of it.
        """
        state = call.state
        mine, theirs, request = self.ready(state)
        acting = mine.approach
        reached = yield self.question(state, mine.statuses)
        rolled = ApproachRolled(
            approach=acting.id,
            who=acting.who,
            attribute=mine.attribute,
            terms=mine.terms,
            target=request.difficulty,  # withheld, in the view of a player from whom it is hidden
            result=reached.result,
            opposing=theirs.approach.id if theirs else None,
            opponent=theirs.approach.who if theirs else None,
            opposing_attribute=theirs.attribute if theirs else None,
            opposing_terms=theirs.terms if theirs else (),
        )
        narrator = acting.who if reached.result.player_narrates else state.game_master
        narration = shared.new_prompt(state, acting.id, narrator, "Tell what comes of it.", kind=NARRATION)
        return [shared.met(request), rolled, *effects(state, acting, reached), narration]

    def question(self, state: State, statuses: int) -> Question[Reached]:
        """The roll with this sum of statuses added: against a target, or against the dice of another player."""
        mine, theirs, request = self.ready(state)
        target: Any = request.difficulty
        won = reach(state, effect_of_success(state, mine.approach))
        lost = reach(state, effect_of_failure(state, mine.approach))
        explode = state.options.explode
        if theirs is None:
            return approach(mine.dice, target, statuses, won=won, lost=lost, explode=explode)
        return opposed_approach(mine.dice, theirs.dice, statuses, theirs.statuses, won=won, lost=lost, explode=explode)

    def variants(self, call: Call) -> Iterator[tuple[str, Question[Reached]]]:
        """NS-16: without each status and support that counts, and with each status that does not."""
        state = call.state
        mine, _, _ = self.ready(state)
        for term in mine.terms:
            yield f"without {term.name} {signed(term.amount)}", self.question(state, mine.statuses - term.amount)
        for status in all_statuses(state):
            if not applies(status, mine.approach):
                term = term_of(status, mine.approach)
                yield f"with {term.name} {signed(term.amount)}", self.question(state, mine.statuses + term.amount)

    def hides(self, call: Call) -> bool:
        _, _, request = self.ready(call.state)
        return request.hidden

    def ready(self, state: State) -> tuple[Side, Side | None, shared.Request]:
        """NS-02: find an approach that is described and called: its side, the opposing side, and the request."""
        lacking = "is asked for no roll: describe how they go about it, and the game master calls for it"
        acting = find_approach(state, self.who, self.approach, lambda approach: approach.request, lacking)
        if not acting.words:
            raise Refusal("Describe it first.", code="not_described")
        if acting.called is None:
            raise Refusal("The game master has still to name attribute and target.", code="not_called")
        if acting.called.request is None:
            raise Refusal("This opposes somebody, and is thrown together with their roll.", code="opposes")
        request = shared.find_request(state, acting.called.request, acting.who)
        return Side.of(state, acting, acting.called), other_side(state, acting), request


@ROLLING.after(shared.Narrate)
def close_narration_prompt(state: State, _: shared.Narrate) -> list[shared.PromptWithdrawn]:
    """NS-05: close the prompt, in whatever way the game master tells it."""
    prompts = [prompt for prompt in state.prompts.values() if prompt.kind == NARRATION]
    asked_of_game_master = [prompt for prompt in prompts if prompt.to == state.game_master and prompt.is_open]
    return [shared.PromptWithdrawn(prompt=prompt) for prompt in asked_of_game_master]


# ---------------------------------------------------------------- the dice on the table
#
# A rule's verdict knows only as much of the total as matters; the dice themselves are in the record of the roll.
# Dice thrown by hand may come in several goes: those that fell are set aside until the others are entered.


def explodes(die: Die) -> bool:
    return die.fate == Fate.EXPLODED.value


@ROLLING.event("dice_thrown")
class DiceThrown(Event):
    """NS-03: every die with those that it brought, and the total with statuses and support."""

    mine: Chains
    statuses: int
    total: int
    theirs: Chains = ()
    opposing_statuses: int = 0
    opposing_total: int | None = None

    def says(self, _: Teller) -> str:
        """NS-03: die by die, with an arrow to each that a 6 brought."""

        mine = words_of_throw(self.mine, self.statuses, self.total)
        if self.opposing_total is None:
            return mine
        theirs = words_of_throw(self.theirs, self.opposing_statuses, self.opposing_total)
        return f"{mine} against {theirs}"

    def fold(self, state: State) -> State:
        return state.with_game(thrown=Thrown(mine=self.mine, theirs=self.theirs), taken_up=())


def words_of_throw(thrown: Chains, statuses: int, total: int) -> str:
    """Write the dice of one side as a sum: “6→4 + 2 − 1 = 11”."""
    words = " + ".join("→".join(map(str, chain)) for chain in thrown)
    if statuses:
        sign = "−" if statuses < 0 else "+"
        words += f" {sign} {abs(statuses)}"
    return f"{words} = {total}"


@ROLLING.event("dice_set_aside")
class DiceSetAside(Event):
    """Dice thrown by hand lie on the table until the others are entered."""

    act: str
    dice: tuple[Die, ...]

    def says(self, _: Teller) -> str:
        faces = ", ".join(str(die.face) for die in self.dice)
        return f"on the table so far: {faces}" if faces else "the dice are cleared away"

    def fold(self, state: State) -> State:
        aside = dict(state.game.aside)
        aside.pop(self.act, None)
        if self.dice:
            aside[self.act] = self.dice
        return state.with_game(aside=aside, taken_up=())


@ROLLING.event("dice_taken_up", says="more dice are thrown to them")
class DiceTakenUp(Event):
    """More dice are thrown to those that were set aside."""

    act: str

    def fold(self, state: State) -> State:
        aside = dict(state.game.aside)
        return state.with_game(taken_up=aside.pop(self.act), aside=aside)


@ROLLING.after(shared.Rolled)
def read_the_dice(state: State, rolled: shared.Rolled) -> list[DiceThrown]:
    """NS-03, NS-06: the dice of a roll, once all of them have fallen."""
    if rolled.question.rule == approach.name:
        rule: Rule[..., Reached] = approach
    elif rolled.question.rule == opposed_approach.name:
        rule = opposed_approach
    else:
        return []
    dice = (*state.game.taken_up, *rolled.dice)
    numbers = dict(zip(rule.parameters, rolled.question.arguments, strict=True))
    dice_of_mine = numbers["dice"]
    dice_of_theirs = numbers.get("opposing", 0)
    chains_of_dice = chains(iter(dice), dice_of_mine + dice_of_theirs, explodes)
    if len(dice) < dice_of_mine + dice_of_theirs or any(explodes(chain[-1]) for chain in chains_of_dice):
        return []
    faces = tuple(tuple(die.face for die in chain) for chain in chains_of_dice)
    mine = faces[:dice_of_mine]
    theirs = faces[dice_of_mine:]
    statuses = numbers["statuses"]
    opposing_statuses = numbers.get("opposing_statuses", 0)
    thrown = DiceThrown(
        mine=mine,
        statuses=statuses,
        total=sum(map(sum, mine)) + statuses,
        theirs=theirs,
        opposing_statuses=opposing_statuses,
        opposing_total=sum(map(sum, theirs)) + opposing_statuses if dice_of_theirs else None,
    )
    return [thrown]


@ROLLING.after(shared.DecisionOpened)
def set_dice_aside(_: State, opened: shared.DecisionOpened) -> list[DiceSetAside]:
    decision = opened.decision
    if decision.command != ROLL or not decision.dice:
        return []
    return [DiceSetAside(act=decision.act, dice=decision.dice)]


@ROLLING.after(shared.Decided)
def take_dice_up(state: State, decided: shared.Decided) -> list[DiceTakenUp]:
    if decided.act not in state.game.aside:
        return []
    return [DiceTakenUp(act=decided.act)]


@ROLLING.after(shared.DecisionWithdrawn, shared.DecisionLapsed)
def clear_dice_away(state: State, ended: shared.DecisionWithdrawn | shared.DecisionLapsed) -> list[DiceSetAside]:
    if ended.act not in state.game.aside:
        return []
    return [DiceSetAside(act=ended.act, dice=())]
