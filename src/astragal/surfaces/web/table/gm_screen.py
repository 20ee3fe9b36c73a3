"""The game master's screen: what is due, who is waited for, what lies at hand, clocks, notes and secrets.

Nothing of it is shown to anybody else. What a game brings to it comes from the game: what it proposes as things stand,
what is due. All other commands are in the palette, or on the cards of people.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from astragal.surfaces.shared.pending import proposals_of
from astragal.surfaces.shared.words import first_paragraph, in_words
from astragal.surfaces.web.forms.form import named_things
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.table.sheet import asking
from astragal.table.commands.handlers import seat_of
from astragal.table.fields.definitions import fields_of
from astragal.table.reminders import STALLED_AFTER, due, stalled
from astragal.table.state.setting import MoveKind
from astragal.table.state.things import Audience
from astragal.table.visibility.events import SeenEvent
from astragal.table.visibility.redact import WITHHELD

Context = Mapping[str, Any] | None

NAMED = re.compile(r" ?\(([a-z][a-z_]*(?:, [a-z][\w ]*)*)\)|\b([a-z]+(?:_[a-z]+)+)\b")
"""Where a sentence names commands: in brackets, or as a word with underscores."""
ORACLE = ("ask_oracle", "draw_twist", "who_appears")
PURPOSEFUL: Mapping[str, str] = {"request_roll": "asking", "override": "overriding", "undo": "undoing"}
"""Commands that have a form of their own here, by its address."""


WITNESS = "w:"
"""How the side of a witness begins, who adds a link and decides nothing."""
MOVES_SHOWN = {
    MoveKind.ESCALATE: "What gets worse",
    MoveKind.OMEN: "Omens",
    MoveKind.TERRAIN: "How the ground changes",
    MoveKind.BARGAIN: "Harsh bargains",
}


@dataclass(frozen=True)
class Tool:
    """A command on the screen. `address` leads to its form; a bare one needs no form."""

    title: str
    doc: str
    command: str
    address: str
    bare: bool = False


@dataclass(frozen=True)
class Group:
    title: str
    tools: tuple[Tool, ...]


@dataclass(frozen=True)
class Part:
    """Some words of a sentence, or a command that it names."""

    words: str
    tool: Tool | None = None


@dataclass(frozen=True)
class Waited:
    """Somebody who is waited for. The card of a roll says the rest, and takes it back."""

    who: str
    words: str
    about: str = ""
    tag: str = ""
    seat: str = ""
    """Whose turn it is, where that is not the game master's own: they can be reminded."""
    prompt: str = ""
    """A question for words, which is withdrawn here."""
    label: str = "Withdraw"


@dataclass(frozen=True)
class ClockShown:
    """A clock as a dial; one whose progress is hidden has no size."""

    id: str
    name: str
    face: str
    ticks: int = 0
    size: int = 0

    @property
    def veiled(self) -> bool:
        return self.size == 0

    @property
    def is_full(self) -> bool:
        return not self.veiled and self.ticks >= self.size


@dataclass(frozen=True)
class NoteShown:
    id: str
    title: str
    words: str
    author: str
    audience: str
    reader: str
    """Who reads it besides the game master; empty for all."""

    @property
    def secret(self) -> bool:
        return self.audience == Audience.GAME_MASTER.value


# ---------------------------------------------------------------- tools


def tool(
    session: SeatSession, command: str, title: str = "", doc: str = "", filled: Iterable[tuple[str, Any]] = ()
) -> Tool:
    kind = session.book.command(command)
    base = PURPOSEFUL.get(command, f"form/{command}")
    address = asking(base, filled)
    action = session.book.actions.get(command)
    rolls = action is not None and action.gather is not None  # its form shows the odds, and who sees it
    bare = not rolls and base != "undoing"
    bare = bare and all(
        one.names and not one.required and not named_things(session, kind, one) for one in fields_of(kind)
    )
    said = session.in_skin
    return Tool(title or said(in_words(command)), said(doc or first_paragraph(kind)), command, address, bare)


def screen_tools(session: SeatSession) -> Context:
    """What the game proposes, and what the setting has ready in words."""
    if not session.is_game_master:
        return None
    setting = session.state.setting
    words = (("Boons", setting.boons), ("Rites", setting.rites))
    moves = ((MOVES_SHOWN[kind], setting.moves_of(kind)) for kind in MoveKind)
    ready = tuple((title, lines) for title, lines in (*words, *moves) if lines)
    proposed: list[Group] = []
    for about, some in groupby((one for one in proposals_of(session) if one.who is None), key=lambda one: one.about):
        tools = (tool(session, one.command, session.in_skin(in_words(one.label)), one.doc, one.fields) for one in some)
        proposed.append(Group(about, tuple(tools)))
    if sum(not seat.ai for seat in session.state.seats.values()) == 1:  # others find the oracle in the palette
        proposed.append(Group("The oracle", tuple(tool(session, command) for command in ORACLE)))
    return {"proposed": tuple(proposed), "ready": ready} if proposed or ready else None


def bring_in(session: SeatSession) -> tuple[Tool, ...]:
    """The command that brings in a foe; then, for each that the setting has ready, the same with it filled in."""
    brings = session.ruleset.foes
    if not brings:
        return ()
    ready = (
        (one, str(one.fields.get("concept") or one.fields.get("about") or "")) for one in session.state.setting.foes
    )
    tools = (tool(session, brings, one.name, about, (("foe", one.id),)) for one, about in ready)
    return (tool(session, brings, "Somebody new"), *tools)


# ---------------------------------------------------------------- what is due


def screen_due(session: SeatSession) -> Context:
    if not session.is_game_master:
        return None

    def newest() -> Iterator[SeenEvent]:
        return reversed(session.host.latest(session.table, session.seat, most=2 * STALLED_AFTER).events)

    found = (*due(session.ruleset, session.state), *stalled(session.state, newest))
    lines = tuple(_parts(session, session.in_skin(line)) for line in found)
    waited = tuple(waited_for(session))
    return {"lines": lines, "waited": waited, "stopped": session.state.safety.stopped}


def _parts(session: SeatSession, sentence: str) -> tuple[Part, ...]:
    """A sentence with the commands that it names as buttons."""
    parts, at = [], 0
    for found in NAMED.finditer(sentence):
        names = re.split(", ", found[1]) if found[1] else [found[2]]
        tools = [tool(session, name) for name in names if name in session.book.commands]
        if tools:
            parts.append(Part(sentence[at : found.start()]))
            parts += [Part("", one) for one in tools]
            at = found.end()
    return tuple(one for one in (*parts, Part(sentence[at:])) if one.words or one.tool)


def waited_for(session: SeatSession) -> Iterator[Waited]:
    """Everybody who is waited for, once for each thing."""
    state, name = session.state, session.teller.name

    def seat(who: str) -> str:
        found = seat_of(state, who)
        return "" if found in (None, state.game_master) else found

    deciding: set[str] = set()
    for decision in state.decisions.values():
        what = session.in_skin(in_words(decision.command)).lower()
        for who in (decision.sides[side] for side in decision.awaited if not side.startswith(WITNESS)):
            deciding.add(who)
            yield Waited(name(who), "decides", what, seat=seat(who))
    for request in state.requests.values():
        if request.who not in deciding:
            what = request.what_for or session.in_skin(in_words(request.command)).lower()
            against = "" if request.difficulty is None else f"against {request.difficulty}"
            tag = f"{against}, hidden" if request.hidden and against else against
            yield Waited(name(request.who), "is to roll", what, tag, seat(request.who))
    for prompt in state.prompts.values():
        tag = "between you" if prompt.secret else ""
        if prompt.is_open:
            yield Waited(name(prompt.to), "is asked", prompt.words, tag, seat(prompt.to), prompt.id)
        else:
            yield Waited(name(prompt.to), "answered", prompt.told or "", tag, prompt=prompt.id, label="Clear away")


# ---------------------------------------------------------------- clocks, notes and secrets


def clocks_of(session: SeatSession) -> tuple[ClockShown, ...]:
    return tuple(
        ClockShown(one.id, one.name, one.face.value)
        if one.hands is WITHHELD
        else ClockShown(one.id, one.name, one.face.value, one.hands.ticks, one.hands.size)
        for one in session.state.clocks.values()
    )


def notes_of(session: SeatSession) -> tuple[NoteShown, ...]:
    name = session.teller.name
    return tuple(
        NoteShown(
            one.id,
            one.title,
            one.words,
            name(one.author),
            one.audience.value,
            name(one.seat) if one.audience is Audience.SEAT else "",
        )
        for one in session.state.notes.values()
    )
