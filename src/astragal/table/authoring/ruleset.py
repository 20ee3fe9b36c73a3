"""Ruleset: a game as one value, which joins its commands to what they do and its events to their folds.

This is the protocol for strangers, too: a package that puts a `Ruleset` under the entry-point group
`astragal.rulesets` is playable on every surface.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeAlias

from astragal.chance import Notable, Question, Rule
from astragal.table.authoring.chapter import Board, Chapter, Due, Proposals, Teller
from astragal.table.authoring.display import AtHand, OfferWords, Piece
from astragal.table.authoring.duels import Duel
from astragal.table.authoring.hero_book import BookTable, HeroBook, SkinShelf
from astragal.table.authoring.measures import Measure
from astragal.values import frozen

if TYPE_CHECKING:
    from astragal.table.state.table import Character, State

PROTOCOL = 1
"""Raised when a ruleset written for the older protocol would no longer work."""


@frozen
class Price:
    """Price of a rewind: lasting events, made from the state after the rewind."""

    doc: str
    tell: Callable[[State, int], Sequence[Any]]


@frozen
class Overridable:
    """A number that a game master may set by declared override."""

    doc: str
    limits: tuple[int, int]
    read: Callable[[Any], int]
    write: Callable[[Any, int], Any]


AnswerWords: TypeAlias = Callable[[str, Any, Teller], str]
"""An answer to the offer of this name, as plain data, in the few words that a button has room for, and that the log
quotes; empty where it says enough itself."""

Breakdown: TypeAlias = Callable[[Question[Any], Teller], Iterable[tuple[str, str]]]
"""Breakdown of a roll, as players say it: each part of the question that was played by name, with its value."""


@frozen(kw_only=True)
class Ruleset:
    """A game system: what it is called, the books it follows, its rules, its chapters, and what is shown of it."""

    id: str
    name: str
    version: str
    books: tuple[str, ...]
    about: str = ""
    """The game in a sentence, for somebody who has never heard of it."""
    dice: str = ""
    """The die that it is played with, as players write it: d20."""
    rules: tuple[Rule[..., Any], ...]
    measures: tuple[Measure, ...] = ()
    """Rolls of the game as scales of chances, for whoever compares games."""
    duel: Duel | None = None
    """How two sides fight, where the book lets them."""
    tables: Mapping[str, Callable[[], BookTable]] = field(default_factory=dict)
    """The book's tables by a short name, each worked out when it is asked for."""
    skins: SkinShelf | None = None
    """Settings over the game, as text files."""

    sheet: type
    options: type
    game: type
    begin: Callable[[Any], Any]
    """The game's own state at a new table, from its options."""
    chapters: tuple[Chapter, ...]
    furniture: Callable[[Character[Any]], Sequence[Piece]]
    """A character's sheet."""
    board: Board | None = None
    notable_words: Callable[[Notable[Any], Teller], OfferWords] | None = None
    """A notable answer to an offer: what one pays, what is left, what one gets, what it costs later."""
    answer_words: AnswerWords | None = None
    breakdown: Breakdown | None = None
    terms: Mapping[str, str] = field(default_factory=dict)
    difficulties: Mapping[str, int] = field(default_factory=dict)
    """Names for what a roll is against, in lower case and in their order, each with its number."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    overrides: Mapping[str, Overridable] = field(default_factory=dict)
    heroes: HeroBook | None = None
    foes: str = ""
    """The command that brings in foes, those that a setting has ready too: see `from_setting`."""
    due: tuple[Due, ...] = ()
    """What the story owes next; shown to whoever runs the game."""
    everyday: Mapping[str, str] = field(default_factory=dict)
    """By command, the words that people look for it by, with commas between: “hurt, damage, wound”."""
    at_hand: AtHand = AtHand()
    """Commands that the card of a person has on it."""
    sheet_page: str = ""
    """The package whose file `sheet.typ` lays out a printed sheet; without one, all games share a plain one."""
    proposals: Proposals | None = None
    renewed: Callable[[], Ruleset | None] | None = None
    """A newer version of the game, where it was read from a file that has changed since."""
    protocol: int = PROTOCOL
