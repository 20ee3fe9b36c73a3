"""Lookup of the things at a table that a field can name: clocks, seats, what a game keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.table.state.table import State


def things_of(state: State, kind: str) -> dict[str, str] | None:
    """Things of a kind by id, with their names; None for an unknown kind.

    What the table keeps is the table's alone; what a game keeps can also lie on sheets.
    """
    sheets = (one.sheet for one in state.characters.values())
    for places in ((state,), (state.safety,), (state.game, *sheets)):
        kept = [things for place in places if (things := _kept(place, kind)) is not None]
        if kept:
            return {key: words for things in kept for key, words in things.items()}
    return None


def _kept(place: Any, kind: str) -> dict[str, str] | None:
    things: Any = getattr(place, _several(kind), None)
    if isinstance(things, Mapping):
        return {str(key): _name(key, thing) for key, thing in things.items()}
    if isinstance(things, tuple):
        ids = [getattr(thing, "id", None) for thing in things]
        return {str(key): _name(key, thing) for key, thing in zip(ids, things, strict=True) if key is not None}
    return None


def _several(kind: str) -> str:
    """As people say it of several: clocks, boundaries, approaches."""
    if kind.endswith("y"):
        return f"{kind[:-1]}ies"
    return f"{kind}es" if kind.endswith(("s", "ch")) else f"{kind}s"


def _name(key: Any, thing: Any) -> str:
    if isinstance(thing, str):
        return thing
    parts = (getattr(thing, part, None) for part in ("name", "title", "label", "what_for", "words"))
    shown = next((part for part in parts if part), None)
    return str(shown or key)
