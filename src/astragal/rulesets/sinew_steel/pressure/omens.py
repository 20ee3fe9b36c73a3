"""Omens: the moves that Pressure allows on its way, proposed to the custodian and applied when taken. SS-52, SS-53."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Any

from astragal.game import GAME_MASTER_ONLY, Chapter, Command, Event, Refusal, Seen, Teller, Viewer
from astragal.game.display import Proposal
from astragal.game.fields import CharacterId, Doc, Words
from astragal.game.rolls import HINDRANCE
from astragal.game.shared import PromptAnswered, Until, new_condition, new_prompt
from astragal.rulesets.sinew_steel.options import Toll
from astragal.rulesets.sinew_steel.state import Call, State, TrackOf, find_hero

from .crises import PressureRose
from .tracks import COSTLY, FULL, STATES, step, steps_for, track_name, tracks, with_surcharge

OMENS = Chapter(seen=Seen.ALL)

SIDE_EFFECT = "side_effect"
"""By this kind the game knows the prompt for a side effect again."""
HOSTILITY = "everyone is on edge"


class PressureMove(Enum):
    """SS-52: the moves, each from its step on."""

    DISADVANTAGE = "disadvantage"
    SIDE_EFFECT = "side effect"
    SURCHARGE = "surcharge"
    HOSTILITY = "hostility"

    @property
    def least_step(self) -> int:
        return {PressureMove.DISADVANTAGE: 2, PressureMove.SIDE_EFFECT: 3}.get(self, COSTLY)


def moves_at(step: int, toll: Toll) -> tuple[PressureMove, ...]:
    """SS-53: what is proposed at a step. A surcharge that comes by itself need not be."""
    is_automatic = toll is Toll.AUTOMATIC
    return tuple(
        move
        for move in PressureMove
        if move.least_step <= step and not (is_automatic and move is PressureMove.SURCHARGE)
    )


# ---------------------------------------------------------------- proposed


@OMENS.event("moves_proposed", seen=Seen.GAME_MASTER)
class MovesProposed(Event):
    """What the custodian may now do with Pressure."""

    track_of: TrackOf
    step: int
    moves: tuple[PressureMove, ...]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master

    def says(self, teller: Teller) -> str:
        moves = ", ".join(move.value for move in self.moves)
        return f"{track_name(self.track_of, teller)} at {self.step} ({STATES[self.step]}): you may take {moves}"


@OMENS.after(PressureRose)
def propose_moves(state: State, rose: PressureRose) -> list[MovesProposed]:
    """SS-53: the moves of the present step; nothing is applied unasked."""
    moves = moves_at(rose.after, state.options.step4_surcharge)
    if not moves or rose.after == FULL:
        return []
    return [MovesProposed(track_of=rose.track_of, step=rose.after, moves=moves)]


@OMENS.proposes
def moves_at_hand(state: State, teller: Teller) -> Iterator[Proposal]:
    """SS-53: proposed, and the custodian's to take."""
    for track in tracks(state):
        whose = "" if track is None else f"{teller.name(track)}: "
        at = step(state, track)
        for move in moves_at(at, state.options.step4_surcharge):
            fields = (("move", move.value), ("who", track))
            yield Proposal(f"{whose}{teller.term('pressure')} at {at}", move.value, "pressure_move", fields)


@OMENS.due
def moves_due(state: State, teller: Teller) -> Iterator[str]:
    """SS-52, SS-53: the moves of the present step, which are the custodian's to take."""
    for track in tracks(state):
        at = step(state, track)
        if moves := moves_at(at, state.options.step4_surcharge):
            brink = " One more brings the crisis." if at == COSTLY else ""
            stands = f"{track_name(track, teller)} stands at {at} ({STATES[at]})"
            yield f"{stands}: you may take {', '.join(one.value for one in moves)} (pressure_move).{brink}"


# ---------------------------------------------------------------- taken


@OMENS.event("surcharge_set")
class SurchargeSet(Event):
    """Decisions to spend cost 1 more while the track is at 4."""

    track_of: TrackOf

    def says(self, teller: Teller) -> str:
        return f"{track_name(self.track_of, teller)}: every decision to spend costs 1 more while it stands at 4"

    def fold(self, state: State) -> State:
        return with_surcharge(state, self.track_of)


def for_a_scene(state: State, key: str, said: str, who: str | None, **numbers: int) -> Any:
    """A condition that lasts until the scene ends."""
    return new_condition(state, key, said[:60], who=who, until=Until.SCENE_ENDS, effect=said, numbers=numbers)


@OMENS.command("pressure_move", may=GAME_MASTER_ONLY)
class MakePressureMove(Command):
    """Take one of the moves that the present step of Pressure allows."""

    move: Annotated[PressureMove, Doc("the move")]
    who: Annotated[CharacterId | None, Doc("the hero whom it is about")] = None
    words: Annotated[Words, Doc("what happens; left out for a side effect, the hero's player is asked for it")] = ""

    def does(self, call: Call) -> list[Any]:
        """SS-53: a side effect is chosen by the custodian, or by the hero's player where the custodian says nothing."""
        state, track = call.state, self.track(call.state)
        match self.move:
            case PressureMove.DISADVANTAGE:
                said = self.words or state.terms["pressure"]
                return [for_a_scene(state, call.fresh, said, self.whom(), **{HINDRANCE: 1})]
            case PressureMove.SIDE_EFFECT if self.words:
                return [for_a_scene(state, call.fresh, self.words, self.whom())]
            case PressureMove.SIDE_EFFECT:
                asks = f"{state.terms['pressure']} leaves its mark. Which side effect do you take?"
                return [new_prompt(state, call.fresh, self.whom(), asks, kind=SIDE_EFFECT)]
            case PressureMove.SURCHARGE:
                if state.options.step4_surcharge is Toll.AUTOMATIC:
                    raise Refusal(f"At {COSTLY} the surcharge comes by itself at this table.", code="no_change")
                if with_surcharge(state, track) == state:
                    raise Refusal("Spending costs 1 more already.", code="no_change")
                return [SurchargeSet(track_of=track)]
            case PressureMove.HOSTILITY:
                return [for_a_scene(state, call.fresh, self.words or HOSTILITY, None)]

    def whom(self) -> str:
        if self.who is None:
            raise Refusal("Say whom it is about.", code="nobody", field="who")
        return self.who

    def track(self, state: State) -> TrackOf:
        """The track whose step allows the move: the highest that bears on whom it is about."""
        about = find_hero(state, self.who).id if self.who else None
        bearing = steps_for(state, about) if about else {track: step(state, track) for track in tracks(state)}
        highest = max(bearing, key=lambda track: bearing[track])
        reached, least = bearing[highest], self.move.least_step
        if reached < least:
            raise Refusal(
                f"{state.terms['pressure']} is at {reached}; {self.move.value} begins at {least}.", code="too_early"
            )
        return highest


@OMENS.after(PromptAnswered)
def side_effect_begins(state: State, answered: PromptAnswered) -> list[Any]:
    """The side effect that a player has chosen begins."""
    prompt = answered.prompt
    if prompt.kind != SIDE_EFFECT or prompt.to not in state.characters:
        return []
    return [for_a_scene(state, f"{prompt.id}-effect", prompt.answer or "", prompt.to)]
