"""Lookup of things by the names that people type: clocks, seats, requests, decisions, and things of the game.

A field says which kind of things it names (`Names`), a chapter lists the things of a kind (`Chapter.names`). Surfaces
show the labels that `things_of` makes, which are unique, and `find` resolves a label or a part of it. All of this works
on a seat's view: a hidden thing has no label and is not found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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
    lookups = [kinds[part] for part in kind.split(EITHER) if part in kinds]
    if not lookups:
        return None
    things: list[Named] = []
    for look_up in lookups:
        things += look_up(state)
    return labels(things, state)


def labels(things: Iterable[Named], state: State) -> dict[str, str]:
    """Make a label for each thing: its name. Things of the same name get their owners or a number added."""
    label_by_id: dict[str, str] = {}
    things_by_label: dict[str, list[Named]] = {}
    for thing in {thing.id: thing for thing in things}.values():
        if isinstance(thing.name, str):  # it may be withheld
            label = _shortened(thing.name) or thing.id
            label_by_id[thing.id] = label
            things_by_label.setdefault(label.casefold(), []).append(thing)
    for namesakes in things_by_label.values():
        if len(namesakes) > 1:
            for thing, distinction in zip(namesakes, _distinctions(namesakes, state), strict=True):
                label_by_id[thing.id] += f" ({distinction})"
    return label_by_id


def _shortened(name: str) -> str:
    line = " ".join(name.split())
    if len(line) <= LONGEST_LABEL:
        return line
    return line[: LONGEST_LABEL - 1].rstrip() + "…"


def _distinctions(namesakes: Sequence[Named], state: State) -> Sequence[str | int]:
    """Return what tells things of one name apart: their owners, if each has another one, or else numbers."""
    owners = [_owner_of(thing, state) for thing in namesakes]
    if all(owners) and len(set(owners)) == len(owners):
        return owners
    return range(1, len(namesakes) + 1)


def _owner_of(thing: Named, state: State) -> str:
    who = thing.who if isinstance(thing.who, str) else ""
    owner = state.cast.get(who) or state.seats.get(who)
    return owner.name if owner and isinstance(owner.name, str) else ""


# ---------------------------------------------------------------- search


def matching(things: Mapping[str, str], words: str, *, partly: bool = True) -> list[str]:
    """Return the ids that these words can mean, those of the closest kind of match only.

    They match an id or a label; else, `partly`, the beginning of a label; else the beginning of a word in it.
    """
    if words in things:
        return [words]
    if len(words) > LONGEST_SAID:
        return []
    name = words.strip().casefold()
    spelled_alike = [key for key, label in things.items() if name in (key.casefold(), label.casefold())]
    if spelled_alike:
        return spelled_alike

    letters = _letters(words)
    if not letters:
        return []
    letters_by_id = {key: _letters(label) for key, label in things.items()}
    beginning_so = [key for key, label in letters_by_id.items() if label.startswith(letters)]
    of_same_letters = [key for key in beginning_so if letters_by_id[key] == letters]
    if of_same_letters or not partly:
        return of_same_letters
    if beginning_so:
        return beginning_so
    return [key for key, label in letters_by_id.items() if f" {letters}" in label]


def in_whole_words(label: str, words: str) -> bool:
    """Return whether a label contains these words, in that order and none of them cut short."""
    letters = _letters(words)
    return bool(letters) and f" {letters} " in f" {_letters(label)} "


def find(things: Mapping[str, str], words: str, kind: str, first: Collection[str] = ()) -> str:
    """Return the id of the one thing that is meant, preferring those in `first`, or refuse with a list."""
    matches = matching(things, words)
    preferred = [key for key in matches if key in first]
    if len(preferred) == 1:
        return preferred[0]
    if len(matches) == 1:
        return matches[0]
    names = [things[key] for key in preferred or matches or things]
    listed = ", ".join(names[:MOST_LISTED]) or "none"
    if len(names) > MOST_LISTED:
        listed += " …"
    noun = kind.replace("_", " ")
    if ID.fullmatch(words):
        fault = f"no such {noun}"
    elif matches:
        fault = f"more than one {noun} {words[:40]!r}"
    else:
        fault = f"no {noun} {words[:40]!r}"
    suggestion = "" if matches else _closest(names, words)
    raise NoSuchThing(f"There is {fault} here: {listed}.{suggestion}")


def _closest(names: Sequence[str], words: str) -> str:
    """Suggest the name with the closest spelling; empty if none is close, or if there is only one."""
    if len(names) < 2:
        return ""
    name_by_key = {name.casefold(): name for name in reversed(names)}  # of two alike, the first
    close = get_close_matches(words[:LONGEST_LABEL].casefold(), list(map(str.casefold, names)), 1, ALIKE)
    return f" Did you mean {name_by_key[close[0]]}?" if close else ""


def beginning(names: Iterable[str], start: str) -> list[str]:
    """Return the name itself if it is one of them, or else all names that begin with it."""
    if not start:
        return []
    matches = [name for name in names if name.startswith(start)]
    return [start] if start in matches else matches


def _letters(text: str) -> str:
    """Strip case and accents, and turn runs of anything but letters and digits into single spaces."""
    without_accents = "".join(sign for sign in normalize("NFKD", text.casefold()) if not combining(sign))
    return re.sub(r"[\W_]+", " ", without_accents).strip()


def normalised(name: str) -> str:
    """Normalise a name for comparison: lower case, words separated by single spaces."""
    return re.sub(r"[\s_-]+", " ", name.strip()).casefold()
