"""Cache of redacted views: what didn't change, and what several seats see alike, is redacted once."""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from astragal.fields import field_names
from astragal.table.declarations import Role, Viewer, with_parts
from astragal.table.state.table import State, TableState
from astragal.table.visibility.redact import WITHHELD, redact


class RecordingViewer:
    """Viewer that records what redaction asks of it, since viewers with the same answers share the same result."""

    def __init__(self, viewer: Viewer, *, is_named: bool = False) -> None:
        self._viewer = viewer
        self._is_named = is_named
        self._owned: dict[str, bool] = {}

    @property
    def role(self) -> Role:
        return self._viewer.role

    @property
    def is_game_master(self) -> bool:
        return self._viewer.is_game_master

    @property
    def seat(self) -> str:
        return self._named().seat

    @property
    def characters(self) -> frozenset[str]:
        return self._named().characters

    def owns(self, owner: str) -> bool:
        is_owned = self._viewer.owns(owner)
        self._owned[owner] = is_owned
        return is_owned

    def answers_as(self, viewer: Viewer) -> bool:
        """Return whether this viewer would have given the same answers."""
        if self._is_named:
            return self._viewer == viewer
        return self.role is viewer.role and all(viewer.owns(owner) is owned for owner, owned in self._owned.items())

    def _named(self) -> Viewer:
        """Note that the viewer's identity was asked for, so that nobody else can share the result."""
        self._is_named = True
        return self._viewer


NOTHING_CHANGED: Mapping[str, Any] = dict.fromkeys(field_names(TableState))
"""None for each part of a table: nothing there has to be redacted again."""


class SeatView(NamedTuple):
    """What a seat saw last: the state, and that state as its viewer may see it."""

    viewer: Viewer
    state: State
    redacted: State


class RedactedChanges(NamedTuple):
    """Parts of a state that differ from the previous one, as they are and redacted for viewers with the same rights."""

    rights: RecordingViewer
    previous: State
    changes: Mapping[str, Any]
    redacted: State


class RedactionCache:
    """Cache of a table's redacted views, by seat. Values never change in place, so only new objects are redacted."""

    def __init__(self) -> None:
        self._views: dict[str, SeatView] = {}
        """The last view of each seat at the table: only what has changed since is redacted again."""
        self._current: State | None = None
        self._changes_to_current: list[RedactedChanges] = []
        """One entry for each previous state and each group of viewers with the same rights; the next state ends it."""

    def of(self, state: State, viewer: Viewer) -> State:
        """Return the table as the viewer may see it."""
        view = self._views.get(viewer.seat)
        if view is None or view.viewer != viewer:
            redacted = redact(state, viewer)
        elif view.state is state:
            return view.redacted
        else:
            redacted = self._updated(view, state)
        self._views[viewer.seat] = SeatView(viewer, state, redacted)
        if len(self._views) > len(state.seats):
            self._forget_removed_seats(state)
        return redacted

    def _forget_removed_seats(self, state: State) -> None:
        """Drop the views of seats that are gone: each would keep a state of long ago in memory."""
        self._views = {seat: view for seat, view in self._views.items() if seat in state.seats}

    def _updated(self, view: SeatView, state: State) -> State:
        """Return a seat's view of a newer state: what didn't change is taken from its last view."""
        newer = self._redacted_changes(view, state)
        parts = {}
        for name in newer.changes:
            parts[name] = _merged(
                part=getattr(state, name),
                previous_part=getattr(view.state, name),
                previous_redacted=getattr(view.redacted, name),
                redacted=getattr(newer.redacted, name),
            )
        return with_parts(view.redacted, parts)

    def _redacted_changes(self, view: SeatView, state: State) -> RedactedChanges:
        """Return what changed since the seat's last view, redacted once for all viewers with the same rights."""
        if self._current is not state:
            self._current = state
            self._changes_to_current = []
        for cached in self._changes_to_current:
            if cached.previous is view.state and cached.rights.answers_as(view.viewer):
                return cached
        changes = _changed_parts(state, view.state)
        rights = RecordingViewer(view.viewer)
        only_changes = with_parts(state, {**NOTHING_CHANGED, **changes})
        redacted = redact(only_changes, cast("Viewer", rights))
        newer = RedactedChanges(rights, view.state, changes, redacted)
        self._changes_to_current.append(newer)
        return newer


def _changed_parts(state: State, previous: State) -> dict[str, Any]:
    """Return the parts of the state that are new; of a mapping, its new entries."""
    changes: dict[str, Any] = {}
    for name in NOTHING_CHANGED:
        part = getattr(state, name)
        previous_part = getattr(previous, name)
        if part is previous_part:
            continue
        if isinstance(part, Mapping) and isinstance(previous_part, Mapping):
            changes[name] = _new_entries(part, previous_part)
        else:
            changes[name] = part
    return changes


def _new_entries(mapping: Mapping[Any, Any], previous: Mapping[Any, Any]) -> dict[Any, Any]:
    return {key: entry for key, entry in mapping.items() if key not in previous or previous[key] is not entry}


def _merged(*, part: Any, previous_part: Any, previous_redacted: Any, redacted: Any) -> Any:
    """Join the redacted new entries of a mapping with those that the seat has seen already, in the mapping's order."""
    if redacted is WITHHELD or not (isinstance(part, Mapping) and isinstance(previous_part, Mapping)):
        return redacted
    new = _new_entries(part, previous_part)
    merged = {}
    for key in part:
        source = redacted if key in new else previous_redacted
        if key in source:  # the seat may see this entry
            merged[key] = source[key]
    return merged
