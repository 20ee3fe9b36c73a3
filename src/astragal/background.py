"""Background threads, and whether there can be any.

Inside a page of a browser (`astragal page`), Python runs as WebAssembly: without threads, processes or sockets.
Whatever needs to know that asks here.
"""

import signal
import sys
import time
from collections.abc import Callable
from threading import Thread

IN_A_PAGE = sys.platform == "emscripten"
HAS_THREADS = not IN_A_PAGE

processor_time: Callable[[], float] = time.thread_time if HAS_THREADS else time.process_time
"""Seconds of the processor that this thread has used; without threads, the whole program."""


def start_daemon(work: Callable[[], None], name: str) -> Thread:
    """Run `work` in a daemon thread. Only the main thread receives interrupts, and it can end without waiting."""

    def undisturbed() -> None:
        leave_interrupts_to_the_main_thread()
        work()

    thread = Thread(target=undisturbed, name=name, daemon=True)
    thread.start()
    return thread


def leave_interrupts_to_the_main_thread() -> None:
    """Block SIGINT in the calling thread and in the threads it starts: a Ctrl-C delivered to one of them would end
    nothing.

    While the main thread waits for a file or a key, it learns of an interrupt only if it gets the signal itself.
    """
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
