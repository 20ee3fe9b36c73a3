"""The log as a page: filtered, searched, and read backwards a page at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.cards import Card, Folded, Kind, cards_of, folded

A_PAGE = 100
MOST_READ = 2000
"""So many events are looked through for one page: a search goes on from there with a click."""

FILTERS: Mapping[str, str] = {"": "All", "rolls": "Rolls", "talk": "Talk", "story": "Story", "mine": "Mine"}


@dataclass(frozen=True)
class Journal:
    cards: tuple[Card, ...]
    earlier: str
    """Where the page before this one ends, if there is one."""
    newest: bool
    finds: bool = False

    @property
    def entries(self) -> list[Card | Folded]:
        """With bookkeeping folded, unless words are sought in it."""
        return list(self.cards) if self.finds else folded(self.cards)


def journal(session: SeatSession, *, before: str, only: str, find: str) -> Journal:
    """The newest cards before a cursor that pass the filter and contain the words."""
    wanted = _filter(session, only)
    words = find.casefold().split()
    found: list[Card] = []
    place, read, newest = before, 0, not before
    while True:
        page = session.host.latest(session.table, session.seat, before=place, most=A_PAGE)
        read += len(page.events)
        newest = newest and not page.more
        cards = [(card, _text(card).casefold()) for card in cards_of(session, page.events) if wanted(card)]
        found = [card for card, text in cards if all(word in text for word in words)] + found
        place = page.start
        if not place or len(found) >= A_PAGE or read >= MOST_READ:
            return Journal(tuple(found), place, newest, bool(words))


def _filter(session: SeatSession, only: str) -> Callable[[Card], bool]:
    kinds = {"rolls": Kind.ROLL, "talk": Kind.TALK, "story": Kind.STORY}
    if only in kinds:
        return lambda card: card.kind is kinds[only]
    if only == "mine":
        own = {session.state.characters[one].name for one in session.viewer.characters}
        return lambda card: card.seat == session.seat or card.who in own
    return lambda card: True


def _text(card: Card) -> str:
    """The whole text of a card."""
    parts = [card.by, card.who, card.title, card.stakes, card.outcome, card.account, *card.notes]
    parts += [*(line.words for line in card.lines), *(f"{one.words} {one.step}" for one in card.changes)]
    if card.talk:
        parts += [card.talk.speaker, card.talk.to, card.talk.words]
    if card.told:
        parts += [card.told.title, *card.told.passages, *(words for words, _ in card.told.options)]
    return " ".join(parts)
