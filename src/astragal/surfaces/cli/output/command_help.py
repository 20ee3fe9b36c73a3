"""Commands and their fields in words, from their own definitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill
from typing import Any

from annotated_types import Ge, Le

from astragal.table.fields.definitions import Field, fields_of
from astragal.table.fields.shapes import (
    EitherShape,
    FlagShape,
    ListShape,
    MappingShape,
    NumberShape,
    RecordShape,
    Shape,
    TextShape,
    choices_in,
)
from astragal.table.visibility.redact import plain

WIDTH = 80
INDENT = 4


def first_sentence(kind: Any) -> str:
    """What a command or a rule is for, in a sentence."""
    return (kind.__doc__ or "").strip().splitlines()[0] if kind.__doc__ else ""


def list_of(named: Mapping[str, str], width: int = WIDTH) -> Iterator[str]:
    """Names with what they are for, in two columns."""
    room = min(max(map(len, named), default=0), 24) + 4
    for name, words in named.items():
        beside = fill(words, width, initial_indent=" " * room, subsequent_indent=" " * room)
        start = f"  {name}"
        yield start + beside[len(start) :] if len(start) + 1 < room else f"{start}\n{beside}"


def command_help(usage: str, words: str, given: Sequence[Field], width: int = WIDTH) -> Iterator[str]:
    """A page of help: what it does, and each field with its meaning, choices, limits and default."""
    yield f"Usage: {usage}"
    yield ""
    yield "\n".join(fill(part, width) for part in words.strip().splitlines())
    for title, some in (("Needed", [one for one in given if one.required]), ("Optional", _optional(given))):
        if some:
            yield ""
            yield f"{title}:"
            yield from (line for field in some for line in field_help(field, width))


def field_help(field: Field, width: int = WIDTH) -> Iterator[str]:
    yield f"  --{field.name.replace('_', '-')} {kind_words(field.shape, field.names)}".rstrip()
    remarks = "; ".join(part for part in (field.doc, limits(field), default_words(field)) if part)
    if remarks:
        yield fill(remarks, width, initial_indent=" " * INDENT, subsequent_indent=" " * INDENT)


def kind_words(shape: Shape, names: str | None = None) -> str:
    """What is to be typed, in short."""
    if found := choices_in(shape):
        return "|".join(map(str, found))
    match shape:
        case EitherShape(shapes=shapes):
            return "|".join(dict.fromkeys(kind_words(one, names) for one in shapes))
        case ListShape(item=item):
            return f"{kind_words(item, names)},…"
        case MappingShape(item=item):
            return f"KEY={kind_words(item)},…"
        case RecordShape(kind=kind):
            fields = fields_of(kind)
            holds_things = any(_things(one) for one in fields)  # commas can't say which part belongs to which
            return _as_json(shape) if holds_things else ",".join(f"{one.name}=…" for one in fields)
        case _ if names:
            return names.upper().replace(" ", "_")
        case NumberShape():
            return "NUMBER"
        case TextShape():
            return "TEXT"
        case FlagShape():
            return ""
        case _:
            return "VALUE"


def _things(field: Field) -> RecordShape | None:
    """What a list of things of several parts is a list of."""
    shape = field.shape
    return shape.item if isinstance(shape, ListShape) and isinstance(shape.item, RecordShape) else None


def _as_json(record: RecordShape) -> str:
    """The form that JSON has for it, to be filled in: {"terms":[{"source":…,"dice":…}]}."""
    parts = (
        f'"{one.name}":{f"[{_as_json(inner)}]" if (inner := _things(one)) else "…"}' for one in fields_of(record.kind)
    )
    return f"{{{','.join(parts)}}}"


def limits(field: Field) -> str:
    least, most = field.limit(Ge), field.limit(Le)
    if least is not None and most is not None:
        return f"{least} to {most}"
    if least is not None:
        return f"at least {least}"
    return f"at most {most}" if most is not None else ""


def default_words(field: Field) -> str:
    if field.required or field.default in (None, "", False, (), {}):
        return ""
    return f"unsaid: {value_words(plain(field.default))}"


def value_words(value: Any) -> str:
    """A plain value as one would type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        said = [f"{key} {value_words(part)}" for key, part in value.items() if part not in (None, "", [], {}, 0, False)]
        return f"({', '.join(said)})" if said else "nothing"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(value_words, value))
    return "nothing" if value is None else str(value)


def _optional(given: Sequence[Field]) -> list[Field]:
    return [one for one in given if not one.required]
