"""Audit of a whole export: is the log what its ledger sealed, and what the rules make of its dice?

A fact of the ledger seals all entries of a command, its time and its author; the dice of a line are also in an entry of
the log; free text lies under its digest. Whoever edits one of them and computes all that follows anew ends with another
ledger, which a receipt shows, and has to invent what the rules would have told, which a replay shows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from astragal.fair import facts, opens
from astragal.fair.facts import SALT_BYTES
from astragal.table.commands.builtin import Restored, Rolled
from astragal.table.declarations import kind_of_event
from astragal.table.ledger_writer import LEDGER_LINE, FactKey, parts_of
from astragal.table.log.codec import pointed_texts, sealed_text
from astragal.table.log.export import BadExport, entries_in, opened
from astragal.table.log.store import Entry
from astragal.values import frozen

ROLLED = kind_of_event(Rolled).name
RESTORED = kind_of_event(Restored).name


@frozen
class Edit:
    """Something in an export that is not as it was written; the entry that it concerns, where it concerns one."""

    why: str
    entry: int | None = None
    event: str = ""

    @property
    def sentence(self) -> str:
        return self.why if self.entry is None else f"Entry {self.entry} ({self.event}): {self.why}"


@frozen
class Audit:
    """The edits that were found; the entries that facts seal, and those that none does."""

    edits: tuple[Edit, ...]
    sealed: int
    unsealed: tuple[int, ...]

    def sentences(self) -> Iterator[str]:
        if self.edits:
            yield "This export was edited:"
            yield from (edit.sentence for edit in self.edits)
            return
        yield f"{self.sealed} entries of the log are as the facts of the ledger sealed them."
        if self.unsealed:
            yield (
                f"{len(self.unsealed)} entries, of an older program's commands that rolled, are in no fact: "
                "their dice agree with the ledger; of the rest nothing is proved."
            )


@frozen
class Commit:
    """Entries that were kept together: events, and then the ledger lines that prove them."""

    told: tuple[Entry, ...]
    lines: tuple[Entry, ...]


def audit(lines: Sequence[bytes]) -> Audit:
    """Hold the log in the whole export of a table against its ledger."""
    try:
        reading = _Reading()
        edits = list(_edits(lines, reading))
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise BadExport(f"This export is malformed: {fault}.") from fault
    return Audit(tuple(edits), reading.sealed, tuple(reading.unsealed))


def _edits(lines: Sequence[bytes], reading: _Reading) -> Iterator[Edit]:
    entries = list(entries_in(lines[1:]))
    texts = {text[0]: text for text in (opened(line).get("text") for line in lines[1:]) if text}
    for due, entry in enumerate(entries, start=1):
        if entry.number != due:
            yield _edit(entry, f"entry {due} should stand here.")
            break
    for entry in entries:
        yield from _reworded(entry, texts)
    for commit in commits_in(entries):
        yield from reading.take(commit)
    *before, last = lines
    if opened(last).get("end") != hashlib.sha256(b"".join(before)).hexdigest():
        yield Edit("The end of the file does not fit the rest: it was cut off, or changed after it was written.")


def _reworded(entry: Entry, texts: Mapping[str, Sequence[Any]]) -> Iterator[Edit]:
    """Free text lies beside the log under its digest; text that was blanked has left its digest."""
    for digest in pointed_texts(entry.data):
        if digest not in texts:
            yield _edit(entry, "its words are missing.")
            continue
        _, salt, words = texts[digest]
        if words is not None and sealed_text(words, bytes.fromhex(salt)).digest != digest:
            yield _edit(entry, "its words are not those that were written.")


def commits_in(entries: Sequence[Entry]) -> Iterator[Commit]:
    """Group entries as they were kept: of one deed, events before the ledger lines that prove them."""
    told: list[Entry] = []
    lines: list[Entry] = []
    act = ""
    for entry in entries:
        if entry.name == RESTORED:  # it proves itself by the gap that follows
            continue
        is_line, deed = entry.name == LEDGER_LINE, _envelope(entry)["act"]
        if (told or lines) and (deed != act or (lines and not is_line)):
            yield Commit(tuple(told), tuple(lines))
            told, lines = [], []
        act = deed
        (lines if is_line else told).append(entry)
    yield Commit(tuple(told), tuple(lines))


class _Reading:
    """A log read commit by commit."""

    def __init__(self) -> None:
        self.sealed = 0
        self.unsealed: list[int] = []
        self._place = 0
        self._has_facts = False
        self._hidden: dict[int, Entry] = {}
        """The dice of hidden rolls, by the line that asked for them."""

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
            if commit.told and entry.at != commit.told[0].at:
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
    """The digests that were sealed are those of what was told."""
    key, text, seal = FactKey.fromhex(kept.get("salt", "")), kept.get("text", ""), bytes.fromhex(line["seal"])
    sealed: list[Any] = msgspec.json.decode(text)
    told: list[Any]
    if len(key) == SALT_BYTES:  # as older programs sealed it
        told = [[one.name, hashlib.sha256(one.data).hexdigest()] for one in commit.told]
        holds = opens(seal, key, text)
    else:
        told = facts.entry_digests(key.leaves, map(parts_of, commit.told))
        holds = len(key.salt) == SALT_BYTES and opens(seal, key.salt, facts.fact_text(key.leaves, sealed))
    if not holds:
        yield _edit(entry, "what is kept beside this fact is not what it sealed.")
        return
    if len(sealed) != len(told):
        yield _edit(entry, f"{len(sealed)} entries were sealed here, and {len(told)} are there.")
    for digest, found, one in zip(sealed, told, commit.told, strict=False):
        if found != digest:
            yield _edit(one, f"it is not what line {kept['place']} of the ledger sealed.")


def _of_dice(rolled: Entry, line: Mapping[str, Any], asked: Mapping[str, Any], place: int) -> Iterator[Edit]:
    """The dice of a line are those of the entry, and were thrown for the same."""
    event = _envelope(rolled)["event"]
    dice = [(die["sides"], die["face"]) for die in event["dice"]]
    if dice != list(zip(line["sides"], line["dice"], strict=True)):
        yield _edit(rolled, f"its dice are not those of line {place} of the ledger, {line['dice']}.")
    told = {"command": event["command"], **event["question"]}
    if any(told.get(name) != value for name, value in asked.items()):
        yield _edit(rolled, f"it was rolled for something else than line {place} of the ledger says.")


def _envelope(entry: Entry) -> dict[str, Any]:
    envelope = opened(entry.data)
    if not isinstance(envelope.get("event"), dict) or "act" not in envelope:
        raise BadExport(f"Entry {entry.number} of this export can't be read.")
    return envelope


def _edit(entry: Entry, why: str) -> Edit:
    return Edit(why, entry.number, entry.name)
