"""Scenes as a directed graph: what is told, and where one can go from there."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from astragal.table.fields.values import Value
from astragal.table.state.seats import Viewer
from astragal.table.visibility.marks import Seen


class Way(Enum):
    """Visibility of an option to players."""

    OPEN = "open"
    RISKY = "risky"
    HIDDEN = "hidden"
    """It is never shown before it is opened."""


class Option(Value, seen=Seen.ALL):
    """A way on from a scene. The numbers that players see have no gaps: hidden options are counted last."""

    number: int
    words: str
    way: Way
    leads_to: Annotated[str | None, Seen.GAME_MASTER]
    """A scene; without one, what follows is not written yet."""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.way is not Way.HIDDEN


class Scene(Value, seen=Seen.ALL):
    """One place and moment, as it is told. The game master's alone until the story has come there."""

    id: str
    title: str
    hook: str = ""
    action: str = ""
    consequence: str = ""
    options: tuple[Option, ...] = ()
    """None for an ending."""
    save_node: Annotated[bool, Seen.GAME_MASTER] = False
    """Is the present marked as a save node whenever the story comes here?"""
    entered: bool = False
    picture: str = ""
    """A reference to the picture that somebody chose; without one, a plate of ours that fits."""
    alt: str = ""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.entered
