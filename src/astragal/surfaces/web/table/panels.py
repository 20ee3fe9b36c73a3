"""Panels of a table's page. A panel shows the newest entries of a long list; older ones have a page of their own.

Only the game master sees the screen: what is due, who is waited for, what is at hand, clocks, notes and secrets. The
game itself contributes its proposals and what is due.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, TypeVar

from msgspec import Struct

from astragal.surfaces.shared.ai_seats import AiActivity, AiRole
from astragal.surfaces.web.forms.ask import rolls_to_ask_for
from astragal.surfaces.web.live.panels import Panel
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.cards import Kind, cards_of
from astragal.surfaces.web.table.palette import Tool, on_card, tool
from astragal.surfaces.web.table.pending import open_cards, waits_of
from astragal.surfaces.web.table.pictures import faces_of, picture_of, picture_of_scene
from astragal.surfaces.web.table.sheet import DrawnPiece, Sheet, board_of, sheet_of
from astragal.table.authoring.display import Proposal
from astragal.table.commands.handlers import seat_of
from astragal.table.declarations import Role
from astragal.table.pending import DICE_ORDER
from astragal.table.reminders import STALLED_AFTER, reminded, stalled
from astragal.table.state.setting import MoveKind
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
    first, last = max(len(listed) - after - LISTED, 0), max(len(listed) - after, 0)
    return tuple(listed[first:last]), after + LISTED if first else 0


@panel
def people(session: SeatSession) -> Context:
    """Each seat, whether its person is connected, and the faces of the characters that they play."""
    state, faces = session.state, faces_of(session.state)
    here, played = session.present | {session.seat}, list(state.characters.values())
    shown = (
        (seat, seat.id in here, tuple(faces[one.id] for one in played if one.seat == seat.id))
        for seat in state.seats.values()
    )
    return {"people": tuple(shown), "me": session.seat}


@panel
def stopped(session: SeatSession) -> Context:
    if not session.state.safety.stopped:
        return None
    return {"role": session.viewer.role.value}


@panel
def ai(session: SeatSession) -> Context:
    """AIs that think, write, propose or are gone. One that only waits for people is left out, unless it is a helper."""
    shown = tuple(
        (session.state.seats[one.seat].name if one.seat in session.state.seats else "", one)
        for one in session.ai
        if one.role is AiRole.HELPER or one.doing not in (AiActivity.WAITING, AiActivity.STOPPED)
    )
    return {"shown": shown, "speaks": session.viewer.role is not Role.SPECTATOR} if shown else None


@panel
def welcome(session: SeatSession) -> Context:
    """First steps, during the first evening. As soon as someone has rolled or spoken, styles hide them."""
    state = session.state
    if state.calendar.evening > 1:
        return None
    players = {seat.id for seat in state.seats.values() if seat.role is Role.PLAYER}
    steps = (
        ("people", bool(players & session.present)),
        ("heroes", any(one.seat for one in state.characters.values())),
        ("evening", state.calendar.evening > 0),
        ("scene", bool(state.calendar.scene) or any(scene.entered for scene in state.scenes.values())),
    )
    own = [one.name for one in state.characters.values() if one.id in session.viewer.characters]
    return {
        "steps": steps,
        "is_ready": all(done for name, done in steps if name != "people"),
        "role": session.viewer.role.value,
        "heroes": ", ".join(own),
        "asks": bool(state.characters and rolls_to_ask_for(session)),
    }


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
    own = [one for one in session.state.characters.values() if one.id in session.viewer.characters]
    shown, more = newest(own, after)
    return {
        "sheets": tuple((sheet_of(session, one), on_card(session, one)) for one in shown),
        "role": session.viewer.role.value,
        "may_make": session.viewer.role is Role.PLAYER and session.ruleset.heroes is not None,
        "more": more,
    }


@panel
def party(session: SeatSession, after: int = 0) -> Context:
    """Everyone else in the story: heroes first, then the game master's characters."""
    others = [one for one in session.state.characters.values() if one.id not in session.viewer.characters]
    runs = session.is_game_master
    if not others and not runs:
        return None
    heroes, more = newest((one for one in others if one.seat), after)
    rest, more_rest = newest((one for one in others if not one.seat), after)
    return {
        "heroes": tuple((sheet_of(session, one), on_card(session, one)) for one in heroes),
        "others": tuple((sheet_of(session, one), on_card(session, one)) for one in rest),
        "runs": runs,
        "spread": session.viewer.role is Role.SPECTATOR,
        "asks": runs and bool(heroes and rolls_to_ask_for(session)),
        "brings": tuple(_bring_in(session)) if runs else (),
        "more": more or more_rest,
    }


def _bring_in(session: SeatSession) -> Iterator[Tool]:
    """Yield the command that brings in a foe; then the same for each foe of the setting, with it filled in."""
    if brings := session.ruleset.foes:
        yield tool(session, brings, "Somebody new")
        for one in session.state.setting.foes:
            about = str(one.fields.get("concept") or one.fields.get("about") or "")
            yield tool(session, brings, one.name, about, (("foe", one.id),))


@panel
def actions(session: SeatSession) -> Context:
    """Scores and usual commands of one's own hero, below the log: a phone has no room there for the sheet."""
    own = [one for one in session.state.characters.values() if one.id in session.viewer.characters]
    if session.viewer.role is not Role.PLAYER or not own:
        return None
    scores = tuple(one for one in sheet_of(session, own[0]).scores if one.asks)
    tapped = {one.asks.partition("?")[0] for one in scores}
    others = (one for one in on_card(session, own[0]) if one.command not in tapped)
    return {"scores": scores, "usual": tuple(others)}


@panel
def scene(session: SeatSession) -> Context:
    state, runs = session.state, session.is_game_master
    calendar = state.calendar
    scene = state.scenes.get(calendar.scene or "")
    when = [f"Evening {calendar.evening}"] if calendar.evening else []
    when += [f"day {calendar.day}"] if calendar.day > 1 else []
    when += [calendar.encounter] if calendar.encounter else []
    drafts = [one for one in state.scenes.values() if runs and not one.entered and not (scene and scene.options)]
    return {
        "when": " · ".join(when),
        "over": calendar.evening and not calendar.sitting,
        "scene": scene,
        "picture": picture_of_scene(state, scene) if scene else None,
        "drafts": tuple((one.id, one.title) for one in drafts[:MOST_DRAFTS]),
        "walks": runs,
    }


@panel
def board(session: SeatSession) -> Context:
    board = board_of(session)
    conditions = tuple(
        (one.name, one.effect, session.teller.name(one.who) if one.who else "everyone", one.until.value)
        for one in session.state.conditions.values()
    )
    return None if board.is_empty and not conditions else {"board": board, "conditions": conditions}


@panel
def clocks(session: SeatSession, after: int = 0) -> Context:
    shown, more = newest(session.state.clocks.values(), after)
    return {"clocks": shown, "more": more} if shown and not session.is_game_master else None


@panel
def screen_clocks(session: SeatSession, after: int = 0) -> Context:
    shown, more = newest(session.state.clocks.values(), after)
    return {"clocks": shown, "more": more} if session.is_game_master else None


def _notes(session: SeatSession, after: int) -> tuple[tuple[tuple[Note, str, str], ...], int]:
    """Return the newest notes, each with its author's name and, if it is for a single seat, its reader's."""
    shown, more = newest(session.state.notes.values(), after)
    name = session.teller.name
    readers = (name(one.seat) if one.audience is Audience.SEAT else "" for one in shown)
    return tuple((one, name(one.author), reader) for one, reader in zip(shown, readers, strict=True)), more


@panel
def notes(session: SeatSession, after: int = 0) -> Context:
    shown, more = _notes(session, after)
    writes, own = session.viewer.role is not Role.SPECTATOR, {one.id for one, *_ in shown if session.is_own(one.author)}
    return None if session.is_game_master else {"notes": shown, "writes": writes, "own": own, "more": more}


@panel
def screen_notes(session: SeatSession, after: int = 0) -> Context:
    """The game master's notes: secrets first, then notes for a single player."""
    shown, more = _notes(session, after)
    ordered = sorted(shown, key=lambda one: (one[0].audience is not Audience.GAME_MASTER, not one[2]))
    return {"notes": tuple(ordered), "more": more} if session.is_game_master else None


@panel
def handouts(session: SeatSession, after: int = 0) -> Context:
    """Handouts that can be shown or have been, and buttons to add a picture."""
    state, name, runs = session.state, session.teller.name, session.is_game_master
    some, more = newest(state.handouts.values(), after)
    shown = tuple((one, picture_of(state, one.picture, one.alt), ", ".join(map(name, one.to))) for one in some)
    return {"handouts": shown, "shows": runs, "more": more} if shown or runs else None


@panel
def safety(session: SeatSession) -> Context:
    safety = session.state.safety
    return {
        "boundaries": tuple((one.kind.value, one.words) for one in safety.boundaries),
        "speaks": session.viewer.role is not Role.SPECTATOR,
    }


@panel
def television(session: SeatSession) -> Context:
    """The table on one screen, to be seen across a room without scrolling: for spectators."""
    if session.viewer.role is not Role.SPECTATOR:
        return None
    state = session.state
    events = session.host.latest(session.table, session.seat, most=LOOKED_AT).events
    cards = [card for card in cards_of(session, events) if not card.abandoned]
    scene = state.scenes.get(state.calendar.scene or "")
    heroes = [one for one in state.characters.values() if one.seat][:MOST_HEROES]
    told = (
        card.told.passages[0 if card.told.title else -1]
        for card in reversed(cards)
        if card.told and card.kind is Kind.STORY and card.told.passages
    )

    def held(sheet: Sheet) -> tuple[DrawnPiece, ...]:
        return tuple(one for one in sheet.summary if one.most)[:MOST_PIECES]

    waits = []
    for card in open_cards(session)[:MOST_WAITS]:
        deciding, asked = [one.who for one in card.decisions], [one.who for one in card.asked]
        what = card.stakes or ", ".join(card.notes) or card.title
        does = "decides" if deciding else "is asked"
        waits.append((" and ".join(dict.fromkeys(deciding + asked)), f"{does}: {what}"))
    return {
        "picture": picture_of_scene(state, scene) if scene else None,
        "title": scene.title if scene else state.name,
        "when": f"Evening {state.calendar.evening}" if state.calendar.evening else "",
        "words": next(told, scene.hook if scene else ""),
        "roll": next((card for card in reversed(cards) if card.kind is Kind.ROLL or card.closed), None),
        "waits": tuple(waits),
        "heroes": tuple((one.face, held(one)) for one in (sheet_of(session, who) for who in heroes)),
        "board": held(board_of(session)),
        "clocks": tuple(state.clocks.values())[:MOST_CLOCKS],
    }


PANELS.append(Panel("seats", people))

# ---------------------------------------------------------------- the game master's screen


@panel
def screen_due(session: SeatSession) -> Context:
    """Reminders of what is due, with buttons for the commands that they name; and who else is waited for.

    What waits for the game master is shown and answered below the log only.
    """
    if not session.is_game_master:
        return None

    def newest() -> Iterator[SeenEvent]:
        return reversed(session.host.latest(session.table, session.seat, most=2 * STALLED_AFTER).events)

    def parts(sentence: str) -> Iterator[tuple[str, Tool | None]]:
        at = 0
        for found in NAMED.finditer(sentence):
            names = re.split(", ", found[1]) if found[1] else [found[2]]
            if tools := [tool(session, name) for name in names if name in session.book.commands]:
                yield sentence[at : found.start()], None
                yield from (("", one) for one in tools)
                at = found.end()
        yield sentence[at:], None

    lines = (*reminded(session.ruleset, session.state), *stalled(session.state, newest))
    matters = groupby((one for one in session.proposals if one.who is None), key=lambda one: one.about)
    waited = tuple(waited_for(session))
    return {
        "proposed": tuple((about, tuple(_proposed(session, some))) for about, some in matters),
        "lines": tuple(tuple(parts(session.in_skin(line))) for line in lines),
        "waited": tuple(one for one in waited if not one.is_own),
        "asked": any(one.is_own for one in waited),
        "stopped": session.state.safety.stopped,
    }


def _proposed(session: SeatSession, some: Iterable[Proposal]) -> Iterator[Tool]:
    for one in some:
        yield tool(session, one.command, session.in_skin(in_words(one.label)), one.doc, one.fields)


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
    state, name = session.state, session.teller.name

    def seat(who: str) -> str:
        found = seat_of(state, who)
        return "" if found == state.game_master else found

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
        elif not prompt.kind:  # the game itself has dealt with the answers to its own questions
            yield Waited(name(prompt.to), "answered", prompt.told or "", tag, prompt=prompt.id, answered=True)


@panel
def screen_tools(session: SeatSession) -> Context:
    """Prepared texts of the setting; and the oracle, for someone who plays alone."""
    if not session.is_game_master:
        return None
    setting = session.state.setting
    words = (("Boons", setting.boons), ("Rites", setting.rites))
    moves = ((MOVES_SHOWN[kind], setting.moves_of(kind)) for kind in MoveKind)
    ready = tuple((title, lines) for title, lines in (*words, *moves) if lines)
    is_alone = sum(not seat.ai for seat in session.state.seats.values()) == 1  # others find the oracle in the palette
    oracle = tuple(tool(session, command) for command in ORACLE) if is_alone else ()
    return {"oracle": oracle, "ready": ready} if oracle or ready else None


LISTS: Mapping[str, Callable[[SeatSession, int], Context]] = {
    one.__name__: one for one in (hero, party, clocks, notes, handouts, screen_clocks, screen_notes)
}
"""Panels whose lists go on at an address of their own, which skips the newest entries."""
