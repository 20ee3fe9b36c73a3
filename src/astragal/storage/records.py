"""Row codecs for the values of a table, with checksums that detect damage.

The checksums protect against bits that flip by themselves. They prove nothing against people: that is what fairness is
for. A text needs none, since its digest is one; once it is blanked, it has no salt. In a damaged file a column can be
of any type, so types are checked too.
"""

from hashlib import sha256
from zlib import crc32

from astragal.storage.queries import Record, Row
from astragal.table.log.store import Answer, Corrupted, Damaged, Entry, Snapshot, Text

DAMAGED_WORDS = ""
"""Words of a text that can't be read. No text is stored without words."""


def entry_record(table: str, entry: Entry) -> Record:
    return {
        "table_id": table,
        "number": entry.number,
        "name": entry.name,
        "version": entry.version,
        "at": entry.at,
        "data": entry.data,
        "checksum": _entry_checksum(table, entry),
    }


def entry_of(row: Row, table: str, due: int) -> Entry:
    """Decode the row of the entry with the number `due`. Raises `Corrupted`."""
    number, name, version, at, data, checksum, _ = row
    if number != due or type(name) is not bytes or type(data) is not bytes:
        raise Corrupted(table, due)
    entry = Entry(number, name.decode("utf-8", "replace"), version, at, data)
    if checksum != _entry_checksum(table, entry):
        raise Corrupted(table, due)
    return entry


def answer_record(table: str, answer: Answer) -> Record:
    return {
        "table_id": table,
        "command": answer.command,
        "asked": answer.asked,
        "data": answer.data,
        "checksum": _answer_checksum(table, answer),
    }


def answer_of(row: Row, table: str, command: str) -> Answer:
    digest_of_arguments, data, checksum = row
    answer = Answer(command, digest_of_arguments, data)
    are_bytes = isinstance(digest_of_arguments, bytes) and isinstance(data, bytes)
    if not are_bytes or checksum != _answer_checksum(table, answer):
        raise Damaged(f"The answer to command {command} of table {table} is damaged.")
    return answer


def text_record(table: str, text: Text) -> Record:
    if text.words is None:
        return {"table_id": table, "digest": text.digest, "salt": b"", "words": None}
    words = text.words.encode("utf-8", "surrogatepass")
    return {"table_id": table, "digest": text.digest, "salt": text.salt, "words": words}


def text_of(row: Row) -> Text:
    """Decode a text. A damaged one gets words that no digest fits, so that its readers name it and read the others."""
    digest, salt, words = row
    if words is None and salt == b"":
        return Text(digest, b"", None)
    try:
        return Text(digest, bytes(memoryview(salt)), bytes.decode(words, "utf-8", "surrogatepass"))
    except (TypeError, UnicodeDecodeError):
        return Text(digest, b"", DAMAGED_WORDS)


def picture_of(row: Row, digest: str) -> bytes | None:
    """Return the picture, or None if it is damaged: its digest is its checksum."""
    (data,) = row
    is_sound = isinstance(data, bytes) and sha256(data).hexdigest() == digest
    return data if is_sound else None


def private_record(table: str, name: str, data: bytes) -> Record:
    return {"table_id": table, "name": name, "data": data, "checksum": _private_checksum(table, name, data)}


def private_of(row: Row, table: str) -> tuple[str, bytes]:
    name, data, checksum = row
    if not isinstance(data, bytes) or checksum != _private_checksum(table, name, data):
        raise Damaged(f"The private value {name} of table {table} is damaged.")
    return name, data


def snapshot_record(table: str, snapshot: Snapshot) -> Record:
    return {"table_id": table, "number": snapshot.number, "data": snapshot.data, "seal": _seal_of(table, snapshot)}


def snapshot_of(row: Row, table: str) -> Snapshot | None:
    """Return the snapshot, or None if it is damaged: it is a cache, and the log has everything."""
    number, data, seal = row
    snapshot = Snapshot(number, data)
    is_sound = isinstance(data, bytes) and seal == _seal_of(table, snapshot)
    return snapshot if is_sound else None


def _checksum(place: str, data: bytes) -> int:
    """Calculate the checksum of bytes and of where they belong, so that rows which changed places are noticed too."""
    return crc32(data, crc32(place.encode("utf-8", "replace")))


def _entry_checksum(table: str, entry: Entry) -> int:
    number, name, version, at, data = entry
    place = f"{table}\0{number}\0{name}\0{version}\0{at}"
    return crc32(data, crc32(place.encode(errors="replace")))


def _answer_checksum(table: str, answer: Answer) -> int:
    return _checksum(f"{table}\0{answer.command}\0{len(answer.asked)}", answer.asked + answer.data)


def _private_checksum(table: str, name: str, data: bytes) -> int:
    return _checksum(f"{table}\0{name}", data)


def _seal_of(table: str, snapshot: Snapshot) -> bytes:
    return sha256(f"{table}\0{snapshot.number}\0".encode() + snapshot.data).digest()
