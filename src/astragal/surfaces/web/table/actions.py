"""Actions of a seat, in players' words: what its sheet is for first, then the game's own, then the table's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from astragal.surfaces.shared.sheets import pieces_of
from astragal.surfaces.shared.words import first_paragraph
from astragal.surfaces.web.forms.choices import in_words
from astragal.surfaces.web.session import SeatSession
from astragal.table.authoring.declarations import kind_of_command
from astragal.table.fields.definitions import fields_of
from astragal.table.state.seats import Scope

SPOKEN = frozenset({"say", "whisper", "answer", "answer_prompt", "agree", "decline"})
ELSEWHERE = SPOKEN | {"stop_scene", "go_on", "reveal", "promise_chain", "declare_chain_lost"}
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


def actions_of(session: SeatSession) -> Actions:
    """Those that can be given as things stand; the game's own come first."""
    book = session.book
    elsewhere = ELSEWHERE | {book.ruleset.heroes.make} if book.ruleset.heroes else ELSEWHERE
    allowed = {name: kind for name, kind in book.commands_for(session.viewer.role).items() if name not in elsewhere}
    kinds = {kind for command in allowed.values() for kind in _needs(command)}
    there = {kind: _is_there(session, kind) for kind in kinds}
    has_own = bool(session.viewer.characters)
    possible = {
        name: _deed(session, kind)
        for name, kind in allowed.items()
        if (has_own or not _is_for_own(session, kind)) and all(there[needed] for needed in _needs(kind))
    }
    own = {action.name: action for chapter in book.ruleset.chapters for action in chapter.actions}
    called = [name for name in dict.fromkeys(_called_by_furniture(session)) if name in possible]
    rolls = [name for name in possible if name in own and own[name].gather is not None and name not in called]
    groups = (
        Group(session.ruleset.name, tuple(one for name, one in possible.items() if name in own)),
        Group("At every table", tuple(one for name, one in possible.items() if name not in own)),
    )
    usual = tuple(possible[name] for name in [*called, *rolls][:MOST_USUAL])
    return Actions(usual, tuple(group for group in groups if group.deeds))


def is_possible(session: SeatSession, command: type) -> bool:
    """Is there something of every kind that it has to name, and somebody for whom it may be given?

    Whether it may be given now, the game says when it is asked.
    """
    if _is_for_own(session, command) and not session.viewer.characters:
        return False
    return all(_is_there(session, kind) for kind in _needs(command))


def _deed(session: SeatSession, command: type) -> Deed:
    name = kind_of_command(command).name
    return Deed(name, session.in_skin(in_words(name)), session.in_skin(first_paragraph(command)))


@cache
def _needs(command: type) -> frozenset[str]:
    """The kinds of things that a command has to name."""
    return frozenset(field.names for field in fields_of(command) if field.required and field.names)


def _is_for_own(session: SeatSession, command: type) -> bool:
    """Is it for one's own characters alone?"""
    return kind_of_command(command).may.get(session.viewer.role) is Scope.OWN


def _is_there(session: SeatSession, kind: str) -> bool:
    """Is there anything of this kind to be named? What nobody knows how to look for counts as there."""
    things = session.things(kind)
    return things is None or bool(things)


def _called_by_furniture(session: SeatSession) -> Iterator[str]:
    """The commands that a click on a piece of one's own asks for."""
    for who in session.viewer.characters:
        for piece in pieces_of(session, session.state.characters[who]) or ():
            if command := getattr(piece, "command", None):
                yield command
