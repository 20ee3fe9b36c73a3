"""New Shoes: players describe, the dice decide how far it carries. An exploding d6 for every point that is left."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .manifest import NEW_SHOES

__all__ = ["NEW_SHOES"]


def __getattr__(name: str) -> Any:
    """The whole game is loaded by those who name it: whoever asks for a rule's odds needs the rules alone."""
    if name == "NEW_SHOES":
        from .manifest import NEW_SHOES

        return NEW_SHOES
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
