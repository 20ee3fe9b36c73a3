"""Hash chains: dice decided in advance, and revealed one link at a time.

    x₀ = 32 bytes of entropy; x_{k+1} = SHA256("FD1-link\\0" ‖ src ‖ "\\0" ‖ x_k)

The tip x_n is published before the first use. Links are spent backwards: x_{n−1}, x_{n−2}, … A spent link is checked by
hashing it once, which must give the last one. Links become dice by a key,

    K = SHA256("FD1-key\\0" ‖ link₁ ‖ link₂ …)

and nothing else goes into it: no time, no text and no head of the ledger, because an operator could try out any input
that they can vary until the dice suit them (grinding).
"""

import hmac
import secrets
import struct
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from itertools import count

from astragal.fair import sources
from astragal.fair.faults import FairError, Fault

__all__ = [
    "LINKS",
    "RENEWED_WITHIN",
    "Chain",
    "FairDice",
    "check_link",
    "faces_of",
    "hidden_chain",
    "key_of",
    "link_after",
    "new_seed",
    "words_of",
]

LINKS = 4096
RENEWED_WITHIN = 8
"""A chain's successor is promised while at least one of its links is left, and at most so many."""
LINK_BYTES = 32
_STRIDE = 64

Entropy = Callable[[int], bytes]


def new_seed(entropy: Entropy = secrets.token_bytes) -> bytes:
    return entropy(LINK_BYTES)


def link_after(src: str, link: bytes) -> bytes:
    """x_{k+1} from x_k: easy in this direction, infeasible in the other."""
    return sha256(_before_a_link(src) + link).digest()


def _before_a_link(src: str) -> bytes:
    return b"FD1-link\0" + src.encode("ascii") + b"\0"


class Chain:
    """The chain of one source. Its persistent state is its seed and the number of spent links.

    Every 64th link is held in memory, and so are the 64 links between two of them while these are spent. So a link
    costs about one hash instead of thousands.
    """

    def __init__(self, src: str, seed: bytes, length: int = LINKS) -> None:
        if len(seed) != LINK_BYTES:
            raise FairError(Fault.BAD_FIELD, f"A seed has {LINK_BYTES} bytes, not {len(seed)}.")
        self.src = src
        self.seed = seed
        self.length = length
        self._every_64th = [seed]
        self._between: list[bytes] = []
        self._between_start = -1
        link = seed
        prefix = _before_a_link(src)
        for k in range(1, length + 1):
            link = sha256(prefix + link).digest()
            if k % _STRIDE == 0:
                self._every_64th.append(link)
        self.tip = link

    def link(self, k: int) -> bytes:
        """x_k, counted from the seed x₀."""
        start = k - k % _STRIDE
        if start != self._between_start:
            links = [self._every_64th[start // _STRIDE]]
            while len(links) < min(_STRIDE, self.length - start):
                links.append(link_after(self.src, links[-1]))
            self._between = links
            self._between_start = start
        return self._between[k - start]

    def spend(self, count: int) -> bytes:
        """The count-th link to spend, count = 1, 2, …: x_{n−count}."""
        if not 1 <= count <= self.length:
            raise FairError(Fault.USED_UP, f"The chain of {self.src} has {self.length} links: none is number {count}.")
        return self.link(self.length - count)


def hidden_chain(scene: str, k: int, seed: bytes) -> Chain:
    """A chain of a single link: opening it reveals nothing about any other hidden roll."""
    return Chain(sources.hidden(scene, k), seed, length=1)


def check_link(src: str, link: bytes, last: bytes) -> None:
    """Check that the hash of a spent link is the last one; if not, raise an error that says what happened instead."""
    if link_after(src, link) == last:
        return
    missing = _steps(src, link, last)
    if missing is not None and missing > 1:
        raise FairError(
            Fault.LINK_SKIPPED,
            f"This link of {src} comes {missing - 1} too late: what was rolled in between was dropped, "
            "or stands in another order.",
        )
    if _steps(src, last, link) is not None:
        raise FairError(Fault.LINK_REPLAYED, f"This link of {src} was spent before: no link is spent twice.")
    raise FairError(Fault.LINK_FOREIGN, f"This link does not belong to the chain that {src} promised with its tip.")


def _steps(src: str, early: bytes, late: bytes) -> int | None:
    """Number of times that `early` must be hashed to give `late`; None if it never does."""
    for step in range(LINKS + 1):
        if early == late:
            return step
        early = link_after(src, early)
    return None


# ---------------------------------------------------------------- keys, words and faces

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


# Cached, because the rules draw the same dice again right after a line's dice were drawn.
@lru_cache(maxsize=64)
def _words(key: bytes, j: int) -> tuple[int, ...]:
    return _eight_words(hmac.digest(key, j.to_bytes(4, "big"), "sha256"))


class FairDice:
    """Dice from one key, in the order in which they are requested. Records what it drew.

    `source` is written beside each face in a record of dice: `seeded` marks a table for tests.
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
    """The next word w gives 1 + w mod m. Words ≥ 2³² − (2³² mod m) are skipped, or low faces would be likelier."""
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
