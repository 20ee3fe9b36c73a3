"""A command's fields: read from its own definition, once, for every surface.

Fields are `Annotated` types with limits (`Ge`, `Le`, `MinLen`, `MaxLen`), documentation (`Doc`) and what they name
(`Names`). From them come a JSON schema (`schema`) and validation (`validation`).
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from functools import cached_property
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from annotated_types import Ge, Le, MaxLen, MinLen
from typing_extensions import Doc

LONGEST_TEXT = 4000
LONGEST_LIST = 64


@dataclass(frozen=True)
class Names:
    """The field holds the id of a thing of this kind: a character, a seat, a clock …"""

    kind: str


@dataclass(frozen=True)
class FreeText:
    """The field holds words of a person. They are kept beside the log and can be blanked."""


Name = Annotated[str, MinLen(1), MaxLen(60)]
"""A line of text that people are known by."""

Words = Annotated[str, MaxLen(LONGEST_TEXT), FreeText()]
"""What somebody wrote."""

CharacterId = Annotated[str, MaxLen(40), Names("character")]
SeatId = Annotated[str, MaxLen(40), Names("seat")]


@dataclass(frozen=True)
class Field:
    """One field of a command: its type, limits and documentation."""

    name: str
    type: Any
    marks: tuple[Any, ...]
    required: bool
    default: Any

    @property
    def doc(self) -> str:
        return next((mark.documentation for mark in self.marks if isinstance(mark, Doc)), "")

    @cached_property
    def names(self) -> str | None:
        return next((mark.kind for mark in self.marks if isinstance(mark, Names)), None)

    @cached_property
    def is_free_text(self) -> bool:
        return any(isinstance(mark, FreeText) for mark in self.marks)

    def limit(self, kind: type) -> int | None:
        """The bound of this kind, where there is one."""
        attribute = {Ge: "ge", Le: "le", MinLen: "min_length", MaxLen: "max_length"}[kind]
        return next((getattr(mark, attribute) for mark in self.marks if isinstance(mark, kind)), None)


_FIELDS: dict[type, tuple[Field, ...]] = {}


def fields_of(kind: type) -> tuple[Field, ...]:
    """The fields of a dataclass; read once for each type."""
    if kind not in _FIELDS:
        hints = get_type_hints(kind, include_extras=True)
        _FIELDS[kind] = tuple(
            _field(one.name, hints[one.name], one.default, one.default_factory) for one in fields(kind)
        )
    return _FIELDS[kind]


def _field(name: str, hint: Any, default: Any, factory: Any) -> Field:
    bare, marks = unwrapped(hint)
    for inner in get_args(bare):  # `SeatId | None` names a seat as well as `SeatId` does
        marks += tuple(mark for mark in unwrapped(inner)[1] if isinstance(mark, (Names, FreeText)))
    required = default is MISSING and factory is MISSING
    value = None if required else default if default is not MISSING else factory()
    return Field(name, bare, marks, required, value)


def unwrapped(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    if get_origin(hint) is Annotated:
        bare, *marks = get_args(hint)
        return bare, tuple(marks)
    return hint, ()
