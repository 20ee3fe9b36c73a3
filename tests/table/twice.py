"""Dare with one command more: a die, a decision, and then another die."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from typing_extensions import Doc

from astragal.chance import Offer, Rolls, d6, rule
from astragal.table.authoring.chapter import Action, Call, Chapter, Command
from astragal.table.declarations import GAME_MASTER_OR_OWNER, command, replace
from astragal.table.fields.definitions import CharacterId
from tests.table.dare import DARE, Dared


@command("dare_twice", may=GAME_MASTER_OR_OWNER, actor="who")
class DareTwice(Command):
    """Roll a d6, and again if you like."""

    who: Annotated[CharacterId, Doc("who dares")]


@dataclass(frozen=True)
class Leaps:
    best: int


@rule
def leap_twice() -> Rolls[Leaps]:
    """DARE-02: the better of two, or the first."""
    first = yield from d6
    if not (yield from Offer("who", "again", (False, True))):
        return Leaps(first)
    second = yield from d6
    return Leaps(max(first, second))


def _tell(_: Call, asked: DareTwice, verdict: Leaps) -> list[Dared]:
    return [Dared(who=asked.who, spent=0, made_it=verdict.best > 3)]


TWICE = replace(
    DARE,
    chapters=(*DARE.chapters, Chapter(actions=(Action(DareTwice, _tell, gather=lambda call, asked: leap_twice()),))),
    rules=(*DARE.rules, leap_twice),
)
