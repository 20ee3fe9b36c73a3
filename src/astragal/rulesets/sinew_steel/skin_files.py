"""The files of the skins that come with the project, and the template for a new one, as texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

ENDING = ".toml"


def shipped_texts() -> dict[str, str]:
    """The files as they are, by the id of their skin."""
    shipped = (file for file in (_folder() / "shipped").iterdir() if file.name.endswith(ENDING))
    return {file.name.removesuffix(ENDING): file.read_text("utf-8") for file in shipped}


def shipped_text(one: str) -> str:
    return (_folder() / "shipped" / f"{one}{ENDING}").read_text("utf-8")


def skin_template() -> str:
    """SS-70: a new skin, with a comment wherever one helps. It can be played as it stands."""
    return (_folder() / f"template{ENDING}").read_text("utf-8")


def _folder() -> Traversable:
    """What finds a package's files is loaded by those who want one."""
    from importlib.resources import files

    return files(__package__) / "skins"
