"""Sinew & Steel: one d20 at or under a score, and Luck to bend it afterwards."""

from .manifest import SINEW_STEEL

__all__ = ["SINEW_STEEL"]
