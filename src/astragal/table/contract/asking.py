"""Checks of a command's question: the same when gathered, previewed, played and replayed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from astragal.chance import Odds, Question, odds
from astragal.chance.contract import faults_in_play
from astragal.table.authoring.declarations import kind_of_command
from astragal.table.commands.execute import Deed
from astragal.table.contract.findings import Findings, told
from astragal.table.contract.rehearsal import SEATS, Rehearsal, Step, declined
from astragal.table.fields.values import replace
from astragal.table.log.codec import RuleHasChanged
from astragal.table.preview import Preview, preview
from astragal.table.refusals import DependsOnHidden, NotAllowed, Refusal
from astragal.table.visibility.redact import glimpse, plain

CODE = re.compile(r"[a-z][a-z0-9_]*")

MOST_QUESTIONS = 4
"""So many different questions of each command are weighed; odds can take their time."""


class Asking:
    """Looks into what commands ask."""

    def __init__(self, findings: Findings, seeds: Sequence[int]) -> None:
        self._findings, self._seeds = findings, seeds
        self._weighed: dict[Question[Any], Odds[Any]] = {}
        self._asked: Counter[str] = Counter()

    def refused(self, about: str, refusal: Refusal) -> None:
        """A refusal has a code for programs and a sentence for players."""
        sentence = refusal.sentence
        if refusal.code == Refusal.code or not CODE.fullmatch(refusal.code):
            self._findings.note(f"{about} is refused without a code of its own ({refusal.code!r}: “{sentence}”)")
        if not sentence.strip() or not sentence.endswith((".", "?", "!")):
            self._findings.note(f"{about} is refused with “{sentence}”, which is no sentence with a full stop")

    def forbidden(self, rehearsal: Rehearsal, step: Step) -> None:
        """Check that a role without rights to a command is refused, whatever else holds."""
        may = kind_of_command(rehearsal.book.command(step.command)).may
        for seat, role in SEATS.items():
            if role not in may and not _is_forbidden(rehearsal.fork(), replace(step, seat=seat)):
                self._note(step, f"can be given by a {role.value}, who may not give it")

    def peeked(self, rehearsal: Rehearsal, step: Step) -> None:
        """A preview may be refused; it never fails."""
        try:
            deed = rehearsal.deed(step)
            if deed is not None and deed.action.gather is not None:
                _in_view(deed).question()
        except Refusal:
            return
        except Exception as broken:  # noqa: BLE001 - whatever a stranger's command raises is what is to be told
            self._note(step, f"can't be previewed: gathered from the asker's view it raises {told(broken)}")

    def inquired(self, rehearsal: Rehearsal, step: Step) -> None:
        """A command that can be done: its question, from all sides."""
        deed = rehearsal.deed(step)
        question = deed.question() if deed else None
        if deed is None or question is None:
            return
        if question != deed.question():
            self._note(step, "gathers another question the second time")
        self._kept(deed, question, step)
        if question not in self._weighed and self._asked[step.command] < MOST_QUESTIONS:
            self._asked[step.command] += 1
            self._weighed[question] = odds(question)
            for fault in faults_in_play(question, self._seeds):
                self._findings.note(f"The command {step.command!r} asks what can't be: {fault}")
            self._previewed(deed, question, step)

    def _kept(self, deed: Deed, question: Question[Any], step: Step) -> None:
        """A waiting question is kept in the log and read again."""
        try:
            again = deed.book.codec.question(deed.book.codec.asked(question))
        except RuleHasChanged as changed:
            self._note(step, f"asks a question that can't be read from a log: {changed}; the ruleset lists its rules")
            return
        if again != question:
            self._note(step, f"asks {question}, which a log gives back as {again}")

    def _previewed(self, deed: Deed, question: Question[Any], step: Step) -> None:
        try:
            shown = preview(_in_view(deed))
        except DependsOnHidden:
            if deed.call.viewer.is_game_master:
                self._note(step, "is hidden from the game master's own preview")
            return
        except Refusal as refusal:
            self._note(step, f"can be done, and its preview is refused: {refusal.sentence}")
            return
        except Exception as broken:  # noqa: BLE001 - as above
            self._note(step, f"can't be previewed: {told(broken)}")
            return
        if shown is None:
            self._note(step, "rolls dice and has no preview")
        else:
            self._compared(deed, question, step, shown)

    def _compared(self, deed: Deed, question: Question[Any], step: Step, shown: Preview) -> None:
        """Check that the previewed question is the one that is rolled; hidden numbers may differ."""
        spent = getattr(deed.command, deed.action.spend.field) if deed.action.spend else None
        declining = [case for case in shown.cases if case.otherwise is None]
        cases = [case for case in declining if case.spend == spent]
        if not cases:
            of = "" if spent is None else f" of a spend of {spent}"
            self._note(step, f"can be done, and its preview has no case{of}")
            return
        if deed.action.hides(deed.call, deed.command) and not deed.call.viewer.is_game_master:
            return
        if cases[0].odds != self._weighed[question].map(deed.action.outcome):
            self._note(step, "is previewed with other odds than it is rolled with")
        rolled = {name: value for name, value in plain(question.named).items() if name in shown.arguments}
        if rolled != shown.arguments:
            self._note(step, "is previewed with other arguments than it is rolled with")

    def _note(self, step: Step, fault: str) -> None:
        self._findings.note(f"The command {step.command!r} {fault}", step)


def _in_view(deed: Deed) -> Deed:
    """The deed as the asker sees it."""
    return deed._replace(call=replace(deed.call, state=glimpse(deed.state, deed.call.viewer), fresh="preview"))


def _is_forbidden(rehearsal: Rehearsal, step: Step) -> bool:
    try:
        rehearsal.act(step, declined)
    except NotAllowed:
        return True
    except Refusal:
        return False
    return False
