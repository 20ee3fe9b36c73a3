"""What happened, what waits and what would be: in lines for people, and as plain values for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from astragal.chance.pictures import rows
from astragal.chance.verdicts import in_words
from astragal.surfaces.cli.output.command_help import value_words
from astragal.surfaces.cli.output.odds_bars import draw
from astragal.surfaces.cli.output.terminal import Paper
from astragal.table.pending import BROUGHT_LATER

if TYPE_CHECKING:
    from astragal.chance import Odds
    from astragal.surfaces.cli.play.offers import Asking
    from astragal.table.log.repository import Outcome
    from astragal.table.preview import Case, Preview
    from astragal.table.visibility.events import SeenEvent


def in_json(value: Any) -> str:
    """One line of JSON."""
    return msgspec.json.encode(value).decode()


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


def asking_lines(asking: Asking) -> Iterator[str]:
    """A decision as a question: who decides what, and each answer that is worth showing."""
    whose = "" if asking.own else f" (for {asking.who})"
    what = asking.command.replace("_", " ")
    if asking.dice:
        dice = " ".join(f"d{sides}" for sides in asking.dice)
        yield f"{asking.who}, throw {dice} for {what}, and enter the faces in order{whose}."
        yield f"  {BROUGHT_LATER}"
        return
    yield f"{asking.who} decides ({what}): {asking.name}{whose}"
    if not any(answer.told or answer.odds for answer in asking.answers):
        yield f"  one of {', '.join(value_words(answer.value) for answer in asking.answers)}"
        return
    for answer in asking.notable:
        odds = f"  [{odds_words(answer.odds)}]" if answer.odds else ""
        yield f"  {value_words(answer.value):>6}  {answer.told or ''}".rstrip() + odds
    if len(asking.notable) < len(asking.answers):
        others = ", ".join(value_words(answer.value) for answer in asking.answers)
        yield f"  every legal answer: {others}"


def odds_words(found: Odds[Any], most: int = 4) -> str:
    """The likeliest outcomes in a line."""
    likeliest = sorted(rows(in_words(found)), key=lambda row: -row.chance)
    shown = ", ".join(f"{row.words} {row.percent}" for row in likeliest[:most])
    return shown + (", …" if len(likeliest) > most else "")


def plain_asking(asking: Asking) -> dict[str, Any]:
    return {
        "act": asking.act,
        "who": asking.who,
        "name": asking.name,
        "command": asking.command,
        "own": asking.own,
        "dice": list(asking.dice),
        "answers": [
            {"answer": answer.value, "told": answer.told, "odds": plain_odds(answer.odds) if answer.odds else None}
            for answer in asking.answers
        ],
    }


def plain_odds(found: Odds[Any]) -> list[dict[str, Any]]:
    return [
        {"outcome": row.words, "exactly": str(row.chance), "percent": round(float(row.chance) * 100, 6)}
        for row in rows(in_words(found))
    ]


# ---------------------------------------------------------------- what would be


def write_preview(paper: Paper, preview: Preview) -> None:
    given = ", ".join(f"{name} {value_words(value)}" for name, value in preview.arguments.items())
    paper.write(f"{preview.rule.replace('_', ' ')}: {given}", "bold")
    if len(preview.cases) == 1 and preview.cases[0].hidden is None:
        draw(paper, in_words(preview.cases[0].odds))
        return
    for case in preview.cases:
        paper.write(f"  {_case_words(case)}: {odds_words(case.odds)}")


def _case_words(case: Case) -> str:
    parts = [f"spend {case.spend}"] if case.spend is not None else []
    parts += [f"{name} {value}" for name, value in (case.hidden or {}).items()]
    parts += [case.policy] if case.policy else []
    return ", ".join(parts) or "as it falls"


def plain_preview(preview: Preview) -> dict[str, Any]:
    return {
        "question": preview.question,
        "rule": preview.rule,
        "arguments": preview.arguments,
        "cases": [
            {"spend": one.spend, "hidden": one.hidden, "policy": one.policy, "odds": plain_odds(one.odds)}
            for one in preview.cases
        ],
    }
