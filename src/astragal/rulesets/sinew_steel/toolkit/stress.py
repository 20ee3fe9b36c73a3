"""Stress: a further track with a name and a crisis of its own: fear, corruption, frost. SS-67."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from astragal.game import GAME_MASTER_ONLY, Chapter, Command, Event, Refusal, Seen, Teller
from astragal.game.display import Piece, Track
from astragal.game.fields import CharacterId, Doc, Ge, Le, Words
from astragal.game.shared import Until, new_condition
from astragal.rulesets.sinew_steel.options import Plugin, Scope
from astragal.rulesets.sinew_steel.pressure.tracks import FULL, step_after
from astragal.rulesets.sinew_steel.state import Call, State, TrackOf, find_hero
from astragal.rulesets.sinew_steel.terms import reason

from .toolkit import check_on

STRESS = Chapter(seen=Seen.ALL)


def track_and_stress(call: Call, who: str | None) -> tuple[TrackOf, int]:
    """Where Pressure is shared this track is too; otherwise each hero has one. And where it stands."""
    check_on(call, Plugin.STRESS)
    if call.state.options.pressure is Scope.SHARED:
        return None, call.state.game.stress
    if who is None:
        raise Refusal("Each hero has a track of their own here: say whose.", code="nobody")
    hero = find_hero(call.state, who)
    return hero.id, hero.sheet.stress


def with_stress(state: State, track: TrackOf, now: int) -> State:
    return state.with_game(stress=now) if track is None else state.changed(track, stress=now)


@STRESS.event("stress_moved")
class StressMoved(Event):
    """The further track rose or fell."""

    track_of: TrackOf
    before: int
    after: int
    why: Words

    def says(self, teller: Teller) -> str:
        whose = "" if self.track_of is None else f"{teller.name(self.track_of)}’s "
        goes = "rises" if self.after > self.before else "falls"
        return f"{whose}{teller.term('stress')} {goes} from {self.before} to {self.after}{reason(self.why)}"

    def fold(self, state: State) -> State:
        return with_stress(state, self.track_of, self.after)


@STRESS.event("stress_broke", says="{stress} breaks over {who}: {stress_crisis}")
class StressBroke(Event):
    """The further track was full. It is reset, and its crisis holds until the custodian ends it."""

    track_of: TrackOf
    who: CharacterId
    reset: int

    def fold(self, state: State) -> State:
        return with_stress(state, self.track_of, self.reset)


@STRESS.command("raise_stress", may=GAME_MASTER_ONLY)
class RaiseStress(Command):
    """Add to the setting's further track. At 5 its own crisis comes."""

    who: Annotated[CharacterId | None, Doc("whose it is, or whom a crisis strikes where the track is shared")] = None
    rise: Annotated[int, Ge(1), Le(5), Doc("by how much")] = 1
    why: Annotated[Words, Doc("what raises it")] = ""

    def does(self, call: Call) -> list[Any]:
        """SS-67: its own crisis is the skin's to tell, and holds until the custodian ends it."""
        state, (track, before) = call.state, track_and_stress(call, self.who)
        moved = StressMoved(track_of=track, before=before, after=step_after(before, self.rise), why=self.why)
        if moved.after < FULL:
            return [moved]
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
        return [moved, StressBroke(track_of=track, who=struck.id, reset=state.options.crisis_reset), holds]


@STRESS.command("ease_stress", may=GAME_MASTER_ONLY)
class EaseStress(Command):
    """Take something off the further track."""

    who: Annotated[CharacterId | None, Doc("whose it is, where each hero has one")] = None
    fall: Annotated[int, Ge(1), Le(5), Doc("by how much")] = 1
    why: Annotated[Words, Doc("what eases it")] = ""

    def does(self, call: Call) -> list[StressMoved]:
        track, before = track_and_stress(call, self.who)
        if not before:
            raise Refusal(f"{call.state.terms['stress']} is at 0 already.", code="no_change")
        return [StressMoved(track_of=track, before=before, after=max(0, before - self.fall), why=self.why)]


@STRESS.board
def shared_stress(state: State) -> Sequence[Piece]:
    return [Track("stress", state.game.stress, ("",) * (FULL + 1))] if state.game.stress else []
