"""Events as a seat sees them: the only place where events are redacted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from astragal.table.authoring.chapter import EventSpec
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
    """The seat that gave the command; empty if nobody is named."""
    act: str
    name: str
    words: str
    fields: Mapping[str, Any]
    closed: bool = False
    """True for a closed card, which says only that something was rolled."""
    abandoned: bool = False
    """True if a rewind has left it behind."""
    opened: tuple[SeenEvent, ...] = ()
    """The events that a reveal has opened."""
    went: Went | None = None
    """How it went, if it can go well or badly and this seat may know."""
    covered: bool = False
    """True if others may see less of it than this viewer, the game master, who can reveal it."""
    out_of_sight: bool = False
    """True if it was rolled behind the screen, even if it has been revealed since."""
    in_short: str = ""
    """A few words for a recap of the story; empty for bookkeeping."""


def is_visible(happened: Happened, viewer: Viewer) -> bool:
    """Return whether this seat learns that the event happened at all. Later reveals never change this."""
    by_kind = is_visible_by_kind(type(happened.event), happened.sight, viewer)
    return is_for(happened.event, viewer) if by_kind is None else by_kind


def is_visible_by_kind(kind: type, sight: Sight, viewer: Viewer) -> bool | None:
    """Decide `is_visible` from the kind of event and its sight alone. None if that takes the event itself."""
    return _by_kind(kind, sight, viewer.is_game_master)


@cache
def _by_kind(kind: type, sight: Sight, is_game_master: bool) -> bool | None:
    """Cached for good: a long log asks it for each entry and seat, and types don't change."""
    if not getattr(kind, "in_journal", True):
        return False
    if not is_game_master and sight is Sight.SECRET:
        return False
    if not is_game_master and sight is Sight.HIDDEN and kind is not Rolled:
        return False
    return None if hasattr(kind, "is_for") else True


def is_for(event: Any, viewer: Viewer) -> bool:
    """Return whether the event is for this seat. Events `between_seats` are hidden from the game master, too."""
    if viewer.is_game_master and not getattr(event, "between_seats", False):
        return True
    is_for = getattr(event, "is_for", None)
    return is_for is None or bool(is_for(viewer))


def places_shown(happened: Sequence[Happened], viewer: Viewer) -> list[int]:
    """Return the places of the events of a command that a seat is shown, as long as no reveal has opened it."""
    return [place for place, entry in enumerate(happened) if is_visible(entry, viewer)]


def places_opened(happened: Sequence[Happened], viewer: Viewer) -> list[int]:
    """Return the places of the events of a hidden command that a seat is shown once a reveal has opened it."""
    return [
        place for place, entry in enumerate(happened) if _is_in_journal(entry.event) and is_for(entry.event, viewer)
    ]


def _is_in_journal(event: Any) -> bool:
    return bool(getattr(event, "in_journal", True))


class SharedEvent(NamedTuple):
    """What several viewers see of one event: its redacted value, whether it is `covered`, and the `SeenEvent`."""

    redacted: Any
    covered: bool
    event: SeenEvent


SeenCache = list[SharedEvent]
"""Cache for one event: one entry for each way in which it is redacted."""


def seen_event(
    happened: Happened,
    viewer: Viewer,
    state: State,
    telling: EventSpec[Any],
    *,
    abandoned: bool = False,
    alike: SeenCache | None = None,
) -> SeenEvent | None:
    """Return the event as this viewer sees it, or None if it is not for them.

    The result depends only on the redacted event and on the table. So viewers with equal redacted events share it:
    `alike` caches the results for this event so far.
    """
    is_opened = happened.act in state.revealed and _is_in_journal(happened.event)
    if not (is_for(happened.event, viewer) if is_opened else is_visible(happened, viewer)):
        return None
    is_hidden = happened.sight is not Sight.OPEN and not is_opened
    if is_hidden and not viewer.is_game_master:
        return _closed_card(happened, state, abandoned=abandoned)
    redacted = redact(happened.event, viewer, difficulty_hidden=happened.hides and not is_opened)
    covered = viewer.is_game_master and not is_opened and (happened.hides or happened.sight is not Sight.OPEN)
    for shared in alike or ():
        if shared.covered is covered and (shared.redacted is redacted or shared.redacted == redacted):
            return shared.event
    teller = Teller(state, state.terms)
    event = SeenEvent(
        at=happened.at,
        by="" if getattr(happened.event, "anonymous", False) else happened.by,  # hidden from the game master, too
        act=happened.act,
        name=kind_of_event(type(happened.event)).name,
        words=telling.words(redacted, teller),
        fields=plain(redacted),
        abandoned=abandoned,
        went=_verdict(telling, redacted, teller),
        covered=covered,
        out_of_sight=happened.sight is not Sight.OPEN,
        in_short=telling.in_short(redacted, teller) if telling.in_short else "",
    )
    if alike is not None:
        alike.append(SharedEvent(redacted, covered, event))
    return event


def _closed_card(happened: Happened, state: State, *, abandoned: bool) -> SeenEvent:
    """Return what players see of a hidden roll: that there was one, and whether it will be opened."""
    if happened.act in state.closed_rolls:
        when = "It opens when the scene ends, unless it is kept sealed."
    else:
        when = "It stays sealed until the game master opens it."
    return SeenEvent(
        at=happened.at,
        by=state.game_master,  # even if a witness's answer completed the roll
        act=happened.act,
        name=kind_of_event(type(happened.event)).name,
        words=f"The game master rolled, and keeps it hidden. {when}",
        fields={},
        closed=True,
        abandoned=abandoned,
        out_of_sight=True,
    )


def _verdict(telling: EventSpec[Any], redacted: Any, teller: Teller) -> Went | None:
    """Return how an event went, if it can go well or badly and the viewer may know."""
    if telling.went is None:
        return None
    try:
        return telling.went(redacted, teller)
    except DependsOnHidden:
        return None
