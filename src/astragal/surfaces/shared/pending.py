"""Pending decisions with the odds of each answer; open prompts, requests for rolls, and proposals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from astragal.surfaces.shared.words import value_words
from astragal.table import pending
from astragal.table.commands import handlers
from astragal.table.commands.consent import who_may_agree
from astragal.table.declarations import kind_of_command
from astragal.table.fields.definitions import fields_of

if TYPE_CHECKING:
    from astragal.chance import Odds
    from astragal.surfaces.shared.context import SeatView
    from astragal.table.authoring.display import OfferWords
    from astragal.table.preview import Hoped, Span
    from astragal.table.state.table import Die


class Answer(msgspec.Struct, frozen=True):
    """One possible answer to a decision."""

    value: Any
    words: str
    """The answer itself, as people say it."""
    means: str = ""
    """Its price and its result, in the game's words, if it is notable."""
    price: int | None = None
    """The price as a number of points, if it is one: the 3 of "spend 3"."""
    odds: Odds[Any] | None = None
    success: Fraction | None = None
    hoped: Hoped = None
    """The outcomes that count as success."""
    span: Span | None = None
    """Range of the chance, if others answer at the same time, unseen."""
    offer: OfferWords | None = None
    """Price and result, part by part."""


class Asking(msgspec.Struct, frozen=True):
    """A decision as it is put to a seat. It has no answers and no dice for a seat that may not take it."""

    act: str
    who: str
    name: str
    command: str
    own: bool
    """True if it is the seat's own, rather than one that it takes for somebody."""
    answers: tuple[Answer, ...] = ()
    dice: tuple[int, ...] = ()
    """The sides of dice to be thrown by hand, if the decision waits for those."""
    fallen: tuple[Die, ...] = ()
    label: str = ""
    """The name that commands take for it: "Kira: attack"."""
    about: Mapping[str, Any] = msgspec.field(default_factory=dict)
    """The fields that the roll's card shows."""

    @property
    def is_open(self) -> bool:
        return bool(self.answers or self.dice)

    @property
    def notable(self) -> tuple[Answer, ...]:
        """The answers worth showing: the first, which declines, and those that change something."""
        notable = [answer for answer in self.answers if answer.means]
        if not notable:
            return self.answers
        first = self.answers[0]
        return (first, *(answer for answer in notable if answer is not first))


class Asked(msgspec.Struct, frozen=True):
    """Something that somebody is asked for: words, a roll, consent, or what the game waits for."""

    id: str
    who: str
    words: str
    own: bool
    whom: str = ""
    """The id of the seat or character that is asked."""
    command: str = ""
    fields: Mapping[str, Any] | None = None
    """The command that answers, as far as it is filled in."""
    against: str = ""
    labels: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Labels of the fields that may be changed."""
    name: str = ""
    """The name that commands take for it."""
    details: str = ""
    """The fields that are filled in already, in words."""
    decides: str = ""
    """Names of those whose yes a proposal waits for."""


def decisions_of(view: SeatView) -> list[Asking]:
    """Return every decision that waits, the seat's own first."""
    return sorted(_decisions(view), key=lambda asking: not asking.own)


def asked_of(view: SeatView) -> list[Asking]:
    """Return the decisions that this seat can take now, its own first."""
    return [asking for asking in decisions_of(view) if asking.is_open]


def _decisions(view: SeatView) -> Iterator[Asking]:
    state = view.state
    if not state.decisions:
        return
    labels = view.things("decision") or {}
    for waits in view.decisions:
        decision = state.decisions.get(waits.act)
        if decision is None:
            continue
        seats = [handlers.seat_of(state, decision.sides[side]) for side in decision.awaited]
        yield Asking(
            act=waits.act,
            who=" and ".join(waits.who),
            name=waits.name,
            command=waits.command,
            own=view.is_own(*seats),
            answers=tuple(_answers(view, waits)) if waits.choices else (),
            dice=waits.dice,
            fallen=decision.dice,
            label=labels.get(waits.act, ""),
            about=waits.about,
        )


def _answers(view: SeatView, waits: pending.OpenDecision) -> Iterator[Answer]:
    prospects = pending.prospects(view.book, view.state, view.viewer, waits)
    for choice, prospect in zip(waits.choices, prospects, strict=True):
        yield Answer(
            value=choice.answer,
            words=choice.label or value_words(choice.answer).strip("()"),
            means=choice.words,
            price=_points(choice.price),
            odds=prospect.odds if prospect else None,
            success=prospect.success if prospect else choice.success,
            hoped=prospect.hoped if prospect else None,
            span=choice.span,
            offer=choice.offer,
        )


def _points(price: Any) -> int | None:
    """Return a price as a number of points: one that is a number, or begins with one."""
    if isinstance(price, Mapping):
        price = tuple(price.values())
    if isinstance(price, (list, tuple)) and price:
        price = price[0]
    return price if isinstance(price, int) else None


def prompts_of(view: SeatView) -> Iterator[Asked]:
    names = view.things("prompt") or {}
    for prompt in view.state.prompts.values():
        if prompt.is_open:
            is_own = view.is_own(handlers.seat_of(view.state, prompt.to))
            who = view.teller.name(prompt.to)
            yield Asked(prompt.id, who, prompt.words, is_own, prompt.to, name=names.get(prompt.id, ""))


def requests_of(view: SeatView) -> Iterator[Asked]:
    """Yield the rolls that were asked for, each with the command that makes it."""
    names = view.things("request") or {}
    for request in view.state.requests.values():
        fields: Mapping[str, Any] | None = None
        details = ""
        if kind := view.book.commands.get(request.command):
            filled_words = _filled_words(view, kind, request.fields)
            details = ", ".join(f"{label} {words}" for label, words in filled_words if words != names.get(request.id))
            names_by_field = {field.name: field.names for field in fields_of(kind)}
            filled = {kind_of_command(kind).actor or "who": request.who, **request.fields}
            filled |= {name: request.id for name, names in names_by_field.items() if names == "request"}
            fields = {name: value for name, value in filled.items() if name in names_by_field}
        difficulty = "" if request.hidden or request.difficulty is None else str(request.difficulty)
        yield Asked(
            request.id,
            view.teller.name(request.who),
            request.what_for,
            view.is_own(handlers.seat_of(view.state, request.who)),
            request.who,
            request.command,
            fields,
            "hidden" if request.hidden else difficulty,
            name=names.get(request.id, ""),
            details=details,
        )


def _filled_words(view: SeatView, kind: type, fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the label and the words of each field that is filled in, except for who acts."""
    for field in fields_of(kind):
        if field.name in fields and field.name != kind_of_command(kind).actor:
            labels = (view.things(field.names) if field.names else None) or {}
            value = fields[field.name]
            yield field.label, labels.get(str(value)) or value_words(view.teller.term(str(value)))


def consents_of(view: SeatView) -> Iterator[Asked]:
    """Yield proposals of programs and players. `own` is True if this seat may say yes or no to it.

    `fields` are those that the seat may change.
    """
    names = view.things("proposal") or {}
    for consent in view.state.consents.values():
        kind = view.book.command(consent.command)
        seats = who_may_agree(view.state, consent, kind)
        is_own = view.is_own(*seats)
        decides = " or ".join(_named_with_role(view, seat) for seat in seats)
        ruled = {name: consent.said[name] for name in consent.ruling} if is_own and consent.ruling else None
        labels = {field.name: field.label for field in fields_of(kind) if field.name in (ruled or ())}
        yield Asked(
            consent.id,
            view.teller.name(consent.by),
            consent.words,
            is_own,
            command=consent.command,
            fields=ruled,
            labels=labels,
            name=names.get(consent.id, ""),
            decides=decides or "somebody who plays here",
        )


def _named_with_role(view: SeatView, seat: str) -> str:
    return f"{view.teller.name(seat)}{' (game master)' if seat == view.state.game_master else ''}"
