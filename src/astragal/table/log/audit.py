"""Audit of whole exports: verify that a log is what its ledger sealed.

A fact in the ledger seals all entries of a command, its time and its author. The dice of a ledger line are also in an
entry of the log, and free text is stored under its digest. Someone who edits one of these and recalculates everything
after it ends with another ledger, which a receipt reveals, and has to invent the events that the rules would have
produced, which a replay reveals.

What a player's export shows is checked in `seat_audit`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from astragal.fair import Findings, opens
from astragal.fair.facts import SALT_BYTES
from astragal.table.commands.builtin import Restored, Rolled
from astragal.table.declarations import kind_of_event
from astragal.table.ledger_writer import LEDGER_LINE, FactKey, sealed_fact
from astragal.table.log.codec import is_as_written, pointed_texts
from astragal.table.log.export import BadExport, ImportedTable, entry_of, opened
from astragal.table.log.store import Entry, Text

ROLLED = kind_of_event(Rolled).name
RESTORED = kind_of_event(Restored).name

SAME_TIME = 60_000
"""Milliseconds within which a commit's entries were written. Older programs read the clock again for ledger lines."""


class Edit(Struct, frozen=True):
    """Part of an export that is not as it was written; `entry` is the entry that it concerns, if there is one."""

    why: str
    entry: int | None = None
    event: str = ""

    @property
    def sentence(self) -> str:
        return self.why if self.entry is None else f"Entry {self.entry} ({self.event}): {self.why}"


class Audit(Struct, frozen=True):
    """Result of an audit: the edits found, the number of entries sealed by facts, and the entries without one."""

    edits: tuple[Edit, ...]
    sealed: int
    unsealed: tuple[int, ...]

    def findings(self) -> Findings:
        if self.edits:
            return Findings(faults=tuple(edit.sentence for edit in self.edits))
        unchecked = []
        if self.unsealed:
            entries = f"{len(self.unsealed)} entries, of an older program's commands that rolled, are in no fact"
            unchecked.append(f"{entries}: their dice agree with the ledger, and of what followed nothing is proved")
        return Findings(
            unchecked=tuple(unchecked),
            checked=(f"{self.sealed} entries of the log are as the facts of the ledger sealed them.",),
        )


class Commit(Struct, frozen=True):
    """Entries that were committed together: events, then the ledger lines that prove them."""

    events: tuple[Entry, ...]
    lines: tuple[Entry, ...]


class LedgerEntry(NamedTuple):
    """An entry that holds a line of the ledger: the event as it was kept, and the line in it."""

    entry: Entry
    event: Mapping[str, Any]
    line: Mapping[str, Any]


def audit(lines: Sequence[bytes]) -> Audit:
    """Check the log in the whole export of a table against its ledger."""
    with _malformed_is_refused():
        records = [opened(line) for line in lines[1:]]
        entries = [entry_of(record["entry"]) for record in records if "entry" in record]
        stored_texts = [record["text"] for record in records if record.get("text")]
        texts = {digest: Text(digest, bytes.fromhex(salt), words) for digest, salt, words in stored_texts}
        audited = _audit(entries, texts)
        edits = [*_misplaced(entries), *audited.edits]
        if not records or records[-1].get("end") != hashlib.sha256(b"".join(lines[:-1])).hexdigest():
            why = "The end of the file does not fit the rest: it was cut off, or changed after it was written."
            edits.append(Edit(why))
        return Audit(tuple(edits), audited.sealed, audited.unsealed)


def audit_carried(carried: ImportedTable) -> Audit:
    """Audit an export that was already read and found to be complete and in order."""
    with _malformed_is_refused():
        return _audit(carried.entries, carried.texts(carried.table))


@contextmanager
def _malformed_is_refused() -> Iterator[None]:
    try:
        yield
    except (msgspec.MsgspecError, AttributeError, LookupError, TypeError, ValueError) as fault:
        raise BadExport(f"This export is malformed: {fault}.") from fault


def _audit(entries: Sequence[Entry], texts: Mapping[str, Text]) -> Audit:
    reading = _Reading()
    edits: list[Edit] = []
    for entry in entries:
        edits += _reworded(entry, texts)
    for commit in commits_in(entries):
        edits += reading.take(commit)
    return Audit(tuple(edits), reading.sealed, tuple(reading.unsealed))


def _misplaced(entries: Sequence[Entry]) -> Iterator[Edit]:
    """Yield an edit for the first entry that is out of order."""
    for due, entry in enumerate(entries, start=1):
        if entry.number != due:
            yield _edit(entry, f"entry {due} should stand here.")
            return


def _reworded(entry: Entry, texts: Mapping[str, Text]) -> Iterator[Edit]:
    """Yield an edit for free text that is missing or does not match its digest. Blanked text still has its digest."""
    for digest in pointed_texts(entry.data):
        if digest not in texts:
            yield _edit(entry, "its words are missing.")
        elif not is_as_written(texts[digest]):
            yield _edit(entry, "its words are not those that were written.")


def commits_in(entries: Sequence[Entry]) -> Iterator[Commit]:
    """Group entries as they were committed: the events of a command, then the ledger lines that prove them."""
    events: list[Entry] = []
    lines: list[Entry] = []
    act = ""
    for entry in entries:
        if entry.name == RESTORED:  # it proves itself by the gap that follows
            continue
        is_line = entry.name == LEDGER_LINE
        entry_act = _envelope(entry)["act"]
        follows_lines = bool(lines) and not is_line
        if (events or lines) and (entry_act != act or follows_lines):
            yield Commit(tuple(events), tuple(lines))
            events = []
            lines = []
        act = entry_act
        if is_line:
            lines.append(entry)
        else:
            events.append(entry)
    yield Commit(tuple(events), tuple(lines))


class _Reading:
    """Audit of a log, commit by commit."""

    def __init__(self) -> None:
        self.sealed = 0
        self.unsealed: list[int] = []
        self._place = 0
        self._has_facts = False
        self._hidden: dict[int, Entry] = {}
        """The `Rolled` entries of hidden rolls, by the ledger line that asked for them."""

    def take(self, commit: Commit) -> Iterator[Edit]:
        """Check the next commit against its lines of the ledger."""
        ledger_entries = [_ledger_entry(entry) for entry in commit.lines]
        lines = [proving.line for proving in ledger_entries]
        if any(line.get("t") == "genesis" and "facts" in line for line in lines):
            self._has_facts = True
        if any(line.get("t") == "fact" for line in lines):
            self.sealed += len(commit.events)
        elif self._has_facts or not commit.lines:
            for entry in commit.events:
                yield _edit(entry, "nothing in the ledger stands for it.")
        else:
            self.unsealed += [entry.number for entry in commit.events]
        for proving in ledger_entries:
            if proving.event.get("place") != self._place:
                yield _edit(proving.entry, f"this is line {self._place} of the ledger, but says otherwise.")
            if commit.events and abs(proving.entry.at - commit.events[0].at) > SAME_TIME:
                yield _edit(proving.entry, "it was kept at another time than what it proves.")
            yield from self._of_line(commit, proving)
            self._place += 1

    def _of_line(self, commit: Commit, proving: LedgerEntry) -> Iterator[Edit]:
        """Check what one line of the ledger says of its commit."""
        line = proving.line
        rolled = next((entry for entry in commit.events if entry.name == ROLLED), None)
        match line.get("t"):
            case "fact":
                yield from _of_fact(commit, proving)
            case "roll" | "entered" if rolled:
                yield from _of_dice(rolled, line, line["req"], self._place)
            case "ask" if rolled:
                self._hidden[self._place] = rolled
            case "answer" if rolled:
                self._hidden[line["ask"]] = rolled
            case "open" if line["ask"] in self._hidden:
                request = msgspec.json.decode(line["req"])["req"]
                yield from _of_dice(self._hidden[line["ask"]], line, request, self._place)


def _ledger_entry(entry: Entry) -> LedgerEntry:
    event = _envelope(entry)["event"]
    return LedgerEntry(entry, event, opened(event["line"].encode()))


def _of_fact(commit: Commit, proving: LedgerEntry) -> Iterator[Edit]:
    """Check that the sealed digests are those of the command's entries."""
    key = FactKey.fromhex(proving.event.get("salt", ""))
    text = proving.event.get("text", "")
    seal = bytes.fromhex(proving.line["seal"])
    sealed_digests: Sequence[Any]
    digests: list[Any]
    if len(key) == SALT_BYTES:  # as older programs sealed it
        sealed_digests = msgspec.json.decode(text)
        digests = [[entry.name, hashlib.sha256(entry.data).hexdigest()] for entry in commit.events]
        holds = opens(seal, key, text)
    else:
        fact = sealed_fact(text)
        sealed_digests = fact.entries
        digests = fact.digests(key, commit.events)
        holds = len(key.salt) == SALT_BYTES and opens(seal, key.salt, fact.text(key))
    if not holds:
        yield _edit(proving.entry, "what is kept beside this fact is not what it sealed.")
        return
    if len(sealed_digests) != len(digests):
        yield _edit(proving.entry, f"{len(sealed_digests)} entries were sealed here, and {len(digests)} are there.")
    for sealed_digest, digest, entry in zip(sealed_digests, digests, commit.events, strict=False):
        if digest != sealed_digest:
            yield _edit(entry, f"it is not what line {proving.event['place']} of the ledger sealed.")


def _of_dice(rolled: Entry, line: Mapping[str, Any], request: Mapping[str, Any], place: int) -> Iterator[Edit]:
    """Check that the dice of a ledger line are those of the entry, rolled for the same question."""
    event = _envelope(rolled)["event"]
    dice_in_log = [(die["sides"], die["face"]) for die in event["dice"]]
    dice_in_ledger = list(zip(line["sides"], line["dice"], strict=True))
    if dice_in_log != dice_in_ledger:
        yield _edit(rolled, f"its dice are not those of line {place} of the ledger, {line['dice']}.")
    question = {"command": event["command"], **event["question"]}
    if any(question.get(name) != value for name, value in request.items()):
        yield _edit(rolled, f"it was rolled for something else than line {place} of the ledger says.")


def _envelope(entry: Entry) -> dict[str, Any]:
    envelope = msgspec.json.decode(entry.data)
    if not isinstance(envelope, dict) or not isinstance(envelope.get("event"), dict) or "act" not in envelope:
        raise BadExport(f"Entry {entry.number} of this export can't be read.")
    return envelope


def _edit(entry: Entry, why: str) -> Edit:
    return Edit(why, entry.number, entry.name)
