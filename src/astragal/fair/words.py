"""Keys, words and faces: how links become dice.

K = SHA256("FD1-key\\0" ‖ link₁ ‖ link₂ …). Nothing else enters the key: no time, no text and no head of
the ledger, because whatever an operator can vary he can grind.
"""

import hmac
import struct
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from itertools import count

from astragal.fair.faults import FairError, Fault

FEWEST_SIDES = 2
MOST_SIDES = 1_000_000
_WORDS = 2**32
_eight_words = struct.Struct(">8I").unpack


def key_of(links: Iterable[bytes]) -> bytes:
    """The key of a roll: the server's link first, then the players' in the order listed."""
    return sha256(b"FD1-key\0" + b"".join(links)).digest()


def words_of(key: bytes) -> Iterator[int]:
    """HMAC-SHA256(K, uint32_be(j)) for j = 0, 1, …, cut in 4-byte big-endian words."""
    for j in count():
        yield from _words(key, j)


# The rules draw again, at once, what was drawn for a line.
@lru_cache(maxsize=64)
def _words(key: bytes, j: int) -> tuple[int, ...]:
    return _eight_words(hmac.digest(key, j.to_bytes(4, "big"), "sha256"))


class FairDice:
    """The dice of one key, in the order they are asked for; it remembers what it drew.

    `source` is what a record of dice writes beside each face: `seeded` marks a table for tests.
    """

    def __init__(self, key: bytes, *, seeded: bool = False) -> None:
        self.source = "seeded" if seeded else "fair"
        self._words = words_of(key)
        self._sides: list[int] = []
        self._faces: list[int] = []

    @property
    def sides(self) -> tuple[int, ...]:
        return tuple(self._sides)

    @property
    def faces(self) -> tuple[int, ...]:
        return tuple(self._faces)

    def face(self, sides: int) -> int:
        face = next_face(self._words, sides)
        self._sides.append(sides)
        self._faces.append(face)
        return face


def next_face(words: Iterator[int], sides: int) -> int:
    """The next word w gives 1 + w mod m; words ≥ 2³² − (2³² mod m) are skipped, or low faces would win."""
    if not FEWEST_SIDES <= sides <= MOST_SIDES:
        raise FairError(Fault.BAD_DIE, f"A die has {FEWEST_SIDES} to {MOST_SIDES:,} sides, not {sides:,}.")
    fair_words = _WORDS - _WORDS % sides
    word = next(words)
    while word >= fair_words:
        word = next(words)
    return 1 + word % sides


def faces_of(key: bytes, sides: Iterable[int]) -> list[int]:
    """All faces of a roll at once, as a verifier draws them again."""
    words = words_of(key)
    return [next_face(words, m) for m in sides]
