"""Display: sheets, the game master's tools, and the breakdown of a roll."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from astragal.chance import Question
from astragal.game import Character, Teller
from astragal.game.display import AtHand, DiceRow, Piece, Pips, Tags

from .rules import Reached, opposed_approach, target_words
from .state import Attribute, Explode, Sheet, signed

XP_SHOWN = 10
DIE = 6

EVERYDAY: Mapping[str, str] = {
    "make_hero": "new hero, character, player character, pc, create",
    "make_npc": "npc, monster, enemy, foe, new enemy, villain, bring in",
    "describe": "act, do, try, say what you do, approach, react",
    "drop_approach": "cancel, never mind, stop",
    "support": "help, assist, aid",
    "withdraw_support": "stop helping, cancel help",
    "call_approach": "difficulty, target, set dc, ask for a roll",
    "call_opposed": "versus, contest, against, duel",
    "call_healing": "heal, cure, medicine, first aid, treat",
    "prompt_reaction": "attack, hurt, threaten, damage, hit, danger",
    "roll_approach": "roll, test, check, throw",
    "attach_status": "status, condition, effect, hurt, wound, buff, debuff",
    "change_status": "status, better, worse, condition",
    "end_status": "remove status, cure, condition, gone",
    "keep_down": "knocked out, unconscious, stay down",
    "wake": "wake up, revive, recover, conscious",
    "learn": "xp, experience, speciality, level up, skill",
}
"""What people type when they look for a command."""

AT_HAND = AtHand(
    heroes=("call_approach.who", "prompt_reaction", "describe", "roll_approach", "support"),
    others=("prompt_reaction.by", "attach_status", "wake"),
    instead=(("describe", "call_approach"),),
)


def furniture(who: Character[Sheet]) -> Sequence[Piece]:
    """A sheet: a die for each point left (NS-01, NS-10), statuses, XP. A click on the dice describes an approach.

    The game master's calls for one at once, of this attribute (NS-02).
    """
    sheet, pieces = who.sheet, list[Piece]()
    for attribute in Attribute:
        if points := sheet.points(attribute):
            filled = (("who", who.id), ("attribute", attribute.value))
            asks: Any = {} if sheet.knocked_out else {"command": "describe", "fields": filled}
            pieces.append(DiceRow(attribute.value, points.now, DIE, points.full, "dice to roll", **asks))
    if sheet.statuses:
        pieces.append(Tags("statuses", tuple(status.words for status in sheet.statuses)))
    if sheet.knocked_out:
        pieces.append(Tags("state", ("stays down",) if sheet.kept_down else ("knocked out",)))
    if sheet.xp:
        pieces.append(Pips("XP", sheet.xp, max(sheet.xp, XP_SHOWN)))
    if sheet.about:
        pieces.append(Tags("about", (sheet.about,)))
    return pieces


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
