"""Seats at a table, their roles, what each role may do, and who may see a field."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from astragal.table.fields.values import Value
from astragal.values import frozen


class Seen(Enum):
    """Viewers of a field. What has no such mark is the game master's alone."""

    ALL = "everyone"
    OWNER = "the owner and the game master"
    DIFFICULTY = "everyone, unless the roll's difficulty is hidden"
    GAME_MASTER = "the game master"
    NOBODY = "nobody, until the table opens it"


class Role(Enum):
    GAME_MASTER = "game master"
    PLAYER = "player"
    SPECTATOR = "spectator"


class Seat(Value, seen=Seen.ALL):
    """A person's or a program's place at the table."""

    id: str
    name: str
    role: Role
    ai: bool = False
    stand_in: str | None = None
    """The seat that decides for this one while it is away."""


@frozen
class Viewer:
    """The seat that looks: decides what is withheld."""

    seat: str
    role: Role
    characters: frozenset[str] = frozenset()

    @property
    def is_game_master(self) -> bool:
        return self.role is Role.GAME_MASTER

    def owns(self, owner: str) -> bool:
        """Is this the viewer's seat, or one of their characters?"""
        return owner == self.seat or owner in self.characters


class Scope(Enum):
    """The reach of a right."""

    ANY = "for anyone"
    OWN = "for one's own characters"


Rights = Mapping[Role, Scope]
"""Which roles may give a command. A role that is not named may not."""

GAME_MASTER_ONLY: Rights = {Role.GAME_MASTER: Scope.ANY}
EVERYONE: Rights = {Role.GAME_MASTER: Scope.ANY, Role.PLAYER: Scope.ANY, Role.SPECTATOR: Scope.ANY}
GAME_MASTER_AND_PLAYERS: Rights = {Role.GAME_MASTER: Scope.ANY, Role.PLAYER: Scope.ANY}
GAME_MASTER_OR_OWNER: Rights = {Role.GAME_MASTER: Scope.ANY, Role.PLAYER: Scope.OWN}
