"""What waits to be decided, as a seat sees it: who decides, and, for whoever may answer, the options in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from astragal.chance import ChanceError, EnterDice, Offer, Together

from .book import Book
from .codec import RuleHasChanged
from .dealings import side_to_answer
from .proceedings import waiting_of
from .refusals import NotYours
from .ruleset import Teller
from .seats import Viewer
from .seen import plain
from .state import Decision, State


@dataclass(frozen=True)
class Choice:
    """One answer that can be given; a notable one says what it costs and what comes of it."""

    answer: Any
    words: str = ""
    price: Any = None


@dataclass(frozen=True)
class OpenDecision:
    """A decision that waits. Whoever may not answer it sees only whose it is."""

    act: str
    command: str
    who: tuple[str, ...]
    name: str = ""
    choices: tuple[Choice, ...] = ()
    dice: tuple[int, ...] = ()
    """The sides of dice that are to be thrown by hand."""


def open_decisions(book: Book, state: State, viewer: Viewer) -> tuple[OpenDecision, ...]:
    """All that waits and that this seat may know of."""
    return tuple(_seen(book, state, viewer, one) for one in state.decisions.values() if one.is_for(viewer))


def _seen(book: Book, state: State, viewer: Viewer, decision: Decision) -> OpenDecision:
    teller = Teller(state, state.terms)
    who = tuple(teller.name(decision.sides[side]) for side in decision.awaited)
    seen = OpenDecision(decision.act, decision.command, who)
    try:
        side, _ = side_to_answer(state, decision, viewer)
    except NotYours:
        return seen
    if side.startswith("w:"):
        return seen
    try:
        need = waiting_of(book, decision).need
    except (RuleHasChanged, ChanceError):
        return seen
    if isinstance(need, EnterDice):
        return OpenDecision(decision.act, decision.command, who, "dice", dice=need.sides)
    offers = need.offers if isinstance(need, Together) else (need,)
    offer = next(one for one in offers if isinstance(one, Offer) and one.side == side)
    return OpenDecision(decision.act, decision.command, who, offer.name, _choices(book, offer, teller))


def _choices(book: Book, offer: Offer[Any], teller: Teller) -> tuple[Choice, ...]:
    words = book.ruleset.notable_words
    notable = {
        note.answer: Choice(plain(note.answer), words(note, teller) if words else "", plain(note.price))
        for note in offer.notable
    }
    return tuple(notable.get(option) or Choice(plain(option)) for option in offer.options)
