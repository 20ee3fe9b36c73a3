"""Where answers are written: plainly anywhere, and with colours on a terminal that wants them."""

import os
import sys
from functools import cached_property
from shutil import get_terminal_size
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 80


class Paper:
    """One stream. What is written reads well without colour; `console` is there if `colourful`."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout

    @cached_property
    def is_terminal(self) -> bool:
        return self._stream.isatty()

    @cached_property
    def colourful(self) -> bool:
        return self.is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"

    @cached_property
    def console(self) -> "Console":
        from rich.console import Console

        return Console(file=self._stream, highlight=False)

    @property
    def width(self) -> int:
        return min(get_terminal_size().columns, 100) if self.is_terminal else WIDTH

    def write(self, text: str = "", style: str = "") -> None:
        """A line, in a style where there are styles."""
        if style and self.colourful:
            self.console.print(text, style=style, markup=False, soft_wrap=True)
        else:
            self._stream.write(f"{text}\n")

    def flush(self) -> None:
        self._stream.flush()
