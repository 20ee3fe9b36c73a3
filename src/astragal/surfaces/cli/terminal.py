"""Output: plain text anywhere, colours and progress bars on a terminal that has them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from textwrap import fill
from typing import TYPE_CHECKING, TextIO, TypeAlias, TypeVar

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from astragal.chance.pictures import Weighted

WIDTH = 80
WIDEST = 100

Line: TypeAlias = str | tuple[str, str]
"""A line of output, alone or with its style."""


class Output:
    """Output stream that works without colours. Use `console` only if it is `colourful`."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout

    @cached_property
    def is_terminal(self) -> bool:
        return self._stream.isatty()

    @cached_property
    def colourful(self) -> bool:
        return self.is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"

    @cached_property
    def console(self) -> Console:
        from rich.console import Console

        return Console(file=self._stream, highlight=False)

    @property
    def width(self) -> int:
        if not self.is_terminal:
            return WIDTH
        from shutil import get_terminal_size

        return min(get_terminal_size().columns, WIDEST)

    def write(self, text: str = "", style: str = "") -> None:
        """Write a line, in a style if there are colours. People's words in it can't control the terminal."""
        text = harmless(text)
        if style and self.colourful:
            self.console.print(text, style=style, markup=False, soft_wrap=True)
        else:
            self._stream.write(f"{text}\n")

    def write_lines(self, lines: Iterable[Line]) -> None:
        """Write lines, each with its style if it has one."""
        for line in lines:
            self.write(*([line] if isinstance(line, str) else line))

    def show(self, value: object, lines: Iterable[Line], *, as_json: bool) -> None:
        """Write lines for people, or the value that they describe as JSON for programs."""
        self.write_lines([in_json(value)] if as_json else lines)

    def report(self, sentence: str, /, *, as_json: bool, **facts: object) -> None:
        """Report what was done: a sentence for people, or its facts as JSON for programs."""
        if as_json:
            import json

            sentence = json_for_terminal(json.dumps(facts, ensure_ascii=False))
        self.write(sentence)

    def draw(self, odds: Weighted) -> None:
        """Draw odds as bars, as wide as there is room for."""
        if self.colourful:
            self.console.print(odds, width=self.width)
        else:
            from astragal.chance import pictures

            self.write(pictures.bars(odds, self.width))

    def draw_into(self, file: str, picture: bytes) -> None:
        """Write a picture to a new file, and say so."""
        from pathlib import Path

        with Path(file).open("xb") as out:
            out.write(picture)
        self.write(f"{file} is drawn.")

    def flush(self) -> None:
        self._stream.flush()


class WrappedOutput(Output):
    """Output stream for people only: on a terminal, long lines are wrapped between words, with a hanging indent."""

    def write(self, text: str = "", style: str = "") -> None:
        super().write("\n".join(map(self._broken, text.split("\n"))) if self.is_terminal else text, style)

    def _broken(self, line: str) -> str:
        if len(line) <= self.width:
            return line
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        return fill(line, self.width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def in_json(value: object) -> str:
    """One line of JSON."""
    import msgspec

    return json_for_terminal(msgspec.json.encode(value).decode())


# ---------------------------------------------------------------- signs that control terminals


def harmless(text: str) -> str:
    """Return the text with a visible mark in place of every sign that could control the terminal."""
    if all(line.isprintable() for line in text.split("\n")):
        return text
    from astragal.table.fields.validation import without_controls

    return without_controls(text)


def json_for_terminal(text: str) -> str:
    """Return the same JSON with an escape for every sign in its strings that could control the terminal."""
    if text.isprintable():
        return text
    from astragal.table.fields.validation import is_control

    return "".join(_json_escape(sign) if is_control(sign) else sign for sign in text)


def _json_escape(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place : place + 2].hex()}" for place in range(0, len(units), 2))


# ---------------------------------------------------------------- rows and columns


Rows = Sequence[Sequence[str]]
"""Rows of a table, the header first."""
WIDEST_NAME = 24


def as_text(rows: Rows) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.rjust, row, widths)).rstrip() for row in rows)


def as_markdown(rows: Rows) -> str:
    head, *lines = ("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
    return "\n".join((head, "|" + "---:|" * len(rows[0]), *lines))


def as_csv(rows: Rows) -> str:
    """Format rows as CSV, with percentages as bare numbers."""
    import csv
    from io import StringIO

    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows([[cell.removesuffix("%") for cell in row] for row in rows])
    return text.getvalue().rstrip("\n")


def in_two_columns(words_by_name: Mapping[str, str], width: int = WIDTH) -> Iterator[str]:
    """Format names with a sentence beside each."""
    room = min(max(map(len, words_by_name), default=0), WIDEST_NAME) + 4
    for name, words in words_by_name.items():
        beside = fill(words, width, initial_indent=" " * room, subsequent_indent=" " * room)
        start = f"  {name}"
        yield start + beside[len(start) :] if len(start) + 1 < room else f"{start}\n{beside}".rstrip()


def wrapped(text: str, width: int) -> str:
    """Wrap the lines of a text that are too long, and keep the others as they are."""
    return "\n".join(line if len(line) <= width else fill(line, width) for line in text.splitlines())


# ---------------------------------------------------------------- progress


T = TypeVar("T")

PATIENCE = 1.0
"""Seconds before a bar appears."""

Tell = Callable[[int], None]
"""Callback that reports how much is done."""


@contextmanager
def watched(label: str, total: int | None = None) -> Iterator[Tell]:
    """Show a progress bar, with a total if there is one; nothing if the work is quick or there is no terminal."""
    if not Output(sys.stderr).is_terminal:
        yield lambda done: None
        return
    from threading import Timer

    meter = _Meter(label, total)
    soon = Timer(PATIENCE, meter.show)
    soon.daemon = True
    soon.start()
    try:
        yield meter.tell
    finally:
        soon.cancel()
        meter.end()


def counted(items: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
    """Iterate over things with a progress bar."""
    with watched(label, total) as tell:
        for number, item in enumerate(items):
            tell(number)
            yield item


class _Meter:
    def __init__(self, label: str, total: int | None) -> None:
        from threading import Lock

        self._what = label
        self._total = total
        self._done = 0
        self._lock = Lock()
        self._over = False
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def show(self) -> None:
        from rich.progress import Progress

        from astragal.background import leave_interrupts_to_the_main_thread

        leave_interrupts_to_the_main_thread()
        with self._lock:
            if not self._over:
                console = Output(sys.stderr).console
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
