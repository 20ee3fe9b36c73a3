"""Does every field say who may see it, and hold what can be kept and cut?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from astragal.table.fields import unwrapped
from astragal.table.seen import Seen

_KEPT = (int, str, bool, NoneType, Any)
"""Besides enums, literals, tuples, mappings, and frozen dataclasses of these."""


def faults_in_sight(kind: type) -> Iterator[str]:
    """What the fields of a value, and of the values inside it, leave unsaid."""
    for inside in values_in(kind):
        if not inside.__dataclass_params__.frozen:  # type: ignore[attr-defined]
            yield f"{inside.__name__} can be changed in place; make it a frozen dataclass"
        for name, hint in get_type_hints(inside, include_extras=True).items():
            if name not in inside.__dataclass_fields__:  # type: ignore[attr-defined]
                continue
            bare, marks = unwrapped(hint)
            if not any(isinstance(mark, Seen) for mark in marks):
                yield f"The field {name!r} of {inside.__name__} does not say who may see it (Seen)"
            for part in _parts(bare):
                if not _can_be_kept(part):
                    yield f"The field {name!r} of {inside.__name__} holds {_called(part)}, which can't be kept and cut"


def values_in(kind: type) -> list[type]:
    """The dataclass and all dataclasses inside it, each once."""
    found: dict[type, None] = {}
    waiting: list[Any] = [kind]
    while waiting:
        one = waiting.pop(0)
        if one in found or not (isinstance(one, type) and is_dataclass(one)):
            continue
        found[one] = None
        waiting += [part for hint in get_type_hints(one, include_extras=True).values() for part in _parts(hint)]
    return list(found)


def _parts(hint: Any) -> Iterator[Any]:
    """The single types that a hint is made of."""
    bare, _ = unwrapped(hint)
    origin, inner = get_origin(bare), get_args(bare)
    if origin is Literal or bare is Ellipsis:
        return
    if origin in (Union, UnionType, tuple) or (isinstance(origin, type) and issubclass(origin, Mapping)):
        for part in inner:
            yield from _parts(part)
    else:
        yield origin or bare


def _can_be_kept(part: Any) -> bool:
    if part in _KEPT or isinstance(part, TypeVar):
        return True
    return isinstance(part, type) and (issubclass(part, Enum) or is_dataclass(part))


def _called(part: Any) -> str:
    return getattr(part, "__name__", str(part))
