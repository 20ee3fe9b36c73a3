"""Order of sides: which acts first, rolled once a fight where a table wants that. SS-43, SS+05."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from astragal.chance import Rolls, d20, rerolled, rule
from astragal.game import GAME_MASTER_ONLY, Chapter, Command, Doing, Event, Refusal, Seen
from astragal.game.display import RollCard
from astragal.game.shared import EncounterEnded
from astragal.rulesets.sinew_steel.options import Companion
from astragal.rulesets.sinew_steel.state import Call, State

TURNS = Chapter(seen=Seen.ALL)


class FightingSide(Enum):
    HEROES = "heroes"
    FOES = "foes"


class SideOrder(NamedTuple):
    heroes: int
    foes: int

    @property
    def first(self) -> FightingSide:
        return FightingSide.HEROES if self.heroes == max(self) else FightingSide.FOES


@rule
def side_order() -> Rolls[SideOrder]:
    """SS+05: one d20 each, higher first; the second die is thrown again while it shows the same."""
    heroes = yield from d20
    foes = yield from rerolled(d20, (heroes,))
    return SideOrder(heroes, foes)


@TURNS.event("sides_rolled", says="heroes {heroes}, foes {foes}: the {first} act first")
class SidesRolled(Event):
    """It was rolled which side acts first."""

    heroes: int
    foes: int
    first: FightingSide

    def fold(self, state: State) -> State:
        return state.with_game(first_side=self.first.value)


@TURNS.event("sides_forgotten", says="the order of sides is over")
class SidesForgotten(Event):
    """The encounter is over, and its order with it."""

    def fold(self, state: State) -> State:
        return state.with_game(first_side=None)


@TURNS.command(
    "roll_sides",
    may=GAME_MASTER_ONLY,
    outcome=lambda order: order.first,
    card=RollCard(title="The {first} act first", short="Who acts first?"),
)
class RollSides(Command):
    """Roll a d20 for each side: the higher acts first in this encounter. Only where a table wants an order."""

    def does(self, call: Call) -> Doing[SideOrder]:
        state = call.state
        if not state.options.plays(Companion.SIDE_ORDER):
            raise Refusal("This table plays without an order of sides.", code="not_played")
        if state.calendar.encounter is None:
            raise Refusal("No encounter has begun.", code="not_begun")
        if state.game.first_side is not None:
            raise Refusal(f"The {state.game.first_side} act first; that was rolled.", code="rolled")
        order = yield side_order()
        return [SidesRolled(heroes=order.heroes, foes=order.foes, first=order.first)]


@TURNS.after(EncounterEnded)
def the_fight_is_over(state: State, _: EncounterEnded) -> list[SidesForgotten]:
    return [SidesForgotten()] if state.game.first_side is not None else []
