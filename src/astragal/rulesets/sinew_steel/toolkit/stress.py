"""Stress: a further track with a name and a crisis of its own: fear, corruption, frost. SS-67."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from astragal.game import GAME_MASTER_ONLY, Chapter, Character, Command, Event, Lost, Meter, Refusal, Seen
from astragal.game.display import Piece, Track
from astragal.game.fields import CharacterId, Doc, Ge, Le, Words
from astragal.game.shared import Until, new_condition
from astragal.rulesets.sinew_steel.options import Plugin, Scope
from astragal.rulesets.sinew_steel.pressure.tracks import FULL
from astragal.rulesets.sinew_steel.state import Call, Sheet, State, TrackOf, find_hero

from .toolkit import check_on

STRESS = Chapter(seen=Seen.ALL)

STRESS_METER = Meter("stress", most=lambda _: FULL, seen=Seen.ALL, loses="sheds", gains="takes")


def find_stressed(call: Call, who: str | None) -> Character[Sheet] | State:
    """Where Pressure is shared this track is the table's too; otherwise each hero has one."""
    check_on(call, Plugin.STRESS)
    if call.state.options.pressure is Scope.SHARED:
        return call.state
    if who is None:
        raise Refusal("Each hero has a track of their own here: say whose.", code="nobody")
    return find_hero(call.state, who)


@STRESS.event("stress_broke", says="{stress} breaks over {who}: {stress_crisis}")
class StressBroke(Event):
    """The further track was full. It is reset, and its crisis holds until the custodian ends it."""

    track_of: TrackOf
    who: CharacterId
    reset: int

    def fold(self, state: State) -> State:
        if self.track_of is None:
            return state.with_game(stress=self.reset)
        return state.changed(self.track_of, stress=self.reset)


@STRESS.command("raise_stress", may=GAME_MASTER_ONLY)
class RaiseStress(Command):
    """Add to the setting's further track. At 5 its own crisis comes."""

    who: Annotated[CharacterId | None, Doc("whose it is, or whom a crisis strikes where the track is shared")] = None
    rise: Annotated[int, Ge(1), Le(5), Doc("by how much")] = 1
    why: Annotated[Words, Doc("what raises it")] = ""

    def does(self, call: Call) -> list[Any]:
        """SS-67: its own crisis is the skin's to tell, and holds until the custodian ends it."""
        state, holder = call.state, find_stressed(call, self.who)
        told = STRESS_METER.gained(holder, self.rise, self.why)
        if STRESS_METER.of(holder) + self.rise < FULL:
            return told
        if self.who is None:
            raise Refusal("A crisis would come of this: say whom it strikes.", code="strikes_nobody")
        struck = find_hero(state, self.who)
        holds = new_condition(
            state,
            f"{call.fresh}-stress",
            state.terms["stress"],
            who=struck.id,
            until=Until.TOLD,
            effect=state.terms["stress_crisis"],
            numbers={Plugin.STRESS.value: 1},
        )
        track = None if holder is state else struck.id
        return [*told, StressBroke(track_of=track, who=struck.id, reset=state.options.crisis_reset), holds]


@STRESS.command("ease_stress", may=GAME_MASTER_ONLY)
class EaseStress(Command):
    """Take something off the further track."""

    who: Annotated[CharacterId | None, Doc("whose it is, where each hero has one")] = None
    fall: Annotated[int, Ge(1), Le(5), Doc("by how much")] = 1
    why: Annotated[Words, Doc("what eases it")] = ""

    def does(self, call: Call) -> list[Lost]:
        holder = find_stressed(call, self.who)
        if not STRESS_METER.of(holder):
            raise Refusal(f"{call.state.terms['stress']} is at 0 already.", code="no_change")
        return STRESS_METER.lost(holder, self.fall, self.why)


@STRESS.board
def shared_stress(state: State) -> Sequence[Piece]:
    return [Track("stress", state.game.stress, ("",) * (FULL + 1))] if state.game.stress else []
