"""Parameters of a roll as a designer moves them: the usual value of each, and the range over which it varies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from astragal.table.fields.definitions import Field, Usual, fields_of
from astragal.table.fields.shapes import (
    ChoiceShape,
    EitherShape,
    FlagShape,
    ListShape,
    NumberShape,
    RecordShape,
    Shape,
    TextShape,
)
from astragal.table.visibility.redact import plain

from .parts import BadQuestion
from .reading import Roll

LEAST, MOST = 0, 20
"""Of a number that has no limits of its own."""


def usual_values(roll: Roll) -> dict[str, Any]:
    """Values for the parameters that have no default: the middle of what is usual."""
    return {
        one.name: _usual(one, one.shape, roll.usual.get(one.name)) for one in fields_of(roll.parameters) if one.required
    }


def with_value(kind: type, values: Mapping[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The values with one of them changed, which may be a part of a record: `attacking.luck`."""
    name, _, inner = path.partition(".")
    if not inner:
        return {**values, name: value}
    one = next(it for it in fields_of(kind) if it.name == name)
    record = record_in(one.shape)
    if record is None:
        raise BadQuestion(f"{name} has no parts.")
    before = values.get(name) or plain(one.default) or _usual(one, RecordShape(kind=record))
    return {**values, name: with_value(record, before, inner, value)}


def record_in(shape: Shape) -> type | None:
    """The record that a parameter is; of several the first."""
    if isinstance(shape, EitherShape):
        return next((kind for one in shape.shapes if (kind := record_in(one))), None)
    return shape.kind if isinstance(shape, RecordShape) else None


def _usual(one: Field, shape: Shape, span: Sequence[int] | None = None) -> Any:
    match shape:
        case NumberShape():
            values = number_range(one, span)
            return values[len(values) // 2]
        case ChoiceShape(values=values):
            return values[0]
        case FlagShape():
            return False
        case TextShape():
            return ""
        case RecordShape(kind=kind):
            return {it.name: _usual(it, it.shape) for it in fields_of(kind) if it.required}
        case ListShape(item=item):
            return [_usual(one, item)]
        case EitherShape(shapes=shapes, optional=optional):
            return None if optional else _usual(one, shapes[0])
    return None


def number_range(one: Field, span: Sequence[int] | None = None) -> range:
    """The numbers over which a parameter varies: its limits, or what is usual where they are wide or missing."""
    least, most = limits_of(one)
    if most - least <= MOST:
        return range(least, most + 1)
    usual = next((mark.values for mark in one.marks if isinstance(mark, Usual)), None)
    if usual or span:
        return usual or range(min(span or ()), max(span or ()) + 1)
    return range(max(LEAST, least), min(MOST, most) + 1)


def limits_of(one: Field) -> tuple[int, int]:
    """The least and the most that a number can be, where nothing is said of it the usual ones."""
    shape = one.shape.shapes[0] if isinstance(one.shape, EitherShape) else one.shape
    least, most = (shape.least, shape.most) if isinstance(shape, NumberShape) else (None, None)
    return LEAST if least is None else least, MOST if most is None else most


def varying(roll: Roll) -> dict[str, tuple[Any, ...]]:
    """Every parameter that can vary, by its path, with the values that it goes over: numbers, choices, yes and no."""
    return dict(_varying(fields_of(roll.parameters), "", roll))


def _varying(fields: Sequence[Field], prefix: str, roll: Roll) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for one in fields:
        shape = one.shape
        if isinstance(shape, NumberShape):
            yield prefix + one.name, tuple(number_range(one, roll.usual.get(prefix + one.name)))
        elif isinstance(shape, ChoiceShape):
            yield prefix + one.name, shape.values
        elif isinstance(shape, FlagShape):
            yield prefix + one.name, (False, True)
        elif (kind := record_in(shape)) and not prefix:
            yield from _varying(fields_of(kind), f"{one.name}.", roll)


def field_at(kind: type, path: str) -> Field:
    """The parameter, or the part of one, of this path."""
    name, _, inner = path.partition(".")
    known = {one.name: one for one in fields_of(kind)}
    if name not in known:
        raise BadQuestion(f"There is no parameter {name[:40]!r} here; there are {', '.join(known)}.")
    if not inner:
        return known[name]
    record = record_in(known[name].shape)
    if record is None:
        raise BadQuestion(f"{name} has no parts.")
    return field_at(record, inner)
