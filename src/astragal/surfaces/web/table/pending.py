"""Pending matters, laid out for the page: open cards, words that somebody is asked for, proposals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from astragal.surfaces.shared import pending
from astragal.surfaces.shared.pending import consents_of, prompts_of, proposals_of
from astragal.surfaces.web.forms.choices import in_words
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.table.open_cards import Deciding, OpenCard, open_cards
from astragal.surfaces.web.table.sheet import asking
from astragal.table.commands.handlers import seat_of


@dataclass(frozen=True)
class Asked:
    """Somebody is asked for words, for consent, or for what the game waits for."""

    id: str
    who: str
    words: str
    own: bool
    asks: str = ""
    command: str = ""
    ruled: tuple[tuple[str, str, Any], ...] = ()
    """What a game master may change before saying yes: name, label and value of each field."""


@dataclass(frozen=True)
class Waits:
    """All that waits, what is this seat's own first; of cards, last."""

    cards: tuple[OpenCard, ...]
    prompts: tuple[Asked, ...]
    proposals: tuple[Asked, ...] = ()
    consents: tuple[Asked, ...] = ()

    @property
    def decisions(self) -> tuple[Deciding, ...]:
        return tuple(one for card in self.cards for one in card.decisions)

    @property
    def mine(self) -> int:
        others = sum(one.own for one in (*self.prompts, *self.proposals, *self.consents))
        return others + sum(card.own for card in self.cards)

    @property
    def is_empty(self) -> bool:
        return not (self.cards or self.prompts or self.proposals or self.consents)


def waits_of(session: SeatSession) -> Waits:
    return Waits(
        open_cards(session),
        _own_first(Asked(one.id, one.who, one.words, one.own) for one in prompts_of(session)),
        _own_first(_proposals(session)),
        _own_first(map(_consent, consents_of(session))),
    )


def _consent(one: pending.Asked) -> Asked:
    ruled = tuple(
        (name, in_words(one.labels[name]), value)
        for name, value in (one.fields or {}).items()
        if isinstance(value, int | str)
    )
    return Asked(one.id, one.who, one.words, one.own, ruled=ruled)


def _own_first(asked: Iterable[Asked]) -> tuple[Asked, ...]:
    return tuple(sorted(asked, key=lambda one: not one.own))


def _proposals(session: SeatSession) -> Iterator[Asked]:
    """What the game waits for from somebody's player."""
    for one in proposals_of(session):
        if one.who is not None:
            own = session.is_own(seat_of(session.state, one.who))
            asks = asking(one.command, one.fields)
            yield Asked(
                "",
                session.teller.name(one.who),
                session.in_skin(one.about),
                own,
                asks,
                session.in_skin(in_words(one.label)),
            )
