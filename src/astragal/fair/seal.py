"""Seals: something fixed now and shown later. SHA256("FD1-seal\\0" ‖ salt (16 bytes) ‖ utf8(text)).

The salt keeps a short text, such as a difficulty, from being guessed and tried.
"""

import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from astragal.fair.chain import Entropy
from astragal.fair.faults import FairError, Fault
from astragal.fair.spelling import Json, read_text, spell_text

SALT_BYTES = 16


class Request(NamedTuple):
    """Purpose and difficulty of a hidden roll, and the dice of its first step."""

    req: Json
    sides: tuple[int, ...]


def new_salt(entropy: Entropy = secrets.token_bytes) -> bytes:
    return entropy(SALT_BYTES)


def seal_of(salt: bytes, text: str) -> bytes:
    if len(salt) != SALT_BYTES:
        raise FairError(Fault.BAD_FIELD, f"A salt has {SALT_BYTES} bytes, not {len(salt)}.")
    try:
        return sha256(b"FD1-seal\0" + salt + text.encode()).digest()
    except UnicodeEncodeError as error:
        raise FairError(Fault.BAD_FIELD, "A sealed text must be writable as UTF-8.") from error


def opens(seal: bytes, salt: bytes, text: str) -> bool:
    """Whether this salt and this very text lie under the seal."""
    return seal_of(salt, text) == seal


def check_seal(seal: bytes, salt: bytes, text: str) -> None:
    if not opens(seal, salt, text):
        raise FairError(Fault.SEAL_DIFFERS, "The text shown is not the one that was sealed before the dice.")


def request_text(req: Json, sides: Sequence[int]) -> str:
    """The text that an `ask` seals: a JSON text with `req` and `sides`."""
    return spell_text({"req": req, "sides": list(sides)})


def read_request(text: str) -> Request:
    fields = read_text(text)
    sides = fields.get("sides")
    if set(fields) != {"req", "sides"} or not isinstance(sides, list):
        raise FairError(Fault.BAD_FIELD, "The sealed text of a hidden roll holds `req` and `sides`, and nothing else.")
    return Request(fields["req"], tuple(sides))
