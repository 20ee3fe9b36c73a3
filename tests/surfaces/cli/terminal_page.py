"""The program's own help in docs/reference/commands.md. `python -m tests.surfaces.cli.terminal_page` writes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from astragal.surfaces.cli.app import COMMANDS, FOR_SHELLS, commands_in, help_page, is_group, load
from astragal.surfaces.cli.errors import Exit
from astragal.surfaces.cli.parser import help_on
from astragal.wiring import OTHER_SURFACES

PAGE = Path(__file__).parent.parent.parent.parent / "docs" / "reference" / "commands.md"
BEGIN = "<!-- From here on written by python -m tests.surfaces.cli.terminal_page -->"
WIDTH = 80
SUBJECTS = {
    "The program": ("", "demo", "doctor", "completion"),
    "Dice, odds and rules": ("roll", "odds", "games", "tables", "convert"),
    "Tables": ("table", "do", "preview", "answer", "play", "verify"),
    "Heroes and skins": ("hero", "skin"),
    "The browser, and AIs": ("serve", "page", "mcp"),
    "The lab": ("lab",),
}
"""The headings of the page, and the commands and groups under each."""


def current() -> str:
    """The page as it should be: its own words, and then the exit codes and every command's help."""
    own, mark, _ = PAGE.read_text("utf-8").partition(BEGIN)
    return own + (mark or BEGIN) + "\n\n" + "\n".join(_written())


def _written() -> Iterator[str]:
    yield "## Exit codes\n"
    yield "| exit code | meaning |"
    yield "|---:|---|"
    yield from (f"| {one.value} | {one.meaning} |" for one in Exit)
    yield ""
    pages = help_pages()
    for subject, groups in SUBJECTS.items():
        yield f"## {subject}\n"
        for group in groups:
            for name in (one for one in pages if one.partition(" ")[0] == group):
                yield f"### {' '.join(['astragal', *name.split()])}\n"
                yield f"```text\n{pages[name]}\n```\n"


def help_pages() -> dict[str, str]:
    """The help of the program, and of every group and command that people call, by their names."""
    pages = {"": help_page("", OTHER_SURFACES, WIDTH)}
    for name in (*COMMANDS, *OTHER_SURFACES):
        group = name.partition(" ")[0]
        if is_group(group) and group not in pages:
            pages[group] = help_page(group, OTHER_SURFACES, WIDTH)
        if name != FOR_SHELLS:
            pages[name] = help_on(load(name, OTHER_SURFACES), name, WIDTH)
    groups = {name.partition(" ")[0] for name in pages if name}
    assert groups == set(commands_in("", OTHER_SURFACES))
    assert sorted({"", *groups}) == sorted(one for subject in SUBJECTS.values() for one in subject)
    return pages


if __name__ == "__main__":
    PAGE.write_text(current(), encoding="utf-8")
