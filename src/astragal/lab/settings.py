"""Settings of a roll: a rule of a game with its parameters, the axes along which some of them vary, how it is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from astragal.chance import Question
from astragal.chance.pictures import words
from astragal.table.authoring.ruleset import Ruleset
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
from astragal.table.fields.validation import read
from astragal.table.visibility.redact import plain
from astragal.values import field_names, frozen

from .reading import DECLINE, BadQuestion, Reading, Roll, find_roll

MOST_POINTS = 2_000
"""Of one setting."""

Point = tuple[Any, ...]
"""The value on each axis."""


@frozen
class Axis:
    """A parameter that varies: `attacker`, or a part of one, `attacking.luck`."""

    path: str
    values: tuple[Any, ...]

    @property
    def words(self) -> str:
        return self.path.replace(".", " ").replace("_", " ")


@frozen(eq=False)
class Setting:
    """A roll of a game with its parameters, the axes along which some of them vary, and how it is read."""

    game: Ruleset
    roll: Roll
    given: Mapping[str, Any] = field(default_factory=dict)
    """Plain values by name; what is required and not given is usual."""
    reading: Reading = Reading()
    axes: tuple[Axis, ...] = ()

    def over(self, axes: Mapping[str, Iterable[Any]] | None = None, /, **named: Iterable[Any]) -> Setting:
        """The same with one or two parameters that vary: `over(dc=range(5, 31))`, `over({"attacking.luck": …})`."""
        found = [Axis(path, tuple(dict.fromkeys(map(plain, it)))) for path, it in {**(axes or {}), **named}.items()]
        size = prod(len(it.values) for it in found)
        if len(found) > 2 or not size:
            raise BadQuestion("One or two parameters can vary, over one value or more.")
        if size > MOST_POINTS:
            raise BadQuestion(f"That is {size:,} points; at most {MOST_POINTS:,} are calculated.")
        for it in found:
            field_at(self.roll.parameters, it.path)
        return replace(self, axes=tuple(found))

    @cached_property
    def values(self) -> dict[str, Any]:
        """All parameters, plain."""
        return {**usual_values(self.roll), **{name: plain(value) for name, value in self.given.items()}}

    def question(self, point: Point = ()) -> Question[Any]:
        """The question at a point. Raises a refusal with everything that is wrong with its parameters."""
        values = self.values
        for axis, value in zip(self.axes, point, strict=True):
            values = with_value(self.roll.parameters, values, axis.path, value)
        checked: Any = read(self.roll.parameters, values)
        return self.roll.ask(**{name: getattr(checked, name) for name in field_names(self.roll.parameters)})

    def questions(self) -> dict[Point, Question[Any]]:
        """The question at each point, in order. Values are validated axis by axis, not point by point."""
        points = list(product(*(axis.values for axis in self.axes)))
        changed = [axis.path.partition(".")[0] for axis in self.axes]
        rule = self.roll.rule
        if rule is None or len(set(changed)) < len(changed):  # a measure's numbers, or two parts of one parameter
            return {point: self.question(point) for point in points}
        usual = self.question(points[0]).named
        arguments = []
        for place, (axis, name) in enumerate(zip(self.axes, changed, strict=True)):
            before, after = points[0][:place], points[0][place + 1 :]
            arguments.append({it: self.question((*before, it, *after)).named[name] for it in axis.values})
        return {
            point: rule(**{**usual, **{name: of[it] for name, of, it in zip(changed, arguments, point, strict=True)}})
            for point in points
        }

    @property
    def label(self) -> str:
        """The roll with what is said of it: “Six-Pool d20 check: dc 15, bonus 5”."""
        varied = {axis.path for axis in self.axes}
        known = fields_of(self.roll.parameters)
        told = [
            said for one in known if one.name not in varied and (said := _said(one, self.values.get(one.name), varied))
        ]
        how = [] if self.reading.policy in (None, DECLINE) else [f"{self.reading.policy} play"]
        return f"{self.game.name}, {self.roll.name.replace('_', ' ')}" + (
            f": {', '.join((*told, *how))}" if told or how else ""
        )


def setting(game: Ruleset, rule: str, /, *, of: str = "", policy: str = "", goal: str = "", **given: Any) -> Setting:
    """A setting of a rule by its name: `setting(SINEW_STEEL, "opposed_test", attacker=12, defender=11)`."""
    roll = find_roll(game, rule)
    if strange := [name for name in given if name not in field_names(roll.parameters)]:
        listed = ", ".join(field_names(roll.parameters))
        raise BadQuestion(f"{roll.name} has no parameter {strange[0]!r}; it has {listed}.")
    return Setting(game, roll, given, Reading(of=of or None, policy=policy or None, goal=goal or None))


def _said(one: Field, value: Any, varied: set[str]) -> str:
    """A parameter in a few words: nothing for a default, and of a record only the parts that differ from theirs."""
    if not one.required and value in (None, plain(one.default)):
        return ""
    name = one.name.replace("_", " ")
    if not isinstance(value, Mapping):
        return f"{name} {words(value)}" if not isinstance(value, list) else f"{name} {len(value)}"
    usual = plain(one.default) or {}
    parts = {
        it: inner
        for it, inner in value.items()
        if f"{one.name}.{it}" not in varied and inner != usual.get(it, object())
    }
    inner = ", ".join(
        f"{it.replace('_', ' ')} {words(part)}" for it, part in parts.items() if not isinstance(part, list)
    )
    return f"{name} ({inner})" if inner else ""


# ---------------------------------------------------------------- parameters: usual values, and ranges

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
