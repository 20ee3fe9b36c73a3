"""What is said of a build: each reason why it can't be, with what would settle it, and what a repair changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from .accounts import STAMINA, Accounts, Line, MissingScore, NegativeBudget, OffTheRails, Short, UnknownScore
from .building import GearCount, NoAdvantage, Step, Unfinished
from .repairs import Repair

Labels = Mapping[str, str]
"""What the skin calls each score, by key."""


def reason_words(reason: Unfinished, labels: Labels) -> str:
    """SS-14: one reason, and what would settle it."""
    match reason:
        case MissingScore(key, baseline):
            return f"{_name(key, labels)} has no score: it starts at {baseline}."
        case UnknownScore(key, _):
            return f"There is no score {key!r} here: leave it out."
        case OffTheRails():
            return _rail_words(reason, labels)
        case Short():
            return _short_words(reason)
        case NegativeBudget(budget):
            return f"A budget of {budget} can't be: the least is 0."
        case GearCount(items, least, most):
            return f"{items} items of gear: write down {least} to {most}."
        case NoAdvantage():
            return "One small advantage is still to be named."
    assert_never(reason)


def repair_words(repair: Repair, labels: Labels) -> str:
    """SS-14: what a repair changed: "Might 16 → 11"."""
    return ", ".join(f"{_name(change.key, labels)} {change.before} → {change.after}" for change in repair.changes)


def nearest_words(repairs: Sequence[Repair], labels: Labels) -> list[str]:
    """SS-14: the nearest builds that would be legal."""
    return [f"near it and legal: {repair_words(repair, labels)}" for repair in repairs if repair.changes]


def accounts_words(books: Accounts, labels: Labels) -> list[str]:
    """SS-12: the ledger: what each score costs or gives, and how it comes out."""
    lines = [f"{_name(line.key, labels)} {line.score}{_entry(line)}" for line in books.lines]
    left = f"{books.points_left} of {books.budget} build points left"
    return [*lines, f"cost {books.cost}, credit {books.credit}; {left}"]


def _entry(line: Line) -> str:
    if line.cost:
        return f": costs {line.cost}"
    return f": gives {line.credit}" if line.credit else ""


def step_words(step: Step) -> str:
    """SS-15: a step that is still to be taken."""
    return f"still open: {step.value}"


def _rail_words(reason: OffTheRails, labels: Labels) -> str:
    name, change = _name(reason.key, labels), reason.settled_by
    if change > 0:
        return f"{name} {reason.score} is below {reason.least}: raise it by {change}."
    return f"{name} {reason.score} is above {reason.most}: lower it by {-change}."


def _short_words(reason: Short) -> str:
    ways = [f"take {reason.fewer_above} off what is above baseline"]
    if reason.more_below is not None:
        ways.append(f"give up {reason.more_below} below baseline")
    ways.append(f"ask for a budget of {reason.budget}")
    *first, last = ways
    return f"The build is short by {reason.points}: {', '.join(first)}, or {last}."


def _name(key: str, labels: Labels) -> str:
    return labels.get(key, "Stamina" if key == STAMINA else key)
