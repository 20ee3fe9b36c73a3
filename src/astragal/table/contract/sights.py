"""Does every field say who may see it, and hold what can be kept and cut?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from astragal.table.fields.definitions import Field, fields_of
from astragal.table.fields.shapes import RecordShape, Shape, UnknownShape, innermost
from astragal.table.fields.values import is_value
from astragal.table.state.seats import Seen


def faults_in_sight(kind: type) -> Iterator[str]:
    """Faults in the fields of a value, and of the values inside it."""
    for inside in values_in(kind):
        if not _is_frozen(inside):
            yield f"{inside.__name__} can be changed in place; make it a Value"
        for field in fields_of(inside):
            about = f"The field {field.name!r} of {inside.__name__}"
            if getattr(inside, "__seen__", None) is None and not any(isinstance(mark, Seen) for mark in field.marks):
                yield f"{about} does not say who may see it (Seen)"
            try:
                _ = field.shape
            except UnknownShape as unknown:
                yield f"{about} holds {unknown.name}, which can't be kept and cut"


def values_in(kind: type) -> list[type]:
    """The value's type and the types of all values inside it, each once."""
    found: dict[type, None] = {}
    waiting = [kind]
    while waiting:
        one = waiting.pop(0)
        if one not in found and is_value(one):
            found[one] = None
            parts = (part for field in fields_of(one) for part in _parts(field))
            waiting += [part.kind for part in parts if isinstance(part, RecordShape)]
    return list(found)


def _parts(field: Field) -> list[Shape]:
    try:
        return list(innermost(field.shape))
    except UnknownShape:
        return []


def _is_frozen(kind: Any) -> bool:
    config = getattr(kind, "__struct_config__", None) or kind.__dataclass_params__
    return bool(config.frozen)
