"""A game's rules without the rest of it: what odds, comparisons, the book's tables and skins need, and what a list of
games shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from astragal.chance import Rule
from astragal.values import frozen

from .creation import BookTable, SkinShelf
from .measures import Measure


@frozen(kw_only=True)
class Rulebook:
    """What a game is called, what it is about, the books it follows, its rules and what is made of them."""

    id: str
    name: str
    version: str
    books: tuple[str, ...]
    about: str = ""
    """The game in a sentence, for somebody who has never heard of it."""
    dice: str = ""
    """The die that it is played with, as players write it: d20."""
    rules: tuple[Rule[..., Any], ...]
    measures: tuple[Measure, ...] = ()
    """Rolls of the game as scales of chances, for whoever compares games."""
    tables: Mapping[str, Callable[[], BookTable]] = field(default_factory=dict)
    """The book's tables by a short name, each worked out when it is asked for."""
    skins: SkinShelf | None = None
    """Settings over the game, as text files."""
