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
        self._findings, self._seeds = findings, seeds
        self._weighed: dict[Question[Any], Odds[Any]] = {}
        self._asked: Counter[str] = Counter()

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
        self._kept(invocation, question, step)
        if question not in self._weighed and self._asked[step.command] < MOST_QUESTIONS:
            self._asked[step.command] += 1
            self._weighed[question] = odds(question)
            for fault in faults_in_play(question, self._seeds):
                self._findings.note(f"The command {step.command!r} asks what can't be: {fault}")
            self._previewed(invocation, question, step)

    def _kept(self, invocation: Invocation, question: Question[Any], step: Step) -> None:
        """Check that a waiting question can be stored in the log and read back."""
        try:
            again = invocation.book.codec.question(invocation.book.codec.asked(question))
        except RuleHasChanged as changed:
            self._note(step, f"asks a question that can't be read from a log: {changed}; the ruleset lists its rules")
            return
        if again != question:
            self._note(step, f"asks {question}, which a log gives back as {again}")

    def _previewed(self, invocation: Invocation, question: Question[Any], step: Step) -> None:
        try:
            shown = preview(_in_view(invocation))
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
        if shown is None:
            self._note(step, "rolls dice and has no preview")
        else:
            self._compared(invocation, question, step, shown)

    def _compared(self, invocation: Invocation, question: Question[Any], step: Step, shown: Preview) -> None:
        """Check that the previewed question is the one that is rolled. Hidden numbers may differ."""
        spent = getattr(invocation.command, invocation.action.spend.field) if invocation.action.spend else None
        declining = [case for case in shown.cases if case.otherwise is None]
        cases = [case for case in declining if case.spend == spent]
        if not cases:
            of = "" if spent is None else f" of a spend of {spent}"
            self._note(step, f"can be done, and its preview has no case{of}")
            return
        if invocation.action.hides(invocation.call, invocation.command) and not invocation.call.viewer.is_game_master:
            return
        if cases[0].odds != self._weighed[question].map(invocation.action.outcome):
            self._note(step, "is previewed with other odds than it is rolled with")
        rolled = {name: value for name, value in plain(question.named).items() if name in shown.arguments}
        if rolled != shown.arguments:
            self._note(step, "is previewed with other arguments than it is rolled with")

    def _note(self, step: Step, fault: str) -> None:
        self._findings.note(f"The command {step.command!r} {fault}", step)


def _in_view(invocation: Invocation) -> Invocation:
    """Return the invocation with the state redacted for its viewer."""
    return invocation._replace(
        call=replace(invocation.call, state=redact(invocation.state, invocation.call.viewer), fresh="preview")
    )


# ---------------------------------------------------------------- events

MOST_OF_A_KIND = 6
"""Most events of each kind to check."""


class EventChecks:
    """Checks that events can be stored, folded and shown to all who may see them, and the table displayed."""

    def __init__(self, findings: Findings, beginning: State, opened: registry.TableOpened) -> None:
        self._findings, self._beginning, self._opened = findings, beginning, opened
        self._happened: Counter[type] = Counter()

    def has_happened(self, kind: type) -> bool:
        return self._happened[kind] > 0

    def told(self, rehearsal: Rehearsal, happened: list[Happened]) -> None:
        """Check events that happened, in the state that they led to."""
        for one in happened:
            kind = type(one.event)
            self._happened[kind] += 1
            if self._happened[kind] <= MOST_OF_A_KIND:
                self._looked_at(rehearsal, one, "")

    def made_up(self, rehearsal: Rehearsal, event: Any) -> None:
        """Check an event that never happened, generated from its fields."""
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
        except Exception as broken:  # noqa: BLE001 - whatever a ruleset raises is reported
            self._findings.note(f"{what}: {told(broken)}", example)

    def _kept(self, rehearsal: Rehearsal, happened: Happened, about: str) -> None:
        codec = rehearsal.book.codec
        kept = codec.encode(happened, lambda: b"salt")
        if codec.decode(kept.entry, {text.digest: text for text in kept.texts}) != happened:
            self._findings.note(f"{about}is not itself again when it is read from a log", happened.event)
        if kept.texts:
            self._worded(rehearsal, codec.decode(kept.entry, None), f"{about}with its words blanked ")

    def _worded(self, rehearsal: Rehearsal, happened: Happened, about: str) -> None:
        telling = rehearsal.book.event_specs[type(happened.event)]
        for state, sight, hides in product((rehearsal.state, self._beginning), Sight, (False, True)):
            for seat in state.seats:
                shown = happened._replace(
                    sight=sight, hides=hides
                )  # open and out of sight, its difficulty known or not
                seen = seen_event(shown, state.viewer(seat), state, telling)
                if seen is None:
                    continue
                if not str(seen.words or "").strip():
                    self._findings.note(f"{about}has no words for the {seat}", happened.event)
                json.dumps(seen.fields)

    def _broken_down(self, rehearsal: Rehearsal, rolled: Rolled) -> None:
        """Check that each part of a roll's breakdown has words."""
        book, state = rehearsal.book, rehearsal.state
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
        before = repr(rehearsal.state)
        yield
        if repr(rehearsal.state) != before:
            self._findings.note(f"The command {command!r} changes the state in place; a fold makes a new one")

    def check_snapshot(self, rehearsal: Rehearsal) -> None:
        """Check that a snapshot of the table restores it."""
        history, stamp = rehearsal.book.history(self._opened), rehearsal.book.stamp
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
        ruleset, state = rehearsal.book.ruleset, rehearsal.state
        kept = {"The game's state": (ruleset.game, [state.game])}
        kept |= {"A character's sheet": (ruleset.sheet, [one.sheet for one in state.characters.values()])}
        for what, (kind, values) in kept.items():
            for value in (value for value in values if not isinstance(value, kind)):
                self._findings.note(f"{what} is a {type(value).__name__}, not a {kind.__name__}")
        for seat in state.seats:
            view = redact(rehearsal.state, rehearsal.state.viewer(seat))
            self._checked(
                f"The table as the {seat} sees it can't be shown", "", partial(json.dumps, view, default=plain)
            )
            about = f"The furniture of a character, as the {seat} sees it,"
            for character in view.characters.values():
                furnish = partial(self._pieces, rehearsal, partial(ruleset.furniture, character, view), about)
                self._checked(f"{about} can't be built", character.sheet, furnish)
            about = f"The board, as the {seat} sees it,"
            lay_out = partial(self._pieces, rehearsal, partial(ruleset.board, view), about)
            self._checked(f"{about} can't be built", "", lay_out)

    def _pieces(self, rehearsal: Rehearsal, furnish: Callable[[], Sequence[Any]], about: str) -> None:
        commands, instead = rehearsal.book.commands, dict(rehearsal.book.ruleset.at_hand.instead)
        for piece in furnish():
            if not isinstance(piece, Piece):
                self._findings.note(f"{about} has {piece!r}, which is none of the pieces there are")
            elif any(map(_holds_withheld, parts_of(piece).values())):
                self._findings.note(f"{about} shows what is hidden in {type(piece).__name__} {piece.label!r}")
            elif isinstance(piece, (Score, Pips, DiceRow)) and piece.command is not None:
                asked = [commands.get(piece.command), commands.get(instead.get(piece.command, piece.command))]
                known = {field.name for command in asked if command for field in fields_of(command)}
                if None in asked or not {name for name, _ in piece.fields} <= known:
                    self._findings.note(f"{about} asks for {piece.command!r} with fields that no command has")


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
        self._ruleset, self._table, self._findings = table.book.ruleset, table, findings
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
                after = self._tried(step, declined)
            if after is None:
                why = self._last_refusal.get(step.command, "see the other faults")
                self._findings.note(f"Step {number} of the evening, {step}, could not be done: {why.rstrip('.')}")
                self._table.commands_done += 1
            else:
                self._go_on(after)

    def _sample(self, name: str) -> None:
        """Try a command with many fields, and for each seat go on from the first that could be done."""
        book, maker = self._table.book, self._ruleset.heroes
        command = book.command(name)
        for seat in (seat for seat, role in SEATS.items() if role in kind_of_command(command).may):
            state = self._table.state
            first: Rehearsal | None = None
            heroes = sample_heroes(self._ruleset, state.options) if maker and maker.make == name else []
            with self._telling.leaves_alone(self._table, name):
                for fields in (*heroes, *commands_to_try(book, command, state, state.viewer(seat))):
                    step = Step(seat, name, fields)
                    after = self._tried(step, declined)
                    if after is not None:
                        if after.waited:  # without an offer it would be the same again
                            self._tried(step, taken)
                        first = first or after
            if first is not None:
                self._go_on(first)

    def _tried(self, step: Step, choice: Choice) -> Rehearsal | None:
        """Return the table after a step, or None if the step was refused. This table stays as it was."""
        after = self._table.fork()
        self._asking.check_preview(self._table, step)
        try:
            happened = after.act(step, choice)
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
        self._telling.told(after, happened)
        self._telling.waited(after, step.command)
        return after

    def _go_on(self, after: Rehearsal) -> None:
        self._table = after
        self._telling.check_display(after)

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
                    written = number.read(number.write(character.sheet, value))
                except Exception as broken:  # noqa: BLE001 - as above
                    self._findings.note(f"The override {name!r} can't be written: {told(broken)}", value)
                    continue
                if written != value:
                    self._findings.note(f"The override {name!r} does not read back what it wrote", value)
