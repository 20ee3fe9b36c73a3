"""Skins on the shelf: what surfaces open tables with. SS-70. What reads a skin is loaded with the first of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from astragal.table.creation import SkinShelf, Worn

from .skin_files import shipped_texts, skin_template

if TYPE_CHECKING:
    from .skins import Skin


def _faults(text: str, where: str) -> list[str]:
    from .skins import faults

    return [str(fault) for fault in faults(text, where)]


def _describe(text: str) -> list[str]:
    from .skins import load_skin

    skin = load_skin(text)
    attributes = ", ".join(f"{one.key} {one.label}" for one in skin.attributes)
    return [
        f"{skin.name}: {skin.genre}",
        f"Attributes: {attributes}",
        f"{skin.luck} is Luck ({skin.luck_name}), {skin.agility} is agility",
        f"Pressure is called {skin.pressure.name}",
        *_plugin_lines(skin),
        f"Heroes: {', '.join(hero.name for hero in skin.heroes) or 'none'}",
    ]


def _plugin_lines(skin: Skin) -> list[str]:
    return [f"Plays with {plugin.name} ({plugin.kind})" for plugin in skin.plugins]


def _wear(text: str) -> Worn:
    from .opening import opening
    from .skins import load_skin

    worn = opening(load_skin(text))
    return Worn(worn.options, worn.terms)


SHELF = SkinShelf(shipped=shipped_texts, template=skin_template, faults=_faults, describe=_describe, wear=_wear)
