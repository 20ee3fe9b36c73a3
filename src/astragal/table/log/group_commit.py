"""Group commit: commands at several tables are stored in one transaction, for hardly more than the price of one.

A command runs in steps, as a generator. It yields what it has to append, and keeps its table locked until that is
stored. It yields None, with nothing locked, before it goes on to anything that may wait for another thread.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Any, Generic, TypeVar, cast

from astragal.table.log.store import Append, Conflict, Store

T = TypeVar("T")
Steps = Generator[Append | None, None, T]


class CommandRun(Generic[T]):
    """A command that this thread has begun, up to its first append, and has to finish."""

    def __init__(self, steps: Steps[T], run: Callable[..., Any]) -> None:
        """`run` calls the function that it is given; it may do so in a context of its own."""
        self._steps = steps
        self._run = run
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
            if fault:
                self.append = self._run(self._steps.throw, fault)
            else:
                self.append = self._run(next, self._steps)
        except StopIteration as end:
            self.is_done = True
            self.result = end.value
        except BaseException as raised:  # noqa: BLE001 - for the caller
            self.is_done = True
            self.fault = raised


def store_together(store: Store, runs: Sequence[CommandRun[Any]]) -> None:
    """Store commands together, and go on with them as far as they need not wait. `finish` does the rest."""
    while waiting := [run for run in runs if run.append]:
        _store(store, waiting)


def finish(store: Store, run: CommandRun[Any]) -> None:
    """Finish a command by itself. It does not leave its table locked, whatever happens."""
    while not run.is_done:
        if run.append:
            _store(store, [run])
        else:
            run.go_on()


def run_alone(store: Store, steps: Steps[T]) -> T:
    """Run a command by itself."""
    run = CommandRun(steps, lambda call, *arguments: call(*arguments))
    finish(store, run)
    try:
        if run.fault is not None:
            raise run.fault
        return cast("T", run.result)
    finally:
        run.fault = None  # its traceback refers to the run


def _store(store: Store, runs: Sequence[CommandRun[Any]]) -> None:
    """Store what these have to append: together, or each alone if others appended first to any of the tables."""
    fault: BaseException | None = None
    try:
        _append(store, [run.append for run in runs if run.append])
    except Conflict as conflict:
        if len(runs) > 1:
            for run in runs:
                _store(store, [run])
            return
        fault = conflict
    except BaseException as unexpected:  # noqa: BLE001 - each raises it
        fault = unexpected
    for run in runs:
        run.go_on(fault)


def _append(store: Store, appends: Sequence[Append]) -> None:
    if len(appends) > 1:
        store.append_all(appends)
    else:
        store.append(*appends[0])
