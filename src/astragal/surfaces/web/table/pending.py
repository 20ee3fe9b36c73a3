"""Pending decisions, words and rolls, laid out for the page: buttons with odds, forms that are filled in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from astragal.surfaces.shared import pending
from astragal.surfaces.shared.odds import summary
from astragal.surfaces.shared.pending import consents_of, decisions_of, prompts_of, proposals_of, requests_of
from astragal.surfaces.web.forms.choices import in_words
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.cards import DieShown, shown_die
from astragal.surfaces.web.table.sheet import asking
from astragal.table.commands.handlers import seat_of

MOST_ODDS = 3
CERTAIN = "for certain"
MOST_BUTTONS = 8
"""More answers than these are chosen from a list."""


@dataclass(frozen=True)
class Chance:
    words: str
    percent: str


@dataclass(frozen=True)
class Answer:
    """One answer: what is sent, what it says, what it means, and how it goes on from there."""

    value: str
    words: str
    means: str = ""
    later: str = ""
    odds: tuple[Chance, ...] = ()
    declines: bool = False


@dataclass(frozen=True)
class Deciding:
    """A decision that waits, for whoever may take it with its answers."""

    act: str
    what: str
    about: str
    who: str
    own: bool
    is_open: bool
    dice: tuple[DieShown, ...]
    answers: tuple[Answer, ...]
    others: tuple[Answer, ...]
    sides: tuple[int, ...]
    """Of dice that are to be thrown by hand."""


@dataclass(frozen=True)
class Asked:
    """Somebody is asked for words, for a roll, or for what the game waits for."""

    id: str
    who: str
    words: str
    own: bool
    asks: str = ""
    command: str = ""
    against: str = ""
    ruled: tuple[tuple[str, str, Any], ...] = ()
    """What a game master may change before saying yes: name, label and value of each field."""


@dataclass(frozen=True)
class Waits:
    """All that waits, what is this seat's own first."""

    decisions: tuple[Deciding, ...]
    prompts: tuple[Asked, ...]
    requests: tuple[Asked, ...]
    proposals: tuple[Asked, ...] = ()
    consents: tuple[Asked, ...] = ()

    @property
    def mine(self) -> int:
        own = sum(one.own for one in (*self.prompts, *self.requests, *self.proposals, *self.consents))
        return own + sum(one.own and one.is_open for one in self.decisions)

    @property
    def is_empty(self) -> bool:
        return not (self.decisions or self.prompts or self.requests or self.proposals or self.consents)


def waits_of(session: SeatSession) -> Waits:
    return Waits(
        tuple(_deciding(session, one) for one in decisions_of(session)),
        _own_first(prompts_of(session)),
        _own_first(requests_of(session)),
        tuple(sorted(_proposals(session), key=lambda one: not one.own)),
        tuple(sorted(map(_consent, consents_of(session)), key=lambda one: not one.own)),
    )


def _deciding(session: SeatSession, one: pending.Asking) -> Deciding:
    answers = [_answer(answer, declines=not number) for number, answer in enumerate(one.answers)]
    notable = [answer for answer in answers if answer.means or answer.declines]
    shown = answers if len(answers) <= MOST_BUTTONS else notable or answers[:MOST_BUTTONS]
    return Deciding(
        one.act,
        in_words(one.command),
        in_words(session.teller.term(one.name)) if one.name else "",
        one.who,
        one.own,
        one.is_open,
        tuple(shown_die(die.sides, die.face, die.fate) for die in one.fallen),
        tuple(shown),
        tuple(answer for answer in answers if answer not in shown),
        one.dice,
    )


def _answer(one: pending.Answer, *, declines: bool) -> Answer:
    means, _, later = one.means.partition(". ")
    shown = summary(one.odds, one.success, MOST_ODDS) if one.odds else ()
    odds = tuple(Chance(row.words, CERTAIN if row.chance == 1 else row.percent) for row in shown)
    return Answer(json.dumps(one.value), in_words(one.words), means, later, odds, declines)


def _consent(one: pending.Asked) -> Asked:
    ruled = tuple(
        (name, in_words(one.labels[name]), value)
        for name, value in (one.fields or {}).items()
        if isinstance(value, int | str)
    )
    return Asked(one.id, one.who, one.words, one.own, ruled=ruled)


def _own_first(asked: Iterable[pending.Asked]) -> tuple[Asked, ...]:
    found = (
        Asked(
            one.id,
            one.who,
            one.words,
            one.own,
            "" if one.fields is None else asking(one.command, one.fields.items()),
            in_words(one.command),
            one.against,
        )
        for one in asked
    )
    return tuple(sorted(found, key=lambda one: not one.own))


def _proposals(session: SeatSession) -> Iterator[Asked]:
    """What the game waits for from somebody's player."""
    for one in proposals_of(session):
        if one.who is not None:
            own = seat_of(session.state, one.who) == session.seat
            asks = asking(one.command, one.fields)
            yield Asked("", session.teller.name(one.who), one.about, own, asks, in_words(one.label))
