"""Prompts: what waits for somebody's words."""

from __future__ import annotations

from typing import Annotated

from astragal.table.seats import Viewer
from astragal.table.seen import Seen
from astragal.values import frozen


@frozen(kw_only=True)
class Prompt:
    """Something put to a seat or a character, and what they said to it."""

    id: Annotated[str, Seen.ALL]
    to: Annotated[str, Seen.ALL]
    """A seat or a character."""
    words: Annotated[str, Seen.ALL]
    kind: Annotated[str, Seen.ALL]
    """A word by which a game knows its own prompts."""
    secret: Annotated[bool, Seen.ALL]
    """Is it between the one who is asked and the game master?"""
    answer: Annotated[str | None, Seen.ALL] = None
    edited: Annotated[str | None, Seen.ALL] = None
    """The answer as the game master put it; the other text stays beside it."""

    @property
    def is_open(self) -> bool:
        return self.answer is None

    @property
    def told(self) -> str | None:
        """The answer that counts."""
        return self.answer if self.edited is None else self.edited

    def is_for(self, viewer: Viewer) -> bool:
        return not self.secret or is_put_to(viewer, self.to) or viewer.is_game_master


def is_put_to(viewer: Viewer, to: str) -> bool:
    return to == viewer.seat or to in viewer.characters
