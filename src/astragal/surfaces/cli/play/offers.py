"""Decisions that wait for a seat, as questions: the answers, what each costs, and how likely each outcome is then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from astragal.chance import ChanceError, Odds, Offer, Together
from astragal.chance.verdicts import verdict_words
from astragal.table.commands.execute import waiting_of
from astragal.table.commands.handlers import seat_of
from astragal.table.fields.values import is_value, parts_of
from astragal.table.log.codec import RuleHasChanged
from astragal.table.pending import OpenDecision, prospects
from astragal.table.visibility.redact import plain
from astragal.values import frozen

if TYPE_CHECKING:
    from astragal.surfaces.cli.input.seats import Place
    from astragal.table.state.table import Decision, State


@frozen
class Answer:
    """One answer that could be given."""

    value: Any
    told: str = ""
    """Its price and its result, in the game's words, where it is notable."""
    price: int | None = None
    odds: Odds[Any] | None = None


@frozen
class Asking:
    """A decision as it is put to a seat."""

    act: str
    who: str
    name: str
    command: str
    own: bool
    """Is it the seat's own, or one that it takes for somebody?"""
    answers: tuple[Answer, ...] = ()
    dice: tuple[int, ...] = ()
    """The sides of dice to be thrown by hand, where that is what is waited for."""

    @property
    def notable(self) -> tuple[Answer, ...]:
        """The answers worth showing: the first, which declines, and those that change something."""
        told = [answer for answer in self.answers if answer.told]
        return (self.answers[0], *(one for one in told if one is not self.answers[0])) if told else self.answers


def asked_of(place: Place, state: State) -> list[Asking]:
    """Every decision that this seat can take now, its own first."""
    found = (_asking(place, state, one) for one in place.host.decisions(place.table, place.seat))
    return sorted((asking for asking in found if asking), key=lambda asking: not asking.own)


def _asking(place: Place, state: State, waits: OpenDecision) -> Asking | None:
    if waits.act not in state.decisions or not (waits.choices or waits.dice):
        return None
    decision = state.decisions[waits.act]
    own = place.seat in (seat_of(state, decision.sides[side]) for side in decision.awaited)
    answers = tuple(_answers(place, state, decision, waits))
    return Asking(waits.act, " and ".join(waits.who), waits.name, waits.command, own, answers, waits.dice)


def _answers(place: Place, state: State, decision: Decision, waits: OpenDecision) -> Iterator[Answer]:
    """Odds are shown where the rest is chance alone, and where they would not tell what the seat may not know."""
    if decision.hides and not state.viewer(place.seat).is_game_master:
        for choice in waits.choices:
            yield Answer(choice.answer, choice.words, _points(choice.price), None)
        return
    try:
        waiting = waiting_of(place.book, decision)
    except (RuleHasChanged, ChanceError):
        return
    offer = _offer(waiting.need, waits)
    notes = {note.answer: note for note in offer.notable} if offer else {}
    weighed = prospects(place.book, state, state.viewer(place.seat), waits)
    for choice, option, odds in zip(waits.choices, offer.options if offer else (), weighed, strict=True):
        note = notes.get(option)
        told = choice.words or (f"costs {verdict_words(note.price)}: {verdict_words(note.result)}" if note else "")
        yield Answer(choice.answer, told, _points(note.price) if note else None, odds)


def _offer(need: Any, waits: OpenDecision) -> Offer[Any] | None:
    """The offer that these choices belong to."""
    offers = need.offers if isinstance(need, Together) else (need,) if isinstance(need, Offer) else ()
    listed = [choice.answer for choice in waits.choices]
    fitting = (one for one in offers if one.name == waits.name and [plain(option) for option in one.options] == listed)
    return next(fitting, None)


def _points(price: Any) -> int | None:
    """How much a price is, where it is a number or begins with one: what a player means by "spend 3"."""
    if isinstance(price, int):
        return price
    if is_value(type(price)):
        price = parts_of(price)
    first = tuple(price.values() if isinstance(price, Mapping) else price or ())[:1]
    return first[0] if first and isinstance(first[0], int) else None
