"""Seals of texts that are fixed now and shown later, and facts: what a command told, sealed so that parts can be shown.

A seal is SHA256("FD1-seal\\0" ‖ salt (16 bytes) ‖ utf8(text)). The salt keeps a short text, such as a difficulty, from
being found by trying. A fact is a list of entries, each a table of paths and JSON values. With a key of 16 random bytes

    salt   = the first 16 bytes of SHA256("FD1-salt\\0" ‖ key ‖ the entry's place, four bytes ‖ path)
    leaf   = SHA256("FD1-leaf\\0" ‖ salt ‖ path ‖ \\0 ‖ the value as JSON in the one spelling)
    digest = SHA256("FD1-entry\\0" ‖ the leaves of the entry, sorted)

and a `fact` seals the sorted digests. Meaningless digests pad them to a multiple of eight, so that nobody can count
what they may not see. A reader who may see a value gets its salt, and only the digests of the other leaves.

Among the digests are those of views: the digests of the entries that one seat was shown, in order. Without them a seat
could not prove that its file leaves nothing out and has the order right. For the same reason each entry has a leaf that
seals the leaves which everybody is shown.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from astragal.fair.chain import Entropy
from astragal.fair.faults import FairError, Fault
from astragal.fair.spelling import Json, read_text, spell_text

__all__ = ["new_salt", "opens", "request_text", "seal_of"]

SALT_BYTES = 16


class Request(NamedTuple):
    """Purpose and difficulty of a hidden roll, and the dice of its first step."""

    req: Json
    sides: tuple[int, ...]


def new_salt(entropy: Entropy) -> bytes:
    return entropy(SALT_BYTES)


def seal_of(salt: bytes, text: str) -> bytes:
    if len(salt) != SALT_BYTES:
        raise FairError(Fault.BAD_FIELD, f"A salt has {SALT_BYTES} bytes, not {len(salt)}.")
    try:
        return sha256(b"FD1-seal\0" + salt + text.encode()).digest()
    except UnicodeEncodeError as error:
        raise FairError(Fault.BAD_FIELD, "A sealed text must be writable as UTF-8.") from error


def opens(seal: bytes, salt: bytes, text: str) -> bool:
    """Return whether exactly this salt and text are under the seal."""
    return seal_of(salt, text) == seal


def check_seal(seal: bytes, salt: bytes, text: str) -> None:
    if not opens(seal, salt, text):
        raise FairError(Fault.SEAL_DIFFERS, "The text shown is not the one that was sealed before the dice.")


def request_text(req: Json, sides: Sequence[int]) -> str:
    """The text that an `ask` seals: JSON with `req` and `sides`."""
    return spell_text({"req": req, "sides": list(sides)})


def read_request(text: str) -> Request:
    fields = read_text(text)
    sides = fields.get("sides")
    if set(fields) != {"req", "sides"} or not isinstance(sides, list):
        raise FairError(Fault.BAD_FIELD, "The sealed text of a hidden roll holds `req` and `sides`, and nothing else.")
    return Request(fields["req"], tuple(sides))


# ---------------------------------------------------------------- facts

KEY_BYTES = 16
FILLED_TO = 8

_FILLING = 1 << 31
"""Places from here on are those of padding digests."""

Parts = Mapping[str, Json]
"""An entry: its values by path."""


def salts_of(key: bytes, place: int, paths: Iterable[str]) -> dict[str, bytes]:
    """The salt of each value of an entry."""
    start = b"FD1-salt\0" + key + place.to_bytes(4, "big")
    return {path: sha256(start + path.encode()).digest()[:16] for path in paths}


def leaf_of(salt: bytes, path: str, value: Json) -> bytes:
    return _leaf(salt, path, spell_text(value))


def _leaf(salt: bytes, path: str, text: str) -> bytes:
    return sha256(b"FD1-leaf\0" + salt + path.encode() + b"\0" + text.encode()).digest()


def leaves_of(salts: Mapping[str, bytes], parts: Parts) -> dict[str, bytes]:
    """The leaf of each value, by its path."""
    return {path: leaf_of(salts[path], path, value) for path, value in parts.items()}


def entry_digest(leaves: Iterable[bytes]) -> str:
    return sha256(b"FD1-entry\0" + b"".join(sorted(leaves))).hexdigest()


OPEN = "open"
"""The path of the digest of those leaves of an entry that everybody is shown who is shown the entry."""


def open_digest(leaves: Iterable[bytes]) -> str:
    return sha256(b"FD1-open\0" + b"".join(sorted(leaves))).hexdigest()


def with_open_leaf(key: bytes, place: int, leaves: Mapping[str, bytes], beyond: Collection[str]) -> dict[str, bytes]:
    """The leaves of an entry, and the one that seals those not `beyond` what everybody is shown."""
    digest = open_digest(leaf for path, leaf in leaves.items() if path not in beyond)
    return {**leaves, OPEN: leaf_of(salts_of(key, place, [OPEN])[OPEN], OPEN, digest)}


class View(NamedTuple):
    """What one seat was shown of a command: the digests of its entries in order, and the lines that it opened."""

    shown: Sequence[str]
    opens: Sequence[int] = ()

    @property
    def text(self) -> str:
        return spell_text([self.shown, self.opens])


_VIEWS = 1 << 30
"""The place that views have instead of an entry's."""

VIEW = "view."
"""Begins the path of a view; the seat follows, or nothing for somebody who has yet to sit down."""
OPENED = "opened."
"""Begins the path of a view that counts once a reveal has opened the command."""


def view_salt(key: bytes, path: str) -> bytes:
    return salts_of(key, _VIEWS, [path])[path]


def view_digest(key: bytes, path: str, text: str) -> str:
    """The digest of a view: its leaf."""
    return _leaf(view_salt(key, path), path, text).hex()


def fact_text(key: bytes, digests: Sequence[str], room: int = 0) -> str:
    """The text that a fact seals, with room for at least so many digests."""
    needed = max(len(digests), room)
    length = needed + -needed % FILLED_TO
    padding = [_padding_digest(key, number) for number in range(length - len(digests))]
    return spell_text(sorted([*digests, *padding]))


def _padding_digest(key: bytes, number: int) -> str:
    """A digest that stands for nothing, and looks like any other to who has no key."""
    place = (_FILLING + number).to_bytes(4, "big")
    return sha256(b"FD1-salt\0" + key + place).hexdigest()
