"""What waits at the table: decisions with the odds of each answer, words and rolls that somebody is asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from astragal.chance import Odds
from astragal.chance.pictures import rows, words
from astragal.chance.verdicts import in_words
from astragal.surfaces.web.forms.choices import in_words as named
from astragal.surfaces.web.session import Sitting
from astragal.surfaces.web.story.dice import DieShown, shown_die
from astragal.surfaces.web.table.sheet import asking
from astragal.table.authoring.declarations import kind_of_command
from astragal.table.authoring.display import Proposal
from astragal.table.commands.consent import who_may_agree
from astragal.table.commands.handlers import seat_of
from astragal.table.fields.definitions import fields_of
from astragal.table.pending import Choice, OpenDecision, prospects
from astragal.table.refusals import Refusal
from astragal.table.state.requests import Request
from astragal.table.state.table import Die

MOST_ODDS = 3
CERTAIN = "for certain"
MOST_BUTTONS = 8
"""More answers than these are chosen from a list."""


@dataclass(frozen=True)
class Chance:
    words: str
    percent: str


@dataclass(frozen=True)
class Answer:
    """One answer: what is sent, what it says, what it means, and how it goes on from there."""

    value: str
    words: str
    means: str = ""
    later: str = ""
    odds: tuple[Chance, ...] = ()
    declines: bool = False


@dataclass(frozen=True)
class Deciding:
    """A decision that waits, for whoever may take it with its answers."""

    act: str
    what: str
    about: str
    who: str
    own: bool
    dice: tuple[DieShown, ...]
    answers: tuple[Answer, ...]
    others: tuple[Answer, ...]
    sides: tuple[int, ...]
    """Of dice that are to be thrown by hand."""

    @property
    def is_open(self) -> bool:
        return bool(self.answers or self.sides)


@dataclass(frozen=True)
class Asked:
    """Somebody is asked for words, for a roll, or for what the game waits for."""

    id: str
    who: str
    words: str
    own: bool
    asks: str = ""
    command: str = ""
    against: str = ""


@dataclass(frozen=True)
class Waits:
    """All that waits, what is this seat's own first."""

    decisions: tuple[Deciding, ...]
    prompts: tuple[Asked, ...]
    requests: tuple[Asked, ...]
    proposals: tuple[Asked, ...] = ()
    consents: tuple[Asked, ...] = ()

    @property
    def mine(self) -> int:
        own = sum(one.own for one in (*self.prompts, *self.requests, *self.proposals, *self.consents))
        return own + sum(one.own and one.is_open for one in self.decisions)

    @property
    def is_empty(self) -> bool:
        return not (self.decisions or self.prompts or self.requests or self.proposals or self.consents)


def waits_of(sitting: Sitting) -> Waits:
    decisions = sorted(_decisions(sitting), key=lambda one: not one.own)
    prompts = sorted(_prompts(sitting), key=lambda one: not one.own)
    requests = sorted(_requests(sitting), key=lambda one: not one.own)
    proposals = sorted(_proposals(sitting), key=lambda one: not one.own)
    consents = sorted(_consents(sitting), key=lambda one: not one.own)
    return Waits(tuple(decisions), tuple(prompts), tuple(requests), tuple(proposals), tuple(consents))


# ---------------------------------------------------------------- decisions


def _decisions(sitting: Sitting) -> Iterator[Deciding]:
    state = sitting.state
    if not state.decisions:
        return
    for waits in sitting.decisions:
        decision = state.decisions.get(waits.act)
        if decision is None:
            continue
        own = sitting.seat in (seat_of(state, decision.sides[side]) for side in decision.awaited)
        answers = list(_answers(sitting, waits))
        notable = [one for one in answers if one.means or one.declines]
        shown = answers if len(answers) <= MOST_BUTTONS else notable or answers[:MOST_BUTTONS]
        yield Deciding(
            waits.act,
            named(waits.command),
            named(sitting.teller.term(waits.name)) if waits.name else "",
            " and ".join(waits.who),
            own,
            _fallen(decision.dice),
            tuple(shown),
            tuple(one for one in answers if one not in shown),
            waits.dice,
        )


def _fallen(dice: tuple[Die, ...]) -> tuple[DieShown, ...]:
    return tuple(shown_die(die.sides, die.face, die.fate) for die in dice)


def _answers(sitting: Sitting, waits: OpenDecision) -> Iterator[Answer]:
    found = prospects(sitting.book, sitting.state, sitting.viewer, waits)
    for number, (choice, odds) in enumerate(zip(waits.choices, found, strict=True)):
        means, _, later = choice.words.partition(". ")
        yield Answer(
            value=json.dumps(choice.answer),
            words=choice.label or _answer_words(choice),
            means=means,
            later=later,
            odds=_chances(odds) if odds else (),
            declines=number == 0,
        )


def _answer_words(choice: Choice) -> str:
    answer = choice.answer
    if isinstance(answer, bool):
        return "Yes" if answer else "No"
    if isinstance(answer, (list, tuple)):
        return ", ".join(words(one) for one in answer) or "Nothing"
    if isinstance(answer, dict):
        return ", ".join(f"{name.replace('_', ' ')} {words(value)}" for name, value in answer.items())
    return "Nothing" if answer is None else named(words(answer))


def _chances(odds: Odds[Any]) -> tuple[Chance, ...]:
    likeliest = sorted(rows(in_words(odds)), key=lambda row: -row.chance)
    if likeliest[0].chance == 1:
        return (Chance(likeliest[0].words, CERTAIN),)
    return tuple(Chance(row.words, row.percent) for row in likeliest[:MOST_ODDS])


# ---------------------------------------------------------------- words and rolls


def _prompts(sitting: Sitting) -> Iterator[Asked]:
    state = sitting.state
    for prompt in state.prompts.values():
        if prompt.is_open:
            own = seat_of(state, prompt.to) == sitting.seat
            yield Asked(prompt.id, sitting.teller.name(prompt.to), prompt.words, own)


def _requests(sitting: Sitting) -> Iterator[Asked]:
    state = sitting.state
    for request in state.requests.values():
        against = "" if request.hidden or request.difficulty is None else str(request.difficulty)
        yield Asked(
            request.id,
            sitting.teller.name(request.who),
            request.what_for,
            seat_of(state, request.who) == sitting.seat,
            _form_of(sitting, request),
            named(request.command),
            "hidden" if request.hidden else against,
        )


def _form_of(sitting: Sitting, request: Request) -> str:
    """The form of the roll that is asked for, filled in as far as it was."""
    kind = sitting.book.commands.get(request.command)
    if kind is None:
        return ""
    known = {field.name: field.names for field in fields_of(kind)}
    named_by = next((name for name, names in known.items() if names == "request"), None)
    actor = kind_of_command(kind).actor or "who"
    filled = {actor: request.who, **request.fields, **({named_by: request.id} if named_by else {})}
    return asking(request.command, ((name, value) for name, value in filled.items() if name in known))


# ---------------------------------------------------------------- what a program proposes


def _consents(sitting: Sitting) -> Iterator[Asked]:
    for consent in sitting.state.consents.values():
        command = sitting.book.command(consent.command)
        own = sitting.seat in who_may_agree(sitting.state, consent, command)
        yield Asked(consent.id, sitting.teller.name(consent.by), consent.words, own)


# ---------------------------------------------------------------- what the game waits for


def proposals_of(sitting: Sitting) -> list[Proposal]:
    """What the game proposes, as this seat sees the table."""
    if sitting.ruleset.proposals is None:
        return []
    try:
        return list(sitting.ruleset.proposals(sitting.state, sitting.teller))
    except Refusal:  # it depends on what this seat may not know
        return []


def _proposals(sitting: Sitting) -> Iterator[Asked]:
    """Those that wait for somebody's player."""
    for one in proposals_of(sitting):
        if one.who is not None:
            own = seat_of(sitting.state, one.who) == sitting.seat
            yield Asked(
                id="",
                who=sitting.teller.name(one.who),
                words=one.about,
                own=own,
                asks=asking(one.command, one.fields),
                command=named(one.label),
            )
