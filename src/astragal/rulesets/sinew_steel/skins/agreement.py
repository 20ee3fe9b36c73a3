"""SS-70, SS-71: whether the parts of a skin agree, which no single value can be held against."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from astragal.rulesets.sinew_steel.scores import STAMINA, Tone, build_points
from astragal.table.fields.definitions import shape_of
from astragal.table.fields.shapes import choices_in
from astragal.table.fields.signs import printable
from astragal.table.fields.validation import Path, Problem, shown

KEY = r"[A-Z][A-Z0-9]{1,4}"

PluginKind = Literal["feat", "ritual", "ally", "stress"]


def disagreements(raw: Mapping[str, Any]) -> list[Problem]:
    """Said of a file that may be faulty otherwise too: what can't be judged is passed over."""
    keys = [key for _, one in _tables(raw, "attributes") if isinstance(key := one.get("key"), str)]
    return [
        *_strangers(raw, keys),
        *(wrong for path, one in _tables(raw, "attributes") for wrong in _reserved(path, one)),
        *(wrong for path, hero in _tables(raw, "heroes") for wrong in _illegal(path, hero, keys)),
        *(wrong for path, plugin in _tables(raw, "plugins") for wrong in _crisis(path, plugin)),
    ]


def _tables(raw: Mapping[str, Any], name: str) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    entries = raw.get(name)
    for place, entry in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(entry, Mapping):
            yield (name, place), entry


def _strangers(raw: Mapping[str, Any], keys: list[str]) -> Iterator[Problem]:
    listed = ", ".join(printable(key, 8) for key in keys[:8])
    for name in ("luck", "agility"):
        key = raw.get(name)
        if isinstance(key, str) and re.fullmatch(KEY, key) and keys and key not in keys:
            yield Problem((name,), found=key, expected=f"the key of an attribute: {listed}")
    if (luck := raw.get("luck")) in keys and luck == raw.get("agility"):
        yield Problem(("agility",), found=luck, expected="another attribute than Luck")


def _reserved(path: Path, attribute: Mapping[str, Any]) -> Iterator[Problem]:
    if attribute.get("key") == STAMINA:
        expected = "another key: this one is Stamina's in every skin"
        yield Problem((*path, "key"), f"{shown((*path, 'key'))} is {STAMINA}", expected)


def _illegal(path: Path, hero: Mapping[str, Any], keys: list[str]) -> Iterator[Problem]:
    """SS-70, SS-71: sample heroes are legal at the standard budget."""
    way, scores = (*path, "scores"), hero.get("scores")
    if not isinstance(scores, Mapping) or len(set(keys)) != 5 or any(type(one) is not int for one in scores.values()):
        return
    legal = f"a hero who is legal with {int(Tone.STANDARD)} build points"
    for fault in build_points(keys, Tone.STANDARD).faults(scores):
        yield Problem(way, f"{shown(way)}: {fault.words}", legal)


def _crisis(path: Path, plugin: Mapping[str, Any]) -> Iterator[Problem]:
    """SS-67, SS-71: of the plug-ins, stress alone has a track that can fill."""
    way, has_crisis = (*path, "crisis"), "crisis" in plugin
    if plugin.get("kind") in choices_in(shape_of(PluginKind)) and has_crisis != (plugin["kind"] == "stress"):
        wrong = f"{shown(way)} is {'not wanted' if has_crisis else 'missing'}"
        yield Problem(way, wrong, "a crisis for stress, and for no other kind", at_key=has_crisis)
