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
from typing import Any

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

    told: tuple[Entry, ...]
    lines: tuple[Entry, ...]


def audit(lines: Sequence[bytes]) -> Audit:
    """Check the log in the whole export of a table against its ledger."""
    with _malformed_is_refused():
        read = [opened(line) for line in lines[1:]]
        entries = [entry_of(line["entry"]) for line in read if "entry" in line]
        raw = (line["text"] for line in read if line.get("text"))
        texts = {digest: Text(digest, bytes.fromhex(salt), words) for digest, salt, words in raw}
        found = _audit(entries, texts)
        edits = [*_misplaced(entries), *found.edits]
        if not read or read[-1].get("end") != hashlib.sha256(b"".join(lines[:-1])).hexdigest():
            why = "The end of the file does not fit the rest: it was cut off, or changed after it was written."
            edits.append(Edit(why))
        return Audit(tuple(edits), found.sealed, found.unsealed)


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
    edits = [edit for entry in entries for edit in _reworded(entry, texts)]
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
    told: list[Entry] = []
    lines: list[Entry] = []
    act = ""
    for entry in entries:
        if entry.name == RESTORED:  # it proves itself by the gap that follows
            continue
        is_line, entry_act = entry.name == LEDGER_LINE, _envelope(entry)["act"]
        if (told or lines) and (entry_act != act or (lines and not is_line)):
            yield Commit(tuple(told), tuple(lines))
            told, lines = [], []
        act = entry_act
        (lines if is_line else told).append(entry)
    yield Commit(tuple(told), tuple(lines))


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
        lines = [(entry, _envelope(entry)["event"]) for entry in commit.lines]
        read = [opened(kept["line"].encode()) for _, kept in lines]
        self._has_facts = self._has_facts or any(line.get("t") == "genesis" and "facts" in line for line in read)
        if any(line.get("t") == "fact" for line in read):
            self.sealed += len(commit.told)
        elif self._has_facts or not commit.lines:
            yield from (_edit(entry, "nothing in the ledger stands for it.") for entry in commit.told)
        else:
            self.unsealed += [entry.number for entry in commit.told]
        for (entry, kept), line in zip(lines, read, strict=True):
            if kept.get("place") != self._place:
                yield _edit(entry, f"this is line {self._place} of the ledger, but says otherwise.")
            if commit.told and abs(entry.at - commit.told[0].at) > SAME_TIME:
                yield _edit(entry, "it was kept at another time than what it proves.")
            yield from self._of_line(commit, entry, kept, line)
            self._place += 1

    def _of_line(
        self, commit: Commit, entry: Entry, kept: Mapping[str, Any], line: Mapping[str, Any]
    ) -> Iterator[Edit]:
        rolled = next((one for one in commit.told if one.name == ROLLED), None)
        match line.get("t"):
            case "fact":
                yield from _of_fact(commit, entry, kept, line)
            case "roll" | "entered" if rolled:
                yield from _of_dice(rolled, line, line["req"], self._place)
            case "ask" if rolled:
                self._hidden[self._place] = rolled
            case "answer" if rolled:
                self._hidden[line["ask"]] = rolled
            case "open" if line["ask"] in self._hidden:
                asked = msgspec.json.decode(line["req"])["req"]
                yield from _of_dice(self._hidden[line["ask"]], line, asked, self._place)


def _of_fact(commit: Commit, entry: Entry, kept: Mapping[str, Any], line: Mapping[str, Any]) -> Iterator[Edit]:
    """Check that the sealed digests are those of the command's entries."""
    key, text, seal = FactKey.fromhex(kept.get("salt", "")), kept.get("text", ""), bytes.fromhex(line["seal"])
    sealed: Sequence[Any]
    told: list[Any]
    if len(key) == SALT_BYTES:  # as older programs sealed it
        sealed = msgspec.json.decode(text)
        told = [[one.name, hashlib.sha256(one.data).hexdigest()] for one in commit.told]
        holds = opens(seal, key, text)
    else:
        fact = sealed_fact(text)
        sealed = fact.entries
        told = fact.digests(key, commit.told)
        holds = len(key.salt) == SALT_BYTES and opens(seal, key.salt, fact.text(key))
    if not holds:
        yield _edit(entry, "what is kept beside this fact is not what it sealed.")
        return
    if len(sealed) != len(told):
        yield _edit(entry, f"{len(sealed)} entries were sealed here, and {len(told)} are there.")
    for digest, found, one in zip(sealed, told, commit.told, strict=False):
        if found != digest:
            yield _edit(one, f"it is not what line {kept['place']} of the ledger sealed.")


def _of_dice(rolled: Entry, line: Mapping[str, Any], asked: Mapping[str, Any], place: int) -> Iterator[Edit]:
    """Check that the dice of a ledger line are those of the entry, rolled for the same question."""
    event = _envelope(rolled)["event"]
    dice = [(die["sides"], die["face"]) for die in event["dice"]]
    if dice != list(zip(line["sides"], line["dice"], strict=True)):
        yield _edit(rolled, f"its dice are not those of line {place} of the ledger, {line['dice']}.")
    told = {"command": event["command"], **event["question"]}
    if any(told.get(name) != value for name, value in asked.items()):
        yield _edit(rolled, f"it was rolled for something else than line {place} of the ledger says.")


def _envelope(entry: Entry) -> dict[str, Any]:
    envelope = msgspec.json.decode(entry.data)
    if not isinstance(envelope, dict) or not isinstance(envelope.get("event"), dict) or "act" not in envelope:
        raise BadExport(f"Entry {entry.number} of this export can't be read.")
    return envelope


def _edit(entry: Entry, why: str) -> Edit:
    return Edit(why, entry.number, entry.name)
