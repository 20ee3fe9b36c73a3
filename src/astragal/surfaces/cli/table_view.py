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
    first, *following = event.words.splitlines() or [""]
    yield f"{at}{undone}{first}", style
    for line in following:
        yield " " * len(at) + line, style
    for opened in event.opened:
        yield from event_lines(opened, dated=dated)


# ---------------------------------------------------------------- a decision


def asking_lines(asking: pending.Asking, *, named: bool = False) -> Iterator[str]:
    """Format a decision as a question: who decides what, and the notable answers.

    `named` adds the decision's label to what has to be typed, for when several decisions wait.
    """
    for_whom = "" if asking.own else f" (for {asking.who})"
    if named:
        for_whom += f' (answer "{asking.label}" …)'
    if asking.dice:
        dice = " ".join(f"d{sides}" for sides in asking.dice)
        yield f"{asking.who}, throw {dice} for {_words(asking.command)}, and enter the faces in order{for_whom}."
        yield f"  {DICE_ORDER}"
        return
    yield f"{asking.who} decides ({_words(asking.command)}): {asking.name}{for_whom}"
    legal = ", ".join(typed(asking, answer) for answer in asking.answers)
    if not any(answer.means or answer.odds for answer in asking.answers):
        yield f"  one of {legal}"
        return
    for answer in asking.notable:
        line = f"  {typed(asking, answer):>6}  {_meaning(answer)}".rstrip()
        yield f"{line}  [{odds_words(answer.odds, answer.hoped)}]" if answer.odds else line
    if len(asking.notable) < len(asking.answers):
        yield f"  every legal answer: {legal}"


def _meaning(answer: pending.Answer) -> str:
    """Return what an answer means, else its words if they say more than its value."""
    value = words.value_words(answer.value)
    if answer.means or answer.words in (value, value.strip("()")):
        return answer.means
    return answer.words


def typed(asking: pending.Asking, answer: pending.Answer) -> str:
    """Format an answer as it is typed. Numbers get their sign if some answers are below 0."""
    numbers = [legal.value for legal in asking.answers if type(legal.value) is int]
    if type(answer.value) is int and answer.value > 0 > min(numbers, default=0):
        return f"+{answer.value}"
    return words.value_words(answer.value)


def odds_words(odds: Odds[Any], hoped: Hoped, most: int = 4) -> str:
    """Format the chance of success and the likeliest outcomes in a line."""
    listed = ", ".join(f"{row.words} {row.percent}" for row in summary(odds, hoped, most))
    return f"{listed}, …" if len(odds.weights) > most else listed


def plain_asking(asking: pending.Asking) -> dict[str, Any]:
    """Return a decision as plain values."""
    return {
        "act": asking.act,
        "who": asking.who,
        "name": asking.name,
        "command": asking.command,
        "own": asking.own,
        "dice": list(asking.dice),
        "answers": [_plain_answer(answer) for answer in asking.answers],
    }


def _plain_answer(answer: pending.Answer) -> dict[str, Any]:
    return {
        "answer": answer.value,
        "told": answer.means,
        "success": None if answer.success is None else str(answer.success),
        "odds": plain_odds(answer.odds) if answer.odds else None,
    }


def plain_odds(odds: Odds[Any]) -> list[dict[str, Any]]:
    """Return odds as plain values, with exact fractions."""
    return exact(rows(in_words(odds)))


# ---------------------------------------------------------------- previews


def write_preview(
    paper: Output, view: SeatView, preview: Preview | None, wanted_chance: Fraction | None = None
) -> None:
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
            chances = odds_words(case.odds, case.hoped) if case.span is None else span_words(case.span)
            paper.write(f"  {case_words(case)}: {chances}")
    if preview.risks:
        paper.write(f"  a failure costs {preview.risks}")
    if len(preview.after) > 1:
        by_points = ", ".join(f"{rung.points} {chance_words(rung.chance, 1)}" for rung in preview.after)
        paper.write(f"  by {preview.points} spent after the roll: {by_points}")
    if wanted_chance is not None:
        paper.write(reach_words(preview, reach(preview, wanted_chance)), "bold")


def plain_preview(preview: Preview, wanted_chance: Fraction | None = None) -> dict[str, Any]:
    return exact_preview(preview, wanted_chance, lambda odds: {"odds": plain_odds(odds)})


# ---------------------------------------------------------------- the whole table


INDENTED = 78


def lines_on(view: SeatView) -> Iterator[str]:
    """Render the whole table for people."""
    state = view.state
    skin = f", {state.skin}" if state.skin else ""
    yield f"{state.name} ({view.ruleset.name}{skin})"
    yield f"table {state.id}"
    yield from sheets.story_lines(view)
    yield from sheets.board_lines(view, INDENTED)
    yield ""
    for seat in state.seats.values():
        program = ", a program" if seat.ai else ""
        stand_in = f", {view.teller.name(seat.stand_in)} decides meanwhile" if seat.stand_in else ""
        yield f"{seat.name}: {seat.role.value}{program}{stand_in}"
    for character in state.characters.values():
        yield ""
        yield from character_lines(view, character)
    waiting = [*asked_lines(view), *decision_lines(view)]
    if waiting:
        yield ""
        yield from waiting
    reminders = due(view.ruleset, state) if view.is_game_master else ()
    if reminders:
        yield ""
        for reminder in reminders:
            yield f"due: {reminder}"


def character_lines(view: SeatView, character: Character[object]) -> Iterator[str]:
    """Format a character: who plays it, and the sheet as this seat sees it."""
    yield f"{character.name} ({sheets.player_of(view, character)})"
    for line in sheets.sheet_lines(view, character, INDENTED):
        yield f"  {line}"


# ---------------------------------------------------------------- decisions and requests


def decision_lines(view: SeatView) -> Iterator[str]:
    """List the pending decisions, with their answers if this seat may give one."""
    decisions = pending.decisions_of(view)
    are_several = sum(asking.is_open for asking in decisions) > 1
    for asking in decisions:
        if asking.is_open:
            yield from asking_lines(asking, named=are_several)
        else:
            yield f"{asking.who} decides: {_words(asking.command)}"


def asked_lines(view: SeatView, *, own: bool = False) -> Iterator[str]:
    """List open requests for words, rolls and consent, and what to type; all, or only those to this seat (`own`)."""
    prompts = list(pending.prompts_of(view))
    for prompt in prompts:
        if prompt.own or not own:
            yield _prompt_line(prompt, prompts)
    requests = list(pending.requests_of(view))
    for request in requests:
        if request.own or not own:
            yield _request_line(request, requests)
    consents = list(pending.consents_of(view))
    for consent in consents:
        if consent.own or not own:
            yield _consent_line(consent, consents)
    for proposal in view.proposals:
        is_own = proposal.who is not None and seat_of(view.state, proposal.who) == view.seat
        if is_own or (proposal.who and not own and not view.is_game_master):  # who has a reminder of it
            yield f"{view.teller.name(proposal.who)}: {proposal.about} ({proposal.command} …)"


def _prompt_line(prompt: pending.Asked, prompts: list[pending.Asked]) -> str:
    hint = "answer …" if _is_only(prompts) else f'answer_prompt "{prompt.name}" …'
    return f"{prompt.who} is asked: {prompt.words}{_hint(hint, prompt)}"


def _request_line(request: pending.Asked, requests: list[pending.Asked]) -> str:
    same_command = [candidate for candidate in requests if candidate.command == request.command]
    hint = request.command if _is_only(same_command) else f'{request.command} "{request.name}"'
    against = ""
    if request.against == "hidden":
        against = "against a hidden difficulty"
    elif request.against.lstrip("-").isdigit():
        against = f"against {request.against}"
    parts = (_words(request.command), request.details, against)
    roll = ", ".join(part for part in parts if part)
    return f"{request.who} is asked to {roll}: {request.name}{_hint(hint, request)}"


def _consent_line(consent: pending.Asked, consents: list[pending.Asked]) -> str:
    proposal = f"{consent.who} proposes: {consent.words}"
    if not consent.own:
        return f"{proposal} ({consent.decides} says yes or no)"
    name = "" if _is_only(consents) else f' "{consent.name}"'
    hint = f"agree{name}, or decline{name}"
    for field, label in consent.labels.items():
        hint += f", or agree{name} --changes {field if ' ' in label else label}=…"
    return f"{proposal} ({hint})"


def _hint(typed: str, request: pending.Asked) -> str:
    """Say what this seat can type, if it is the one that is asked."""
    return f" ({typed})" if request.own else ""


def _is_only(requests: list[pending.Asked]) -> bool:
    """Return whether this seat can only mean one of them, so that it need not be named."""
    return sum(request.own for request in requests) <= 1


def _words(command: str) -> str:
    return command.replace("_", " ")
