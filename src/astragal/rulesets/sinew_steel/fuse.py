"""The fuse: Pressure rises, its moves are proposed, and a rewind may bring a crisis. SS-50 to SS-54, SS-65."""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Annotated, Any, TypeAlias

from astragal.game import Chapter, Command, Doing, Nature, Price, Refusal, Seen, Teller
from astragal.game.display import Piece, Proposal, RollCard, Tags, Track
from astragal.game.fields import CharacterId, Doc, Ge, Le, Words
from astragal.game.rolls import HINDRANCE
from astragal.game.shared import PromptAnswered, Until, new_condition, new_prompt

from .options import Scope, Toll
from .pressure import (
    COSTLY,
    FULL,
    STATES,
    Crisis,
    OfTrack,
    PressureRose,
    broken,
    check_free,
    crisis,
    losable,
    rising,
    step,
    step_after,
    steps_for,
    struck,
    told_rise,
    track_name,
    track_of,
    tracks,
    with_step,
    with_surcharge,
)
from .rolls import check_no_crisis, deciders
from .state import Call, CrisisDue, State, TrackOf, find_hero, heroes
from .trials import ONE_PRESSURE, TESTED, Tampering, Trial, at_risk, price_paid, tampering, trial_card

FUSE = Chapter(seen=Seen.ALL)

Shared: TypeAlias = Annotated[bool, Doc("whether it is the table's track, where heroes have their own too")]


class RiskyTrial(Trial):
    """SS-51, SS-67: a test of an attribute whose failure adds 1 Pressure."""

    def does(self, call: Call) -> Doing[Tampering]:
        ready, who = self.ready(call), call.state.find(self.who)
        came = yield tampering(*ready.rolled_with, *at_risk(call, who, ONE_PRESSURE))
        return [*ready.told(call, came.roll), *price_paid(call, who, came, ONE_PRESSURE)]


MEDDLING = trial_card("{who} meddles with it by {attribute}", "{who} meddles with it", "to get away with it")


@FUSE.command("tamper", **TESTED, card=MEDDLING)
class Tamper(RiskyTrial):
    """Meddle with what is better left alone: a test of an attribute whose failure adds 1 Pressure."""


@FUSE.command(
    "raise_pressure", card=RollCard(title="{pressure} rises", short="It gets worse", verb="Raise", words=(("why", ""),))
)
class RaisePressure(Command):
    """Add Pressure for a bargain, a blunder, or time running out. At 5 the crisis comes."""

    who: Annotated[CharacterId | None, Doc("whose doing it is, if anyone's; a crisis strikes them")] = None
    rise: Annotated[int, Ge(1), Le(5), Doc("by how much")] = 1
    why: Annotated[Words, Doc("what raises it")] = ""
    shared: Shared = False
    strikes: Annotated[CharacterId | None, Doc("whom a crisis would strike, where it is nobody's doing")] = None

    def does(self, call: Call) -> Doing[Crisis | None]:
        state = call.state
        check_no_crisis(state)
        track = track_of(state, self.who, shared=self.shared)
        check_free(call, track)
        before = step(state, track)
        is_filled = step_after(before, self.rise) == FULL
        who = struck(state, track, self.who, self.strikes) if is_filled else None
        broke = yield rising(before, self.rise, losable(who) if who else ())
        if who is None and self.who:
            who = find_hero(state, self.who)
        return told_rise(call, track, who, broke, rise=self.rise, why=self.why)

    def sides(self, call: Call) -> Mapping[str, str]:
        track = track_of(call.state, self.who, shared=self.shared)
        who = struck(call.state, track, self.who, self.strikes)
        return deciders(call.state, custodian=call.state.game_master, struck=who.id)


# ---------------------------------------------------------------- the price of a rewind, and the crisis it brings


@FUSE.event("pressure_paid", nature=Nature.LASTING, says="paid: 1 on {track}")
class PressurePaid(OfTrack):
    def fold(self, state: State) -> State:
        """A rewind may have gone back to before the hero was there."""
        if self.track_of is not None and self.track_of not in state.characters:
            return state
        now = step_after(step(state, self.track_of), 1)
        if now < FULL:
            return with_step(state, self.track_of, now)
        due = (*state.game.crises_due, CrisisDue(track_of=self.track_of))
        return with_step(state, self.track_of, state.options.crisis_reset).with_game(crises_due=due)


def pay_pressure(state: State, pressure: int) -> list[PressurePaid]:
    """SS-65: 1 on the table's track, or on that of each hero where there is none."""
    if pressure != 1:
        raise Refusal(f"A rewind costs 1 {state.terms['pressure']}, not {pressure}.", code="price")
    tracks: list[TrackOf] = [None]
    if state.options.pressure is Scope.PERSONAL:
        tracks = [one.id for one in heroes(state)]
    if not tracks:
        raise Refusal("There is no hero to pay for this.", code="price")
    return [PressurePaid(track_of=track) for track in tracks]


PRESSURE_PRICE = Price("1 Pressure, for each hero where they have tracks of their own", pay_pressure)


@FUSE.event("crisis_loomed", nature=Nature.LASTING, says="{track} is full: a crisis comes next")
class CrisisLoomed(OfTrack):
    """The price of a rewind filled a track: its crisis comes next."""


@FUSE.after(PressurePaid)
def crisis_looms(state: State, paid: PressurePaid) -> list[CrisisLoomed]:
    """SS-65: the crisis comes after the rewind."""
    is_due = CrisisDue(track_of=paid.track_of) in state.game.crises_due
    return [CrisisLoomed(track_of=paid.track_of)] if is_due else []


@FUSE.command("face_crisis", card=RollCard(title="A crisis strikes {strikes}", short="A crisis breaks"))
class FaceCrisis(Command):
    """Let a crisis break that the price of a rewind has brought."""

    strikes: Annotated[CharacterId | None, Doc("whom it strikes, where the table's track has filled")] = None

    def due(self, state: State) -> TrackOf:
        if not state.game.crises_due:
            raise Refusal("No crisis is due.", code="no_crisis")
        return state.game.crises_due[0].track_of

    def does(self, call: Call) -> Doing[Crisis]:
        track = self.due(call.state)
        who = struck(call.state, track, None, self.strikes)
        broke = yield crisis(losable(who))
        return broken(call, track, who, broke)

    def sides(self, call: Call) -> Mapping[str, str]:
        who = struck(call.state, self.due(call.state), None, self.strikes)
        return deciders(call.state, custodian=call.state.game_master, struck=who.id)


@FUSE.due
def crises_due(state: State, teller: Teller) -> Iterator[str]:
    """SS-54, SS-65: a crisis that a rewind has brought comes next."""
    for one in state.game.crises_due:
        whose = teller.name(one.track_of) if one.track_of else "the table"
        yield f"{teller.term('pressure')} of {whose} is full: a crisis is due (face_crisis)."


@FUSE.board
def fuse_and_crises(state: State) -> Sequence[Piece]:
    pieces = list[Piece]()
    if state.options.pressure is not Scope.PERSONAL:
        steps = tuple(state.terms[f"pressure_{at}"] for at in range(FULL + 1))
        pieces.append(Track("pressure", state.game.pressure, steps))
    if state.game.crises_due:
        pieces.append(Tags("Crisis", ("due",) * len(state.game.crises_due)))
    return pieces


# ---------------------------------------------------------------- moves: SS-52, SS-53

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


@FUSE.event("moves_proposed", secret=True)
class MovesProposed(OfTrack):
    step: int
    moves: tuple[PressureMove, ...]

    def says(self, teller: Teller) -> str:
        moves = ", ".join(move.value for move in self.moves)
        return f"{track_name(self.track_of, teller)} at {self.step} ({STATES[self.step]}): you may take {moves}"


@FUSE.after(PressureRose)
def propose_moves(state: State, rose: PressureRose) -> list[MovesProposed]:
    """SS-53: the moves of the present step; nothing is applied unasked."""
    moves = moves_at(rose.after, state.options.step4_surcharge)
    if not moves or rose.after == FULL:
        return []
    return [MovesProposed(track_of=rose.track_of, step=rose.after, moves=moves)]


@FUSE.proposes
def moves_at_hand(state: State, teller: Teller) -> Iterator[Proposal]:
    """SS-53: proposed, and the custodian's to take."""
    for track in tracks(state):
        whose = "" if track is None else f"{teller.name(track)}: "
        at = step(state, track)
        for move in moves_at(at, state.options.step4_surcharge):
            fields = (("move", move.value), ("who", track))
            yield Proposal(f"{whose}{teller.term('pressure')} at {at}", move.value, "pressure_move", fields)


@FUSE.due
def moves_due(state: State, teller: Teller) -> Iterator[str]:
    """SS-52, SS-53: the moves of the present step, which are the custodian's to take."""
    for track in tracks(state):
        at = step(state, track)
        if moves := moves_at(at, state.options.step4_surcharge):
            brink = " One more brings the crisis." if at == COSTLY else ""
            stands = f"{track_name(track, teller)} stands at {at} ({STATES[at]})"
            yield f"{stands}: you may take {', '.join(one.value for one in moves)} (pressure_move).{brink}"


@FUSE.event("surcharge_set", says="{track}: every decision to spend costs 1 more while it stands at 4")
class SurchargeSet(OfTrack):
    def fold(self, state: State) -> State:
        return with_surcharge(state, self.track_of)


def for_a_scene(state: State, key: str, said: str, who: str | None, **numbers: int) -> Any:
    """A condition that lasts until the scene ends."""
    return new_condition(state, key, said[:60], who=who, until=Until.SCENE_ENDS, effect=said, numbers=numbers)


@FUSE.command("pressure_move")
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


@FUSE.after(PromptAnswered)
def side_effect_begins(state: State, answered: PromptAnswered) -> list[Any]:
    """The side effect that a player has chosen begins."""
    prompt = answered.prompt
    if prompt.kind != SIDE_EFFECT or prompt.to not in state.characters:
        return []
    return [for_a_scene(state, f"{prompt.id}-effect", prompt.answer or "", prompt.to)]
