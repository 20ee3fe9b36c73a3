"""A skin from the text of a file, the skins that come with the project, and the schema for those who write one."""

from __future__ import annotations

import json
from functools import cache
from types import MappingProxyType

from astragal.rulesets.sinew_steel.scores import STAMINA
from astragal.table.authoring.skins import shipped_skin, shipped_skins
from astragal.table.fields.json_schema import schema_of
from astragal.table.settings import read_toml

from .agreement import disagreements
from .definition import Skin

DEFAULT = "plain"
"""The skin of a table that chose none."""


def load_skin(text: str, where: str = "skin.toml") -> Skin:
    """SS-71: the skin, or a refusal with every fault, and nothing loaded."""
    return read_toml(text, where).read(Skin, disagreements)


@cache
def builtin_skins() -> MappingProxyType[str, Skin]:
    """SS-72: every skin that ships with the project, by its id, the default first."""
    ids = sorted(shipped_skins(__package__), key=lambda one: (one != DEFAULT, one))
    return MappingProxyType({one: _shipped(one) for one in ids})


def default_skin() -> Skin:
    """The skin of a table that chose none; the others need not be read for it."""
    return _shipped(DEFAULT)


@cache
def _shipped(one: str) -> Skin:
    return load_skin(shipped_skin(__package__, one), f"{one}.toml")


def written_schema() -> str:
    """SS-70: what a skin file may hold, as it is published in skin.schema.json for editors that help."""
    schema = schema_of(Skin)
    schema["properties"]["heroes"]["items"]["properties"]["scores"]["required"] = [STAMINA]
    named = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A skin for Sinew & Steel"}
    return json.dumps(named | schema, indent=2, ensure_ascii=False) + "\n"
