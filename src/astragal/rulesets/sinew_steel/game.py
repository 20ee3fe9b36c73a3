"""What the game itself remembers, besides its people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from astragal.table.seen import Seen
from astragal.table.state import TableState

from .options import Options
from .sheet import Sheet


@dataclass(frozen=True, kw_only=True)
class Game:
    luck_tests: Annotated[int, Seen.GAME_MASTER] = 0
    """SS-29: Luck tests since the evening began. Hidden ones count, so the number is the custodian's."""
    rest_gives_luck: Annotated[bool, Seen.ALL] = True
    """SS-26: the custodian may grant none."""


Table: TypeAlias = TableState[Game, Sheet, Options]
