"""Every command, by the words that call it and the place of its function, which is imported when it is called."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

HERE = "astragal.surfaces.cli"

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
    "tables": "book_tables.tables",
    "convert": "converting.convert",
    "doctor": "doctor.doctor",
    "completion": "shells.completion",
    "complete": "shells.complete",
    "demo": "demo.demo",
    "verify": "verifying.verify",
    "table new": "tables.new",
    "table list": "tables.list_tables",
    "table show": "tables.show",
    "table log": "tables.log",
    "table seats": "tables.seats",
    "table export": "tables.export",
    "table import": "tables.import_table",
    "table backup": "tables.backup",
    "table restore": "tables.restore",
    "table delete": "tables.delete",
    "do": "doing.do",
    "preview": "doing.preview",
    "answer": "doing.answer",
    "play": "playing.play",
    "hero new": "heroes.new",
    "hero random": "heroes.random",
    "hero check": "heroes.check",
    "hero show": "heroes.show",
    "hero advance": "heroes.advance",
    "skin list": "skins.list_skins",
    "skin show": "skins.show_skin",
    "skin check": "skins.check_skin",
    "skin new": "skins.new_skin",
}
FOR_SHELLS = frozenset({"complete"})
"""Not for people, and in no list."""
HELP_OF_THEIR_OWN = frozenset({"do", "hero advance", "hero new", "odds", "preview"})
"""After these, --help may be about what a game has."""


def function_at(place: str) -> Any:
    """The function of a command."""
    module, _, name = place.partition(".")
    return getattr(import_module(f"{HERE}.{module}"), name)
