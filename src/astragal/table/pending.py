"""Pending decisions as a seat sees them: who decides and, if the seat may answer, the options in words."""

from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any

import msgspec

from astragal.chance import ChanceError, EnterDice, Odds, Offer, Policy, Question, Record, decline
from astragal.chance.paths import answered_odds
from astragal.chance.pictures import verdict_words
from astragal.table.authoring.chapter import Call
from astragal.table.authoring.display import OfferWords
from astragal.table.authoring.log_lines import Teller
from astragal.table.commands.execute import Invocation, offers_in, waiting_of
from astragal.table.commands.handlers import side_to_answer, waiting_invocation
from astragal.table.declarations import Viewer, kind_of_command, replace
from astragal.table.log.codec import RuleHasChanged
from astragal.table.preview import Case, Hoped, Span, bids, chance_words, hoped_for, span_words, success
from astragal.table.refusals import NotYours, Refusal
from astragal.table.registry import Book
from astragal.table.state.table import Decision, State
from astragal.table.visibility.redact import plain

DICE_ORDER = "A die that is thrown again (it explodes, it is rerolled) comes after all of these, in the same order."
"""Note on the order of dice, shown to people who enter them by hand."""
MOST_PATHS = 20_000
"""Limit on the paths through a rule, so that a question appears at once. Beyond it, the odds are left out."""
REMEMBERED = 64


class Choice(msgspec.Struct, frozen=True):
    """Possible answer to an offer; a notable one says what it costs and what it results in."""

    answer: Any
    words: str = ""
    price: Any = None
    label: str = ""
    """The answer in a few words, if its value alone does not say enough."""
    offer: OfferWords | None = None
    """The parts that `words` consists of."""
    success: Fraction | None = None
    """Likely chance of a sealed bid, calculated from what the seat may know of the other side."""
    span: Span | None = None
    """Range of that chance, depending on the others' bids and on what is hidden."""


class Prospect(msgspec.Struct, frozen=True):
    """Odds after an answer, and the outcomes that the deciding side hopes for."""

    odds: Odds[Any]
    hoped: Hoped

    @property
    def success(self) -> Fraction | None:
        return success(self.odds, self.hoped)


class OpenDecision(msgspec.Struct, frozen=True):
    """A decision that waits. A seat that may not answer it sees only whose it is."""

    act: str
    command: str
    who: tuple[str, ...]
    name: str = ""
    choices: tuple[Choice, ...] = ()
    dice: tuple[int, ...] = ()
    """Sides of the dice to throw by hand, in this order; dice that follow from these are asked for afterwards."""
    about: Mapping[str, Any] = msgspec.field(default_factory=dict)
    """The command's fields that the roll's card names."""
    opposes: bool = False
    """True if it is asked of the side that does not act, which hopes that the command fails."""


Offered = dict[tuple[str, str], OpenDecision]
"""Cache of open decisions in one state, by command and side: seats that may answer for the same side, or for none, see
the same.
"""


def open_decisions(book: Book, state: State, viewer: Viewer, view: State, offered: Offered) -> tuple[OpenDecision, ...]:
    """Return the pending decisions that this seat may know of. `view` is the state as the seat sees it."""
    decisions = [decision for decision in state.decisions.values() if decision.is_for(viewer)]
    return tuple(_open_decision(book, state, viewer, view, decision, offered=offered) for decision in decisions)


def _open_decision(
    book: Book, state: State, viewer: Viewer, view: State, decision: Decision, *, offered: Offered
) -> OpenDecision:
    """Return a decision as this seat sees it: with its options if it may answer."""
    try:
        side, _ = side_to_answer(state, decision, viewer)
    except NotYours:
        side = ""
    cached = offered.get((decision.act, side))
    if cached:
        return cached
    without_options = _without_options(book, state, decision)
    if not side or side.startswith("w:"):
        return offered.setdefault((decision.act, side), without_options)
    try:
        need = waiting_of(book, decision).need
    except (RuleHasChanged, ChanceError):
        return without_options
    if isinstance(need, EnterDice):
        return replace(without_options, name="dice", dice=need.sides)
    offer = next(offer for offer in offers_in(need) if offer.side == side)
    choices = _choices(book, offer, Teller(state, state.terms))
    acting = decision.said.get(kind_of_command(book.command(decision.command)).actor or "")
    opposes = acting in decision.sides.values() and decision.sides[side] != acting
    if offer.name == book.action(decision.command).bid:
        call = Call(view, viewer, decision.act, decision.sight)
        invocation = waiting_invocation(book, state, decision)._replace(call=call)
        choices = _with_chances(choices, invocation, side)
        # not cached: only this seat may know it
        return replace(without_options, name=offer.name, choices=choices, opposes=opposes)
    with_options = replace(without_options, name=offer.name, choices=choices, opposes=opposes)
    return offered.setdefault((decision.act, side), with_options)


def _without_options(book: Book, state: State, decision: Decision) -> OpenDecision:
    """Return a decision as everybody may see it: whose it is, and what it is about."""
    teller = Teller(state, state.terms)
    who = tuple(teller.name(decision.sides[side]) for side in decision.awaited)
    card = book.action(decision.command).card
    fields_on_card = card.fields if card else ()
    about = {name: value for name, value in decision.said.items() if name in fields_on_card}
    return OpenDecision(decision.act, decision.command, who, about=about)


def _with_chances(choices: tuple[Choice, ...], invocation: Invocation, side: str) -> tuple[Choice, ...]:
    """Add to each sealed bid its chance, calculated from what the seat may know of the other side."""
    case_by_bid: dict[Any, Case] = {}
    with suppress(Refusal, ChanceError):  # bids without calculable odds are offered without them
        case_by_bid = {case.bid: case for case in bids(invocation, side)}

    def with_chance(choice: Choice) -> Choice:
        case = case_by_bid.get(choice.answer)
        if case is None or case.success is None:
            return choice
        words = span_words(case.span) if case.span else chance_words(case.success, 1)
        return replace(choice, words=words, success=case.success, span=case.span)

    return tuple(map(with_chance, choices))


def prospects(book: Book, state: State, viewer: Viewer, waits: OpenDecision) -> tuple[Prospect | None, ...]:
    """Calculate the odds after each choice; None if they depend on others' decisions (sealed bids) or hidden values.

    Later offers are declined; but once the dice have fallen, the other sides answer by the command's own policy. A roll
    with a hidden difficulty has no odds for players, since they would reveal it.
    """
    no_odds = (None,) * len(waits.choices)
    decision = state.decisions.get(waits.act)
    if decision is None or not waits.choices or (decision.hides and not viewer.is_game_master):
        return no_odds
    action = book.action(decision.command)
    try:
        waiting = waiting_of(book, decision)
        if not isinstance(waiting.need, Offer):
            return no_odds
        policy = next(iter(action.policies.values()), decline) if waiting.record.rolled else decline
        odds_by_choice = _weighed(waiting.question, waiting.record, waiting.need, policy, action.outcome)
    except (RuleHasChanged, ChanceError):
        return no_odds

    def prospect(odds: Odds[Any] | None) -> Prospect | None:
        return Prospect(odds, hoped_for(odds, action.hopes, feared=waits.opposes)) if odds else None

    return tuple(map(prospect, odds_by_choice))


@lru_cache(REMEMBERED)
def _weighed(
    question: Question[Any], record: Record, offer: Offer[Any], policy: Policy, outcome: Callable[[Any], Hashable]
) -> tuple[Odds[Any] | None, ...]:
    """Return the odds after each option of an offer. Cached: every seat that may answer looks, and looks again."""

    def decline_own_later_offers(later: Offer[Any]) -> Any:
        return later.default if later.side == offer.side else policy(later)

    odds_by_choice = []
    for answer in offer.options:
        odds = _odds_after(question, record, answer, decline_own_later_offers)
        odds_by_choice.append(odds.map(outcome) if odds else None)
    return tuple(odds_by_choice)


def _odds_after(question: Question[Any], record: Record, answer: Any, then: Policy) -> Odds[Any] | None:
    try:
        return answered_odds(question, (answer,), MOST_PATHS, after=record, then=then)
    except ChanceError:
        return None


def _choices(book: Book, offer: Offer[Any], teller: Teller) -> tuple[Choice, ...]:
    """Return the options of an offer in words; a notable one with its price and its result."""
    ruleset = book.ruleset
    note_by_option = {note.answer: note for note in offer.notable}

    def choice(option: Any) -> Choice:
        note = note_by_option.get(option)
        answer = plain(option)
        label = ruleset.answer_words(offer.name, answer, teller) if ruleset.answer_words else ""
        if note is None:
            return Choice(answer, label=label)
        if ruleset.notable_words:
            words = ruleset.notable_words(note, teller)
        else:
            words = OfferWords(pays=f"costs {verdict_words(note.price)}", gets=verdict_words(note.result))
        return Choice(answer, words.sentence, plain(note.price), label, words)

    return tuple(map(choice, offer.options))
