"""What no single value of a skin can be held against: whether its parts agree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from astragal.rulesets.sinew_steel.accounts import STAMINA, Tone, why_illegal
from astragal.rulesets.sinew_steel.building_words import reason_words

from .definition import KEY, PluginKind
from .faults import Path, Wrong, printable, shown
from .signs import look

NAMED = (
    ("attributes", "key"),
    ("attributes", "label"),
    ("attributes", "attack"),
    ("attributes", "defence"),
    ("crises", "name"),
    ("weapons", "name"),
    ("armour", "name"),
    ("gear", "name"),
    ("plugins", "kind"),
    ("plugins", "name"),
    ("heroes", "name"),
)
"""Of each of these, no two in one list may look alike."""


def disagreements(raw: Mapping[str, Any]) -> list[Wrong]:
    """Said of a file that may be faulty otherwise too: what can't be judged is passed over."""
    keys = [key for _, key in _texts(raw, "attributes", "key")]
    return [
        *(twin for table, name in NAMED for twin in _twins(raw, table, name)),
        *_reserved(raw),
        *_strangers(raw, keys),
        *(wrong for path, hero in _tables(raw, "heroes") for wrong in _illegal(path, hero, keys)),
        *(wrong for path, plugin in _tables(raw, "plugins") for wrong in _crisis(path, plugin)),
    ]


def _tables(raw: Mapping[str, Any], name: str) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    entries = raw.get(name)
    for place, entry in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(entry, Mapping):
            yield (name, place), entry


def _texts(raw: Mapping[str, Any], table: str, name: str) -> Iterator[tuple[Path, str]]:
    for path, entry in _tables(raw, table):
        if isinstance(text := entry.get(name), str):
            yield (*path, name), text


def _twins(raw: Mapping[str, Any], table: str, name: str) -> Iterator[Wrong]:
    seen: dict[str, Path] = {}
    for path, text in _texts(raw, table, name):
        first = seen.setdefault(look(text), path)
        if first != path:
            wrong = f'{shown(path)} "{printable(text)}" looks like {shown(first)}'
            yield Wrong(path, wrong, "names that can be told apart")


def _reserved(raw: Mapping[str, Any]) -> Iterator[Wrong]:
    for path, key in _texts(raw, "attributes", "key"):
        if key == STAMINA:
            yield Wrong(path, f"{shown(path)} is {STAMINA}", "another key: this one is Stamina's in every skin")


def _strangers(raw: Mapping[str, Any], keys: list[str]) -> Iterator[Wrong]:
    for name in ("luck", "agility"):
        key = raw.get(name)
        if isinstance(key, str) and re.fullmatch(KEY, key) and keys and key not in keys:
            yield Wrong((name,), f'{name} is "{printable(key)}"', f"the key of an attribute: {_listed(keys)}")
    if (luck := raw.get("luck")) in keys and luck == raw.get("agility"):
        yield Wrong(("agility",), f'agility is "{luck}"', "another attribute than Luck")


def _illegal(path: Path, hero: Mapping[str, Any], keys: list[str]) -> Iterator[Wrong]:
    """SS-70: sample heroes are legal at the standard budget."""
    scores = hero.get("scores")
    if not isinstance(scores, Mapping) or len(set(keys)) != 5 or any(type(one) is not int for one in scores.values()):
        return
    legal = f"a hero who is legal with {int(Tone.STANDARD)} build points"
    for reason in why_illegal(scores, Tone.STANDARD, keys):
        yield Wrong((*path, "scores"), f"{shown((*path, 'scores'))}: {reason_words(reason, {}).rstrip('.')}", legal)


def _crisis(path: Path, plugin: Mapping[str, Any]) -> Iterator[Wrong]:
    """SS-67: of the plug-ins, stress alone has a track that can fill."""
    kind, has_crisis = plugin.get("kind"), "crisis" in plugin
    if kind not in get_args(PluginKind) or has_crisis == (kind == "stress"):
        return
    there = "is not wanted" if has_crisis else "is missing"
    wrong = f"{shown((*path, 'crisis'))} {there}"
    yield Wrong((*path, "crisis"), wrong, "a crisis for stress, and for no other kind", at_key=has_crisis)


def _listed(keys: list[str]) -> str:
    return ", ".join(printable(key, 8) for key in keys[:8])
