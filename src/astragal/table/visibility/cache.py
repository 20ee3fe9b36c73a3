"""Cache of redacted state for each seat. Values are never changed in place, so equal parts are redacted once.

Only what has changed is cut anew, and by `glimpse` alone: this module decides nothing about who may see what.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.table.fields.values import field_names, with_parts
from astragal.table.state.seats import Viewer
from astragal.table.state.table import State, TableState
from astragal.table.visibility.redact import WITHHELD, glimpse
from astragal.values import frozen

UNCHANGED: Mapping[str, Any] = dict.fromkeys(field_names(TableState))
"""Nothing in the place of each part: there is nothing to redact again."""


@frozen
class _Seen:
    viewer: Viewer
    whole: State
    view: State


class Glimpses:
    """The views of one table, by seat."""

    def __init__(self) -> None:
        self._last: dict[str, _Seen] = {}

    def of(self, whole: State, viewer: Viewer) -> State:
        """The table as the viewer may see it."""
        last = self._last.get(viewer.seat)
        if last is None or last.viewer != viewer:
            view = glimpse(whole, viewer)
        elif last.whole is whole:
            return last.view
        else:
            view = _again(whole, viewer, last)
        self._last[viewer.seat] = _Seen(viewer, whole, view)
        return view


def _again(whole: State, viewer: Viewer, last: _Seen) -> State:
    """The glimpse of what has changed, joined with what was seen of the rest."""
    now, before = vars(whole), vars(last.whole)
    changed = {name: _changed(now[name], before[name]) for name in UNCHANGED if now[name] is not before[name]}
    cut = vars(glimpse(with_parts(whole, {**UNCHANGED, **changed}), viewer))
    seen = vars(last.view)
    return with_parts(last.view, {name: _joined(now[name], before[name], seen[name], cut[name]) for name in changed})


def _changed(part: Any, before: Any) -> Any:
    """Entries of a part that have to be redacted again."""
    if isinstance(part, Mapping) and isinstance(before, Mapping):
        return {key: one for key, one in part.items() if key not in before or before[key] is not one}
    return part


def _joined(part: Any, before: Any, seen_before: Any, seen: Any) -> Any:
    """A part as it is seen: what is as it was, as it was seen; the rest as it was just cut."""
    if seen is WITHHELD or not (isinstance(part, Mapping) and isinstance(before, Mapping)):
        return seen
    found = {}
    for key, one in part.items():
        source = seen_before if key in before and before[key] is one else seen
        if key in source:
            found[key] = source[key]
    return found
