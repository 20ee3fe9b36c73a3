"""Contract of rules, ours and strangers': checked in their source and in play.

`faults(rule)` says in sentences what a rule breaks; a rule in order has none. A ruleset's own test needs no more
than `assert not faults(rule)` for each of `rules_in(module)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, cast

from astragal.chance.chances import Chance
from astragal.chance.contract.samples import samples
from astragal.chance.contract.source import faults_in_source
from astragal.chance.dice import Dice, EnteredDice, SeededDice, Tray
from astragal.chance.errors import NoEnd, RecordMismatch
from astragal.chance.loops import LONGEST_PATH
from astragal.chance.odds import Odds
from astragal.chance.play import Settled, Waiting, play, replay
from astragal.chance.readings import odds
from astragal.chance.steps import Offer, Question, Rule, Step, Together
from astragal.chance.weigh import Policy, answered, decline

__all__ = ["faults", "faults_in_play", "faults_in_source", "rules_in", "samples"]

SEEDS = range(400)
CLOSE_LOOKS = 40
"""So many plays are read again and again; the others are only counted."""


def rules_in(module: ModuleType) -> list[Rule[..., Any]]:
    """The rules that a module defines, in its order; those it imports are another's."""
    return [it for it in vars(module).values() if isinstance(it, Rule) and it.__module__ == module.__name__]


def faults(rule: Rule[..., Any], most: int = 12, seeds: Sequence[int] = SEEDS) -> list[str]:
    """All that the rule breaks, in its source and in play with sample arguments."""
    asked = samples(rule, most)
    if all(is_refused(question) for question in asked):
        return [*faults_in_source(rule), f"{rule.name} refuses all of its samples, {asked[0]} among them"]
    return faults_in_source(rule) + [fault for question in asked for fault in faults_in_play(question, seeds)]


def faults_in_play(question: Question[Any], seeds: Sequence[int] = SEEDS) -> list[str]:
    """Faults that show when the question is played and weighed, with offers declined and then taken."""
    if is_refused(question):
        return []
    found: list[str] = []
    try:
        for policy in (decline, lambda offer: offer.options[-1]):
            plays = [cast("Settled[Any]", _played(question, SeededDice(seed), policy)) for seed in seeds]
            found += _faults_under(policy, question, seeds, plays)
            if not any(played.record.answers for played in plays):
                break  # nobody decides anything, so there is nothing to take
    except Exception as broken:  # noqa: BLE001 - whatever a stranger's rule raises is what is to be told
        found.append(f"raises {type(broken).__name__}, and did not refuse before the first die: {broken}")
    return [f"{question} {fault}" for fault in dict.fromkeys(found)]


def _faults_under(
    policy: Policy, question: Question[Any], seeds: Sequence[int], plays: Sequence[Settled[Any]]
) -> Iterator[str]:
    counted: Counter[Any] = Counter()
    weighed: Odds[Any] | None = None
    for number, (seed, played) in enumerate(zip(seeds, plays, strict=True)):
        try:
            counted[played.value] += 1
        except TypeError:
            yield f"comes to {played.value!r}, which can't be hashed, so it can't be weighed"
            return
        weighed = weighed or odds(question, policy)
        if played.value not in weighed.weights:
            yield f"came to {played.value!r}, which is not among its odds"
        if number < CLOSE_LOOKS:
            yield from _faults_on_a_close_look(policy, question, seed, played)
    if weighed is None:
        return
    if sum(weighed.weights.values()) != weighed.total or min(weighed.weights.values()) < 0:
        yield f"has weights that do not add up to their total of {weighed.total}"
    elif _is_far_from(weighed, counted):
        yield f"does not come out as often as its odds say, in {counted.total()} plays"


def _faults_on_a_close_look(policy: Policy, question: Question[Any], seed: int, played: Settled[Any]) -> Iterator[str]:
    first, second = (_asked(question, Tray(SeededDice(seed), ""), policy) for _ in range(2))
    if first != second:
        yield "asks for other things in a second run with the same dice"
    elif list(map(hash, first)) != list(map(hash, second)):
        yield "stops for steps that are equal and hash differently"
    if play(question, SeededDice(seed), played.record.answers) != played:
        yield "ends otherwise when all answers are given at once than when it waits for each"
    try:
        if replay(question, played.record) != played.value:
            yield "comes to another verdict when its record is read again"
    except RecordMismatch as mismatch:
        yield f"can't be read again from its record: {mismatch}"


def _is_far_from(weighed: Odds[Any], counted: Counter[Any]) -> bool:
    """Pearson's test, outcomes that are too rare thrown together; beyond five sigma it is no accident."""
    plays = counted.total()
    cells = [(plays * weight / weighed.total, counted[outcome]) for outcome, weight in weighed.weights.items()]
    common = [(expected, seen) for expected, seen in cells if expected >= 5]
    if len(common) < len(cells):
        rare = plays - sum(expected for expected, _ in common)
        common.append((max(rare, 1.0), plays - sum(seen for _, seen in common)))
    freedom = len(common) - 1
    if freedom < 1:
        return False
    squares = sum((seen - expected) ** 2 / expected for expected, seen in common)
    spread = 2 / (9 * freedom)  # Wilson and Hilferty: the cube root is nearly normal
    sigmas: float = ((squares / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5
    return sigmas > 5


def is_refused(question: Question[Any]) -> bool:
    """Does the rule refuse these arguments before the first die, as it may?"""
    try:
        _played(question, EnteredDice(), decline)
    except Exception as broken:  # noqa: BLE001 - what is no refusal is told by whoever plays it next
        return isinstance(broken, ValueError)
    return False


def _played(question: Question[Any], dice: Dice, policy: Policy) -> Settled[Any] | Waiting[Any]:
    """Play, wait at each offer and go on with the policy's answer, until settled or short of dice."""
    played = play(question, dice)
    while isinstance(played, Waiting) and isinstance(played.need, (Offer, Together)):
        if len(played.record.answers) >= LONGEST_PATH:
            raise NoEnd(f"{question} asks on after {LONGEST_PATH:,} answers")
        played = played.resume(dice, answered(played.need, policy))
    return played


def _asked(question: Question[Any], tray: Tray, policy: Policy) -> list[Step[Any]]:
    """Every step that the question and those inside it stop for, in order."""
    asked: list[Step[Any]] = []

    def settle(asking: Question[Any]) -> Any:
        run, value = asking.begin(), None
        while True:
            try:
                step = run.send(value)
            except StopIteration as done:
                return done.value
            asked.append(step)
            if isinstance(step, (Offer, Together)):
                value = answered(step, policy)
            else:
                value = step.throw(tray) if isinstance(step, Chance) else settle(cast("Question[Any]", step))

    settle(question)
    return asked
