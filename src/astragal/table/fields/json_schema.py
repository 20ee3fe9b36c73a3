"""JSON schemas of commands and their fields, for every surface."""

from typing import Any

from astragal.table.fields import shapes
from astragal.table.fields.definitions import LONGEST_LIST, Field, fields_of
from astragal.table.visibility.redact import plain

NOT_BLANK = r"\S"


def schema_of(kind: type) -> dict[str, Any]:
    """Return the JSON schema of a command."""
    return {
        "type": "object",
        "description": (kind.__doc__ or "").strip(),
        "properties": {field.name: field_schema(field) for field in fields_of(kind)},
        "required": [field.name for field in fields_of(kind) if field.required],
        "additionalProperties": False,
    }


def field_schema(field: Field) -> dict[str, Any]:
    """Return the JSON schema of a field, with its documentation and default."""
    schema = shape_schema(field.shape)
    if field.doc:
        schema["description"] = field.doc
    if field.names:
        schema["x-names"] = field.names
    if not field.required:
        schema["default"] = plain(field.default)
    return schema


def shape_schema(shape: shapes.Shape) -> dict[str, Any]:
    """Return the JSON schema of a shape."""
    match shape:
        case shapes.AnyShape():
            return {}
        case shapes.NothingShape():
            return {"type": "null"}
        case shapes.FlagShape():
            return {"type": "boolean"}
        case shapes.NumberShape(least=least, most=most):
            return {"type": "integer"} | _limits(minimum=least, maximum=most)
        case shapes.TextShape(least=least, most=most, spelled=spelled):
            limits = _limits(minLength=least or None, maxLength=most, pattern=_pattern(spelled, least))
            return {"type": "string"} | limits
        case shapes.ChoiceShape(values=values):
            return {"enum": list(values)}
        case shapes.ListShape(item=item, least=least, most=most):
            limits = _limits(minItems=least or None, maxItems=LONGEST_LIST if most is None else most)
            return {"type": "array", "items": shape_schema(item)} | limits
        case shapes.MappingShape(item=item, key=key):
            schema = {"type": "object", "additionalProperties": shape_schema(item)}
            if key != shapes.TextShape():
                schema["propertyNames"] = shape_schema(key)
            return schema
        case shapes.EitherShape(shapes=alternatives, optional=optional):
            schemas = [shape_schema(alternative) for alternative in alternatives]
            if optional:
                schemas.append({"type": "null"})
            return {"anyOf": schemas}
        case shapes.RecordShape(kind=kind):
            return schema_of(kind)


def _pattern(spelled: shapes.Spelled | None, least: int) -> str | None:
    if spelled is not None:
        return f"^{spelled.pattern}$"
    return NOT_BLANK if least else None


def _limits(**limits: int | str | None) -> dict[str, Any]:
    return {word: limit for word, limit in limits.items() if limit is not None}
