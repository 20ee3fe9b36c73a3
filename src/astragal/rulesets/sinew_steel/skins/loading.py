"""The skin of a table that chose none: what it says of the game itself. Its file is one of ours, and in order."""

from __future__ import annotations

import tomllib
from functools import cache

from astragal.table.authoring.skins import shipped_skin
from astragal.table.fields.definitions import fields_of
from astragal.table.fields.validation import read

from .definition import Skin

GAME = "astragal.rulesets.sinew_steel"
DEFAULT = "plain"
"""The skin of a table that chose none."""


def default_parts() -> dict[str, object]:
    """The default skin's file, without its options and foes: those are for tables that wear it."""
    known = {one.name for one in fields_of(Skin)}
    return {name: part for name, part in tomllib.loads(shipped_skin(GAME, DEFAULT)).items() if name in known}


@cache
def default_skin() -> Skin:
    """SS-72: the plainest of the skins that come with the program."""
    return read(Skin, default_parts())
