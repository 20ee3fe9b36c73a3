"""What the tables of a store are called, without opening them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from astragal.values import frozen

from .decoders import decoder
from .store import Store


@frozen
class Title:
    """What a table's first entry says of it. Every table begins with its opening."""

    id: str
    name: str
    ruleset: str


class _Opening(msgspec.Struct):
    name: str
    ruleset: str


class _First(msgspec.Struct):
    event: _Opening


_FIRST = decoder(_First)


def titles(store: Store) -> Iterator[Title]:
    """Every table of a store, oldest first."""
    return (title_of(store, table) for table in store.tables())


def title_of(store: Store, table: str) -> Title:
    first = next(iter(store.read(table, 0, 1)))
    opening = _FIRST.decode(first.data).event
    return Title(table, opening.name, opening.ruleset)
