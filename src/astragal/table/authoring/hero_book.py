"""Hero creation and look-up: what a game brings besides its rules, for every surface: heroes on paper, tables, skins.

All of it is optional, and all of it is pure: data and functions. A hero on paper is the plain fields of the command
that brings one into the story, so that whatever makes heroes, a file, a form or chance, ends in the same command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from astragal.table.state.setting import Setting
from astragal.values import frozen

Plain: TypeAlias = Mapping[str, Any]
"""The fields of a command as JSON has them."""

Draw: TypeAlias = Callable[[int], int]
"""Gives one of range(n), each as likely as any other."""


@frozen
class Repair:
    """A legal hero near to one that is not, or that beats a legal one everywhere, and what was changed."""

    words: str
    hero: Plain


@frozen(kw_only=True)
class HeroBook:
    """Hero creation of a game. `options` are the table's, as the game's own type.

    `make` is the command that brings a hero into the story and `advance` those that make one grow. `accounts` are lines
    for people on what a hero costs, and stand while one is being made. `random` takes wishes, such as a theme.
    """

    make: str
    advance: tuple[str, ...] = ()
    samples: Callable[[Any], Mapping[str, Plain]] = lambda options: {}
    accounts: Callable[[Plain, Any], Sequence[str]] = lambda hero, options: ()
    repairs: Callable[[Plain, Any], Sequence[Repair]] = lambda hero, options: ()
    better: Callable[[Plain, Any], Repair | None] = lambda hero, options: None
    """A hero of the same budget who is at least as good at everything, and better at something, where there is one."""
    random: Callable[[Draw, Mapping[str, str], Any], Plain] | None = None
    wishes: Mapping[str, str] = field(default_factory=dict)
    """What one may wish for in a random hero, and what each wish means."""


def ready_heroes(book: HeroBook, options: Any, setting: Setting) -> Mapping[str, Plain]:
    """Heroes who are ready to be played, by name: the setting's, or else the game's own."""
    return {str(hero["name"]): hero for hero in setting.heroes} or book.samples(options)


@frozen
class BookTable:
    """A table of the book, worked out anew: a head and rows, all in words."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class Worn:
    """Effect of a skin on a table: the game's options that it fills in, its terms, and what else it has ready.

    `host.open(ruleset, name=…, game_master=…, skin=…, **worn.given)` opens such a table.
    """

    options: Plain
    terms: Mapping[str, str]
    setting: Setting = Setting()

    @property
    def given(self) -> dict[str, Any]:
        return {"options": dict(self.options), "terms": dict(self.terms), "setting": self.setting}


@frozen(kw_only=True)
class SkinShelf:
    """Skins as text files: those that come with the game, a template, and what is wrong with a stranger's."""

    shipped: Callable[[], Mapping[str, str]]
    """Each skin's file, by its id."""
    template: Callable[[], str]
    faults: Callable[[str, str], Sequence[str]]
    """What is wrong with a text, each with its place; the second argument is the file's name."""
    describe: Callable[[str], Sequence[str]]
    """Lines for people on a text that has no faults."""
    wear: Callable[[str], Worn]
    first: Callable[[], str] | None = None
    """The file of a table without a setting: its first adventure."""
    schema: Callable[[], str] | None = None
    """A JSON schema of the files, for editors that help."""
    imported: Callable[[str, str], Mapping[str, str]] | None = None
    """Skins in a file of an older format, by id, each as the text of a skin's file. The second argument is its name."""
