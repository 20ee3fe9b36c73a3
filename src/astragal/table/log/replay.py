"""Replay of a whole export: play every command that rolled again from its dice and answers, by the installed rules.

The events have to be those in the log. This reveals a consequence that no rule leads to, even if its forger has sealed
it properly in the ledger.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from astragal.chance import ChanceError, Dice, EnteredDice, Pause, RecordedDice
from astragal.fair import Findings
from astragal.table import ledger_writer, refusals, registry
from astragal.table.authoring.chapter import Call
from astragal.table.commands import builtin, execute, handlers
from astragal.table.declarations import convert, kind_of_event
from astragal.table.dice import Witnesses
from astragal.table.log import audit, codec
from astragal.table.log.export import BadExport, ImportedTable, opened
from astragal.table.log.history import History
from astragal.table.log.store import Entry, title_of
from astragal.table.state.table import Decision, Die, State
from astragal.table.visibility.redact import plain

E = TypeVar("E")

OF_A_ROLL = (builtin.Rolled, builtin.DecisionOpened, builtin.Decided, builtin.AnswerSealed)
"""Events of commands that can be played again."""
ADDED = (builtin.ConsentGiven, builtin.DoneOnAiWord)
"""Events that say on whose word a command was done; they follow the command's own events."""


class Replay(Struct, frozen=True):
    """Result of a replay: steps played again, differences, and the entries that could not be played, with reasons."""

    played: int
    edits: tuple[audit.Edit, ...]
    unplayed: Mapping[int, str]
    incomplete: tuple[int, ...] = ()
    """Entries that lack a part of what the rules tell now: an older program wrote them."""

    def findings(self) -> Findings:
        """Return the result in sentences for people."""
        if self.edits:
            return Findings(faults=tuple(edit.sentence for edit in self.edits))
        unchecked = []
        for entry, why in self.unplayed.items():
            if entry == 1:
                unchecked.append(f"the rules were not checked: {why}")
            else:
                unchecked.append(f"the rules were not checked at entry {entry}: {why}")
        if self.incomplete:
            entries = "1 entry lacks" if len(self.incomplete) == 1 else f"{len(self.incomplete)} entries lack"
            unchecked.append(
                f"{entries} something that the rules tell now, which was not checked: an older program wrote them "
                f"(entry {self.incomplete[0]} is the first)"
            )
        checked = []
        if self.played:
            steps = "1 step" if self.played == 1 else f"{self.played} steps"
            checked.append(f"{steps} of rolls, played again from dice and answers, told the same.")
        return Findings(unchecked=tuple(unchecked), checked=tuple(checked))


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
    return Replay(replaying.played, tuple(edits), replaying.unplayed, tuple(replaying.incomplete))


class _CommitEvents(NamedTuple):
    """The events of one commit, which all belong to one command."""

    happened: Sequence[builtin.Happened]
    entries: Sequence[Entry]
    """The same events, as stored."""

    @property
    def first(self) -> builtin.Happened:
        return self.happened[0]

    @property
    def events(self) -> list[Any]:
        return [happened.event for happened in self.happened]

    def event(self, kind: type[E]) -> E | None:
        """Return the event of this kind, if there is one."""
        return next((event for event in self.events if isinstance(event, kind)), None)

    @property
    def is_of_a_roll(self) -> bool:
        """Whether dice fell here, or somebody had to decide something about a roll."""
        return any(isinstance(event, OF_A_ROLL) for event in self.events)


class _Replaying:
    """Replay of a log, commit by commit."""

    def __init__(self, book: registry.Book, carried: ImportedTable) -> None:
        self._book = book
        self._texts = carried.texts(carried.table)
        self._history: History | None = None
        self.played = 0
        self.unplayed: dict[int, str] = {}
        self.incomplete: list[int] = []

    def take(self, commit: audit.Commit) -> Iterator[audit.Edit]:
        """Play the next commit again, if dice fell in it, and go on to the state after it."""
        happened_in_log = [self._book.codec.decode(entry, self._texts) for entry in commit.events]
        in_log = _CommitEvents(happened_in_log, commit.events)
        if in_log.happened and isinstance(in_log.first.event, registry.TableOpened):
            self._history = self._book.history(in_log.first.event)
        history = self._history
        if history is None:
            raise BadExport("A log begins with the opening of its table.")
        if in_log.is_of_a_roll:
            yield from self._differences(history, in_log)
        for happened in in_log.happened:
            history.advance(happened)
        for entry in commit.lines:
            history.advance(self._book.codec.decode(entry, None))

    def _differences(self, history: History, in_log: _CommitEvents) -> Iterator[audit.Edit]:
        """Yield what the log has otherwise than the rules tell it: the first event that differs, and the count."""
        try:
            replayed_events = self._replayed(history, in_log)
        except (Unplayable, refusals.Refusal, ChanceError) as fault:
            self.unplayed[in_log.first.number] = str(fault).rstrip(".")
            return
        self.played += 1
        for happened, entry, event in zip(in_log.happened, in_log.entries, replayed_events, strict=False):
            decoded = plain(happened.event)
            replayed = plain(event)
            stored = _stored(entry, type(happened.event), decoded)
            expected = _cut_to(stored, replayed)
            if type(happened.event) is not type(event) or not _is_same(expected, _cut_to(stored, decoded)):
                yield audit.Edit("the rules tell something else here.", happened.number, entry.name)
                return
            if expected != replayed:
                self.incomplete.append(happened.number)
        if len(replayed_events) != len(in_log.happened):
            why = f"the rules tell {len(replayed_events)} things here, and the log {len(in_log.happened)}."
            yield audit.Edit(why, in_log.first.number)

    def _replayed(self, history: History, in_log: _CommitEvents) -> list[Any]:
        """Return the events that the rules produce, including those of reactions."""
        state = history.state
        decision = state.decisions.get(in_log.first.act)
        events = self._resumed(state, decision, in_log) if decision else self._performed(state, in_log)
        on_whose_word = [event for event in in_log.events if isinstance(event, ADDED)]
        _, settled = execute.settle(self._book, history, [*events, *on_whose_word])
        if not in_log.event(builtin.RollClosed):  # older programs gave secret rolls no name
            settled = [event for event in settled if not isinstance(event, builtin.RollClosed) or event.opens]
        return settled

    def _performed(self, state: State, in_log: _CommitEvents) -> list[Any]:
        """Return the events of a command that begins here."""
        opened_decision = in_log.event(builtin.DecisionOpened)
        waiting = opened_decision.decision if opened_decision else None
        name, fields = _command_in(in_log, waiting)
        action = self._book.action(name)
        command = convert(fields, action.command)
        consent_given = in_log.event(builtin.ConsentGiven)
        consent = state.consents.get(consent_given.consent) if consent_given else None
        seat = consent.by if consent else in_log.first.by  # for an accepted proposal, the seat that proposed it
        call = Call(state, state.viewer(seat), in_log.first.act, in_log.first.sight)
        by_hand = waiting is not None and waiting.by_hand
        invocation = execute.Invocation(self._book, call, action, command, in_log.first.sight, by_hand)
        return execute.perform(invocation, _dice(in_log, waiting))

    def _resumed(self, state: State, decision: Decision, in_log: _CommitEvents) -> list[Any]:
        """Return the events of a waiting command that goes on here."""
        answered = in_log.event(builtin.Decided) or in_log.event(builtin.AnswerSealed)
        if answered is None:
            raise Unplayable("it goes on without an answer")
        opened_decision = in_log.event(builtin.DecisionOpened)
        waiting = opened_decision.decision if opened_decision else None
        side, answer = _answer(decision, answered)
        invocation = handlers.waiting_invocation(self._book, state, decision)
        events = execute.resume(invocation, decision, _dice(in_log, waiting), side, answer)
        first = next(iter(events), None)
        if isinstance(first, builtin.DecisionLapsed) and not in_log.event(builtin.DecisionLapsed):
            raise Unplayable(first.why)
        return [handlers.answered_for(event, answered.for_seat) for event in events]


def _command_in(in_log: _CommitEvents, waiting: Decision | None) -> tuple[str, Mapping[str, Any]]:
    """Return the name and fields of the command that rolled: from its decision if it waits, else from its dice."""
    if waiting:
        return waiting.command, waiting.said
    rolled = in_log.event(builtin.Rolled)
    if rolled:
        return rolled.command, rolled.fields
    return "", {}


class _Paused:
    """Dice that pause for the need that the log recorded."""

    source = "none"

    def __init__(self, need: Witnesses) -> None:
        self._need = need

    def face(self, _: int) -> int:
        raise Pause(self._need)


def _dice(in_log: _CommitEvents, waiting: Decision | None) -> Dice:
    """Return the recorded dice, followed by a wait if the log has one."""
    following: Dice | None = None
    if waiting and waiting.awaited == (builtin.BY_HAND,):
        following = EnteredDice()
    elif waiting and waiting.awaited and waiting.awaited[0].startswith("w:"):
        following = _Paused(Witnesses(waiting.awaited))
    dice: list[Die] = []
    for event in in_log.events:
        if isinstance(event, builtin.Rolled):
            dice += event.dice
    return RecordedDice(codec.rolled_from(dice), then=following)


def _answer(decision: Decision, answered: builtin.Decided | builtin.AnswerSealed) -> tuple[str, Any]:
    """Return the side that answered, and its answer. For a witness's link, which only the ledger has, use zeros."""
    if isinstance(answered, builtin.AnswerSealed):
        return answered.side, answered.answer
    for side, answer in answered.sides.items():
        if side not in decision.sealed:
            return side, answer
    return decision.awaited[0], "0" * execute.LINK_DIGITS


def _stored(entry: Entry, event: type, decoded: Any) -> Any:
    """Return an event's fields as stored or, if they were migrated from an older version, as they were decoded."""
    if entry.version != kind_of_event(event).version:
        return decoded
    return msgspec.json.decode(entry.data)["event"]


def _cut_to(stored: Any, value: Any) -> Any:
    """Return a value without the parts that the stored one lacks, because the program that wrote it did not know them.

    What is stored is compared to the last letter; only what nobody wrote can't be.
    """
    if isinstance(stored, dict) and isinstance(value, dict):
        return {name: _cut_to(stored[str(name)], part) for name, part in value.items() if str(name) in stored}
    if isinstance(stored, list) and isinstance(value, list) and len(stored) == len(value):
        return list(map(_cut_to, stored, value))
    return value


def _is_same(replayed: Any, in_log: Any) -> bool:
    """Return whether the values are equal, except for free text that is not stored or was blanked."""
    if isinstance(replayed, dict) and isinstance(in_log, dict):
        return replayed.keys() == in_log.keys() and all(_is_same(replayed[name], in_log[name]) for name in replayed)
    if isinstance(replayed, list) and isinstance(in_log, list):
        return len(replayed) == len(in_log) and all(map(_is_same, replayed, in_log))
    if isinstance(replayed, str) and isinstance(in_log, str):
        return replayed == in_log or execute.SOME_TEXT in replayed or codec.BLANKED in in_log
    return bool(replayed == in_log)
