"""Notes what of a table a panel looked at, so that it is asked again only when some of that has changed.

A panel is a function of what its session shows: given equal parts, it looks at the same parts and shows the same.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, fields
from typing import Any

from astragal.surfaces.shared.cached import lazily
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.table.chains import SeatChains
from astragal.table.host import Host
from astragal.table.pending import OpenDecision
from astragal.table.state.table import State, TableState

PARTS = frozenset(one.name for one in fields(TableState))
ALL_PARTS = "__dict__"
DECISIONS, PRESENT, CHAINS = "what the seat may decide", "who is connected", "which chains the seat keeps"
MORE = "more than can be compared"


class _NotedState(TableState[Any, Any, Any]):
    """A state that notes which of its parts are read."""

    noted: set[str]

    def __getattribute__(self, name: str) -> Any:
        if name in PARTS or name == ALL_PARTS:
            object.__getattribute__(self, "noted").add(name)
        return object.__getattribute__(self, name)


@dataclass(frozen=True, eq=False, kw_only=True)
class _TrackedSession(SeatSession):
    """A session that notes what is looked at from it."""

    whole: SeatSession
    noted: set[str]

    @property
    def host(self) -> Host:
        self.noted.add(MORE)
        return self.whole.host

    @lazily
    def state(self) -> State:
        state = copy(self.whole.state)
        object.__setattr__(state, "noted", self.noted)
        object.__setattr__(state, "__class__", _NotedState)
        return state

    @property
    def decisions(self) -> tuple[OpenDecision, ...]:
        self.noted.add(DECISIONS)
        return self.whole.decisions

    @property
    def chains(self) -> SeatChains:
        self.noted.add(CHAINS)
        return self.whole.chains

    @property
    def present(self) -> frozenset[str]:
        self.noted.add(PRESENT)
        return self.whole.present


class Look:
    """One look at a table through `session`; `holds` says whether another would show the same."""

    def __init__(self, session: SeatSession) -> None:
        self._before, self._noted = session, set[str]()
        self.session: SeatSession = _TrackedSession(
            session.context, session.table, session.seat, session.admission, whole=session, noted=self._noted
        )

    def holds(self, now: SeatSession) -> bool:
        return MORE not in self._noted and all(self._is_the_same(part, now) for part in self._noted)

    def _is_the_same(self, part: str, now: SeatSession) -> bool:
        if part == DECISIONS:
            return self._before.decisions == now.decisions
        if part == CHAINS:
            return self._before.chains == now.chains
        if part == PRESENT:
            return self._before.present == now.present
        if self._before.state is now.state:
            return True
        if part == ALL_PARTS:
            return self._before.state == now.state
        before, after = getattr(self._before.state, part), getattr(now.state, part)
        return before is after or bool(before == after)
