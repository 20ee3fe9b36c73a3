"""The shape of a field: found once from its type, and read by whoever needs it.

Validation, JSON schemas, forms, help texts, skin files and the contract all ask `shape_of` what a field takes, and take
no type apart themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

from annotated_types import Ge, Le, MaxLen, MinLen

from astragal.table.fields.values import Value, is_value
from astragal.values import frozen

# ---------------------------------------------------------------- marks that stand beside a type, besides limits


@frozen
class Tidy:
    """Text of which every sign can be seen. It is kept composed, with single spaces."""


@frozen
class OneLine:
    """Tidy text without line breaks, by which something is known."""


@frozen
class Spelled:
    """Text that must be spelled like this; `expected` says so in words."""

    pattern: str
    expected: str


@frozen
class Apart:
    """A list of which no two entries may look alike in any of these fields."""

    fields: tuple[str, ...]


# ---------------------------------------------------------------- shapes


class NumberShape(Value):
    """A whole number within limits."""

    least: int | None = None
    most: int | None = None


class TextShape(Value):
    """Text of a limited length."""

    least: int = 0
    most: int | None = None
    tidy: bool = False
    one_line: bool = False
    spelled: Spelled | None = None


class FlagShape(Value):
    """Yes or no."""


class ChoiceShape(Value):
    """One of a few plain values; `members` gives the enum's own, where it is an enum."""

    values: tuple[Any, ...]
    enum: type[Enum] | None = None


class ListShape(Value):
    """Values of one shape; no two alike in the fields of `apart`."""

    item: Shape
    least: int = 0
    most: int | None = None
    apart: tuple[str, ...] = ()


class MappingShape(Value):
    """Values of one shape, each under a name."""

    item: Shape
    key: Shape = TextShape()


class RecordShape(Value):
    """A value with named fields."""

    kind: type


class NothingShape(Value):
    """Nothing at all: None."""


class AnyShape(Value):
    """Whatever JSON can say."""


class EitherShape(Value):
    """One of several shapes, tried in order; `optional` where None is one of them."""

    shapes: tuple[Shape, ...]
    optional: bool


Shape: TypeAlias = (
    NumberShape
    | TextShape
    | FlagShape
    | ChoiceShape
    | ListShape
    | MappingShape
    | RecordShape
    | NothingShape
    | AnyShape
    | EitherShape
)


class UnknownShape(TypeError):
    """A type that no field can have."""

    def __init__(self, hint: Any) -> None:
        self.name = str(getattr(hint, "__name__", hint))
        super().__init__(f"{self.name} is no type that a field can have")


@cache
def shape_of(hint: Any, marks: tuple[Any, ...] = ()) -> Shape:  # noqa: C901 - a kind of type, a return
    """The shape of a type, with the limits that stand beside it."""
    hint, own = unwrapped(hint)
    marks = (*own, *marks)
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any or isinstance(hint, TypeVar):
        return AnyShape()
    if hint is int:
        return NumberShape(least=limit_in(marks, Ge), most=limit_in(marks, Le))
    if hint is str:
        return _text(marks)
    if hint is bool:
        return FlagShape()
    if hint is NoneType:
        return NothingShape()
    if origin is Literal:
        return ChoiceShape(values=inner)
    if origin in (Union, UnionType):
        shapes = tuple(shape_of(one, marks) for one in inner if one is not NoneType)
        return EitherShape(shapes=shapes, optional=NoneType in inner)
    if origin is tuple and inner[1:] == (Ellipsis,):
        apart = next((mark.fields for mark in marks if isinstance(mark, Apart)), ())
        least, most = limit_in(marks, MinLen) or 0, limit_in(marks, MaxLen)
        return ListShape(item=shape_of(inner[0]), least=least, most=most, apart=apart)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return MappingShape(item=shape_of(inner[1]), key=shape_of(inner[0]))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return ChoiceShape(values=tuple(member.value for member in hint), enum=hint)
    if is_value(origin or hint):
        return RecordShape(kind=origin or hint)
    raise UnknownShape(hint)


def _text(marks: tuple[Any, ...]) -> TextShape:
    one_line = any(isinstance(mark, OneLine) for mark in marks)
    return TextShape(
        least=limit_in(marks, MinLen) or 0,
        most=limit_in(marks, MaxLen),
        tidy=one_line or any(isinstance(mark, Tidy) for mark in marks),
        one_line=one_line,
        spelled=next((mark for mark in marks if isinstance(mark, Spelled)), None),
    )


def innermost(shape: Shape) -> Iterator[Shape]:
    """The single shapes that lists, mappings and alternatives are made of."""
    match shape:
        case ListShape(item=item):
            yield from innermost(item)
        case MappingShape(key=key, item=item):
            yield from () if key == TextShape() else innermost(key)  # plain keys are short texts, always
            yield from innermost(item)
        case EitherShape(shapes=shapes):
            yield from (part for one in shapes for part in innermost(one))
        case _:
            yield shape


def said(shape: Shape) -> Shape:
    """The shape itself, where the field may also be left out."""
    if isinstance(shape, EitherShape) and len(shape.shapes) == 1:
        return shape.shapes[0]
    return shape


def choices_in(shape: Shape) -> tuple[Any, ...]:
    """The few plain values of a shape that has few, or that stand beside another shape."""
    if isinstance(shape, ChoiceShape):
        return shape.values
    if isinstance(shape, EitherShape):
        return tuple(value for one in shape.shapes for value in choices_in(one))
    return ()


def unwrapped(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type without its marks, and the marks."""
    if get_origin(hint) is Annotated:
        bare, *marks = get_args(hint)
        return bare, tuple(marks)
    return hint, ()


def marks_within(hint: Any) -> tuple[Any, ...]:
    """The marks of the types that this one is made of: of `SeatId` in `tuple[SeatId, ...] | None`."""
    inside = [unwrapped(inner) for inner in get_args(hint)]
    return tuple(mark for bare, marks in inside for mark in (*marks, *marks_within(bare)))


def limit_in(marks: tuple[Any, ...], kind: type) -> Any:
    """The bound of this kind among the marks of a type, where there is one."""
    attribute = {Ge: "ge", Le: "le", MinLen: "min_length", MaxLen: "max_length"}[kind]
    return next((getattr(mark, attribute) for mark in marks if isinstance(mark, kind)), None)
