"""Sources of dice faces. Rules never see them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import islice
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from .errors import BadStep, RecordMismatch

D = TypeVar("D")


class Fate(Enum):
    """Fate of a die. One that exploded or was rerolled brought another, which `chains` finds."""

    KEPT = "kept"
    DROPPED = "dropped"
    EXPLODED = "exploded"
    REROLLED = "rerolled"


class Rolled(NamedTuple):
    """One die on the table, with the rule that asked for it, its fate, and its source."""

    sides: int
    face: int
    by: str
    fate: Fate = Fate.KEPT
    source: str = "seeded"


class Record(Struct, frozen=True):
    """Everything that a reading of a question has used so far: enough to replay it."""

    rolled: tuple[Rolled, ...] = ()
    answers: tuple[Any, ...] = ()

    @property
    def seeded(self) -> bool:
        """True if any die comes from a seed. Such a record is a test or a simulation, never a real roll."""
        return any(die.source == SeededDice.source for die in self.rolled)


def chains(dice: Iterator[D], count: int, brings: Callable[[D], bool]) -> list[list[D]]:
    """Group the next `count` dice, each with those that it brought. Takes only the dice that belong to them.

    Dice lie in the order in which they were thrown: first those of the pool, then, round by round, those they brought.
    """
    found = [[die] for die in islice(dice, count)]
    going = deque(chain for chain in found if brings(chain[-1]))
    while going and (die := next(dice, None)) is not None:
        chain = going.popleft()
        chain.append(die)
        if brings(die):
            going.append(chain)
    return found


class Dice(Protocol):
    """A source of faces. Fair chains implement it, too."""

    @property
    def source(self) -> str:
        """The kind of source that the last face came from. It is recorded with each die."""

    def face(self, sides: int) -> int:
        """The next face, from 1 to `sides`, each equally likely."""


class Pause(Exception):
    """Raised by a source that can't continue yet: the reading stops and waits for what is needed."""

    def __init__(self, need: Hashable) -> None:
        super().__init__(need)
        self.need = need


class EnterDice(Struct, frozen=True):
    """Request for physical dice, in this order. Dice that they bring are asked for afterwards."""

    sides: tuple[int, ...]


class SeededDice:
    """Reproducible dice: the same seed gives the same faces. For tests and simulation, and marked as such."""

    source = "seeded"

    def __init__(self, seed: int | str) -> None:
        from random import Random  # slow to import

        self._bits: Callable[[int], int] = Random(seed).getrandbits  # noqa: S311 - nobody needs to trust seeded dice

    def face(self, sides: int) -> int:
        """The next face, from 1 to `sides`, each equally likely."""
        return 1 + _below(sides, self._bits)


class SystemDice:
    """Faces from the operating system: honest, but not provable."""

    source = "system"

    def face(self, sides: int) -> int:
        """The next face, from 1 to `sides`, each equally likely."""
        return 1 + _below(sides, _system_bits)


class EnteredDice:
    """Dice thrown by hand: these faces in this order, then a pause for more."""

    source = "entered"

    def __init__(self, faces: Sequence[int] = ()) -> None:
        self._faces = list(reversed(faces))

    def face(self, sides: int) -> int:
        """The next entered face; raises `Pause` if there is none."""
        if not self._faces:
            raise Pause(EnterDice((sides,)))
        face = self._faces.pop()
        if not 1 <= face <= sides:
            raise BadStep(f"a d{sides} shows 1 to {sides}, not {face}")
        return face

    @property
    def left(self) -> int:
        """Number of entered faces not drawn yet."""
        return len(self._faces)


class RecordedDice:
    """The dice of an earlier record in order, then fresh dice if a source is given."""

    def __init__(self, rolled: Sequence[Rolled], then: Dice | None = None) -> None:
        self._rolled, self._then, self._next = rolled, then, 0
        self.source = "recorded"

    def face(self, sides: int) -> int:
        """The next face of the record, which must be from a die with this many sides; after its end, a fresh one."""
        if self._next == len(self._rolled):
            if self._then is None:
                raise RecordMismatch(f"the record ends after {self._next} dice, but the rule asks for a d{sides}")
            face = self._then.face(sides)
            self.source = self._then.source
            return face
        die = self._rolled[self._next]
        if die.sides != sides:
            raise RecordMismatch(
                f"die {self._next + 1} of the record is a d{die.sides} of {die.by}, but the rule asks for a d{sides}"
            )
        if not 1 <= die.face <= sides:
            raise RecordMismatch(f"die {self._next + 1} of the record is a d{sides} that shows {die.face}")
        self._next += 1
        self.source = die.source
        return die.face

    @property
    def left(self) -> int:
        """Number of recorded dice not drawn yet."""
        return len(self._rolled) - self._next


class Tray:
    """Tray of thrown dice: draws faces from a source and records each with the rule that asked."""

    __slots__ = ("_dice", "by", "rolled")

    def __init__(self, dice: Dice, by: str) -> None:
        self._dice = dice
        self.by = by
        self.rolled: list[Rolled] = []

    def draw(self, sides: int) -> int:
        """Draw one die, which counts as it lies."""
        face = self._dice.face(sides)
        self.rolled.append(_tuple(Rolled, (sides, face, self.by, _KEPT, self._dice.source)))
        return face

    def draw_all(self, count: int, sides: int, again: Container[int] = (), fate: Fate = Fate.EXPLODED) -> list[int]:
        """Draw dice thrown together. One that shows a face of `again` brings another and is marked with `fate` at once.

        A pause for physical dice asks for all that are still missing.
        """
        faces: list[int] = []
        for done in range(count):
            try:
                face = self.draw(sides)
            except Pause as pause:
                if isinstance(pause.need, EnterDice):
                    raise Pause(EnterDice((sides,) * (count - done))) from None
                raise
            if face in again:
                self.mark_last(fate)
            faces.append(face)
        return faces

    def mark_last(self, fate: Fate) -> None:
        """Set the fate of the last die."""
        self._mark(-1, fate)

    def drop(self, places: Iterable[int], fate: Fate = Fate.DROPPED) -> None:
        """Mark the dice at these places as not counting. Dice that brought another keep their mark."""
        for place in places:
            if self.rolled[place].fate is _KEPT:
                self._mark(place, fate)

    def _mark(self, place: int, fate: Fate) -> None:
        sides, face, by, _, source = self.rolled[place]
        self.rolled[place] = _tuple(Rolled, (sides, face, by, fate, source))


# Hot path: making a tuple directly costs a third of calling its class.
_tuple = tuple.__new__
_KEPT = Fate.KEPT


def _system_bits(width: int) -> int:
    """Random bits from the operating system, as in `secrets`, which is slow to import."""
    size = (width + 7) // 8
    return int.from_bytes(os.urandom(size), "big") >> size * 8 - width


def _below(limit: int, bits: Callable[[int], int]) -> int:
    """A uniform random number below `limit`: draw just enough bits, and again if they overshoot."""
    width = (limit - 1).bit_length()
    number = bits(width)
    while number >= limit:
        number = bits(width)
    return number
