"""Chat: what is said at the table. It lasts, and changes nothing.

A whisper is for the seats it names and for whoever whispers, and for nobody else: the game master reads it only where
the game master is named.
"""

from __future__ import annotations

from typing import Annotated

from annotated_types import MaxLen, MinLen
from typing_extensions import Doc

from astragal.table.chapters.seats import find_seat
from astragal.table.declarations import Nature, command, event
from astragal.table.fields import LONGEST_TEXT, CharacterId, FreeText, SeatId
from astragal.table.refusals import NotYours, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Teller
from astragal.table.seats import EVERYONE, GAME_MASTER_AND_PLAYERS, GAME_MASTER_ONLY, GAME_MASTER_OR_OWNER, Viewer
from astragal.table.seen import Seen

Line = Annotated[str, MinLen(1), MaxLen(1000), FreeText()]
Passage = Annotated[str, MinLen(1), MaxLen(LONGEST_TEXT), FreeText()]

# ---------------------------------------------------------------- what is asked


@command("say", may=EVERYONE, actor="who")
class Say:
    """Say something to all, as yourself or as one of your characters."""

    words: Annotated[Line, Doc("what is said")]
    who: Annotated[CharacterId | None, Doc("the character that speaks; none means yourself")] = None


@command("whisper", may=GAME_MASTER_AND_PLAYERS)
class Whisper:
    """Say something to some seats alone. The game master hears it only if named."""

    to: Annotated[tuple[SeatId, ...], Doc("the seats that hear it")]
    words: Annotated[Line, Doc("what is said")]


@command("emote", may=GAME_MASTER_OR_OWNER, actor="who")
class Emote:
    """Tell what a character does."""

    who: Annotated[CharacterId, Doc("the character")]
    words: Annotated[Line, Doc("what they do")]


@command("narrate", may=GAME_MASTER_ONLY)
class Narrate:
    """Tell the story on."""

    words: Annotated[Passage, Doc("what happens")]


# ---------------------------------------------------------------- what happened


@event("said", nature=Nature.LASTING)
class Said:
    """Somebody said something."""

    seat: Annotated[str, Seen.ALL]
    who: Annotated[str | None, Seen.ALL]
    words: Annotated[Line, Seen.ALL]


@event("whispered", nature=Nature.LASTING)
class Whispered:
    """Somebody whispered."""

    between_seats = True

    seat: Annotated[str, Seen.ALL]
    to: Annotated[tuple[str, ...], Seen.ALL]
    words: Annotated[Line, Seen.ALL]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.seat in (self.seat, *self.to)


@event("emoted", nature=Nature.LASTING)
class Emoted:
    """A character did something that changes nothing."""

    who: Annotated[str, Seen.ALL]
    words: Annotated[Line, Seen.ALL]


@event("narrated", nature=Nature.LASTING)
class Narrated:
    """The game master told the story on."""

    words: Annotated[Passage, Seen.ALL]


# ---------------------------------------------------------------- deciding


def _say(call: Call, asked: Say, _: None) -> list[Said]:
    if asked.who is not None:
        _check_speaks_for(call, asked.who)
    return [Said(seat=call.viewer.seat, who=asked.who, words=asked.words)]


def _check_speaks_for(call: Call, who: str) -> None:
    mine = who in call.state.characters if call.viewer.is_game_master else who in call.viewer.characters
    if not mine:
        raise NotYours("You speak as yourself or as a character of your own.")


def _whisper(call: Call, asked: Whisper, _: None) -> list[Whispered]:
    to = tuple(dict.fromkeys(find_seat(call.state, seat).id for seat in asked.to if seat != call.viewer.seat))
    if not to:
        raise Refusal("Say to whom.", code="nobody")
    return [Whispered(seat=call.viewer.seat, to=to, words=asked.words)]


def _emote(call: Call, asked: Emote, _: None) -> list[Emoted]:
    _check_speaks_for(call, asked.who)
    return [Emoted(who=asked.who, words=asked.words)]


def _narrate(_: Call, asked: Narrate, __: None) -> list[Narrated]:
    return [Narrated(words=asked.words)]


# ---------------------------------------------------------------- words


def _say_said(said: Said, teller: Teller) -> str:
    return f"{teller.name(said.who or said.seat)}: {said.words}"


def _say_whispered(whispered: Whispered, teller: Teller) -> str:
    to = ", ".join(teller.name(seat) for seat in whispered.to)
    return f"{teller.name(whispered.seat)} whispers to {to}: {whispered.words}"


CHAT = Chapter(
    actions=(
        Action(Say, _say),
        Action(Whisper, _whisper),
        Action(Emote, _emote),
        Action(Narrate, _narrate),
    ),
    happenings=(
        Happening(Said, _say_said),
        Happening(Whispered, _say_whispered),
        Happening(Emoted, lambda emoted, teller: f"{teller.name(emoted.who)} {emoted.words}"),
        Happening(Narrated, lambda narrated, teller: narrated.words),
    ),
)
