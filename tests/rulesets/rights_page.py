"""The table of rights in docs/rules/rights.md. `python -m tests.rulesets.rights_page` writes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from astragal.table.declarations import Role, Scope, kind_of_command
from astragal.table.fields.definitions import MaySet, fields_of
from astragal.table.registry import Book
from astragal.wiring import installed_rulesets

PAGE = Path(__file__).parents[2] / "docs" / "rules" / "rights.md"
BEGIN = "<!-- From here on written by python -m tests.rulesets.rights_page -->"
SHORT = {Scope.ANY: "yes", Scope.OWN: "own heroes"}


def current() -> str:
    """The page as it should be: its own words, and then the tables."""
    own, mark, _ = PAGE.read_text("utf-8").partition(BEGIN)
    return own + (mark or BEGIN) + "\n\n" + "\n".join(_written())


def _written() -> Iterator[str]:
    books = {load().name: Book.of(load()) for load in installed_rulesets().values()}
    own = {
        name: [one.command for chapter in book.ruleset.chapters for one in chapter.actions]
        for name, book in books.items()
    }
    common = [kind for kind in next(iter(books.values())).commands.values() if kind not in next(iter(own.values()))]
    for name, commands in {"At every table": common, **own}.items():
        yield f"## {name}\n"
        yield "| command | players | spectators | waits for the game master | the game master's alone |"
        yield "|---|---|---|---|---|"
        yield from map(_row, sorted(commands, key=lambda kind: kind_of_command(kind).name))
        yield ""


def _row(command: type) -> str:
    kind = kind_of_command(command)
    players, spectators = (SHORT[kind.may[role]] if role in kind.may else "" for role in (Role.PLAYER, Role.SPECTATOR))
    fields = fields_of(command) if players else ()
    proposed, kept = (
        _names(one.name for one in fields if one.whose is whose) for whose in (MaySet.PROPOSAL, MaySet.GAME_MASTER)
    )
    return f"| `{kind.name}` | {players} | {spectators} | {proposed} | {kept} |"


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    PAGE.write_text(current(), encoding="utf-8")
