"""Consents: what a program would do, and a person has to allow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from astragal.table.declarations import Sight
from astragal.table.seats import Role, Viewer
from astragal.table.seen import Seen
from astragal.values import frozen


@frozen(kw_only=True)
class Consent:
    """A command that a program proposes. It is given once somebody who may has said yes."""

    id: Annotated[str, Seen.ALL]
    by: Annotated[str, Seen.ALL]
    """The seat that proposes it."""
    of: Annotated[str | None, Seen.ALL]
    """The seat whose yes it takes; without one, that of anybody who plays here."""
    command: Annotated[str, Seen.ALL]
    fields: Annotated[Mapping[str, Any], Seen.GAME_MASTER]
    words: Annotated[str, Seen.ALL]
    """The command as people read it."""
    sight: Annotated[Sight, Seen.ALL] = Sight.OPEN

    def is_for(self, viewer: Viewer) -> bool:
        asked = self.of == viewer.seat if self.of else viewer.role is not Role.SPECTATOR
        return asked or viewer.is_game_master or viewer.seat == self.by
