"""Chat: what is said at the table. It lasts, and changes nothing.

A whisper is for the seats it names and for whoever whispers, and for nobody else: the game master reads it only where
the game master is named.
"""

from typing import Annotated

from annotated_types import MaxLen, MinLen
from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Command, Event, Fact
from astragal.table.authoring.log_lines import Teller
from astragal.table.chapters.seats import find_seat
from astragal.table.declarations import (
    EVERYONE,
    GAME_MASTER_AND_PLAYERS,
    GAME_MASTER_ONLY,
    GAME_MASTER_OR_OWNER,
    Nature,
    Seen,
    Viewer,
)
from astragal.table.fields.definitions import LONGEST_TEXT, CharacterId, FreeText, SeatId
from astragal.table.refusals import NotYours, Refusal

CHAT = Chapter(seen=Seen.ALL, dead_may=True)

Line = Annotated[str, MinLen(1), MaxLen(1000), FreeText()]
Passage = Annotated[str, MinLen(1), MaxLen(LONGEST_TEXT), FreeText()]


def _check_speaks_for(call: Call, who: str) -> None:
    mine = who in call.state.characters if call.viewer.is_game_master else who in call.viewer.characters
    if not mine:
        raise NotYours("You speak as yourself or as a character of your own.")


@CHAT.event("said", nature=Nature.LASTING)
class Said(Event):
    """Somebody said something."""

    seat: str
    who: str | None
    words: Line

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.who or self.seat)}: {self.words}"


@CHAT.command("say", may=EVERYONE, actor="who")
class Say(Command):
    """Say something to all, as yourself or as one of your characters."""

    words: Annotated[Line, Doc("what is said")]
    who: Annotated[CharacterId | None, Doc("the character that speaks; none means yourself")] = None

    def does(self, call: Call) -> list[Said]:
        if self.who is not None:
            _check_speaks_for(call, self.who)
        return [Said(seat=call.viewer.seat, who=self.who, words=self.words)]


@CHAT.event("whispered", nature=Nature.LASTING)
class Whispered(Event):
    """Somebody whispered."""

    between_seats = True

    seat: str
    to: tuple[str, ...]
    words: Line

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.seat in (self.seat, *self.to)

    def says(self, teller: Teller) -> str:
        to = ", ".join(teller.name(seat) for seat in self.to)
        return f"{teller.name(self.seat)} whispers to {to}: {self.words}"


@CHAT.command("whisper", may=GAME_MASTER_AND_PLAYERS)
class Whisper(Command):
    """Say something to some seats alone. The game master hears it only if named."""

    to: Annotated[tuple[SeatId, ...], Doc("the seats that hear it")]
    words: Annotated[Line, Doc("what is said")]

    def does(self, call: Call) -> list[Whispered]:
        to = tuple(dict.fromkeys(find_seat(call.state, seat).id for seat in self.to if seat != call.viewer.seat))
        if not to:
            raise Refusal("Say to whom.", code="nobody", field="to")
        return [Whispered(seat=call.viewer.seat, to=to, words=self.words)]


@CHAT.fact(
    "emote",
    told="emoted",
    may=GAME_MASTER_OR_OWNER,
    actor="who",
    nature=Nature.LASTING,
    says="{who} {words}",
)
class Emote(Fact):
    """Tell what a character does."""

    who: Annotated[CharacterId, Doc("the character")]
    words: Annotated[Line, Doc("what they do")]

    def check(self, call: Call) -> None:
        _check_speaks_for(call, self.who)


@CHAT.fact("narrate", told="narrated", may=GAME_MASTER_ONLY, nature=Nature.LASTING, says="{words}")
class Narrate(Fact):
    """Tell the story on."""

    words: Annotated[Passage, Doc("what happens")]
