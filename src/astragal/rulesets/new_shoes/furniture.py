"""A character's sheet as pieces that every surface can lay out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from astragal.table.furniture import DiceRow, Piece, Pips, Tags
from astragal.table.state import Character

from .sheet import Attribute, Sheet
from .words import status_words

XP_SHOWN = 10
DIE = 6


def furniture(who: Character[Sheet]) -> Sequence[Piece]:
    """Attributes as the dice that are left of them, then what is true of somebody, then what they have learned."""
    sheet = who.sheet
    return [*_attributes(who), *_statuses(sheet), *_states(sheet), *_lessons(sheet)]


def _attributes(who: Character[Sheet]) -> list[DiceRow]:
    """NS-01, NS-10: a die for each point, which harm takes away. Whoever wants to roll them describes how."""
    points = [(attribute, who.sheet.points(attribute)) for attribute in Attribute]
    asks: Any = {"command": "describe", "fields": (("who", who.id),)} if not who.sheet.knocked_out else {}
    return [
        DiceRow(attribute.value, one.now, DIE, one.full, "dice to roll", **asks)
        for attribute, one in points
        if one is not None
    ]


def _statuses(sheet: Sheet) -> list[Tags]:
    return [Tags("statuses", tuple(status_words(status) for status in sheet.statuses))] if sheet.statuses else []


def _states(sheet: Sheet) -> list[Tags]:
    return [Tags("state", ("stays down",) if sheet.kept_down else ("knocked out",))] if sheet.knocked_out else []


def _lessons(sheet: Sheet) -> list[Pips]:
    return [Pips("XP", sheet.xp, max(sheet.xp, XP_SHOWN))] if sheet.xp else []
