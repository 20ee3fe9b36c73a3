"""Prompts: what waits for somebody's words."""

from __future__ import annotations

from astragal.table.fields.definitions import Words
from astragal.table.fields.values import Value
from astragal.table.state.seats import Viewer
from astragal.table.visibility.marks import Seen


class Prompt(Value, seen=Seen.ALL):
    """Something put to a seat or a character, and what they said to it."""

    id: str
    to: str
    """A seat or a character."""
    seat: str | None
    """The seat that answers for it, as it was asked; without one, the game master."""
    words: Words
    kind: str
    """A word by which a game knows its own prompts."""
    secret: bool
    """Is it between the one who is asked and the game master?"""
    answer: Words | None = None
    edited: Words | None = None
    """The answer as the game master put it; the other text stays beside it."""

    @property
    def is_open(self) -> bool:
        return self.answer is None

    @property
    def told(self) -> str | None:
        """The answer that counts."""
        return self.answer if self.edited is None else self.edited

    def is_for(self, viewer: Viewer) -> bool:
        is_asked = self.seat == viewer.seat or is_put_to(viewer, self.to)
        return not self.secret or is_asked or viewer.is_game_master


def is_put_to(viewer: Viewer, to: str) -> bool:
    return to == viewer.seat or to in viewer.characters
