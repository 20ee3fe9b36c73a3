"""Replay of a whole export: play every command that rolled again from its dice and answers, by the installed rules.

The events have to be those in the log. This reveals a consequence that no rule leads to, even if its forger has sealed
it properly in the ledger.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from astragal.chance import ChanceError, Dice, EnteredDice, Pause, RecordedDice
from astragal.table import ledger_writer, refusals, registry
from astragal.table.authoring.chapter import Call
from astragal.table.commands import builtin, execute, handlers
from astragal.table.declarations import convert, replace
from astragal.table.dice import Witnesses
from astragal.table.log import audit, codec
from astragal.table.log.export import BadExport, ImportedTable, opened
from astragal.table.log.history import History
from astragal.table.log.store import title_of
from astragal.table.state.table import Decision, State
from astragal.table.visibility.redact import plain

ADDED = (builtin.ConsentGiven, builtin.DoneOnAiWord)
"""Events that say on whose word a command was done; they follow the command's own events."""


class Replay(Struct, frozen=True):
    """Result of a replay: steps played again, differences, and the entries that could not be played, with reasons."""

    played: int
    edits: tuple[audit.Edit, ...]
    unplayed: Mapping[int, str]

    def sentences(self) -> Iterator[str]:
        """Yield the result in sentences for people."""
        if self.edits:
            yield "The rules make something else of the dice than this log tells:"
            yield from (edit.sentence for edit in self.edits)
            return
        if self.played:
            steps = "1 step" if self.played == 1 else f"{self.played} steps"
            yield f"{steps} of rolls, played again from dice and answers, told the same."
        for entry, why in self.unplayed.items():
            yield (
                f"From entry {entry} on nothing was played again: {why}."
                if entry == 1
                else (f"Entry {entry} could not be played again: {why}.")
            )


class Unplayable(Exception):
    """The log lacks something that is needed to play a command again."""


def replay(books: Mapping[str, registry.Book], carried: ImportedTable) -> Replay:
    """Replay a log, if its game is installed in the same version. Raises `BadExport` if the log can't be read."""
    title = title_of(carried, carried.table)
    book = books.get(title.ruleset)
    if book is None:
        return Replay(0, (), {1: f"the game {title.ruleset!r} is not at hand"})
    first_line = next(entry for entry in carried.entries if entry.name == ledger_writer.LEDGER_LINE)
    # Logs of older programs lack events that the rules produce now.
    if "facts" not in opened(ledger_writer.ledger_line(first_line.data)):
        return Replay(0, (), {1: "an older program wrote it"})
    opening = book.codec.decode(carried.entries[0], None).event
    if opening.version != book.ruleset.version:
        why = f"it was played by version {opening.version} of its rules, and version {book.ruleset.version} is at hand"
        return Replay(0, (), {1: why})
    replaying = _Replaying(book, carried)
    edits: list[audit.Edit] = []
    try:
        for commit in audit.commits_in(carried.entries):
            edits += replaying.take(commit)
    except (codec.UnknownEvent, LookupError) as fault:
        raise BadExport(f"This export can't be read: {fault}.") from fault
    return Replay(replaying.played, tuple(edits), replaying.unplayed)


class _CommitEvents(NamedTuple):
    """The events of one commit, which all belong to one command."""

    happened: Sequence[builtin.Happened]

    @property
    def first(self) -> builtin.Happened:
        return self.happened[0]

    @property
    def events(self) -> list[Any]:
        return [one.event for one in self.happened]

    def one(self, kind: type) -> Any:
        """Return the event of this kind, if there is one."""
        return next((event for event in self.events if isinstance(event, kind)), None)


class _Replaying:
    def __init__(self, book: registry.Book, carried: ImportedTable) -> None:
        self._book, self._texts = book, carried.texts(carried.table)
        self._history: History | None = None
        self.played = 0
        self.unplayed: dict[int, str] = {}

    def take(self, commit: audit.Commit) -> Iterator[audit.Edit]:
        told = _CommitEvents([self._book.codec.decode(entry, self._texts) for entry in commit.told])
        if told.happened and isinstance(told.first.event, registry.TableOpened):
            self._history = self._book.history(told.first.event)
        history = self._history
        if history is None:
            raise BadExport("A log begins with the opening of its table.")
        if any(map(told.one, (builtin.Rolled, builtin.DecisionOpened, builtin.Decided, builtin.AnswerSealed))):
            yield from self._differences(history, told)
        for happened in told.happened:
            history.advance(happened)
        for entry in commit.lines:
            history.advance(self._book.codec.decode(entry, None))

    def _differences(self, history: History, told: _CommitEvents) -> Iterator[audit.Edit]:
        try:
            again = self._again(history, told)
        except (Unplayable, refusals.Refusal, ChanceError) as fault:
            self.unplayed[told.first.number] = str(fault).rstrip(".")
            return
        self.played += 1
        for happened, event in zip(told.happened, again, strict=False):
            if type(happened.event) is not type(event) or not _is_same(plain(event), plain(happened.event)):
                name = self._book.event_specs[type(happened.event)].name
                yield audit.Edit("the rules tell something else here.", happened.number, name)
                return
        if len(again) != len(told.happened):
            yield audit.Edit(
                f"the rules tell {len(again)} things here, and the log {len(told.happened)}.", told.first.number
            )

    def _again(self, history: History, told: _CommitEvents) -> list[Any]:
        """Return the events that the rules produce, including those of reactions."""
        state = history.state
        decision = state.decisions.get(told.first.act)
        events = self._resumed(state, decision, told) if decision else self._performed(state, told)
        added = [event for event in told.events if isinstance(event, ADDED)]
        _, settled = execute.settle(self._book, history, [*events, *added])
        if not told.one(builtin.RollClosed):  # older programs gave secret rolls no name
            settled = [event for event in settled if not isinstance(event, builtin.RollClosed) or event.opens]
        return settled

    def _performed(self, state: State, told: _CommitEvents) -> list[Any]:
        opened: builtin.DecisionOpened | None = told.one(builtin.DecisionOpened)
        rolled: builtin.Rolled | None = told.one(builtin.Rolled)
        waiting = opened.decision if opened else None
        name = waiting.command if waiting else rolled.command if rolled else ""
        action = self._book.action(name)
        fields = waiting.said if waiting else rolled.fields if rolled else {}
        command = convert(fields, action.command)
        agreed: builtin.ConsentGiven | None = told.one(builtin.ConsentGiven)
        consent = state.consents.get(agreed.consent) if agreed else None
        seat = consent.by if consent else told.first.by  # for an accepted proposal, the seat that proposed it
        call = Call(state, state.viewer(seat), told.first.act, told.first.sight)
        by_hand = waiting is not None and waiting.by_hand
        invocation = execute.Invocation(self._book, call, action, command, told.first.sight, by_hand)
        return execute.perform(invocation, _dice(told, waiting))

    def _resumed(self, state: State, decision: Decision, told: _CommitEvents) -> list[Any]:
        answered = told.one(builtin.Decided) or told.one(builtin.AnswerSealed)
        if answered is None:
            raise Unplayable("it goes on without an answer")
        opened: builtin.DecisionOpened | None = told.one(builtin.DecisionOpened)
        side, answer = _answer(decision, answered)
        invocation = handlers.waiting_invocation(self._book, state, decision)
        events = execute.resume(invocation, decision, _dice(told, opened.decision if opened else None), side, answer)
        lapsed = next(iter(events), None)
        if isinstance(lapsed, builtin.DecisionLapsed) and not told.one(builtin.DecisionLapsed):
            raise Unplayable(lapsed.why)
        answers = (builtin.AnswerSealed, builtin.Decided)
        return [replace(one, for_seat=answered.for_seat) if isinstance(one, answers) else one for one in events]


class _Paused:
    """Dice that pause for the need that the log recorded."""

    source = "none"

    def __init__(self, need: Witnesses) -> None:
        self._need = need

    def face(self, _: int) -> int:
        raise Pause(self._need)


def _dice(told: _CommitEvents, waiting: Decision | None) -> Dice:
    """Return the recorded dice, followed by a wait if the log has one."""
    then: Dice | None = None
    if waiting and waiting.awaited == (builtin.BY_HAND,):
        then = EnteredDice()
    elif waiting and waiting.awaited and waiting.awaited[0].startswith("w:"):
        then = _Paused(Witnesses(waiting.awaited))
    dice = [die for event in told.events if isinstance(event, builtin.Rolled) for die in event.dice]
    return RecordedDice(codec.rolled_from(dice), then=then)


def _answer(decision: Decision, answered: builtin.Decided | builtin.AnswerSealed) -> tuple[str, Any]:
    """Return the side that answered, and its answer. For a witness's link, which only the ledger has, use zeros."""
    if isinstance(answered, builtin.AnswerSealed):
        return answered.side, answered.answer
    given = {side: answer for side, answer in answered.sides.items() if side not in decision.sealed}
    if given:
        return next(iter(given.items()))
    return decision.awaited[0], "0" * execute.LINK_DIGITS


def _is_same(again: Any, kept: Any) -> bool:
    """Return whether the values are equal, except for free text that is not stored or was blanked."""
    if isinstance(again, dict) and isinstance(kept, dict):
        return again.keys() == kept.keys() and all(_is_same(again[name], kept[name]) for name in again)
    if isinstance(again, list) and isinstance(kept, list):
        return len(again) == len(kept) and all(map(_is_same, again, kept))
    if isinstance(again, str) and isinstance(kept, str) and (execute.SOME_TEXT in again or codec.BLANKED in kept):
        return True
    return bool(again == kept)
