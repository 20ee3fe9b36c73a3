"""An order of sides, rolled once a fight where a table wants one. SS-43, SS+05."""

from __future__ import annotations

from dataclasses import replace

from astragal.chance import Question
from astragal.table.chapters.calendar import EncounterEnded
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction

from . import words_toolkit as words
from .asked_toolkit import RollSides
from .game import Table
from .happened_toolkit import SidesForgotten, SidesRolled
from .options import Companion
from .order import SideOrder, side_order


def _ask(call: Call, _: RollSides) -> Question[SideOrder]:
    state: Table = call.state
    if not state.options.plays(Companion.SIDE_ORDER):
        raise Refusal("This table plays without an order of sides.", code="not_played")
    if state.calendar.encounter is None:
        raise Refusal("No encounter has begun.", code="not_begun")
    if state.game.first_side is not None:
        raise Refusal(f"The {state.game.first_side} act first; that was rolled.", code="rolled")
    return side_order()


def _tell(_: Call, __: RollSides, order: SideOrder) -> list[SidesRolled]:
    return [SidesRolled(heroes=order.heroes, foes=order.foes, first=order.first)]


def _note(state: Table, rolled: SidesRolled) -> Table:
    return replace(state, game=replace(state.game, first_side=rolled.first.value))


def _over(state: Table, _: EncounterEnded) -> list[SidesForgotten]:
    return [SidesForgotten()] if state.game.first_side is not None else []


def _forget(state: Table, _: SidesForgotten) -> Table:
    return replace(state, game=replace(state.game, first_side=None))


TURNS = Chapter(
    actions=(Action(RollSides, _tell, gather=_ask, outcome=lambda order: order.first),),
    happenings=(
        Happening(SidesRolled, words.sides_rolled, _note),
        Happening(SidesForgotten, words.sides_forgotten, _forget),
    ),
    reactions=(Reaction(EncounterEnded, _over),),
)
