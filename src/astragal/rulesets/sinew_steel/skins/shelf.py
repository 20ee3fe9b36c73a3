"""The skins that come with the project."""

from __future__ import annotations

import tomllib
from functools import cache
from types import MappingProxyType
from typing import Any

from astragal.rulesets.sinew_steel.skin_files import ENDING, shipped_text, shipped_texts

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
    return load_skin(shipped_text(one), f"{one}{ENDING}")


def default_entries() -> dict[str, Any]:
    """What the default skin's file says, as plain values of one's own."""
    return tomllib.loads(shipped_text(DEFAULT))
