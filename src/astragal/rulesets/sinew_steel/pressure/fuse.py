"""Pressure rises: by tampering, by a bargain or a blunder, and as the price of a rewind. SS-50, SS-51, SS-54, SS-65."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, TypeAlias

from astragal.game import (
    GAME_MASTER_ONLY,
    GAME_MASTER_OR_OWNER,
    Chapter,
    Command,
    Doing,
    Event,
    Nature,
    Price,
    Refusal,
    Seen,
    Teller,
)
from astragal.game.display import Piece, RollCard, Tags, Track
from astragal.game.fields import CharacterId, Doc, Ge, Le, Words
from astragal.rulesets.sinew_steel.luck import degree, is_hoped_for
from astragal.rulesets.sinew_steel.options import Scope
from astragal.rulesets.sinew_steel.state import Call, CrisisDue, State, TrackOf, find_hero, heroes
from astragal.rulesets.sinew_steel.story.fortune import WITH_LUCK, luck_after
from astragal.rulesets.sinew_steel.trials.attempts import Trial, trial_card
from astragal.rulesets.sinew_steel.trials.prices import ONE_PRESSURE, Tampering, at_risk, price_paid, tampering
from astragal.rulesets.sinew_steel.trials.roller import check_no_crisis, deciders

from .crises import Crisis, broken, check_free, crisis, losable, rising, struck, told_rise
from .tracks import FULL, step, step_after, track_name, track_of, with_step

FUSE = Chapter(seen=Seen.ALL)

Shared: TypeAlias = Annotated[bool, Doc("whether it is the table's track, where heroes have their own too")]

# ---------------------------------------------------------------- tampering


class RiskyTrial(Trial):
    """SS-51, SS-67: a test of an attribute whose failure adds 1 Pressure."""

    def does(self, call: Call) -> Doing[Tampering]:
        ready = self.ready(call)
        who = ready.roller.who
        came = yield tampering(*ready.rolled_with, *at_risk(call, who, ONE_PRESSURE))
        return [*ready.told(call, came.roll), *price_paid(call, who, came, ONE_PRESSURE)]


@FUSE.command(
    "tamper",
    may=GAME_MASTER_OR_OWNER,
    actor="who",
    outcome=lambda came: degree(came.roll),
    hopes=is_hoped_for,
    policies=WITH_LUCK,
    after=luck_after(lambda came: came.roll.spent),
    card=trial_card("{who} meddles with it by {attribute}", "{who} meddles with it", "to get away with it"),
)
class Tamper(RiskyTrial):
    """Meddle with what is better left alone: a test of an attribute whose failure adds 1 Pressure."""


# ---------------------------------------------------------------- outright


@FUSE.command(
    "raise_pressure",
    may=GAME_MASTER_ONLY,
    card=RollCard(title="{pressure} rises", short="It gets worse", verb="Raise", words=(("why", ""),)),
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


@FUSE.event("pressure_paid", nature=Nature.LASTING)
class PressurePaid(Event):
    """The price of a rewind: 1 on a track."""

    track_of: TrackOf

    def says(self, teller: Teller) -> str:
        return f"paid: 1 on {track_name(self.track_of, teller)}"

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


@FUSE.event("crisis_loomed", nature=Nature.LASTING)
class CrisisLoomed(Event):
    """The price of a rewind filled a track: its crisis comes next."""

    track_of: TrackOf

    def says(self, teller: Teller) -> str:
        return f"{track_name(self.track_of, teller)} is full: a crisis comes next"


@FUSE.after(PressurePaid)
def crisis_looms(state: State, paid: PressurePaid) -> list[CrisisLoomed]:
    """SS-65: the crisis comes after the rewind."""
    is_due = CrisisDue(track_of=paid.track_of) in state.game.crises_due
    return [CrisisLoomed(track_of=paid.track_of)] if is_due else []


@FUSE.command(
    "face_crisis",
    may=GAME_MASTER_ONLY,
    card=RollCard(title="A crisis strikes {strikes}", short="A crisis breaks"),
)
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
