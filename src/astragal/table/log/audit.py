"""Is the log of a whole export what its ledger sealed? An edit is told with the entry that it concerns.

A fact of the ledger seals the digests of a command's other entries; the dice of a line are also in an entry of the
log; free text lies under its digest. Whoever edits one of them and computes all that follows anew ends with another
ledger, which a receipt shows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from astragal.fair import opens
from astragal.fair.seal import SALT_BYTES
from astragal.table.authoring.declarations import kind_of_event
from astragal.table.commands.log_events import Restored, Rolled
from astragal.table.fairness.ledger_writer import LEDGER_LINE
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
class _Command:
    """Entries of one command: its events, and then the ledger lines that prove them."""

    told: list[Entry]
    lines: list[Entry]


def is_whole_export(lines: Sequence[bytes]) -> bool:
    return bool(lines) and opened(lines[0]).get("astragal") == "table"


def edits_in(lines: Sequence[bytes]) -> list[Edit]:
    """Everything in the whole export of a table that does not fit together."""
    try:
        return list(_edits(lines))
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise BadExport(f"This export is malformed: {fault}.") from fault


def _edits(lines: Sequence[bytes]) -> Iterator[Edit]:
    entries = list(entries_in(lines[1:]))
    texts = {text[0]: text for text in (opened(line).get("text") for line in lines[1:]) if text}
    audit = _Audit()
    yield from _missing(entries)
    for entry in entries:
        yield from _reworded(entry, texts)
    for command in _commands(entries):
        yield from audit.of(command)
    yield from _cut(lines)


def _missing(entries: Sequence[Entry]) -> Iterator[Edit]:
    for due, entry in enumerate(entries, start=1):
        if entry.number != due:
            yield _edit(entry, f"entry {due} should stand here.")
            return


def _reworded(entry: Entry, texts: Mapping[str, Sequence[Any]]) -> Iterator[Edit]:
    """Free text lies beside the log under its digest; text that was blanked has left its digest."""
    for digest in pointed_texts(entry.data):
        if digest not in texts:
            yield _edit(entry, "its words are missing.")
            continue
        _, salt, words = texts[digest]
        if words is not None and sealed_text(words, bytes.fromhex(salt)).digest != digest:
            yield _edit(entry, "its words are not those that were written.")


def _cut(lines: Sequence[bytes]) -> Iterator[Edit]:
    *before, last = lines
    if opened(last).get("end") != hashlib.sha256(b"".join(before)).hexdigest():
        yield Edit("The end of the file does not fit the rest: it was cut off, or changed after it was written.")


def _commands(entries: Sequence[Entry]) -> Iterator[_Command]:
    """Group entries by command: events come before the ledger lines that prove them."""
    command = _Command([], [])
    for entry in entries:
        if entry.name == RESTORED:  # it proves itself by the gap that follows
            continue
        if entry.name == LEDGER_LINE:
            command.lines.append(entry)
            continue
        if command.lines:
            yield command
            command = _Command([], [])
        command.told.append(entry)
    yield command


class _Audit:
    """A log read command by command."""

    def __init__(self) -> None:
        self._place = 0
        self._hidden: dict[int, Entry] = {}
        """The dice of hidden rolls, by the line that asked for them."""

    def of(self, command: _Command) -> Iterator[Edit]:
        acts = {_envelope(entry)["act"] for entry in command.lines}
        for entry in command.told:
            if _envelope(entry)["act"] not in acts:
                yield _edit(entry, "nothing in the ledger stands for it.")
        for entry in command.lines:
            kept = _envelope(entry)["event"]
            if kept.get("place") != self._place:
                yield _edit(entry, f"this is line {self._place} of the ledger, but says otherwise.")
            yield from self._of_line(command, entry, kept)
            self._place += 1

    def _of_line(self, command: _Command, entry: Entry, kept: Mapping[str, Any]) -> Iterator[Edit]:
        line = opened(kept["line"].encode())
        rolled = next((one for one in command.told if one.name == ROLLED), None)
        match line.get("t"):
            case "fact":
                yield from _of_fact(command, entry, kept, line)
            case "roll" | "entered" if rolled:
                yield from _of_dice(rolled, line, self._place)
            case "ask" if rolled:
                self._hidden[self._place] = rolled
            case "answer" if rolled:
                self._hidden[line["ask"]] = rolled
            case "open" if line["ask"] in self._hidden:
                yield from _of_dice(self._hidden[line["ask"]], line, self._place)


def _of_fact(command: _Command, entry: Entry, kept: Mapping[str, Any], line: Mapping[str, Any]) -> Iterator[Edit]:
    """The digests that were sealed are those of what was told."""
    salt, text = bytes.fromhex(kept.get("salt", "")), kept.get("text", "")
    if len(salt) != SALT_BYTES or not opens(bytes.fromhex(line["seal"]), salt, text):
        yield _edit(entry, "what is kept beside this fact is not what it sealed.")
        return
    sealed = msgspec.json.decode(text)
    if len(sealed) != len(command.told):
        yield _edit(entry, f"{len(sealed)} entries were sealed here, and {len(command.told)} are there.")
    for (name, digest), told in zip(sealed, command.told, strict=False):
        if (told.name, hashlib.sha256(told.data).hexdigest()) != (name, digest):
            yield _edit(told, f"it is not what line {kept['place']} of the ledger sealed.")


def _of_dice(rolled: Entry, line: Mapping[str, Any], place: int) -> Iterator[Edit]:
    if [die["face"] for die in _envelope(rolled)["event"]["dice"]] != line["dice"]:
        yield _edit(rolled, f"its dice are not those of line {place} of the ledger, {line['dice']}.")


def _envelope(entry: Entry) -> dict[str, Any]:
    envelope = opened(entry.data)
    if not isinstance(envelope.get("event"), dict) or "act" not in envelope:
        raise BadExport(f"Entry {entry.number} of this export can't be read.")
    return envelope


def _edit(entry: Entry, why: str) -> Edit:
    return Edit(why, entry.number, entry.name)
