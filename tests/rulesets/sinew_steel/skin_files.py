"""The template as a skin file to spoil, and what is then said of it."""

from __future__ import annotations

from astragal.rulesets.sinew_steel.skin_files import shipped_texts
from astragal.rulesets.sinew_steel.skins import Place, faults, skin_template

SHIPPED = sorted(shipped_texts())
TEMPLATE = skin_template()


def changed(old: str, new: str) -> str:
    """The template with one thing changed in it, the first time it stands there."""
    assert old in TEMPLATE
    return TEMPLATE.replace(old, new, 1)


def told(text: str) -> list[str]:
    return [str(fault) for fault in faults(text, "x.toml")]


def pointed_at(text: str, place: Place) -> str:
    """What stands at a place, to the end of its line."""
    return text.split("\n")[place.line - 1][place.column - 1 :]
