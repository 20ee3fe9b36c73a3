"""Results of tools: small models for programs, each with a rendering as text."""

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel

from astragal.surfaces.mcp.session import ROLLED
from astragal.surfaces.mcp.untrusted_text import MARK, clean, cleaned, quoted
from astragal.surfaces.shared.odds import ANY_SUCCESS
from astragal.surfaces.shared.words import schema_words, without_clauses
from astragal.table.refusals import Refusal
from astragal.table.visibility.events import SeenEvent

EXPECTED = {
    "unknown_command": "actions lists the commands; give one of those names.",
    "bad_fields": "actions with command set shows the fields, their limits and an example.",
    "not_allowed": "actions lists what your seat may do.",
    "still_deciding": "look with what=waiting shows the decision; answer settles it.",
    "nothing_to_answer": "look with what=waiting shows what is open.",
    "not_an_option": "answer without an answer shows the options.",
    "id_reused": "Leave intent out, or choose another word for this intent.",
    "question_changed": "Call odds again.",
    "no_such_table": "table with do=list shows the tables; sit down at one.",
    "no_room": "Try again in a moment.",
}
"""Advice on a refusal, by its code: its sentence may not say what to do."""


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
    """Result of a command. `ask` is a question for the person; `act` is what a narration cites."""

    act: str = ""
    events: list[Event] = []
    waits: list[Waits] = []
    warnings: list[str] = []
    due: list[str] = []
    ask: str = ""
    asked: str = ""
    """Id of what the question is about, if it is among `waits`."""
    handle: str = ""

    def text(self) -> Iterable[str]:
        if self.act:
            yield f"Done: act {self.act}."
        yield quoted(by_act(self.events, self.act))
        yield from waits_lines(waiting for waiting in self.waits if waiting.id != self.asked)
        if self.handle:
            line = f"Handle: {self.handle}"
            if self.handle.startswith("act:"):
                line += " (secret with do=read: what of it the person does not see)"
            yield line
        yield from (f"Warning: {warning}" for warning in self.warnings)
        yield from due_lines(self.due)
        if self.ask:
            yield f"Ask the person, and wait for their answer: {self.ask}"


class Person(BaseModel):
    name: str
    played_by: str
    sheet: list[str]


class TableDescription(BaseModel):
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
        if not any((self.story, self.people, self.waits, self.news, self.due, self.handles)):
            yield "Nothing waits, and nothing is new."
        sheets = [f"{person.name} ({person.played_by}): {'; '.join(person.sheet)}" for person in self.people]
        lines = [*self.story, *sheets]
        yield quoted(lines, 1200)
        yield from waits_lines(self.waits)
        if self.news:
            yield "New since you last looked."
            yield quoted(by_act(self.news))
        yield from due_lines(self.due)
        if self.handles:
            yield "Secrets (read one with secret): " + ", ".join(clean(handle) for handle in self.handles)


class Commands(BaseModel):
    commands: dict[str, str] = {}
    fields: dict[str, Any] = {}
    example: dict[str, Any] = {}

    def text(self) -> Iterable[str]:
        yield from (f"{name}: {doc}" for name, doc in self.commands.items())
        for name, field in self.fields.items():
            title = f"{name} (needed)" if field["needed"] else name
            yield f"  {title}: {_field_words(field)}"
        if self.example:
            yield f"Example: act {in_json(self.example)}"


class OddsFound(BaseModel):
    """A preview for programs, with each case in words; `parts` is what goes into the roll, in words."""

    question: str = ""
    rule: str = ""
    parts: dict[str, str] = {}
    arguments: dict[str, Any] = {}
    cases: list[dict[str, Any]] = []
    points: str = ""
    after: list[dict[str, Any]] = []
    risks: str = ""
    reach: dict[str, Any] | None = None

    def text(self) -> Iterable[str]:
        if not self.cases:
            yield "Nothing is rolled for that."
            return
        made_of = ", ".join(f"{name} {value}" for name, value in self.parts.items())
        yield ": ".join(filter(None, (self.rule.replace("_", " "), made_of)))
        for case in self.cases:
            chances = [f"{outcome['outcome']} {outcome['percent']:g}%" for outcome in case["odds"]]
            if case["success"]:
                chances.insert(0, f"{ANY_SUCCESS} {_percent(case['success'])}")
            yield f"{case['when']}: {case['span_words'] or ', '.join(chances)}"
        if len(self.after) > 1:
            spent = ", ".join(f"{rung['points']} {_percent(rung['chance'])}" for rung in self.after)
            yield f"By {self.points} spent after the roll: {spent}"
        if self.risks:
            yield f"A failure costs {self.risks}."
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
            line = f"game {game.id}: {game.name}"
            if game.skins:
                line += f"; skins: {', '.join(game.skins)}"
            if game.samples:
                line += f"; sample heroes: {', '.join(game.samples)}"
            yield line
        if self.tables:
            yield quoted(map(_table_line, self.tables))
        if self.ask:
            yield f"Ask the person, and wait for their answer: {self.ask}"


def _table_line(table: Table) -> str:
    return f"table {table.id}: {table.name} ({table.game}); {', '.join(table.seats)}"


Result = Done | TableDescription | Commands | OddsFound | Advised | Recap | Proof | Seating


def reply(result: Result) -> CallToolResult:
    """Return a result as structured output, with its rendering as text."""
    lines = _marked_once("\n".join(line for line in result.text() if line))
    structured = result.model_dump(mode="json", by_alias=True)
    return CallToolResult(content=[TextContent(type="text", text=lines or "Nothing.")], structured_content=structured)


class Remedied(Refusal):
    """A refusal with advice that fits this very table."""

    def __init__(self, refusal: Refusal, remedy: str) -> None:
        super().__init__(refusal.sentence, code=refusal.code)
        self.remedy = remedy


def refused(refusal: Refusal) -> CallToolResult:
    """Return a refusal as an error result, with advice on what to do."""
    expected = refusal.remedy if isinstance(refusal, Remedied) else EXPECTED.get(refusal.code, "")
    sentence = f"Refused ({refusal.code}): {clean(refusal.sentence, 1500)} {expected}".strip()
    return CallToolResult(content=[TextContent(type="text", text=sentence)], is_error=True)


def event_of(event: SeenEvent, name: str) -> Event:
    """Return an event for a model, cleaned; `name` is the name of its seat."""
    dice = [die["face"] for die in event.fields.get("dice", ())] if event.name == ROLLED else []
    undone = "(undone) " if event.abandoned else ""
    kind = "closed_card" if event.closed else event.name
    words = "; ".join(card.words for card in (event, *event.opened))
    return Event(act=event.act, kind=kind, by=clean(name, 60), words=undone + clean(words), dice=dice)


def waits_lines(waits: Iterable[Waits]) -> Iterable[str]:
    for waiting in waits:
        yield f"Waiting ({waiting.whose}): {clean(waiting.who, 60)} decides {clean(waiting.what, 200)}; id {waiting.id}"
        for option in waiting.options:
            parts = {name: part for name, part in option.items() if part != ""}
            yield f"  {in_json(cleaned(parts))}"


def by_act(events: Iterable[Event], last_act: str = "") -> Iterable[str]:
    """Yield events in words; the first of each command with its id, unless that is `last_act`."""
    for event in events:
        yield event.words if event.act == last_act else f"[{event.act}] {event.words}"
        last_act = event.act


def _marked_once(text: str) -> str:
    """Remove the mark from all blocks of data but the first: the others have headings, and each line begins with >."""
    head, mark, following = text.partition(MARK)
    return head + mark + "\n".join(line for line in following.split("\n") if line != MARK)


def due_lines(due: Sequence[str]) -> Iterable[str]:
    if due:
        yield "Due now, for you to do or to leave."
        yield quoted(due)


def in_json(value: Any) -> str:
    """Encode a value as JSON, as a model would write it back."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _field_words(field: dict[str, Any]) -> str:
    """Describe a command's field: its meaning, what it takes, which things are here, and its default."""
    parts = [without_clauses(field.get("description", ""))]
    labels = ", ".join(field.get("here") or ())
    if not labels:
        parts.append(schema_words(field))
    elif field.get("type") == "array":
        parts += ["list", f"here: {labels}"]
    else:
        parts.append(f"here: {labels}")
    if field.get("suggested"):
        parts.append(f"such as {', '.join(field['suggested'])}")
    default = field.get("default")
    if default not in (None, "", False, [], {}):
        parts.append(f"default {in_json(default)}")
    return "; ".join(part for part in parts if part)


def _percent(chance: str) -> str:
    return f"{100 * float(Fraction(chance)):g}%"
