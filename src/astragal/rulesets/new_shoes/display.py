"""Display: sheets, the board, reminders, the game master's tools, and the breakdown of a roll."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from astragal.chance import Question
from astragal.game import Character, Teller
from astragal.game.display import Choices, DiceRow, Piece, Pips, Proposal, Tags, Tools

from .rules import Reached, opposed_approach, target_words
from .state import Attribute, Explode, Sheet, State, signed

XP_SHOWN = 10
DIE = 6

TOOLS = (
    Tools("call for a roll", ("call_approach", "call_opposed", "call_healing", "prompt_reaction")),
    Tools("bring in", ("make_npc",)),
    Tools("statuses", ("attach_status", "change_status", "end_status")),
    Tools("knocked out", ("wake", "keep_down")),
)


def furniture(who: Character[Sheet]) -> Sequence[Piece]:
    """A sheet: a die for each point left (NS-01, NS-10), statuses, XP. A click on the dice describes an approach."""
    sheet, pieces = who.sheet, list[Piece]()
    asks: Any = {} if sheet.knocked_out else {"command": "describe", "fields": (("who", who.id),)}
    for attribute in Attribute:
        if points := sheet.points(attribute):
            pieces.append(DiceRow(attribute.value, points.now, DIE, points.full, "dice to roll", **asks))
    if sheet.statuses:
        pieces.append(Tags("statuses", tuple(status.words for status in sheet.statuses)))
    if sheet.knocked_out:
        pieces.append(Tags("state", ("stays down",) if sheet.kept_down else ("knocked out",)))
    if sheet.xp:
        pieces.append(Pips("XP", sheet.xp, max(sheet.xp, XP_SHOWN)))
    return pieces


def board(state: State) -> Sequence[Piece]:
    """The statuses of the scene, and the approaches under way."""
    pieces, rows = list[Piece](), []
    if state.game.statuses:
        pieces.append(Tags("The scene", tuple(status.words for status in state.game.statuses)))
    for one in state.game.approaches.values():
        who = state.characters.get(one.who)
        rolls = f" ({one.called.attribute.called(state.terms)})" if one.called else ""
        rows.append((who.name if who else "", f"{one.words or 'has to react'}{rolls}"))
    return [*pieces, Choices("Under way", tuple(rows))] if rows else pieces


def proposals(state: State, teller: Teller) -> Iterator[Proposal]:
    """NS-02: described approaches wait for their call. NS-08: a reaction waits for its player's words."""
    for one in state.game.approaches.values():
        fields = (("who", one.who), ("approach", one.id))
        if not one.words and one.threat is not None:
            by = f"{teller.name(one.threat.by)}: " if one.threat.by else ""
            yield Proposal(f"{by}{one.threat.words}", "react", "describe", fields, who=one.who)
        elif one.words and one.called is None:
            yield Proposal(f"{teller.name(one.who)}: {one.words}", "call for the roll", "call_approach", fields)


# ---------------------------------------------------------------- reminders


def approaches_due(state: State, teller: Teller) -> Iterator[str]:
    """NS-02, NS-08: described, then called, then rolled."""
    for one in state.game.approaches.values():
        name = teller.name(one.who)
        if not one.words:
            yield f"{name} has yet to say how they react (describe)."
        elif one.called is None:
            yield f"{name} is about to act ({one.words}): name the attribute and the target (call_approach)."
        elif one.called.request is not None:
            yield f"{name} has yet to roll (roll_approach)."


def lessons_due(state: State, teller: Teller) -> Iterator[str]:
    """NS+01: what a roll has taught is named, or passes."""
    for one in state.characters.values():
        cost = one.sheet.lesson
        if cost is not None and cost <= one.sheet.xp:
            yield f"{teller.name(one.id)} can learn from the last roll, for {cost} XP (learn)."


def waking_due(state: State, teller: Teller) -> Iterator[str]:
    """NS-12: for the scene, unless the game master says otherwise."""
    for one in state.characters.values():
        if one.sheet.knocked_out and not one.sheet.kept_down:
            yield f"{teller.name(one.id)} is out, and wakes with the next scene unless you say otherwise (keep_down)."


DUE = (approaches_due, lessons_due, waking_due)

# ---------------------------------------------------------------- how a roll was calculated


def breakdown(question: Question[Reached], _: Teller) -> Iterator[tuple[str, str]]:
    """NS-03, NS-04, NS-06: the dice, what is added to them, and what they are against.

    NS-17: how far the difference can matter is a number for the odds, and is not said.
    """
    given = question.named
    yield "Dice", f"{given['dice']}d6"
    if given["statuses"]:
        yield "Statuses and support", signed(given["statuses"])
    if question.rule is opposed_approach:
        yield "The opponent’s dice", f"{given['opposing']}d6"
        if given["opposing_statuses"]:
            yield "The opponent’s statuses and support", signed(given["opposing_statuses"])
    else:
        yield "Target", target_words(given["target"])
    if given["explode"] is Explode.ONCE:
        yield "Sixes", "rolled again once"
