"""The options of every game in docs/reference/options.md. `python -m tests.rulesets.options_page` writes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from astragal.surfaces.cli.fields import field_help
from astragal.table.fields.definitions import fields_of
from astragal.table.state.table import HouseOptions
from astragal.wiring import installed_rulesets

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "options.md"
BEGIN = "<!-- From here on written by python -m tests.rulesets.options_page -->"


def current() -> str:
    """The page as it should be: its own words, and then a table for each game."""
    own, mark, _ = PAGE.read_text("utf-8").partition(BEGIN)
    return own + (mark or BEGIN) + "\n\n" + "\n".join(_written())


def _written() -> Iterator[str]:
    games = [load() for load in installed_rulesets().values()]
    for title, options in [("House rules of every table", HouseOptions), *((one.name, one.options) for one in games)]:
        yield f"## {title}\n"
        yield "| option | takes | what it says |"
        yield "|---|---|---|"
        for field in fields_of(options):
            head, *rest = field_help(field, 10_000)
            takes = head.split(" ", 3)[3] if head.count(" ") > 2 else "yes or no"
            words = " ".join(line.strip() for line in rest).replace("|", "\\|")
            yield f"| `{field.name}` | {takes.replace('|', ', ')} | {words} |"
        yield ""


if __name__ == "__main__":
    PAGE.write_text(current(), encoding="utf-8")
