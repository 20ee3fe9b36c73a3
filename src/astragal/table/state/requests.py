"""Requests: a roll that the game master has asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from astragal.table.fields.values import Value
from astragal.table.visibility.marks import Seen


class Request(Value, seen=Seen.ALL):
    """A roll asked of a character: by which command, with what filled in, against which difficulty."""

    id: str
    who: str
    command: str
    fields: Mapping[str, int | str | bool]
    what_for: str
    hidden: bool
    """Is the difficulty the game master's secret?"""
    shown_difficulty: int | None = None
    secret_difficulty: Annotated[int | None, Seen.GAME_MASTER] = None

    @property
    def difficulty(self) -> int | None:
        """The number to roll against. A hidden one is withheld from a player's view; a rule can still be asked."""
        return self.secret_difficulty if self.hidden else self.shown_difficulty
