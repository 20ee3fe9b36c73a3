"""Listing of a store's tables by name, without opening them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from astragal.table.log.decoders import decoder
from astragal.table.log.store import Corrupted, Log, Store
from astragal.values import frozen


@frozen
class Title:
    """Title of a table, from its first entry."""

    id: str
    name: str
    ruleset: str
    problem: str = ""
    """Why it can't be read; then its name is its id, and its game is not known."""


class _Opening(msgspec.Struct):
    name: str
    ruleset: str


class _First(msgspec.Struct):
    event: _Opening


_FIRST = decoder(_First)


def titles(store: Store) -> Iterator[Title]:
    """Every table of a store, oldest first."""
    return (title_of(store, table) for table in store.tables())


def title_of(store: Log, table: str) -> Title:
    """Title of a table. Raises `NoSuchTable`."""
    try:
        first = next(iter(store.read(table, 0, 1)))
        opening = _FIRST.decode(first.data).event
    except Corrupted as fault:
        return Title(table, table, "", fault.problem)
    except StopIteration:
        return Title(table, table, "", "it has no entries")
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        return Title(table, table, "", f"entry 1 is no opening of a table ({fault})")
    return Title(table, opening.name, opening.ruleset)
