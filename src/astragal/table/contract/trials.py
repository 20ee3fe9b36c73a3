"""An evening of a game under the eyes of the contract: its own steps, then every command with samples of its fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from astragal.table.authoring.declarations import Nature, kind_of_command, kind_of_event
from astragal.table.authoring.ruleset import Overridable, Price
from astragal.table.contract.asking import Asking
from astragal.table.contract.creation import faults_in_creation, sample_heroes
from astragal.table.contract.findings import Findings, told
from astragal.table.contract.manifest import actions_of, happenings_of
from astragal.table.contract.rehearsal import SEATS, Choice, Rehearsal, Step, declined, taken
from astragal.table.contract.samples import commands_to_try, events_to_try
from astragal.table.contract.telling import Telling
from astragal.table.refusals import NotYours, Refusal
from astragal.table.registry import TableOpened

ROUNDS = 3
"""What one command needs another brings about: a hero first, then what heroes do."""


class Trials:
    """Tries a ruleset at a table, and goes on with whatever can be done."""

    def __init__(self, table: Rehearsal, opened: TableOpened, findings: Findings, seeds: Sequence[int]) -> None:
        self._ruleset, self._table, self._findings = table.book.ruleset, table, findings
        self._asking = Asking(findings, seeds)
        self._telling = Telling(findings, self._table.state, opened)
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
        self._telling.thawed(self._table)
        self._say_what_was_never_done()
        for happening in happenings_of(self._ruleset):
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
                self._table.deeds += 1
            else:
                self._go_on(after)

    def _sample(self, name: str) -> None:
        """Try a command in many ways, and go on from the first of each seat's that could be done."""
        for seat, role in SEATS.items():
            if role not in kind_of_command(self._table.book.command(name)).may:
                continue
            first: Rehearsal | None = None
            with self._telling.leaves_alone(self._table, name):
                for step in self._samples(name, seat):
                    after = self._tried(step, declined)
                    if after is not None:
                        self._tried(step, taken)
                        first = first or after
            if first is not None:
                self._go_on(first)

    def _samples(self, name: str, seat: str) -> Iterator[Step]:
        state = self._table.state
        heroes = sample_heroes(self._ruleset, state.options) if self._brings_heroes(name) else []
        chosen = commands_to_try(self._table.book, self._table.book.command(name), state, state.viewer(seat))
        return (Step(seat, name, fields) for fields in (*heroes, *chosen))

    def _brings_heroes(self, name: str) -> bool:
        return self._ruleset.heroes is not None and self._ruleset.heroes.make == name

    def _tried(self, step: Step, choice: Choice) -> Rehearsal | None:
        """The table after the step, or None where it was refused; this table stays as it was."""
        after = self._table.fork()
        self._asking.peeked(self._table, step)
        try:
            happened = after.act(step, choice)
            self._asking.inquired(self._table, step)
        except Refusal as refusal:
            self._asking.refused(f"The command {step.command!r}", refusal)
            if not isinstance(refusal, NotYours):
                self._last_refusal[step.command] = refusal.sentence
            return None
        except Exception as broken:  # noqa: BLE001 - whatever a stranger's command raises is what is to be told
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
        self._telling.laid_out(after)

    def _say_what_was_never_done(self) -> None:
        for action in actions_of(self._ruleset):
            if not self._done[action.name]:
                why = self._last_refusal.get(action.name, "nobody could be found to give it")
                self._findings.note(
                    f"The command {action.name!r} was never done; give the evening a step that does it"
                    f" (last it was refused: {why.rstrip('.')})"
                )

    def _pay(self, name: str, price: Price) -> None:
        """Check that a rewind's price can be paid in any state, and is not undone by the next rewind."""
        try:
            for event in price.tell(self._table.state, 1):
                if kind_of_event(type(event)).nature is not Nature.LASTING:
                    self._findings.note(f"The price {name!r} is paid by an event that a rewind would take back", event)
                self._table.book.fold(self._table.state, event)
        except Refusal as refusal:
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
