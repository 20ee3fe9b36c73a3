"""One click on a pip: a number of a sheet is changed by the rule's own command where there is one, else by hand."""

from __future__ import annotations

from typing import Any

from astragal.surfaces.web.session import SeatSession
from astragal.table.authoring.declarations import kind_of_command
from astragal.table.authoring.meters import Gain, Lose
from astragal.table.refusals import NoSuchThing, NotAllowed


def adjustable(session: SeatSession, label: str) -> str:
    """The number that a piece of a sheet shows, by the name that the game sets it by; empty where this seat may not."""
    if not session.is_game_master:
        return ""
    return next((name for name in session.ruleset.overrides if _key(name) == _key(label)), "")


def adjustment(session: SeatSession, who: str, what: str, value: int) -> tuple[str, dict[str, Any]]:
    """The command that brings a number of somebody to this value."""
    character, number = session.state.characters.get(who), session.ruleset.overrides.get(what)
    if not session.is_game_master:
        raise NotAllowed("Only the game master can do that.")
    if character is None or number is None:
        raise NoSuchThing("There is no such number on this table.")
    now = number.read(character.sheet)
    own = Lose if value < now else Gain
    for kind in session.book.commands.values():
        if issubclass(kind, own) and kind.meter.name == what and value != now:
            return kind_of_command(kind).name, {"who": who, "points": abs(value - now)}
    return "override", {"who": who, "what": what, "value": value}


def _key(name: str) -> str:
    return name.casefold().replace(" ", "_")
