"""The core loop: declare an intent, roll a hand for it, and what was wanted is true. NJ-01 to NJ-06."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from astragal.chance import Question
from astragal.table.chapters.requests import RequestWithdrawn, RollRequested, find_request, met
from astragal.table.deeds import Revealed
from astragal.table.refusals import Refusal, StillDeciding
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction, Spend
from astragal.table.state import State
from astragal.table.things.requests import Request

from . import words
from .asked import Attempt, DeclareIntent, Gathered, Missing, SayYes
from .aspects import check_free
from .difficulty import MOST_SUCCESSES, successes_of
from .game import Fact, Game, Intent, Span, with_game
from .gathering import focus_range, gather_hand, used_up
from .hand import Hand
from .happened import AspectMade, Attempted, CameToLight, DoneWithoutDice, IntentDeclared
from .rolling import Outcome, Result, roll_hand
from .sheet import find
from .stats import Stat
from .threats import find_threat

# ---------------------------------------------------------------- declaring


def _declare(call: Call, asked: DeclareIntent, _: None) -> list[Any]:
    """NJ-06: a difficulty was set for an intent; another intent reopens it."""
    declared = Intent(goal=asked.goal.strip(), approach=asked.approach.strip())
    if not declared.goal or not declared.approach:
        raise no_intent()
    before = call.state.game.intents.get(asked.who)
    if any(one.fields.get("who") == asked.who for one in call.state.decisions.values()):
        raise StillDeciding("The dice for the last intent are still in the air.")
    if declared == before:
        raise Refusal("That is declared already.", code="no_change")
    reopened = [] if before is None else _requests_of(call.state, asked.who)
    told = IntentDeclared(who=find(call.state, asked.who).id, goal=declared.goal, approach=declared.approach)
    return [told, *(RequestWithdrawn(request=one.id, who=one.who) for one in reopened)]


def _requests_of(state: State, who: str) -> list[Request]:
    return [one for one in state.requests.values() if one.who == who and one.command == "attempt"]


def intent_of(call: Call, asked: Attempt | SayYes) -> Intent:
    """NJ-01: what is wanted and how: as said now, or as declared."""
    declared = call.state.game.intents.get(asked.who)
    goal = asked.goal.strip() or (declared.goal if declared else "")
    approach = asked.approach.strip() or (declared.approach if declared else "")
    if not goal or not approach:
        raise no_intent()
    return Intent(goal=goal, approach=approach)


def no_intent() -> Refusal:
    return Refusal("Say what is wanted and how: “I want … by …”.", code="no_intent")


# ---------------------------------------------------------------- attempting


def _gather(call: Call, asked: Attempt) -> Question[Outcome]:
    _check_intent(call, asked)
    if asked.makes_aspect is not None:
        check_free(call.state, asked.makes_aspect)
    return roll_hand(gather_hand(call, asked, asked.stat), difficulty_of(call.state, asked))


def _check_intent(call: Call, asked: Attempt) -> None:
    """NJ-06: the difficulty of a request is for the intent that was declared."""
    intent, declared = intent_of(call, asked), call.state.game.intents.get(asked.who)
    if asked.request is not None and declared is not None and intent != declared:
        raise Refusal("The difficulty was set for another intent: declare this one first.", code="intent_changed")


def difficulty_of(state: State, asked: Attempt) -> int:
    """NJ-04: as the game master asked for it, as a threat has it, or as it was said."""
    set_down = _set_down(state, asked)
    if set_down is not None and asked.difficulty is not None:
        raise Refusal("The difficulty is set already, so it can't be named again.", code="difficulty")
    if set_down is not None:
        return set_down
    if asked.difficulty is None:
        raise Refusal("No difficulty is set: name it, or a request or a threat that has one.", code="difficulty")
    return successes_of(asked.difficulty)


def _set_down(state: State, asked: Attempt) -> int | None:
    if asked.threat is not None:
        return find_threat(state, asked.threat).level
    return None if asked.request is None else _request(state, asked.request, asked.who).difficulty


def _request(state: State, request: str, who: str) -> Request:
    found = find_request(state, request, who)
    if found.command != "attempt":
        raise Refusal(f"That request asks for another roll: {found.command.replace('_', ' ')}.", code="other_roll")
    return found


def _hides(call: Call, asked: Attempt) -> bool:
    return asked.request is not None and find_request(call.state, asked.request, asked.who).hidden


def _check_request(_: State, requested: RollRequested) -> Sequence[Any]:
    """NJ-06: any difficulty is accepted, but it is a number of successes."""
    wanted = requested.secret_difficulty if requested.hidden else requested.shown_difficulty
    if requested.command == "attempt" and wanted is not None and not 0 <= wanted <= MOST_SUCCESSES:
        raise Refusal(f"A difficulty is 0 to {MOST_SUCCESSES} successes, not {wanted}.", code="difficulty")
    return ()


def _tell(call: Call, asked: Attempt, outcome: Outcome) -> list[Any]:
    intent = intent_of(call, asked)
    request = [met(_request(call.state, asked.request, asked.who))] if asked.request is not None else []
    if outcome.difficulty == 0:
        return [*without_dice(call, asked.who, intent, Missing.CHALLENGE), *request]
    hidden = _hides(call, asked)
    told = attempted(call, asked, asked.stat, intent, outcome, hidden=hidden)
    return [told, *_made_aspect(call, asked, outcome, hidden=hidden), *request]


def attempted(
    call: Call, asked: Gathered, stat: Stat, intent: Intent, outcome: Outcome, *, hidden: bool = False
) -> Attempted:
    """NJ-05, NJ-10: the roll as it is told: every term of the hand, and what the dice came to."""
    hand = outcome.hand
    return Attempted(
        who=asked.who,
        goal=intent.goal,
        approach=intent.approach,
        stat=stat,
        hand=hand,
        dice=hand.dice,
        focus=_spent(hand),
        used_up=used_up(call.state, asked),
        successes=outcome.successes,
        difficulty=outcome.difficulty,
        success=outcome.success,
        excess=outcome.excess,
        fact=call.fresh,
        hidden=hidden,
    )


def _spent(hand: Hand) -> int:
    """NJ-13: gone, whatever comes of it. NJ-20: but an empty hand is not rolled, and costs nothing."""
    return hand.focus if hand.dice else 0


def _made_aspect(call: Call, asked: Attempt, outcome: Outcome, *, hidden: bool) -> list[AspectMade]:
    """NJ-23: a scene injection made by an action; NJ-18: it lends 1 die."""
    if asked.makes_aspect is None or not outcome.success:
        return []
    return [AspectMade(aspect=call.fresh, name=asked.makes_aspect, dice=1, span=Span.SCENE, hidden=hidden)]


# ---------------------------------------------------------------- without dice, and coming to light


def _say_yes(call: Call, asked: SayYes, _: None) -> list[DoneWithoutDice]:
    return without_dice(call, find(call.state, asked.who).id, intent_of(call, asked), asked.missing)


def without_dice(call: Call, who: str, intent: Intent, missing: Missing) -> list[DoneWithoutDice]:
    """NJ-02: done, and why there was nothing to roll for."""
    return [
        DoneWithoutDice(who=who, goal=intent.goal, approach=intent.approach, missing=missing, fact=call.fresh),
    ]


def _after_reveal(state: State, revealed: Revealed) -> list[CameToLight]:
    """NJ-03: with the difficulty everyone learns what has become true."""
    game: Game = state.game
    fact, aspect = game.facts.get(revealed.act), game.aspects.get(revealed.act)
    if fact is None or not fact.hidden:
        return []
    return [CameToLight(fact=fact.id, words=fact.words, aspect=aspect.name if aspect and aspect.hidden else "")]


# ---------------------------------------------------------------- folds


def _note_intent(state: State, declared: IntentDeclared) -> State:
    intent = Intent(goal=declared.goal, approach=declared.approach)
    return with_game(state, intents={**state.game.intents, declared.who: intent})


def _settle(state: State, told: Attempted) -> State:
    sheet = state.characters[told.who].sheet
    spent = state.with_sheet(told.who, sheet.with_reserve(told.stat, sheet.reserves[told.stat] - told.focus))
    aspects = {key: one for key, one in spent.game.aspects.items() if key not in told.used_up}
    settled = with_game(_closed(spent, told.who), aspects=aspects)
    return _establish(settled, told.fact, told.who, told.goal, hidden=told.hidden) if told.success else settled


def _done(state: State, told: DoneWithoutDice) -> State:
    return _establish(_closed(state, told.who), told.fact, told.who, told.goal)


def _closed(state: State, who: str) -> State:
    return with_game(state, intents={key: one for key, one in state.game.intents.items() if key != who})


def _establish(state: State, fact: str, by: str, true: str, *, hidden: bool = False) -> State:
    """NJ-03: the intent is true now, whole."""
    return with_game(state, facts={**state.game.facts, fact: Fact(id=fact, by=by, words=true, hidden=hidden)})


def _bring_to_light(state: State, told: CameToLight) -> State:
    opened = {
        kind: {key: _opened(one) if key == told.fact else one for key, one in getattr(state.game, kind).items()}
        for kind in ("facts", "aspects")
    }
    return with_game(state, **opened)


def _opened(hidden: Any) -> Any:
    return replace(hidden, hidden=False)


INTENT = Chapter(
    actions=(
        Action(DeclareIntent, _declare),
        Action(
            Attempt,
            _tell,
            gather=_gather,
            spend=Spend("focus", lambda call, asked: focus_range(call, asked, asked.stat)),
            outcome=lambda outcome: outcome.result,
            hopes=lambda result: result is Result.SUCCESS,
            hides=_hides,
        ),
        Action(SayYes, _say_yes),
    ),
    happenings=(
        Happening(IntentDeclared, words.intent_declared, _note_intent),
        Happening(Attempted, words.attempted, _settle, words.attempt_went),
        Happening(DoneWithoutDice, words.done_without_dice, _done),
        Happening(CameToLight, words.came_to_light, _bring_to_light),
    ),
    reactions=(Reaction(Revealed, _after_reveal), Reaction(RollRequested, _check_request)),
)
