"""Group commit: commands at several tables are stored in one transaction, for hardly more than the price of one.

A command runs in steps, as a generator. It yields what it has to append, and keeps its table locked until that is
stored. It yields None, with nothing locked, before it goes on to anything that may wait for another thread.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Any, Generic, TypeVar

from astragal.table.log.store import Append, Store, StoreError

T = TypeVar("T")
Steps = Generator[Append | None, None, T]


def run_alone(store: Store, steps: Steps[T]) -> T:
    """Run a command by itself."""
    try:
        append = next(steps)
        while True:
            try:
                if append:
                    store.append(*append)
            except StoreError as fault:
                append = steps.throw(fault)
            else:
                append = next(steps)
    except StopIteration as done:
        result: T = done.value
        return result


class CommandRun(Generic[T]):
    """A command that this thread has begun, up to its first append. `finish_all` finishes it."""

    def __init__(self, steps: Steps[T], run: Callable[..., Any]) -> None:
        """`run` calls the function that it is given; it may do so in a context of its own."""
        self._steps, self._run = steps, run
        self.append: Append | None = None
        self.is_done = False
        self.result: T | None = None
        self.fault: BaseException | None = None
        """What it raised instead of returning a result."""
        self.go_on()

    def go_on(self, fault: BaseException | None = None) -> None:
        """Run it up to its next append. The last one has been stored, unless there is a fault."""
        self.append = None
        try:
            self.append = self._run(self._steps.throw, fault) if fault else self._run(next, self._steps)
        except StopIteration as done:
            self.is_done, self.result = True, done.value
        except BaseException as raised:  # noqa: BLE001 - for the caller
            self.is_done, self.fault = True, raised


def finish_all(store: Store, runs: Sequence[CommandRun[Any]]) -> None:
    """Finish commands, and store them together. None of them leaves a table locked, whatever happens."""
    while any(run.append for run in runs):
        _store(store, [run for run in runs if run.append])
    for run in runs:
        while not run.is_done:
            _store(store, [run]) if run.append else run.go_on()


def _store(store: Store, runs: Sequence[CommandRun[Any]]) -> None:
    try:
        faults: Sequence[BaseException | None] = store.append_all([run.append for run in runs if run.append])
    except BaseException as unexpected:  # noqa: BLE001 - each raises it
        faults = [unexpected] * len(runs)
    for run, fault in zip(runs, faults, strict=True):
        run.go_on(fault)
