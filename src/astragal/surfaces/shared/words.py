"""Commands, fields and values in words, from their own definitions."""

import json
import re
from collections.abc import Mapping
from typing import Any

from annotated_types import Ge, Le

from astragal.table.fields import shapes
from astragal.table.fields.definitions import Field, fields_of

CLAUSES = re.compile(r"^(?:[A-Z]{2}[-+]\d+(?: to [A-Z]{2}[-+]\d+)?(?:, | and )?)+: ")


def first_sentence(kind: Any) -> str:
    """Return the first line of a command's or rule's docstring, shortened or extended to whole sentences."""
    line = (kind.__doc__ or "").strip().partition("\n")[0]
    whole = first_paragraph(kind)
    if line.endswith(".") or len(whole) == len(line):
        return line
    sentence, full_stop, _ = line.rpartition(". ")
    return f"{sentence}." if full_stop else whole.partition(". ")[0].removesuffix(".") + "."


def first_paragraph(kind: Any) -> str:
    return " ".join((kind.__doc__ or "").strip().split("\n\n")[0].split())


def without_clauses(doc: str) -> str:
    """Strip the book's clauses from the head of a rule's or field's documentation: players need them least."""
    return CLAUSES.sub("", doc)


ARTICLES = frozenset(("a", "an", "the", "its", "their", "it", "they", "is", "are", "be", "by", "for", "called"))
QUESTIONS = frozenset(("who", "whose", "which", "what", "whether", "how", "much", "many"))
"""Question words, which like `ARTICLES` add nothing by themselves."""


def says_more(help_text: str, *texts: str) -> bool:
    """Return whether a help text adds anything to the words above it: “the clock” below “Clock” does not."""
    own_words = re.findall(r"\w+", help_text.casefold())
    text_words = set(re.findall(r"\w+", " ".join(texts).casefold()))
    return not set(own_words) <= text_words | ARTICLES | QUESTIONS


def value_words(value: Any) -> str:
    """Return a plain value as people would say or type it; empty parts are left out."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        parts: list[str] = []
        for key, part in value.items():
            if part not in (None, "", [], {}, 0, False):
                parts.append(f"{str(key).replace('_', ' ')} {value_words(part)}")
        return f"({', '.join(parts)})" if parts else "nothing"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(value_words, value)) or "nothing"
    return "nothing" if value is None else str(value)


def limits(field: Field) -> str:
    return _span(field.limit(Ge), field.limit(Le))


def _span(least: int | None, most: int | None) -> str:
    if least is not None and most is not None:
        return f"{least} to {most}"
    if least is not None:
        return f"at least {least}"
    return f"at most {most}" if most is not None else ""


def kind_words(shape: shapes.Shape, names: str | None = None) -> str:
    """Return a placeholder for a value in a usage line: NUMBER, a|b, TEXT,…"""
    match shape:
        case shapes.ChoiceShape(values=values):
            return "|".join(map(str, values))
        case shapes.EitherShape(shapes=several):
            return "|".join(dict.fromkeys(kind_words(choice, names) for choice in several))
        case shapes.ListShape(item=item):
            return f"{kind_words(item, names)},…"
        case shapes.MappingShape(item=item):
            return f"KEY={kind_words(item)},…"
        case shapes.RecordShape(kind=kind):
            fields = fields_of(kind)
            holds_things = any(_things(field) for field in fields)  # commas can't say which part belongs to which
            return _as_json(shape) if holds_things else ",".join(f"{field.name}=…" for field in fields)
        case _ if names:
            return names.upper().replace(" ", "_")
        case shapes.NumberShape():
            return "NUMBER"
        case shapes.TextShape():
            return "TEXT"
        case shapes.FlagShape():
            return ""
        case _:
            return "VALUE"


def _things(field: Field) -> shapes.RecordShape | None:
    """Return the record shape of a field that is a list of records, or None."""
    if isinstance(field.shape, shapes.ListShape) and isinstance(field.shape.item, shapes.RecordShape):
        return field.shape.item
    return None


def _as_json(record: shapes.RecordShape) -> str:
    """Return a JSON template of a record, to be filled in: {"terms":[{"source":…,"dice":…}]}."""
    parts: list[str] = []
    for field in fields_of(record.kind):
        inner = _things(field)
        template = f"[{_as_json(inner)}]" if inner else "…"
        parts.append(f'"{field.name}":{template}')
    return f"{{{','.join(parts)}}}"


def schema_words(schema: Mapping[str, Any]) -> str:
    """Summarise the values that a schema allows: number 0 to 20, "a" | "b", list of text."""
    if "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(map(schema_words, schema["anyOf"])))
    match schema.get("type"):
        case "integer" | "number":
            return f"number {_span(schema.get('minimum'), schema.get('maximum'))}".rstrip()
        case "string":
            return f"text (at most {schema['maxLength']})" if schema.get("maxLength") else "text"
        case "boolean":
            return "true or false"
        case "array":
            return f"list of {schema_words(schema['items'])}"
        case "object" if "properties" in schema:
            needed = schema.get("required", ())
            parts = schema["properties"].items()
            fields = (f"{name}{'' if name in needed else '?'}: {schema_words(part)}" for name, part in parts)
            return f"{{{', '.join(fields)}}}"
        case "object":
            return "{name: value}"
        case "null":
            return "null"
        case _:
            return str(schema.get("$ref", "any value")).rpartition("/")[2]
