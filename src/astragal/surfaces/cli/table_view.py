"""Render a table as one seat sees it: events, pending decisions, previews, and the whole table with its people, its
story, open requests and reminders. People get lines, programs get plain values.

Each request to the seat shows what to type. The same words work in `astragal do` and at the prompt.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from astragal.chance.odds import in_words
from astragal.chance.pictures import Row, rows
from astragal.surfaces.cli.terminal import Output
from astragal.surfaces.shared import explained, pending, sheets, words
from astragal.surfaces.shared.odds import (
    ANY_SUCCESS,
    case_words,
    exact,
    exact_preview,
    reach,
    reach_words,
    summary,
)
from astragal.table.commands.handlers import seat_of
from astragal.table.pending import DICE_ORDER
from astragal.table.preview import against_words, chance_words, span_words
from astragal.table.reminders import due

if TYPE_CHECKING:
    from fractions import Fraction

    from astragal.chance import Odds
    from astragal.surfaces.shared.context import SeatView
    from astragal.table.preview import Hoped, Preview
    from astragal.table.state.table import Character
    from astragal.table.visibility.events import SeenEvent

# ---------------------------------------------------------------- events


def event_lines(event: SeenEvent, *, dated: bool = False) -> Iterator[tuple[str, str]]:
    """Format an event in words, each line with its style."""
    at = datetime.fromtimestamp(event.at / 1000).astimezone().strftime("%Y-%m-%d %H:%M  ") if dated else ""
    undone = "(undone) " if event.abandoned else ""
    style = "dim" if event.abandoned or event.closed else ""
    for number, line in enumerate(event.words.splitlines() or [""]):
        yield f"{at if not number else ' ' * len(at)}{undone if not number else ''}{line}", style
    for opened in event.opened:
        yield from event_lines(opened, dated=dated)


# ---------------------------------------------------------------- a decision


def asking_lines(asking: pending.Asking, *, named: bool = False) -> Iterator[str]:
    """Format a decision as a question: who decides what, and the notable answers.

    `named` adds the decision's label to what has to be typed, for when several decisions wait.
    """
    whose = ("" if asking.own else f" (for {asking.who})") + (f' (answer "{asking.label}" …)' if named else "")
    what = asking.command.replace("_", " ")
    if asking.dice:
        dice = " ".join(f"d{sides}" for sides in asking.dice)
        yield f"{asking.who}, throw {dice} for {what}, and enter the faces in order{whose}."
        yield f"  {DICE_ORDER}"
        return
    yield f"{asking.who} decides ({what}): {asking.name}{whose}"
    if not any(answer.means or answer.odds for answer in asking.answers):
        yield f"  one of {', '.join(typed(asking, answer) for answer in asking.answers)}"
        return
    for answer in asking.notable:
        odds = f"  [{odds_words(answer.odds, answer.hoped)}]" if answer.odds else ""
        value = words.value_words(answer.value)
        said = answer.means or ("" if answer.words in (value, value.strip("()")) else answer.words)
        yield f"  {typed(asking, answer):>6}  {said}".rstrip() + odds
    if len(asking.notable) < len(asking.answers):
        others = ", ".join(typed(asking, answer) for answer in asking.answers)
        yield f"  every legal answer: {others}"


def typed(asking: pending.Asking, answer: pending.Answer) -> str:
    """Format an answer as it is typed. Numbers get their sign if some answers are below 0."""
    numbers = [one.value for one in asking.answers if type(one.value) is int]
    is_signed = type(answer.value) is int and answer.value > 0 > min(numbers, default=0)
    return f"+{answer.value}" if is_signed else words.value_words(answer.value)


def odds_words(found: Odds[Any], hoped: Hoped, most: int = 4) -> str:
    """Format the chance of success and the likeliest outcomes in a line."""
    shown = ", ".join(f"{row.words} {row.percent}" for row in summary(found, hoped, most))
    return shown + (", …" if len(found.weights) > most else "")


def plain_asking(asking: pending.Asking) -> dict[str, Any]:
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
                "success": None if answer.success is None else str(answer.success),
                "odds": plain_odds(answer.odds) if answer.odds else None,
            }
            for answer in asking.answers
        ],
    }


def plain_odds(found: Odds[Any]) -> list[dict[str, Any]]:
    return exact(rows(in_words(found)))


# ---------------------------------------------------------------- previews


def write_preview(paper: Output, view: SeatView, preview: Preview | None, wanted: Fraction | None = None) -> None:
    """Write a preview: the numbers of the roll, unless one is hidden; the chance of success; every outcome, or a line
    for each case if there are several; then the price of the wanted chance.
    """
    if preview is None:
        paper.write("Nothing is rolled for that.")
        return
    paper.write(_words(preview.rule), "bold")
    for name, value in explained.parts_of(view.book, view.teller, preview):
        paper.write(f"  {name}: {value}")
    if len(preview.cases) == 1:
        (case,) = preview.cases
        if case.span is not None:
            paper.write(span_words(case.span), "bold")
            paper.write(f"{against_words(case.span).capitalize()}:")
        if case.success is not None and len(case.odds.weights) > 2:
            paper.write(f"{ANY_SUCCESS}: {Row(ANY_SUCCESS, case.success).percent}", "bold")
        paper.draw(in_words(case.odds))
    else:
        for case in preview.cases:
            shown = odds_words(case.odds, case.hoped) if case.span is None else span_words(case.span)
            paper.write(f"  {case_words(case)}: {shown}")
    if preview.risks:
        paper.write(f"  a failure costs {preview.risks}")
    if len(preview.after) > 1:
        by_points = ", ".join(f"{rung.points} {chance_words(rung.chance, 1)}" for rung in preview.after)
        paper.write(f"  by {preview.points} spent after the roll: {by_points}")
    if wanted is not None:
        paper.write(reach_words(preview, reach(preview, wanted)), "bold")


def plain_preview(preview: Preview, wanted: Fraction | None = None) -> dict[str, Any]:
    return exact_preview(preview, wanted, lambda odds: {"odds": plain_odds(odds)})


# ---------------------------------------------------------------- the whole table


INDENTED = 78


def lines_on(view: SeatView) -> Iterator[str]:
    """Render the whole table for people."""
    state = view.state
    yield f"{state.name} ({view.ruleset.name}{f', {state.skin}' if state.skin else ''})"
    yield f"table {state.id}"
    yield from sheets.story_lines(view)
    yield from sheets.board_lines(view, INDENTED)
    yield ""
    for seat in state.seats.values():
        stand_in = f", {view.teller.name(seat.stand_in)} decides meanwhile" if seat.stand_in else ""
        yield f"{seat.name}: {seat.role.value}{', a program' if seat.ai else ''}{stand_in}"
    for character in state.characters.values():
        yield ""
        yield from character_lines(view, character)
    if waiting := [*asked_lines(view), *decision_lines(view)]:
        yield ""
        yield from waiting
    if view.is_game_master and (reminders := due(view.ruleset, state)):
        yield ""
        yield from (f"due: {line}" for line in reminders)


def character_lines(view: SeatView, character: Character[object]) -> Iterator[str]:
    yield f"{character.name} ({sheets.player_of(view, character)})"
    yield from (f"  {line}" for line in sheets.sheet_lines(view, character, INDENTED))


# ---------------------------------------------------------------- decisions and requests


def decision_lines(view: SeatView) -> Iterator[str]:
    """List the pending decisions, with their answers if this seat may give one."""
    decisions = pending.decisions_of(view)
    are_several = sum(one.is_open for one in decisions) > 1
    for one in decisions:
        yield from (
            asking_lines(one, named=are_several) if one.is_open else [f"{one.who} decides: {_words(one.command)}"]
        )


def asked_lines(view: SeatView, *, own: bool = False) -> Iterator[str]:
    """List open requests for words, rolls and consent, and what to type; all, or only those to this seat (`own`)."""
    prompts, requests, consents = (
        list(find(view)) for find in (pending.prompts_of, pending.requests_of, pending.consents_of)
    )
    for one in prompts:
        hint = _hint("answer …" if _is_only(prompts) else f'answer_prompt "{one.name}" …', one)
        yield from [f"{one.who} is asked: {one.words}{hint}"] if one.own or not own else ()
    for one in requests:
        alone = _is_only([other for other in requests if other.command == one.command])
        hint = _hint(one.command if alone else f'{one.command} "{one.name}"', one)
        against = f"against {one.against}" if one.against.lstrip("-").isdigit() else ""
        hidden = "against a hidden difficulty" if one.against == "hidden" else ""
        told = ", ".join(part for part in (_words(one.command), one.details, against, hidden) if part)
        yield from [f"{one.who} is asked to {told}: {one.name}{hint}"] if one.own or not own else ()
    for one in consents:
        said = "" if _is_only(consents) else f' "{one.name}"'
        typed_as = (name if " " in label else label for name, label in one.labels.items())
        other = "".join(f", or agree{said} --changes {name}=…" for name in typed_as)
        hint = f" (agree{said}, or decline{said}{other})" if one.own else f" ({one.decides} says yes or no)"
        yield from [f"{one.who} proposes: {one.words}{hint}"] if one.own or not own else ()
    for proposal in view.proposals:
        is_own = proposal.who is not None and seat_of(view.state, proposal.who) == view.seat
        if is_own or (proposal.who and not own and not view.is_game_master):  # who has a reminder of it
            yield f"{view.teller.name(proposal.who)}: {proposal.about} ({proposal.command} …)"


def _hint(typed: str, one: pending.Asked) -> str:
    return f" ({typed})" if one.own else ""


def _is_only(asked: list[pending.Asked]) -> bool:
    """Return whether this seat can only mean one of them, so that it need not be named."""
    return sum(one.own for one in asked) <= 1


def _words(command: str) -> str:
    return command.replace("_", " ")
