"""Slash commands, as people know them from chat: /roll 2d6+3, /gmr d20, /w Bo meet me outside, /me draws a knife."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from astragal.table.chapters.chat import ROLL_DICE, dice_written
from astragal.table.declarations import Role, Sight
from astragal.table.refusals import NoSuchThing, NotAllowed, Refusal

if TYPE_CHECKING:
    from astragal.surfaces.shared.context import SeatView

SLASHES: Mapping[str, str] = {
    "/roll 2d6+3": "roll dice for all to see (/r)",
    "/gmr d20": "roll behind the screen: only the game master sees it",
    "/w name words": "whisper to somebody",
    "/me does something": "tell what your character does",
}
"""Examples of slash commands, each with its effect."""
ROLL = "roll"
HIDDEN = "gmr"
WHISPER = "w"
EMOTE = "me"
MEANT = {
    "r": ROLL,
    "roll": ROLL,
    "gmr": HIDDEN,
    "gmroll": HIDDEN,
    "gr": HIDDEN,
    "w": WHISPER,
    "whisper": WHISPER,
    "me": EMOTE,
    "em": EMOTE,
    "emote": EMOTE,
}
WORD = re.compile(r"/(\S*)\s*(.*)", re.DOTALL)


class ParsedLine(Struct, frozen=True):
    """The command that a line means, and who sees it."""

    command: str
    fields: Mapping[str, Any]
    sight: Sight = Sight.OPEN


def is_slash(line: str) -> bool:
    return line.startswith("/")


def slash(view: SeatView, line: str, character: str = "") -> ParsedLine:
    """Parse a line that begins with a slash. `character` is the one who speaks, if one was chosen."""
    match = WORD.fullmatch(line.strip())
    word, arguments = (match[1].casefold(), match[2].strip()) if match else ("", "")
    match MEANT.get(word):
        case "roll":
            return _roll(arguments, Sight.OPEN)
        case "gmr":
            if not view.is_game_master:
                raise NotAllowed("Only the game master rolls behind the screen. /roll is for all to see.")
            return _roll(arguments, Sight.HIDDEN)
        case "w":
            return _whisper(view, arguments)
        case "me":
            if who := character or min(view.viewer.characters, default=""):
                return ParsedLine("emote", {"who": who, "words": arguments})
            if view.is_game_master:
                return ParsedLine("narrate", {"words": arguments})
            raise NoSuchThing("You have no character who could do something.")
        case _:
            near = get_close_matches(word, MEANT, 1)
            could = f"The nearest is /{near[0]}. " if near else ""
            raise Refusal(f"There is no /{word[:20]}. {could}There are /roll, /gmr, /w and /me.", code="no_slash")


def notation_in(line: str) -> str:
    """Return the dice notation in a line that rolls, or "" for any other. A line without a slash is a notation, too."""
    match = WORD.fullmatch(line.strip())
    if match is None:
        return line.partition("#")[0].strip()
    return match[2].partition("#")[0].strip() if MEANT.get(match[1].casefold()) in (ROLL, HIDDEN) else ""


def _roll(text: str, sight: Sight) -> ParsedLine:
    """Parse dice notation; text after a # says what the roll is for."""
    notation, _, label = text.partition("#")
    if not notation.strip():
        raise Refusal("Which dice? For example /roll 2d6+3.", code="notation", field="notation")
    dice_written(notation.strip())
    return ParsedLine(ROLL_DICE, {"notation": notation.strip(), "label": label.strip()}, sight)


def _whisper(view: SeatView, text: str) -> ParsedLine:
    """Whisper to the seat whose name, or whose hero's name, the text begins with; the longest match wins."""
    seat_by_name: dict[str, str] = {}
    for character in view.state.characters.values():
        if character.seat:
            seat_by_name[character.name.casefold()] = character.seat
    other_seats = [
        seat for seat in view.state.seats.values() if seat.id != view.seat and seat.role is not Role.SPECTATOR
    ]
    seat_by_name |= {seat.name.casefold(): seat.id for seat in other_seats}
    seat_by_name |= {"gm": view.state.game_master}
    text_typed = text.removeprefix('"').replace('" ', " ", 1) if text.startswith('"') else text
    fitting = [name for name in seat_by_name if f"{text_typed.casefold()} ".startswith(f"{name} ")]
    name = max(fitting, key=len, default="")
    if not name:  # one word of a name that only one seat has: a secret is whispered to nobody on a letter or two
        first = text_typed.partition(" ")[0].casefold().rstrip(",:")
        seats = {seat for name, seat in seat_by_name.items() if first in name.split()}
        if len(seats) != 1:
            listed = ", ".join(seat.name for seat in other_seats) or "nobody else"
            raise NoSuchThing(f"Whisper to whom? /w, a name, and the words. There is {listed}.")
        name = first
        seat_by_name = {first: seats.pop()}
    words = text_typed[len(name) :].strip(" ,:")
    return ParsedLine("whisper", {"to": [seat_by_name[name]], "words": words})
