"""Ruleset: a game as one value: its rules, its chapters, and what it brings besides, such as heroes on paper and skins.

This is the protocol for strangers, too: a package that puts a `Ruleset` under the entry-point group
`astragal.rulesets` is playable on every surface.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeAlias

from astragal.chance import Notable, Question, Rule, odds
from astragal.table.authoring import display, duels, log_lines, point_buy
from astragal.table.authoring.chapter import Chapter, Due
from astragal.table.refusals import Refusal
from astragal.table.state.setting import Setting
from astragal.values import frozen

if TYPE_CHECKING:
    from astragal.table.state.table import Character, State

__all__ = ["BookTable", "Measure", "Overridable", "Price", "Ruleset", "SkinShelf", "Worn", "chance_table"]

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


AnswerWords: TypeAlias = Callable[[str, Any, log_lines.Teller], str]
"""An answer to the offer of this name, as plain data, in the few words that a button has room for, and that the log
quotes; empty where it says enough itself."""

Breakdown: TypeAlias = Callable[[Question[Any], log_lines.Teller], Iterable[tuple[str, str]]]
"""Breakdown of a roll, as players say it: each part of the question that was played by name, with its value."""


# ---------------------------------------------------------------- heroes on paper, tables, skins, measures

Plain: TypeAlias = Mapping[str, Any]
"""The fields of a command as JSON has them."""


@frozen
class Repair:
    """A legal hero near to one that is not, or that beats a legal one everywhere, and what was changed."""

    words: str
    hero: Plain


@frozen(kw_only=True)
class HeroBook:
    """Hero creation of a game. `options` are the table's, as the game's own type.

    `make` is the command that brings a hero into the story and `advance` those that make one grow. `accounts` are lines
    for people on what a hero costs, and stand while one is being made. `random` takes wishes, such as a theme.
    """

    make: str
    advance: tuple[str, ...] = ()
    samples: Callable[[Any], Mapping[str, Plain]] = lambda options: {}
    accounts: Callable[[Plain, Any], Sequence[str]] = lambda hero, options: ()
    repairs: Callable[[Plain, Any], Sequence[Repair]] = lambda hero, options: ()
    better: Callable[[Plain, Any], Repair | None] = lambda hero, options: None
    """A hero of the same budget who is at least as good at everything, and better at something, where there is one."""
    random: Callable[[point_buy.Draw, Mapping[str, str], Any], Plain] | None = None
    wishes: Mapping[str, str] = field(default_factory=dict)
    """What one may wish for in a random hero, and what each wish means."""
    wish_choices: Callable[[Any], Mapping[str, Mapping[str, str]]] = lambda options: {}
    """The answers to a wish, each with its label; a wish that has none is in words of one's own."""
    unwished: Mapping[str, str] = field(default_factory=dict)
    """The answers that hold where nobody wishes; for any other wish it is chance that answers."""


def ready_heroes(book: HeroBook, options: Any, setting: Setting) -> Mapping[str, Plain]:
    """Heroes who are ready to be played, by name: the setting's, or else the game's own."""
    return {str(hero["name"]): hero for hero in setting.heroes} or book.samples(options)


@frozen
class BookTable:
    """A table of the book, worked out anew: a head and rows, all in words."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def chance_table(
    title: str, head: Iterable[str], rows: Mapping[str, Iterable[Question[Any]]], success: Callable[[Any], bool]
) -> BookTable:
    """Chances in percent: by its name, each row has a question for each of its columns."""
    told = ((name, *(f"{float(odds(one).percent(success, 1)):.1f}" for one in asked)) for name, asked in rows.items())
    return BookTable(title, tuple(head), tuple(told))


@frozen
class Worn:
    """Effect of a skin on a table: the game's options that it fills in, its terms, and what else it has ready.

    `host.open(ruleset, name=…, game_master=…, skin=…, **worn.given)` opens such a table.
    """

    options: Plain
    terms: Mapping[str, str]
    setting: Setting = Setting()

    @property
    def given(self) -> dict[str, Any]:
        return {"options": dict(self.options), "terms": dict(self.terms), "setting": self.setting}


@frozen(kw_only=True)
class SkinShelf:
    """Skins as text files: those that come with the game, a template, and what is wrong with a stranger's."""

    shipped: Callable[[], Mapping[str, str]]
    """Each skin's file, by its id."""
    template: Callable[[], str]
    faults: Callable[[str, str], Sequence[str]]
    """What is wrong with a text, each with its place; the second argument is the file's name."""
    describe: Callable[[str], Sequence[str]]
    """Lines for people on a text that has no faults."""
    wear: Callable[[str], Worn]
    first: Callable[[], str] | None = None
    """The file of a table without a setting: its first adventure."""
    schema: Callable[[], str] | None = None
    """A JSON schema of the files, for editors that help."""
    imported: Callable[[str, str], Mapping[str, str]] | None = None
    """Skins in a file of an older format, by id, each as the text of a skin's file. The second argument is its name."""


@frozen(kw_only=True)
class Measure:
    """A roll of a game as a scale of chances: each point of its ranges has one.

    `game` is the ruleset's id and `name` its name; `words` is a point in words, with its numbers by name in braces:
    "a score of {score}". `ask` is a rule, or a function that makes a rule's question from plain numbers, and `success`
    says which verdicts count. `ranges` are the numbers that may be asked about. Of points that are equally near the one
    that comes first in its ranges is named, so a range may begin with the usual numbers.

    It is `steady` if the last of its numbers, going up, only ever helps or only ever hurts: then a chance is looked for
    as a word is in a dictionary, and few of the points are weighed.
    """

    game: str
    name: str
    words: str
    ask: Callable[..., Question[Any]]
    success: Callable[[Any], bool]
    ranges: Mapping[str, Sequence[int]]
    steady: bool = False


# ---------------------------------------------------------------- the game


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
    duel: duels.Duel | None = None
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
    furniture: Callable[[Character[Any], Any], Sequence[display.Piece]]
    """A character's sheet, at a table in this state."""
    notable_words: Callable[[Notable[Any], log_lines.Teller], display.OfferWords] | None = None
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
    everyday: Mapping[str, str] = field(default_factory=dict)
    """By command, the words that people look for it by, with commas between: “hurt, damage, wound”; they can
    stand beside a command, too."""
    at_hand: display.AtHand = display.AtHand()
    """Commands that the card of a person has on it."""
    sheet_page: str = ""
    """The package whose file `sheet.typ` lays out a printed sheet; without one, all games share a plain one."""
    renewed: Callable[[], Ruleset | None] | None = None
    """A newer version of the game, where it was read from a file that has changed since."""
    protocol: int = PROTOCOL

    @property
    def due(self) -> tuple[Due, ...]:
        """What the story owes next; shown to whoever runs the game."""
        return tuple(reminder for chapter in self.chapters for reminder in chapter.reminders)

    def board(self, state: State) -> list[display.Piece]:
        """What lies on the table for all."""
        return [piece for chapter in self.chapters for rows in chapter.boards for piece in rows(state)]

    def proposals(self, state: State, teller: log_lines.Teller) -> list[display.Proposal]:
        """What somebody could do now. What depends on something hidden in this view is left out."""
        found: list[display.Proposal] = []
        for proposes in (one for chapter in self.chapters for one in chapter.proposals):
            with suppress(Refusal):
                found += proposes(state, teller)
        return found
