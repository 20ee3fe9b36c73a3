"""The whole export of a table taken apart, changed as a forger would, and put together again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec

from astragal.fair import seal_of
from astragal.fair.spelling import read, spell
from astragal.table.ledger_writer import Audience, FactKey, sealed_fact
from astragal.table.log.codec import TEXT_MARK, sealed_text
from astragal.table.log.export import ledger_in
from astragal.table.log.store import Entry
from tests.fair.pages import Pages

Rows = list[dict[str, Any]]


class Exported:
    """A forger has the file and every program; the end of the file fits whatever was changed."""

    def __init__(self, file: Sequence[bytes]) -> None:
        self.rows: Rows = [json.loads(line) for line in file[:-1]]

    def file(self) -> list[bytes]:
        return ended([encoded(row) for row in self.rows])

    def pages(self) -> Pages:
        """The ledger in it."""
        return Pages(ledger_in(self.file()))

    def rewrite(self, ledger: Sequence[bytes]) -> None:
        """Put another ledger in the place of the one that is there."""
        old = [row for row in self.rows if _name(row) == "ledger_line"]
        for row, line in zip(old, ledger, strict=False):
            _change_event(row, line=line.decode())
        for row in old[len(ledger) :]:
            self.rows.remove(row)
        for line in ledger[len(old) :]:
            self.rows.append(json.loads(json.dumps(old[-1])))
            _change_event(self.rows[-1], line=line.decode())
        self._count_again()

    def of(self, name: str) -> list[dict[str, Any]]:
        """The entries of a kind."""
        return [row for row in self.rows if _name(row) == name]

    def say(self, entry: dict[str, Any], thing: str, field: str, words: str) -> None:
        """Other words in the thing that an entry holds, with a digest that fits them."""
        held = _event(entry)[thing]
        digest = held[field].removeprefix(TEXT_MARK)
        (row,) = [row for row in self.rows if row.get("text", [""])[0] == digest]
        text = sealed_text(words, bytes.fromhex(row["text"][1]))
        row["text"] = [text.digest, text.salt.hex(), words]
        _change_event(entry, **{thing: {**held, field: TEXT_MARK + text.digest}})

    def seal_again(self, entry: dict[str, Any]) -> None:
        """Make the fact of the command that left this entry fit what it is now."""
        place = self.rows.index(entry)
        fact = next(row for row in self.rows[place:] if '"fact"' in _event(row).get("line", ""))
        first = next(n for n in range(place, -1, -1) if _is_line(self.rows[n - 1]))
        told = [row for row in self.rows[first : self.rows.index(fact)] if not _is_line(row)]
        key = FactKey.fromhex(_event(fact)["salt"])
        sealed = sealed_fact(_event(fact)["text"])
        digests = sealed.digests(key, [_entry(row) for row in told])
        audiences = sealed.audiences
        if len(digests) < len(sealed.entries):
            audiences = {seat: Audience(()) for seat in audiences}
        sealed = msgspec.structs.replace(sealed, entries=digests, audiences=audiences)
        line = spell({**read(_event(fact)["line"].encode()), "seal": seal_of(key.salt, sealed.text(key)).hex()})
        _change_event(fact, line=line.decode(), text=msgspec.json.encode(sealed).decode())

    def _count_again(self) -> None:
        entries = [row for row in self.rows if "entry" in row]
        for number, row in enumerate(entries, start=1):
            row["entry"][0] = number
        for place, row in enumerate(row for row in entries if _name(row) == "ledger_line"):
            _change_event(row, place=place)


def ended(lines: list[bytes]) -> list[bytes]:
    """The lines, and an end that fits them."""
    return [*lines, encoded({"end": sha256(b"".join(lines)).hexdigest()})]


def encoded(row: dict[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _name(row: dict[str, Any]) -> str:
    return row["entry"][1] if "entry" in row else ""


def _is_line(row: dict[str, Any]) -> bool:
    return _name(row) in ("", "ledger_line")


def _entry(row: dict[str, Any]) -> Entry:
    number, name, version, at, data = row["entry"]
    return Entry(number, name, version, at, data.encode())


def _event(row: dict[str, Any]) -> dict[str, Any]:
    event: dict[str, Any] = json.loads(row["entry"][4])["event"]
    return event


def _change_event(row: dict[str, Any], **changed: Any) -> None:
    envelope = json.loads(row["entry"][4])
    envelope["event"] |= changed
    row["entry"][4] = json.dumps(envelope, ensure_ascii=False, separators=(",", ":"))
