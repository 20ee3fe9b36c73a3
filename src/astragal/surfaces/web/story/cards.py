"""Cards of the log: one for each command, with its dice, how it went and what changed.

A card is a value made of what one seat sees. Seats that see the same are shown the same card, which is drawn once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import groupby
from typing import Any

from astragal.surfaces.web.forms.choices import in_words
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.breakdown import Explained, explained
from astragal.table.authoring.declarations import kind_of_command
from astragal.table.visibility.events import SeenEvent

ROLLED = "rolled"
MOST_DICE = 60
"""More are counted, not drawn."""
SHAPES = (4, 6, 8, 10, 12, 20)
FATES = {"kept": "", "dropped": "dropped", "exploded": "exploded", "rerolled": "rerolled"}


class Kind(Enum):
    """What a card is about: its look, and what a log can be filtered by."""

    ROLL = "roll"
    TALK = "talk"
    STORY = "story"
    SAFETY = "safety"
    TABLE = "table"


TALK = frozenset({"said", "whispered", "emoted"})
SAFETY = frozenset({"boundary_agreed", "boundary_lifted", "scene_stopped", "ready_to_go_on", "scene_resumed"})
STORY = frozenset({"narrated", "scene_began", "option_offered", "option_opened", "option_taken", "scene_ended"}) | {
    "evening_began",
    "evening_ended",
    "encounter_began",
    "encounter_ended",
    "day_passed",
    "rewound",
    "save_node_marked",
    "note_revealed",
}
WAITING = frozenset({"decision_opened"})
OVER = frozenset({"decided", "decision_withdrawn", "decision_lapsed"})
GOES_ON = OVER | {"answer_sealed"}
REVEALED, REWOUND, OVERRIDDEN = "revealed", "rewound", "overridden"
ON_WHOSE_WORD = frozenset({"consent_given", "done_on_ai_word"})
"""What is told of a deed beside it, and stays when it is undone."""
QUIET = frozenset({ROLLED, REVEALED, "request_met", "narrated", "scene_began", "option_offered"})
"""What its card says in other ways."""


@dataclass(frozen=True)
class DieShown:
    """A die as it lies on the table: a shape for its kind, a sign for what became of it."""

    sides: int
    face: int
    fate: str
    shape: str

    @property
    def words(self) -> str:
        """For whoever can't see it."""
        fate = FATES.get(self.fate, self.fate)
        return f"d{self.sides}: {self.face}{f', {fate}' if fate else ''}"


def shown_die(sides: int, face: int, fate: str) -> DieShown:
    return DieShown(sides, face, fate, f"d{sides}" if sides in SHAPES else "many")


@dataclass(frozen=True)
class Line:
    """One thing that a card tells."""

    words: str
    name: str


@dataclass(frozen=True)
class Talk:
    """Something said: by whom, to whom, how."""

    how: str
    speaker: str
    words: str
    to: str = ""


@dataclass(frozen=True)
class Told:
    """A passage of the story: a title, words in Markdown, ways on."""

    title: str = ""
    passages: tuple[str, ...] = ()
    options: tuple[tuple[str, bool], ...] = ()
    """Each with whether it is risky."""


@dataclass(frozen=True)
class Card:
    """One deed, as a seat sees it."""

    table: str
    act: str
    at: int
    kind: Kind
    by: str = ""
    """The name of whoever did it."""
    seat: str = ""
    who: str = ""
    """The character that acted."""
    what: str = ""
    dice: tuple[DieShown, ...] = ()
    dice_left_out: int = 0
    outcome: str = ""
    tone: str = ""
    lines: tuple[Line, ...] = ()
    talk: Talk | None = None
    told: Told | None = None
    why: Explained | None = None
    closed: bool = False
    covered: bool = False
    abandoned: bool = False
    waits: bool = False
    goes_on: bool = False
    """Does it go on with a deed that had begun before?"""
    rewinds: bool = False
    aside: str = ""
    """How the rules were set aside for all to see: by a rewind, an undo, or a number set by hand."""
    turns: str = ""
    """The closed card that it turns over."""
    opened: tuple[Card, ...] = field(default=())

    @property
    def id(self) -> str:
        return f"card-{self.act}"


def cards_of(session: SeatSession, events: Sequence[SeenEvent]) -> list[Card]:
    """The cards of these events, oldest first. What belongs to one deed and was told at once is one card."""
    return [_card(session, act, list(some)) for act, some in groupby(events, key=lambda event: event.act)]


def _card(session: SeatSession, act: str, events: list[SeenEvent]) -> Card:
    first = events[0]
    rolled = [event for event in events if event.name == ROLLED]
    went = next((event.went for event in events if event.went), None)
    bare = Card(
        table=session.table,
        act=act,
        at=first.at,
        kind=_kind(events),
        seat=first.by,
        by=session.teller.name(first.by) if first.by else "",
        abandoned=all(event.abandoned for event in events if event.name not in ON_WHOSE_WORD),
    )
    if first.closed:
        return replace(bare, closed=True, lines=(Line(first.words, first.name),))
    if talk := _talk(session, first):
        return replace(bare, talk=talk, lines=tuple(_lines(events[1:])))
    thrown = (die for event in rolled for die in event.fields.get("dice", ()))
    dice = tuple(shown_die(die["sides"], die["face"], die["fate"]) for die in thrown)
    return replace(
        bare,
        who=_actor(session, rolled, events),
        what=in_words(rolled[0].fields.get("command", "")) if rolled else "",
        dice=dice[:MOST_DICE],
        dice_left_out=max(len(dice) - MOST_DICE, 0),
        outcome=went.words if went else "",
        tone=went.tone.value if went else "",
        lines=tuple(_lines(events)),
        told=_told(events),
        why=explained(session.book, session.teller, rolled[0].fields.get("question", {})) if rolled else None,
        covered=any(event.covered for event in events),
        waits=_waits(events),
        goes_on=first.name in GOES_ON,
        rewinds=any(event.name == REWOUND for event in events),
        aside=next(_aside(events), ""),
        turns=next((event.fields.get("act", "") for event in events if event.name == REVEALED), ""),
        opened=tuple(card for event in events for card in cards_of(session, event.opened)),
    )


def _aside(events: Iterable[SeenEvent]) -> Iterator[str]:
    for event in events:
        if event.name == REWOUND:
            yield "undo" if event.fields.get("undo") else "rewind"
        elif event.name == OVERRIDDEN:
            yield "override"


def _kind(events: Iterable[SeenEvent]) -> Kind:
    names = {event.name for event in events}
    if names & TALK:
        return Kind.TALK
    if ROLLED in names or any(event.went for event in events):
        return Kind.ROLL
    if names & SAFETY:
        return Kind.SAFETY
    return Kind.STORY if names & STORY else Kind.TABLE


def _actor(session: SeatSession, rolled: Sequence[SeenEvent], events: Iterable[SeenEvent]) -> str:
    """Who acts, as the command that was given names them."""
    if not rolled:
        return ""
    kind = session.book.commands.get(rolled[0].fields.get("command", ""))
    name = kind_of_command(kind).actor if kind else None
    named = [event.fields[name] for event in events if name and isinstance(event.fields.get(name), str)]
    named += [who for event in events if event.name in WAITING for who in event.fields["decision"]["sides"].values()]
    who = next((one for one in named if one in session.state.characters), None)
    return session.teller.name(who) if who else ""


def _waits(events: Iterable[SeenEvent]) -> bool:
    """Is the last that is told of a decision that it was opened?"""
    told = [event.name for event in events if event.name in WAITING | OVER]
    return bool(told) and told[-1] in WAITING


def _lines(events: Iterable[SeenEvent]) -> Iterator[Line]:
    for event in events:
        if event.name not in QUIET:
            yield Line(event.words[:1].upper() + event.words[1:], event.name)


# ---------------------------------------------------------------- talk and story


def _talk(session: SeatSession, event: SeenEvent) -> Talk | None:
    if event.name not in TALK:
        return None
    name, fields = session.teller.name, event.fields
    words = str(fields.get("words", ""))
    if event.name == "emoted":
        return Talk("emote", name(fields.get("who")), words)
    if event.name == "whispered":
        return Talk("whisper", name(fields.get("seat")), words, ", ".join(name(seat) for seat in fields.get("to", ())))
    return Talk("say", name(fields.get("who") or fields.get("seat")), words)


def _told(events: Iterable[SeenEvent]) -> Told | None:
    title, passages, options = "", [], []
    for event in events:
        fields: Mapping[str, Any] = event.fields
        if event.name == "narrated":
            passages.append(str(fields.get("words", "")))
        elif event.name == "scene_began":
            title = str(fields.get("title", ""))
            passages += [str(fields[part]) for part in ("hook", "action", "consequence") if fields.get(part)]
        elif event.name == "option_offered":
            options.append((str(fields.get("words", "")), fields.get("way") == "risky"))
    return Told(title, tuple(passages), tuple(options)) if title or passages else None
