"""What a seat can do now, in players' words: what its furniture is for first, then the game's own, then the table's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from astragal.surfaces.web.forms.choices import in_words
from astragal.surfaces.web.session import Sitting
from astragal.table.authoring.declarations import kind_of_command
from astragal.table.fields.definitions import fields_of
from astragal.table.fields.lookup import things_of
from astragal.table.refusals import Refusal
from astragal.table.registry import Book
from astragal.table.state.seats import Role, Scope

ELSEWHERE = frozenset(
    {
        "say",
        "whisper",
        "answer",
        "answer_prompt",
        "agree",
        "decline",
        "stop_scene",
        "go_on",
        "reveal",
        "promise_chain",
        "declare_chain_lost",
    }
)
"""What has a place of its own on the page."""
MOST_USUAL = 6


@dataclass(frozen=True)
class Deed:
    """A command that can be given."""

    command: str
    title: str
    doc: str


@dataclass(frozen=True)
class Group:
    title: str
    deeds: tuple[Deed, ...]


@dataclass(frozen=True)
class Actions:
    """The usual deeds at hand, and all of them in groups."""

    usual: tuple[Deed, ...]
    groups: tuple[Group, ...]


@dataclass(frozen=True)
class _Entry:
    """A command on a role's menu, with what is known of it before anybody asks."""

    deed: Deed
    is_the_games: bool
    rolls: bool
    for_own: bool
    """Is it for one's own characters alone?"""
    needs: frozenset[str]
    """The kinds of things that it has to name."""


def actions_of(sitting: Sitting) -> Actions:
    menu = _menu(sitting.book, sitting.viewer.role)
    missing = {kind for kind in {kind for entry in menu for kind in entry.needs} if not _are_there(sitting, kind)}
    has_own = bool(sitting.viewer.characters)
    possible = [one for one in menu if (has_own or not one.for_own) and one.needs.isdisjoint(missing)]
    called = list(dict.fromkeys(_called_by_furniture(sitting)))
    usual = [one for one in possible if one.deed.command in called]
    usual.sort(key=lambda one: called.index(one.deed.command))
    usual += [one for one in possible if one.is_the_games and one.rolls and one.deed.command not in called]
    groups = (
        Group(sitting.ruleset.name, tuple(one.deed for one in possible if one.is_the_games)),
        Group("At every table", tuple(one.deed for one in possible if not one.is_the_games)),
    )
    return Actions(tuple(one.deed for one in usual[:MOST_USUAL]), tuple(group for group in groups if group.deeds))


def is_possible(sitting: Sitting, command: type) -> bool:
    """Is there something of every kind that it has to name, and somebody for whom it may be given?

    Whether it may be given now, the game says when it is asked.
    """
    if kind_of_command(command).may.get(sitting.viewer.role) is Scope.OWN and not sitting.viewer.characters:
        return False
    return all(_are_there(sitting, kind) for kind in _needs(command))


# ---------------------------------------------------------------- the menu of a role


_MENUS: dict[tuple[int, Role], tuple[Book, tuple[_Entry, ...]]] = {}
"""By the book itself, of which there is one for each game for as long as the house stands."""


def _menu(book: Book, role: Role) -> tuple[_Entry, ...]:
    kept = _MENUS.get((id(book), role))
    if kept is None or kept[0] is not book:
        kept = _MENUS[id(book), role] = book, tuple(_entries(book, role))
    return kept[1]


def _entries(book: Book, role: Role) -> Iterator[_Entry]:
    """The game's own come first."""
    own = {action.name for chapter in book.ruleset.chapters for action in chapter.actions}
    elsewhere = ELSEWHERE | {book.ruleset.heroes.make} if book.ruleset.heroes else ELSEWHERE
    for name, kind in book.commands_for(role).items():
        if name in elsewhere:
            continue
        action = book.actions.get(name)
        yield _Entry(
            Deed(name, in_words(name), " ".join((kind.__doc__ or "").strip().split("\n\n")[0].split())),
            name in own,
            action is not None and action.gather is not None,
            kind_of_command(kind).may[role] is Scope.OWN,
            _needs(kind),
        )


def _needs(command: type) -> frozenset[str]:
    """The kinds of things that a command has to name."""
    return frozenset(field.names for field in fields_of(command) if field.required and field.names)


# ---------------------------------------------------------------- what of it there is now


def _are_there(sitting: Sitting, kind: str) -> bool:
    """Is there anything of this kind to be named? What nobody knows how to look for counts as there."""
    things = things_of(sitting.state, kind)
    return things is None or bool(things)


def _called_by_furniture(sitting: Sitting) -> Iterator[str]:
    """The commands that a click on a piece of one's own asks for."""
    for who in sitting.viewer.characters:
        try:
            pieces = list(sitting.ruleset.furniture(sitting.state.characters[who]))
        except Refusal:  # it depends on what this seat may not know
            continue
        for piece in pieces:
            if command := getattr(piece, "command", None):
                yield command
