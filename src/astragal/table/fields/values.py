"""Frozen values: `Value`, the base class of commands, events and whatever a table's state is made of.

A `Value` is a `msgspec.Struct`: declared, made, copied, compared and stored several times faster than a dataclass. The
functions here take dataclasses, too, which the readings of chance and small parts of the table are made of.
"""

import dataclasses
from collections.abc import Mapping
from copy import copy
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

import msgspec
from msgspec import field
from msgspec.structs import force_setattr

from astragal.values import field_names

__all__ = ["Value", "copied_into", "field", "field_names", "is_value", "parts_of", "replace", "with_parts", "without"]

T = TypeVar("T")


class _ValueType(msgspec.StructMeta):
    """Makes fields keyword-only unless the class says otherwise, and keeps who may see them."""

    def __new__(
        mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], *, seen: Enum | None = None, **config: Any
    ) -> Any:
        config.setdefault("kw_only", True)
        made: Any = super().__new__(mcs, name, bases, namespace, **config)
        made.__seen__ = seen
        return made


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Value(msgspec.Struct, metaclass=_ValueType, frozen=True):
    """A frozen value with named fields. `class Sheet(Value, seen=Seen.ALL)` says who may see fields without a mark."""

    if TYPE_CHECKING:

        def __init_subclass__(cls, *, seen: Enum | None = None, kw_only: bool = True) -> None: ...


def is_value(kind: Any) -> bool:
    """Whether this is a type of values with named fields: a Struct or a dataclass."""
    return isinstance(kind, type) and (issubclass(kind, msgspec.Struct) or dataclasses.is_dataclass(kind))


def parts_of(value: Any) -> dict[str, Any]:
    """A value's fields by name."""
    return {name: getattr(value, name) for name in field_names(type(value))}


def copied_into(kind: type[T], source: Any, /, **further: Any) -> T:
    """A value of this type with whatever fields of the same names the source has, and these."""
    return kind(**{name: getattr(source, name) for name in field_names(kind) if hasattr(source, name)} | further)


def replace(value: T, /, **changes: Any) -> T:
    """The value with some fields changed."""
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.replace(value, **changes)
    made: T = dataclasses.replace(value, **changes)  # type: ignore[type-var]
    return made


def with_parts(value: T, parts: Mapping[str, Any]) -> T:
    """The value with some fields changed, its own checks not asked: a part may be hidden, or a stand-in."""
    made = copy(value)
    put: Any = force_setattr if isinstance(value, msgspec.Struct) else object.__setattr__
    for name, part in parts.items():
        put(made, name, part)
    return made


def without(things: Mapping[str, T], key: str) -> dict[str, T]:
    """The mapping without one of its entries."""
    return {one: thing for one, thing in things.items() if one != key}
