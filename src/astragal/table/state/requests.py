"""Requests: a roll that the game master has asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from astragal.table.fields.definitions import CharacterId, Words
from astragal.table.fields.values import Value
from astragal.table.visibility.marks import Seen


class Request(Value, seen=Seen.ALL):
    """A roll asked of a character: by which command, with what filled in, against which difficulty."""

    id: str
    who: CharacterId
    command: str
    fields: Mapping[str, int | str | bool]
    what_for: Words
    hidden: bool
    """Is the difficulty the game master's secret?"""
    difficulty: Annotated[int | None, Seen.DIFFICULTY] = None
    """The number to roll against. A hidden one is withheld from a player's view; a rule can still be asked."""

    @property
    def hides(self) -> bool:
        return self.hidden

    @property
    def asked_in(self) -> str:
        """The deed in which it was asked for. Several that are asked for at once are numbered: its id, and a number."""
        return asked_in(self.id)


def asked_in(request: str) -> str:
    """The deed of a request's id."""
    return request.partition("-")[0]
