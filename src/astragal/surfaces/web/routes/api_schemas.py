"""Schemas of the JSON API: the options of a command, and the answers, for the OpenAPI document."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from astragal.chance import Odds
from astragal.table.declarations import Sight
from astragal.table.visibility.redact import plain


class Schema(BaseModel):
    """Base of all schemas: a field's description is the line below it."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class HowGiven(Schema):
    """Options of a command, as query parameters."""

    link: str = ""
    """the next link of the seat's own chain, where its rolls are paired"""
    sight: Sight = Sight.OPEN
    """how it is shown to others; for the game master"""
    by_hand: bool = False
    """wait for dice that are thrown by hand"""
    shown: str | None = Field(None, max_length=40)
    """the `question` of the odds that this was decided on: nothing else is rolled"""


class Refused(Schema):
    """A refusal: why the command can't be given. Nothing has happened."""

    code: str
    """Stable, for programs: `bad_fields`, `not_allowed`, `still_deciding`, … or one of the game's own."""
    sentence: str
    """For the player."""


class Result(Schema):
    """The result in words, and a tone that every game shares."""

    words: str
    tone: str


class Event(Schema):
    """Something that happened, as this seat sees it."""

    at: int
    """Milliseconds since 1970."""
    by: str
    """The seat that gave the command; empty where nobody is named."""
    act: str
    """The id of the command that it belongs to."""
    name: str
    """The kind of event."""
    words: str
    """What happened, in the game's words."""
    fields: dict[str, Any]
    """The numbers that prove it, as far as this seat may see them."""
    closed: bool = False
    """Something was rolled out of sight: there is nothing more to see, until it is revealed."""
    abandoned: bool = False
    """A rewind left it behind."""
    opened: list[Event] = []
    """What a reveal turned over."""
    went: Result | None = None
    """Present if it is something that goes well or badly, and this seat may know."""
    covered: bool = False
    """Others may see less of it than you, the game master, who can reveal it."""
    out_of_sight: bool = False
    """It was rolled behind the screen, whether or not it has been revealed since."""


class Receipt(Schema):
    """The ledger's last line and head at that time. Kept, it shows whether the ledger is rewritten later."""

    line: int
    head: str


class Outcome(Schema):
    """The outcome of a command."""

    act: str
    """The command's id: an answer, a reveal or a narration refers to it."""
    events: list[Event]
    waits_for: list[str]
    """The sides that have to decide before it is settled."""
    receipt: Receipt | None


class LogPage(Schema):
    """A page of the log, oldest event first."""

    events: list[Event]
    cursor: str
    """Where to go on: use it as `after` for the next page or for a stream."""
    more: bool
    """True if there are more events after this page."""
    restarted: bool
    """The cursor was not known, or is of another role: this page begins at the beginning."""
    start: str
    """The cursor where this page begins, if anything was seen before it."""


class Offer(Schema):
    """A notable answer: what you get and pay, what is left of that, what it costs later; or its title."""

    gets: str
    pays: str
    leaves: str
    later: str
    title: str


class Span(Schema):
    """The chance of success for the values that a hidden number could have, from what anyone may know. Fractions."""

    low: str
    likely: str
    high: str
    against: int
    """The likely value of what is hidden: `likely` is the chance against it."""


class Choice(Schema):
    answer: Any
    """What the command `answer` takes."""
    words: str
    """What it costs and brings, if that is worth saying."""
    price: Any
    label: str
    """The answer in a few words, if its value does not say enough."""
    offer: Offer | None
    """The same as `words`, part by part."""
    success: str | None = None
    """For a sealed bid: its likely chance, a fraction."""
    span: Span | None = None


class Decision(Schema):
    """A pending decision. Seats that may not answer see only whose it is."""

    act: str
    command: str
    who: list[str]
    name: str
    choices: list[Choice]
    dice: list[int]
    """The sides of dice that are to be thrown by hand and entered."""


class Me(Schema):
    """The seat that a token opens."""

    table: str
    name: str
    """The table's name."""
    game: str
    seat: str
    called: str
    """The seat's name."""
    role: Literal["game master", "player", "spectator"]
    ai: bool
    heroes: list[str]
    until: int
    """When the token ends, in milliseconds since 1970."""


class TableView(Schema):
    """The table, as this seat may see it now."""

    seat: str
    """Your own."""
    role: Literal["game master", "player", "spectator"]
    present: list[str]
    """The seats whose people are connected."""
    game: str
    """The game that is played. Its own commands are found under this name."""
    state: dict[str, Any]
    """Seats, characters with their sheets, scenes, clocks, notes and what waits. What is hidden is not there."""


class Chance(Schema):
    outcome: Any
    exactly: str
    """A fraction: `3/5`."""
    percent: float


class PreviewCase(Schema):
    """The odds for one spend, one bid, or one way to answer offers."""

    spend: int | None
    bid: int | str | None
    """What would be declared in secret, if both sides do so before the roll."""
    span: Span | None
    """Present if something is hidden; the chances are then those against its likely value."""
    policy: str | None
    """How offers are answered; without one, all are declined."""
    variant: str | None
    """What would be different from what is rolled; null for the roll itself."""
    is_idle: bool
    """True if the last point of the spend brings nothing."""
    success: str | None
    """The chance of the outcome that the acting side hopes for, if the game defines it. A fraction."""
    chances: list[Chance]


class Rung(Schema):
    """The chance of success that a number of points brings. A fraction."""

    points: int
    chance: str
    span: Span | None


class Reach(Schema):
    """The fewest points that reach a chance."""

    wanted: str
    points: int | None
    """Null if no spend reaches it."""
    chance: str | None
    """The chance that they come to."""
    best: Rung
    """The most that any spend brings."""
    words: str
    """All that in a sentence."""


class PreviewedOdds(Schema):
    """A preview: what would be rolled, and the exact chance of each outcome."""

    question: str
    """Send it to the command as `shown`, and nothing else will be rolled."""
    rule: str
    arguments: dict[str, Any]
    cases: list[PreviewCase]
    points: str
    """What is spent, before the roll or after it, in the table's words."""
    after: list[Rung]
    """The chance by the number of points spent after the roll, if that can be done."""
    risks: str
    """What a failure would cost, as far as this seat knows it."""
    reach: Reach | None
    """The price of the chance that `reach` names."""


def chances_of(odds: Odds[Any]) -> dict[str, Any]:
    """Format the odds of a case for `PreviewCase`."""
    return {
        "chances": [
            {"outcome": plain(outcome), "exactly": str(chance), "percent": round(float(chance) * 100, 4)}
            for outcome, chance in odds.chances().items()
        ]
    }
