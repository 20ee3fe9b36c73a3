"""What the game itself remembers, besides its people: intents, facts, aspects, injections, threats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import Enum
from typing import Annotated, Any, TypeAlias

from astragal.table.seats import Viewer
from astragal.table.seen import Seen
from astragal.table.state import State, TableState
from astragal.values import frozen

from .harm import Track
from .options import Options
from .sheet import Sheet


@frozen(kw_only=True)
class Intent:
    """NJ-01: what somebody wants, and by what approach; not rolled for yet."""

    goal: Annotated[str, Seen.ALL]
    approach: Annotated[str, Seen.ALL]


@frozen(kw_only=True)
class Fact:
    """NJ-03: something that was made true. While a hidden difficulty is unrevealed, only the game master knows."""

    id: Annotated[str, Seen.ALL]
    by: Annotated[str, Seen.ALL]
    """The character whose intent it was, or the seat that injected it."""
    words: Annotated[str, Seen.ALL]
    hidden: Annotated[bool, Seen.GAME_MASTER] = False

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or not self.hidden


class Span(Enum):
    """NJ-18: how long an aspect holds."""

    SCENE = "scene"
    STORY = "story"


@frozen(kw_only=True)
class Aspect:
    """NJ-18, NJ-23: something of the scene or the story that lends dice to those whom the game master allows it."""

    id: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    dice: Annotated[int, Seen.ALL]
    span: Annotated[Span, Seen.ALL]
    open_to: Annotated[tuple[str, ...] | None, Seen.ALL] = None
    """The characters that may invoke it; None stands for everyone."""
    helpers: Annotated[tuple[str, ...], Seen.ALL] = ()
    """NJ-25: who helps, where the aspect is somebody's help."""
    once: Annotated[bool, Seen.ALL] = False
    """Does it go with the first roll that invokes it?"""
    hidden: Annotated[bool, Seen.GAME_MASTER] = False

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or not self.hidden

    def is_open_to(self, who: str) -> bool:
        return self.open_to is None or who in self.open_to


@frozen(kw_only=True)
class Injection:
    """NJ-22: a fact that a player put into the story."""

    id: Annotated[str, Seen.ALL]
    seat: Annotated[str, Seen.ALL]
    evening: Annotated[int, Seen.ALL]


@frozen(kw_only=True)
class Threat:
    """NJ+04: an enemy or a danger. It never rolls."""

    id: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    level: Annotated[int, Seen.ALL]
    boss: Annotated[bool, Seen.ALL] = False
    track: Annotated[Track, Seen.ALL] = Track.PHYSICAL

    @property
    def stress(self) -> int:
        """NJ+04: what a failed defence costs."""
        return self.level + (2 if self.boss else 1)


@frozen(kw_only=True)
class Game:
    intents: Annotated[Mapping[str, Intent], Seen.ALL] = field(default_factory=dict)
    """By character: declared, and not rolled for yet."""
    facts: Annotated[Mapping[str, Fact], Seen.ALL] = field(default_factory=dict)
    aspects: Annotated[Mapping[str, Aspect], Seen.ALL] = field(default_factory=dict)
    injections: Annotated[Mapping[str, Injection], Seen.ALL] = field(default_factory=dict)
    """Those that nobody has vetoed."""
    threats: Annotated[Mapping[str, Threat], Seen.ALL] = field(default_factory=dict)


Table: TypeAlias = TableState[Game, Sheet, Options]


def with_game(state: State, **changes: Any) -> State:
    """The same table, something of its game changed."""
    return replace(state, game=replace(state.game, **changes))
