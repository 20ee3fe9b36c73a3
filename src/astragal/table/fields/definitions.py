"""Definitions of fields, parsed once for all users: a type and its marks become a `Field`, and a field has a shape.

Fields are `Annotated` types with limits (`Ge`, `Le`, `MinLen`, `MaxLen`), documentation (`Doc`) and the kind of things
that they name (`Names`). Validation, JSON schemas, forms, help texts, skin files and the contract use `fields_of` and
`Field.shape`, and inspect no types themselves.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import cache, cached_property
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from annotated_types import Ge, Le, MaxLen, MinLen
from msgspec import Struct
from typing_extensions import Doc

from astragal.table.declarations import is_value
from astragal.table.fields import shapes
from astragal.table.fields.shapes import Spelled

__all__ = [
    "LONGEST_TEXT",
    "Against",
    "Apart",
    "CharacterId",
    "Doc",
    "FreeText",
    "Ge",
    "Label",
    "Le",
    "MaxLen",
    "MaySet",
    "MinLen",
    "Name",
    "Names",
    "OfPlayers",
    "OneLine",
    "Pays",
    "PlayerSeat",
    "SeatId",
    "Seldom",
    "Spelled",
    "Suggests",
    "Tidy",
    "Unless",
    "Usual",
    "Words",
]

T = TypeVar("T")

Marks: TypeAlias = tuple[Any, ...]
"""The marks of an `Annotated` type: ours, those of `annotated_types`, and any others, which are passed over."""

LONGEST_TEXT = 4000
LONGEST_LIST = 64


# ---------------------------------------------------------------- marks


class Tidy(Struct, frozen=True):
    """Text without invisible characters. It is stored composed (NFC), with single spaces."""


class OneLine(Struct, frozen=True):
    """Tidy text without line breaks, such as a name."""


class Apart(Struct, frozen=True):
    """A list in which no two entries may look alike in any of these fields."""

    fields: tuple[str, ...]


class Names(Struct, frozen=True):
    """The field holds the id of a thing of this kind: a character, a seat, a clock …"""

    kind: str


class OfPlayers(Struct, frozen=True):
    """The field names a player's seat or character: forms offer no spectators and no characters of the game master."""


class Suggests(Struct, frozen=True):
    """The field takes any words; the table may have suggestions of this kind: boons, rites."""

    kind: str


class FreeText(Struct, frozen=True):
    """The field holds a person's own words. They are stored beside the log and can be blanked."""


class Seldom(Struct, frozen=True):
    """The field is for special cases: forms show it among the further choices."""


class Unless(Struct, frozen=True):
    """Another field says the same: a form that starts with that one filled in does not ask for this one."""

    field: str


class Usual(Struct, frozen=True):
    """Range in which a number usually lies. Other values are legal; a preview leaves them out if the number is hidden.

    `of` makes the argument of a rule from the number, if that is more than the number, and `noun` says what the number
    is: “a bonus of”.
    """

    least: int
    most: int
    of: Callable[[int], Any] = lambda number: number
    noun: str = ""

    @property
    def values(self) -> range:
        return range(self.least, self.most + 1)


class Label(Struct, frozen=True):
    """Label of a field, if people would not say its name: “what happens” for `words`."""

    words: str


class Pays(Struct, frozen=True):
    """Mark of a field with which the actor pays before the roll."""


class MaySet(Enum):
    """Who may fill in a field of a player's command. The game master may fill in any."""

    ACTOR = "the player's"
    PROPOSAL = "a proposal"
    """If a player fills it in, the command waits for the game master, who says yes, no, or something else."""
    GAME_MASTER = "the game master's"
    """If a player fills it in, the command is refused."""


class Against(Struct, frozen=True):
    """The field says what the roll is against. If the roll was requested, the request fills it in; if a player fills it
    in, it is a proposal.
    """


Name = Annotated[str, MinLen(1), MaxLen(60)]
"""A line of text: the name of a person or a thing."""

Words = Annotated[str, MaxLen(LONGEST_TEXT), FreeText()]
"""Text that a person wrote."""

CharacterId = Annotated[str, MaxLen(40), Names("character")]
SeatId = Annotated[str, MaxLen(40), Names("seat")]
PlayerSeat = Annotated[SeatId | None, OfPlayers(), Label("player")]


# ---------------------------------------------------------------- from a type to a shape


class UnknownShape(TypeError):
    """A type that no field can have."""

    def __init__(self, hint: Any) -> None:
        self.name = str(getattr(hint, "__name__", hint))
        super().__init__(f"{self.name} is no type that a field can have")


@cache
def shape_of(hint: Any, marks: Marks = ()) -> shapes.Shape:
    """Find the shape of a type, with the limits in its marks.

    The cache saves inspecting the same types again for each field that has them. Types do not change, so nothing ends
    it.
    """
    hint, own_marks = unwrapped(hint)
    marks = (*own_marks, *marks)
    origin = get_origin(hint)
    arguments = get_args(hint)
    if hint is Any or isinstance(hint, TypeVar):
        return shapes.AnyShape()
    if hint is int:
        return shapes.NumberShape(least=limit_in(marks, Ge), most=limit_in(marks, Le))
    if hint is str:
        return _text_shape(marks)
    if hint is bool:
        return shapes.FlagShape()
    if hint is NoneType:
        return shapes.NothingShape()
    if origin is Literal:
        return shapes.ChoiceShape(values=arguments)
    if origin in (Union, UnionType):
        alternatives = tuple(shape_of(argument, marks) for argument in arguments if argument is not NoneType)
        return shapes.EitherShape(shapes=alternatives, optional=NoneType in arguments)
    if origin is tuple and arguments[1:] == (Ellipsis,):
        return _list_shape(arguments[0], marks)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        key, item = arguments
        return shapes.MappingShape(item=shape_of(item), key=shape_of(key))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return shapes.ChoiceShape(values=tuple(member.value for member in hint), enum=hint)
    if is_value(origin or hint):
        return shapes.RecordShape(kind=origin or hint)
    raise UnknownShape(hint)


def _text_shape(marks: Marks) -> shapes.TextShape:
    one_line = has_mark(marks, OneLine)
    return shapes.TextShape(
        least=limit_in(marks, MinLen) or 0,
        most=limit_in(marks, MaxLen),
        tidy=one_line or has_mark(marks, Tidy),
        one_line=one_line,
        spelled=first_mark(marks, Spelled),
    )


def _list_shape(item: Any, marks: Marks) -> shapes.ListShape:
    apart = first_mark(marks, Apart)
    return shapes.ListShape(
        item=shape_of(item),
        least=limit_in(marks, MinLen) or 0,
        most=limit_in(marks, MaxLen),
        apart=() if apart is None else apart.fields,
    )


# ---------------------------------------------------------------- marks of a type


def unwrapped(hint: Any) -> tuple[Any, Marks]:
    """Split a type into the bare type and its marks."""
    if get_origin(hint) is Annotated:
        bare, *marks = get_args(hint)
        return bare, tuple(marks)
    return hint, ()


def marks_within(hint: Any) -> Marks:
    """Collect the marks of the types that this one is made of: of `SeatId` in `tuple[SeatId, ...] | None`."""
    collected: list[Any] = []
    for argument in get_args(hint):
        bare, marks = unwrapped(argument)
        collected += marks
        collected += marks_within(bare)
    return tuple(collected)


def has_mark(marks: Marks, kind: type) -> bool:
    return any(isinstance(mark, kind) for mark in marks)


def first_mark(marks: Marks, kind: type[T]) -> T | None:
    return next((mark for mark in marks if isinstance(mark, kind)), None)


_BOUNDS = {Ge: "ge", Le: "le", MinLen: "min_length", MaxLen: "max_length"}


def limit_in(marks: Marks, kind: type) -> int | None:
    """Return the bound of this kind among the marks of a type, or None."""
    for mark in marks:
        if isinstance(mark, kind):
            bound: int = getattr(mark, _BOUNDS[kind])
            return bound
    return None


# ---------------------------------------------------------------- fields


class Field(Struct, frozen=True, dict=True):
    """One field of a command: its type, limits and documentation."""

    name: str
    type: Any
    marks: Marks
    required: bool
    default: Any

    # A field is read for every command that is typed. The cached properties save searching its marks each time; they
    # last as long as the field, which never changes.

    @cached_property
    def shape(self) -> shapes.Shape:
        """The shape of the field's values, with its limits."""
        return shape_of(self.type, self.marks)

    @property
    def doc(self) -> str:
        """Its own `Doc`, or else its type's, or else its label."""
        doc = first_mark(self.marks[::-1], Doc)
        if doc is not None:
            return doc.documentation
        label = first_mark(self.marks, Label)
        return "" if label is None else label.words

    @cached_property
    def names(self) -> str | None:
        """The kind of things that it names, if any."""
        mark = first_mark(self.marks, Names)
        return None if mark is None else mark.kind

    @cached_property
    def suggests(self) -> str | None:
        """The kind of suggestions that there may be for it, if any."""
        mark = first_mark(self.marks, Suggests)
        return None if mark is None else mark.kind

    @cached_property
    def is_free_text(self) -> bool:
        return has_mark(self.marks, FreeText)

    @property
    def is_of_players(self) -> bool:
        return has_mark(self.marks, OfPlayers)

    @property
    def is_seldom(self) -> bool:
        return has_mark(self.marks, Seldom)

    @property
    def unless(self) -> str:
        """The field that says the same, if any."""
        mark = first_mark(self.marks, Unless)
        return "" if mark is None else mark.field

    @property
    def is_against(self) -> bool:
        return has_mark(self.marks, Against)

    @cached_property
    def whose(self) -> MaySet:
        """Who may fill it in: by default the player who gives the command, but an `Against` field as a proposal."""
        mark = first_mark(self.marks, MaySet)
        if mark is not None:
            return mark
        return MaySet.PROPOSAL if self.is_against else MaySet.ACTOR

    @property
    def is_paid(self) -> bool:
        return has_mark(self.marks, Pays)

    @property
    def label(self) -> str:
        """Its label, or else its name in words: "defence attribute", or "difficulty" for what a roll is against."""
        mark = first_mark(self.marks, Label)
        if mark is not None:
            return mark.words
        return "difficulty" if self.is_against else self.name.replace("_", " ")

    def limit(self, kind: type) -> int | None:
        """Return the bound of this kind, or None."""
        return limit_in(self.marks, kind)


_NO_DEFAULT = (dataclasses.MISSING, msgspec.NODEFAULT)
_FIELDS: dict[type, tuple[Field, ...]] = {}


def fields_of(kind: type) -> tuple[Field, ...]:
    """Return the fields of a value type.

    The cache saves resolving the type's annotations for every command, form and skin. A type does not change, so
    nothing ends it.
    """
    if kind not in _FIELDS:
        hints = get_type_hints(kind, include_extras=True)
        declared: Iterable[Any]
        if issubclass(kind, msgspec.Struct):
            declared = msgspec.structs.fields(kind)
        else:
            declared = dataclasses.fields(kind)  # type: ignore[arg-type]
        _FIELDS[kind] = tuple(
            _field(part.name, hints[part.name], part.default, part.default_factory) for part in declared
        )
    return _FIELDS[kind]


def once_for_each_type(find: Callable[[type], T]) -> Callable[[type], T]:
    """Cache a function of a type for ever: types do not change."""
    return cache(find)


@once_for_each_type
def people_named_by(kind: type) -> Mapping[str, str]:
    """Return the fields of a command that name people, each with what it names: a character or a seat."""
    return {field.name: field.names for field in fields_of(kind) if field.names in ("character", "seat")}


def _field(name: str, hint: Any, default: Any, factory: Any) -> Field:
    bare, marks = unwrapped(hint)
    # `tuple[SeatId, ...] | None` names seats as well as `SeatId` does
    marks += tuple(mark for mark in marks_within(bare) if isinstance(mark, (Names, FreeText)))
    if default not in _NO_DEFAULT:
        return Field(name, bare, marks, required=False, default=default)
    if factory not in _NO_DEFAULT:
        return Field(name, bare, marks, required=False, default=factory())
    return Field(name, bare, marks, required=True, default=None)
