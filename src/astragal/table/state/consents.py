"""Consents: commands that wait for a yes. A program's wait for a person, a player's for the game master's ruling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from astragal.table.authoring.declarations import Sight
from astragal.table.fields.definitions import FreeText
from astragal.table.fields.values import Value, field
from astragal.table.state.seats import Role, Viewer
from astragal.table.visibility.marks import Seen


class Consent(Value, seen=Seen.ALL):
    """A command that is proposed. It is given once somebody who may has said yes."""

    id: str
    by: str
    """The seat that proposes it."""
    of: str | None
    """The seat whose yes it takes; without one, that of anybody who plays here."""
    command: str
    fields: Annotated[Mapping[str, Any], Seen.GAME_MASTER]
    """Those of the command, but for its free text."""
    words: Annotated[str, FreeText()]
    """The command as people read it."""
    sight: Sight = Sight.OPEN
    ruling: tuple[str, ...] = ()
    """The fields that the game master rules on, where a player proposed them."""
    texts: Annotated[Mapping[str, str], FreeText(), Seen.GAME_MASTER] = field(default_factory=dict)
    """The free text of the command, by field."""

    @property
    def said(self) -> Mapping[str, Any]:
        """All fields of the command."""
        return {**self.fields, **self.texts}

    def is_for(self, viewer: Viewer) -> bool:
        asked = self.of == viewer.seat if self.of else viewer.role is not Role.SPECTATOR
        return asked or viewer.is_game_master or viewer.seat == self.by
