"""Lookup of things by the names that people type: clocks, seats, requests, decisions, and things of the game.

A field says which kind of things it names (`Names`), a chapter lists the things of a kind (`Chapter.names`). Surfaces
show the labels that `things_of` makes, which are unique, and `find` resolves a label or a part of it. All of this works
on a seat's view: a hidden thing has no label and is not found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from unicodedata import combining, normalize

from astragal.table.refusals import NoSuchThing

if TYPE_CHECKING:
    from astragal.table.state.table import State

__all__ = ["Named", "matching"]

ID = re.compile(r"([a-z]+-)?[0-9a-f]{16}\S*")
"""Pattern of the ids that a table makes."""
EITHER = " or "
"""Separator of kinds, for a field that names a thing of one of several: "seat or character"."""
LONGEST_LABEL = 60
LONGEST_SAID = 400
"""Longest text to search for; no label is longer."""
ALIKE = 0.75
"""Least similarity of a name for a suggestion."""
MOST_LISTED = 12
"""Most things that a refusal lists."""


class Named(NamedTuple):
    """A thing that a field can name."""

    id: str
    name: str
    who: str | None = None
    """The character or seat that it belongs to, to tell it from others of the same name."""


Things: TypeAlias = Callable[["State"], Iterable[Named]]
"""Lists the things of one kind at a table, or in a seat's view of it."""


def things_of(kinds: Mapping[str, Things], state: State, kind: str) -> dict[str, str] | None:
    """Return labels of the things of a kind, by id; None for an unknown kind."""
    known = [kinds[one] for one in kind.split(EITHER) if one in kinds]
    return labels([thing for things in known for thing in things(state)], state) if known else None


def labels(things: Iterable[Named], state: State) -> dict[str, str]:
    """Make a label for each thing: its name. Things of the same name get their owners or a number added."""
    found: dict[str, str] = {}
    twins: dict[str, list[Named]] = {}
    for one in {one.id: one for one in things}.values():
        if isinstance(one.name, str):  # it may be withheld
            line = " ".join(one.name.split())
            short = line if len(line) <= LONGEST_LABEL else line[: LONGEST_LABEL - 1].rstrip() + "…"
            found[one.id] = short or one.id
            twins.setdefault(found[one.id].casefold(), []).append(one)
    for alike in twins.values():
        if len(alike) > 1:
            owners = [_whose(one, state) for one in alike]
            marks = owners if all(owners) and len(set(owners)) == len(owners) else range(1, len(alike) + 1)
            found |= {one.id: f"{found[one.id]} ({mark})" for one, mark in zip(alike, marks, strict=True)}
    return found


def _whose(thing: Named, state: State) -> str:
    who = thing.who if isinstance(thing.who, str) else ""
    found = state.cast.get(who) or state.seats.get(who)
    return found.name if found and isinstance(found.name, str) else ""


# ---------------------------------------------------------------- search


def matching(things: Mapping[str, str], said: str, *, partly: bool = True) -> list[str]:
    """Return the ids that this can mean, those of the closest kind of match only.

    It matches an id or a label; else, `partly`, the beginning of a label; else the beginning of a word in it.
    """
    if said in things:
        return [said]
    if len(said) > LONGEST_SAID:
        return []
    wanted = _bare(said)
    spelled = {key: _bare(label) for key, label in things.items()}
    name = said.strip().casefold()
    exactly = [key for key, label in things.items() if name in (key.casefold(), label.casefold())]
    begun = [key for key, label in spelled.items() if wanted and label.startswith(wanted)]
    exactly = exactly or [key for key in begun if spelled[key] == wanted]
    if exactly or not partly:
        return exactly
    return begun or [key for key, label in spelled.items() if wanted and f" {wanted}" in label]


def in_whole_words(label: str, said: str) -> bool:
    """Return whether a label contains the words of `said`, in that order and none of them cut short."""
    wanted = _bare(said)
    return bool(wanted) and f" {wanted} " in f" {_bare(label)} "


def find(things: Mapping[str, str], said: str, kind: str, first: Collection[str] = ()) -> str:
    """Return the id of the one thing that is meant, preferring those in `first`, or refuse with a list."""
    found = matching(things, said)
    found = [key for key in found if key in first] or found
    if len(found) == 1:
        return found[0]
    names = [things[key] for key in found or things]
    listed = ", ".join(names[:MOST_LISTED]) + (" …" if len(names) > MOST_LISTED else "")
    near = (
        []
        if found or len(names) < 2
        else get_close_matches(said[:LONGEST_LABEL].casefold(), [one.casefold() for one in names], 1, ALIKE)
    )
    meant = f" Did you mean {next(one for one in names if one.casefold() == near[0])}?" if near else ""
    how_many = "more than one" if found else "no"
    what = kind.replace("_", " ")
    wanted = f"no such {what}" if ID.fullmatch(said) else f"{how_many} {what} {said[:40]!r}"
    raise NoSuchThing(f"There is {wanted} here: {listed or 'none'}.{meant}")


def beginning(names: Iterable[str], said: str) -> list[str]:
    """Return the name itself if it is one of them, or else all names that begin with it."""
    begun = [name for name in names if said and name.startswith(said)]
    return [said] if said in begun else begun


def _bare(text: str) -> str:
    """Strip case and accents, and turn runs of anything but letters and digits into single spaces."""
    letters = "".join(one for one in normalize("NFKD", text.casefold()) if not combining(one))
    return re.sub(r"[\W_]+", " ", letters).strip()


def normalised(name: str) -> str:
    """Normalise a name for comparison: lower case, words separated by single spaces."""
    return re.sub(r"[\s_-]+", " ", name.strip()).casefold()
