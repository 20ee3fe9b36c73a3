"""The small vocabulary in which a ruleset describes what stands on its table. Surfaces lay it out, and know no game."""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeAlias

from astragal.values import frozen


@frozen
class Score:
    """A number one acts with. `command` is what a click on it asks for, with these fields filled in."""

    label: str
    value: int
    doc: str = ""
    command: str | None = None
    fields: tuple[tuple[str, Any], ...] = ()


@frozen
class Pips:
    """Something held and spent: so many of so many. A click on it asks for `command`, where it has one."""

    label: str
    now: int
    most: int
    doc: str = ""
    command: str | None = None
    fields: tuple[tuple[str, Any], ...] = ()


@frozen
class Track:
    """Something that fills up, with a word for each step."""

    label: str
    now: int
    steps: tuple[str, ...]


@frozen
class DiceRow:
    """So many dice in hand, of as many as there can be. A click on it asks for `command`, where it has one."""

    label: str
    dice: int
    sides: int
    most: int | None = None
    doc: str = ""
    command: str | None = None
    fields: tuple[tuple[str, Any], ...] = ()


@frozen
class Tags:
    """Words that hold for someone: states, gear, aspects.

    What commands can name is in `names`, one for each of the words, and the fields that take such a name in `fills`.
    """

    label: str
    words: tuple[str, ...]
    names: tuple[str, ...] = ()
    fills: tuple[str, ...] = ()


@frozen
class Hand:
    """Dice that come together term by term."""

    label: str
    terms: tuple[tuple[str, int], ...]


@frozen
class Choices:
    """A table of things to choose from: each with what it means."""

    label: str
    rows: tuple[tuple[str, str], ...]


@frozen
class Tools:
    """Commands that a game master reaches for together."""

    title: str
    commands: tuple[str, ...]


@frozen
class Proposal:
    """Something that a game master could do now: a command, with these fields filled in.

    `about` is what calls for it; what belongs to one matter follows one another. With `who` it waits for that
    character, and so for whoever plays them.
    """

    about: str
    label: str
    command: str
    fields: tuple[tuple[str, Any], ...] = ()
    doc: str = ""
    who: str | None = None


class Tone(Enum):
    """Whether something went well, for whoever did it."""

    GOOD = "good"
    MIXED = "mixed"
    BAD = "bad"


@frozen
class Went:
    """Result of something, in the few words that a headline has room for."""

    tone: Tone
    words: str


Piece: TypeAlias = Score | Pips | Track | DiceRow | Tags | Hand | Choices
