"""Dependency tracking: record what a drawing read from a seat's session, and check whether it would read the same now.

A panel or a card is a pure function of its session: equal reads give equal output. So a drawing is cached until
something that it read has changed, and seats share one if everything that it read is equal for them. Answers of the
host can't be compared: a drawing that asks it is made again each time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from astragal.surfaces.shared.context import cached
from astragal.surfaces.web.session import Identified, SeatSession, Shown, Thing
from astragal.table.declarations import parts_of, replace
from astragal.table.state.table import State, TableState
from astragal.table.visibility.events import SeenEvent

Path = str | tuple[str, ...]
Reads = dict[Path, Any]
"""Values that were read, by path from the session (`viewer`, `state.clocks`), or answers, by method and arguments."""

NOTHING: dict[str, Any] = {}  # `Any` here and below: what a session has is of any type, and is only compared
FIELDS = TableState.__struct_fields__
PARTS = {name: f"state.{name}" for name in (*FIELDS, "cast")}
NO_PARTS: dict[str, Any] = dict.fromkeys(FIELDS)
CONTEXT = "context"
IS_OWN = "is_own"
PLAYS = "plays"
EVENTS_OF = "deed"
"""First parts of the paths of answers: by which method a session gave them."""
BESIDE_THE_STATE = frozenset({"admission", "chains", "is_paired", "present", "ai", CONTEXT})
"""Attributes that may change for a seat while its state stays the same."""
VOLATILE = BESIDE_THE_STATE - {"chains", "is_paired"}
"""Those of them that may change though nothing has happened at the table."""
OF_THE_SEAT = (BESIDE_THE_STATE - {CONTEXT}) | {"seat", "viewer", "is_game_master", "decisions", "proposals"}
ENTRIES_PER_SUBJECT = 6
"""Cache entries for one subject: as its owner, the game master and the others see it, now and before."""
MOST_SUBJECTS = 500
_PART_AT: dict[Path, str] = {PARTS[name]: name for name in FIELDS}
_AT = {path: attrgetter(path) for path in (PARTS["cast"], *OF_THE_SEAT, CONTEXT)}


class _TrackedState(TableState[Any, Any, Any], frozen=True):
    """A table state that records which fields of another are read through it.

    Its own fields are empty, so that nothing is read past it: msgspec's functions take fields as they are stored.
    """

    def __getattribute__(self, name: str) -> Any:
        if name not in PARTS:
            return object.__getattribute__(self, name)
        hidden = object.__getattribute__(self, "__dict__")
        value = getattr(hidden["whole"], name)
        hidden["reads"][PARTS[name]] = value
        return value

    def __copy__(self) -> State:
        return self.__replace__()

    def __replace__(self, **changes: Any) -> State:
        return TableState(**(parts_of(self) | changes))

    def _with(self, **parts: Any) -> Any:
        return self.__replace__(**parts)


class _TrackedSession(SeatSession):
    """A seat session that records what is read through it, except its table and that table's book."""

    def __init__(self, whole: SeatSession, reads: Reads, parts: Parts) -> None:
        vars(self).update(whole=whole, reads=reads, parts=parts, table=whole.table, book=whole.book)

    def __getattribute__(self, name: str) -> Any:
        hidden = object.__getattribute__(self, "__dict__")
        if name in OF_THE_SEAT:
            value = getattr(hidden["whole"], name)
            hidden["reads"][name] = value
            return value
        if name == CONTEXT:
            hidden["reads"][CONTEXT] = object()  # it leads to everything, so it never compares equal
            return hidden["whole"].context
        if name == "book":
            return hidden["book"]
        return object.__getattribute__(self, name)

    def is_own(self, *seats: str) -> bool:
        is_own: bool = vars(self)["whole"].is_own(*seats)
        vars(self)["reads"][IS_OWN, *seats] = is_own
        return is_own

    def plays(self, character: str) -> bool:
        plays: bool = vars(self)["whole"].plays(character)
        vars(self)["reads"][PLAYS, character] = plays
        return plays

    def part(self, work_out: Callable[[SeatSession, Thing], Shown], subject: Thing) -> Shown:
        parts: Parts = vars(self)["parts"]
        part, reads = parts.of(vars(self)["whole"], work_out, subject)
        # The whole depends on the viewer instead of each part's `plays`: one comparison for all of them.
        vars(self)["reads"].update((path, value) for path, value in reads.items() if path[0] != PLAYS)
        _ = self.viewer
        return part

    def events_of(self, act: str) -> tuple[SeenEvent, ...]:
        events: tuple[SeenEvent, ...] = vars(self)["whole"].events_of(act)
        vars(self)["reads"][EVENTS_OF, act] = events
        return events

    @cached
    def state(self) -> State:
        state = _TrackedState(**NO_PARTS)
        vars(state).update(whole=vars(self)["whole"].state, reads=vars(self)["reads"])
        return state


class CachedPart(NamedTuple):
    """A part of a drawing, with the value that it is about and what was read for it."""

    subject: Identified
    reads: Reads
    part: Any
    """Whatever the function returned that worked the part out."""


class Parts:
    """Cache of parts of drawings, each about one subject. Seats share a part if all that it read is equal for them.

    It saves working out a character's sheet or card anew for each seat and each panel. An entry ends when its subject
    or a value that was read has changed; all end when there are too many.
    """

    def __init__(self) -> None:
        self._newest: dict[tuple[object, str], deque[CachedPart]] = {}
        """The newest parts, by the function that works them out and the id of their subject."""

    def of(
        self, session: SeatSession, work_out: Callable[[SeatSession, Thing], Shown], subject: Thing
    ) -> tuple[Shown, Reads]:
        """Return the part about the subject, and what was read for it."""
        if len(self._newest) > MOST_SUBJECTS:
            self._newest.clear()
        cached_parts = self._newest.setdefault((work_out, subject.id), deque(maxlen=ENTRIES_PER_SUBJECT))
        for earlier in cached_parts:
            if earlier.subject == subject and holds(earlier.reads, session):
                return earlier.part, earlier.reads
        tracking, reads = tracked(session, self)
        part = work_out(tracking, subject)
        cached_parts.appendleft(CachedPart(subject, reads, part))
        return part, reads


def tracked(session: SeatSession, parts: Parts | None = None) -> tuple[SeatSession, Reads]:
    """Return a tracking session to draw from, and the mapping that records what is read from it."""
    reads: Reads = {}
    return _TrackedSession(session, reads, parts or Parts()), reads


def changed(reads: Reads, session: SeatSession) -> Iterator[Path]:
    """Yield the paths whose values in this session differ from those that were read."""
    state = session.state
    for path, earlier in reads.items():
        if path in _PART_AT:  # most are: a call for each would cost more than the comparison
            current = getattr(state, _PART_AT[path])
        else:
            current = _current(path, session)
        if earlier is current or earlier == current:
            continue
        if path[0] == EVENTS_OF and are_alike(earlier, current):
            continue
        yield path


def _current(path: Path, session: SeatSession) -> Any:
    """Return the value that this session has beside its state, or its answer to a method with arguments."""
    if isinstance(path, str):
        return _AT[path](session)
    method, *arguments = path
    if method == PLAYS:
        return session.plays(arguments[0])
    if method == IS_OWN:
        return session.is_own(*arguments)
    return session.events_of(arguments[0])


def rebased(reads: Reads, session: SeatSession) -> Reads:
    """Return the same reads, with the events of each command as this session sees them."""
    return {path: session.events_of(path[1]) if path[0] == EVENTS_OF else value for path, value in reads.items()}


def are_alike(events: Sequence[SeenEvent], earlier: Sequence[SeenEvent]) -> bool:
    """Return whether both give the same cards. To a card, a missing field and one hidden from its seat are the same."""
    return len(events) == len(earlier) and all(map(_is_alike, events, earlier))


def _is_alike(event: SeenEvent, earlier: SeenEvent) -> bool:
    if event is earlier:
        return True
    if event.act != earlier.act or event.name != earlier.name:
        return False
    is_same_beside_fields = replace(event, fields=NOTHING) == replace(earlier, fields=NOTHING)
    return is_same_beside_fields and _shows_the_same(event.fields, earlier.fields)


def _shows_the_same(value: object, earlier: object) -> bool:
    """Compare two values of a field, in which a missing entry is the same as None."""
    if isinstance(value, dict) and isinstance(earlier, dict):
        names = {*value, *earlier}
        return all(_shows_the_same(value.get(name), earlier.get(name)) for name in names)
    return bool(value == earlier)


def holds(reads: Reads, session: SeatSession) -> bool:
    """Return whether the same would be drawn from this session, whichever seat's it is."""
    return next(changed(reads, session), None) is None
