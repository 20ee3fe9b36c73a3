"""JSON from outside, read strictly: an object in which a key stands twice means two things, and is refused."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import msgspec


class KeyTwice(ValueError):
    """A key stands twice in one object."""


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text. Raises `ValueError`, and `RecursionError` at what is nested too deep."""
    read = msgspec.json.decode(text)
    json.loads(text, object_pairs_hook=_with_each_key_once)
    return read


def _with_each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise KeyTwice(f"the key {twice[:60]!r} is given twice")
    return found
