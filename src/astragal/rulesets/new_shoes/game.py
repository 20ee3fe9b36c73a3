"""What the game itself remembers: approaches that are under way, what is true of the scene, the dice last thrown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import Enum
from typing import Annotated, TypeAlias

from astragal.table.seen import Seen
from astragal.table.state import Die, State, TableState
from astragal.values import frozen

from .options import Options
from .sheet import Attribute, Sheet, Status


class Does(Enum):
    HARM = "harm"
    HEAL = "heal"


@frozen(kw_only=True)
class Effect:
    """NS-10, NS-14: what the difference between total and target does, to whom, and to which attribute."""

    does: Annotated[Does, Seen.ALL]
    to: Annotated[str, Seen.ALL]
    attribute: Annotated[Attribute, Seen.ALL]


@frozen(kw_only=True)
class Support:
    """NS-07: somebody lends a hand with an attribute."""

    who: Annotated[str, Seen.ALL]
    attribute: Annotated[Attribute, Seen.ALL]


@frozen(kw_only=True)
class Threat:
    """NS-08: what somebody of the game master's does, and whether it harms."""

    words: Annotated[str, Seen.ALL]
    by: Annotated[str | None, Seen.ALL]
    harmful: Annotated[bool, Seen.ALL]


@frozen(kw_only=True)
class Called:
    """NS-02: what the game master made of a description. The target, which may be hidden, is in the request."""

    attribute: Annotated[Attribute, Seen.ALL]
    request: Annotated[str | None, Seen.ALL] = None
    """The roll that is asked for; none for whoever opposes, since the one who acts throws for both."""
    against: Annotated[str | None, Seen.ALL] = None
    """Who or what stands against it and does not roll."""
    opposing: Annotated[str | None, Seen.ALL] = None
    """NS-06: the approach on the other side."""
    harmed: Annotated[Attribute | None, Seen.ALL] = None
    """NS-10: what harm takes from the other side, where the game master named it."""
    hurt: Annotated[Attribute | None, Seen.ALL] = None
    """NS-10: what harm takes from this side, where the game master named it."""
    healing: Annotated[Effect | None, Seen.ALL] = None
    statuses: Annotated[tuple[str, ...] | None, Seen.ALL] = None
    """NS-04: those that apply, where the game master named them."""


@frozen(kw_only=True)
class Approach:
    """What somebody is about to do, from its description to its roll."""

    id: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]
    words: Annotated[str, Seen.ALL] = ""
    """None yet for a reaction that waits."""
    harmful: Annotated[bool, Seen.ALL] = False
    threat: Annotated[Threat | None, Seen.ALL] = None
    """NS-08: what this is a reaction to."""
    called: Annotated[Called | None, Seen.ALL] = None
    support: Annotated[tuple[Support, ...], Seen.ALL] = ()

    @property
    def title(self) -> str:
        """What it is known by: how it was described or, until then, what it is a reaction to."""
        return self.words or (self.threat.words if self.threat else "")


@frozen(kw_only=True)
class Thrown:
    """NS-03: the dice of a roll, each with those that it brought."""

    mine: Annotated[tuple[tuple[int, ...], ...], Seen.ALL]
    theirs: Annotated[tuple[tuple[int, ...], ...], Seen.ALL] = ()


@frozen(kw_only=True)
class Game:
    approaches: Annotated[Mapping[str, Approach], Seen.ALL] = field(default_factory=dict)
    statuses: Annotated[tuple[Status, ...], Seen.ALL] = ()
    """NS-09: on the scene and on things that nobody plays."""
    thrown: Annotated[Thrown | None, Seen.GAME_MASTER] = None
    """The dice of the last approach; it may have been rolled out of sight."""
    aside: Annotated[Mapping[str, tuple[Die, ...]], Seen.GAME_MASTER] = field(default_factory=dict)
    """Dice thrown by hand, of rolls that want more of them."""
    taken_up: Annotated[tuple[Die, ...], Seen.GAME_MASTER] = ()
    """Of those, the ones to which more are being thrown."""


Table: TypeAlias = TableState[Game, Sheet, Options]


def with_approach(state: State, approach: Approach) -> State:
    approaches = {**state.game.approaches, approach.id: approach}
    return replace(state, game=replace(state.game, approaches=approaches))


def without_approaches(state: State, *gone: str | None) -> State:
    approaches = {key: one for key, one in state.game.approaches.items() if key not in gone}
    return replace(state, game=replace(state.game, approaches=approaches))
