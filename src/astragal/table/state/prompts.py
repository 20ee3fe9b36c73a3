"""Prompts: what waits for somebody's words."""

from __future__ import annotations

from astragal.table.fields.values import Value
from astragal.table.state.seats import Viewer
from astragal.table.visibility.marks import Seen


class Prompt(Value, seen=Seen.ALL):
    """Something put to a seat or a character, and what they said to it."""

    id: str
    to: str
    """A seat or a character."""
    words: str
    kind: str
    """A word by which a game knows its own prompts."""
    secret: bool
    """Is it between the one who is asked and the game master?"""
    answer: str | None = None
    edited: str | None = None
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
