"""Skins of a game as files of a package: `shipped/*.toml` and `template.toml`.

A game says what a skin is (a value), how one is loaded (`settings.read_toml`), told and worn; the rest is here:

    SHELF = skin_shelf(f"{__package__}.skins", load=load_skin, describe=describe, wear=wear)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from astragal.table.authoring.hero_book import SkinShelf, Worn

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

T = TypeVar("T")

ENDING = ".toml"


def skin_shelf(
    package: str,
    *,
    load: Callable[[str, str], T],
    describe: Callable[[T], Sequence[str]],
    wear: Callable[[T], Worn],
    imported: Callable[[str, str], Mapping[str, str]] | None = None,
) -> SkinShelf:
    """Skins for surfaces that open tables. `load` gets a file's text and name, when a skin is asked for."""

    def faults(text: str, where: str) -> list[str]:
        from astragal.table.settings import FaultyFile  # what reads files is loaded with the first of them

        try:
            load(text, where)
        except FaultyFile as refused:
            return [str(fault) for fault in refused.faults]
        return []

    return SkinShelf(
        shipped=lambda: shipped_skins(package),
        template=lambda: (_folder(package) / f"template{ENDING}").read_text("utf-8"),
        faults=faults,
        describe=lambda text: describe(load(text, f"skin{ENDING}")),
        wear=lambda text: wear(load(text, f"skin{ENDING}")),
        imported=imported,
    )


def shipped_skins(package: str) -> dict[str, str]:
    """The files as they are, by the id of their skin."""
    shipped = (file for file in (_folder(package) / "shipped").iterdir() if file.name.endswith(ENDING))
    return {file.name.removesuffix(ENDING): file.read_text("utf-8") for file in shipped}


def shipped_skin(package: str, one: str) -> str:
    return (_folder(package) / "shipped" / f"{one}{ENDING}").read_text("utf-8")


def _folder(package: str) -> Traversable:
    """Folder of a package's skins; importlib.resources is loaded only when one is wanted."""
    from importlib.resources import files

    return files(package)
