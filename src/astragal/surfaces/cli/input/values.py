"""Values from typed text, by the shape of their field.

Nothing is validated here: text that can't be read as its field's type stays text, and the table refuses it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from astragal.table.fields.definitions import Field, fields_of
from astragal.table.fields.lookup import spoken
from astragal.table.fields.shapes import (
    AnyShape,
    ChoiceShape,
    EitherShape,
    FlagShape,
    ListShape,
    MappingShape,
    NumberShape,
    RecordShape,
    Shape,
    TextShape,
    said,
)

YES = frozenset({"yes", "y", "true", "on", "1"})
NO = frozenset({"no", "n", "false", "off", "0"})
NOTHING = frozenset({"none", "nothing", "nobody", "null", "-"})
NUMBER = re.compile(r"[+-]?[0-9]{1,18}")


def value_of(field: Field, texts: Sequence[str]) -> Any:
    """A field's value from the texts typed for it. For a list each text is an entry, or several with commas."""
    match said(field.shape):
        case ListShape(item=item):
            return [value for text in texts for value in _entries(item, text)]
        case MappingShape(item=item):
            return _joined_pairs(item, texts)
        case _:
            return plain(field.shape, texts[-1])


def plain(shape: Shape, text: str) -> Any:
    """One text, read by its shape."""
    match shape:
        case AnyShape():
            return _json_or_text(text)
        case EitherShape():
            return _first_that_fits(shape, text)
        case ChoiceShape(values=values):
            return choice(values, text)
        case ListShape(item=item):
            return _entries(item, text)
        case MappingShape(item=item):
            return _joined_pairs(item, [text])
        case RecordShape(kind=kind):
            return _parts(kind, text)
        case NumberShape() if NUMBER.fullmatch(text.replace("−", "-")):
            return int(text.replace("−", "-"))
        case FlagShape() if text.casefold() in YES | NO:
            return text.casefold() in YES
        case _:
            return text


def choice(choices: Sequence[Any], text: str) -> Any:
    """The choice with this name or the only one that begins so; spaces, hyphens and underscores are the same."""
    said = spoken(text)
    named = {spoken(str(one)): one for one in choices}
    fitting = [said] if said in named else [name for name in named if said and name.startswith(said)]
    return named[fitting[0]] if len(fitting) == 1 else text


def _first_that_fits(either: EitherShape, text: str) -> Any:
    if either.optional and text.casefold() in NOTHING:
        return None
    is_several = "," in text or text.lstrip().startswith("[")
    shapes = [one for one in either.shapes if is_several or len(either.shapes) == 1 or not isinstance(one, ListShape)]
    read = (plain(one, text) for one in sorted(shapes, key=lambda one: isinstance(one, TextShape)))
    return next((value for value in read if value != text), text)


def _entries(item: Shape, text: str) -> list[Any]:
    if text.casefold() in NOTHING:
        return []
    if text.lstrip().startswith("[") and isinstance(found := _json_or_text(text), list):
        return found
    if isinstance(item, RecordShape):
        return [plain(item, text)]
    return [plain(item, part.strip()) for part in text.split(",") if part.strip()]


def _joined_pairs(item: Shape, texts: Sequence[str]) -> Any:
    joined: dict[str, Any] = {}
    for text in texts:
        pairs = _object(text)
        if pairs is None:
            return text
        joined |= {key: plain(item, value) if isinstance(value, str) else value for key, value in pairs.items()}
    return joined


def _parts(kind: type, text: str) -> Any:
    """A record: `name=Axe,edge=1`, or one word for its first field."""
    first, known = fields_of(kind)[0], {field.name: field for field in fields_of(kind)}
    head, *rest = text.split(",") if not text.lstrip().startswith("{") else (text,)
    pairs = _object(text if "=" in head or text.lstrip().startswith("{") else ",".join([f"{first.name}={head}", *rest]))
    if pairs is None:
        return text
    return {
        name: plain(known[name].shape, value) if name in known and isinstance(value, str) else value
        for name, value in pairs.items()
    }


def _object(text: str) -> dict[str, Any] | None:
    """`key=value,key=value`, or JSON."""
    if text.lstrip().startswith("{"):
        found = _json_or_text(text)
        return found if isinstance(found, dict) else None
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    if not all(sign for _, sign, _ in pairs):
        return None
    return {key.strip(): value.strip() for key, _, value in pairs}


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def is_list(field: Field) -> bool:
    """Whether the field holds any number of values."""
    return isinstance(field.shape, ListShape)
