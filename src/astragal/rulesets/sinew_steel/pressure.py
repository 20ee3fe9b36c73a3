"""Pressure: tracks of the table and of heroes, the crisis when one is full, and moves before that. SS-50 to SS-55."""

from collections.abc import Iterator
from enum import Enum
from typing import Annotated, NamedTuple, TypeAlias

from astragal.chance import Notable, Offer, Rolls, d6, rerolled, rule
from astragal.game import Chapter, Character, Command, Event, Refusal, Seen, StillDeciding, Teller, meters, replace
from astragal.game.display import Proposal
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, Words
from astragal.game.rolls import HELP, HINDRANCE, NEXT_ROLL
from astragal.game.shared import ConditionBegan, PromptAnswered, Until, new_condition, new_prompt

from .harm import STAMINA_METER
from .options import Scope, Toll
from .state import CARRIED, Call, Sheet, State, TrackOf, find_hero, heroes

CRISES = Chapter(seen=Seen.ALL)

FULL = 5
"""SS-54: the step that brings the crisis."""
COSTLY = 4
"""SS-52: the step at which power and pools cost more."""

STATES = (
    "nothing",
    "flavour",
    "a minor move: disadvantage for a scene",
    "a serious side effect",
    "power and pools cost 1 more, and people turn hostile",
    "a crisis",
)
"""SS-52: effect of each step in the rules."""

PRESSURE = meters.Meter(
    "pressure",
    most=lambda _: FULL,
    seen=Seen.ALL,
    write=lambda part, at: replace(part, pressure=at, surcharged=part.surcharged and at == COSTLY),
    override="a hero’s own Pressure",
    limit=COSTLY,
)
"""SS-50: a track, of the table or of a hero. SS-53: a surcharge ends when it leaves step 4."""


def step_after(before: int, rise: int) -> int:
    """SS-54: the step after a rise. What goes past 5 is lost."""
    return min(FULL, before + rise)


def track_of(state: State, who: str | None, *, shared: bool = False) -> TrackOf:
    """SS-50: the track that an action raises. If there are both, the hero's own, unless all had a hand in it."""
    scope = state.options.pressure
    if scope is Scope.SHARED or (scope is Scope.BOTH and (shared or who is None)):
        return None
    if who is None:
        raise Refusal("Each hero has a track of their own here: say whose.", code="nobody")
    return find_hero(state, who).id


def track_name(track: TrackOf, teller: Teller) -> str:
    pressure = teller.term("pressure")
    if track is None:
        return pressure
    return f"{teller.name(track)}’s {pressure}"


def tracks(state: State) -> list[TrackOf]:
    """The table's track and those of heroes. Where Pressure is personal, the table's stays at 0."""
    if state.options.pressure is Scope.SHARED:
        return [None]
    return [None, *(hero.id for hero in heroes(state))]


def step(state: State, track: TrackOf) -> int:
    if track is None:
        return state.game.pressure
    return state.characters[track].sheet.pressure


def steps_for(state: State, who: str) -> dict[TrackOf, int]:
    """Steps of all tracks that bear on a character."""
    return {track: step(state, track) for track in tracks(state) if track in (None, who)}


def surcharge(state: State, who: Character[Sheet]) -> int:
    """SS-53: extra cost of a decision to spend: 1 at step 4, by itself or once the custodian has said so. Never 2."""
    if not who.sheet.is_hero:
        return 0
    for track, at in steps_for(state, who.id).items():
        if at != COSTLY:
            continue
        if state.options.step4_surcharge is Toll.AUTOMATIC:
            return 1
        is_surcharged = state.game.surcharged if track is None else who.sheet.surcharged
        if is_surcharged:
            return 1
    return 0


def with_step(state: State, track: TrackOf, at: int) -> State:
    if track is None:
        game = PRESSURE.put(state.game, at)
        return replace(state, game=game)
    sheet = state.characters[track].sheet
    return state.with_sheet(track, PRESSURE.put(sheet, at))


def with_surcharge(state: State, track: TrackOf) -> State:
    if track is None:
        return state.with_game(surcharged=True)
    return state.changed(track, surcharged=True)


# ---------------------------------------------------------------- the rules

TrackStep: TypeAlias = Annotated[int, Ge(0), Le(4), Doc("where the track stands")]
Possessions: TypeAlias = Annotated[tuple[str, ...], Doc("what the one who is struck could lose")]


class Result(Enum):
    """SS-55: results of a crisis, by the faces of its die."""

    LOSS_OF_CONTROL = 1
    WITHERING = 2
    LONG_SHADOW = 3
    DISPLACEMENT = 4
    SECRET_OUT = 5


TWICE = 6
ROLL = 0
"""SS-55: the custodian's answer to leave it to the die. 1 to 6 pick a row."""


class Crisis(NamedTuple):
    """Results of a crisis, and the item lost to it."""

    results: tuple[Result, ...]
    lost: str | None = None


class Row(NamedTuple):
    """A row of the crisis table that can be picked."""

    face: int


@rule
def crisis(carried: Possessions = ()) -> Rolls[Crisis]:
    """SS-55: picked or rolled. A 6, even a picked one, brings two rolled results: no result twice, and no further 6."""
    rows = tuple(Notable(face, None, Row(face)) for face in range(1, 7))
    face = yield from Offer("custodian", "crisis", (ROLL, *range(1, 7)), rows)
    if face == ROLL:
        face = yield from d6
    if face == TWICE:
        first = yield from rerolled(d6, (TWICE,))
        second = yield from rerolled(d6, (TWICE, first))
        results: tuple[Result, ...] = (Result(first), Result(second))
    else:
        results = (Result(face),)

    lost = None
    if carried and Result.WITHERING in results:
        lost = carried[0]
        if len(carried) > 1:
            lost = yield from Offer("struck", "key item", carried)
    return Crisis(results, lost)


@rule
def rising(
    before: TrackStep, rise: Annotated[int, Ge(0), Le(5), Doc("by how much it rises")] = 1, carried: Possessions = ()
) -> Rolls[Crisis | None]:
    """SS-54: reaching 5 brings a crisis at once, and only one."""
    if step_after(before, rise) < FULL:
        return None
    return (yield from crisis(carried))


FOR_FOES = "for_foes"
"""SS-55: mark of a condition that bears only on the custodian's characters."""
FROM_EVENING = "from_evening"
"""SS-55: the evening from which a condition bears on rolls."""
OUT_OF_CONTROL = "out_of_control"
"""SS-55: mark of a hero whom the custodian plays."""
MOST_TO_LOSE = 64
"""Most items that the choice can list."""


def losable(who: Character[Sheet]) -> tuple[str, ...]:
    """SS-55: items that a withering could take, substantial ones first."""
    items = sorted(who.sheet.gear, key=lambda item: not item.substantial)
    names = tuple(item.name for item in items)
    return names[:MOST_TO_LOSE]


def struck(state: State, track: TrackOf, by: str | None, nominated: str | None) -> Character[Sheet]:
    """SS-55: the hero whom a crisis strikes: the track's owner, or who filled it, or whom the custodian names."""
    who = track or by or nominated
    if who is None:
        raise Refusal("A crisis would come of this: say whom it strikes.", code="strikes_nobody")
    return find_hero(state, who)


def check_free(call: Call, track: TrackOf) -> None:
    """SS-54: refuse to move the table's track while someone decides: two such decisions would wait for each other."""
    decisions = call.state.decisions
    if track is not None or not decisions or call.fresh in decisions:
        return
    decision = next(iter(decisions.values()))
    teller = Teller(call.state, call.state.terms)
    names = " and ".join(teller.name(decision.sides[side]) for side in decision.awaited)
    command = decision.command.replace("_", " ")
    raise StillDeciding(f"{names} still has to decide ({command}); that comes first.")


# ---------------------------------------------------------------- what happened


class OfTrack(Event):
    """Base of events about a track."""

    track_of: TrackOf

    def track(self, teller: Teller) -> str:
        return track_name(self.track_of, teller)


@CRISES.event("pressure_rose")
class PressureRose(OfTrack):
    by: CharacterId | None
    before: int
    after: int
    why: Words

    def says(self, teller: Teller) -> str:
        rises = f"{self.track(teller)} rises from {self.before} to {self.after}"
        if self.why:
            rises += f" ({self.why})"
        feeling = teller.term(f"pressure_{self.after}")
        return f"{rises}. {feeling}"

    def fold(self, state: State) -> State:
        return with_step(state, self.track_of, self.after)


@CRISES.event("crisis_broke")
class CrisisBroke(OfTrack):
    """A track was full. The effects of the crisis follow."""

    results: tuple[int, ...]
    reset: int

    def says(self, teller: Teller) -> str:
        names = [teller.term(f"crisis_{result}") for result in self.results]
        results = " and ".join(names)
        return f"Crisis: {results}. {self.track(teller)} returns to {self.reset}"

    def fold(self, state: State) -> State:
        still_due = [due for due in state.game.crises_due if due.track_of != self.track_of]
        state = with_step(state, self.track_of, self.reset)
        return state.with_game(crises_due=tuple(still_due))


@CRISES.event("crisis_struck")
class CrisisStruck(Event):
    result: int
    who: tuple[str, ...]

    def says(self, teller: Teller) -> str:
        name = teller.term(f"crisis_{self.result}")
        text = teller.term(f"crisis_{self.result}_text")
        victims = ", ".join(teller.name(who) for who in self.who)
        return f"{name} strikes {victims}: {text}"


@CRISES.event("item_lost", says="{who} loses {item} for good", drops=CARRIED)
class ItemLost(Event):
    """A thing is gone for good: to a crisis, or given up."""

    who: CharacterId
    item: str


def rise_events(
    call: Call, track: TrackOf, who: Character[Sheet] | None, crisis: Crisis | None, *, rise: int = 1, why: str = ""
) -> list[Event]:
    """SS-51, SS-54: the track rises, and if it is full the crisis follows at once."""
    step_before = step(call.state, track)
    rose = PressureRose(
        track_of=track,
        by=None if who is None else who.id,
        before=step_before,
        after=step_after(step_before, rise),
        why=why,
    )
    if crisis is None or who is None:
        return [rose]
    return [rose, *crisis_events(call, track, who, crisis)]


def crisis_events(call: Call, track: TrackOf, who: Character[Sheet], crisis: Crisis) -> list[Event]:
    """SS-54, SS-55: the track is reset, and each result applies its mechanical part."""
    rows = tuple(result.value for result in crisis.results)
    reset = call.state.options.crisis_reset
    events: list[Event] = [CrisisBroke(track_of=track, results=rows, reset=reset)]
    for result in crisis.results:
        if result is Result.DISPLACEMENT:
            victims = [hero.id for hero in heroes(call.state)]
        else:
            victims = [who.id]
        events.append(CrisisStruck(result=result.value, who=tuple(victims)))
        events += effects(call, who, result, crisis.lost)
    return events


def effects(call: Call, who: Character[Sheet], result: Result, lost: str | None) -> list[Event]:
    """SS-55: the mechanical part of a result. The custodian tells the rest."""
    terms = call.state.terms
    name = terms[f"crisis_{result.value}"]

    def condition(whom: str | None, until: Until, **numbers: int) -> ConditionBegan:
        key = f"{call.fresh}-{result.value}"
        effect = terms[f"crisis_{result.value}_text"]
        return new_condition(call.state, key, name, who=whom, until=until, effect=effect, numbers=numbers)

    match result:
        case Result.LOSS_OF_CONTROL:  # for a scene the custodian plays the hero
            return [condition(who.id, Until.SCENE_ENDS, **{OUT_OF_CONTROL: 1})]
        case Result.WITHERING:  # 1 Stamina and a key item
            hurt = STAMINA_METER.lost(who, 1, name)
            if lost is None:
                return [*hurt]
            return [*hurt, ItemLost(who=who.id, item=lost)]
        case Result.LONG_SHADOW:  # disadvantage on all rolls of the next session, and not before
            numbers = {HINDRANCE: 1, FROM_EVENING: call.state.calendar.evening + 1}
            return [condition(who.id, Until.NEXT_EVENING_ENDS, **numbers)]
        case Result.DISPLACEMENT:  # the custodian tells where the party finds itself
            return []
        case Result.SECRET_OUT:  # the foes have advantage on their next roll, whoever of them makes it
            return [condition(None, Until.TOLD, **{HELP: 1, FOR_FOES: 1, NEXT_ROLL: 1})]


# ---------------------------------------------------------------- moves: SS-52, SS-53

SIDE_EFFECT = "side_effect"
"""Kind of the prompt that asks for a side effect."""
HOSTILITY = "everyone is on edge"


class PressureMove(Enum):
    """SS-52: the moves, each available from its step on."""

    DISADVANTAGE = "disadvantage"
    SIDE_EFFECT = "side effect"
    SURCHARGE = "surcharge"
    HOSTILITY = "hostility"

    @property
    def least_step(self) -> int:
        match self:
            case PressureMove.DISADVANTAGE:
                return 2
            case PressureMove.SIDE_EFFECT:
                return 3
            case PressureMove.SURCHARGE | PressureMove.HOSTILITY:
                return COSTLY


def moves_at(step: int, toll: Toll) -> tuple[PressureMove, ...]:
    """SS-53: moves to propose at a step. A surcharge that comes by itself need not be proposed."""
    moves = []
    for move in PressureMove:
        comes_by_itself = move is PressureMove.SURCHARGE and toll is Toll.AUTOMATIC
        if move.least_step <= step and not comes_by_itself:
            moves.append(move)
    return tuple(moves)


@CRISES.event("moves_proposed", secret=True)
class MovesProposed(OfTrack):
    step: int
    moves: tuple[PressureMove, ...]

    def says(self, teller: Teller) -> str:
        moves = ", ".join(move.value for move in self.moves)
        effect = STATES[self.step]
        return f"{self.track(teller)} at {self.step} ({effect}): you may take {moves}"


@CRISES.after(PressureRose)
def propose_moves(state: State, rose: PressureRose) -> list[MovesProposed]:
    """SS-53: propose the moves of the present step. None is applied unasked."""
    moves = moves_at(rose.after, state.options.step4_surcharge)
    if not moves or rose.after == FULL:
        return []
    return [MovesProposed(track_of=rose.track_of, step=rose.after, moves=moves)]


@CRISES.proposes
def moves_at_hand(state: State, teller: Teller) -> Iterator[Proposal]:
    """SS-52, SS-53: the moves of the present step, proposed for the custodian to take."""
    for track in tracks(state):
        at = step(state, track)
        about = f"{track_name(track, teller)} stands at {at} ({STATES[at]})"
        if at == COSTLY:
            about += "; one more brings the crisis"
        for move in moves_at(at, state.options.step4_surcharge):
            fields = (("move", move.value), ("who", track))
            yield Proposal(about, move.value, "pressure_move", fields)


@CRISES.event("surcharge_set", says="{track}: every decision to spend costs 1 more while it stands at 4")
class SurchargeSet(OfTrack):
    def fold(self, state: State) -> State:
        return with_surcharge(state, self.track_of)


def for_a_scene(state: State, key: str, effect: str, who: str | None, **numbers: int) -> ConditionBegan:
    """A condition that lasts until the scene ends."""
    return new_condition(state, key, effect[:60], who=who, until=Until.SCENE_ENDS, effect=effect, numbers=numbers)


@CRISES.command("pressure_move")
class MakePressureMove(Command):
    """Take one of the moves that the present step of Pressure allows."""

    move: Annotated[PressureMove, Doc("the move")]
    who: Annotated[CharacterId | None, Doc("the hero whom it is about")] = None
    words: Annotated[
        Words,
        Label("what happens"),
        Doc("what happens; left out for a side effect, the hero's player is asked for it"),
    ] = ""

    def does(self, call: Call) -> list[Event]:
        """SS-53: the custodian chooses a side effect, or leaves it to the hero's player by saying nothing."""
        state = call.state
        track = self.track(state)
        pressure = state.terms["pressure"]
        match self.move:
            case PressureMove.DISADVANTAGE:
                return [for_a_scene(state, call.fresh, self.words or pressure, self.whom(), **{HINDRANCE: 1})]
            case PressureMove.SIDE_EFFECT if self.words:
                return [for_a_scene(state, call.fresh, self.words, self.whom())]
            case PressureMove.SIDE_EFFECT:
                question = f"{pressure} leaves its mark. Which side effect do you take?"
                return [new_prompt(state, call.fresh, self.whom(), question, kind=SIDE_EFFECT)]
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
        """The track whose step allows the move: the highest that bears on the hero it is about."""
        if self.who:
            step_by_track = steps_for(state, find_hero(state, self.who).id)
        else:
            step_by_track = {track: step(state, track) for track in tracks(state)}
        highest = max(step_by_track, key=lambda track: step_by_track[track])
        at = step_by_track[highest]
        least = self.move.least_step
        if at < least:
            stands = f"{state.terms['pressure']} is at {at}"
            raise Refusal(f"{stands}; {self.move.value} begins at {least}.", code="too_early")
        return highest


@CRISES.after(PromptAnswered)
def side_effect_begins(state: State, answered: PromptAnswered) -> list[Event]:
    """The side effect that a player has chosen begins."""
    prompt = answered.prompt
    if prompt.kind != SIDE_EFFECT or prompt.to not in state.characters:
        return []
    return [for_a_scene(state, f"{prompt.id}-effect", prompt.answer or "", prompt.to)]
