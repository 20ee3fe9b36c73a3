"""Definitions of fields, parsed once for all users: a type and its marks become a `Field`, and a field has a shape.

Fields are `Annotated` types with limits (`Ge`, `Le`, `MinLen`, `MaxLen`), documentation (`Doc`) and the kind of things
that they name (`Names`). Validation, JSON schemas, forms, help texts, skin files and the contract use `fields_of` and
`Field.shape`, and inspect no types themselves.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache, cached_property
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

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
def shape_of(hint: Any, marks: tuple[Any, ...] = ()) -> shapes.Shape:
    """Find the shape of a type, with the limits in its marks."""
    hint, own = unwrapped(hint)
    marks = (*own, *marks)
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any or isinstance(hint, TypeVar):
        return shapes.AnyShape()
    if hint is int:
        return shapes.NumberShape(least=limit_in(marks, Ge), most=limit_in(marks, Le))
    if hint is str:
        one_line = any(isinstance(mark, OneLine) for mark in marks)
        return shapes.TextShape(
            least=limit_in(marks, MinLen) or 0,
            most=limit_in(marks, MaxLen),
            tidy=one_line or any(isinstance(mark, Tidy) for mark in marks),
            one_line=one_line,
            spelled=next((mark for mark in marks if isinstance(mark, Spelled)), None),
        )
    if hint is bool:
        return shapes.FlagShape()
    if hint is NoneType:
        return shapes.NothingShape()
    if origin is Literal:
        return shapes.ChoiceShape(values=inner)
    if origin in (Union, UnionType):
        ways = tuple(shape_of(one, marks) for one in inner if one is not NoneType)
        return shapes.EitherShape(shapes=ways, optional=NoneType in inner)
    if origin is tuple and inner[1:] == (Ellipsis,):
        apart = next((mark.fields for mark in marks if isinstance(mark, Apart)), ())
        least, most = limit_in(marks, MinLen) or 0, limit_in(marks, MaxLen)
        return shapes.ListShape(item=shape_of(inner[0]), least=least, most=most, apart=apart)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return shapes.MappingShape(item=shape_of(inner[1]), key=shape_of(inner[0]))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return shapes.ChoiceShape(values=tuple(member.value for member in hint), enum=hint)
    if is_value(origin or hint):
        return shapes.RecordShape(kind=origin or hint)
    raise UnknownShape(hint)


def unwrapped(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Split a type into the bare type and its marks."""
    if get_origin(hint) is Annotated:
        bare, *marks = get_args(hint)
        return bare, tuple(marks)
    return hint, ()


def marks_within(hint: Any) -> tuple[Any, ...]:
    """Collect the marks of the types that this one is made of: of `SeatId` in `tuple[SeatId, ...] | None`."""
    inside = [unwrapped(inner) for inner in get_args(hint)]
    return tuple(mark for bare, marks in inside for mark in (*marks, *marks_within(bare)))


def limit_in(marks: tuple[Any, ...], kind: type) -> Any:
    """Return the bound of this kind among the marks of a type, or None."""
    attribute = {Ge: "ge", Le: "le", MinLen: "min_length", MaxLen: "max_length"}[kind]
    return next((getattr(mark, attribute) for mark in marks if isinstance(mark, kind)), None)


# ---------------------------------------------------------------- fields


class Field(Struct, frozen=True, dict=True):
    """One field of a command: its type, limits and documentation."""

    name: str
    type: Any
    marks: tuple[Any, ...]
    required: bool
    default: Any

    @cached_property
    def shape(self) -> shapes.Shape:
        """The shape of the field's values, with its limits."""
        return shape_of(self.type, self.marks)

    @property
    def doc(self) -> str:
        """Its own `Doc`, or else its type's, or else its label."""
        docs = (mark.documentation for mark in reversed(self.marks) if isinstance(mark, Doc))
        return next(docs, next((mark.words for mark in self.marks if isinstance(mark, Label)), ""))

    @cached_property
    def names(self) -> str | None:
        return next((mark.kind for mark in self.marks if isinstance(mark, Names)), None)

    @cached_property
    def suggests(self) -> str | None:
        return next((mark.kind for mark in self.marks if isinstance(mark, Suggests)), None)

    @cached_property
    def is_free_text(self) -> bool:
        return any(isinstance(mark, FreeText) for mark in self.marks)

    @property
    def is_of_players(self) -> bool:
        return any(isinstance(mark, OfPlayers) for mark in self.marks)

    @property
    def is_seldom(self) -> bool:
        return any(isinstance(mark, Seldom) for mark in self.marks)

    @property
    def unless(self) -> str:
        """The field that says the same, if any."""
        return next((mark.field for mark in self.marks if isinstance(mark, Unless)), "")

    @property
    def is_against(self) -> bool:
        return any(isinstance(mark, Against) for mark in self.marks)

    @cached_property
    def whose(self) -> MaySet:
        """Who may fill it in: by default the player who gives the command, but an `Against` field as a proposal."""
        usual = MaySet.PROPOSAL if self.is_against else MaySet.ACTOR
        return next((mark for mark in self.marks if isinstance(mark, MaySet)), usual)

    @property
    def is_paid(self) -> bool:
        return any(isinstance(mark, Pays) for mark in self.marks)

    @property
    def label(self) -> str:
        """Its label, or else its name in words: "defence attribute", or "difficulty" for what a roll is against."""
        usual = "difficulty" if self.is_against else self.name.replace("_", " ")
        return next((mark.words for mark in self.marks if isinstance(mark, Label)), usual)

    def limit(self, kind: type) -> int | None:
        """Return the bound of this kind, or None."""
        found: int | None = limit_in(self.marks, kind)
        return found


_NO_DEFAULT = (dataclasses.MISSING, msgspec.NODEFAULT)
_FIELDS: dict[type, tuple[Field, ...]] = {}


def fields_of(kind: type) -> tuple[Field, ...]:
    """Return the fields of a value type, cached for each type."""
    if kind not in _FIELDS:
        hints = get_type_hints(kind, include_extras=True)
        declared = msgspec.structs.fields(kind) if issubclass(kind, msgspec.Struct) else dataclasses.fields(kind)  # type: ignore[arg-type]
        _FIELDS[kind] = tuple(_field(one.name, hints[one.name], one.default, one.default_factory) for one in declared)
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
    required = default in _NO_DEFAULT and factory in _NO_DEFAULT
    value = None if required else factory() if default in _NO_DEFAULT else default
    return Field(name, bare, marks, required, value)
