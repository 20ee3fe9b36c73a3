"""Events as a seat sees them: the one place where secrets are cut."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any

import msgspec

from astragal.table.authoring.chapter import Happening
from astragal.table.authoring.display import Went
from astragal.table.authoring.log_lines import Teller
from astragal.table.commands.builtin import Happened, Rolled
from astragal.table.declarations import Sight, Viewer, kind_of_event
from astragal.table.refusals import DependsOnHidden
from astragal.table.state.table import State
from astragal.table.visibility.redact import plain, redact


class SeenEvent(msgspec.Struct, frozen=True):
    """An event as one seat sees it."""

    at: int
    by: str
    """The seat whose deed it was; empty where nobody is named."""
    act: str
    name: str
    words: str
    fields: Mapping[str, Any]
    closed: bool = False
    """A card that says only that something was rolled."""
    abandoned: bool = False
    """A rewind left it behind."""
    opened: tuple[SeenEvent, ...] = ()
    """What a reveal turned over."""
    went: Went | None = None
    """How it went, where it is something that goes well or badly and this seat may know."""
    covered: bool = False
    """Others may see less of it than this viewer, the game master, who can reveal it."""
    out_of_sight: bool = False
    """It was rolled behind the screen, whether or not it has been revealed since."""
    in_short: str = ""
    """The few words by which a story that is told again has it; none for bookkeeping."""


def is_visible(happened: Happened, viewer: Viewer) -> bool:
    """Does this seat learn at all that it happened? Never depends on what is revealed later."""
    by_kind = is_visible_by_kind(type(happened.event), happened.sight, viewer)
    return _is_for(happened.event, viewer) if by_kind is None else by_kind


def is_visible_by_kind(kind: type, sight: Sight, viewer: Viewer) -> bool | None:
    """The same, as far as the kind of event and its sight tell. None: only the event itself does."""
    return _by_kind(kind, sight, viewer.is_game_master)


@cache
def _by_kind(kind: type, sight: Sight, is_game_master: bool) -> bool | None:
    if not getattr(kind, "in_journal", True):
        return False
    if not is_game_master and sight is Sight.SECRET:
        return False
    if not is_game_master and sight is Sight.HIDDEN and kind is not Rolled:
        return False
    return None if hasattr(kind, "is_for") else True


def _is_for(event: Any, viewer: Viewer) -> bool:
    """Is this seat among those whom the event itself is for? What is between seats is not the game master's either."""
    if viewer.is_game_master and not getattr(event, "between_seats", False):
        return True
    is_for = getattr(event, "is_for", None)
    return is_for is None or bool(is_for(viewer))


Alike = list[tuple[Any, bool, "SeenEvent"]]
"""What was cut of one event, whether others may see less, and the event as whoever is left with that sees it."""


def seen_event(
    happened: Happened,
    viewer: Viewer,
    state: State,
    telling: Happening[Any],
    *,
    abandoned: bool = False,
    alike: Alike | None = None,
) -> SeenEvent | None:
    """The event as this viewer sees it, or None if it is not for them.

    What is told depends on what is left of the event after the cut, and on the table. So whoever is left with the same
    as somebody before them, to the letter, is told the same: `alike` has what was told of this event so far.
    """
    opened = happened.act in state.revealed and getattr(happened.event, "in_journal", True)
    if not (_is_for(happened.event, viewer) if opened else is_visible(happened, viewer)):
        return None
    name = kind_of_event(type(happened.event)).name
    if happened.sight is not Sight.OPEN and not opened and not viewer.is_game_master:
        stays, opens = "It stays sealed until the game master opens it.", "It opens when the scene ends"
        when = f"{opens}, unless it is kept sealed." if happened.act in state.closed_rolls else stays
        words = f"The game master rolled, and keeps it hidden. {when}"
        by = state.game_master  # even where the last answer that it waited for was a witness's
        return SeenEvent(
            happened.at, by, happened.act, name, words, {}, closed=True, abandoned=abandoned, out_of_sight=True
        )
    shown = redact(happened.event, viewer, difficulty_hidden=happened.hides and not opened)
    covered = viewer.is_game_master and not opened and (happened.hides or happened.sight is not Sight.OPEN)
    for cut, was_covered, told in alike or ():
        if was_covered is covered and (cut is shown or cut == shown):
            return told
    teller = Teller(state, state.terms)
    words, went = telling.words(shown, teller), None
    if telling.went:
        with suppress(DependsOnHidden):
            went = telling.went(shown, teller)
    seen = SeenEvent(
        at=happened.at,
        by="" if getattr(happened.event, "anonymous", False) else happened.by,  # nobody is told, nor the game master
        act=happened.act,
        name=name,
        words=words,
        fields=plain(shown),
        abandoned=abandoned,
        went=went,
        covered=covered,
        out_of_sight=happened.sight is not Sight.OPEN,
        in_short=telling.in_short(shown, teller) if telling.in_short else "",
    )
    if alike is not None:
        alike.append((shown, covered, seen))
    return seen
