"""Entries of the log as a fact seals them, and the proof of those parts that a seat may see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from astragal.fair import facts
from astragal.fair.facts import SALT_BYTES
from astragal.table.fields.definitions import fields_of
from astragal.table.log.store import Entry
from astragal.table.state.table import Die

EVENT = "event"


def parts_of(entry: Entry) -> dict[str, Any]:
    """Name, time and deed of an entry, who did it, how it is shown, and each field of its event by its path."""
    envelope = msgspec.json.decode(entry.data)
    parts = {"entry": [entry.name, entry.version, entry.at, envelope["act"]]}
    parts |= {name: value for name, value in envelope.items() if name not in ("act", EVENT)}
    return parts | flat(envelope[EVENT])


def flat(value: Any, path: str = EVENT) -> dict[str, Any]:
    """Values by path: `event.scene.options.0.title`. A list of plain values is one value, and so are dice."""
    inside = parts_within(value)
    if inside is None:
        return {path: value}
    return {deep: part for name, one in inside for deep, part in flat(one, f"{path}.{name}").items()}


def parts_within(value: Any) -> list[tuple[Any, Any]] | None:
    """The parts of a value that are sealed one by one, each with its name or place; None if it is sealed as it is."""
    if isinstance(value, dict) and value:
        return list(value.items())
    if isinstance(value, list) and value and all(isinstance(one, dict) and one.keys() != _DIE for one in value):
        return list(enumerate(value))
    return None


_DIE = {field.name for field in fields_of(Die)}


class FactKey(bytes):
    """Kept beside a fact until it is shown: the salt of its seal, and the key of its leaves."""

    @classmethod
    def new(cls, entropy: Callable[[int], bytes]) -> FactKey:
        return cls(entropy(SALT_BYTES + facts.KEY_BYTES))

    @property
    def salt(self) -> bytes:
        return self[:SALT_BYTES]

    @property
    def leaves(self) -> bytes:
        return self[SALT_BYTES:]
