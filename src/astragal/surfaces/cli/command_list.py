"""Every command, by the words that call it and the place of its function, which is imported when it is called."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

HERE = "astragal.surfaces.cli.commands"

GROUPS: Mapping[str, str] = {
    "hero": "Heroes on paper: make, check, show, let grow.",
    "skin": "Skins: settings over a game, as files.",
    "table": "Tables: open, list, show, carry, store away, forget.",
}
"""First words that need a second, and what they are about."""

COMMANDS: Mapping[str, str] = {
    "roll": "dice.roll",
    "odds": "dice.odds",
    "games": "games.games",
    "tables": "tables.tables",
    "convert": "convert.convert",
    "doctor": "doctor.doctor",
    "completion": "completion.completion",
    "complete": "completion.complete",
    "demo": "demo.demo",
    "verify": "verify.verify",
    "table new": "table.new",
    "table list": "table.list_tables",
    "table show": "table.show",
    "table log": "table.log",
    "table seats": "table.seats",
    "table export": "table.export",
    "table import": "table.import_table",
    "table backup": "table.backup",
    "table restore": "table.restore",
    "table delete": "table.delete",
    "do": "do.do",
    "preview": "do.preview",
    "answer": "do.answer",
    "play": "play.play",
    "hero new": "hero.new",
    "hero random": "hero.random",
    "hero check": "hero.check",
    "hero show": "hero.show",
    "hero advance": "hero.advance",
    "skin list": "skin.list_skins",
    "skin show": "skin.show_skin",
    "skin check": "skin.check_skin",
    "skin new": "skin.new_skin",
}
FOR_SHELLS = frozenset({"complete"})
"""Not for people, and in no list."""
HELP_OF_THEIR_OWN = frozenset({"do", "hero advance", "hero new", "odds", "preview"})
"""After these, --help may be about what a game has."""


def function_at(place: str) -> Any:
    """The function of a command."""
    module, _, name = place.partition(".")
    return getattr(import_module(f"{HERE}.{module}"), name)
