"""Dependency tracking: record what a drawing read from a seat's session, and check whether it would read the same now.

A panel or a card is a pure function of its session: equal reads give equal output. So a drawing is cached until
something that it read has changed, and seats share one if everything that it read is equal for them. Answers of the
host can't be compared: a drawing that asks it is made again each time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from astragal.surfaces.shared.context import cached
from astragal.surfaces.web.session import Identified, SeatSession, Shown, Thing
from astragal.table.declarations import parts_of, replace
from astragal.table.state.table import State, TableState
from astragal.table.visibility.events import SeenEvent

Path = str | tuple[str, ...]
Reads = dict[Path, Any]
"""Values that were read, by path from the session (`viewer`, `state.clocks`), or answers, by method and arguments."""

NOTHING: dict[str, Any] = {}
FIELDS = TableState.__struct_fields__
PARTS = {name: f"state.{name}" for name in (*FIELDS, "cast")}
NO_PARTS: dict[str, Any] = dict.fromkeys(FIELDS)
CONTEXT = "context"
IS_OWN, PLAYS, EVENTS_OF = "is_own", "plays", "deed"
BESIDE_THE_STATE = frozenset({"admission", "chains", "is_paired", "present", "ai", CONTEXT})
"""Attributes that may change for a seat while its state stays the same."""
VOLATILE = BESIDE_THE_STATE - {"chains", "is_paired"}
"""Those of them that may change though nothing has happened at the table."""
OF_THE_SEAT = (BESIDE_THE_STATE - {CONTEXT}) | {"seat", "viewer", "is_game_master", "decisions", "proposals"}
ENTRIES_PER_THING = 6
"""Cache entries for one thing: as its owner, the game master and the others see it, now and before."""
MOST_THINGS = 500
_PART_AT: dict[Path, str] = {PARTS[name]: name for name in FIELDS}
_AT = {path: attrgetter(path) for path in (PARTS["cast"], *OF_THE_SEAT, CONTEXT)}


class _TrackedState(TableState[Any, Any, Any], frozen=True):
    """A table state that records which fields of another are read through it.

    Its own fields are empty, so that nothing is read past it: msgspec's functions take fields as they are stored.
    """

    def __getattribute__(self, name: str) -> Any:
        if name not in PARTS:
            return object.__getattribute__(self, name)
        kept = object.__getattribute__(self, "__dict__")
        value = getattr(kept["whole"], name)
        kept["reads"][PARTS[name]] = value
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
        known = object.__getattribute__(self, "__dict__")
        if name in OF_THE_SEAT:
            found = known["reads"][name] = getattr(known["whole"], name)
            return found
        if name == CONTEXT:
            known["reads"][CONTEXT] = object()  # it leads to everything, so it never compares equal
            return known["whole"].context
        return known["book"] if name == "book" else object.__getattribute__(self, name)

    def is_own(self, *seats: str) -> bool:
        found: bool = vars(self)["whole"].is_own(*seats)
        vars(self)["reads"][IS_OWN, *seats] = found
        return found

    def plays(self, character: str) -> bool:
        found: bool = vars(self)["whole"].plays(character)
        vars(self)["reads"][PLAYS, character] = found
        return found

    def part(self, work_out: Callable[[SeatSession, Thing], Shown], thing: Thing) -> Shown:
        parts: Parts = vars(self)["parts"]
        found, reads = parts.of(vars(self)["whole"], work_out, thing)
        # The whole depends on the viewer instead of each part's `plays`: one comparison for all of them.
        vars(self)["reads"].update((path, value) for path, value in reads.items() if path[0] != PLAYS)
        _ = self.viewer
        return found

    def events_of(self, act: str) -> tuple[SeenEvent, ...]:
        found: tuple[SeenEvent, ...] = vars(self)["whole"].events_of(act)
        vars(self)["reads"][EVENTS_OF, act] = found
        return found

    @cached
    def state(self) -> State:
        state = _TrackedState(**NO_PARTS)
        vars(state).update(whole=vars(self)["whole"].state, reads=vars(self)["reads"])
        return state


class Parts:
    """Cache of parts of drawings, each about one thing. Seats share a part if all that it read is equal for them."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, str], deque[tuple[Identified, Reads, Any]]] = {}

    def of(
        self, session: SeatSession, work_out: Callable[[SeatSession, Thing], Shown], thing: Thing
    ) -> tuple[Shown, Reads]:
        """Return what is shown of the thing, and what was read for it."""
        if len(self._known) > MOST_THINGS:
            self._known.clear()
        known = self._known.setdefault((work_out, thing.id), deque(maxlen=ENTRIES_PER_THING))
        for earlier, reads, shown in known:
            if earlier == thing and holds(reads, session):
                return shown, reads
        reading, reads = tracked(session, self)
        shown = work_out(reading, thing)
        known.appendleft((thing, reads, shown))
        return shown, reads


def tracked(session: SeatSession, parts: Parts | None = None) -> tuple[SeatSession, Reads]:
    """Return a tracking session to draw from, and the mapping that records what is read from it."""
    reads: Reads = {}
    return _TrackedSession(session, reads, parts or Parts()), reads


def changed(reads: Reads, now: SeatSession) -> Iterator[Path]:
    """Yield the paths whose values in this session differ from those that were read."""
    state = now.state
    for path, before in reads.items():
        if path in _PART_AT:
            after = getattr(state, _PART_AT[path])
        else:
            after = _answered(path, now) if isinstance(path, tuple) else _AT[path](now)
        if before is not after and before != after and not (path[0] == EVENTS_OF and are_alike(before, after)):
            yield path


def _answered(path: tuple[str, ...], now: SeatSession) -> object:
    asked, *what = path
    if asked == PLAYS:
        return now.plays(what[0])
    return now.is_own(*what) if asked == IS_OWN else now.events_of(what[0])


def rebased(reads: Reads, now: SeatSession) -> Reads:
    """Return the same reads, with the events of each command as this session sees them."""
    return {path: now.events_of(path[1]) if path[0] == EVENTS_OF else value for path, value in reads.items()}


def are_alike(some: Sequence[SeenEvent], others: Sequence[SeenEvent]) -> bool:
    """Return whether both give the same cards. To a card, a missing field and one hidden from its seat are the same."""
    return len(some) == len(others) and all(map(_is_alike, some, others))


def _is_alike(one: SeenEvent, other: SeenEvent) -> bool:
    if one is other or one.act != other.act or one.name != other.name:
        return one is other
    return replace(one, fields=NOTHING) == replace(other, fields=NOTHING) and _same_shown(one.fields, other.fields)


def _same_shown(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return all(_same_shown(one.get(name), other.get(name)) for name in {**one, **other})
    return bool(one == other)


def holds(reads: Reads, now: SeatSession) -> bool:
    """Return whether the same would be drawn from this session, whichever seat's it is."""
    return next(changed(reads, now), None) is None
