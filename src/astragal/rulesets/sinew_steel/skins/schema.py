"""The JSON Schema of a skin file, for editors that help while one is written: generated from the definition."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import is_dataclass
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Le, MaxLen, MinLen

from astragal.rulesets.sinew_steel.accounts import STAMINA
from astragal.table.fields import Field, fields_of, unwrapped

from .definition import KEY, Skin, Spelled

NUMBERS: dict[type, str] = {Ge: "minimum", Le: "maximum"}
TEXTS: dict[type, str] = {MinLen: "minLength", MaxLen: "maxLength"}
LISTS: dict[type, str] = {MinLen: "minItems", MaxLen: "maxItems"}


def skin_schema() -> dict[str, Any]:
    """SS-70: what a skin file may hold."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A skin for Sinew & Steel",
        **_table(Skin),
    }


def written_schema() -> str:
    """As it is published with the package, in skin.schema.json."""
    return json.dumps(skin_schema(), indent=2, ensure_ascii=False) + "\n"


def _table(kind: type) -> dict[str, Any]:
    return {
        "type": "object",
        "description": (kind.__doc__ or "").strip(),
        "properties": {field.name: _field(field) for field in fields_of(kind)},
        "required": [field.name for field in fields_of(kind) if field.required],
        "additionalProperties": False,
    }


def _field(field: Field) -> dict[str, Any]:
    schema = _type(field.type, field)
    if field.doc:
        schema["description"] = field.doc
    if not field.required and field.default is not None:
        schema["default"] = list(field.default) if isinstance(field.default, tuple) else field.default
    return schema


def _type(hint: Any, field: Field) -> dict[str, Any]:
    origin, inner = get_origin(hint), [one for one in get_args(hint) if one is not NoneType]
    if origin is Literal:
        return {"enum": inner}
    if origin is tuple:
        return {"type": "array", "items": _inner(inner[0]), **_limits(field, LISTS)}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _scores()
    if NoneType in get_args(hint):
        return _inner(inner[0])
    if is_dataclass(hint):
        return _table(hint)  # type: ignore[arg-type]
    if hint is str:
        return {"type": "string", **_limits(field, TEXTS), **_pattern(field)}
    return {"type": {int: "integer", bool: "boolean"}[hint], **_limits(field, NUMBERS)}


def _inner(hint: Any) -> dict[str, Any]:
    bare, marks = unwrapped(hint)
    return _type(bare, Field("", bare, marks, required=True, default=None))


def _limits(field: Field, words: Mapping[type, str]) -> dict[str, int]:
    return {word: limit for kind, word in words.items() if (limit := field.limit(kind)) is not None}


def _pattern(field: Field) -> dict[str, str]:
    return next(({"pattern": f"^{mark.pattern}$"} for mark in field.marks if isinstance(mark, Spelled)), {})


def _scores() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {STAMINA: {"type": "integer"}},
        "patternProperties": {f"^{KEY}$": {"type": "integer"}},
        "required": [STAMINA],
        "additionalProperties": False,
    }
