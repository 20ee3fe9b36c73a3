"""The list of commands with a sentence for each, which is printed without loading any of them."""

from collections.abc import Mapping
from importlib import import_module

from cyclopts import App

from astragal.surfaces.cli.command_list import GROUPS

SENTENCES = {
    "answer": "Answer what waits for a decision; without an answer, show what waits.",
    "completion": "Print what makes a shell complete commands, tables, people and fields.",
    "convert": "Convert a number of one game into those of the others that give nearly the same chance.",
    "demo": "See what this is about: a rule played, replayed, weighed and advised.",
    "do": "Give a command at a table.",
    "doctor": "Say what is installed, which store is used, whether it is sound, and what to do.",
    "games": "List the installed games; for one, its options, commands, rules, tables and skins.",
    "odds": "Show the exact odds of a roll, or of a rule of a game.",
    "play": "Sit down at a table and play, in plain words.",
    "preview": "Show what a command would do, exactly, as far as the seat may know. Nothing happens.",
    "roll": "Roll dice, and show each of them.",
    "tables": "Print the tables of a game's book, worked out anew from its rules.",
    "verify": "Check that no roll was altered, dropped, retried or given another purpose.",
}
"""The first sentences of commands that are loaded when they are called."""


def contents(program: App, others: Mapping[str, str]) -> App:
    """A program that has nothing but its help, and prints it as `program` would with every command loaded."""
    listed = App(name=program.name, help=program.help, version=program.version, help_format=program.help_format)
    for name, words in {**SENTENCES, **GROUPS, **{name: _own_words(place) for name, place in others.items()}}.items():
        listed.command(App(name=name, help=words.partition("\n")[0]))
    return listed


def _own_words(place: str) -> str:
    module, _, function = place.partition(":")
    return getattr(import_module(module), function).__doc__ or ""
