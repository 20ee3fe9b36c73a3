"""Pending matters: rolls that are asked for, are ready, or wait for a decision; questions for words; proposals."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

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
from astragal.table.authoring.display import OfferWords, RollCard
from astragal.table.authoring.sentences import Sentences
from astragal.table.commands.handlers import seat_of
from astragal.table.declarations import replace
from astragal.table.state.table import Decision
from astragal.table.state.things import Request
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
        if any(decision.own and decision.is_open for decision in self.decisions):
            return True
        return any(request.own for request in self.asked)

    @property
    def sealed(self) -> bool:
        return any(decision.sealed for decision in self.decisions)

    @property
    def is_for_all(self) -> bool:
        return len(self.asked) + len(self.members) > 1


def open_cards(session: SeatSession) -> tuple[OpenCard, ...]:
    """Return all open cards. Those that wait for this seat come last, at the end of the page, where people look."""
    state = session.state
    requests_by_key: dict[str, list[pending.Asked]] = {}
    for request in requests_of(session):
        requests_by_key.setdefault(state.requests[request.id].asked_in, []).append(request)
    decisions_by_key: dict[str, list[pending.Asking]] = {}
    for decision in decisions_of(session):
        key = threads.request_of(state, state.decisions[decision.act]) or decision.act
        decisions_by_key.setdefault(key, []).append(decision)
    keys = dict.fromkeys([*requests_by_key, *decisions_by_key])
    cards = [_card(session, key, requests_by_key.get(key, ()), decisions_by_key.get(key, ())) for key in keys]
    return tuple(sorted(cards, key=lambda card: card.own))


def _card(session: SeatSession, key: str, asked: Sequence[pending.Asked], asking: Sequence[pending.Asking]) -> OpenCard:
    """Return the card of a roll for which someone still has to roll (`asked`) or to decide (`asking`)."""
    state = session.state
    requests = [state.requests[request.id] for request in asked]
    decisions = [state.decisions[decision.act] for decision in asking]
    command = requests[0].command if requests else decisions[0].command
    shape = rolls.card_named(session.book, command)
    what_for = requests[0].what_for if requests else ""
    fields = _fields_of(requests, decisions, asking)
    deciding = set(chain.from_iterable(decision.sides.values() for decision in decisions))
    to_roll = [request for request in asked if request.whom not in deciding]
    waited = tuple(_waited(session, request, key if len(to_roll) == 1 else request.id) for request in to_roll)
    throws = _throws(session, shape, decisions)
    sentences = Sentences(shape, fields, state, session.teller)
    texts: Sentences | Ready = sentences
    if len(waited) == 1 and waited[0].ready:
        texts = waited[0].ready  # a seat that may roll knows more of it
    card = OpenCard(
        key=key,
        title=texts.title,
        notes=texts.notes,
        people=rolls.faces_in(sentences, state),
        step=_step(is_decided=bool(asking), has_dice=bool(throws), is_ready=any(request.ready for request in waited)),
        stakes="" if what_for in texts.title or what_for in " ".join(texts.notes) else what_for,
        against=asked[0].against if asked else "",
        asked=waited,
        throws=throws,
        decisions=tuple(_deciding(session, decision, what_for) for decision in asking),
        runs=session.is_game_master,
    )
    if requests and "-" in requests[0].id:  # one of several requests of a command
        title = title_for_all(shape, fields, session, command)
        card = replace(card, title=title, people=(), stakes=what_for, members=members_of(session, key))
    return card


def _fields_of(
    requests: Sequence[Request], decisions: Iterable[Decision], asking: Iterable[pending.Asking]
) -> dict[str, str | int]:
    """Return what the sentences of an open card can show: words and numbers of the request and of the decisions."""
    fields: dict[str, Any] = {}
    if requests:
        first = requests[0]
        fields |= {"who": first.who, "what_for": first.what_for, **first.fields}
    for decision, question in zip(decisions, asking, strict=True):
        fields |= {**decision.sides, **question.about}
    return {name: value for name, value in fields.items() if isinstance(value, (str, int)) and value != ""}


def _throws(session: SeatSession, shape: RollCard, decisions: Iterable[Decision]) -> tuple[rolls.Throw, ...]:
    """Return the dice that have fallen, over which someone decides."""
    throws: list[rolls.Throw] = []
    for decision in decisions:
        characters = [decision.sides[field] for field, _ in shape.sides if field in decision.sides]
        sides = [(session.teller.name(who), None) for who in characters]
        throws += rolls.thrown([plain(die) for die in decision.dice], shape, sides)
    return tuple(throws)


def _step(*, is_decided: bool, has_dice: bool, is_ready: bool) -> int:
    """Return how far a roll is: asked for (1), ready to be rolled or decided on (2), fallen (3)."""
    if is_decided and has_dice:
        return 3
    return 2 if is_decided or is_ready else 1


def _waited(session: SeatSession, request: pending.Asked, key: str) -> Waited:
    """Return someone who is to roll; with the roll itself for a seat that may make it."""
    may_roll = request.own or session.is_game_master
    if request.fields is None or not may_roll or request.command not in session.book.actions:
        return Waited(request.id, request.who, request.own, None)
    ready = ready_of(session, request.command, request.fields, key=key)
    turn = None
    if ready.is_stuck:
        turn = next((turn for turn in _turns(session) if turn.whom == request.whom), None)
    command_id = f"{request.id}.{session.state.rewinds}"  # the same, however often the card is drawn
    ready = replace(ready, form=replace(ready.form, id=command_id))
    return Waited(request.id, request.who, request.own, ready, turn)


# ---------------------------------------------------------------- decisions


class AnswerPair(NamedTuple):
    """An answer with its odds, and the same as it is shown."""

    weighed: pending.Answer
    shown: Answer


def _deciding(session: SeatSession, asking: pending.Asking, what_for: str) -> Deciding:
    """Return a decision with its answers: the notable ones as buttons, the others in a list."""
    decision = session.state.decisions[asking.act]
    is_sealed = session.book.action(asking.command).bid is not None and not decision.dice
    pairs = [
        AnswerPair(answer, _answer(answer, what_for, declines=place == 0))
        for place, answer in enumerate(asking.answers)
    ]
    on_buttons = _on_buttons(pairs)
    others = [pair.shown for pair in pairs if pair not in on_buttons]
    answers = [pair.shown for pair in on_buttons] if is_sealed else _likeliest_first(on_buttons)
    answered: list[str] = []
    if is_sealed:
        answered = [who for side, who in decision.sides.items() if side not in decision.awaited]
    return Deciding(
        act=asking.act,
        about=in_words(session.teller.label(asking.name)) if asking.name else "",
        who=asking.who,
        own=asking.own,
        is_open=asking.is_open,
        answers=tuple(answers),
        others=tuple(others),
        sides=asking.dice,
        sealed=is_sealed,
        in_already=tuple(map(session.teller.name, answered)),
        bids=tuple(_bids(asking.answers)),
    )


def _on_buttons(pairs: Sequence[AnswerPair]) -> Sequence[AnswerPair]:
    """Return the answers that get a button: those that change something, and the one that declines; else the first."""
    notable = [pair for pair in pairs if pair.weighed.means or pair.shown.declines]
    return notable if len(notable) > 1 else pairs[:MOST_BUTTONS]


def _likeliest_first(pairs: Sequence[AnswerPair]) -> list[Answer]:
    """Order answers by their chance of success, and mark the best. Of equals, the cheapest is first, declining last."""

    def rank(pair: AnswerPair) -> tuple[float, bool, int]:
        return -float(pair.weighed.success or 0), pair.shown.declines, pair.weighed.price or 0

    have_chances = any(pair.weighed.success is not None for pair in pairs)
    if have_chances or any(pair.weighed.price is not None for pair in pairs):
        pairs = sorted(pairs, key=rank)
    answers = [pair.shown for pair in pairs]
    if len(answers) > 1 and have_chances:
        answers[0] = replace(answers[0], best=True)
    return answers


def _bids(answers: Sequence[pending.Answer]) -> Iterator[Bid]:
    """Yield a bar for each answer, if all of them have a likely chance."""
    for place, answer in enumerate(answers):
        if answer.span is None or answer.success is None:
            return
        words = str(answer.value) if isinstance(answer.value, int) else in_words(answer.words)
        is_first = place == 0
        yield Bid(words, answer.success, is_first, value=json.dumps(answer.value), between=between(answer.span))


def _answer(answer: pending.Answer, what_for: str, *, declines: bool) -> Answer:
    """Return an answer as it is shown: its words, what it gets, what it leaves, and its odds."""
    words = in_words(answer.words)
    means = answer.means
    offer = answer.offer or NO_OFFER
    if answer.offer:
        if offer.pays and answer.price is not None:
            words = f"Spend {offer.pays}"
        is_named = offer.title.casefold() in ("", words.casefold())
        means = offer.gets if is_named else f"{offer.title}: {offer.gets}"
    odds = tuple(summary(answer.odds, answer.hoped, MOST_ODDS)) if answer.odds else ()
    if offer.gets and len(odds) == 1:  # the offer's words say it already
        odds = ()
    if declines and answer.success == 0 and what_for:
        means = f"At stake: {what_for}"
    return Answer(json.dumps(answer.value), words, means, offer.leaves, capitalised(offer.later), odds, declines)


def _proposed(session: SeatSession, proposal: pending.Asked) -> Proposed:
    """Return a proposal with an input for each value that can be changed, as in the proposed command's own form."""
    inputs: list[Widget] = []
    if proposal.fields:
        form = form_of(session, proposal.command, session.state.consents[proposal.id].said)
        for widget in form.widgets:
            if widget.name in proposal.fields and widget.kind in CHANGED:
                options = tuple(option for option in widget.options if option.value)
                inputs.append(replace(widget, name=f"changes.{widget.name}", options=options))
    return Proposed(proposal.id, proposal.who, proposal.words, proposal.own, proposal.decides, tuple(inputs))


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
    for proposal in session.proposals:
        if proposal.who is not None:
            yield Turn(
                whom=proposal.who,
                who=session.teller.name(proposal.who),
                words=session.in_skin(proposal.about),
                own=session.is_own(seat_of(session.state, proposal.who)),
                command=session.in_skin(in_words(proposal.label)),
                asks=sheet.asking(proposal.command, proposal.fields),
            )


def _handed_in(session: SeatSession) -> Iterator[str]:
    """Yield the wishes of this seat's heroes that the game master still has to rule on."""
    if session.is_game_master:
        return
    for proposal in session.proposals:
        # `plays` is asked for each hero, so that seats whose heroes want nothing share a drawing.
        heroes = [value for name, value in proposal.fields if name == "who"]
        if proposal.who is None and any(session.plays(hero) for hero in heroes):
            yield session.in_skin(proposal.about)


def waits_of(session: SeatSession) -> Waits:
    """Return everything that waits, for this seat or for others."""

    def own_first(matters: Iterable[T]) -> tuple[T, ...]:
        return tuple(sorted(matters, key=attrgetter("own"), reverse=True))

    cards = open_cards(session)
    turns_on_cards = [request.turn for card in cards for request in card.asked]
    return Waits(
        cards=cards,
        prompts=own_first(prompts_of(session)),
        proposals=own_first(turn for turn in _turns(session) if turn not in turns_on_cards),
        consents=own_first(_proposed(session, proposal) for proposal in consents_of(session)),
        handed_in=tuple(dict.fromkeys(_handed_in(session))),
    )
