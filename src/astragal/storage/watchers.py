"""Watchers: callbacks for when a table may have new entries."""

import logging
from collections.abc import Callable
from threading import Event, Lock, Thread, current_thread

from astragal import background

Wake = Callable[[str | None], None]
log = logging.getLogger(__name__)


class Watchers:
    """Callbacks, and the thread that learns what other processes did.

    `follow(stop)` runs in that thread from the first watch on, until `stop` is set. Whenever it begins to see what
    others do, it calls everyone once, because changes just before that were missed. Where there are no threads there
    are no other processes either, and nothing to learn.
    """

    def __init__(self, follow: Callable[[Event], None]) -> None:
        self._follow = follow
        self._lock = Lock()
        self._stop = Event()
        self._thread: Thread | None = None
        self._wakes: dict[object, Wake] = {}

    def add(self, wake: Wake) -> Callable[[], None]:
        watch = object()
        with self._lock:
            self._wakes[watch] = wake
            if self._thread is None and background.HAS_THREADS and not self._stop.is_set():
                self._thread = background.start_daemon(lambda: self._follow(self._stop), "astragal-watch")

        def end() -> None:
            with self._lock:
                self._wakes.pop(watch, None)

        return end

    def wake(self, table: str | None) -> None:
        with self._lock:
            wakes = tuple(self._wakes.values())
        for wake in wakes:
            try:
                wake(table)
            except Exception:  # one watcher's fault must not reach the writer or the other watchers
                log.exception("a watcher failed")

    def close(self) -> None:
        self._stop.set()
        with self._lock:
            self._wakes.clear()
        if self._thread is not None and self._thread is not current_thread():
            self._thread.join()
