"""Shapes: the kinds of values that a field takes, to match on. `definitions` finds the shape of a field.

from astragal.table.fields import shapes

match field.shape:
    case shapes.NumberShape(least=least, most=most): ...
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any, TypeAlias

from msgspec import Struct

from astragal.table.declarations import Value


class Spelled(Struct, frozen=True):
    """Text that must match a pattern; `expected` describes it in words."""

    pattern: str
    expected: str


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
    """One of a few plain values. `enum` is the enum whose values they are, if any."""

    values: tuple[Any, ...]
    enum: type[Enum] | None = None


class ListShape(Value):
    """Values of one shape. No two may look alike in any field of `apart`."""

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
    """None."""


class AnyShape(Value):
    """Any JSON value."""


class EitherShape(Value):
    """One of several shapes, tried in order; `optional` if None is one of them."""

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


def innermost(shape: Shape) -> Iterator[Shape]:
    """Yield the simple shapes that lists, mappings and alternatives are made of."""
    match shape:
        case ListShape(item=item):
            yield from innermost(item)
        case MappingShape(key=key, item=item):
            if key != TextShape():  # plain keys are short texts, always
                yield from innermost(key)
            yield from innermost(item)
        case EitherShape(shapes=alternatives):
            for alternative in alternatives:
                yield from innermost(alternative)
        case _:
            yield shape


def said(shape: Shape) -> Shape:
    """Return the shape of an optional field's values; any other shape unchanged."""
    if isinstance(shape, EitherShape) and len(shape.shapes) == 1:
        return shape.shapes[0]
    return shape


def choices_in(shape: Shape) -> tuple[Any, ...]:
    """Return the values of a choice, or of the choices among alternatives."""
    if isinstance(shape, ChoiceShape):
        return shape.values
    if isinstance(shape, EitherShape):
        return tuple(value for alternative in shape.shapes for value in choices_in(alternative))
    return ()
