"""Background threads."""

import signal
from collections.abc import Callable
from threading import Thread


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
