"""A command's fields as JSON schema, for every surface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Le, MaxLen, MinLen

from .fields import LONGEST_LIST, Field, fields_of, unwrapped
from .seen import plain

NOT_BLANK = r"\S"


def schema_of(kind: type) -> dict[str, Any]:
    """The JSON schema of a command."""
    return {
        "type": "object",
        "description": (kind.__doc__ or "").strip(),
        "properties": {field.name: field_schema(field) for field in fields_of(kind)},
        "required": [field.name for field in fields_of(kind) if field.required],
        "additionalProperties": False,
    }


def field_schema(field: Field) -> dict[str, Any]:
    schema = _type_schema(field.type)
    for kind, word in ((Ge, "minimum"), (Le, "maximum"), (MinLen, "minLength"), (MaxLen, "maxLength")):
        if (limit := field.limit(kind)) is not None:
            schema[word] = limit
    if schema.get("type") == "string" and field.limit(MinLen):
        schema["pattern"] = NOT_BLANK
    if field.doc:
        schema["description"] = field.doc
    if field.names:
        schema["x-names"] = field.names
    if not field.required:
        schema["default"] = plain(field.default)
    return schema


def _type_schema(hint: Any) -> dict[str, Any]:
    hint, marks = unwrapped(hint)
    if marks:
        return field_schema(Field("", hint, marks, required=True, default=None))
    if hint is Any:
        return {}
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return {"anyOf": [_type_schema(one) for one in inner]}
    if origin is tuple:
        return {"type": "array", "items": _type_schema(inner[0]), "maxItems": LONGEST_LIST}
    if origin is Literal:
        return {"enum": list(inner)}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _type_schema(inner[1])}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    if is_dataclass(hint):
        return schema_of(hint)  # type: ignore[arg-type]
    return {"type": {int: "integer", str: "string", bool: "boolean", NoneType: "null"}[hint]}
