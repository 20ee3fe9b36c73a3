"""Skins from a `manifest.yaml` that players of this game already have: labels, Luck's key and name, Pressure's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .agreement import disagreements
from .definition import Skin
from .faults import Fault, FaultySkin, Path, Wrong, printable
from .loading import unfit
from .reading import read
from .shelf import default_entries

if TYPE_CHECKING:
    from .yaml_trees import Tree

GENRE = "Imported: the names are its own, the colours are the plain skin's."

Entry = Mapping[str, Any]


def import_manifest(text: str, where: str = "manifest.yaml") -> list[Skin]:
    """SS-70, SS-71: the manifest's skins, or every fault of it. What it does not say, the default skin lends."""
    from .yaml_trees import read_tree  # YAML takes longer to load than all skins together, and is rarely needed

    where = printable(where, 200)
    if broken := unfit(text, where):
        raise FaultySkin(broken)
    tree = read_tree(text, where)
    found, skins = list(tree.faults), []
    for name, entry in _entries(tree, found).items():
        skin, wrongs = _imported(name, entry)
        found += [_placed(tree, ("skins", name), entry, one) for one in wrongs]
        skins.append(skin)
    if found:
        raise FaultySkin(sorted(found))
    return [skin for skin in skins if skin is not None]


def _entries(tree: Tree, found: list[Fault]) -> dict[str, Entry]:
    skins = tree.value.get("skins") if isinstance(tree.value, Mapping) else None
    if not isinstance(skins, Mapping) or not skins:
        found.append(tree.fault(("skins",), "there are no skins", "skins: and an entry for each"))
        return {}
    found += [
        tree.fault(("skins", name), f'the skin "{printable(name)}" is no table', "name, attributes, luck_key …")
        for name, entry in skins.items()
        if not isinstance(entry, Mapping)
    ]
    return {name: entry for name, entry in skins.items() if isinstance(entry, Mapping)}


def _imported(name: str, entry: Entry) -> tuple[Skin | None, list[Wrong]]:
    raw = _as_skin_file(name, entry, default_entries())
    skin, wrongs = read(Skin, raw)
    return skin, wrongs + disagreements(raw)


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
    if not isinstance(attributes, list):
        return otherwise
    return next((one["key"] for one in attributes if one.get("attack") == "fast"), otherwise)


def _placed(tree: Tree, path: Path, entry: Entry, one: Wrong) -> Fault:
    """A fault of the skin that was made, at the place of the manifest that it came from."""
    match one.path:
        case ("attributes", int(place), *_) if isinstance(entry.get("attributes"), Mapping):
            way: Path = ("attributes", list(entry["attributes"])[place])
        case ("pressure", "name"):
            way = ("pressure_track",)
        case ("luck",):
            way = ("luck_key",)
        case _:
            way = one.path
    return tree.fault((*path, *way), one.wrong, one.expected)
