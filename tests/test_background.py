"""Threads that work beside the main one."""

import signal

from astragal.background import start_daemon


def test_a_thread_beside_the_main_one_leaves_interrupts_to_it() -> None:
    heard: set[int] = set()
    working = start_daemon(
        lambda: heard.update({signal.SIGINT} - signal.pthread_sigmask(signal.SIG_BLOCK, ())), "aside"
    )
    working.join()
    assert working.daemon
    assert not heard
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
