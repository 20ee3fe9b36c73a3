"""Audit of a seat's export: what a person reads in it is proved, follows from what is proved, or is marked unproved.

The file holds events, and the public ledger. A fact of the ledger seals the entries of one command, and what each seat
was shown of them. For each event the file has the salts of the values that it shows, so that anyone can compute the
leaves of these values, from them the digest of the entry, and look it up in the fact:

    value, its path, its salt → leaf      leaves → digest of the entry
    digests → text of the fact            text, its salt → seal in the ledger

**The path of a value is computed from the place where it stands in the file**, never taken from the proof: two values
that are exchanged together with their salts give other leaves. The view that the fact sealed for the seat says which
entries it was shown, and in which order: so no event can be left out, doubled, or moved.

`docs/verifier.py` and the page Fair dice do the same, each with code of its own.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Any

import msgspec

from astragal.fair import Findings, facts, first_head, next_head, opens
from astragal.table.declarations import convert
from astragal.table.ledger_writer import (
    EVENT,
    NEWCOMER,
    Spelling,
    flat,
    parts_within,
    spell_path,
    spell_path_as_before,
)
from astragal.table.log.audit import Edit
from astragal.table.log.export import VIEW_FORMAT, BadExport, opened
from astragal.table.log.leaves import leaf_of_shown
from astragal.table.log.seat_audit_before import audit_first_format
from astragal.table.log.seat_export import WITHHELD


class SeatAudit(msgspec.Struct, frozen=True):
    """Result of the audit of a seat's export."""

    edits: tuple[Edit, ...]
    proved: int = 0
    unchecked: tuple[str, ...] = ()
    in_part: int = 0
    """Events of which values are withheld from the seat."""

    def findings(self) -> Findings:
        if self.edits:
            return Findings(faults=tuple(edit.sentence for edit in self.edits))
        checked = [f"{self.proved} things that this seat saw are as the facts of the ledger sealed them."]
        if self.in_part:
            checked.append(f"Of {self.in_part} of these, the file shows only the values that the seat may see.")
        unproved = "Unproved: what stands under “unproved” in the file, which a program wrote beside the values."
        return Findings(unchecked=self.unchecked, checked=tuple(checked), unproved=(unproved,))


# ---------------------------------------------------------------- what stands in the file


class _Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event as the file shows it. A withheld one has only its digest."""

    name: str | msgspec.UnsetType = msgspec.UNSET
    version: int | msgspec.UnsetType = msgspec.UNSET
    at: int | msgspec.UnsetType = msgspec.UNSET
    act: str | msgspec.UnsetType = msgspec.UNSET
    by: str | msgspec.UnsetType = msgspec.UNSET
    sight: str | msgspec.UnsetType = msgspec.UNSET
    hides: bool | msgspec.UnsetType = msgspec.UNSET
    fields: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    unproved: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    withheld: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether it has what every event has that is shown."""
        return msgspec.UNSET not in (self.name, self.version, self.at, self.act, self.fields, self.unproved)

    @property
    def values(self) -> dict[str, Any]:
        """The fields shown; those of a withheld event are none."""
        return {} if self.fields is msgspec.UNSET else self.fields

    @property
    def envelope(self) -> dict[str, Any]:
        """The values around the fields, by their paths."""
        values = {"by": self.by, "sight": self.sight, "hides": self.hides}
        values_in_file = {path: value for path, value in values.items() if value is not msgspec.UNSET}
        return {"entry": [self.name, self.version, self.at, self.act], **values_in_file}


class _Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The line of the fact that seals an event, the salts of the values shown, and the leaves of the others."""

    line: int
    values: dict[str, list[str]] = {}
    others: list[str] = []
    beyond: list[str] = []
    """Paths of values that the seat is shown, and not everybody."""
    later: bool = False
    """True if the seat was not shown the event when it happened, but got a right to see it later."""


class _Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Salt and text under the seal of a fact."""

    salt: str
    text: str


class _View(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a fact seals for a seat: the digests of the entries shown, and the lines that the command revealed."""

    seat: str
    salt: str
    shown: list[str]
    opens: list[int]


class _Receipt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    line: int
    head: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's export."""

    astragal: str
    format: int
    table: str
    seat: str
    events: list[_Event]
    proofs: list[_Proof | None]
    facts: dict[str, _Fact]
    views: dict[str, _View]
    ledger: list[str]
    receipt: _Receipt
    pictures: dict[str, str] = {}


class _Broken(Exception):
    """Something in the file does not hold."""

    def __init__(self, why: str, number: int | None = None, name: str = "") -> None:
        super().__init__(why)
        self.edit = Edit(why, number, name)


# ---------------------------------------------------------------- checking


def audit_view(document: Mapping[str, Any]) -> SeatAudit:
    """Check a seat's export against the ledger in it. Raises `BadExport` if a newer program wrote it."""
    version = document.get("format")
    if version == 1:
        return _of_first_format(document)
    if version != VIEW_FORMAT:
        raise BadExport("This export was written by a newer program.")
    try:
        return _Audit(convert(document, _File)).result()
    except _Broken as broken:
        return SeatAudit((broken.edit,))
    except (msgspec.MsgspecError, AttributeError, LookupError, TypeError, ValueError) as fault:
        return SeatAudit((Edit(f"The file is not as any program writes it: {fault}."),))


NOT_PROVED_BEFORE = (
    "an older program wrote this file, so that nothing proves the order and the number of its events, whose the closed "
    "rolls were, and what was opened or left behind by a rewind"
)


def _of_first_format(document: Mapping[str, Any]) -> SeatAudit:
    """Check an export of an older program. It can't be sound: nothing proves how many events there were."""
    try:
        first = audit_first_format(document)
    except (AttributeError, LookupError, TypeError, ValueError) as fault:
        raise BadExport(f"This export is malformed: {fault}.") from fault
    unchecked = [NOT_PROVED_BEFORE]
    if first.unsealed:
        unchecked.append(f"{first.unsealed} of them were told by an older program, which sealed no facts of them")
    edits = tuple(Edit(why, number, name) for number, name, why in first.faults)
    return SeatAudit(edits, first.proved, tuple(unchecked))


class _Audit:
    """Audit of one file."""

    def __init__(self, file: _File) -> None:
        self._file = file
        self._ledger = [opened(line.encode()) for line in file.ledger]
        self._genesis = self._ledger[0]
        self._opened: set[int] = set()
        """The lines that reveals have opened."""
        for view in file.views.values():
            self._opened.update(view.opens)
        self._sealed: dict[int, list[str]] = {}
        """The digests under each fact of the ledger, as far as the file opens it."""
        self._unsealed = 0
        self._in_part = 0
        self._proved = 0
        self._later = 0
        self._withheld = 0
        self._incomplete = 0

    def result(self) -> SeatAudit:
        self._check_outside()
        self._open_facts()
        self._open_views()
        digests = self._check_events()
        self._check_order(digests)
        self._check_dice()
        self._check_pictures()
        return SeatAudit((), self._proved, tuple(self._unchecked()), self._in_part)

    def _check_outside(self) -> None:
        """The table and the receipt are those of the ledger."""
        file = self._file
        table = self._genesis["table"]
        if file.table != table:
            raise _Broken(f"The file says that it is of table {file.table!r}, and its ledger is of {table!r}.")
        head = first_head(file.table)
        for line in file.ledger:
            head = next_head(head, line.encode())
        if (file.receipt.line, file.receipt.head) != (len(file.ledger) - 1, head.hex()):
            raise _Broken("The receipt in the file is not that of the last line of its ledger.")

    def _open_facts(self) -> None:
        """Each text is the one under the seal of its line."""
        for number, fact in self._file.facts.items():
            line = self._ledger[int(number)]
            if line["t"] != "fact" or not opens(bytes.fromhex(line["seal"]), bytes.fromhex(fact.salt), fact.text):
                raise _Broken(f"What the file shows of line {number} of the ledger is not what it sealed.")
            self._sealed[int(number)] = msgspec.json.decode(fact.text)

    def _open_views(self) -> None:
        """Each view is among the digests of its fact; where the ledger promises views, none is missing."""
        for number, view in self._file.views.items():
            view_name = facts.OPENED if int(number) in self._opened else facts.VIEW
            leaf = facts.leaf_of(bytes.fromhex(view.salt), view_name + view.seat, [view.shown, view.opens])
            if leaf.hex() not in self._sealed[int(number)]:
                raise _Broken(f"Line {number} of the ledger did not seal that this is what the seat was shown.")
        if "views" in self._genesis:
            for place, line in enumerate(self._ledger):
                if line["t"] == "fact" and str(place) not in self._file.views:
                    raise _Broken(f"The file does not show what the seat saw of line {place} of the ledger.")

    def _check_events(self) -> list[str]:
        """Check each event by its proof, and return the digests of all."""
        digests = []
        pairs = zip(self._file.events, self._file.proofs, strict=True)
        for number, (event, proof) in enumerate(pairs, start=1):
            try:
                digests.append(self._digest_of(event, proof))
            except _Broken as broken:
                raise _Broken(str(broken), number, str(event.name)) from broken
        return digests

    def _digest_of(self, event: _Event, proof: _Proof | None) -> str:
        """Return the digest of an event, which its fact has sealed; empty for one that an older program told."""
        if proof is None:
            if "facts" in self._genesis:
                raise _Broken("nothing in the ledger stands for it.")
            self._unsealed += 1
            return ""
        if event.withheld:
            if event != _Event(withheld=event.withheld) or event.withheld not in self._sealed.get(proof.line, ()):
                raise _Broken("an event that is withheld shows nothing but its digest.")
            self._withheld += 1
            return event.withheld
        if not event.is_whole:
            raise _Broken("it holds less than any program writes.")
        has_view = str(proof.line) in self._file.views
        if has_view:
            self._check_complete(event, proof)
        digest = _entry_digest(event, proof, spell_path if has_view else spell_path_as_before)
        if digest not in self._sealed.get(proof.line, ()):
            raise _Broken(f"it is not what line {proof.line} of the ledger sealed.")
        self._proved += 1
        self._later += proof.later
        self._in_part += bool(proof.others)
        return digest

    def _check_complete(self, event: _Event, proof: _Proof) -> None:
        """What is not closed says who gave the command, shows its dice, and all that everybody is shown."""
        is_closed = event.sight != "open" and proof.line not in self._opened
        self._incomplete += not is_closed and facts.OPEN not in proof.values
        envelope = {"sight"} if is_closed else {"by", "sight", "hides"}
        if not envelope <= event.envelope.keys():
            raise _Broken("it does not say who gave it, or how it was shown.")
        if is_closed and event.values:
            raise _Broken("it was not opened, and shows something.")
        if event.name == "rolled" and not is_closed and "dice" not in event.values:
            raise _Broken("its dice are left out.")

    def _check_order(self, digests: Sequence[str]) -> None:
        """The events come in the order of their facts; those of each are what it sealed as the view of the seat."""
        proved = [(proof, digest) for proof, digest in zip(self._file.proofs, digests, strict=True) if proof]
        digests_by_line: dict[int, list[str]] = {}
        for line, events_of_line in groupby(proved, key=lambda pair: pair[0].line):
            if digests_by_line and line <= max(digests_by_line):
                raise _Broken(f"The events of line {line} of the ledger stand in the wrong place.")
            events = list(events_of_line)
            digests_by_line[line] = [digest for proof, digest in events if not proof.later]
            if len({digest for _, digest in events}) < len(events):
                raise _Broken(f"An event of line {line} of the ledger stands here twice.")
        for number, view in self._file.views.items():
            if digests_by_line.get(int(number), []) != view.shown:
                raise _Broken(f"The events of line {number} of the ledger are not those that the seat was shown.")
        self._check_whose_views()

    def _check_whose_views(self) -> None:
        """Before its seat was taken, it is shown what any newcomer would be; from then on, its own view."""
        seat = self._file.seat
        lines_of_taking: list[int] = []
        for event, proof in zip(self._file.events, self._file.proofs, strict=True):
            if proof and event.name == "seat_taken" and event.values.get("seat", {}).get("id") == seat:
                lines_of_taking.append(proof.line)
        if "views" in self._genesis and len(lines_of_taking) != 1:
            raise _Broken(f"Nothing shows when seat {seat} was taken.")
        for number, view in self._file.views.items():
            is_seated = not lines_of_taking or int(number) >= lines_of_taking[0]
            if view.seat != (seat if is_seated else NEWCOMER):
                raise _Broken(f"What is shown of line {number} of the ledger is another seat's view of it.")

    def _check_dice(self) -> None:
        """The dice of an event are those that the ledger drew for it."""
        for line, sides, faces in self._drawn():
            for event, proof in zip(self._file.events, self._file.proofs, strict=True):
                if proof and proof.line == line and event.name == "rolled" and "dice" in event.values:
                    dice = [[die["sides"], die["face"]] for die in event.values["dice"]]
                    if dice != [list(pair) for pair in zip(sides, faces, strict=True)]:
                        raise _Broken(f"The dice of line {line} of the ledger are not those that were drawn.")
                    break

    def _drawn(self) -> Iterator[tuple[int, Sequence[int], Sequence[int]]]:
        """Yield the dice of each roll of the ledger, with the line of the fact that says what came of them."""
        fact_by_ask: dict[int, int] = {}
        for number, line in enumerate(self._ledger):
            fact = self._next_fact(number)
            match line["t"]:
                case "roll" | "entered" if line["dice"]:
                    yield fact, line["sides"], line["dice"]
                case "ask":
                    fact_by_ask[number] = fact
                case "answer":
                    fact_by_ask[line["ask"]] = fact
                case "open":
                    yield fact_by_ask[line["ask"]], line["sides"], line["dice"]

    def _next_fact(self, number: int) -> int:
        """Return the number of the first fact from this line of the ledger on; -1 if none follows."""
        for place in range(number, len(self._ledger)):
            if self._ledger[place]["t"] == "fact":
                return place
        return -1

    def _check_pictures(self) -> None:
        """Each picture is the one that a proved value names."""
        texts: set[str] = set()
        for event in self._file.events:
            texts.update(value for value in flat(event.values).values() if isinstance(value, str))
        for digest, encoded in self._file.pictures.items():
            if digest not in texts or sha256(b64decode(encoded)).hexdigest() != digest:
                raise _Broken("A picture in the file is not one that an event names.")

    def _unchecked(self) -> Iterator[str]:
        if self._unsealed:
            yield f"{self._unsealed} things were told by an older program, which sealed no facts of them"
        if "views" not in self._genesis:
            yield "an older program began this table, so that nothing proves the order and the number of all its events"
        if self._incomplete:
            yield f"values are left out of {self._incomplete} things, which everybody was shown"
        if self._withheld:
            yield f"{self._withheld} things are left out, which the seat saw and may not see any more"
        if self._later:
            yield f"{self._later} things are shown that the seat was not shown when they happened"


def _entry_digest(event: _Event, proof: _Proof, spelling: Spelling) -> str:
    """Return the digest of an entry: of the leaves of the values shown, and of those withheld."""
    withheld_leaves = [bytes.fromhex(leaf) for leaf in proof.others]
    leaves: dict[str, bytes] = {}
    for path, value in (*event.envelope.items(), *_values(event.values, EVENT, spelling)):
        if path == EVENT and path not in proof.values:  # of a closed roll, nothing is shown
            continue
        if path not in proof.values:
            raise _Broken(f"its {path.removeprefix('event.')} is not proved.")
        leaves[path] = leaf_of_shown(value, path, *proof.values[path])
    if facts.OPEN in proof.values:
        digest = facts.open_digest(leaf for path, leaf in leaves.items() if path not in proof.beyond)
        leaves[facts.OPEN] = leaf_of_shown(digest, facts.OPEN, *proof.values[facts.OPEN])
    return facts.entry_digest([*leaves.values(), *withheld_leaves])


def _values(whole: Any, path: str, spelling: Spelling) -> Iterator[tuple[str, Any]]:
    """Yield the values that a file shows, each with the path of the place where it stands."""
    inside = parts_within(whole)
    if inside is None:
        yield path, whole
        return
    if isinstance(whole, list) and whole[-1] == WITHHELD:
        raise _Broken(f"its {path.removeprefix('event.')} ends with something withheld, which nothing proves.")
    for name, part in inside:
        if not (isinstance(whole, list) and part == WITHHELD):
            yield from _values(part, spelling(path, name), spelling)
