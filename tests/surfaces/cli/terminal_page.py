"""The program's own help in docs/terminal.md. `python -m tests.surfaces.cli.terminal_page` writes it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from cyclopts import App
from rich.console import Console

from astragal.surfaces.cli.app import join, load_all, program
from astragal.surfaces.cli.errors import Exit
from astragal.wiring import OTHER_SURFACES

PAGE = Path(__file__).parent.parent.parent.parent / "docs" / "terminal.md"
BEGIN = "<!-- From here on written by python -m tests.surfaces.cli.terminal_page -->"
WIDTH = 80


def current() -> str:
    """The page as it should be: its own words, and then the exit codes and every command's help."""
    own, mark, _ = PAGE.read_text("utf-8").partition(BEGIN)
    return own + (mark or BEGIN) + "\n\n" + "\n".join(_written())


def _written() -> Iterator[str]:
    yield "## How a call ends\n"
    yield "| exit code | meaning |"
    yield "|---:|---|"
    yield from (f"| {one.value} | {one.meaning} |" for one in Exit)
    yield "\n## Every command\n"
    join(OTHER_SURFACES)
    load_all(program)
    for words in commands(program, ()):
        yield f"### astragal {' '.join(words)}\n" if words else "### astragal\n"
        yield f"```text\n{help_on(words)}\n```\n"


def commands(app: App, before: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every command that is shown, with the words that lead to it."""
    yield before
    for name, one in app.resolved_commands().items():
        if not name.startswith("-") and one.show:
            yield from commands(one, (*before, name))


def help_on(words: tuple[str, ...]) -> str:
    paper = StringIO()
    os.environ.pop("FORCE_COLOR", None)
    program.help_print(list(words), console=Console(file=paper, width=WIDTH, no_color=True, force_terminal=False))
    return "\n".join(line.rstrip() for line in paper.getvalue().rstrip().splitlines())


if __name__ == "__main__":
    PAGE.write_text(current(), encoding="utf-8")
