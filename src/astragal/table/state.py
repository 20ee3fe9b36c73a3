"""Where a table stands: the fold of its log.

Values are never changed in place. Every field says who may see it; what says nothing is the game master's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Annotated, Any, Generic, TypeAlias, TypeVar

from typing_extensions import Doc

from astragal.values import frozen

from .declarations import Sight
from .seats import Role, Seat, Viewer
from .seen import Seen
from .things.calendar import Calendar
from .things.clocks import Clock
from .things.conditions import Condition
from .things.consents import Consent
from .things.notes import Note
from .things.prompts import Prompt
from .things.requests import Request
from .things.safety import Safety
from .things.scenes import Scene

S = TypeVar("S")
G = TypeVar("G")
O = TypeVar("O")  # noqa: E741 - options, beside S for sheet and G for game


@frozen(kw_only=True)
class HouseOptions:
    """What the people at a table agree on, whatever they play."""

    hand_dice: Annotated[
        bool, Doc("whether people may throw their own dice and enter what they show; programs never may"), Seen.ALL
    ] = False
    seeded: Annotated[
        bool, Doc("dice that anyone could know beforehand: a demonstration, marked as such for good"), Seen.ALL
    ] = False
    witnessed: Annotated[
        bool, Doc("whether hidden rolls wait for the links of those who promised to witness them"), Seen.ALL
    ] = False


@frozen(kw_only=True)
class Character(Generic[S]):
    """Somebody in the story. Without an owner it is the game master's."""

    id: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    seat: Annotated[str | None, Seen.ALL]
    sheet: Annotated[S, Seen.ALL]

    @property
    def owner(self) -> str | None:
        return self.seat


@frozen(kw_only=True)
class Die:
    """One die of a deed, as it lies on the table."""

    sides: Annotated[int, Seen.ALL]
    face: Annotated[int, Seen.ALL]
    by: Annotated[str, Seen.ALL]
    fate: Annotated[str, Seen.ALL]
    source: Annotated[str, Seen.ALL]


@frozen(kw_only=True)
class Asked:
    """A question as it is kept: the rule's name and its arguments."""

    rule: Annotated[str, Seen.ALL]
    arguments: Annotated[tuple[Any, ...], Seen.DIFFICULTY]


@frozen(kw_only=True)
class Decision:
    """A command that waits: its question, and the dice and answers so far."""

    act: Annotated[str, Seen.ALL]
    by: Annotated[str, Seen.ALL]
    command: Annotated[str, Seen.ALL]
    fields: Annotated[Mapping[str, Any], Seen.GAME_MASTER]
    question: Annotated[Asked, Seen.ALL]
    dice: Annotated[tuple[Die, ...], Seen.ALL]
    answers: Annotated[tuple[Any, ...], Seen.ALL]
    sides: Annotated[Mapping[str, str], Seen.ALL]
    """Who answers for each side: a character or a seat."""
    awaited: Annotated[tuple[str, ...], Seen.ALL]
    """The sides whose answers are still out."""
    sealed: Annotated[Mapping[str, Any], Seen.NOBODY] = field(default_factory=dict)
    """Answers given together, closed until all are in."""
    sight: Annotated[Sight, Seen.ALL] = Sight.OPEN
    hides: Annotated[bool, Seen.ALL] = False
    by_hand: Annotated[bool, Seen.ALL] = False
    """Are all of its dice thrown by hand, those that come after an answer too?"""

    def is_for(self, viewer: Viewer) -> bool:
        return self.sight is Sight.OPEN or viewer.is_game_master


@frozen(kw_only=True)
class TableState(Generic[G, S, O]):
    """A table: who sits there, who is in the story, and where it stands."""

    id: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    ruleset: Annotated[str, Seen.ALL]
    options: Annotated[O, Seen.ALL]
    house: Annotated[HouseOptions, Seen.ALL]
    game: Annotated[G, Seen.ALL]
    skin: Annotated[str, Seen.ALL] = ""
    terms: Annotated[Mapping[str, str], Seen.ALL] = field(default_factory=dict)
    seats: Annotated[Mapping[str, Seat], Seen.ALL] = field(default_factory=dict)
    characters: Annotated[Mapping[str, Character[S]], Seen.ALL] = field(default_factory=dict)
    decisions: Annotated[Mapping[str, Decision], Seen.ALL] = field(default_factory=dict)
    nodes: Annotated[Mapping[str, str], Seen.ALL] = field(default_factory=dict)
    """Save nodes that one can rewind to, and their labels."""
    rewinds: Annotated[int, Seen.ALL] = 0
    revealed: Annotated[tuple[str, ...], Seen.ALL] = ()
    """Hidden deeds that were opened."""
    closed_rolls: Annotated[Mapping[str, str], Seen.GAME_MASTER] = field(default_factory=dict)
    """Closed rolls that open when the scene ends, by their deed, and what the game master knows them by."""
    calendar: Annotated[Calendar, Seen.ALL] = field(default_factory=Calendar)
    scenes: Annotated[Mapping[str, Scene], Seen.ALL] = field(default_factory=dict)
    conditions: Annotated[Mapping[str, Condition], Seen.ALL] = field(default_factory=dict)
    clocks: Annotated[Mapping[str, Clock], Seen.ALL] = field(default_factory=dict)
    notes: Annotated[Mapping[str, Note], Seen.ALL] = field(default_factory=dict)
    prompts: Annotated[Mapping[str, Prompt], Seen.ALL] = field(default_factory=dict)
    requests: Annotated[Mapping[str, Request], Seen.ALL] = field(default_factory=dict)
    consents: Annotated[Mapping[str, Consent], Seen.ALL] = field(default_factory=dict)
    """What programs would do, and wait for a person to allow."""
    safety: Annotated[Safety, Seen.ALL] = field(default_factory=Safety)

    def viewer(self, seat: str) -> Viewer:
        sitting = self.seats[seat]
        return Viewer(seat, sitting.role, frozenset(one.id for one in self.characters.values() if one.seat == seat))

    def with_sheet(self, who: str, sheet: S) -> TableState[G, S, O]:
        """The same table with another sheet for a character."""
        character = replace(self.characters[who], sheet=sheet)
        return self._with(characters={**self.characters, who: character})

    def with_character(self, character: Character[S]) -> TableState[G, S, O]:
        return self._with(characters={**self.characters, character.id: character})

    def with_decisions(self, decisions: Mapping[str, Decision]) -> TableState[G, S, O]:
        return self._with(decisions=decisions)

    def _with(self, **parts: Any) -> TableState[G, S, O]:
        """For what most commands change: `replace` would go through all of the many parts one by one."""
        made = object.__new__(type(self))
        object.__setattr__(made, "__dict__", {**vars(self), **parts})
        return made

    @property
    def game_master(self) -> str:
        return next(seat.id for seat in self.seats.values() if seat.role is Role.GAME_MASTER)


State: TypeAlias = TableState[Any, Any, Any]
"""A table of any game."""
