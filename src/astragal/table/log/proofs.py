"""Proof of what a player saw: for each event of their export the salts of the values that it shows.

Of what they may not see they are given bare digests. So anyone can hold the export against the public ledger, and
nobody learns from it what the player did not know.
"""

from base64 import b64decode
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from astragal.fair import facts, opens
from astragal.table.declarations import convert
from astragal.table.ledger_writer import EVENT, FactKey, flat, parts_of, parts_within
from astragal.table.log.audit import Edit, commits_in
from astragal.table.log.codec import BLANKED, DIGEST, TEXT_MARK, sealed_text
from astragal.table.log.export import BadExport, opened
from astragal.table.log.store import Entry, Text
from astragal.table.visibility.events import SeenEvent
from astragal.values import frozen


class _Value(NamedTuple):
    """A value at its place in what is shown and in what is kept; of free text, how it lies beside the log."""

    at: str
    path: str
    value: Any
    text: Text | None = None

    def proof(self, salts: Mapping[str, bytes]) -> list[str]:
        """Path and salt; of free text the salt of its digest, or of blanked text the digest itself."""
        proof = [self.path, salts[self.path].hex()]
        if self.text is None:
            return proof
        return [*proof, self.text.digest if self.text.words is None else self.text.salt.hex()]


class _Place(NamedTuple):
    """The fact that seals an entry, and its place among the entries of that fact."""

    line: int
    key: FactKey
    digests: Sequence[str]
    place: int


def proved_view(
    entries: Sequence[Entry], texts: Mapping[str, Text], seen: Iterable[tuple[int, SeenEvent, Sequence[int]]]
) -> dict[str, Any]:
    """All that a seat saw, the proof of each thing, and what the facts sealed that these belong to."""
    proofs = _Proofs(entries, texts)
    events, proved = list[SeenEvent](), list[dict[str, Any] | None]()
    for number, shown, turned_over in seen:
        events.append(shown)
        proved.append(proofs.of(number, shown, turned_over))
    lines = {one["line"] for proof in proved if proof for one in (proof, *filter(None, proof["opened"]))}
    return {"events": events, "proofs": proved, "facts": proofs.facts(lines)}


class _Proofs:
    """The proofs of the entries of a log."""

    def __init__(self, entries: Sequence[Entry], texts: Mapping[str, Text]) -> None:
        self._entries, self._texts = entries, texts
        self._places = dict(_places(entries))

    def of(self, number: int, shown: SeenEvent, turned_over: Iterable[int] = ()) -> dict[str, Any] | None:
        """The proof of an entry as a seat sees it; none where an older program left no fact of it."""
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
        """The values that are shown, each with its place in what is kept. Of a list some may be left out."""
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
        """Can this be what is shown of that?"""
        return all(
            name in kept and (parts_within(one) is not None or self._value(one, kept[name], "", "") is not None)
            for name, one in shown.items()
        )

    def facts(self, lines: Collection[int]) -> dict[str, Any]:
        """What the facts of these lines sealed."""
        found = {one.line: one for one in self._places.values() if one.line in lines}
        return {
            str(line): {"salt": one.key.salt.hex(), "text": facts.fact_text(one.key.leaves, one.digests)}
            for line, one in sorted(found.items())
        }


def _outside(shown: SeenEvent, version: int) -> Iterator[tuple[str, Any]]:
    """The values around an event as a seat sees it. Who rolled out of sight is not told."""
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


@frozen
class SeenAudit:
    """How many events of a player's export the ledger proves, and what in it is not as it was sealed."""

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
    """Hold what a player saw, in their export, against the ledger in it."""
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
    """The digests under the seal of a fact; None if they are not those."""
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
        elif value not in ([], {}):  # what is left out of a list or table may be all of it
            return f"its {at.removeprefix('event.')} is not proved."
    if facts.entry_digest(leaves) not in digests:
        return f"it is not what line {proof['line']} of the ledger sealed."
    turned_over = (_fault(one, under, sealed) for one, under in zip(shown.opened, proof["opened"], strict=True))
    return next(filter(None, turned_over), None)


def _leaf(value: Any, path: str, salt: str, text: str = "") -> bytes:
    """The leaf of a value. Free text is sealed by its digest, for which `text` is the salt; or it is blanked."""
    if text and value == BLANKED and len(text) == DIGEST:
        value = TEXT_MARK + text
    elif text:
        value = TEXT_MARK + sealed_text(value, bytes.fromhex(text)).digest
    return facts.leaf_of(bytes.fromhex(salt), path, value)
