"""Long work shows how far it has come, to whoever looks at a terminal; quick work and programs see nothing of it."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from select import select
from typing import TextIO

import pytest

from astragal.surfaces.cli.terminal import counted, watched
from tests.patience import LONG

Ends = tuple[int, TextIO]


@pytest.fixture
def terminal() -> Iterator[Ends]:
    """Both ends of a real terminal: what is written to the one is shown at the other."""
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as stream:
        yield ours, stream
    os.close(ours)


def in_place(terminal: Ends, monkeypatch: pytest.MonkeyPatch, seconds: float) -> int:
    """The terminal becomes standard error, and somebody with so much patience looks at it."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr("astragal.surfaces.cli.terminal.PATIENCE", seconds)
    monkeypatch.setattr(sys, "stderr", terminal[1])
    return terminal[0]


def shown_until(screen: int, text: str) -> str:
    shown = ""
    while text not in shown:
        assert select([screen], [], [], LONG)[0], f"{text!r} was never shown, but {shown!r}"
        shown += os.read(screen, 4096).decode()
    return shown


def test_long_work_is_shown_with_how_far_it_has_come(terminal: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = in_place(terminal, monkeypatch, 0)
    with watched("Counting", 4) as tell:
        shown_until(screen, "0%")
        tell(2)
        shown_until(screen, "50%")
    shown_until(screen, "\x1b[?25h")  # the cursor is back


def test_an_interruption_leaves_the_terminal_as_it_was(terminal: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = in_place(terminal, monkeypatch, 0)
    with suppress(KeyboardInterrupt), watched("Counting"):
        shown_until(screen, "Counting")
        raise KeyboardInterrupt
    shown_until(screen, "\x1b[?25h")


def test_quick_work_shows_nothing(terminal: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = in_place(terminal, monkeypatch, LONG)
    assert list(counted("abc", "Counting", 3)) == ["a", "b", "c"]
    assert not select([screen], [], [], 0)[0]


def test_nothing_is_shown_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astragal.surfaces.cli.terminal.PATIENCE", 0)
    monkeypatch.setattr(sys, "stderr", stream := StringIO())
    with watched("Counting", 3) as tell:
        tell(1)
    assert stream.getvalue() == ""
