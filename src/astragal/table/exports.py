"""A table as one file, to be carried elsewhere; and as a text for people.

A whole export holds the log and its free texts, and nothing private. An export of a seat's view holds what that seat
may see, the public ledger of dice with its newest receipt, and nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from astragal.fair import FairError, Receipt, read_receipts, verify

from .codec import sealed_text
from .decoders import decoder
from .notary import LEDGER_LINE, ledger_line
from .refusals import Refusal
from .store import Batch, Closing, Entry, Store, TableExists, Text
from .views import SeenEvent

FORMAT = 1

_OBJECT = decoder(dict[str, Any])


class BadExport(Refusal):
    """The file is no export, or not all of one."""

    code = "bad_export"


def whole(store: Store, table: str) -> Iterator[bytes]:
    """The export of a table, a line at a time; the last line proves that none is missing."""
    digest = hashlib.sha256()
    for line in _lines(store, table):
        encoded = msgspec.json.encode(line) + b"\n"
        digest.update(encoded)
        yield encoded
    yield msgspec.json.encode({"end": digest.hexdigest()}) + b"\n"


def view(table: str, events: Iterable[SeenEvent], ledger: Iterable[bytes], receipt: Receipt) -> bytes:
    """The export of what a seat may see, in one line."""
    shown = {"events": list(events), "ledger": [line.decode() for line in ledger], "receipt": receipt._asdict()}
    return msgspec.json.encode({"astragal": "view", "format": FORMAT, "table": table, **shown}) + b"\n"


def ledger_in(lines: Iterable[bytes]) -> list[bytes]:
    """The public ledger that a file holds: a ledger by itself, the whole export of a table, or a seat's view."""
    first, *rest = list(lines) or [b"{}"]
    header = opened(first)
    if header.get("astragal") == "table":
        return [ledger_line(entry.data) for entry in entries_in(rest) if entry.name == LEDGER_LINE]
    if header.get("astragal") == "view" and "ledger" in header:
        return [str(line).encode() for line in header["ledger"]]
    if "t" in header:
        return [line.removesuffix(b"\n") for line in (first, *rest)]
    raise BadExport("This is neither a ledger of dice nor the export of a table.")


def receipts_in(lines: Sequence[bytes]) -> tuple[Receipt, ...]:
    """The receipts that a file holds: one in each of its lines, or the one of a seat's view."""
    header = opened(lines[0]) if lines else {}
    try:
        if header.get("astragal") == "view":
            return (Receipt(**header["receipt"]),)
        return read_receipts(lines)
    except (FairError, KeyError, TypeError) as fault:
        raise BadExport(f"These are no receipts: {fault}") from fault


def opened(line: bytes) -> dict[str, Any]:
    """A line of a file that ought to be a JSON object."""
    try:
        read: dict[str, Any] = _OBJECT.decode(line)
    except msgspec.MsgspecError as fault:
        raise BadExport(f"This is not an export: {fault}.") from fault
    return read


def entries_in(lines: Iterable[bytes]) -> Iterator[Entry]:
    """The entries of the log that lines of a whole export hold."""
    for line in lines:
        decoded = opened(line)
        if "entry" in decoded:
            yield _entry(decoded["entry"])


def _lines(store: Store, table: str) -> Iterator[dict[str, Any]]:
    yield {"astragal": "table", "format": FORMAT, "table": table}
    for entry in store.read(table):
        yield {"entry": [entry.number, entry.name, entry.version, entry.at, entry.data.decode()]}
    for text in store.texts(table).values():
        yield {"text": [text.digest, text.salt.hex(), text.words]}


def take_in(store: Store, lines: Iterable[bytes], closing: Closing) -> str:
    """Make a table from its export, its log ended by `closing`. Returns the table's id, which is the one it had."""
    file = list(lines)
    header, *rest = _checked(file)
    if header.get("astragal") != "table" or header.get("format") != FORMAT:
        raise BadExport("This is not the export of a table, or one of a newer program.")
    entries = tuple(_entry(line["entry"]) for line in rest if "entry" in line)
    texts = tuple(_text(line["text"]) for line in rest if "text" in line)
    if [entry.number for entry in entries] != list(range(1, len(entries) + 1)) or not entries:
        raise BadExport("Entries are missing from this export.")
    if (failure := verify(ledger_in(file)).failure) is not None:
        raise BadExport(f"The ledger of this table is not sound: {failure.why}")
    table = str(header["table"])
    try:
        store.create(table, Batch((*entries, closing(table, len(entries) + 1)), texts=texts))
    except TableExists:
        raise BadExport("This table is here already.") from None
    return table


def _checked(lines: Iterable[bytes]) -> list[dict[str, Any]]:
    digest = hashlib.sha256()
    read: list[dict[str, Any]] = []
    try:
        for line in lines:
            decoded = msgspec.json.decode(line)
            if "end" in decoded:
                if decoded["end"] == digest.hexdigest() and read:
                    return read
                break
            digest.update(line)
            read.append(decoded)
    except (msgspec.MsgspecError, TypeError) as fault:
        raise BadExport(f"This is not an export: {fault}.") from fault
    raise BadExport("This export is cut off or was changed.")


def _entry(raw: Any) -> Entry:
    try:
        number, name, version, at, data = raw
        return Entry(number, name, version, at, data.encode())
    except (AttributeError, TypeError, ValueError) as fault:
        raise BadExport("A line of this export is not as an entry should be.") from fault


def _text(raw: list[Any]) -> Text:
    digest, salt, words = raw
    text = Text(digest, bytes.fromhex(salt), words)
    if words is not None and sealed_text(words, text.salt).digest != digest:
        raise BadExport("A text in this export was changed.")
    return text


def transcript(title: str, events: Iterable[SeenEvent]) -> Iterator[str]:
    """What a seat has seen, as Markdown for people."""
    yield f"# {_escaped(title)}\n"
    for event in events:
        words = _escaped(event.words)
        yield f"- ~~{words}~~\n" if event.abandoned else f"- {words}\n"


def _escaped(words: str) -> str:
    """Text stays text: nothing in it may become a heading, a link or a tag."""
    flat = " ".join(words.split())
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#|~!" else sign for sign in flat)
