"""Events, pending decisions and previews, as lines for people and plain values for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from astragal.chance.odds import in_words
from astragal.chance.pictures import Row, rows
from astragal.surfaces.cli.output.terminal import Paper, in_json
from astragal.surfaces.shared.odds import (
    ANY_SUCCESS,
    case_words,
    exact,
    exact_reach,
    exact_rung,
    exact_span,
    reach,
    reach_words,
    summary,
)
from astragal.surfaces.shared.words import value_words
from astragal.table.pending import BROUGHT_LATER
from astragal.table.preview import against_words, chance_words, span_words

if TYPE_CHECKING:
    from fractions import Fraction

    from astragal.chance import Odds
    from astragal.surfaces.shared.pending import Asking
    from astragal.table.log.repository import Outcome
    from astragal.table.preview import Preview
    from astragal.table.visibility.events import SeenEvent


# ---------------------------------------------------------------- what happened


def write_event(paper: Paper, event: SeenEvent, *, dated: bool = False) -> None:
    at = datetime.fromtimestamp(event.at / 1000).astimezone().strftime("%Y-%m-%d %H:%M  ") if dated else ""
    undone = "(undone) " if event.abandoned else ""
    style = "dim" if event.abandoned or event.closed else ""
    for number, line in enumerate(event.words.splitlines() or [""]):
        paper.write(f"{at if not number else ' ' * len(at)}{undone if not number else ''}{line}", style)
    for opened in event.opened:
        write_event(paper, opened, dated=dated)


def write_outcome(paper: Paper, outcome: Outcome) -> None:
    for event in outcome.events:
        write_event(paper, event)


def outcome_json(outcome: Outcome, asked: Iterable[Asking] = ()) -> str:
    return in_json({**msgspec.to_builtins(outcome), "offers": [plain_asking(asking) for asking in asked]})


# ---------------------------------------------------------------- what waits


def asking_lines(asking: Asking, *, named: bool = False) -> Iterator[str]:
    """A decision as a question: who decides what, and each answer that is worth showing; named where several wait."""
    whose = ("" if asking.own else f" (for {asking.who})") + (f' (answer "{asking.label}" …)' if named else "")
    what = asking.command.replace("_", " ")
    if asking.dice:
        dice = " ".join(f"d{sides}" for sides in asking.dice)
        yield f"{asking.who}, throw {dice} for {what}, and enter the faces in order{whose}."
        yield f"  {BROUGHT_LATER}"
        return
    yield f"{asking.who} decides ({what}): {asking.name}{whose}"
    if not any(answer.means or answer.odds for answer in asking.answers):
        yield f"  one of {', '.join(value_words(answer.value) for answer in asking.answers)}"
        return
    for answer in asking.notable:
        odds = f"  [{odds_words(answer.odds, answer.success)}]" if answer.odds else ""
        value = value_words(answer.value)
        said = answer.means or ("" if answer.words in (value, value.strip("()")) else answer.words)
        yield f"  {value:>6}  {said}".rstrip() + odds
    if len(asking.notable) < len(asking.answers):
        others = ", ".join(value_words(answer.value) for answer in asking.answers)
        yield f"  every legal answer: {others}"


def odds_words(found: Odds[Any], success: Fraction | None, most: int = 4) -> str:
    """The chance of success and the likeliest outcomes in a line."""
    shown = ", ".join(f"{row.words} {row.percent}" for row in summary(found, success, most))
    return shown + (", …" if len(found.weights) > most else "")


def plain_asking(asking: Asking) -> dict[str, Any]:
    return {
        "act": asking.act,
        "who": asking.who,
        "name": asking.name,
        "command": asking.command,
        "own": asking.own,
        "dice": list(asking.dice),
        "answers": [
            {
                "answer": answer.value,
                "told": answer.means,
                "success": _fraction(answer.success),
                "odds": plain_odds(answer.odds) if answer.odds else None,
            }
            for answer in asking.answers
        ],
    }


def plain_odds(found: Odds[Any]) -> list[dict[str, Any]]:
    return exact(rows(in_words(found)))


def _fraction(chance: Fraction | None) -> str | None:
    return None if chance is None else str(chance)


# ---------------------------------------------------------------- what would be


def write_preview(paper: Paper, preview: Preview, wanted: Fraction | None = None) -> None:
    """Success first; then every outcome, or where there are several cases, a line for each; then the price of the
    chance that is wanted.
    """
    _write_cases(paper, preview)
    if len(preview.after) > 1:
        by_points = ", ".join(f"{rung.points} {chance_words(rung.chance, 1)}" for rung in preview.after)
        paper.write(f"  by {preview.points} spent after the roll: {by_points}")
    if wanted is not None:
        paper.write(reach_words(preview, reach(preview, wanted)), "bold")


def _write_cases(paper: Paper, preview: Preview) -> None:
    given = ", ".join(f"{name} {value_words(value)}" for name, value in preview.arguments.items())
    paper.write(f"{preview.rule.replace('_', ' ')}: {given}", "bold")
    if len(preview.cases) == 1:
        (case,) = preview.cases
        if case.span is not None:
            paper.write(span_words(case.span), "bold")
            paper.write(f"{against_words(case.span).capitalize()}:")
        if case.success is not None and len(case.odds.weights) > 2:
            paper.write(f"{ANY_SUCCESS}: {Row(ANY_SUCCESS, case.success).percent}", "bold")
        paper.draw(in_words(case.odds))
        return
    for case in preview.cases:
        shown = odds_words(case.odds, case.success) if case.span is None else span_words(case.span)
        paper.write(f"  {case_words(case)}: {shown}")


def plain_preview(preview: Preview, wanted: Fraction | None = None) -> dict[str, Any]:
    priced = {} if wanted is None else {"reach": exact_reach(preview, reach(preview, wanted))}
    return {
        "question": preview.question,
        "rule": preview.rule,
        "arguments": preview.arguments,
        "cases": [
            {
                "spend": one.spend,
                "bid": one.bid,
                "span": exact_span(one.span) if one.span else None,
                "policy": one.policy,
                "variant": one.variant,
                "is_idle": one.is_idle,
                "success": _fraction(one.success),
                "odds": plain_odds(one.odds),
            }
            for one in preview.cases
        ],
        "points": preview.points,
        "after": [exact_rung(one) for one in preview.after],
        **priced,
    }
