"""Findings of a contract, in sentences: each once, with the first case that showed it."""

from __future__ import annotations

from pathlib import Path
from traceback import extract_tb


class Findings:
    """Faults in the order in which they were found."""

    def __init__(self) -> None:
        self._found: dict[str, str] = {}

    def note(self, fault: str, example: object = "") -> None:
        """A fault, without its full stop; the example is what first showed it."""
        self._found.setdefault(fault, str(example))

    def sentences(self) -> list[str]:
        return [f"{fault}, as with {example}." if example else f"{fault}." for fault, example in self._found.items()]


def told(broken: BaseException) -> str:
    """The exception, and the line that raised it."""
    last = extract_tb(broken.__traceback__)[-1]
    return f"{type(broken).__name__}: {broken} (in {last.name}, {Path(last.filename).name} line {last.lineno})"
