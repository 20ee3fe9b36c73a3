"""Six-Pool d20: a d20 and what one puts into it, declared before the roll. This file joins the chapters of the book."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .manifest import SIX_POOL

__all__ = ["SIX_POOL"]


def __getattr__(name: str) -> Any:
    """The whole game is loaded by those who name it: whoever asks for a rule's odds needs the rules alone."""
    if name == "SIX_POOL":
        from .manifest import SIX_POOL

        return SIX_POOL
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
