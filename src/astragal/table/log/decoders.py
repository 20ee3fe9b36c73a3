"""Decoders of types, made by one thread at a time.

msgspec notes on a class what it learns of it, and begins the note before it has learnt all. A second thread that meets
the class meanwhile would decode by half a note, and the process would end there. So whoever needs a type read asks
here: a decoder that is whole may be used by any thread.
"""

from functools import cache
from threading import RLock
from typing import Any

import msgspec

_LOCK = RLock()


def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """JSON decoder for a type. Make it once and keep it."""
    with _LOCK:
        return msgspec.json.Decoder(kind)


def convert(value: Any, kind: Any) -> Any:
    """A plain value as one of this type."""
    _prepare(kind)
    return msgspec.convert(value, kind)


@cache
def _prepare(kind: Any) -> None:
    """Have all be known of a type before a thread reads by it."""
    decoder(kind)
