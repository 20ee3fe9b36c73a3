"""Pending matters: rolls that are asked for, are ready, or wait for a decision; questions for words; proposals."""

import json
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from astragal.chance.pictures import Row
from astragal.surfaces.shared import pending
from astragal.surfaces.shared.odds import summary
from astragal.surfaces.shared.pending import consents_of, decisions_of, prompts_of, requests_of
from astragal.surfaces.web.forms.form import Widget, form_of
from astragal.surfaces.web.forms.odds import Bar, between
from astragal.surfaces.web.forms.ready import Ready, ready_of
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story import rolls, threads
from astragal.surfaces.web.story.cards import Member, members_of, title_for_all
from astragal.surfaces.web.table import pictures, sheet
from astragal.table.authoring.display import OfferWords
from astragal.table.authoring.sentences import Sentences
from astragal.table.commands.handlers import seat_of
from astragal.table.declarations import replace
from astragal.table.visibility.redact import plain
from astragal.wording import capitalised, in_words

T = TypeVar("T")
NO_OFFER = OfferWords(gets="")
MOST_ODDS = 3
MOST_BUTTONS = 8
"""If there are more answers, the others are chosen from a list."""
CHANGED = frozenset({"choice", "number", "switch", "line", "area"})
"""Inputs of single values: a person who decides on a proposal may change them. Other values stay as proposed."""


class Answer(msgspec.Struct, frozen=True):
    """One answer: what is sent, its price, its effect, what is left afterwards, what it costs later."""

    value: str
    words: str
    means: str = ""
    left: str = ""
    later: str = ""
    odds: tuple[Row, ...] = ()
    declines: bool = False
    best: bool = False


class Bid(Bar, frozen=True):
    """A sealed answer, with the likely chance of success that it gives."""

    value: str = ""
    between: str = ""


class Deciding(msgspec.Struct, frozen=True, kw_only=True):
    """A pending decision; with its answers for a seat that may take it."""

    act: str
    about: str
    who: str
    own: bool
    is_open: bool
    answers: tuple[Answer, ...]
    others: tuple[Answer, ...]
    sides: tuple[int, ...]
    """The sides of dice to be thrown by hand."""
    sealed: bool
    """True if several answer at the same time, unseen."""
    in_already: tuple[str, ...]
    """Names of those of them who have answered."""
    bids: tuple[Bid, ...]


class Turn(Struct, frozen=True):
    """A character who has to act, as the game proposes: what to do, and the end of its form's address."""

    whom: str
    """The id of the character."""
    who: str
    words: str
    own: bool
    command: str
    asks: str


class Waited(msgspec.Struct, frozen=True):
    """A roll that someone was asked for and has not made."""

    request: str
    who: str
    own: bool
    ready: Ready | None
    """For the seat that is asked, and for the game master, who sees the player's chance."""
    turn: Turn | None = None
    """Another action that has to come first, if it can't be rolled yet."""


class Proposed(msgspec.Struct, frozen=True):
    """A proposal, and whose yes it waits for."""

    id: str
    who: str
    words: str
    own: bool
    decides: str
    inputs: tuple[Widget, ...]
    """Inputs for what the person who decides may change."""


class OpenCard(msgspec.Struct, frozen=True):
    """A roll that is not over yet, as a seat sees it."""

    key: str
    title: str
    notes: tuple[str, ...]
    people: tuple[pictures.Face, ...]
    step: int
    stakes: str = ""
    against: str = ""
    asked: tuple[Waited, ...] = ()
    members: tuple[Member, ...] = ()
    throws: tuple[rolls.Throw, ...] = ()
    decisions: tuple[Deciding, ...] = ()
    runs: bool = False
    """True if the game master sees it, who can withdraw it."""

    @property
    def id(self) -> str:
        return f"card-{self.key}"

    @property
    def own(self) -> bool:
        return any(one.own and one.is_open for one in self.decisions) or any(one.own for one in self.asked)

    @property
    def sealed(self) -> bool:
        return any(one.sealed for one in self.decisions)

    @property
    def is_for_all(self) -> bool:
        return len(self.asked) + len(self.members) > 1


def open_cards(session: SeatSession) -> tuple[OpenCard, ...]:
    """Return all open cards. Those that wait for this seat come last, at the end of the page, where people look."""
    state = session.state
    asked: dict[str, list[pending.Asked]] = {}
    for one in requests_of(session):
        asked.setdefault(state.requests[one.id].asked_in, []).append(one)
    deciding: dict[str, list[pending.Asking]] = {}
    for waits in decisions_of(session):
        deciding.setdefault(threads.request_of(state, state.decisions[waits.act]) or waits.act, []).append(waits)
    keys = dict.fromkeys([*asked, *deciding])
    cards = [_card(session, key, asked.get(key, ()), deciding.get(key, ())) for key in keys]
    return tuple(sorted(cards, key=lambda card: card.own))


def _card(session: SeatSession, key: str, asked: Sequence[pending.Asked], waits: Sequence[pending.Asking]) -> OpenCard:
    state = session.state
    requests = [state.requests[one.id] for one in asked]
    decisions = [state.decisions[one.act] for one in waits]
    command = requests[0].command if requests else decisions[0].command
    shape = rolls.card_named(session.book, command)
    fields: dict[str, Any] = {}
    for request in requests[:1]:
        fields |= {"who": request.who, "what_for": request.what_for, **request.fields}
    for decision, one in zip(decisions, waits, strict=True):
        fields |= {**decision.sides, **one.about}
    known = {name: value for name, value in fields.items() if isinstance(value, (str, int)) and value != ""}
    said = Sentences(shape, known, state, session.teller)
    who_decides = {who for one in decisions for who in one.sides.values()}
    to_roll = [one for one in asked if one.whom not in who_decides]
    what_for = requests[0].what_for if requests else ""
    throws: list[rolls.Throw] = []
    for decision in decisions:
        named = [decision.sides[field] for field, _ in shape.sides if field in decision.sides]
        sides = [(session.teller.name(who), None) for who in named]
        throws += rolls.thrown([plain(die) for die in decision.dice], shape, sides)
    waited = tuple(_asked(session, one, key if len(to_roll) == 1 else one.id) for one in to_roll)
    told = waited[0].ready if len(waited) == 1 and waited[0].ready else said  # a seat that may roll knows more of it
    card = OpenCard(
        key=key,
        title=told.title,
        notes=told.notes,
        people=rolls.faces_in(said, state),
        step=1,
        stakes="" if what_for in told.title or what_for in " ".join(told.notes) else what_for,
        against=asked[0].against if asked else "",
        asked=waited,
        throws=tuple(throws),
        decisions=tuple(_deciding(session, one, what_for) for one in waits),
        runs=session.is_game_master,
    )
    if "-" in (requests[0].id if requests else ""):
        title = title_for_all(shape, known, session, command)
        card = replace(card, title=title, people=(), stakes=what_for, members=members_of(session, key))
    return replace(card, step=3 if waits and card.throws else 2 if waits or any(one.ready for one in card.asked) else 1)


def _asked(session: SeatSession, one: pending.Asked, key: str) -> Waited:
    """Return someone who is to roll; with the roll itself for a seat that may make it."""
    may_roll = one.own or session.is_game_master
    if one.fields is None or not may_roll or one.command not in session.book.actions:
        return Waited(one.id, one.who, one.own, None)
    ready = ready_of(session, one.command, one.fields, key=key)
    once = f"{one.id}.{session.state.rewinds}"  # the same command id, however often the card is drawn
    turn = next((turn for turn in _turns(session) if turn.whom == one.whom), None) if ready.is_stuck else None
    return Waited(one.id, one.who, one.own, replace(ready, form=replace(ready.form, id=once)), turn)


# ---------------------------------------------------------------- decisions


def _deciding(session: SeatSession, one: pending.Asking, what_for: str) -> Deciding:
    decision = session.state.decisions[one.act]
    answers = [_answer(answer, what_for, declines=not number) for number, answer in enumerate(one.answers)]
    found = list(zip(one.answers, answers, strict=True))
    sealed = session.book.action(one.command).bid is not None and not decision.dice
    notable = [pair for pair in found if pair[0].means or pair[1].declines]
    shown = notable if len(notable) > 1 else found if len(found) <= MOST_BUTTONS else found[:MOST_BUTTONS]
    is_weighed = any(pair[0].success is not None or pair[0].price is not None for pair in shown)
    if not sealed and is_weighed:  # likeliest success first; of equals, the cheapest first and declining last
        shown = sorted(shown, key=lambda pair: (-float(pair[0].success or 0), pair[1].declines, pair[0].price or 0))
    ordered = [answer for _, answer in shown]
    if len(ordered) > 1 and not sealed and any(pair[0].success is not None for pair in shown):
        ordered[0] = replace(ordered[0], best=True)
    in_already = [who for side, who in decision.sides.items() if side not in decision.awaited and sealed]
    return Deciding(
        act=one.act,
        about=in_words(session.teller.label(one.name)) if one.name else "",
        who=one.who,
        own=one.own,
        is_open=one.is_open,
        answers=tuple(ordered),
        others=tuple(answer for pair in found if pair not in shown for answer in pair[1:]),
        sides=one.dice,
        sealed=sealed,
        in_already=tuple(map(session.teller.name, in_already)),
        bids=tuple(_bids(one.answers)),
    )


def _bids(answers: Sequence[pending.Answer]) -> Iterator[Bid]:
    """Yield a bar for each answer, if all of them have a likely chance."""
    for number, one in enumerate(answers):
        if one.span is None or one.success is None:
            return
        words = str(one.value) if isinstance(one.value, int) else in_words(one.words)
        yield Bid(words, one.success, not number, value=json.dumps(one.value), between=between(one.span))


def _answer(one: pending.Answer, what_for: str, *, declines: bool) -> Answer:
    offer, means, words = one.offer or NO_OFFER, one.means, in_words(one.words)
    if offer is not NO_OFFER:
        words = f"Spend {offer.pays}" if offer.pays and one.price is not None else words
        is_named = offer.title.casefold() in ("", words.casefold())
        means = offer.gets if is_named else f"{offer.title}: {offer.gets}"
    odds = tuple(summary(one.odds, one.hoped, MOST_ODDS)) if one.odds else ()
    if offer.gets and len(odds) == 1:  # the offer's words say it already
        odds = ()
    if declines and one.success == 0 and what_for:
        means = f"At stake: {what_for}"
    return Answer(json.dumps(one.value), words, means, offer.leaves, capitalised(offer.later), odds, declines)


def _proposed(session: SeatSession, one: pending.Asked) -> Proposed:
    """Return a proposal with an input for each value that can be changed, as in the proposed command's own form."""
    form = form_of(session, one.command, session.state.consents[one.id].said) if one.fields else None
    inputs = (
        replace(
            widget, name=f"changes.{widget.name}", options=tuple(option for option in widget.options if option.value)
        )
        for widget in (form.widgets if form else ())
        if widget.name in (one.fields or ()) and widget.kind in CHANGED
    )
    return Proposed(one.id, one.who, one.words, one.own, one.decides, tuple(inputs))


class Waits(Struct, frozen=True):
    """Everything that waits. The seat's own comes first; of cards, last."""

    cards: tuple[OpenCard, ...]
    prompts: tuple[pending.Asked, ...]
    proposals: tuple[Turn, ...]
    consents: tuple[Proposed, ...]
    handed_in: tuple[str, ...]
    """Wishes of this seat's heroes that the game master still has to rule on."""

    @property
    def is_empty(self) -> bool:
        return not (self.cards or self.prompts or self.proposals or self.consents or self.handed_in)


def _turns(session: SeatSession) -> Iterator[Turn]:
    """Yield those who have to act, as the game proposes."""
    for one in session.proposals:
        if one.who is not None:
            yield Turn(
                one.who,
                session.teller.name(one.who),
                session.in_skin(one.about),
                session.is_own(seat_of(session.state, one.who)),
                session.in_skin(in_words(one.label)),
                sheet.asking(one.command, one.fields),
            )


def _handed_in(session: SeatSession) -> Iterator[str]:
    # `plays` is asked for each hero, so that seats whose heroes want nothing share a drawing.
    for one in () if session.is_game_master else session.proposals:
        if one.who is None and any(session.plays(value) for name, value in one.fields if name == "who"):
            yield session.in_skin(one.about)


def waits_of(session: SeatSession) -> Waits:
    def own_first(some: Iterable[T]) -> tuple[T, ...]:
        return tuple(sorted(some, key=attrgetter("own"), reverse=True))

    cards = open_cards(session)
    on_cards = [one.turn for card in cards for one in card.asked]
    turns = own_first(turn for turn in _turns(session) if turn not in on_cards)
    handed_in = tuple(dict.fromkeys(_handed_in(session)))
    consents = own_first(_proposed(session, one) for one in consents_of(session))
    return Waits(cards, own_first(prompts_of(session)), turns, consents, handed_in)
