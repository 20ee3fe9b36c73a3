"""Notes: for all, for one seat, or secret to the game master; a reveal makes one public for good.

Players write for all or for themselves. The game master reads every note. Notes last through rewinds: people don't
forget what they wrote down.
"""

from typing import Annotated

from annotated_types import MaxLen
from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Command, Event
from astragal.table.authoring.kept import Kept
from astragal.table.authoring.log_lines import Teller
from astragal.table.chapters.seats import find_seat
from astragal.table.declarations import GAME_MASTER_AND_PLAYERS, Nature, Seen, replace
from astragal.table.fields.definitions import Label, Names, SeatId, Words
from astragal.table.refusals import NotAllowed, Refusal
from astragal.table.state.setting import MoveKind
from astragal.table.state.things import Audience, Note, Title

NOTES = Chapter(seen=Seen.ALL)

MOST_NOTES = 300

NoteId = Annotated[str, MaxLen(40), Names("note")]

KEPT_NOTES = Kept(
    NOTES,
    Note,
    "notes",
    "note",
    name="title",
    shared=True,
    moves={
        MoveKind.OMEN: lambda note, _: (
            f"show a sign of what you keep secret: “{note.title}”" if note.audience is Audience.GAME_MASTER else ""
        )
    },
)


def _find_own(call: Call, note_id: str) -> Note:
    """Find a note that this seat may change. A note that it may not read counts as missing."""
    note = KEPT_NOTES.find(call, note_id)
    if note.author != call.viewer.seat and not call.viewer.is_game_master:
        raise NotAllowed("Somebody else wrote that note.")
    return note


# ---------------------------------------------------------------- written


@KEPT_NOTES.put("note_written", nature=Nature.LASTING, says="a note: {note.title}")
class NoteWritten(Event):
    """A note was written, or rewritten."""

    note: Note


@NOTES.command("write_note", title="Write a note", may=GAME_MASTER_AND_PLAYERS)
class WriteNote(Command):
    """Write a note, or rewrite one."""

    title: Annotated[Title, Doc("what the note is about")]
    words: Annotated[Words, Label("text")] = ""
    audience: Annotated[
        Audience, Label("who may read it"), Doc("whom it is for: all, one seat, or the game master alone")
    ] = Audience.ALL
    seat: Annotated[SeatId | None, Label("reader"), Doc("whose it is, where it is for one seat")] = None
    note: Annotated[NoteId | None, Label("rewrites"), Doc("the note to rewrite; none writes a new one")] = None

    def does(self, call: Call) -> list[NoteWritten]:
        if self.audience is Audience.SEAT:
            if self.seat is None:
                raise Refusal("Say whose note it is.", code="no_seat", field="seat")
            find_seat(call.state, self.seat)
        is_own = self.audience is Audience.SEAT and self.seat == call.viewer.seat
        if not (call.viewer.is_game_master or self.audience is Audience.ALL or is_own):
            raise NotAllowed("A player writes notes for all or for themselves.")
        previous = None if self.note is None else _find_own(call, self.note)
        if previous is None:
            check_room(call)
        stays_public = previous is not None and previous.audience is Audience.ALL
        audience = Audience.ALL if stays_public else self.audience
        note = KEPT_NOTES.new(
            call,
            self,
            id=previous.id if previous else call.fresh,
            author=previous.author if previous else call.viewer.seat,
            audience=audience,
            seat=self.seat if audience is Audience.SEAT else None,
        )
        return [NoteWritten(note=note)]


def check_room(call: Call) -> None:
    """Limit the number of notes. Notes that the caller can't read don't count: the number would reveal them."""
    readable = sum(note.is_for(call.viewer) for note in call.state.notes.values())
    if readable >= MOST_NOTES:
        raise Refusal(
            f"There are {readable} notes already, and room for {MOST_NOTES}: remove one first.", code="too_many"
        )


# ---------------------------------------------------------------- revealed


@KEPT_NOTES.put("note_revealed", nature=Nature.LASTING)
class NoteRevealed(Event):
    """A note is public from now on."""

    note: Note

    def says(self, _: Teller) -> str:
        return f"revealed: {self.note.title}{f'. {self.note.words}' if self.note.words else ''}"


@NOTES.command("reveal_note", may=GAME_MASTER_AND_PLAYERS, grave=True)
class RevealNote(Command):
    """Show a note to all, for good. Only its author and the game master may do that."""

    note: Annotated[NoteId, Doc("the note")]

    def does(self, call: Call) -> list[NoteRevealed]:
        note = _find_own(call, self.note)
        if note.audience is Audience.ALL:
            raise Refusal("All can read that note already.", code="no_change")
        return [NoteRevealed(note=replace(note, audience=Audience.ALL, seat=None))]


# ---------------------------------------------------------------- taken away


@KEPT_NOTES.taken("note_removed", nature=Nature.LASTING, says="the note {note.title} is gone")
class NoteRemoved(Event):
    """A note was taken away."""

    note: Note


@NOTES.command("remove_note", may=GAME_MASTER_AND_PLAYERS, grave=True)
class RemoveNote(Command):
    """Take a note away. Only its author and the game master may do that."""

    note: Annotated[NoteId, Doc("the note")]

    def does(self, call: Call) -> list[NoteRemoved]:
        return [NoteRemoved(note=_find_own(call, self.note))]
