"""Notes: for all, for one seat, or secret to the game master; a reveal makes one public for good.

Players write for all or for themselves. The game master reads every note. Notes last through rewinds: people don't
forget what they wrote down.
"""

from __future__ import annotations

from typing import Annotated

from annotated_types import MaxLen, MinLen
from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Command, Event
from astragal.table.authoring.declarations import Nature
from astragal.table.chapters.seats import find_seat
from astragal.table.fields.definitions import FreeText, Names, SeatId, Words
from astragal.table.fields.values import replace, without
from astragal.table.refusals import NoSuchThing, NotAllowed, Refusal
from astragal.table.state.notes import Audience, Note, may_read
from astragal.table.state.seats import GAME_MASTER_AND_PLAYERS, Viewer
from astragal.table.state.table import State
from astragal.table.visibility.marks import Seen

NOTES = Chapter(seen=Seen.ALL)

MOST_NOTES = 300

NoteId = Annotated[str, MaxLen(40), Names("note")]
Title = Annotated[str, MinLen(1), MaxLen(120), FreeText()]


def _find_own(call: Call, note_id: str) -> Note:
    """A note that this seat may change; one that it may not read is as good as none."""
    note = call.state.notes.get(note_id)
    if note is None or not note.is_for(call.viewer):
        raise NoSuchThing("There is no such note.")
    if note.author != call.viewer.seat and not call.viewer.is_game_master:
        raise NotAllowed("Somebody else wrote that note.")
    return note


# ---------------------------------------------------------------- written


@NOTES.event("note_written", nature=Nature.LASTING, says="a note: {title}")
class NoteWritten(Event):
    """Something was written down."""

    note: str
    title: Title
    words: Words
    author: str
    audience: Audience
    seat: str | None

    def is_for(self, viewer: Viewer) -> bool:
        return may_read(viewer, self.audience, self.seat)

    def fold(self, state: State) -> State:
        note = Note(
            id=self.note,
            title=self.title,
            words=self.words,
            author=self.author,
            audience=self.audience,
            seat=self.seat,
        )
        return replace(state, notes={**state.notes, note.id: note})


@NOTES.command("write_note", may=GAME_MASTER_AND_PLAYERS)
class WriteNote(Command):
    """Write something down, or write a note anew."""

    title: Annotated[Title, Doc("what the note is about")]
    words: Annotated[Words, Doc("what it says")] = ""
    audience: Annotated[Audience, Doc("whom it is for: all, one seat, or the game master alone")] = Audience.ALL
    seat: Annotated[SeatId | None, Doc("whose it is, where it is for one seat")] = None
    note: Annotated[NoteId | None, Doc("the note to write anew; none writes a new one")] = None

    def does(self, call: Call) -> list[NoteWritten]:
        self._check_audience(call)
        before = None if self.note is None else _find_own(call, self.note)
        if before is None:
            check_room(call)
        stays_public = before is not None and before.audience is Audience.ALL
        audience = Audience.ALL if stays_public else self.audience
        written = NoteWritten(
            note=before.id if before else call.fresh,
            title=self.title,
            words=self.words,
            author=before.author if before else call.viewer.seat,
            audience=audience,
            seat=self.seat if audience is Audience.SEAT else None,
        )
        return [written]

    def _check_audience(self, call: Call) -> None:
        if self.audience is Audience.SEAT:
            if self.seat is None:
                raise Refusal("Say whose note it is.", code="no_seat")
            find_seat(call.state, self.seat)
        if call.viewer.is_game_master or self.audience is Audience.ALL:
            return
        if self.audience is Audience.GAME_MASTER or self.seat != call.viewer.seat:
            raise NotAllowed("A player writes notes for all or for themselves.")


def check_room(call: Call) -> None:
    """Nobody's page of notes grows without end. What they can't read is not counted: that would tell of it."""
    readable = sum(note.is_for(call.viewer) for note in call.state.notes.values())
    if readable >= MOST_NOTES:
        raise Refusal(
            f"There are {readable} notes already, and room for {MOST_NOTES}: remove one first.", code="too_many"
        )


# ---------------------------------------------------------------- revealed


@NOTES.event("note_revealed", nature=Nature.LASTING, says="revealed: {title}")
class NoteRevealed(Event):
    """A note is public from now on."""

    note: str
    title: Title
    words: Words

    def fold(self, state: State) -> State:
        note = replace(state.notes[self.note], audience=Audience.ALL, seat=None)
        return replace(state, notes={**state.notes, note.id: note})


@NOTES.command("reveal_note", may=GAME_MASTER_AND_PLAYERS, grave=True)
class RevealNote(Command):
    """Show a note to all, for good. Whoever wrote it may, and the game master."""

    note: Annotated[NoteId, Doc("the note")]

    def does(self, call: Call) -> list[NoteRevealed]:
        note = _find_own(call, self.note)
        if note.audience is Audience.ALL:
            raise Refusal("All can read that note already.", code="no_change")
        return [NoteRevealed(note=note.id, title=note.title, words=note.words)]


# ---------------------------------------------------------------- taken away


@NOTES.event("note_removed", nature=Nature.LASTING, says="the note {title} is gone")
class NoteRemoved(Event):
    """A note was taken away."""

    note: str
    title: Title
    audience: Audience
    seat: str | None

    def is_for(self, viewer: Viewer) -> bool:
        return may_read(viewer, self.audience, self.seat)

    def fold(self, state: State) -> State:
        return replace(state, notes=without(state.notes, self.note))


@NOTES.command("remove_note", may=GAME_MASTER_AND_PLAYERS, grave=True)
class RemoveNote(Command):
    """Take a note away. Whoever wrote it may, and the game master."""

    note: Annotated[NoteId, Doc("the note")]

    def does(self, call: Call) -> list[NoteRemoved]:
        note = _find_own(call, self.note)
        return [NoteRemoved(note=note.id, title=note.title, audience=note.audience, seat=note.seat)]
