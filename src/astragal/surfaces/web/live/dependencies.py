"""Dependency tracking: record which parts of the state a panel read; re-render it only when one of them changed.

A panel is a pure function of its session: equal parts give equal output.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, fields
from typing import Any

from astragal.surfaces.shared.ai_seats import AiStatus
from astragal.surfaces.shared.cached import lazily
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.table.chains import SeatChains
from astragal.table.host import Host
from astragal.table.pending import OpenDecision
from astragal.table.state.table import State, TableState

PARTS = frozenset(one.name for one in fields(TableState))
ALL_PARTS = "__dict__"
DECISIONS, PRESENT, CHAINS = "what the seat may decide", "who is connected", "which chains the seat keeps"
AI = "what AIs are about"
MORE = "more than can be compared"


class _TrackedState(TableState[Any, Any, Any]):
    """A table state that records which of its fields are read."""

    reads: set[str]

    def __getattribute__(self, name: str) -> Any:
        if name in PARTS or name == ALL_PARTS:
            object.__getattribute__(self, "reads").add(name)
        return object.__getattribute__(self, name)


@dataclass(frozen=True, eq=False, kw_only=True)
class _TrackedSession(SeatSession):
    """A seat session that records what is read through it."""

    whole: SeatSession
    reads: set[str]

    @property
    def host(self) -> Host:
        self.reads.add(MORE)
        return self.whole.host

    @lazily
    def state(self) -> State:
        state = copy(self.whole.state)
        object.__setattr__(state, "reads", self.reads)
        object.__setattr__(state, "__class__", _TrackedState)
        return state

    @property
    def decisions(self) -> tuple[OpenDecision, ...]:
        self.reads.add(DECISIONS)
        return self.whole.decisions

    @property
    def chains(self) -> SeatChains:
        self.reads.add(CHAINS)
        return self.whole.chains

    @property
    def present(self) -> frozenset[str]:
        self.reads.add(PRESENT)
        return self.whole.present

    @property
    def ai(self) -> tuple[AiStatus, ...]:
        self.reads.add(AI)
        return self.whole.ai


class TrackedRead:
    """The reads of one rendering; `holds` says whether another rendering would give the same."""

    def __init__(self, session: SeatSession) -> None:
        self._before, self._reads = session, set[str]()
        self.session: SeatSession = _TrackedSession(
            session.context, session.table, session.seat, session.admission, whole=session, reads=self._reads
        )

    def holds(self, now: SeatSession) -> bool:
        """Whether all that was read is as it was. If so, the next look is compared with this one."""
        if MORE in self._reads or not all(self._is_the_same(part, now) for part in self._reads - PARTS):
            return False
        changed = _changed_parts(self._before, now)
        if changed and (ALL_PARTS in self._reads or not self._reads.isdisjoint(changed)):
            return False
        self._before = now
        return True

    def _is_the_same(self, part: str, now: SeatSession) -> bool:
        if part == DECISIONS:
            return self._before.decisions == now.decisions
        if part == CHAINS:
            return self._before.chains == now.chains
        if part == AI:
            return self._before.ai == now.ai
        return part == ALL_PARTS or self._before.present == now.present


def _changed_parts(before: SeatSession, now: SeatSession) -> frozenset[str]:
    """The parts of the state that differ: found once for all panels of a seat, which were last drawn together."""
    since, known = vars(now).get("_changed_since", (None, frozenset[str]()))
    if since is before:
        return frozenset(known)
    changed = frozenset(part for part in PARTS if _differs(part, before.state, now.state))
    vars(now)["_changed_since"] = before, changed
    return changed


def _differs(part: str, before: State, after: State) -> bool:
    earlier, later = getattr(before, part), getattr(after, part)
    return earlier is not later and bool(earlier != later)
