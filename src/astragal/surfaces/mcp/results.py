"""Results of tools: small models for programs, each with a rendering for whoever reads."""

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel

from astragal.surfaces.mcp.session import ROLLED
from astragal.surfaces.mcp.untrusted_text import clean, cleaned, quoted
from astragal.surfaces.shared.odds import ANY_SUCCESS
from astragal.table.refusals import Refusal
from astragal.table.visibility.events import SeenEvent

EXPECTED = {
    "unknown_command": "actions lists the commands; give one of those names.",
    "bad_fields": "actions with command set shows the fields, their limits and an example.",
    "not_allowed": "actions lists what your seat may do.",
    "no_such_thing": "look shows who and what is here; secret with do=list shows handles.",
    "still_deciding": "look with what=waiting shows the decision; answer settles it.",
    "nothing_to_answer": "look with what=waiting shows what is open.",
    "not_an_option": "answer without an answer shows the options.",
    "id_reused": "Leave intent out, or choose another word for this intent.",
    "question_changed": "Call odds again.",
    "no_such_table": "table with do=list shows the tables; sit down at one.",
    "no_room": "Try again in a moment.",
}
"""What to do about a refusal, where its sentence may not say it."""


class Event(BaseModel):
    act: str
    kind: str
    by: str
    words: str
    dice: list[int] = []


class Waits(BaseModel):
    id: str
    who: str
    what: str
    whose: str
    options: list[Any] = []


class Done(BaseModel):
    """What came of a deed. `ask` is a question for the person; `act` is what a narration cites."""

    act: str = ""
    events: list[Event] = []
    waits: list[Waits] = []
    warnings: list[str] = []
    due: list[str] = []
    ask: str = ""
    handle: str = ""

    def text(self) -> Iterable[str]:
        if self.act:
            yield f"Done: deed {self.act}."
        yield quoted(f"[{event.act}] {event.words}" for event in self.events)
        yield from waits_lines(self.waits)
        if self.handle:
            more = (
                " (secret with do=read: what of it the person does not see)" if self.handle.startswith("act:") else ""
            )
            yield f"Handle: {self.handle}{more}"
        yield from (f"Warning: {warning}" for warning in self.warnings)
        yield from due_lines(self.due)
        if self.ask:
            yield f"Ask the person, and wait for their answer: {self.ask}"


class Person(BaseModel):
    name: str
    played_by: str
    sheet: list[str]


class Standing(BaseModel):
    table: str
    game: str
    you: str
    story: list[str] = []
    people: list[Person] = []
    waits: list[Waits] = []
    news: list[Event] = []
    due: list[str] = []
    handles: list[str] = []

    def text(self) -> Iterable[str]:
        yield f"{self.table} ({self.game}). You are {self.you}."
        told = [*self.story, *(f"{one.name} ({one.played_by}): {'; '.join(one.sheet)}" for one in self.people)]
        yield quoted(told, 1200)
        yield from waits_lines(self.waits)
        if self.news:
            yield "New since you last looked."
            yield quoted(f"[{event.act}] {event.words}" for event in self.news)
        yield from due_lines(self.due)
        if self.handles:
            yield "Secrets (read one with secret): " + ", ".join(clean(one) for one in self.handles)


class Commands(BaseModel):
    commands: dict[str, str] = {}
    fields: dict[str, Any] = {}
    example: dict[str, Any] = {}

    def text(self) -> Iterable[str]:
        yield from (f"{name}: {doc}" for name, doc in self.commands.items())
        for name, field in self.fields.items():
            yield f"  {name}: {in_json(field)}"
        if self.example:
            yield f"Example: act {in_json(self.example)}"


class OddsFound(BaseModel):
    """A preview as every program gets it, with each case in words."""

    question: str = ""
    rule: str = ""
    arguments: dict[str, Any] = {}
    cases: list[dict[str, Any]] = []
    points: str = ""
    after: list[dict[str, Any]] = []
    reach: dict[str, Any] | None = None

    def text(self) -> Iterable[str]:
        if not self.cases:
            yield "Nothing is rolled for that."
            return
        yield f"{self.rule}: {_parts(self.arguments)}"
        for case in self.cases:
            hoped = [f"{ANY_SUCCESS} {_percent(case['success'])}"] if case["success"] else []
            chances = [f"{one['outcome']} {one['percent']:g}%" for one in case["odds"]]
            yield f"{case['when']}: {case['span_words'] or ', '.join([*hoped, *chances])}"
        if len(self.after) > 1:
            spent = ", ".join(f"{one['points']} {_percent(one['chance'])}" for one in self.after)
            yield f"By {self.points} spent after the roll: {spent}"
        if self.reach:
            yield self.reach["words"]
        yield f"Question {self.question}: give it to act as shown, and nothing else will be rolled."


class Advised(BaseModel):
    best: str
    aim: str
    values: dict[str, float]
    basis: str

    def text(self) -> Iterable[str]:
        yield f"For “{self.aim}” the best is {self.best} ({self.basis})."
        yield from (f"{answer}: {100 * value:.2f}%" for answer, value in self.values.items())


class Recap(BaseModel):
    words: str
    tokens: int

    def text(self) -> Iterable[str]:
        yield self.words


class Proof(BaseModel):
    sound: bool
    head: str
    sentences: list[str]

    def text(self) -> Iterable[str]:
        yield from self.sentences


class Game(BaseModel):
    id: str
    name: str
    skins: list[str]
    samples: list[str]


class Table(BaseModel):
    id: str
    name: str
    game: str
    seats: list[str]


class Seating(BaseModel):
    you: str = ""
    table: str = ""
    games: list[Game] = []
    tables: list[Table] = []
    people: list[str] = []
    ask: str = ""

    def text(self) -> Iterable[str]:
        if self.you:
            yield f"You sit at table {self.table} as {self.you}."
        if self.people:
            yield quoted(self.people)
        for game in self.games:
            skins = f"; skins: {', '.join(game.skins)}" if game.skins else ""
            samples = f"; sample heroes: {', '.join(game.samples)}" if game.samples else ""
            yield f"game {game.id}: {game.name}{skins}{samples}"
        if self.tables:
            yield quoted(f"table {one.id}: {one.name} ({one.game}); {', '.join(one.seats)}" for one in self.tables)
        if self.ask:
            yield f"Ask the person, and wait for their answer: {self.ask}"


Result = Done | Standing | Commands | OddsFound | Advised | Recap | Proof | Seating


def reply(result: Result) -> CallToolResult:
    """The model as structured output, its rendering as text."""
    lines = "\n".join(line for line in result.text() if line)
    structured = result.model_dump(mode="json", by_alias=True)
    return CallToolResult(content=[TextContent(type="text", text=lines or "Nothing.")], structured_content=structured)


def refused(refusal: Refusal) -> CallToolResult:
    """Why it can't be, and what would be right."""
    expected = EXPECTED.get(refusal.code, "")
    said = f"Refused ({refusal.code}): {clean(refusal.sentence, 1500)} {expected}".strip()
    return CallToolResult(content=[TextContent(type="text", text=said)], is_error=True)


def event_of(event: SeenEvent, name: str) -> Event:
    """An event, cleaned; `name` is what its seat is called."""
    dice = [die["face"] for die in event.fields.get("dice", ())] if event.name == ROLLED else []
    undone = "(undone) " if event.abandoned else ""
    kind = "closed_card" if event.closed else event.name
    words = "; ".join(one.words for one in (event, *event.opened))
    return Event(act=event.act, kind=kind, by=clean(name, 60), words=undone + clean(words), dice=dice)


def waits_lines(waits: Iterable[Waits]) -> Iterable[str]:
    for one in waits:
        yield f"Waiting ({one.whose}): {clean(one.who, 60)} decides {clean(one.what, 200)}; id {one.id}"
        yield from (f"  {in_json(cleaned(option))}" for option in one.options)


def due_lines(due: Sequence[str]) -> Iterable[str]:
    if due:
        yield "Due now, for you to do or to leave."
        yield quoted(due)


def in_json(value: Any) -> str:
    """As a model writes it back."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _percent(chance: str) -> str:
    return f"{100 * float(Fraction(chance)):g}%"


def _parts(given: dict[str, Any]) -> str:
    """What a rule is asked with, without what is none, no or nothing."""
    said = {name: f"({_parts(value)})" if isinstance(value, dict) else value for name, value in given.items() if value}
    return ", ".join(f"{name.replace('_', ' ')} {clean(str(value))}" for name, value in said.items())
