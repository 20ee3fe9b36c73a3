"""Audit of exports: verify that a log is what its ledger sealed, and that a player's export is part of such a log.

A fact in the ledger seals all entries of a command, its time and its author. The dice of a ledger line are also in an
entry of the log, and free text is stored under its digest. Someone who edits one of these and recalculates everything
after it ends with another ledger, which a receipt reveals, and has to invent the events that the rules would have
produced, which a replay reveals.

A player's export has, for each event, the salts of the values that it shows and bare digests of hidden ones. So anyone
can check it against the public ledger, and nobody learns from it more than the player knew.
"""

from __future__ import annotations

import hashlib
from base64 import b64decode
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from astragal.fair import facts, opens
from astragal.fair.facts import SALT_BYTES
from astragal.table.commands.builtin import Restored, Rolled
from astragal.table.declarations import convert, kind_of_event
from astragal.table.ledger_writer import EVENT, LEDGER_LINE, FactKey, flat, parts_of, parts_within
from astragal.table.log.codec import BLANKED, DIGEST, TEXT_MARK, is_as_written, pointed_texts, sealed_text
from astragal.table.log.export import BadExport, ImportedTable, entry_of, opened
from astragal.table.log.store import Entry, Text
from astragal.table.visibility.events import SeenEvent

ROLLED = kind_of_event(Rolled).name
RESTORED = kind_of_event(Restored).name


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
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
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
    """Check that the sealed digests are those of the command's entries."""
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


# ---------------------------------------------------------------- what a player saw


class _Value(NamedTuple):
    """A value, its path in the shown event (`at`) and in the stored one (`path`); `text` is its stored free text."""

    at: str
    path: str
    value: Any
    text: Text | None = None

    def proof(self, salts: Mapping[str, bytes]) -> list[str]:
        """Return path and salt; for free text also the salt of its digest or, if it was blanked, the digest itself."""
        proof = [self.path, salts[self.path].hex()]
        if self.text is None:
            return proof
        return [*proof, self.text.digest if self.text.words is None else self.text.salt.hex()]


class _Place(NamedTuple):
    """The fact that seals an entry, and the entry's index in that fact."""

    line: int
    key: FactKey
    digests: Sequence[str]
    place: int


def proved_view(
    entries: Sequence[Entry], texts: Mapping[str, Text], seen: Iterable[tuple[int, SeenEvent, Sequence[int]]]
) -> dict[str, Any]:
    """Return all events that a seat saw, the proof of each, and the texts of the facts that seal them."""
    proofs = _Proofs(entries, texts)
    events, proved = list[SeenEvent](), list[dict[str, Any] | None]()
    for number, shown, turned_over in seen:
        events.append(shown)
        proved.append(proofs.of(number, shown, turned_over))
    lines = {one["line"] for proof in proved if proof for one in (proof, *filter(None, proof["opened"]))}
    return {"events": events, "proofs": proved, "facts": proofs.facts(lines)}


class _Proofs:
    """Builds the proofs of a log's entries."""

    def __init__(self, entries: Sequence[Entry], texts: Mapping[str, Text]) -> None:
        self._entries, self._texts = entries, texts
        self._places = dict(_places(entries))

    def of(self, number: int, shown: SeenEvent, turned_over: Iterable[int] = ()) -> dict[str, Any] | None:
        """Return the proof of an entry as a seat sees it; None if an older program sealed no fact of it."""
        found, entry = self._places.get(number), self._entries[number - 1]
        if found is None:
            return None
        parts = parts_of(entry)
        salts = facts.salts_of(found.key.leaves, found.place, parts)
        values = [_Value(path, path, value) for path, value in _outside(shown, entry.version) if parts[path] == value]
        values += self._found(dict(shown.fields), msgspec.json.decode(entry.data)[EVENT], EVENT, EVENT)
        leaves = facts.leaves_of(salts, parts)
        for value in values:
            leaves.pop(value.path, None)
        return {
            "line": found.line,
            "version": entry.version,
            "values": {value.at: value.proof(salts) for value in values if value.path in parts},
            "others": sorted(leaf.hex() for leaf in leaves.values()),
            "opened": [self.of(number, one) for number, one in zip(turned_over, shown.opened, strict=True)],
        }

    def _found(self, shown: Any, kept: Any, at: str, path: str) -> Iterator[_Value]:
        """Yield the values shown, each with its path in the stored event. Lists may be shown without some items."""
        inside = parts_within(shown)
        if inside is None:
            if (found := self._value(shown, kept, at, path)) is not None:
                yield found
        elif isinstance(shown, list):
            after = 0
            for place, one in inside:
                left = (number for number in range(after, len(kept)) if self._agrees(one, kept[number]))
                if (number := next(left, None)) is not None:
                    yield from self._found(one, kept[number], f"{at}.{place}", f"{path}.{number}")
                    after = number + 1
        else:
            for name, one in inside:
                yield from self._found(one, kept[name], f"{at}.{name}", f"{path}.{name}")

    def _value(self, shown: Any, kept: Any, at: str, path: str) -> _Value | None:
        if shown == kept:
            return _Value(at, path, shown)
        text = self._texts.get(kept.removeprefix(TEXT_MARK)) if isinstance(kept, str) else None
        if text is None or shown != (BLANKED if text.words is None else text.words):
            return None
        return _Value(at, path, shown, text)

    def _agrees(self, shown: Mapping[str, Any], kept: Mapping[str, Any]) -> bool:
        """Return whether `shown` can be a redacted view of `kept`."""
        return all(
            name in kept and (parts_within(one) is not None or self._value(one, kept[name], "", "") is not None)
            for name, one in shown.items()
        )

    def facts(self, lines: Collection[int]) -> dict[str, Any]:
        """Return salt and text of the facts in these lines."""
        found = {one.line: one for one in self._places.values() if one.line in lines}
        return {
            str(line): {"salt": one.key.salt.hex(), "text": facts.fact_text(one.key.leaves, one.digests)}
            for line, one in sorted(found.items())
        }


def _outside(shown: SeenEvent, version: int) -> Iterator[tuple[str, Any]]:
    """Yield the values of an event's envelope as a seat sees it. Closed rolls don't name their author."""
    yield "entry", [shown.name, version, shown.at, shown.act]
    if not shown.closed:
        yield "by", shown.by


def _places(entries: Sequence[Entry]) -> Iterator[tuple[int, _Place]]:
    for commit in commits_in(entries):
        for entry in commit.lines:
            kept = msgspec.json.decode(entry.data)["event"]
            key = FactKey.fromhex(kept["salt"])
            if '"t":"fact"' in kept["line"] and key.leaves:
                digests = msgspec.json.decode(kept["text"])
                for place, told in enumerate(commit.told):
                    yield told.number, _Place(kept["place"], key, digests, place)


# ---------------------------------------------------------------- checking


class SeenAudit(Struct, frozen=True):
    """Result of the audit of a player's export: events that the ledger proves, edits, and events without a fact."""

    proved: int
    edits: tuple[Edit, ...]
    unsealed: int

    def sentences(self) -> Iterator[str]:
        if self.edits:
            yield "This export was edited:"
            yield from (edit.sentence for edit in self.edits)
            return
        yield f"{self.proved} things that this seat saw are as the facts of the ledger sealed them."
        if self.unsealed:
            yield f"{self.unsealed} things were told by an older program, which sealed no facts of them."


def audit_view(document: Mapping[str, Any]) -> SeenAudit:
    """Check the events in a player's export against the ledger in it."""
    edits: list[Edit] = []
    proved = unsealed = 0
    try:
        ledger = [opened(line.encode()) for line in document["ledger"]]
        sealed = {int(line): _sealed(ledger[int(line)], fact) for line, fact in document["facts"].items()}
        must_prove = "facts" in ledger[0]
        for number, (event, proof) in enumerate(zip(document["events"], document["proofs"], strict=True), 1):
            if proof is None and not must_prove:
                unsealed += 1
            elif why := _fault(convert(event, SeenEvent), proof, sealed):
                edits.append(Edit(why, number, event["name"]))
            else:
                proved += 1
        for digest, encoded in document.get("pictures", {}).items():
            if sha256(b64decode(encoded)).hexdigest() != digest:
                edits.append(Edit("it is not the one that the log names.", 0, "picture"))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as fault:
        raise BadExport(f"This export is malformed: {fault}.") from fault
    return SeenAudit(proved, tuple(edits), unsealed)


def _sealed(line: Mapping[str, Any], fact: Mapping[str, Any]) -> set[str] | None:
    """Return the digests that a fact seals; None if its seal does not fit them."""
    holds = line["t"] == "fact" and opens(bytes.fromhex(line["seal"]), bytes.fromhex(fact["salt"]), fact["text"])
    return set(msgspec.json.decode(fact["text"])) if holds else None


def _fault(shown: SeenEvent, proof: Mapping[str, Any] | None, sealed: Mapping[int, set[str] | None]) -> str | None:
    if proof is None:
        return "nothing in the ledger stands for it."
    digests = sealed[proof["line"]]
    if digests is None:
        return f"what is shown of line {proof['line']} of the ledger is not what it sealed."
    leaves = [bytes.fromhex(leaf) for leaf in proof["others"]]
    for at, value in (*_outside(shown, proof["version"]), *flat(dict(shown.fields)).items()):
        if at in proof["values"]:
            leaves.append(_leaf(value, *proof["values"][at]))
        elif value not in ([], {}):  # all items of a list or mapping may be hidden
            return f"its {at.removeprefix('event.')} is not proved."
    if facts.entry_digest(leaves) not in digests:
        return f"it is not what line {proof['line']} of the ledger sealed."
    turned_over = (_fault(one, under, sealed) for one, under in zip(shown.opened, proof["opened"], strict=True))
    return next(filter(None, turned_over), None)


def _leaf(value: Any, path: str, salt: str, text: str = "") -> bytes:
    """Return the leaf of a value. Free text is sealed by its digest: `text` is the digest's salt or, if the text was
    blanked, the digest itself.
    """
    if text and value == BLANKED and len(text) == DIGEST:
        value = TEXT_MARK + text
    elif text:
        value = TEXT_MARK + sealed_text(value, bytes.fromhex(text)).digest
    return facts.leaf_of(bytes.fromhex(salt), path, value)
