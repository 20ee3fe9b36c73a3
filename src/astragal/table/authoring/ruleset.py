"""Ruleset: a game as one value: its rules, its chapters, and extras such as heroes on paper and skins.

This is the plugin protocol, too: a package that puts a `Ruleset` under the entry-point group `astragal.rulesets` is
playable on every surface.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct, field

from astragal.chance import Notable, Question, Rule, odds
from astragal.table.authoring import display, duels, log_lines, point_buy
from astragal.table.authoring.chapter import Chapter, Due
from astragal.table.refusals import Refusal
from astragal.table.state.setting import Setting

if TYPE_CHECKING:
    from astragal.table.state.table import Character, State

__all__ = ["AppliedSkin", "BookTable", "Measure", "Overridable", "Price", "Ruleset", "SkinShelf", "chance_table"]

PROTOCOL = 1
"""Version of the protocol, increased when a ruleset written for the older one would no longer work."""


class Price(Struct, frozen=True):
    """Price of a rewind: lasting events, made from the state after the rewind."""

    doc: str
    tell: Callable[[State, int], Sequence[Any]]


class Overridable(Struct, frozen=True):
    """A number that a game master may set by declared override."""

    doc: str
    limits: tuple[int, int]
    read: Callable[[Any], int]
    write: Callable[[Any, int], Any]


AnswerWords: TypeAlias = Callable[[str, Any, log_lines.Teller], str]
"""Words for an answer to an offer, given the offer's name and the answer as plain data. They are short enough for a
button, and the log quotes them. They are empty if the answer itself says enough."""

Breakdown: TypeAlias = Callable[[Question[Any], log_lines.Teller], Iterable[tuple[str, str]]]
"""Breakdown of a roll in the players' words: the name and the value of each part of the question that was played."""


# ---------------------------------------------------------------- heroes on paper, tables, skins, measures

Plain: TypeAlias = Mapping[str, Any]
"""The fields of a command as JSON values."""


class Repair(Struct, frozen=True):
    """Suggested changes to a hero: the nearest legal one to an illegal one, or a better one than a legal one."""

    words: str
    hero: Plain


class HeroBook(Struct, frozen=True, kw_only=True):
    """Hero creation of a game. Its functions get the table's options, as the game's own type.

    `make` is the command that brings a hero into the story, `advance` has those that make one grow. `accounts` returns
    lines on what a hero costs, shown while one is being made. `random` takes wishes, such as a theme.
    """

    make: str
    advance: tuple[str, ...] = ()
    samples: Callable[[Any], Mapping[str, Plain]] = lambda options: {}
    accounts: Callable[[Plain, Any], Sequence[str]] = lambda hero, options: ()
    repairs: Callable[[Plain, Any], Sequence[Repair]] = lambda hero, options: ()
    better: Callable[[Plain, Any], Repair | None] = lambda hero, options: None
    """Returns a hero of the same budget who is no worse at anything and better at something, if there is one."""
    random: Callable[[point_buy.Draw, Mapping[str, str], Any], Plain] | None = None
    wishes: Mapping[str, str] = field(default_factory=dict)
    """Wishes for a random hero, each with its meaning."""
    wish_choices: Callable[[Any], Mapping[str, Mapping[str, str]]] = lambda options: {}
    """Choices for a wish, each with its label. A wish without choices is free text."""
    unwished: Mapping[str, str] = field(default_factory=dict)
    """Defaults for wishes that are not made. Any other is left to chance."""


def ready_heroes(book: HeroBook, options: Any, setting: Setting) -> Mapping[str, Plain]:
    """Heroes who are ready to be played, by name: the setting's, or else the game's own."""
    return {str(hero["name"]): hero for hero in setting.heroes} or book.samples(options)


class BookTable(Struct, frozen=True):
    """A table of the book, calculated from scratch: a head and rows, all text."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def chance_table(
    title: str, head: Iterable[str], rows: Mapping[str, Iterable[Question[Any]]], success: Callable[[Any], bool]
) -> BookTable:
    """Make a table of chances in percent. Each row has a name and a question for each further column."""
    rows_of_text = []
    for name, questions in rows.items():
        percents = [f"{float(odds(question).percent(success, 1)):.1f}" for question in questions]
        rows_of_text.append((name, *percents))
    return BookTable(title, tuple(head), tuple(rows_of_text))


class AppliedSkin(Struct, frozen=True):
    """Effect of a skin on a table: the game's options that it fills in, its terms, and the rest of its setting.

    `host.open(ruleset, name=…, game_master=…, skin=…, **worn.given)` opens such a table.
    """

    options: Plain
    terms: Mapping[str, str]
    setting: Setting = Setting()

    @property
    def given(self) -> dict[str, Any]:
        return {"options": dict(self.options), "terms": dict(self.terms), "setting": self.setting}


class SkinShelf(Struct, frozen=True, kw_only=True):
    """Skins as text files: those that ship with the game, a template, and functions to validate and load any other."""

    shipped: Callable[[], Mapping[str, str]]
    """The text of each skin's file, by its id."""
    template: Callable[[], str]
    faults: Callable[[str, str], Sequence[str]]
    """Validates a text and returns its faults, each with its place. The second argument is the file's name."""
    describe: Callable[[str], Sequence[str]]
    """Describes a text without faults, in lines for people."""
    wear: Callable[[str], AppliedSkin]
    first: Callable[[], str] | None = None
    """File with the first adventure of a table without a setting."""
    schema: Callable[[], str] | None = None
    """JSON schema of the files, for completion in editors."""
    imported: Callable[[str, str], Mapping[str, str]] | None = None
    """Converts a file of an older format to the texts of skin files, by id. The second argument is the file's name."""


class Measure(Struct, frozen=True, kw_only=True):
    """A roll of a game as a scale of chances: each point of its ranges has one.

    `game` is the ruleset's id and `name` its name. `words` describes a point, with its numbers by name in braces: "a
    score of {score}". `ask` is a rule, or a function that makes a rule's question from plain numbers, and `success`
    returns which verdicts count. `ranges` are the numbers that may be asked about. Of points that are equally near, the
    first in the ranges is named, so a range may begin with the usual numbers.

    It is `steady` if the last of its numbers, going up, only ever helps or only ever hurts. A chance is then found by
    binary search, which weighs few of the points.
    """

    game: str
    name: str
    words: str
    ask: Callable[..., Question[Any]]
    success: Callable[[Any], bool]
    ranges: Mapping[str, Sequence[int]]
    steady: bool = False


# ---------------------------------------------------------------- the game


class Ruleset(Struct, frozen=True, kw_only=True):
    """A game system: its name, the books it follows, its rules, its chapters, and how it is displayed."""

    id: str
    name: str
    version: str
    books: tuple[str, ...]
    about: str = ""
    """The game in a sentence, for someone who has never heard of it."""
    dice: str = ""
    """The die that it is played with, as players write it: d20."""
    rules: tuple[Rule[..., Any], ...]
    measures: tuple[Measure, ...] = ()
    """Rolls of the game as scales of chances, to compare games by."""
    duel: duels.Duel | None = None
    """Fights of two sides, if the book has them."""
    tables: Mapping[str, Callable[[], BookTable]] = field(default_factory=dict)
    """The book's tables by a short name, each calculated on request."""
    skins: SkinShelf | None = None
    """Settings over the game, as text files."""

    sheet: type
    options: type
    game: type
    begin: Callable[[Any], Any]
    """Makes the game's own state for a new table, from its options."""
    chapters: tuple[Chapter, ...]
    furniture: Callable[[Character[Any], Any], Sequence[display.Piece]]
    """Makes the pieces that show a character's sheet, at a table in this state."""
    notable_words: Callable[[Notable[Any], log_lines.Teller], display.OfferWords] | None = None
    """Words for a notable answer to an offer: what it costs, what is left, what it brings, and what it costs later."""
    answer_words: AnswerWords | None = None
    breakdown: Breakdown | None = None
    terms: Mapping[str, str] = field(default_factory=dict)
    difficulties: Mapping[str, int] = field(default_factory=dict)
    """Names of difficulties, in lower case and in order, each with its number."""
    asked_otherwise: Mapping[str, str] = field(default_factory=dict)
    """Rolls that the game's own commands ask for, and not `request_roll`: each with how, for the refusal."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    overrides: Mapping[str, Overridable] = field(default_factory=dict)
    heroes: HeroBook | None = None
    foes: str = ""
    """The command that brings in foes, including those that a setting has ready: see `from_setting`."""
    everyday: Mapping[str, str] = field(default_factory=dict)
    """Words that people look for a command by, separated by commas: “hurt, damage, wound”. A command can also declare
    its own."""
    at_hand: display.AtHand = display.AtHand()
    """Commands on the cards of characters."""
    sheet_page: str = ""
    """The package whose file `sheet.typ` lays out a printed sheet; if empty, a plain layout that all games share."""
    renewed: Callable[[], Ruleset | None] | None = None
    """Returns a newer version of the game, if it was read from a file that has changed since."""
    protocol: int = PROTOCOL

    @property
    def due(self) -> tuple[Due, ...]:
        """Reminders of what is due next, for the game master."""
        return tuple(reminder for chapter in self.chapters for reminder in chapter.reminders)

    def board(self, state: State) -> list[display.Piece]:
        """Rows of the board, from all chapters."""
        pieces: list[display.Piece] = []
        for chapter in self.chapters:
            for rows in chapter.boards:
                pieces += rows(state)
        return pieces

    def proposals(self, state: State, teller: log_lines.Teller) -> list[display.Proposal]:
        """Commands to propose in this state. Those that depend on something hidden in this view are left out."""
        proposals: list[display.Proposal] = []
        for chapter in self.chapters:
            for proposes in chapter.proposals:
                with suppress(Refusal):
                    proposals += proposes(state, teller)
        return proposals
