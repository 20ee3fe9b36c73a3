"""History of a table: a tree of events, whose state is the fold of the path to its head. Rewinds and undo.

A rewind's new state is the fold of the path to its save node, then of every lasting event after it, in the order of the
log. So points spent on the abandoned branch come back, and prices of rewinds do not. Nothing is deleted.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from astragal.table.commands.builtin import Happened, Rewound, SaveNodeMarked
from astragal.table.declarations import Nature, kind_of_event
from astragal.table.state.table import State

MOST_UNDOS = 32


class Checkpoint(NamedTuple):
    """A state to go back to: the one after entry `number`."""

    number: int
    state: State


class LastingEvent(NamedTuple):
    """An event that no rewind takes back, with the number of its entry."""

    number: int
    event: Any


class AbandonedRange(NamedTuple):
    """Entries that a rewind has abandoned, by the first and the last number."""

    first: int
    last: int


class CarriedState(NamedTuple):
    """The state of a checkpoint with those of the first `folded` lasting events folded in that came after it."""

    folded: int
    state: State


Folds = Mapping[type, Callable[[State, Any], State] | None]
"""The fold of each event; None for one that changes nothing."""


class History:
    """The fold of a log, with its rewinds."""

    def __init__(self, state: State, folds: Folds) -> None:
        self.state = state
        self.number = 0
        self.saved: dict[str, Checkpoint] = {}
        self.recent: deque[Checkpoint] = deque(maxlen=MOST_UNDOS)
        self.lasting: list[LastingEvent] = []
        self.abandoned: list[AbandonedRange] = []
        """In order and without overlaps."""
        self._carried: dict[int, CarriedState] = {}
        """Cache for rewinds, by checkpoint number: the same rewind again folds only the lasting events since the last.
        It ends with its checkpoint."""
        self._folds = folds
        self._natures = {kind: kind_of_event(kind).nature for kind in folds}
        self.act = ""

    def advance(self, happened: Happened, state: State | None = None) -> None:
        """Apply the next entry of the log. `state` is the resulting state, if it was calculated already."""
        event = happened.event
        kind = type(event)
        nature = self._natures[kind]
        fold = self._folds[kind]
        if nature is Nature.STORY and happened.act != self.act:
            self.recent.append(Checkpoint(self.number, self.state))
        self.act = happened.act
        self.number = happened.number
        if kind is Rewound:
            self.state = state or self.rewound(event)
            self.abandon(event.to + 1, happened.number - 1)
            self._forget_after(event.to)
        elif fold is not None:
            self.state = state or fold(self.state, event)
        if kind is SaveNodeMarked:
            self.saved[event.node] = Checkpoint(happened.number, self.state)
        if nature is Nature.LASTING and fold is not None:
            self.lasting.append(LastingEvent(happened.number, event))

    def fold(self, state: State, event: Any) -> State:
        """Return the state after an event; a rewind leads back to an earlier one."""
        if isinstance(event, Rewound):
            return self.rewound(event)
        return self._folded(state, event)

    def rewound(self, event: Rewound) -> State:
        """Return the state that a rewind leads to, before its price is paid."""
        checkpoint = self.checkpoint(event.to)
        carried = self._carried.get(checkpoint.number)
        if carried is None:
            folded = bisect_right(self.lasting, checkpoint.number, key=lambda lasting: lasting.number)
            carried = CarriedState(folded, checkpoint.state)
        state = carried.state
        for lasting in self.lasting[carried.folded :]:
            state = self._folded(state, lasting.event)
        self._carried[checkpoint.number] = CarriedState(len(self.lasting), state)
        return self._folded(state, event)

    def _folded(self, state: State, event: Any) -> State:
        fold = self._folds[type(event)]
        return state if fold is None else fold(state, event)

    def checkpoint(self, number: int) -> Checkpoint:
        """Return the checkpoint after this entry. Raises `LookupError` if there is none."""
        for checkpoint in self._checkpoints():
            if checkpoint.number == number:
                return checkpoint
        raise LookupError(f"it goes back to entry {number}, and no state was kept there")

    def _checkpoints(self) -> list[Checkpoint]:
        return [*self.saved.values(), *self.recent]

    def is_abandoned(self, happened: Happened) -> bool:
        """Return whether a rewind has abandoned this event."""
        if self._natures[type(happened.event)] is Nature.LASTING:
            return False
        ranges_begun = bisect_right(self.abandoned, happened.number, key=lambda abandoned: abandoned.first)
        return ranges_begun > 0 and happened.number <= self.abandoned[ranges_begun - 1].last

    def abandon(self, first: int, last: int) -> None:
        """Mark these entries as abandoned, merging ranges within them that were abandoned earlier."""
        while self.abandoned and self.abandoned[-1].last >= first:
            first = min(first, self.abandoned.pop().first)
        self.abandoned.append(AbandonedRange(first, last))

    def _forget_after(self, number: int) -> None:
        """Drop the checkpoints after this entry: one can only go back to points on the present path."""
        self.saved = {node: checkpoint for node, checkpoint in self.saved.items() if checkpoint.number <= number}
        recent = (checkpoint for checkpoint in self.recent if checkpoint.number < number)
        self.recent = deque(recent, maxlen=MOST_UNDOS)
        reachable = {checkpoint.number for checkpoint in self._checkpoints()}
        self._carried = {at: carried for at, carried in self._carried.items() if at in reachable}
