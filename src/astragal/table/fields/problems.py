"""Problems of plain values, with the path to each."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from astragal.table.fields.shapes import Shape
from astragal.table.fields.signs import printable

Path: TypeAlias = tuple[str | int, ...]
"""The way to a value: ("heroes", 1, "scores", "MGT")."""


class Problem(NamedTuple):
    """A problem and what was expected instead. A value of the wrong shape is `found`, and not in words."""

    path: Path
    wrong: str = ""
    expected: Shape | str = ""
    found: Any = None
    said: str = ""
    """The sentence for whoever gave a command, where it is another one."""
    at_key: bool = False
    """The key itself is at fault, not its value."""


def shown(path: Path, first: int = 1) -> str:
    """The way to a value as people write it: `heroes[2].scores.MGT`, counted from 1."""
    steps = (f"[{step + first}]" if isinstance(step, int) else f".{printable(step)}" for step in path)
    return "".join(steps).removeprefix(".")
