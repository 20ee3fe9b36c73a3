"""Progress bars for long work, on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from astragal.background import leave_interrupts_to_the_main_thread
from astragal.surfaces.cli.output.terminal import Paper

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds before a bar appears."""

Tell = Callable[[int], None]
"""Reports how much is done."""


@contextmanager
def watched(what: str, total: int | None = None) -> Iterator[Tell]:
    """Show a progress bar, out of a total if there is one; nothing if the work is quick or this is no terminal."""
    if not Paper(sys.stderr).is_terminal:
        yield lambda done: None
        return
    from threading import Timer

    meter = _Meter(what, total)
    soon = Timer(PATIENCE, meter.show)
    soon.daemon = True
    soon.start()
    try:
        yield meter.tell
    finally:
        soon.cancel()
        meter.end()


def counted(things: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """Iterate over things with a progress bar."""
    with watched(what, total) as tell:
        for number, thing in enumerate(things):
            tell(number)
            yield thing


class _Meter:
    def __init__(self, what: str, total: int | None) -> None:
        from threading import Lock

        self._what, self._total, self._done = what, total, 0
        self._lock, self._over = Lock(), False
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def show(self) -> None:
        from rich.progress import Progress

        leave_interrupts_to_the_main_thread()
        with self._lock:
            if not self._over:
                console = Paper(sys.stderr).console
                self._bar = Progress(console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
                self._task = self._bar.add_task(self._what, total=self._total, completed=self._done)
                self._bar.start()

    def tell(self, done: int) -> None:
        self._done = done
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done)

    def end(self) -> None:
        with self._lock:
            self._over = True
            if self._bar is not None:
                self._bar.stop()
