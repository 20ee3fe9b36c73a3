"""Panels of a table's page. A panel shows the newest entries of a long list; older ones have a page of their own.

Only the game master sees the screen: what is due, who is waited for, what is at hand, clocks, notes and secrets. The
game itself contributes its proposals and what is due.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from astragal.surfaces.shared.ai_seats import AiActivity, AiRole
from astragal.surfaces.web.forms.ask import rolls_to_ask_for
from astragal.surfaces.web.live.panels import Panel
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.cards import Card, Kind, cards_of
from astragal.surfaces.web.table.palette import Tool, on_card, tool
from astragal.surfaces.web.table.pending import OpenCard, open_cards, waits_of
from astragal.surfaces.web.table.pictures import faces_of, picture_of, picture_of_scene
from astragal.surfaces.web.table.sheet import DrawnPiece, Sheet, board_of, sheet_of
from astragal.table.authoring.display import Proposal
from astragal.table.commands.handlers import seat_of
from astragal.table.declarations import Role
from astragal.table.pending import DICE_ORDER
from astragal.table.reminders import STALLED_AFTER, reminded, stalled
from astragal.table.state.setting import MoveKind
from astragal.table.state.table import Character
from astragal.table.state.things import Audience, Note
from astragal.table.visibility.events import SeenEvent
from astragal.wording import in_words

Context = Mapping[str, Any] | None

LISTED = 20
"""Maximum number of entries of a list on the table's page."""
MOST_DRAFTS = 4
"""Maximum number of prepared scenes that are offered if no way leads on from the present one."""
LOOKED_AT = 60
"""Number of the newest events that are searched for the last roll and the last words."""
MOST_HEROES, MOST_PIECES, MOST_CLOCKS, MOST_WAITS = 6, 2, 3, 2


NAMED = re.compile(r"(?: ?\(([a-z][a-z_]*(?:, [a-z][\w ]*)*)\)|\b([a-z]+(?:_[a-z]+)+)\b)[.,]?")
"""Matches commands named in a sentence: in brackets, or as a word with underscores; and punctuation behind."""
ORACLE = ("ask_oracle", "draw_twist", "who_appears")
WITNESS = "w:"
"""Prefix of the sides of witnesses, who add a link and decide nothing."""
MOVES_SHOWN = {
    MoveKind.ESCALATE: "What gets worse",
    MoveKind.OMEN: "Omens",
    MoveKind.TERRAIN: "How the ground changes",
    MoveKind.BARGAIN: "Harsh bargains",
}

PANELS: list[Panel] = []
T = TypeVar("T")
Shows = TypeVar("Shows", bound=Callable[..., Context])


def panel(shows: Shows) -> Shows:
    """Register a function as a panel of the page. The panel and its template have the function's name."""
    PANELS.append(Panel(shows.__name__, shows))
    return shows


def newest(things: Iterable[T], after: int) -> tuple[tuple[T, ...], int]:
    """Return the newest things without the first `after`, in their order; and the `after` of the next page, or 0."""
    listed = list(things)
    end = max(len(listed) - after, 0)
    start = max(end - LISTED, 0)
    return tuple(listed[start:end]), after + LISTED if start else 0


@panel
def people(session: SeatSession) -> Context:
    """Each seat, whether its person is connected, and the faces of the characters that they play."""
    face_by_id = faces_of(session.state)
    connected = session.present | {session.seat}
    rows = []
    for seat in session.state.seats.values():
        played = [character for character in session.state.characters.values() if character.seat == seat.id]
        faces = tuple(face_by_id[character.id] for character in played)
        rows.append((seat, seat.id in connected, faces))
    return {"people": tuple(rows), "me": session.seat}


@panel
def stopped(session: SeatSession) -> Context:
    if not session.state.safety.stopped:
        return None
    return {"role": session.viewer.role.value}


@panel
def ai(session: SeatSession) -> Context:
    """AIs that think, write, propose or are gone. One that only waits for people is left out, unless it is a helper."""
    rows = []
    for status in session.ai:
        is_idle = status.doing in (AiActivity.WAITING, AiActivity.STOPPED)
        if status.role is AiRole.HELPER or not is_idle:
            seat = session.state.seats.get(status.seat)
            rows.append((seat.name if seat else "", status))
    if not rows:
        return None
    return {"shown": tuple(rows), "speaks": session.viewer.role is not Role.SPECTATOR}


@panel
def welcome(session: SeatSession) -> Context:
    """First steps, during the first evening. As soon as someone has rolled or spoken, styles hide them."""
    state = session.state
    if state.calendar.evening > 1:
        return None
    players = {seat.id for seat in state.seats.values() if seat.role is Role.PLAYER}
    steps = (
        ("people", bool(players & session.present)),
        ("heroes", any(character.seat for character in state.characters.values())),
        ("evening", state.calendar.evening > 0),
        ("scene", bool(state.calendar.scene) or any(scene.entered for scene in state.scenes.values())),
    )
    return {
        "steps": steps,
        "is_ready": all(is_taken for name, is_taken in steps if name != "people"),
        "role": session.viewer.role.value,
        "heroes": ", ".join(character.name for character in _own_characters(session)),
        "asks": bool(state.characters and rolls_to_ask_for(session)),
    }


def _own_characters(session: SeatSession) -> list[Character[Any]]:
    return [character for character in session.state.characters.values() if character.id in session.viewer.characters]


@panel
def pending(session: SeatSession) -> Context:
    waits = waits_of(session)
    if waits.is_empty:
        return None
    runs = session.is_game_master
    return {"waits": waits, "brought_later": DICE_ORDER, "paired": session.is_paired, "runs": runs}


@panel
def chains(session: SeatSession) -> Context:
    """Hidden rolls that wait for this seat's link as a witness."""
    return {"asked": session.chains.asked} if session.chains.asked else None


@panel
def hero(session: SeatSession, after: int = 0) -> Context:
    characters, next_page = newest(_own_characters(session), after)
    return {
        "sheets": _with_tools(session, characters),
        "role": session.viewer.role.value,
        "may_make": session.viewer.role is Role.PLAYER and session.ruleset.heroes is not None,
        "more": next_page,
    }


def _with_tools(
    session: SeatSession, characters: Iterable[Character[Any]]
) -> tuple[tuple[Sheet, tuple[Tool, ...]], ...]:
    """Return each character's sheet, and the commands on their card."""
    return tuple((sheet_of(session, character), on_card(session, character)) for character in characters)


@panel
def party(session: SeatSession, after: int = 0) -> Context:
    """Everyone else in the story: heroes first, then the game master's characters."""
    characters = session.state.characters.values()
    companions = [character for character in characters if character.id not in session.viewer.characters]
    runs = session.is_game_master
    if not companions and not runs:
        return None
    heroes, next_heroes = newest((character for character in companions if character.seat), after)
    extras, next_extras = newest((character for character in companions if not character.seat), after)
    return {
        "heroes": _with_tools(session, heroes),
        "others": _with_tools(session, extras),
        "runs": runs,
        "spread": session.viewer.role is Role.SPECTATOR,
        "asks": runs and bool(heroes and rolls_to_ask_for(session)),
        "brings": tuple(_bring_in(session)) if runs else (),
        "more": next_heroes or next_extras,
    }


def _bring_in(session: SeatSession) -> Iterator[Tool]:
    """Yield the command that brings in a foe; then the same for each foe of the setting, with it filled in."""
    command = session.ruleset.foes
    if command:
        yield tool(session, command, "Somebody new")
        for foe in session.state.setting.foes:
            about = str(foe.fields.get("concept") or foe.fields.get("about") or "")
            yield tool(session, command, foe.name, about, (("foe", foe.id),))


@panel
def actions(session: SeatSession) -> Context:
    """Scores and usual commands of one's own hero, below the log: a phone has no room there for the sheet."""
    characters = _own_characters(session)
    if session.viewer.role is not Role.PLAYER or not characters:
        return None
    first = characters[0]
    scores = tuple(score for score in sheet_of(session, first).scores if score.asks)
    commands_of_scores = {score.asks.partition("?")[0] for score in scores}
    usual = tuple(button for button in on_card(session, first) if button.command not in commands_of_scores)
    return {"scores": scores, "usual": usual}


@panel
def scene(session: SeatSession) -> Context:
    """Where the story is; for the game master, prepared scenes that it could go on to if no way leads on."""
    state = session.state
    calendar = state.calendar
    present = state.scenes.get(calendar.scene or "")
    when = []
    if calendar.evening:
        when.append(f"Evening {calendar.evening}")
    if calendar.day > 1:
        when.append(f"day {calendar.day}")
    if calendar.encounter:
        when.append(calendar.encounter)
    has_ways_on = present is not None and bool(present.options)
    drafts = []
    if session.is_game_master and not has_ways_on:
        drafts = [(draft.id, draft.title) for draft in state.scenes.values() if not draft.entered]
    return {
        "when": " · ".join(when),
        "over": calendar.evening and not calendar.sitting,
        "scene": present,
        "picture": picture_of_scene(state, present) if present else None,
        "drafts": tuple(drafts[:MOST_DRAFTS]),
        "walks": session.is_game_master,
    }


@panel
def board(session: SeatSession) -> Context:
    sheet = board_of(session)
    conditions = []
    for condition in session.state.conditions.values():
        bearer = session.teller.name(condition.who) if condition.who else "everyone"
        conditions.append((condition.name, condition.effect, bearer, condition.until.value))
    if sheet.is_empty and not conditions:
        return None
    return {"board": sheet, "conditions": tuple(conditions)}


@panel
def clocks(session: SeatSession, after: int = 0) -> Context:
    listed, next_page = newest(session.state.clocks.values(), after)
    if not listed or session.is_game_master:
        return None
    return {"clocks": listed, "more": next_page}


@panel
def screen_clocks(session: SeatSession, after: int = 0) -> Context:
    if not session.is_game_master:
        return None
    listed, next_page = newest(session.state.clocks.values(), after)
    return {"clocks": listed, "more": next_page}


class NoteRow(NamedTuple):
    """A note with its author's name and, if it is for a single seat, its reader's."""

    note: Note
    author: str
    reader: str


def _notes(session: SeatSession, after: int) -> tuple[tuple[NoteRow, ...], int]:
    """Return the newest notes, and where the next page begins."""
    listed, next_page = newest(session.state.notes.values(), after)
    name = session.teller.name
    rows = []
    for note in listed:
        reader = name(note.seat) if note.audience is Audience.SEAT else ""
        rows.append(NoteRow(note, name(note.author), reader))
    return tuple(rows), next_page


@panel
def notes(session: SeatSession, after: int = 0) -> Context:
    if session.is_game_master:
        return None
    rows, next_page = _notes(session, after)
    own = {row.note.id for row in rows if session.is_own(row.note.author)}
    return {"notes": rows, "writes": session.viewer.role is not Role.SPECTATOR, "own": own, "more": next_page}


@panel
def screen_notes(session: SeatSession, after: int = 0) -> Context:
    """The game master's notes: secrets first, then notes for a single player."""
    if not session.is_game_master:
        return None
    rows, next_page = _notes(session, after)
    ordered = sorted(rows, key=lambda row: (row.note.audience is not Audience.GAME_MASTER, not row.reader))
    return {"notes": tuple(ordered), "more": next_page}


@panel
def handouts(session: SeatSession, after: int = 0) -> Context:
    """Handouts that can be shown or have been, and buttons to add a picture."""
    state = session.state
    listed, next_page = newest(state.handouts.values(), after)
    rows = []
    for handout in listed:
        receivers = ", ".join(map(session.teller.name, handout.to))
        rows.append((handout, picture_of(state, handout.picture, handout.alt), receivers))
    if not rows and not session.is_game_master:
        return None
    return {"handouts": tuple(rows), "shows": session.is_game_master, "more": next_page}


@panel
def safety(session: SeatSession) -> Context:
    return {
        "boundaries": tuple((boundary.kind.value, boundary.words) for boundary in session.state.safety.boundaries),
        "speaks": session.viewer.role is not Role.SPECTATOR,
    }


@panel
def television(session: SeatSession) -> Context:
    """The table on one screen, to be seen across a room without scrolling: for spectators."""
    if session.viewer.role is not Role.SPECTATOR:
        return None
    state = session.state
    events = session.host.latest(session.table, session.seat, most=LOOKED_AT).events
    newest_cards = [card for card in reversed(cards_of(session, events)) if not card.abandoned]
    present = state.scenes.get(state.calendar.scene or "")
    heroes = [character for character in state.characters.values() if character.seat][:MOST_HEROES]
    sheets = [sheet_of(session, hero) for hero in heroes]
    return {
        "picture": picture_of_scene(state, present) if present else None,
        "title": present.title if present else state.name,
        "when": f"Evening {state.calendar.evening}" if state.calendar.evening else "",
        "words": _last_passage(newest_cards, present.hook if present else ""),
        "roll": next((card for card in newest_cards if card.kind is Kind.ROLL or card.closed), None),
        "waits": tuple(_who_is_waited_for(card) for card in open_cards(session)[:MOST_WAITS]),
        "heroes": tuple((sheet.face, _pieces_across_a_room(sheet)) for sheet in sheets),
        "board": _pieces_across_a_room(board_of(session)),
        "clocks": tuple(state.clocks.values())[:MOST_CLOCKS],
    }


def _last_passage(newest_cards: Iterable[Card], default: str) -> str:
    """Return the last words of the story: of a scene that begins, its first passage; the default if it has none."""
    for card in newest_cards:
        if card.told and card.told.passages and card.kind is Kind.STORY:
            return card.told.passages[0 if card.told.title else -1]
    return default


def _pieces_across_a_room(sheet: Sheet) -> tuple[DrawnPiece, ...]:
    """Return the few pieces of a sheet that a television has room for."""
    return tuple(piece for piece in sheet.summary if piece.most)[:MOST_PIECES]


def _who_is_waited_for(card: OpenCard) -> tuple[str, str]:
    """Return the names of those that a roll waits for, and what they are to do."""
    deciding = [decision.who for decision in card.decisions]
    asked = [request.who for request in card.asked]
    names = " and ".join(dict.fromkeys(deciding + asked))
    subject = card.stakes or ", ".join(card.notes) or card.title
    return names, f"{'decides' if deciding else 'is asked'}: {subject}"


PANELS.append(Panel("seats", people))

# ---------------------------------------------------------------- the game master's screen


@panel
def screen_due(session: SeatSession) -> Context:
    """Reminders of what is due, with buttons for the commands that they name; and who else is waited for.

    What waits for the game master is shown and answered below the log only.
    """
    if not session.is_game_master:
        return None

    def newest_events() -> Iterator[SeenEvent]:
        return reversed(session.host.latest(session.table, session.seat, most=2 * STALLED_AFTER).events)

    lines = (*reminded(session.ruleset, session.state), *stalled(session.state, newest_events))
    waited = tuple(waited_for(session))
    return {
        "proposed": tuple(_proposed(session)),
        "lines": tuple(tuple(_with_buttons(session, session.in_skin(line))) for line in lines),
        "waited": tuple(waiting for waiting in waited if not waiting.is_own),
        "asked": any(waiting.is_own for waiting in waited),
        "stopped": session.state.safety.stopped,
    }


def _with_buttons(session: SeatSession, sentence: str) -> Iterator[tuple[str, Tool | None]]:
    """Yield a sentence in parts: its text, and a button in place of each command that it names."""
    start = 0
    for match in NAMED.finditer(sentence):
        in_brackets, in_text = match.groups()
        names = in_brackets.split(", ") if in_brackets else [in_text]
        commands = [name for name in names if name in session.book.commands]
        if commands:
            yield sentence[start : match.start()], None
            for command in commands:
                yield "", tool(session, command)
            start = match.end()
    yield sentence[start:], None


def _proposed(session: SeatSession) -> Iterator[tuple[str, tuple[Tool, ...]]]:
    """Yield each matter that the game brings before the game master, with a button for each way to settle it."""
    proposals = [proposal for proposal in session.proposals if proposal.who is None]
    for about, proposals_about in groupby(proposals, key=lambda proposal: proposal.about):
        yield about, tuple(_tool_of(session, proposal) for proposal in proposals_about)


def _tool_of(session: SeatSession, proposal: Proposal) -> Tool:
    title = session.in_skin(in_words(proposal.label))
    return tool(session, proposal.command, title, proposal.doc, proposal.fields)


class Waited(Struct, frozen=True):
    """Someone who is waited for. The card of the roll has the details, and the button to withdraw it."""

    who: str
    words: str
    about: str = ""
    tag: str = ""
    seat: str = ""
    """The seat whose turn it is, if that is not the game master's: it can be reminded."""
    prompt: str = ""
    """The id of a question for words, which is withdrawn here."""
    answered: bool = False

    @property
    def is_own(self) -> bool:
        """True if it is the game master's turn."""
        return not self.seat and not self.answered


def waited_for(session: SeatSession) -> Iterator[Waited]:
    """Yield everyone who is waited for, once for each thing."""
    state = session.state
    name = session.teller.name

    def seat_to_remind(who: str) -> str:
        seat = seat_of(state, who)
        return "" if seat == state.game_master else seat

    deciding: set[str] = set()
    for decision in state.decisions.values():
        about = session.in_skin(in_words(decision.command)).lower()
        for side in decision.awaited:
            if not side.startswith(WITNESS):
                who = decision.sides[side]
                deciding.add(who)
                yield Waited(name(who), "decides", about, seat=seat_to_remind(who))
    for request in state.requests.values():
        if request.who not in deciding:
            about = request.what_for or session.in_skin(in_words(request.command)).lower()
            tag = "" if request.difficulty is None else f"against {request.difficulty}"
            if tag and request.hidden:
                tag = f"{tag}, hidden"
            yield Waited(name(request.who), "is to roll", about, tag, seat_to_remind(request.who))
    for prompt in state.prompts.values():
        tag = "between you" if prompt.secret else ""
        if prompt.is_open:
            yield Waited(name(prompt.to), "is asked", prompt.words, tag, seat_to_remind(prompt.to), prompt.id)
        elif not prompt.kind:  # the game itself has dealt with the answers to its own questions
            yield Waited(name(prompt.to), "answered", prompt.told or "", tag, prompt=prompt.id, answered=True)


@panel
def screen_tools(session: SeatSession) -> Context:
    """Prepared texts of the setting; and the oracle, for someone who plays alone."""
    if not session.is_game_master:
        return None
    setting = session.state.setting
    lists = [("Boons", setting.boons), ("Rites", setting.rites)]
    lists += [(MOVES_SHOWN[kind], setting.moves_of(kind)) for kind in MoveKind]
    ready = tuple((title, lines) for title, lines in lists if lines)
    people_at_table = [seat for seat in session.state.seats.values() if not seat.ai]
    oracle: tuple[Tool, ...] = ()
    if len(people_at_table) == 1:  # others find the oracle in the palette
        oracle = tuple(tool(session, command) for command in ORACLE)
    return {"oracle": oracle, "ready": ready} if oracle or ready else None


LISTS: Mapping[str, Callable[[SeatSession, int], Context]] = {
    list_panel.__name__: list_panel
    for list_panel in (hero, party, clocks, notes, handouts, screen_clocks, screen_notes)
}
"""Panels whose lists go on at an address of their own, which skips the newest entries."""
