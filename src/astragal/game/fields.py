"""Types and marks for the fields of commands, events and sheets, and what a field can name."""

from annotated_types import Ge, Le, MaxLen, MinLen
from msgspec import field
from typing_extensions import Doc

from astragal.table.fields.definitions import (
    LONGEST_TEXT,
    Against,
    Apart,
    CharacterId,
    FreeText,
    Name,
    Names,
    OneLine,
    Pays,
    SeatId,
    Seldom,
    Suggests,
    Tidy,
    Usual,
    Whose,
    Words,
)
from astragal.table.fields.lookup import Named, matching
from astragal.table.fields.shapes import Spelled

__all__ = [
    "LONGEST_TEXT",
    "Against",
    "Apart",
    "CharacterId",
    "Doc",
    "FreeText",
    "Ge",
    "Le",
    "MaxLen",
    "MinLen",
    "Name",
    "Named",
    "Names",
    "OneLine",
    "Pays",
    "SeatId",
    "Seldom",
    "Spelled",
    "Suggests",
    "Tidy",
    "Usual",
    "Whose",
    "Words",
    "field",
    "matching",
]
