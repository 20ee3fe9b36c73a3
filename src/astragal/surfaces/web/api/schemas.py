"""Schemas of the JSON API's answers, for its OpenAPI document."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from astragal.chance import Odds
from astragal.table.preview import Case, Preview
from astragal.table.visibility.redact import plain


class Schema(BaseModel):
    """Fields are documented by the line below them."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Refused(Schema):
    """Why it can't be. Nothing has happened."""

    code: str
    """Stable, for programs: `bad_fields`, `not_allowed`, `still_deciding`, … or one of the game's own."""
    sentence: str
    """For whoever plays."""


class Result(Schema):
    """How it went, in a word and in a tone that every game shares."""

    words: str
    tone: str


class Event(Schema):
    """Something that happened, as this seat sees it."""

    at: int
    """Milliseconds since 1970."""
    by: str
    """The seat whose deed it was; empty where nobody is named."""
    act: str
    """The deed that it belongs to."""
    name: str
    """What kind of event it is."""
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
    """Where it is something that goes well or badly, and this seat may know."""
    covered: bool = False
    """Others may see less of it than you, the game master, who can reveal it."""


class Receipt(Schema):
    """The ledger's last line and head as they were then: whoever keeps it can show a later rewriting."""

    line: int
    head: str


class Outcome(Schema):
    """What came of a command."""

    act: str
    """The deed: what an answer, a reveal or a narration refers to."""
    events: list[Event]
    waits_for: list[str]
    """The sides that have to decide before it is settled."""
    receipt: Receipt | None


class LogPage(Schema):
    """What happened, oldest first."""

    events: list[Event]
    cursor: str
    """Where to go on: the next page's `after`, or a stream's."""
    more: bool
    """Is there more already?"""
    anew: bool
    """The cursor was not known, or is of another role: this page begins at the beginning."""
    start: str
    """Where this page begins, if anything was seen before it."""


class Choice(Schema):
    answer: Any
    """What the command `answer` takes."""
    words: str
    """What it costs and brings, where that is worth saying."""
    price: Any


class Decision(Schema):
    """Something that waits to be decided. Whoever may not answer sees only whose it is."""

    act: str
    command: str
    who: list[str]
    name: str
    choices: list[Choice]
    dice: list[int]
    """The sides of dice that are to be thrown by hand and entered."""


class TableView(Schema):
    """The table, as this seat may see it now."""

    seat: str
    """Your own."""
    role: Literal["game master", "player", "spectator"]
    present: list[str]
    """The seats whose people are connected."""
    game: str
    """Which game is played: its own commands are found under this name."""
    state: dict[str, Any]
    """Seats, characters with their sheets, scenes, clocks, notes and what waits. What is hidden is not there."""


class Chance(Schema):
    outcome: Any
    exactly: str
    """A fraction: `3/5`."""
    percent: float


class PreviewCase(Schema):
    """The odds for one spend and, where something is hidden, for one value that it could have."""

    spend: int | None
    hidden: dict[str, int] | None
    policy: str | None
    """How offers are answered; without one, all are declined."""
    success: str | None
    """The chance of what whoever acts hopes for, where the game says what that is. A fraction."""
    chances: list[Chance]


class PreviewedOdds(Schema):
    """What would be rolled, and exactly how likely each outcome is."""

    question: str
    """Give it to the command as `shown`, and nothing else will be rolled."""
    rule: str
    arguments: dict[str, Any]
    cases: list[PreviewCase]


def previewed_odds(preview: Preview) -> PreviewedOdds:
    return PreviewedOdds(
        question=preview.question,
        rule=preview.rule,
        arguments=dict(preview.arguments),
        cases=[_case(case) for case in preview.cases],
    )


def _case(case: Case) -> PreviewCase:
    return PreviewCase(
        spend=case.spend,
        hidden=dict(case.hidden) if case.hidden else None,
        policy=case.policy,
        success=None if case.success is None else str(case.success),
        chances=_chances(case.odds),
    )


def _chances(odds: Odds[Any]) -> list[Chance]:
    chances = odds.chances()
    return [
        Chance(outcome=plain(outcome), exactly=str(chance), percent=round(float(chance) * 100, 4))
        for outcome, chance in chances.items()
    ]
