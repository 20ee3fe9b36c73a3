"""A table as one file, to be carried elsewhere; and as a text for people.

A whole export holds the log and its free texts, and nothing private. An export of a seat's view holds what that seat
may see, and nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from .codec import sealed_text
from .refusals import Refusal
from .store import Batch, Entry, Store, TableExists, Text
from .views import SeenEvent

FORMAT = 1


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


def _lines(store: Store, table: str) -> Iterator[dict[str, Any]]:
    yield {"astragal": "table", "format": FORMAT, "table": table}
    for entry in store.read(table):
        yield {"entry": [entry.number, entry.name, entry.version, entry.at, entry.data.decode()]}
    for text in store.texts(table).values():
        yield {"text": [text.digest, text.salt.hex(), text.words]}


def take_in(store: Store, lines: Iterable[bytes]) -> str:
    """Make a table from its export. Returns the table's id, which is the one it had."""
    header, *rest = _checked(lines)
    if header.get("astragal") != "table" or header.get("format") != FORMAT:
        raise BadExport("This is not the export of a table, or one of a newer program.")
    entries = tuple(_entry(line["entry"]) for line in rest if "entry" in line)
    texts = tuple(_text(line["text"]) for line in rest if "text" in line)
    if [entry.number for entry in entries] != list(range(1, len(entries) + 1)) or not entries:
        raise BadExport("Entries are missing from this export.")
    table = str(header["table"])
    try:
        store.create(table, Batch(entries, texts=texts))
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


def _entry(raw: list[Any]) -> Entry:
    number, name, version, at, data = raw
    return Entry(number, name, version, at, data.encode())


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
