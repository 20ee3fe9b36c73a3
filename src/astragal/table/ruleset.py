"""What a game system is to a table: one value that joins its commands to what they do and its events to their folds.

This is the protocol for strangers, too: a package that puts a `Ruleset` under the entry-point group
`astragal.rulesets` is playable on every surface.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from astragal.chance import Notable, Policy, Question
from astragal.values import frozen

from .creation import HeroBook
from .declarations import Sight, kind_of_command, kind_of_event
from .fields import fields_of
from .furniture import Piece, Proposal, Tools, Went
from .rulebook import Rulebook
from .seats import Viewer

if TYPE_CHECKING:
    from .state import Character, State

PROTOCOL = 1
"""Raised when a ruleset written for the older protocol would no longer work."""

C = TypeVar("C")
E = TypeVar("E")
V = TypeVar("V")


@frozen
class Call:
    """A command as it reaches its functions: the state it is asked in, who asks, an id for whatever is new, and how
    it will be shown.
    """

    state: State
    viewer: Viewer
    fresh: str
    sight: Sight = Sight.OPEN


@frozen
class Spend:
    """A field that pays for the roll before it: its legal range comes from the state."""

    field: str
    legal: Callable[[Call, Any], range]


@frozen
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

    def pays(self, command: C) -> bool:
        """Does whoever acts spend something before the roll?"""
        spent = [field.name for field in fields_of(self.command) if field.is_paid]
        spent += [self.spend.field] if self.spend else []
        return any(getattr(command, name) for name in spent)

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


@frozen
class Happening(Generic[E]):
    """An event, what it changes, and how it is told. One without a fold changes nothing (chat, narration).

    `went` says how it went, as far as the viewer for whom it is told may know: None says nothing.
    """

    event: type[E]
    words: Callable[[E, Teller], str]
    fold: Callable[[State, E], State] | None = None
    went: Callable[[E, Teller], Went | None] | None = None

    @property
    def name(self) -> str:
        return kind_of_event(self.event).name


@frozen
class Reaction(Generic[E]):
    """What an event brings with it: asked with the state after the event."""

    event: type[E]
    tell: Callable[[State, E], Sequence[Any]]


@frozen
class Chapter:
    """Commands, events and reactions that belong together."""

    actions: tuple[Action[Any, Any], ...] = ()
    happenings: tuple[Happening[Any], ...] = ()
    reactions: tuple[Reaction[Any], ...] = ()


@frozen
class Price:
    """What a rewind may cost: lasting events, told from the state after the rewind."""

    doc: str
    tell: Callable[[State, int], Sequence[Any]]


@frozen
class Overridable:
    """A number that a game master may set by declared override."""

    doc: str
    limits: tuple[int, int]
    read: Callable[[Any], int]
    write: Callable[[Any, int], Any]


Due: TypeAlias = Callable[["State", Teller], Iterable[str]]
"""A matter that can come due: sentences read off the state, each with the command that settles it. Where it depends on
something that a viewer may not know, that viewer is told nothing."""

AnswerWords: TypeAlias = Callable[[str, Any, Teller], str]
"""An answer to the offer of this name, as plain data, in the few words that a button has room for, and that the log
quotes; empty where it says enough itself."""

Reckoning: TypeAlias = Callable[[Question[Any], Teller], Iterable[tuple[str, str]]]
"""What went into a roll, as players say it: each part of the question that was played by its name, with its worth."""


@frozen(kw_only=True)
class Ruleset(Rulebook):
    """A game system: `Ruleset(**vars(RULEBOOK), …)` where its rules are a rulebook of their own."""

    sheet: type
    options: type
    game: type
    begin: Callable[[Any], Any]
    """The game's own state at a new table, from its options."""
    chapters: tuple[Chapter, ...]
    furniture: Callable[[Character[Any]], Sequence[Piece]]
    """A character's sheet."""
    board: Callable[[State], Sequence[Piece]] | None = None
    """What lies on the table for all, and belongs to no character: a shared track, threats, what is under way."""
    notable_words: Callable[[Notable[Any], Teller], str] | None = None
    """A notable answer to an offer in words: its price, its result and its later cost."""
    answer_words: AnswerWords | None = None
    reckoning: Reckoning | None = None
    terms: Mapping[str, str] = field(default_factory=dict)
    prices: Mapping[str, Price] = field(default_factory=dict)
    overrides: Mapping[str, Overridable] = field(default_factory=dict)
    heroes: HeroBook | None = None
    due: tuple[Due, ...] = ()
    """What the story owes next; shown to whoever runs the game."""
    stalled: str = ""
    """The command that deals the game master a move when the players stall; the table has moves of its own."""
    tools: tuple[Tools, ...] = ()
    """What a game master reaches for, in groups; commands that none of them names are found under the game's name."""
    proposals: Callable[[State, Teller], Iterable[Proposal]] | None = None
    """What lies at hand for the game master as things stand: moves that are allowed, approaches to be called."""
    protocol: int = PROTOCOL
