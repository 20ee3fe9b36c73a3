"""Preview of a command: its exact odds before it is given, calculated from what the asker may know."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar, get_type_hints

import msgspec

from astragal.chance import EnteredDice, Odds, Policy, Question, decline, odds, play
from astragal.table.authoring.chapter import Action
from astragal.table.commands.execute import Deed
from astragal.table.fields.definitions import Usual
from astragal.table.fields.shapes import NumberShape, UnknownShape, said, shape_of, unwrapped
from astragal.table.fields.values import replace
from astragal.table.refusals import DependsOnHidden, Refusal
from astragal.table.state.table import Asked
from astragal.table.visibility.redact import WITHHELD, plain
from astragal.values import frozen

T = TypeVar("T")

REMEMBERED = 1024
"""Odds of what questions come to; under a hidden difficulty one preview has dozens."""


@frozen
class Case:
    """The odds for one spend and, where something is hidden, for one value that it could have."""

    odds: Odds[Hashable]
    spend: int | None = None
    hidden: Mapping[str, int] | None = None
    policy: str | None = None
    """How offers were answered; none is declining them all."""
    success: Fraction | None = None
    """The chance of what whoever acts hopes for, where the game says what that is."""
    variant: str | None = None
    """What would be different from what is rolled: “without the rope +2”."""
    is_idle: bool = False
    """Does the last point of the spend bring nothing?"""

    @property
    def otherwise(self) -> str | None:
        """What sets the case apart from what is rolled if all offers are declined."""
        return self.variant or self.policy


@frozen
class Preview:
    """The question that would be rolled, and the exact odds of each outcome.

    `question` is what a command can state it was shown. `cases` has one case for each legal spend; under a hidden
    difficulty one for each value it could have; where nothing is hidden, one for each variant that the game names.
    """

    question: str
    rule: str
    arguments: Mapping[str, Any]
    cases: tuple[Case, ...]
    ahead: tuple[Fraction, ...] = ()
    """Chances of success by what may be spent after the roll, from nothing on; empty where that changes nothing."""


def preview(deed: Deed, ahead: int = 0) -> Preview | None:
    """The preview of a deed in the asker's view; None where nothing is rolled. It can look so many points ahead."""
    question = deed.question()
    if question is None:
        return None
    shown = {name: value for name, value in question.named.items() if value is not WITHHELD}
    cases = tuple(_cases(deed))
    return Preview(
        fingerprint(deed, question), question.rule.name, plain(shown), cases, _ahead(deed.action, question, ahead)
    )


def _ahead(action: Action[Any, Any], question: Question[Any], most: int) -> tuple[Fraction, ...]:
    """The chance with each further point, up to the last that raises it."""
    if action.up_to is None or not most or any(value is WITHHELD for value in question.named.values()):
        return ()
    policies = [decline, *(action.up_to(points) for points in range(1, most + 1))]
    found = [success(_weighed(question, policy, action.outcome), action) for policy in policies]
    chances = [one for one in found if one is not None]
    while len(chances) > 1 and chances[-1] == chances[-2]:
        chances.pop()
    return tuple(chances) if len(chances) > 1 else ()


def fingerprint(deed: Deed, question: Question[Any]) -> str:
    """Names the question as the asker sees it."""
    known = ("hidden" if value is WITHHELD else plain(value) for value in question.arguments)
    asked = Asked(rule=question.rule.name, arguments=tuple(known))
    return hashlib.sha256(deed.action.name.encode() + b"\0" + msgspec.json.encode(asked)).hexdigest()[:16]


def _cases(deed: Deed) -> Iterator[Case]:
    spend = deed.action.spend
    if spend is None:
        yield from _by_difficulty(deed, None)
        yield from _variants(deed)
        return
    before: int | None = None
    for points in spend.legal(deed.call, deed.command):
        spending = deed._replace(command=replace(deed.command, **{spend.field: points}))
        try:
            worth = spend.worth(spending.call, spending.command) if spend.worth else None
            for case in _by_difficulty(spending, points):
                yield replace(case, is_idle=worth is not None and worth == before)
        except DependsOnHidden:
            raise
        except Refusal:
            continue
        before = worth


def _variants(deed: Deed) -> Iterator[Case]:
    """A case for each other question that the game names. One that depends on something hidden has none."""
    for words, question in deed.action.variants(deed.call, deed.command):
        if not any(value is WITHHELD for value in question.named.values()):
            found = _weighed(question, decline, deed.action.outcome)
            yield Case(found, success=success(found, deed.action), variant=words)


def _by_difficulty(deed: Deed, spend: int | None) -> Iterator[Case]:
    """A case for each way to answer offers and, where a single number is hidden, for each value it could have."""
    question = deed.question()
    if question is None:
        return
    policies: list[tuple[str | None, Policy]] = [(None, decline), *deed.action.policies.items()]
    for hidden, asked in _as_it_could_be(question):
        for name, policy in policies:
            found = _weighed(asked, policy, deed.action.outcome)
            yield Case(found, spend, hidden, name, success(found, deed.action))


def success(found: Odds[Any], action: Action[Any, Any]) -> Fraction | None:
    """The chance of the outcomes that whoever acts hopes for; None where the game does not say what they are."""
    return None if action.hopes is None else found.chance(action.hopes)


@lru_cache(REMEMBERED)
def _weighed(question: Question[Any], policy: Policy, outcome: Callable[[Any], Hashable]) -> Odds[Hashable]:
    """Remembered: whoever is about to act looks more than once, and so do those who sit beside."""
    return odds(question, policy).map(outcome)


def _as_it_could_be(question: Question[T]) -> Iterator[tuple[Mapping[str, int] | None, Question[T]]]:
    """The question; under a hidden number every question that it could be, as far as its rule takes them."""
    hidden = [name for name, value in question.named.items() if value is WITHHELD]
    if not hidden:
        yield None, question
        return
    if len(hidden) > 1:
        raise DependsOnHidden("More than one number is hidden, so the odds can't be calculated.")
    for value in _could_be(question, hidden[0]):
        guessed = question.rule(**{**question.named, hidden[0]: value})
        if _is_taken(guessed):
            yield {hidden[0]: value}, guessed


def _is_taken(question: Question[Any]) -> bool:
    """Does the rule take these arguments? One that does not says so before its first die."""
    try:
        play(question, EnteredDice())
    except ValueError:
        return False
    return True


def _could_be(question: Question[Any], name: str) -> range:
    """The values that are usual, or else all that the rule's own limits allow."""
    with suppress(UnknownShape):
        hint = get_type_hints(question.rule.body, include_extras=True)[name]
        for usual in (mark for mark in unwrapped(hint)[1] if isinstance(mark, Usual)):
            return range(usual.least, usual.most + 1)
        shape = said(shape_of(hint))
        if isinstance(shape, NumberShape) and shape.least is not None and shape.most is not None:
            return range(shape.least, shape.most + 1)
    raise DependsOnHidden("That depends on something you can't know.")
