"""Names of sources: the chain that a link comes from.

s:<seat>            the server, for that seat's open rolls
s:gm-open           the server, for the game master's open rolls (the seat `gm`)
s:gm-<scene>-<k>    the server, for one hidden roll: a chain of a single link, k = 1, 2, …
u:<seat>            the seat's own client
w:<seat>            the seat's own client, as a witness of hidden rolls
"""

import re
from functools import lru_cache
from typing import NamedTuple

from astragal.fair.faults import FairError, Fault

GAME_MASTER = "gm"
GM_OPEN = "s:gm-open"

_NAME = "[A-Za-z0-9._-]{1,64}"
_IS_NAME = re.compile(_NAME).fullmatch
_IS_SOURCE = re.compile(f"[suw]:(?!gm-){_NAME}|{GM_OPEN}").fullmatch
_IS_HIDDEN = re.compile(f"s:gm-({_NAME})-([1-9][0-9]{{0,8}})").fullmatch


# A table has few sources and names them in every line.
_remembered = lru_cache(maxsize=4096)


class Hidden(NamedTuple):
    """The position of a hidden roll's chain: the k-th of its scene."""

    scene: str
    k: int


@_remembered
def is_seat(name: str) -> bool:
    """Return whether it is the name of a seat: plain ASCII, without `gm-`, the prefix of the game master's chains."""
    return _IS_NAME(name) is not None and not name.startswith("gm-")


@_remembered
def is_source(src: str) -> bool:
    return _IS_SOURCE(src) is not None or is_hidden(src)


def is_hidden(src: str) -> bool:
    return _IS_HIDDEN(src) is not None


def is_client_source(src: str) -> bool:
    return src.startswith(("u:", "w:"))


@_remembered
def server(seat: str) -> str:
    """The only server chain that this seat's open rolls are drawn from: there is no choice."""
    return GM_OPEN if seat == GAME_MASTER else "s:" + _seat(seat)


@_remembered
def client(seat: str) -> str:
    return "u:" + _seat(seat)


def witness(seat: str) -> str:
    return "w:" + _seat(seat)


def hidden(scene: str, k: int) -> str:
    src = f"s:gm-{scene}-{k}"
    if not is_hidden(src):
        raise FairError(
            Fault.BAD_SOURCE, f"{src!r} does not name a hidden roll: scenes are plain ASCII, k is 1 or more."
        )
    return src


def seat_of(src: str) -> str:
    """The seat whose program keeps this chain, `u:<seat>` or `w:<seat>`."""
    return _seat(src[2:])


@_remembered
def place_of(src: str) -> Hidden | None:
    """The hidden roll that this source is for, or None if it is for no hidden roll."""
    match = _IS_HIDDEN(src)
    return Hidden(match[1], int(match[2])) if match else None


def _seat(seat: str) -> str:
    if not is_seat(seat):
        raise FairError(Fault.BAD_SOURCE, f"{seat!r} is not a seat: letters, digits, '.', '_' and '-', not 'gm-…'.")
    return seat
