"""Narraject: a hand of d6 gathered from who one is and what is at hand; each 5 or 6 is a success.

Each module is a chapter of the book. The rules in numbers are `stats`, `anchors`, `assets`, `difficulty`, `hand`,
`rolling`, `focus` and `harm`; `intent`, `aspects`, `injection`, `stress`, `threats`, `recovery` … join them to what
people ask for (`asked`) and what happens (`happened`); `words` tells it.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .manifest import NARRAJECT

__all__ = ["NARRAJECT"]


def __getattr__(name: str) -> Any:
    """The whole game is loaded by those who name it: whoever asks for a rule's odds needs the rules alone."""
    if name == "NARRAJECT":
        from .manifest import NARRAJECT

        return NARRAJECT
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
