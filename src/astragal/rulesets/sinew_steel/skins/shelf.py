"""The skins that come with the project, and the template for a new one."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from .definition import Skin
from .loading import load_skin

DEFAULT = "plain"
"""The skin of a table that chose none."""


@cache
def builtin_skins() -> MappingProxyType[str, Skin]:
    """SS-72: every skin that ships with the project, by its id, the default first."""
    ids = sorted(shipped_texts(), key=lambda one: (one != DEFAULT, one))
    return MappingProxyType({one: _shipped(one) for one in ids})


def default_skin() -> Skin:
    """The skin of a table that chose none; the others need not be read for it."""
    return _shipped(DEFAULT)


@cache
def _shipped(one: str) -> Skin:
    file = files(__package__) / "shipped" / f"{one}.toml"
    return load_skin(file.read_text("utf-8"), file.name)


def shipped_texts() -> dict[str, str]:
    """The files as they are, by the id of their skin."""
    shelf = files(__package__) / "shipped"
    found = {file.name: file.read_text("utf-8") for file in shelf.iterdir() if file.name.endswith(".toml")}
    return {name.removesuffix(".toml"): text for name, text in found.items()}


def default_entries() -> dict[str, Any]:
    """What the default skin's file says, as plain values of one's own."""
    return tomllib.loads(shipped_texts()[DEFAULT])


def skin_template() -> str:
    """SS-70: a new skin, with a comment wherever one helps. It can be played as it stands."""
    return (files(__package__) / "template.toml").read_text("utf-8")
