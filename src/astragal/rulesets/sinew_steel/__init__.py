"""Sinew & Steel: one d20 at or under a score, and Luck to bend it afterwards."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .manifest import SINEW_STEEL

__all__ = ["SINEW_STEEL"]


def __getattr__(name: str) -> Any:
    """The whole game is loaded by those who name it: whoever asks for a rule's odds needs the rules alone."""
    if name == "SINEW_STEEL":
        from .manifest import SINEW_STEEL

        return SINEW_STEEL
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
