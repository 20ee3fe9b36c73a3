"""Speech at the table: in whose voice, and to whom."""

from __future__ import annotations

from dataclasses import dataclass

from astragal.surfaces.shared.slash import Meant, is_slash, slash
from astragal.surfaces.web.forms.choices import Option
from astragal.surfaces.web.session import SeatSession
from astragal.table.state.seats import Role

STORY, ALL = "story", ""


@dataclass(frozen=True)
class Voices:
    """Ways to speak that belong together."""

    title: str
    options: tuple[Option, ...]


def voices(session: SeatSession) -> tuple[Voices, ...]:
    """Voices of this seat: to all, as its characters, in private."""
    state = session.state
    mine = [one for one in state.characters.values() if session.is_game_master or one.id in session.viewer.characters]
    to_all = [Option(ALL, "To all")]
    if session.is_game_master:  # who tells, far more than they chat
        to_all.insert(0, Option(STORY, "The story"))
    groups = [Voices("Out loud", tuple(to_all))]
    if mine:
        spoken = [Option(f"as:{one.id}", f"As {one.name}") for one in mine]
        done = [Option(f"does:{one.id}", f"{one.name} …") for one in mine]
        groups += [Voices("As a character", tuple(spoken)), Voices("What a character does", tuple(done))]
    others = [seat for seat in state.seats.values() if seat.id != session.seat and seat.role is not Role.SPECTATOR]
    if others and session.viewer.role is not Role.SPECTATOR:
        groups.append(Voices("In private", tuple(Option(f"to:{one.id}", f"Whisper to {one.name}") for one in others)))
    return tuple(groups)


def speech(session: SeatSession, to: str, words: str) -> Meant:
    """The command that says these words in this way; a line that begins with a slash says itself what it is."""
    how, _, whom = to.partition(":")
    if is_slash(words):
        return slash(session, words, whom if how in ("as", "does") else "")
    if how == "to":
        return Meant("whisper", {"to": [whom], "words": words})
    if how == "does":
        return Meant("emote", {"who": whom, "words": words})
    if to == STORY:
        return Meant("narrate", {"words": words})
    return Meant("say", {"words": words, **({"who": whom} if how == "as" else {})})
