"""Skins from a `manifest.yaml` that players of this game already have: labels, Luck's key and name, Pressure's name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain, count
from typing import Any

from astragal.table.fields.signs import printable
from astragal.table.fields.validation import Path, Problem, examine
from astragal.table.settings import worded, written_toml
from astragal.table.visibility.redact import plain

from .agreement import disagreements
from .definition import Skin
from .loading import default_parts

GENRE = "Imported: the names are its own, the colours are the plain skin's."

Entry = Mapping[str, Any]


def import_manifest(text: str, where: str = "manifest.yaml") -> list[Skin]:
    """SS-70, SS-71: the manifest's skins, or every fault of it. What it does not say, the default skin lends."""
    from astragal.table.settings.yaml_files import read_yaml  # takes longer to load than all skins together

    document, default = read_yaml(text, where), default_parts()
    skins: list[Skin] = []
    problems: list[Problem] = []
    for name, entry in _entries(document.value):
        if not isinstance(entry, Mapping):
            wrong = f'the skin "{printable(name)}" is no table'
            problems.append(Problem(("skins", name), wrong, "name, attributes, luck_key …"))
            continue
        raw = _as_skin_file(name, entry, default)
        skin, found = examine(Skin, raw)
        problems += [_in_manifest(name, entry, worded(one)) for one in (*found, *disagreements(raw))]
        skins += [skin] if skin else []
    if not problems and not skins:
        problems.append(Problem(("skins",), "there are no skins", "skins: and an entry for each"))
    if problems or document.faults:
        raise document.refused(problems)
    return skins


def skin_files_of(text: str, where: str) -> dict[str, str]:
    """SS-70: the manifest's skins as the files that they would be, by an id that is made of the name."""
    files: dict[str, str] = {}
    for skin in import_manifest(text, where):
        plainly = "_".join(re.findall(r"[a-z0-9]+", skin.name.casefold())) or "skin"
        ids = chain([plainly], (f"{plainly}_{number}" for number in count(2)))
        files[next(one for one in ids if one not in files)] = written_toml(plain(skin))
    return files


def _entries(manifest: Any) -> list[tuple[str, Any]]:
    skins = manifest.get("skins") if isinstance(manifest, Mapping) else None
    return [(name, _words(entry)) for name, entry in skins.items()] if isinstance(skins, Mapping) else []


def _words(value: Any) -> Any:
    """A manifest has nothing but words: somebody's skin is called 1984."""
    if isinstance(value, Mapping):
        return {name: _words(one) for name, one in value.items()}
    return str(value) if type(value) is int else value


def _as_skin_file(name: str, entry: Entry, default: dict[str, Any]) -> dict[str, Any]:
    """The entry as a skin file would have it. It has the names of the five, and says which is Luck."""
    own = entry.get("attributes")
    luck = entry.get("luck_key", default["luck"])
    attributes = _attributes(own, luck, default) if isinstance(own, Mapping) else own or default["attributes"]
    return {
        **default,
        "name": entry.get("name", name.replace("_", " ").title()),
        "genre": GENRE,
        "luck": luck,
        "agility": _agile(attributes, default["agility"]),
        "luck_name": entry.get("luck_name", default["luck_name"]),
        "attributes": attributes,
        "pressure": {**default["pressure"], "name": entry.get("pressure_track", default["pressure"]["name"])},
        "heroes": [],
        "plugins": [],
        "adventure": None,
    }


def _attributes(own: Mapping[str, Any], luck: Any, default: dict[str, Any]) -> list[dict[str, Any]]:
    """What an attribute covers is lent by the default's in the same place: Luck by Luck, the others in their order."""
    lent = {one["key"]: one for one in default["attributes"]}
    chance = lent.pop(default["luck"])
    others = iter(lent.values())
    return [
        {**(chance if key == luck else next(others, chance)), "key": key, "label": label} for key, label in own.items()
    ]


def _agile(attributes: Any, otherwise: str) -> Any:
    """The manifest does not say which is agility: it is the one in the place of the default's."""
    tables = [one for one in attributes if isinstance(one, Mapping)] if isinstance(attributes, list) else []
    return next((one.get("key", otherwise) for one in tables if one.get("attack") == "fast"), otherwise)


def _in_manifest(name: str, entry: Entry, problem: Problem) -> Problem:
    """A problem of the skin that was made, at the value of the manifest that it came from."""
    match problem.path:
        case ("attributes", int(place), *_) if isinstance(entry.get("attributes"), Mapping):
            way: Path = ("attributes", list(entry["attributes"])[place])
        case ("pressure", "name"):
            way = ("pressure_track",)
        case ("luck",):
            way = ("luck_key",)
        case _:
            way = problem.path
    return problem._replace(path=("skins", name, *way), at_key=False)
