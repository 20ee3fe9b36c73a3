"""What is wrong with a file, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from astragal.table.refusals import Refusal
from astragal.values import frozen

Path = tuple[str | int, ...]
"""The way to a value: ("heroes", 1, "scores", "MGT")."""


@dataclass(frozen=True, order=True)
class Place:
    """Line and column, both from 1; a column is a character."""

    line: int = 1
    column: int = 1


@dataclass(frozen=True, order=True)
class Fault:
    """SS-71: file, line and column, what is wrong, and what was expected."""

    where: str
    place: Place
    wrong: str
    expected: str = ""

    def __str__(self) -> str:
        expected = f"; expected {self.expected}" if self.expected else ""
        return f"{self.where}:{self.place.line}:{self.place.column}: {self.wrong}{expected}"


@frozen
class Wrong:
    """A fault that is known by the way to its value, before its place is looked up."""

    path: Path
    wrong: str
    expected: str = ""
    at_key: bool = False
    """The key itself is at fault, not its value."""


class FaultySkin(Refusal):
    """SS-71: nothing of a faulty skin is loaded."""

    code = "faulty_skin"

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = tuple(faults)


def shown(path: Path) -> str:
    """The way to a value as people write it: `heroes[2].scores.MGT`, counted from 1."""
    steps = (f"[{step + 1}]" if isinstance(step, int) else f".{printable(step)}" for step in path)
    return "".join(steps).removeprefix(".")


def printable(text: str, most: int = 40) -> str:
    """Words of a stranger's file, cut short, without a sign that a terminal could trip over."""
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in cut)
