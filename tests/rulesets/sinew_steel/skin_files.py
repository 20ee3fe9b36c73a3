"""The template as a skin file to spoil, and what is then said of it."""

from __future__ import annotations

from astragal.rulesets.sinew_steel.shelf import SHELF
from astragal.rulesets.sinew_steel.skins import load_skin
from astragal.table.settings import Fault, FaultyFile, Place

SHIPPED = sorted(SHELF.shipped())
TEMPLATE = SHELF.template()


def changed(old: str, new: str) -> str:
    """The template with one thing changed in it, the first time it stands there."""
    assert old in TEMPLATE
    return TEMPLATE.replace(old, new, 1)


def faults(text: str, where: str = "skin.toml") -> list[Fault]:
    """Everything that is wrong with the file; nothing for one that can be played."""
    try:
        load_skin(text, where)
    except FaultyFile as refused:
        return list(refused.faults)
    return []


def told(text: str) -> list[str]:
    return [str(fault) for fault in faults(text, "x.toml")]


def pointed_at(text: str, place: Place) -> str:
    """What stands at a place, to the end of its line."""
    return text.split("\n")[place.line - 1][place.column - 1 :]
