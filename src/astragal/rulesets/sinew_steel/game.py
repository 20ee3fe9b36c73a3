"""What the game itself remembers, besides its people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, TypeAlias

from astragal.table.seen import Seen
from astragal.table.state import TableState
from astragal.values import frozen

from .options import Options, Plugin
from .sheet import Sheet

ALLY_TOKENS = 3
"""SS-67: the size of the party's shared pool."""


@frozen(kw_only=True)
class Quest:
    """SS-56: a named objective that clears a track when it is met."""

    id: Annotated[str, Seen.ALL]
    objective: Annotated[str, Seen.ALL]
    who: Annotated[str | None, Seen.ALL]
    """Whose own track it clears; without one, the table's."""


@frozen(kw_only=True)
class CrisisDue:
    """SS-65: a crisis that the price of a rewind has brought. It comes next."""

    track_of: Annotated[str | None, Seen.ALL]


@frozen(kw_only=True)
class Game:
    luck_tests: Annotated[int, Seen.GAME_MASTER] = 0
    """SS-29: Luck tests since the evening began. Hidden ones count, so the number is the custodian's."""
    rest_gives_luck: Annotated[bool, Seen.ALL] = True
    """SS-26: the custodian may grant none."""
    pressure: Annotated[int, Seen.ALL] = 0
    """SS-50: the table's track, where there is one."""
    surcharged: Annotated[bool, Seen.ALL] = False
    """SS-53: whether the custodian has said that spending costs more while the table's track is at 4."""
    crises_due: Annotated[tuple[CrisisDue, ...], Seen.ALL] = ()
    quests: Annotated[Mapping[str, Quest], Seen.ALL] = field(default_factory=dict)
    beats: Annotated[int, Seen.ALL] = 0
    """SS-60: perilous beats since the last milestone."""
    plugins: Annotated[tuple[Plugin, ...], Seen.ALL] = ()
    """SS-67: what of the toolkit is on."""
    favours: Annotated[int, Seen.ALL] = 0
    """SS-67: the ally's tokens."""
    stress: Annotated[int, Seen.ALL] = 0
    """SS-67: the further track, where Pressure is shared."""
    first_side: Annotated[str | None, Seen.ALL] = None
    """SS+05: which side acts first in this encounter, where it was rolled for."""

    def plays(self, plugin: Plugin) -> bool:
        return plugin in self.plugins


def begin(options: Options) -> Game:
    """A new table, with what its skin or its people have switched on."""
    plugins = tuple(dict.fromkeys(options.plugins))
    return Game(plugins=plugins, favours=ALLY_TOKENS if Plugin.ALLY in plugins else 0)


Table: TypeAlias = TableState[Game, Sheet, Options]
