"""Skins on the shelf: what surfaces open tables with. SS-70. What reads a skin is loaded with the first of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from astragal.table.authoring.hero_book import Worn
from astragal.table.authoring.skins import skin_shelf

if TYPE_CHECKING:
    from .skins import Skin


def _load(text: str, where: str) -> Skin:
    from .skins import load_skin

    return load_skin(text, where)


def _describe(skin: Skin) -> list[str]:
    return [
        f"{skin.name}: {skin.genre}",
        f"Attributes: {', '.join(f'{one.key} {one.label}' for one in skin.attributes)}",
        f"{skin.luck} is Luck ({skin.luck_name}), {skin.agility} is agility",
        f"Pressure is called {skin.pressure.name}",
        *(f"Plays with {plugin.name} ({plugin.kind})" for plugin in skin.plugins),
        f"Heroes: {', '.join(hero.name for hero in skin.heroes) or 'none'}",
    ]


def _wear(skin: Skin) -> Worn:
    from .opening import opening

    worn = opening(skin)
    return Worn(worn.options, worn.terms)


def _imported(text: str, where: str) -> dict[str, str]:
    from .skins import skin_files_of

    return skin_files_of(text, where)


SHELF = skin_shelf(f"{__package__}.skins", load=_load, describe=_describe, wear=_wear, imported=_imported)
