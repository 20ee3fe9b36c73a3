"""Shipped skins, the template as a skin file to spoil, and what is then said of it."""

from __future__ import annotations

from functools import cache
from typing import Any

from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.sinew_steel.skin import Skin
from astragal.table.authoring.ruleset import AppliedSkin, SkinShelf
from astragal.table.authoring.skin_files import SkinFiles
from astragal.table.settings import Fault, FaultyFile, Place

assert SINEW_STEEL.skins is not None
SHELF: SkinShelf = SINEW_STEEL.skins
FILES = SkinFiles(SINEW_STEEL, Skin)
SHIPPED = sorted(SHELF.shipped())
TEMPLATE = SHELF.template()


def load_skin(text: str, where: str = "skin.toml") -> Any:
    return FILES.load(text, where)


@cache
def shipped_skins() -> dict[str, Any]:
    """Every skin that ships with the game, by its id."""
    return {name: FILES.load(text, f"{name}.toml") for name, text in SHELF.shipped().items()}


def wear(skin: str, **options: object) -> dict[str, Any]:
    """How a table with a shipped skin is opened, with further options."""
    worn = SHELF.wear(SHELF.shipped()[skin])
    return {"skin": skin, **AppliedSkin({**worn.options, **options}, worn.terms, worn.setting).given}


def changed(old: str, new: str) -> str:
    """The template with one thing changed in it, the first time it stands there."""
    assert old in TEMPLATE
    return TEMPLATE.replace(old, new, 1)


def faults(text: str, where: str = "skin.toml") -> list[Fault]:
    """Everything that is wrong with the file; nothing for one that can be played."""
    try:
        FILES.check(text, where)
    except FaultyFile as refused:
        return list(refused.faults)
    return []


def told(text: str) -> list[str]:
    return [str(fault) for fault in faults(text, "x.toml")]


def pointed_at(text: str, place: Place) -> str:
    """What stands at a place, to the end of its line."""
    return text.split("\n")[place.line - 1][place.column - 1 :]
