"""Export and import of a table as one file, and its transcript for people.

A whole export holds the log with its free texts and pictures, but no private values. An export of a seat's view holds
only what that seat may see, and the public ledger of dice with its newest receipt.
"""

import hashlib
import re
from base64 import b64decode, b64encode
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from astragal.fair import FairError, Receipt, read_receipts, verify
from astragal.fair.spelling import spell
from astragal.table.commands.execute import SOME_TEXT
from astragal.table.fields import validation
from astragal.table.fields.validation import read_json
from astragal.table.ledger_writer import LEDGER_LINE, ledger_line
from astragal.table.log.codec import DIGEST, TEXT_MARK, is_as_written
from astragal.table.log.store import Batch, Closing, Entry, Snapshot, Store, Text, is_name
from astragal.table.refusals import Refusal
from astragal.table.state.pictures import LARGEST_PICTURE, MOST_BYTES, MOST_PICTURES, is_webp
from astragal.table.visibility.events import SeenEvent

FORMAT = 1
"""Format of whole exports."""
VIEW_FORMAT = 2
"""Format of what a seat was shown. In format 1, neither the order nor the number of events was proved."""

LATEST = 253_402_300_799_999
"""The last millisecond of the year 9999: times that a date can't represent are rejected."""
TABLE_ID = re.compile(r"[\w-]{1,60}", re.ASCII)
TEXT_POINTER = re.compile(f"{TEXT_MARK}[0-9a-f]{{{DIGEST}}}")
"""A digest that stands in an entry for free text."""
ONE_LINE = ("name", "title")
"""Fields in which people and things have their names."""


class BadExport(Refusal):
    """The file is not an export, or is incomplete or invalid."""

    code = "bad_export"


def whole(store: Store, table: str) -> Iterator[bytes]:
    """Yield the whole export of a table line by line; the last line proves that none is missing."""
    digest = hashlib.sha256()
    for line in _lines(store, table):
        encoded = msgspec.json.encode(line) + b"\n"
        digest.update(encoded)
        yield encoded
    yield msgspec.json.encode({"end": digest.hexdigest()}) + b"\n"


def view(
    table: str,
    ledger: Iterable[bytes],
    receipt: Receipt,
    shown: Mapping[str, Any],
    pictures: Mapping[str, bytes],
) -> bytes:
    """Return the export of what a seat may see, with its proofs, as one line."""
    public: dict[str, Any] = {"ledger": [line.decode() for line in ledger], "receipt": receipt.public}
    if pictures:
        public["pictures"] = {digest: b64encode(data).decode() for digest, data in pictures.items()}
    return spell({"astragal": "view", "format": VIEW_FORMAT, "table": table, **shown, **public}) + b"\n"


def ledger_in(lines: Iterable[bytes]) -> list[bytes]:
    """Return the public ledger in a file: a ledger by itself, a whole export of a table, or a seat's view."""
    all_lines = list(lines) or [b"{}"]
    header = opened(all_lines[0])
    if header.get("astragal") == "table":
        return _ledger_of(entries_in(all_lines[1:]))
    if header.get("astragal") == "view" and "ledger" in header:
        return [str(line).encode() for line in header["ledger"]]
    if "t" in header:
        return [line.removesuffix(b"\n") for line in all_lines]
    raise BadExport("This is neither a ledger of dice nor the export of a table.")


def receipts_in(lines: Sequence[bytes]) -> tuple[Receipt, ...]:
    """Return the receipts in a file: one in each of its lines, or the one of a seat's view."""
    header = opened(lines[0]) if lines else {}
    try:
        if header.get("astragal") == "view":
            return (Receipt(**header["receipt"], table=header["table"]),)
        return read_receipts(lines)
    except (FairError, KeyError, TypeError) as fault:
        raise BadExport(f"These are not receipts: {fault}") from fault


def opened(line: bytes) -> dict[str, Any]:
    """Parse a line as a JSON object. Raises `BadExport`."""
    try:
        record = read_json(line)
    except (ValueError, RecursionError) as fault:
        raise BadExport(f"This is not an export: {fault}.") from fault
    if not isinstance(record, dict):
        raise BadExport("This is not an export: each line of one is a JSON object.")
    return record


def entries_in(lines: Iterable[bytes]) -> Iterator[Entry]:
    """Yield the entries of the log in lines of a whole export."""
    for line in lines:
        decoded = opened(line)
        if "entry" in decoded:
            yield entry_of(decoded["entry"])


def _lines(store: Store, table: str) -> Iterator[dict[str, Any]]:
    yield {"astragal": "table", "format": FORMAT, "table": table}
    for entry in store.read(table):
        yield {"entry": [entry.number, entry.name, entry.version, entry.at, entry.data.decode()]}
    for text in store.texts(table).values():
        yield {"text": [text.digest, text.salt.hex(), text.words]}
    for digest in store.pictures(table):
        data = store.picture(table, digest)
        if data:
            yield {"picture": [digest, b64encode(data).decode()]}


class ImportedTable:
    """A table read from its whole export: a `Log` that can be checked before any of it is stored."""

    def __init__(
        self, table: str, entries: tuple[Entry, ...], texts: tuple[Text, ...], pictures: Mapping[str, bytes]
    ) -> None:
        self.table = table
        self.entries = entries
        self.pictures = pictures
        self._texts = {text.digest: text for text in texts}

    def batch(self, closing: Closing) -> Batch:
        """Return the whole log as a batch for a store, ended by `closing`."""
        ends = closing(self.table, len(self.entries) + 1)
        return Batch((*self.entries, ends), texts=tuple(self._texts.values()), pictures=self.pictures)

    def read(self, _table: str, after: int = 0, up_to: int | None = None) -> Iterator[Entry]:
        return iter(self.entries[after:up_to])

    def changes(self) -> int | None:
        return None

    def texts(self, _table: str, _digests: Collection[str] | None = None) -> dict[str, Text]:
        return self._texts

    def private(self, _table: str) -> dict[str, bytes]:
        return {}

    def snapshot(self, _table: str) -> Snapshot | None:
        return None


def read_whole(lines: Iterable[bytes]) -> ImportedTable:
    """Parse a whole export. Raises `BadExport` if the file differs from what this program would write."""
    header, *records = _checked(lines)
    if header.get("astragal") != "table" or header.get("format") != FORMAT:
        raise BadExport("This is not the export of a table, or one of a newer program.")
    entries = tuple(entry_of(record["entry"]) for record in records if "entry" in record)
    texts = tuple(_text(record["text"]) for record in records if "text" in record)
    pictures = dict(_picture(record["picture"]) for record in records if "picture" in record)
    if len(entries) + len(texts) + len(pictures) != len(records):
        raise BadExport("A line of this export is neither an entry nor a text, nor a picture that is there once.")
    if len(pictures) > MOST_PICTURES or sum(map(len, pictures.values())) > MOST_BYTES:
        raise BadExport("This export holds more pictures than a table may have.")
    if not entries or [entry.number for entry in entries] != list(range(1, len(entries) + 1)):
        raise BadExport("Entries are missing from this export, or are not in their order.")
    for entry in entries:
        _check_signs(read_json(entry.data), f"Entry {entry.number}")
    for text in texts:
        _check_signs(text.words, "A text")
    table = header.get("table")
    if not isinstance(table, str) or not TABLE_ID.fullmatch(table):
        raise BadExport("This export does not say whose table it is: its id is up to 60 letters and digits.")
    report = verify(_ledger_of(entries))
    if report.failure is not None:
        raise BadExport(f"The ledger of this table is not sound: {report.failure.why.rstrip('.')}.")
    if report.table != table:
        raise BadExport(f"The ledger in this export is that of table {report.table[:60]!r}, not of {table!r}.")
    return ImportedTable(table, entries, texts, pictures)


def _ledger_of(entries: Iterable[Entry]) -> list[bytes]:
    """Return the lines of the public ledger that the entries of a log hold."""
    lines: list[bytes] = []
    for entry in entries:
        if entry.name == LEDGER_LINE:
            try:
                lines.append(ledger_line(entry.data))
            except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
                raise BadExport(f"Entry {entry.number} of this export holds no line of a ledger: {fault}.") from fault
    return lines


def _checked(lines: Iterable[bytes]) -> list[dict[str, Any]]:
    """Parse all lines but the last, whose checksum proves that they are complete and unchanged."""
    digest = hashlib.sha256()
    records: list[dict[str, Any]] = []
    last: dict[str, Any] | None = None
    for line in lines:
        if last is not None:
            raise BadExport("This export goes on after its end.")
        record = opened(line)
        if "end" in record:
            last = record
        else:
            digest.update(line)
            records.append(record)
    if not records or last is None or last["end"] != digest.hexdigest():
        raise BadExport("This export is cut off or was changed.")
    return records


def entry_of(raw: Any) -> Entry:
    """Parse an entry of the log from the list in a line."""
    try:
        number, name, version, at, data = raw
        entry = Entry(number, name, version, at, data.encode())
        read_json(data)
    except (AttributeError, TypeError, ValueError, RecursionError) as fault:
        raise BadExport("An entry in this export is malformed.") from fault
    has_counts = all(type(count) is int and 0 <= count <= LATEST for count in (number, version, at))
    if not has_counts or not isinstance(name, str) or not is_name(name):
        raise BadExport("An entry in this export is malformed.")
    return entry


def _text(raw: Any) -> Text:
    try:
        digest, salt, words = raw
        text = Text(digest, bytes.fromhex(salt), words)
        fits = len(digest) == DIGEST and isinstance(digest, str) and is_name(digest) and is_as_written(text)
    except (AttributeError, TypeError, ValueError) as fault:
        raise BadExport("A text in this export is malformed.") from fault
    if not fits:
        raise BadExport("A text in this export was changed.")
    return text


def _check_signs(value: Any, where: str, key: str = "") -> None:
    """Refuse signs that nobody could have typed: they can't be seen, and some control a terminal.

    Names are one line, so they have no line breaks either. `SOME_TEXT` is the program's own, and harmless.
    """
    if isinstance(value, Mapping):
        for name, part in value.items():
            _check_signs(name, where, "name")
            _check_signs(part, where, name)
    elif isinstance(value, list):
        for part in value:
            _check_signs(part, where, key)
    elif isinstance(value, str) and not TEXT_POINTER.fullmatch(value):
        allowed = validation.JOINERS if key in ONE_LINE else validation.LAYOUT
        strange = validation.strange_sign(value, f"{allowed}{SOME_TEXT}", validation.CONTROLS)
        if strange is not None:
            sign = validation.sign_name(value[strange])
            raise BadExport(f"{where} of this export holds a sign that can't be shown: {sign}.")


def _picture(raw: Any) -> tuple[str, bytes]:
    """Parse a picture, which has to be as this program stores it: WebP, within the size limit, matching its digest."""
    try:
        digest, encoded = raw
        data = b64decode(encoded, validate=True)
    except (AttributeError, TypeError, ValueError) as fault:
        raise BadExport("A picture in this export is malformed.") from fault
    if len(data) > LARGEST_PICTURE or not is_webp(data):
        raise BadExport("A picture in this export is not as this program keeps them.")
    if hashlib.sha256(data).hexdigest() != digest:
        raise BadExport("A picture in this export was changed.")
    return digest, data


def transcript(title: str, events: Iterable[SeenEvent]) -> Iterator[str]:
    """Yield a Markdown transcript of what a seat has seen: a bullet for each command, with its further events below."""
    yield f"# {escaped(title)}\n"
    for _, events_of_act in groupby(events, key=lambda event: event.act):
        indent = ""
        for event in events_of_act:
            words = escaped(event.words)
            if event.abandoned:
                words = f"~~{words}~~"
            yield f"{indent}- {words}\n"
            indent = "  "


def escaped(words: str) -> str:
    """Escape text for Markdown, so that none of it becomes a heading, a link or a tag, or controls a terminal."""
    flat = validation.without_controls(" ".join(words.split()))
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#|~!&" else sign for sign in flat)
