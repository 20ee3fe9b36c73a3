"""Six-Pool d20: roll a d20 and add points from a pool, declared before the roll."""

from .manifest import SIX_POOL

__all__ = ["SIX_POOL"]
