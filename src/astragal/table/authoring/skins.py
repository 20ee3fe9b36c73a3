"""Skins of a game as files of its package: `skins/shipped/*.toml`, `skins/template.toml`, `skins/skin.schema.json`.

GAME = Ruleset(…, skins=skin_shelf(__package__, lambda: GAME))

The fields of a skin are derived from the game (`skin_files`). A game whose skins have more passes its own `kind`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from astragal.table.authoring.package_files import folder_of
from astragal.table.authoring.ruleset import SkinShelf

if TYPE_CHECKING:
    from astragal.table.authoring.ruleset import Ruleset
    from astragal.table.authoring.skin_files import Skin, SkinFiles

__all__ = ["skin_shelf"]

ENDING = ".toml"


def skin_shelf(
    package: str,
    game: Callable[[], Ruleset],
    *,
    kind: Callable[[], type[Skin]] | None = None,
    imported: Callable[[str, str], Mapping[str, str]] | None = None,
    first: str = "first_evening",
) -> SkinShelf:
    """Make the shelf of a game's skins. The parser is imported when the first skin is read.

    `first` is the file whose adventure a table without a setting begins with.
    """

    @cache
    def files() -> SkinFiles:
        """Make the parser once: deriving the fields of a skin from the game takes longer than reading a file."""
        from astragal.table.authoring.skin_files import SkinFiles

        return SkinFiles(game()) if kind is None else SkinFiles(game(), kind())

    def faults(text: str, where: str) -> list[str]:
        from astragal.table.settings import FaultyFile

        try:
            files().check(text, where)
        except FaultyFile as refused:
            return [str(fault) for fault in refused.faults]
        return []

    return SkinShelf(
        shipped=lambda: shipped_skins(package),
        template=lambda: (folder_of(package) / "skins" / f"template{ENDING}").read_text("utf-8"),
        faults=faults,
        describe=lambda text: files().describe(files().load(text)),
        wear=lambda text: files().wear(files().load(text)),
        schema=lambda: files().schema(),
        imported=imported,
        first=lambda: (folder_of(package) / "skins" / f"{first}{ENDING}").read_text("utf-8"),
    )


def shipped_skins(package: str) -> dict[str, str]:
    """Read the texts of the shipped files, by the id of their skin."""
    folder = folder_of(package) / "skins" / "shipped"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(ENDING))
    return {name.removesuffix(ENDING): (folder / name).read_text("utf-8") for name in names}


def shipped_skin(package: str, skin: str) -> str:
    return (folder_of(package) / "skins" / "shipped" / f"{skin}{ENDING}").read_text("utf-8")
