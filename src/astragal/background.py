"""Threads that work beside the main one."""

import signal
from collections.abc import Callable
from threading import Thread


def set_going(work: Callable[[], None], name: str) -> Thread:
    """Do the work beside the main thread, which alone hears interrupts and can end without waiting for it."""

    def undisturbed() -> None:
        leave_interrupts_to_the_main_thread()
        work()

    thread = Thread(target=undisturbed, name=name, daemon=True)
    thread.start()
    return thread


def leave_interrupts_to_the_main_thread() -> None:
    """Said by a thread for itself and those that it starts: a Ctrl-C that one of them got would end nothing.

    The main thread, while it waits for a file or a key, learns of an interrupt only if it gets the signal itself.
    """
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
