"""A command as it is given, with all that was said with it."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import msgspec

from astragal.table.authoring.declarations import Sight
from astragal.table.fields.parse import Command
from astragal.table.refusals import BadFields, UnknownCommand
from astragal.table.state.seats import Viewer
from astragal.table.visibility.redact import plain

_in_order = msgspec.json.Encoder(order="deterministic")


class Given(NamedTuple):
    """A command with all that was said with it."""

    command: Command
    sight: Sight = Sight.OPEN
    by_hand: bool = False
    shown: str | None = None
    link: bytes | None = None
    program: bool = False
    agreed: str | None = None
    ruled: Viewer | None = None
    """The game master who ruled on what was proposed: the dice are that seat's."""

    def digest(self, seat: str) -> bytes:
        """Two commands are the same if this is."""
        asked = [seat, self.command_name, self.fields, self.sight.value, self.by_hand]
        try:
            return hashlib.sha256(_in_order.encode(asked)).digest()
        except (TypeError, ValueError) as fault:
            raise BadFields(["the command holds something that is no plain value"]) from fault

    @property
    def command_name(self) -> str:
        if isinstance(self.command, tuple):
            name = self.command[0]
        else:
            name = getattr(getattr(type(self.command), "__command__", None), "name", None)
        if not isinstance(name, str):
            raise UnknownCommand(f"{type(self.command).__name__} is no command.")
        return name

    @property
    def fields(self) -> Any:
        return plain(self.command[1] if isinstance(self.command, tuple) else self.command)
