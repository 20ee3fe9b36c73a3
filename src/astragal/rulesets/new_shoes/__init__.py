"""New Shoes: players describe, the dice decide how far it carries. An exploding d6 for every point that is left."""

from .manifest import NEW_SHOES

__all__ = ["NEW_SHOES"]
