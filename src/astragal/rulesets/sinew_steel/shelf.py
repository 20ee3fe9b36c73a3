"""Skins on the shelf: what surfaces open tables with. SS-70. What reads a skin is loaded with the first of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .skins import Skin


def kind_of_skin() -> type[Skin]:
    from .skins import Skin

    return Skin


def imported_skins(text: str, where: str) -> dict[str, str]:
    from .skins import skin_files_of

    return skin_files_of(text, where)
