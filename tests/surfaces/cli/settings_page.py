"""The table of settings in docs/operating/settings.md. `python -m tests.surfaces.cli.settings_page` writes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from astragal.surfaces.cli.parser import FILE, SETTINGS, Argument, arguments_of, variable
from astragal.wiring import serve_web

PAGE = Path(__file__).parent.parent.parent.parent / "docs" / "operating" / "settings.md"
BEGIN = "<!-- From here on written by python -m tests.surfaces.cli.settings_page -->"
GAMES = "Games in Python files, in addition to those installed; in the environment separated as in PATH."


def current() -> str:
    """The page as it should be: its own words, and then a row for each setting."""
    own, mark, _ = PAGE.read_text("utf-8").partition(BEGIN)
    return own + (mark or BEGIN) + "\n\n" + "\n".join(_rows()) + "\n"


def _rows() -> Iterator[str]:
    declared = {one.says.setting: one for one in arguments_of(serve_web)}
    yield "| option | environment | settings file | what it says |"
    yield "|---|---|---|---|"
    yield f"| | `{FILE}` | | The settings file. |"
    for key in SETTINGS:
        yield f"| {_option(declared.get(key), key)} | `{variable(key)}` | `{key}` | {_help(declared.get(key))} |"


def _option(one: Argument | None, key: str) -> str:
    if one is None:
        return f"`--{key.removesuffix('s')}`"
    return "" if one.says.secret else f"`{one.typed}`"


def _help(one: Argument | None) -> str:
    if one is None:
        return GAMES
    return f"{one.says.help}{f' Default: {one.default}.' if one.default not in (None, False) else ''}"


if __name__ == "__main__":
    PAGE.write_text(current(), encoding="utf-8")
