"""Checks of events: each can be stored, folded and worded for all who may see it, and the table can be displayed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from astragal.fair import Ledger
from astragal.table.authoring.chapter import Happening, Teller
from astragal.table.authoring.declarations import Nature, Sight, kind_of_event
from astragal.table.authoring.display import Piece
from astragal.table.commands.builtin import Happened, Rolled
from astragal.table.contract.findings import Findings, told
from astragal.table.contract.rehearsal import Rehearsal
from astragal.table.fields.definitions import fields_of
from astragal.table.fields.values import parts_of
from astragal.table.log.snapshots import Stale, freeze, thaw
from astragal.table.pending import open_decisions
from astragal.table.registry import TableOpened
from astragal.table.state.table import Character, State
from astragal.table.visibility.events import seen_event
from astragal.table.visibility.redact import WITHHELD, glimpse, plain

MOST_OF_A_KIND = 6
"""So many events of each kind are looked at closely."""


class Telling:
    """Looks into what events become."""

    def __init__(self, findings: Findings, beginning: State, opened: TableOpened) -> None:
        self._findings, self._beginning, self._opened = findings, beginning, opened
        self._happened: Counter[type] = Counter()

    def has_happened(self, kind: type) -> bool:
        return self._happened[kind] > 0

    def told(self, rehearsal: Rehearsal, happened: list[Happened]) -> None:
        """Events that happened, in the state that they led to."""
        for one in happened:
            kind = type(one.event)
            self._happened[kind] += 1
            if self._happened[kind] <= MOST_OF_A_KIND:
                self._looked_at(rehearsal, one, "")

    def made_up(self, rehearsal: Rehearsal, event: Any) -> None:
        """An event that never happened, made up from its fields."""
        why = "made up from its fields, since no step of the evening brings it about, "
        self._looked_at(rehearsal, Happened(1, 0, "player", "deed", event), why)

    def _looked_at(self, rehearsal: Rehearsal, happened: Happened, why: str) -> None:
        about = f"The event {kind_of_event(type(happened.event)).name!r} {why}"
        self._checked(f"{about}can't be kept", happened.event, partial(self._kept, rehearsal, happened, about))
        self._checked(f"{about}can't be told", happened.event, partial(self._worded, rehearsal, happened, about))
        if isinstance(happened.event, Rolled):
            broken_down = partial(self._broken_down, rehearsal, happened.event)
            self._checked("How a roll was calculated can't be told", happened.event.question, broken_down)
        if kind_of_event(type(happened.event)).nature is Nature.LASTING:
            what = f"{about}is lasting and does not fold on every state"
            for state in (self._beginning, rehearsal.state):
                self._checked(what, happened.event, partial(rehearsal.book.fold, state, happened.event))
        if isinstance(getattr(type(happened.event), "owner", None), property) and not hasattr(happened.event, "owner"):
            self._findings.note(f"{about}names an owner that is none of its fields")

    def _checked(self, what: str, example: Any, look: Callable[[], Any]) -> None:
        try:
            look()
        except Exception as broken:  # noqa: BLE001 - whatever a stranger's ruleset raises is what is to be told
            self._findings.note(f"{what}: {told(broken)}", example)

    def _kept(self, rehearsal: Rehearsal, happened: Happened, about: str) -> None:
        codec = rehearsal.book.codec
        kept = codec.encode(happened, lambda: b"salt")
        if codec.decode(kept.entry, {text.digest: text for text in kept.texts}) != happened:
            self._findings.note(f"{about}is not itself again when it is read from a log", happened.event)
        if kept.texts:
            self._worded(rehearsal, codec.decode(kept.entry, {}), f"{about}with its words blanked ")

    def _worded(self, rehearsal: Rehearsal, happened: Happened, about: str) -> None:
        telling = rehearsal.book.happenings[type(happened.event)]
        for state in (rehearsal.state, self._beginning):
            for shown in _showings(happened):
                self._shown(state, shown, telling, about)

    def _shown(self, state: State, happened: Happened, telling: Happening[Any], about: str) -> None:
        for seat in state.seats:
            seen = seen_event(happened, state.viewer(seat), state, telling)
            if seen is None:
                continue
            if not str(seen.words or "").strip():
                self._findings.note(f"{about}has no words for the {seat}", happened.event)
            json.dumps(seen.fields)

    def _broken_down(self, rehearsal: Rehearsal, rolled: Rolled) -> None:
        """Words for each part of the roll, whatever skin the table wears."""
        book, state = rehearsal.book, rehearsal.state
        if book.ruleset.breakdown is None:
            return
        for part in book.ruleset.breakdown(book.codec.question(rolled.question), Teller(state, state.terms)):
            if not all(words.strip() for words in part):
                self._findings.note(
                    f"How the rule {rolled.question.rule!r} was calculated has {part!r}, which says too little"
                )

    def waited(self, rehearsal: Rehearsal, command: str) -> None:
        """Check that what waits is shown to all, with its options to those who may answer."""
        for state in rehearsal.waited:
            for seat in state.seats:
                viewer = state.viewer(seat)
                self._checked(
                    f"What the command {command!r} waits for can't be shown to the {seat}",
                    "",
                    partial(open_decisions, rehearsal.book, state, viewer, glimpse(state, viewer)),
                )

    # ------------------------------------------------------------ the table itself

    @contextmanager
    def leaves_alone(self, rehearsal: Rehearsal, command: str) -> Iterator[None]:
        """Check that a trial on a fork leaves the table as it was."""
        before = repr(rehearsal.state)
        yield
        if repr(rehearsal.state) != before:
            self._findings.note(f"The command {command!r} changes the state in place; a fold makes a new one")

    def thawed(self, rehearsal: Rehearsal) -> None:
        """A snapshot of the table is the table."""
        course, stamp = rehearsal.book.course(self._opened), rehearsal.book.stamp
        try:
            thaw(freeze(rehearsal.course, Ledger.empty("rehearsal"), stamp), stamp, course)
        except TypeError as fault:
            self._findings.note(f"The state can't be frozen: {fault}")
        except Stale as stale:
            self._findings.note(f"The state can't be thawed: {stale}")
        else:
            if course.state != rehearsal.state:
                self._findings.note("The state is not itself again when it is thawed")

    def laid_out(self, rehearsal: Rehearsal) -> None:
        """Every seat's view of the table is plain, and every character's sheet is furniture in it."""
        self._of_its_types(rehearsal)
        for seat in rehearsal.state.seats:
            view = glimpse(rehearsal.state, rehearsal.state.viewer(seat))
            self._checked(f"The table as the {seat} sees it can't be shown", "", partial(_as_json, view))
            about = f"The furniture of a character, as the {seat} sees it,"
            for character in view.characters.values():
                furnish = partial(self._furnished, rehearsal, character, about)
                self._checked(f"{about} can't be built", character.sheet, furnish)
            if board := rehearsal.book.ruleset.board:
                about = f"The board, as the {seat} sees it,"
                lay_out = partial(self._pieces, rehearsal, partial(board, view), about)
                self._checked(f"{about} can't be built", "", lay_out)

    def _of_its_types(self, rehearsal: Rehearsal) -> None:
        ruleset, state = rehearsal.book.ruleset, rehearsal.state
        if not isinstance(state.game, ruleset.game):
            self._findings.note(f"The game's state is a {type(state.game).__name__}, not a {ruleset.game.__name__}")
        for sheet in (one.sheet for one in state.characters.values()):
            if not isinstance(sheet, ruleset.sheet):
                self._findings.note(f"A character's sheet is a {type(sheet).__name__}, not a {ruleset.sheet.__name__}")

    def _furnished(self, rehearsal: Rehearsal, character: Character[Any], about: str) -> None:
        self._pieces(rehearsal, partial(rehearsal.book.ruleset.furniture, character), about)

    def _pieces(self, rehearsal: Rehearsal, furnish: Callable[[], Sequence[Any]], about: str) -> None:
        for piece in furnish():
            if not isinstance(piece, Piece):
                self._findings.note(f"{about} has {piece!r}, which is none of the pieces there are")
            elif any(map(_holds_withheld, parts_of(piece).values())):
                self._findings.note(f"{about} shows what is hidden in {type(piece).__name__} {piece.label!r}")
            elif getattr(piece, "command", None) is not None:
                self._asks(rehearsal, piece, about)

    def _asks(self, rehearsal: Rehearsal, piece: Any, about: str) -> None:
        commands, instead = rehearsal.book.commands, dict(rehearsal.book.ruleset.at_hand.instead)
        asked = [commands.get(piece.command), commands.get(instead.get(piece.command, piece.command))]
        known = {field.name for command in asked if command for field in fields_of(command)}
        if None in asked or not {name for name, _ in piece.fields} <= known:
            self._findings.note(f"{about} asks for {piece.command!r} with fields that no command has")


def _as_json(view: State) -> str:
    return json.dumps(plain(view))


def _showings(happened: Happened) -> Iterator[Happened]:
    """Open and out of sight, its difficulty known and hidden."""
    for sight in Sight:
        for hides in (False, True):
            yield happened._replace(sight=sight, hides=hides)


def _holds_withheld(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_withheld, value.values()))
    return value is WITHHELD or (isinstance(value, tuple) and any(map(_holds_withheld, value)))
