"""Requests: a roll that the game master has asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from astragal.table.seen import Seen
from astragal.values import frozen


@frozen(kw_only=True)
class Request:
    """A roll asked of a character: by which command, with what filled in, against which difficulty."""

    id: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]
    command: Annotated[str, Seen.ALL]
    fields: Annotated[Mapping[str, int | str | bool], Seen.ALL]
    what_for: Annotated[str, Seen.ALL]
    hidden: Annotated[bool, Seen.ALL]
    """Is the difficulty the game master's secret?"""
    shown_difficulty: Annotated[int | None, Seen.ALL] = None
    secret_difficulty: Annotated[int | None, Seen.GAME_MASTER] = None

    @property
    def difficulty(self) -> int | None:
        """What the roll is against. In a player's view a hidden one is withheld; a rule can still be asked with it."""
        return self.secret_difficulty if self.hidden else self.shown_difficulty
