"""Scenes as a directed graph: what is told, and where one can go from there."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from astragal.table.seats import Viewer
from astragal.table.seen import Seen
from astragal.values import frozen


class Way(Enum):
    """What players know of an option."""

    OPEN = "open"
    RISKY = "risky"
    HIDDEN = "hidden"
    """It is never shown before it is opened."""


@frozen(kw_only=True)
class Option:
    """A way on from a scene. The numbers that players see have no gaps: hidden options are counted last."""

    number: Annotated[int, Seen.ALL]
    words: Annotated[str, Seen.ALL]
    way: Annotated[Way, Seen.ALL]
    leads_to: Annotated[str | None, Seen.GAME_MASTER]
    """A scene; without one, what follows is not written yet."""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.way is not Way.HIDDEN


@frozen(kw_only=True)
class Scene:
    """What is told of one place and moment. The game master's alone until the story has come there."""

    id: Annotated[str, Seen.ALL]
    title: Annotated[str, Seen.ALL]
    hook: Annotated[str, Seen.ALL] = ""
    action: Annotated[str, Seen.ALL] = ""
    consequence: Annotated[str, Seen.ALL] = ""
    options: Annotated[tuple[Option, ...], Seen.ALL] = ()
    """None for an ending."""
    save_node: Annotated[bool, Seen.GAME_MASTER] = False
    """Is the present marked as a save node whenever the story comes here?"""
    entered: Annotated[bool, Seen.ALL] = False

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.entered
