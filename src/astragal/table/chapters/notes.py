"""Notes: for all, for one seat, or secret to the game master; a reveal makes one public for good.

Players write for all or for themselves. The game master reads every note. Notes last through rewinds: people don't
forget what they wrote down.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from annotated_types import MaxLen, MinLen
from typing_extensions import Doc

from astragal.table.chapters.seats import find_seat
from astragal.table.declarations import Nature, command, event
from astragal.table.fields import FreeText, Names, SeatId, Words
from astragal.table.refusals import NoSuchThing, NotAllowed, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.seats import GAME_MASTER_AND_PLAYERS, Viewer
from astragal.table.seen import Seen
from astragal.table.state import State
from astragal.table.things.notes import Audience, Note, may_read

NoteId = Annotated[str, MaxLen(40), Names("note")]
Title = Annotated[str, MinLen(1), MaxLen(120), FreeText()]
MOST_NOTES = 300

# ---------------------------------------------------------------- what is asked


@command("write_note", may=GAME_MASTER_AND_PLAYERS)
class WriteNote:
    """Write something down, or write a note anew."""

    title: Annotated[Title, Doc("what the note is about")]
    words: Annotated[Words, Doc("what it says")] = ""
    audience: Annotated[Audience, Doc("whom it is for: all, one seat, or the game master alone")] = Audience.ALL
    seat: Annotated[SeatId | None, Doc("whose it is, where it is for one seat")] = None
    note: Annotated[NoteId | None, Doc("the note to write anew; none writes a new one")] = None


@command("reveal_note", may=GAME_MASTER_AND_PLAYERS, grave=True)
class RevealNote:
    """Show a note to all, for good. Whoever wrote it may, and the game master."""

    note: Annotated[NoteId, Doc("the note")]


@command("remove_note", may=GAME_MASTER_AND_PLAYERS, grave=True)
class RemoveNote:
    """Take a note away. Whoever wrote it may, and the game master."""

    note: Annotated[NoteId, Doc("the note")]


# ---------------------------------------------------------------- what happened


@event("note_written", nature=Nature.LASTING)
class NoteWritten:
    """Something was written down."""

    note: Annotated[str, Seen.ALL]
    title: Annotated[Title, Seen.ALL]
    words: Annotated[Words, Seen.ALL]
    author: Annotated[str, Seen.ALL]
    audience: Annotated[Audience, Seen.ALL]
    seat: Annotated[str | None, Seen.ALL]

    def is_for(self, viewer: Viewer) -> bool:
        return may_read(viewer, self.audience, self.seat)


@event("note_revealed", nature=Nature.LASTING)
class NoteRevealed:
    """A note is public from now on."""

    note: Annotated[str, Seen.ALL]
    title: Annotated[Title, Seen.ALL]
    words: Annotated[Words, Seen.ALL]


@event("note_removed", nature=Nature.LASTING)
class NoteRemoved:
    """A note was taken away."""

    note: Annotated[str, Seen.ALL]
    title: Annotated[Title, Seen.ALL]
    audience: Annotated[Audience, Seen.ALL]
    seat: Annotated[str | None, Seen.ALL]

    def is_for(self, viewer: Viewer) -> bool:
        return may_read(viewer, self.audience, self.seat)


# ---------------------------------------------------------------- deciding


def _write(call: Call, asked: WriteNote, _: None) -> list[NoteWritten]:
    _check_audience(call, asked)
    before = None if asked.note is None else _find_own(call, asked.note)
    if before is None:
        _check_room(call)
    stays_public = before is not None and before.audience is Audience.ALL
    audience = Audience.ALL if stays_public else asked.audience
    written = NoteWritten(
        note=before.id if before else call.fresh,
        title=asked.title,
        words=asked.words,
        author=before.author if before else call.viewer.seat,
        audience=audience,
        seat=asked.seat if audience is Audience.SEAT else None,
    )
    return [written]


def _check_room(call: Call) -> None:
    """Nobody's page of notes grows without end. What they can't read is not counted: that would tell of it."""
    readable = sum(note.is_for(call.viewer) for note in call.state.notes.values())
    if readable >= MOST_NOTES:
        raise Refusal(
            f"There are {readable} notes already, and room for {MOST_NOTES}: remove one first.", code="too_many"
        )


def _check_audience(call: Call, asked: WriteNote) -> None:
    if asked.audience is Audience.SEAT:
        if asked.seat is None:
            raise Refusal("Say whose note it is.", code="no_seat")
        find_seat(call.state, asked.seat)
    if call.viewer.is_game_master or asked.audience is Audience.ALL:
        return
    if asked.audience is Audience.GAME_MASTER or asked.seat != call.viewer.seat:
        raise NotAllowed("A player writes notes for all or for themselves.")


def _reveal(call: Call, asked: RevealNote, _: None) -> list[NoteRevealed]:
    note = _find_own(call, asked.note)
    if note.audience is Audience.ALL:
        raise Refusal("All can read that note already.", code="no_change")
    return [NoteRevealed(note=note.id, title=note.title, words=note.words)]


def _remove(call: Call, asked: RemoveNote, _: None) -> list[NoteRemoved]:
    note = _find_own(call, asked.note)
    return [NoteRemoved(note=note.id, title=note.title, audience=note.audience, seat=note.seat)]


def _find_own(call: Call, note_id: str) -> Note:
    """A note that this seat may change; one that it may not read is as good as none."""
    note = call.state.notes.get(note_id)
    if note is None or not note.is_for(call.viewer):
        raise NoSuchThing("There is no such note.")
    if note.author != call.viewer.seat and not call.viewer.is_game_master:
        raise NotAllowed("Somebody else wrote that note.")
    return note


# ---------------------------------------------------------------- folds


def _keep(state: State, written: NoteWritten) -> State:
    note = Note(
        id=written.note,
        title=written.title,
        words=written.words,
        author=written.author,
        audience=written.audience,
        seat=written.seat,
    )
    return replace(state, notes={**state.notes, note.id: note})


def _open(state: State, revealed: NoteRevealed) -> State:
    note = replace(state.notes[revealed.note], audience=Audience.ALL, seat=None)
    return replace(state, notes={**state.notes, note.id: note})


def _take_away(state: State, removed: NoteRemoved) -> State:
    return replace(state, notes={key: one for key, one in state.notes.items() if key != removed.note})


NOTES = Chapter(
    actions=(Action(WriteNote, _write), Action(RevealNote, _reveal), Action(RemoveNote, _remove)),
    happenings=(
        Happening(NoteWritten, lambda written, teller: f"a note: {written.title}", _keep),
        Happening(NoteRevealed, lambda revealed, teller: f"revealed: {revealed.title}", _open),
        Happening(NoteRemoved, lambda removed, teller: f"the note {removed.title} is gone", _take_away),
    ),
)
