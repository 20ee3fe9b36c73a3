"""SS-09: what can be settled without dice."""

from __future__ import annotations

from enum import Enum


class Resolution(Enum):
    """How something goes when nobody rolls for it."""

    YES = "yes"
    YES_BUT = "yes, but"
    NO_BUT = "no, but"
