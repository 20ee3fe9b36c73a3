"""Output: plain text anywhere, colours on a terminal that has them."""

import os
import sys
from functools import cached_property
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

    from astragal.chance.pictures import Weighted

WIDTH, WIDEST = 80, 100


class Paper:
    """An output stream. Everything reads well without colour; `console` is for when it is `colourful`."""

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
        if not self.is_terminal:
            return WIDTH
        from shutil import get_terminal_size

        return min(get_terminal_size().columns, WIDEST)

    def write(self, text: str = "", style: str = "") -> None:
        """Write a line, in a style if there are colours."""
        if style and self.colourful:
            self.console.print(text, style=style, markup=False, soft_wrap=True)
        else:
            self._stream.write(f"{text}\n")

    def report(self, sentence: str, /, *, as_json: bool, **facts: object) -> None:
        """Write what was done: a sentence, or for a program the facts in it."""
        if as_json:
            import json

            sentence = json.dumps(facts, ensure_ascii=False)
        self.write(sentence)

    def draw(self, odds: "Weighted") -> None:
        """Draw odds as bars, as wide as there is room for."""
        if self.colourful:
            self.console.print(odds, width=self.width)
        else:
            from astragal.chance import pictures

            self.write(pictures.bars(odds, self.width))

    def flush(self) -> None:
        self._stream.flush()


def in_json(value: object) -> str:
    """One line of JSON."""
    import msgspec

    return msgspec.json.encode(value).decode()
