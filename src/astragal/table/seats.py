"""Who sits at a table, and what each role may do."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated

from astragal.values import frozen

from .seen import Seen


class Role(Enum):
    GAME_MASTER = "game master"
    PLAYER = "player"
    SPECTATOR = "spectator"


@frozen(kw_only=True)
class Seat:
    """A person's or a program's place at the table."""

    id: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    role: Annotated[Role, Seen.ALL]
    ai: Annotated[bool, Seen.ALL] = False
    stand_in: Annotated[str | None, Seen.ALL] = None
    """The seat that decides for this one while it is away."""


@frozen
class Viewer:
    """Whoever looks: decides what is withheld."""

    seat: str
    role: Role
    characters: frozenset[str] = frozenset()

    @property
    def is_game_master(self) -> bool:
        return self.role is Role.GAME_MASTER


class Scope(Enum):
    """How far a right reaches."""

    ANY = "for anyone"
    OWN = "for one's own characters"


Rights = Mapping[Role, Scope]
"""Which roles may give a command. A role that is not named may not."""

GAME_MASTER_ONLY: Rights = {Role.GAME_MASTER: Scope.ANY}
EVERYONE: Rights = {Role.GAME_MASTER: Scope.ANY, Role.PLAYER: Scope.ANY, Role.SPECTATOR: Scope.ANY}
GAME_MASTER_AND_PLAYERS: Rights = {Role.GAME_MASTER: Scope.ANY, Role.PLAYER: Scope.ANY}
GAME_MASTER_OR_OWNER: Rights = {Role.GAME_MASTER: Scope.ANY, Role.PLAYER: Scope.OWN}
