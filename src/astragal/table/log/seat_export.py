"""Export of what one seat was shown, with the proof of every value in it.

An event of the file holds only what can be proved: the values that the seat may see, each under the path where it
stands. What nothing proves, sentences and summaries above all, stands under `unproved`. Whether a roll is closed, was
opened or came before another is not written down at all: it follows from what is proved.

The seat learns nothing from its proofs: hidden values are bare digests, and so is what others were shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from astragal.fair import facts
from astragal.table.ledger_writer import (
    EVENT,
    NEWCOMER,
    FactKey,
    SealedFact,
    Spelling,
    parts_of,
    parts_within,
    sealed_fact,
)
from astragal.table.log.audit import Commit, commits_in
from astragal.table.log.codec import BLANKED, TEXT_MARK
from astragal.table.log.store import Entry, Text
from astragal.table.visibility.events import SeenEvent

WITHHELD = {"withheld": True}
"""Stands in a list for an item that the seat may not see, so that the next one keeps its place."""


HIDDEN = object()
"""A value of which a seat may see nothing that can be proved."""


class Fact(NamedTuple):
    """The fact that seals the entries of a commit: its line, and what is stored beside it."""

    line: int
    key: FactKey
    sealed: SealedFact


class ProvedEvent(NamedTuple):
    """An event of the export, and its proof; None where an older program sealed no fact."""

    event: Mapping[str, Any]
    proof: Mapping[str, Any] | None


class SeatExport:
    """Builder of the export of one seat, from what it may see of each entry, by the entry's number."""

    def __init__(
        self, seat: str, entries: Sequence[Entry], texts: Mapping[str, Text], event_by_number: Mapping[int, SeenEvent]
    ) -> None:
        self._seat = seat
        self._texts = texts
        self._event_by_number = event_by_number
        self._commits = [(commit, _fact_of(commit)) for commit in commits_in(entries)]
        self._facts = [fact for _, fact in self._commits if fact]
        self._opened: set[int] = set()
        """The lines of the hidden rolls that a later fact opens."""
        for fact in self._facts:
            self._opened.update(fact.sealed.opens)

    def document(self) -> dict[str, Any]:
        """Return the events with their proofs, and what is stored beside the facts as far as the seat may know it."""
        proved_events: list[ProvedEvent] = []
        for commit, fact in self._commits:
            proved_events += self._of_commit(commit, fact)
        return {
            "seat": self._seat,
            "events": [proved.event for proved in proved_events],
            "proofs": [proved.proof for proved in proved_events],
            "facts": {str(fact.line): _opened_fact(fact) for fact in self._facts},
            "views": {str(fact.line): self._view(fact) for fact in self._facts if fact.sealed.audiences},
        }

    def _whose(self, fact: Fact) -> str:
        """Return the seat whose view of a fact is shown: before it was taken, that of whoever comes new."""
        return self._seat if self._seat in fact.sealed.audiences else NEWCOMER

    def _view(self, fact: Fact) -> dict[str, Any]:
        seat = self._whose(fact)
        is_opened = fact.line in self._opened
        view = fact.sealed.view(seat, opened=is_opened)
        view_name = facts.OPENED if is_opened else facts.VIEW
        salt = facts.view_salt(fact.key.leaves, view_name + seat)
        return {"seat": seat, "salt": salt.hex(), "shown": view.shown, "opens": view.opens}

    def _of_commit(self, commit: Commit, fact: Fact | None) -> Iterator[ProvedEvent]:
        """Yield each event of a commit that the seat may see with its proof, and each that it was shown once."""
        in_view: Sequence[str] = ()
        if fact and fact.sealed.audiences:
            in_view = fact.sealed.view(self._whose(fact), opened=fact.line in self._opened).shown
        for place, entry in enumerate(commit.events):
            seen_event = self._event_by_number.get(entry.number)
            digest = fact.sealed.entries[place] if fact else ""
            if seen_event and fact:
                is_later = bool(fact.sealed.audiences) and digest not in in_view
                yield self._proved(entry, seen_event, fact, place, is_later=is_later)
            elif seen_event:
                yield ProvedEvent({**_unproved_event(seen_event), "version": entry.version}, None)
            elif fact and digest in in_view:
                yield ProvedEvent({"withheld": digest}, {"line": fact.line})

    def _proved(self, entry: Entry, seen_event: SeenEvent, fact: Fact, place: int, *, is_later: bool) -> ProvedEvent:
        """Return an event with its proof. `is_later` marks one that the seat was not shown when it happened."""
        spelling = fact.sealed.spelling
        parts = parts_of(entry, spelling)
        leaves = fact.sealed.leaves(fact.key, place, entry)
        salts = facts.salts_of(fact.key.leaves, place, leaves)
        event: dict[str, Any] = {
            "name": seen_event.name,
            "version": entry.version,
            "at": seen_event.at,
            "act": seen_event.act,
        }
        seals: dict[str, list[str]] = {"entry": [salts["entry"].hex()]}
        for name in _envelope_fields(seen_event, parts):
            event[name] = parts[name]
            seals[name] = [salts[name].hex()]
        proving = ProvingFields(self._texts, salts, spelling)
        fields = proving.proved(dict(seen_event.fields), msgspec.json.decode(entry.data)[EVENT], EVENT)
        event["fields"] = {} if fields is HIDDEN else fields
        event["unproved"] = _unproved(seen_event)
        seals |= proving.seals
        beyond = fact.sealed.beyond[place] if fact.sealed.audiences else ()
        is_complete = all(path in seals or path in beyond for path in parts)
        if facts.OPEN in leaves and is_complete:
            seals[facts.OPEN] = [salts[facts.OPEN].hex()]
        unproved_leaves = sorted(leaf.hex() for path, leaf in leaves.items() if path not in seals)
        proof: dict[str, Any] = {"line": fact.line, "values": seals, "others": unproved_leaves}
        paths_for_this_seat = [path for path in beyond if path in seals]
        if paths_for_this_seat:
            proof["beyond"] = paths_for_this_seat
        if is_later:
            proof["later"] = True
        return ProvedEvent(event, proof)


def _envelope_fields(seen_event: SeenEvent, parts: Mapping[str, Any]) -> list[str]:
    """Return the fields around an event that the seat may know: of a closed roll only how it was rolled."""
    names = ["sight"] if seen_event.closed else ["by", "sight", "hides"]
    return [name for name in names if name in parts and (name != "by" or parts["by"] == seen_event.by)]


class ProvingFields:
    """Takes the fields of an event that a seat was shown, value by value, and collects the salts that prove them."""

    def __init__(self, texts: Mapping[str, Text], salts: Mapping[str, bytes], spelling: Spelling) -> None:
        self._texts = texts
        self._salts = salts
        self._spelling = spelling
        self.seals: dict[str, list[str]] = {}

    def proved(self, visible: Any, stored: Any, path: str) -> Any:
        """Return as much of a shown value as the stored one proves, `HIDDEN` if that is nothing."""
        inside = parts_within(visible)
        if inside is None or parts_within(stored) is None:
            return self._proved_whole(visible, stored, path)
        if isinstance(visible, list):
            return self._proved_items(visible, stored, path)
        proved = {}
        for name, part in inside:
            if name in stored:
                value = self.proved(part, stored[name], self._spelling(path, name))
                if value is not HIDDEN:
                    proved[name] = value
        return proved or HIDDEN

    def _proved_whole(self, visible: Any, stored: Any, path: str) -> Any:
        if path not in self._salts:
            return HIDDEN
        if visible == stored:
            self.seals[path] = [self._salts[path].hex()]
            return visible
        text = self._text_of(visible, stored)
        if text is None:
            return HIDDEN
        under = text.digest if text.words is None else text.salt.hex()
        self.seals[path] = [self._salts[path].hex(), under]
        return visible

    def _text_of(self, visible: Any, stored: Any) -> Text | None:
        """Return the stored free text if these are its words, or the sign for words that were blanked."""
        if not isinstance(stored, str):
            return None
        text = self._texts.get(stored.removeprefix(TEXT_MARK))
        if text is None:
            return None
        words = BLANKED if text.words is None else text.words
        return text if visible == words else None

    def _proved_items(self, visible: list[Any], stored: list[Any], path: str) -> Any:
        """Return a list whose items keep their places, though it is shown without those that a seat may not see."""
        items: list[Any] = []
        for item in visible:
            places = range(len(items), len(stored))
            place = next((place for place in places if self._can_be(item, stored[place])), None)
            if place is None:
                continue
            items += [WITHHELD] * (place - len(items))
            value = self.proved(item, stored[place], self._spelling(path, place))
            items.append(WITHHELD if value is HIDDEN else value)
        return items or HIDDEN

    def _can_be(self, visible: Mapping[str, Any], stored: Mapping[str, Any]) -> bool:
        """Return whether `visible` can be a redacted view of `stored`."""
        for name, part in visible.items():
            if name not in stored:
                return False
            is_whole = parts_within(part) is None
            if is_whole and part != stored[name] and self._text_of(part, stored[name]) is None:
                return False
        return True


def _unproved(seen_event: SeenEvent) -> dict[str, Any]:
    """Return what a program says about an event, which nothing proves: sentences, and whether a rewind left it."""
    unproved: dict[str, Any] = {"words": seen_event.words}
    if seen_event.in_short:
        unproved["in_short"] = seen_event.in_short
    if seen_event.went:
        unproved["went"] = msgspec.to_builtins(seen_event.went)
    if seen_event.abandoned:
        unproved["abandoned"] = True
    return unproved


def _unproved_event(seen_event: SeenEvent) -> dict[str, Any]:
    """Return an event that an older program sealed no fact of."""
    return {
        "name": seen_event.name,
        "at": seen_event.at,
        "act": seen_event.act,
        "by": seen_event.by,
        "fields": msgspec.to_builtins(seen_event.fields),
        "unproved": _unproved(seen_event),
    }


def _fact_of(commit: Commit) -> Fact | None:
    """Return the fact of a commit, if it is of the kind whose entries can be shown in part."""
    for entry in commit.lines:
        ledger_event = msgspec.json.decode(entry.data)[EVENT]
        key = FactKey.fromhex(ledger_event["salt"])
        if key.leaves and msgspec.json.decode(ledger_event["line"])["t"] == "fact":
            return Fact(ledger_event["place"], key, sealed_fact(ledger_event["text"]))
    return None


def _opened_fact(fact: Fact) -> dict[str, str]:
    return {"salt": fact.key.salt.hex(), "text": fact.sealed.text(fact.key)}
