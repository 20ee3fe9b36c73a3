"""The small vocabulary in which a ruleset describes what stands on its table. Surfaces lay it out, and know no game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Score:
    """A number one acts with. `command` is what a click on it asks for, with these fields filled in."""

    label: str
    value: int
    doc: str = ""
    command: str | None = None
    fields: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Pips:
    """Something held and spent: so many of so many."""

    label: str
    now: int
    most: int
    doc: str = ""


@dataclass(frozen=True)
class Track:
    """Something that fills up, with a word for each step."""

    label: str
    now: int
    steps: tuple[str, ...]


@dataclass(frozen=True)
class DiceRow:
    """So many dice in hand."""

    label: str
    dice: int
    sides: int


@dataclass(frozen=True)
class Tags:
    """Words that hold for someone: states, gear, aspects."""

    label: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Hand:
    """Dice that come together term by term."""

    label: str
    terms: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Choices:
    """A table of things to choose from: each with what it means."""

    label: str
    rows: tuple[tuple[str, str], ...]


Piece: TypeAlias = Score | Pips | Track | DiceRow | Tags | Hand | Choices
