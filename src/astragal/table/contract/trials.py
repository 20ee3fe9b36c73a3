"""Trials: the contract plays an evening of a game, first its own steps, then every command with generated fields.

It checks the questions that commands ask, how events are stored and shown, and that every view can be displayed.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import product
from typing import Any

from astragal.chance import Odds, Question, odds
from astragal.chance.contract import faults_in_play
from astragal.fair import Ledger
from astragal.table import pending, refusals, registry
from astragal.table.authoring.display import DiceRow, Piece, Pips, Score
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.ruleset import Overridable, Price
from astragal.table.commands.builtin import Happened, Rolled
from astragal.table.commands.execute import Invocation
from astragal.table.contract.manifest import (
    Findings,
    actions_of,
    event_specs_of,
    faults_in_creation,
    sample_heroes,
    told,
)
from astragal.table.contract.rehearsal import (
    SEATS,
    Choice,
    Rehearsal,
    Step,
    commands_to_try,
    declined,
    events_to_try,
    taken,
)
from astragal.table.declarations import Nature, Sight, kind_of_command, kind_of_event, parts_of, replace
from astragal.table.fields.definitions import fields_of
from astragal.table.log.codec import RuleHasChanged
from astragal.table.log.snapshots import Stale, freeze, thaw
from astragal.table.preview import Preview, preview
from astragal.table.state.table import State
from astragal.table.visibility.events import seen_event
from astragal.table.visibility.redact import WITHHELD, plain, redact

# ---------------------------------------------------------------- questions of commands

CODE = re.compile(r"[a-z][a-z0-9_]*")

MOST_QUESTIONS = 4
"""Most questions of each command to calculate odds for, which can be slow."""


class QuestionChecks:
    """Checks that a command's question is the same when gathered, previewed, played and replayed."""

    def __init__(self, findings: Findings, seeds: Sequence[int]) -> None:
        self._findings = findings
        self._seeds = seeds
        self._odds: dict[Question[Any], Odds[Any]] = {}
        self._questions: Counter[str] = Counter()
        """How many questions of each command odds were calculated for."""

    def refused(self, about: str, refusal: refusals.Refusal) -> None:
        """Check that a refusal has a code for programs and a sentence for players."""
        sentence = refusal.sentence
        if refusal.code == refusals.Refusal.code or not CODE.fullmatch(refusal.code):
            self._findings.note(f"{about} is refused without a code of its own ({refusal.code!r}: “{sentence}”)")
        if not sentence.strip() or not sentence.endswith((".", "?", "!")):
            self._findings.note(f"{about} is refused with “{sentence}”, which is no sentence with a full stop")

    def forbidden(self, rehearsal: Rehearsal, step: Step) -> None:
        """Check that a role without rights to a command is refused, whatever else is wrong."""
        may = kind_of_command(rehearsal.book.command(step.command)).may
        for seat, role in SEATS.items():
            if role in may:
                continue
            try:
                rehearsal.fork().act(replace(step, seat=seat), declined)
            except refusals.NotAllowed:
                continue
            except refusals.Refusal:
                pass
            self._note(step, f"can be given by a {role.value}, who may not give it")

    def check_preview(self, rehearsal: Rehearsal, step: Step) -> None:
        """Check that a preview never fails. It may be refused."""
        try:
            invocation = rehearsal.invocation(step)
            if invocation is not None and invocation.action.gather is not None:
                _in_view(invocation).question()
        except refusals.Refusal:
            return
        except Exception as broken:  # noqa: BLE001 - whatever a command raises is reported
            self._note(step, f"can't be previewed: gathered from the asker's view it raises {told(broken)}")

    def check_question(self, rehearsal: Rehearsal, step: Step) -> None:
        """Check the question of a command that can be done: gathered twice, stored, played and previewed."""
        invocation = rehearsal.invocation(step)
        question = invocation.question() if invocation else None
        if invocation is None or question is None:
            return
        if question != invocation.question():
            self._note(step, "gathers another question the second time")
        self._check_readable(invocation, question, step)
        if question not in self._odds and self._questions[step.command] < MOST_QUESTIONS:
            self._questions[step.command] += 1
            self._odds[question] = odds(question)
            for fault in faults_in_play(question, self._seeds):
                self._findings.note(f"The command {step.command!r} asks what can't be: {fault}")
            self._previewed(invocation, question, step)

    def _check_readable(self, invocation: Invocation, question: Question[Any], step: Step) -> None:
        """Check that a waiting question can be stored in the log and read back."""
        try:
            codec = invocation.book.codec
            question_read = codec.question(codec.asked(question))
        except RuleHasChanged as changed:
            self._note(step, f"asks a question that can't be read from a log: {changed}; the ruleset lists its rules")
            return
        if question_read != question:
            self._note(step, f"asks {question}, which a log gives back as {question_read}")

    def _previewed(self, invocation: Invocation, question: Question[Any], step: Step) -> None:
        try:
            forecast = preview(_in_view(invocation))
        except refusals.DependsOnHidden:
            if invocation.call.viewer.is_game_master:
                self._note(step, "is hidden from the game master's own preview")
            return
        except refusals.Refusal as refusal:
            self._note(step, f"can be done, and its preview is refused: {refusal.sentence}")
            return
        except Exception as broken:  # noqa: BLE001 - as above
            self._note(step, f"can't be previewed: {told(broken)}")
            return
        if forecast is None:
            self._note(step, "rolls dice and has no preview")
        else:
            self._compared(invocation, question, step, forecast)

    def _compared(self, invocation: Invocation, question: Question[Any], step: Step, forecast: Preview) -> None:
        """Check that the previewed question is the one that is rolled. Hidden numbers may differ."""
        spend = getattr(invocation.command, invocation.action.spend.field) if invocation.action.spend else None
        cases = [case for case in forecast.cases if case.otherwise is None and case.spend == spend]
        if not cases:
            scope = "" if spend is None else f" of a spend of {spend}"
            self._note(step, f"can be done, and its preview has no case{scope}")
            return
        if invocation.action.hides(invocation.call, invocation.command) and not invocation.call.viewer.is_game_master:
            return
        if cases[0].odds != self._odds[question].map(invocation.action.outcome):
            self._note(step, "is previewed with other odds than it is rolled with")
        arguments = {name: value for name, value in plain(question.named).items() if name in forecast.arguments}
        if arguments != forecast.arguments:
            self._note(step, "is previewed with other arguments than it is rolled with")

    def _note(self, step: Step, fault: str) -> None:
        self._findings.note(f"The command {step.command!r} {fault}", step)


def _in_view(invocation: Invocation) -> Invocation:
    """Return the invocation with the state redacted for its viewer."""
    view = redact(invocation.state, invocation.call.viewer)
    return invocation._replace(call=replace(invocation.call, state=view, fresh="preview"))


# ---------------------------------------------------------------- events

MOST_OF_A_KIND = 6
"""Most events of each kind to check."""


class EventChecks:
    """Checks that events can be stored, folded and shown to all who may see them, and the table displayed."""

    def __init__(self, findings: Findings, beginning: State, opened: registry.TableOpened) -> None:
        self._findings = findings
        self._beginning = beginning
        self._opened = opened
        self._counts: Counter[type] = Counter()
        """How often each kind of event happened."""

    def has_happened(self, kind: type) -> bool:
        return self._counts[kind] > 0

    def told(self, rehearsal: Rehearsal, happened: list[Happened]) -> None:
        """Check events that happened, in the state that they led to."""
        for entry in happened:
            kind = type(entry.event)
            self._counts[kind] += 1
            if self._counts[kind] <= MOST_OF_A_KIND:
                self._check_event(rehearsal, entry, "")

    def made_up(self, rehearsal: Rehearsal, event: Any) -> None:
        """Check an event that never happened, generated from its fields."""
        why = "made up from its fields, since no step of the evening brings it about, "
        self._check_event(rehearsal, Happened(1, 0, "player", "deed", event), why)

    def _check_event(self, rehearsal: Rehearsal, happened: Happened, why: str) -> None:
        event = happened.event
        kind = kind_of_event(type(event))
        about = f"The event {kind.name!r} {why}"
        self._checked(f"{about}can't be kept", event, partial(self._check_stored, rehearsal, happened, about))
        self._checked(f"{about}can't be told", event, partial(self._check_words, rehearsal, happened, about))
        if isinstance(event, Rolled):
            check = partial(self._check_breakdown, rehearsal, event)
            self._checked("How a roll was calculated can't be told", event.question, check)
        if kind.nature is Nature.LASTING:
            for state in (self._beginning, rehearsal.state):
                fold = partial(rehearsal.book.fold, state, event)
                self._checked(f"{about}is lasting and does not fold on every state", event, fold)
        if isinstance(getattr(type(event), "owner", None), property) and not hasattr(event, "owner"):
            self._findings.note(f"{about}names an owner that is none of its fields")

    def _checked(self, problem: str, example: Any, look: Callable[[], Any]) -> None:
        try:
            look()
        except Exception as broken:  # noqa: BLE001 - whatever a ruleset raises is reported
            self._findings.note(f"{problem}: {told(broken)}", example)

    def _check_stored(self, rehearsal: Rehearsal, happened: Happened, about: str) -> None:
        """Check that an event is read from a log as it was, and can be told with its words blanked."""
        codec = rehearsal.book.codec
        stored = codec.encode(happened, lambda: b"salt")
        if codec.decode(stored.entry, {text.digest: text for text in stored.texts}) != happened:
            self._findings.note(f"{about}is not itself again when it is read from a log", happened.event)
        if stored.texts:
            self._check_words(rehearsal, codec.decode(stored.entry, None), f"{about}with its words blanked ")

    def _check_words(self, rehearsal: Rehearsal, happened: Happened, about: str) -> None:
        """Check that an event has words for every seat: open and out of sight, its difficulty known or not."""
        spec = rehearsal.book.event_specs[type(happened.event)]
        for state, sight, hides in product((rehearsal.state, self._beginning), Sight, (False, True)):
            variant = happened._replace(sight=sight, hides=hides)
            for seat in state.seats:
                event = seen_event(variant, state.viewer(seat), state, spec)
                if event is None:
                    continue
                if not str(event.words or "").strip():
                    self._findings.note(f"{about}has no words for the {seat}", happened.event)
                json.dumps(event.fields)

    def _check_breakdown(self, rehearsal: Rehearsal, rolled: Rolled) -> None:
        """Check that each part of a roll's breakdown has words."""
        book = rehearsal.book
        state = rehearsal.state
        if book.ruleset.breakdown is None:
            return
        for part in book.ruleset.breakdown(book.codec.question(rolled.question), Teller(state, state.terms)):
            if not all(words.strip() for words in part):
                self._findings.note(
                    f"How the rule {rolled.question.rule!r} was calculated has {part!r}, which says too little"
                )

    def waited(self, rehearsal: Rehearsal, command: str) -> None:
        """Check that open decisions can be shown to every seat, with options to those who may answer."""
        for state in rehearsal.waited:
            for seat in state.seats:
                viewer = state.viewer(seat)
                self._checked(
                    f"What the command {command!r} waits for can't be shown to the {seat}",
                    "",
                    partial(pending.open_decisions, rehearsal.book, state, viewer, redact(state, viewer), {}),
                )

    # ------------------------------------------------------------ the table itself

    @contextmanager
    def leaves_alone(self, rehearsal: Rehearsal, command: str) -> Iterator[None]:
        """Check that a trial on a fork leaves the table as it was."""
        state_before = repr(rehearsal.state)
        yield
        if repr(rehearsal.state) != state_before:
            self._findings.note(f"The command {command!r} changes the state in place; a fold makes a new one")

    def check_snapshot(self, rehearsal: Rehearsal) -> None:
        """Check that a snapshot of the table restores it."""
        history = rehearsal.book.history(self._opened)
        stamp = rehearsal.book.stamp
        try:
            thaw(freeze(rehearsal.history, Ledger.empty("rehearsal"), stamp), stamp, history)
        except TypeError as fault:
            self._findings.note(f"The state can't be frozen: {fault}")
        except Stale as stale:
            self._findings.note(f"The state can't be thawed: {stale}")
        else:
            if history.state != rehearsal.state:
                self._findings.note("The state is not itself again when it is thawed")

    def check_display(self, rehearsal: Rehearsal) -> None:
        """Check that every seat's view can be written as JSON, and its sheets and board displayed."""
        ruleset = rehearsal.book.ruleset
        state = rehearsal.state
        self._check_type("The game's state", state.game, ruleset.game)
        for character in state.characters.values():
            self._check_type("A character's sheet", character.sheet, ruleset.sheet)
        for seat in state.seats:
            view = redact(state, state.viewer(seat))
            self._checked(
                f"The table as the {seat} sees it can't be shown", "", partial(json.dumps, view, default=plain)
            )
            about = f"The furniture of a character, as the {seat} sees it,"
            for character in view.characters.values():
                furnish = partial(ruleset.furniture, character, view)
                check = partial(self._check_pieces, rehearsal, furnish, about)
                self._checked(f"{about} can't be built", character.sheet, check)
            about = f"The board, as the {seat} sees it,"
            check = partial(self._check_pieces, rehearsal, partial(ruleset.board, view), about)
            self._checked(f"{about} can't be built", "", check)

    def _check_type(self, name: str, value: Any, kind: type) -> None:
        if not isinstance(value, kind):
            self._findings.note(f"{name} is a {type(value).__name__}, not a {kind.__name__}")

    def _check_pieces(self, rehearsal: Rehearsal, furnish: Callable[[], Sequence[Any]], about: str) -> None:
        """Check that pieces are of known kinds, show nothing hidden, and ask for commands with fields that exist."""
        for piece in furnish():
            if not isinstance(piece, Piece):
                self._findings.note(f"{about} has {piece!r}, which is none of the pieces there are")
            elif any(map(_holds_withheld, parts_of(piece).values())):
                self._findings.note(f"{about} shows what is hidden in {type(piece).__name__} {piece.label!r}")
            elif isinstance(piece, (Score, Pips, DiceRow)) and piece.command is not None:
                names = {name for name, _ in piece.fields}
                if not self._has_fields(rehearsal, piece.command, names):
                    self._findings.note(f"{about} asks for {piece.command!r} with fields that no command has")

    def _has_fields(self, rehearsal: Rehearsal, name: str, field_names: set[str]) -> bool:
        """Return whether a command, or the one that is at hand instead of it, has these fields."""
        instead = dict(rehearsal.book.ruleset.at_hand.instead)
        fields_of_commands: set[str] = set()
        for command_name in (name, instead.get(name, name)):
            command = rehearsal.book.commands.get(command_name)
            if command is None:
                return False
            fields_of_commands |= {field.name for field in fields_of(command)}
        return field_names <= fields_of_commands


def _holds_withheld(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_withheld, value.values()))
    return value is WITHHELD or (isinstance(value, tuple) and any(map(_holds_withheld, value)))


# ---------------------------------------------------------------- the evening

ROUNDS = 3
"""Rounds of trying all commands. One may need what another creates: first a hero, then what heroes do."""


class Trials:
    """Tries every command of a ruleset at a table, and goes on from each that can be done."""

    def __init__(
        self, table: Rehearsal, opened: registry.TableOpened, findings: Findings, seeds: Sequence[int]
    ) -> None:
        self._ruleset = table.book.ruleset
        self._table = table
        self._findings = findings
        self._asking = QuestionChecks(findings, seeds)
        self._telling = EventChecks(findings, self._table.state, opened)
        self._done: Counter[str] = Counter()
        self._last_refusal: dict[str, str] = {}

    def run(self, evening: Sequence[Step]) -> None:
        self._play(evening)
        for turn in range(ROUNDS):
            for action in actions_of(self._ruleset):
                if turn == 0 or not self._done[action.name]:
                    self._sample(action.name)
        for name, price in self._ruleset.prices.items():
            self._pay(name, price)
        for name, number in self._ruleset.overrides.items():
            self._override(name, number)
        for fault in faults_in_creation(self._ruleset, self._table.state.options):
            self._findings.note(fault)
        self._telling.check_snapshot(self._table)
        self._say_what_was_never_done()

    def _say_what_was_never_done(self) -> None:
        for action in actions_of(self._ruleset):
            if not self._done[action.name]:
                why = self._last_refusal.get(action.name, "nobody could be found to give it")
                self._findings.note(
                    f"The command {action.name!r} was never done; give the evening a step that does it"
                    f" (last it was refused: {why.rstrip('.')})"
                )
        for happening in event_specs_of(self._ruleset):
            if not self._telling.has_happened(happening.event):
                for event in events_to_try(happening.event, self._table.state):
                    self._telling.made_up(self._table, event)

    def _play(self, evening: Sequence[Step]) -> None:
        for number, step in enumerate(evening, 1):
            with self._telling.leaves_alone(self._table, step.command):
                table_after = self._tried(step, declined)
            if table_after is None:
                why = self._last_refusal.get(step.command, "see the other faults")
                self._findings.note(f"Step {number} of the evening, {step}, could not be done: {why.rstrip('.')}")
                self._table.commands_done += 1
            else:
                self._go_on(table_after)

    def _sample(self, name: str) -> None:
        """Try a command with many fields, and for each seat go on from the first that could be done."""
        command = self._table.book.command(name)
        for seat, role in SEATS.items():
            if role in kind_of_command(command).may:
                table_after = self._sample_from(seat, name, command)
                if table_after is not None:
                    self._go_on(table_after)

    def _sample_from(self, seat: str, name: str, command: type) -> Rehearsal | None:
        """Try a command from one seat. Return the table after the first time that it could be done."""
        state = self._table.state
        heroes = self._ruleset.heroes
        samples = sample_heroes(self._ruleset, state.options) if heroes and heroes.make == name else []
        first: Rehearsal | None = None
        with self._telling.leaves_alone(self._table, name):
            for fields in (*samples, *commands_to_try(self._table.book, command, state, state.viewer(seat))):
                step = Step(seat, name, fields)
                table_after = self._tried(step, declined)
                if table_after is None:
                    continue
                if table_after.waited:  # without an offer it would be the same again
                    self._tried(step, taken)
                first = first or table_after
        return first

    def _tried(self, step: Step, choice: Choice) -> Rehearsal | None:
        """Return the table after a step, or None if the step was refused. This table stays as it was."""
        table_after = self._table.fork()
        self._asking.check_preview(self._table, step)
        try:
            happened = table_after.act(step, choice)
            self._asking.check_question(self._table, step)
        except refusals.Refusal as refusal:
            self._asking.refused(f"The command {step.command!r}", refusal)
            if not isinstance(refusal, refusals.NotYours):
                self._last_refusal[step.command] = refusal.sentence
            return None
        except Exception as broken:  # noqa: BLE001 - whatever a command raises is reported
            self._findings.note(f"The command {step.command!r} neither happens nor is refused: {told(broken)}", step)
            return None
        if not self._done[step.command]:
            self._asking.forbidden(self._table, step)
        self._done[step.command] += 1
        self._telling.told(table_after, happened)
        self._telling.waited(table_after, step.command)
        return table_after

    def _go_on(self, table_after: Rehearsal) -> None:
        self._table = table_after
        self._telling.check_display(table_after)

    def _pay(self, name: str, price: Price) -> None:
        """Check that a rewind's price can be paid or is refused, and that the next rewind doesn't undo it."""
        try:
            for event in price.tell(self._table.state, 1):
                if kind_of_event(type(event)).nature is not Nature.LASTING:
                    self._findings.note(f"The price {name!r} is paid by an event that a rewind would take back", event)
                self._table.book.fold(self._table.state, event)
        except refusals.Refusal as refusal:
            self._asking.refused(f"The price {name!r}", refusal)
        except Exception as broken:  # noqa: BLE001 - as above
            self._findings.note(f"The price {name!r} can't be paid: {told(broken)}")

    def _override(self, name: str, number: Overridable) -> None:
        for character in self._table.state.characters.values():
            for value in number.limits:
                try:
                    number_read = number.read(number.write(character.sheet, value))
                except Exception as broken:  # noqa: BLE001 - as above
                    self._findings.note(f"The override {name!r} can't be written: {told(broken)}", value)
                    continue
                if number_read != value:
                    self._findings.note(f"The override {name!r} does not read back what it wrote", value)
