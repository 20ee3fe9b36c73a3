"""What a game system is to a table: one value that joins its commands to what they do and its events to their folds.

This is the protocol for strangers, too: a package that puts a `Ruleset` under the entry-point group
`astragal.rulesets` is playable on every surface.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from astragal.chance import Notable, Policy, Question, Rule

from .creation import BookTable, HeroBook, SkinShelf
from .declarations import Sight, kind_of_command, kind_of_event
from .furniture import Piece
from .measures import Measure
from .seats import Viewer

if TYPE_CHECKING:
    from .state import Character, State

PROTOCOL = 1
"""Raised when a ruleset written for the older protocol would no longer work."""

C = TypeVar("C")
E = TypeVar("E")
V = TypeVar("V")


@dataclass(frozen=True)
class Call:
    """A command as it reaches its functions: the state it is asked in, who asks, an id for whatever is new, and how
    it will be shown.
    """

    state: State
    viewer: Viewer
    fresh: str
    sight: Sight = Sight.OPEN


@dataclass(frozen=True)
class Spend:
    """A field that pays for the roll before it: its legal range comes from the state."""

    field: str
    legal: Callable[[Call, Any], range]


@dataclass(frozen=True)
class Action(Generic[C, V]):
    """A command and its functions: *gather* makes the question, the rule decides it, *tell* says what happened.

    Without `gather` nothing is rolled, and `tell` gets None for a verdict. `sides` says who answers for each side of
    the question's offers, by character or seat; unsaid, a side is the command's field of that name. `outcome` is what
    a preview counts, `hopes` whether whoever acts would be glad of an outcome, and `policies` are further ways to
    answer offers that a preview counts by, beside declining all. `hides` tells whether the roll's difficulty is hidden
    from players.
    """

    command: type[C]
    tell: Callable[[Call, C, V], Sequence[Any]]
    gather: Callable[[Call, C], Question[V]] | None = None
    sides: Callable[[Call, C], Mapping[str, str]] | None = None
    spend: Spend | None = None
    outcome: Callable[[V], Hashable] = lambda verdict: verdict
    hopes: Callable[[Any], bool] | None = None
    policies: Mapping[str, Policy] = field(default_factory=dict)
    hides: Callable[[Call, C], bool] = lambda call, command: False

    @property
    def name(self) -> str:
        return kind_of_command(self.command).name


class Teller:
    """What words need besides the event: names of people, and the skin's terms."""

    def __init__(self, state: State, terms: Mapping[str, str]) -> None:
        self._state, self._terms = state, terms

    def name(self, who: Any) -> str:
        """What a character or a seat is called."""
        found = self._state.characters.get(who) or self._state.seats.get(who)
        return found.name if found else "someone"

    def term(self, word: str) -> str:
        """What the skin calls it."""
        return self._terms.get(word, word)


@dataclass(frozen=True)
class Happening(Generic[E]):
    """An event, what it changes, and how it is told. One without a fold changes nothing (chat, narration)."""

    event: type[E]
    words: Callable[[E, Teller], str]
    fold: Callable[[State, E], State] | None = None

    @property
    def name(self) -> str:
        return kind_of_event(self.event).name


@dataclass(frozen=True)
class Reaction(Generic[E]):
    """What an event brings with it: asked with the state after the event."""

    event: type[E]
    tell: Callable[[State, E], Sequence[Any]]


@dataclass(frozen=True)
class Chapter:
    """Commands, events and reactions that belong together."""

    actions: tuple[Action[Any, Any], ...] = ()
    happenings: tuple[Happening[Any], ...] = ()
    reactions: tuple[Reaction[Any], ...] = ()


@dataclass(frozen=True)
class Price:
    """What a rewind may cost: lasting events, told from the state after the rewind."""

    doc: str
    tell: Callable[[State, int], Sequence[Any]]


@dataclass(frozen=True)
class Overridable:
    """A number that a game master may set by declared override."""

    doc: str
    limits: tuple[int, int]
    read: Callable[[Any], int]
    write: Callable[[Any, int], Any]


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """A game system."""

    id: str
    name: str
    version: str
    books: tuple[str, ...]
    sheet: type
    options: type
    game: type
    begin: Callable[[Any], Any]
    """The game's own state at a new table, from its options."""
    chapters: tuple[Chapter, ...]
    rules: tuple[Rule[..., Any], ...]
    furniture: Callable[[Character[Any]], Sequence[Piece]]
    notable_words: Callable[[Notable[Any], Teller], str] | None = None
    """A notable answer to an offer in words: its price, its result and its later cost."""
    terms: Mapping[str, str] = field(default_factory=dict)
    prices: Mapping[str, Price] = field(default_factory=dict)
    overrides: Mapping[str, Overridable] = field(default_factory=dict)
    heroes: HeroBook | None = None
    tables: Mapping[str, Callable[[], BookTable]] = field(default_factory=dict)
    """The book's tables by a short name, each worked out when it is asked for."""
    skins: SkinShelf | None = None
    measures: tuple[Measure, ...] = ()
    """What its numbers are worth as chances, beside those of other games."""
    protocol: int = PROTOCOL
