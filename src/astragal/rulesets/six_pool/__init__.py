"""Six-Pool d20: a d20 and what one puts into it, declared before the roll."""

from .manifest import SIX_POOL

__all__ = ["SIX_POOL"]
