"""The fuse: raising Pressure, crises that rewinds bring, and purging. SS-50, SS-51, SS-54, SS-56, SS-65."""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Annotated, TypeAlias

from astragal.game import Chapter, Command, Doing, Event, Kept, Nature, Price, Refusal, Seen, Teller, replace
from astragal.game.display import Piece, RollCard, Tags, Track
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, MaxLen, Name, Names, Suggests, Words
from astragal.game.shared import MoveKind, Until, new_condition

from . import pressure
from .luck import nudged_test
from .options import Scope
from .pressure import FULL, Crisis, ItemLost, OfTrack, check_free, losable, step, track_name, track_of, with_step
from .rolls import IN_A_RITE, Roll, check_acts, check_no_crisis, deciders
from .scores import STAMINA, frame_of
from .state import (
    Call,
    CrisisDue,
    Quest,
    RequiredWords,
    ScoreKey,
    State,
    TrackOf,
    find_hero,
    find_item,
    heroes,
    known_score,
)
from .story import NotForSale, Standing
from .trials import ONE_PRESSURE, Tampering, Trial, at_risk, price_paid, tampering, trial

FUSE = Chapter(seen=Seen.ALL)
PURGING = Chapter(seen=Seen.ALL)

Shared: TypeAlias = Annotated[
    bool, Label("the table’s track"), Doc("whether it is the table's track, where heroes have their own too")
]


class RiskyTrial(Trial):
    """SS-51, SS-67: a test of an attribute whose failure adds 1 Pressure."""

    def does(self, call: Call) -> Doing[Tampering]:
        ready = self.ready(call)
        who = call.state.find(self.who)
        score, stand, is_warned = ready.rolled_with
        risk = at_risk(call, who, ONE_PRESSURE)
        result = yield tampering(score, stand, is_warned, risk.step, risk.possessions)
        return [*ready.events(call, result.roll), *price_paid(call, who, result, ONE_PRESSURE)]


@FUSE.command("tamper", **trial("{who} meddles with it by {attribute}", "{who} meddles with it", "to get away with it"))
class Tamper(RiskyTrial):
    """Meddle with what is better left alone: a test of an attribute whose failure adds 1 Pressure."""


@FUSE.command(
    "raise_pressure", card=RollCard(title="{pressure} rises", short="It gets worse", verb="Raise", words=(("why", ""),))
)
class RaisePressure(Command):
    """Add Pressure for a bargain, a blunder, or time running out. At 5 the crisis comes."""

    who: Annotated[CharacterId | None, Doc("whose doing it is, if anyone's; a crisis strikes them")] = None
    rise: Annotated[int, Ge(1), Le(5), Label("by how much")] = 1
    why: Annotated[Words, Doc("what raises it")] = ""
    shared: Shared = False
    strikes: Annotated[
        CharacterId | None, Label("whom it strikes"), Doc("whom a crisis would strike, where it is nobody's doing")
    ] = None

    def does(self, call: Call) -> Doing[Crisis | None]:
        state = call.state
        check_no_crisis(state)
        track = track_of(state, self.who, shared=self.shared)
        check_free(call, track)
        step_before = step(state, track)
        who = None
        if pressure.step_after(step_before, self.rise) == FULL:
            who = pressure.struck(state, track, self.who, self.strikes)
        crisis = yield pressure.rising(step_before, self.rise, losable(who) if who else ())
        if who is None and self.who:
            who = find_hero(state, self.who)
        return pressure.rise_events(call, track, who, crisis, rise=self.rise, why=self.why)

    def sides(self, call: Call) -> Mapping[str, str]:
        state = call.state
        track = track_of(state, self.who, shared=self.shared)
        victim = pressure.struck(state, track, self.who, self.strikes)
        return deciders(state, custodian=state.game_master, struck=victim.id)


# ---------------------------------------------------------------- the price of a rewind, and the crisis it brings


@FUSE.event("pressure_paid", nature=Nature.LASTING, says="paid: 1 on {track}")
class PressurePaid(OfTrack):
    def fold(self, state: State) -> State:
        """Skip a hero who is not there: a rewind may have gone back to before they joined.

        SS-54, SS-65: a track that is full is reset, and its crisis comes next.
        """
        track = self.track_of
        if track is not None and track not in state.characters:
            return state
        at = pressure.step_after(step(state, track), 1)
        if at < FULL:
            return with_step(state, track, at)
        crises_due = (*state.game.crises_due, CrisisDue(track_of=track))
        return with_step(state, track, state.options.crisis_reset).with_game(crises_due=crises_due)


def pay_pressure(state: State, amount: int) -> list[PressurePaid]:
    """SS-65: 1 on the table's track, or on that of each hero where there is none."""
    if amount != 1:
        raise Refusal(f"A rewind costs 1 {state.terms['pressure']}, not {amount}.", code="price")
    if state.options.pressure is not Scope.PERSONAL:
        return [PressurePaid(track_of=None)]
    paid = [PressurePaid(track_of=hero.id) for hero in heroes(state)]
    if not paid:
        raise Refusal("There is no hero to pay for this.", code="price")
    return paid


PRESSURE_PRICE = Price("1 Pressure, for each hero where they have tracks of their own", pay_pressure)


@FUSE.event("crisis_loomed", nature=Nature.LASTING, says="{track} is full: a crisis comes next")
class CrisisLoomed(OfTrack):
    """The price of a rewind filled a track: its crisis comes next."""


@FUSE.after(PressurePaid)
def crisis_looms(state: State, paid: PressurePaid) -> list[CrisisLoomed]:
    """SS-65: the crisis comes after the rewind."""
    if CrisisDue(track_of=paid.track_of) not in state.game.crises_due:
        return []
    return [CrisisLoomed(track_of=paid.track_of)]


@FUSE.command("face_crisis", card=RollCard(title="A crisis strikes {strikes}", short="A crisis breaks"))
class FaceCrisis(Command):
    """Let a crisis break that the price of a rewind has brought."""

    strikes: Annotated[
        CharacterId | None, Label("whom it strikes"), Doc("whom it strikes, where the table's track has filled")
    ] = None

    def due(self, state: State) -> TrackOf:
        if not state.game.crises_due:
            raise Refusal("No crisis is due.", code="no_crisis")
        return state.game.crises_due[0].track_of

    def does(self, call: Call) -> Doing[Crisis]:
        track = self.due(call.state)
        who = pressure.struck(call.state, track, None, self.strikes)
        crisis = yield pressure.crisis(losable(who))
        return pressure.crisis_events(call, track, who, crisis)

    def sides(self, call: Call) -> Mapping[str, str]:
        state = call.state
        victim = pressure.struck(state, self.due(state), None, self.strikes)
        return deciders(state, custodian=state.game_master, struck=victim.id)


@FUSE.due
def crises_due(state: State, teller: Teller) -> Iterator[str]:
    """SS-54, SS-65: a crisis that a rewind has brought comes next."""
    name = teller.term("pressure")
    for due in state.game.crises_due:
        owner = teller.name(due.track_of) if due.track_of else "the table"
        yield f"{name} of {owner} is full: a crisis is due (face_crisis)."


@FUSE.board
def fuse_and_crises(state: State) -> Sequence[Piece]:
    pieces: list[Piece] = []
    if state.options.pressure is not Scope.PERSONAL:
        steps = tuple(state.terms[f"pressure_{at}"] for at in range(FULL + 1))
        pieces.append(Track("pressure", state.game.pressure, steps))
    number_due = len(state.game.crises_due)
    if number_due:
        pieces.append(Tags("Crisis", ("due",) * number_due))
    return pieces


# ---------------------------------------------------------------- purging: SS-56


class Purge(Enum):
    """SS-56: the three ways to purge Pressure."""

    SACRIFICE = "sacrifice"
    RITE = "rite"
    QUEST = "quest"


@PURGING.event("pressure_fell")
class PressureFell(OfTrack):
    before: int
    after: int
    how: Purge

    def says(self, teller: Teller) -> str:
        falls = f"{self.track(teller)} falls from {self.before} to {self.after}"
        feeling = teller.term(f"pressure_{self.after}")
        return f"{falls} ({self.how.value}). {feeling}"

    def fold(self, state: State) -> State:
        return with_step(state, self.track_of, self.after)


def eased(state: State, track: TrackOf, how: Purge) -> PressureFell:
    at = step(state, track)
    return PressureFell(track_of=track, before=at, after=at - 1, how=how)


def check_downtime(state: State, track: TrackOf) -> None:
    """SS-56: refuse to purge outside of downtime, or if the track is at 0."""
    if state.calendar.encounter is not None:
        raise Refusal(f"“{state.calendar.encounter}” is going on; this takes downtime.", code="no_downtime")
    if not step(state, track):
        raise Refusal(f"{state.terms['pressure']} is at 0 already.", code="no_pressure")


def sacrifice(standing: Standing, key: str) -> Standing:
    """SS-56: lower a score by 1 within its rails, and what is held of it. Above baseline a build point comes back."""
    score = standing.scores[key]
    frame = frame_of(key)
    if score <= frame.least:
        raise NotForSale(f"{key} is {score} and can't drop below {frame.least}.")
    lowered = score - 1
    stamina = standing.stamina
    tokens = standing.tokens
    points = standing.points
    if key == STAMINA:
        stamina = min(stamina, lowered)
    if key == standing.luck:
        tokens = min(tokens, lowered)
    if score > frame.start:
        points += 1
    return replace(standing, scores={**standing.scores, key: lowered}, stamina=stamina, tokens=tokens, points=points)


@PURGING.event("score_sacrificed")
class ScoreSacrificed(Event):
    """A score dropped by 1 for good. What was held of it is capped to its new size."""

    who: CharacterId
    key: str
    score: int
    points: int
    luck: int
    stamina: int

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.who)} gives up a point of {teller.term(self.key)}: {self.score} for good"

    def fold(self, state: State) -> State:
        sheet = state.characters[self.who].sheet
        return state.changed(
            self.who,
            **sheet.rescored({self.key: self.score}),
            points=self.points,
            luck=self.luck,
            stamina=self.stamina,
        )


@PURGING.command("sacrifice", actor="who")
class MakeSacrifice(Command):
    """Give up a treasured thing, or a point of a score, for 1 Pressure less. In downtime."""

    who: Annotated[CharacterId, Doc("who gives it up")]
    item: Annotated[Name | None, Doc("the thing, which must be carried")] = None
    score: Annotated[ScoreKey | None, Doc("the key of the score, STM for Stamina")] = None
    shared: Shared = False

    def does(self, call: Call) -> list[Event]:
        """SS-56: a score stays within the rails; above baseline a build point comes back."""
        state = call.state
        who = find_hero(state, self.who)
        track = track_of(state, who.id, shared=self.shared)
        check_acts(call, who)
        check_downtime(state, track)
        if (self.item is None) == (self.score is None):
            raise Refusal("Give up one thing: a treasured item or a point of a score.", code="sacrifice")
        pressure_fell = eased(state, track, Purge.SACRIFICE)
        if self.item:
            return [ItemLost(who=who.id, item=find_item(who, self.item).name), pressure_fell]
        key = known_score(state.options, self.score or "")
        standing = sacrifice(Standing.of(who.sheet), key)
        score_sacrificed = ScoreSacrificed(
            who=who.id,
            key=key,
            score=standing.scores[key],
            points=standing.points,
            luck=standing.tokens,
            stamina=standing.stamina,
        )
        return [score_sacrificed, pressure_fell]


@PURGING.command("rite", **trial("{who} undergoes a rite of {attribute}", "{who} undergoes a rite", "to be cleansed"))
class PerformRite(Trial):
    """Spend the session in a cleansing: a test of an attribute, success takes 1 Pressure off. In downtime."""

    stakes: Annotated[Words, Suggests("rite"), Doc("which rite, or what is at stake, unless the request says so")] = ""
    shared: Shared = False

    def does(self, call: Call) -> Doing[Roll]:
        """SS-56: it costs the session either way; success takes 1 off, failure nothing."""
        state = call.state
        who = find_hero(state, self.who)
        track = track_of(state, who.id, shared=self.shared)
        check_free(call, track)
        check_downtime(state, track)
        ready = self.ready(call)
        roll = yield nudged_test(*ready.rolled_with)
        busy = new_condition(
            state, call.fresh, "in a rite", who=who.id, until=Until.EVENING_ENDS, numbers={IN_A_RITE: 1}
        )
        events = [*ready.events(call, roll), busy]
        if roll.success:
            events.append(eased(state, track, Purge.RITE))
        return events


KEPT_QUESTS = Kept(
    PURGING,
    Quest,
    name="objective",
    board="Quests",
    row=("{objective}", "{who}"),
    moves={
        MoveKind.ESCALATE: "let somebody else be nearer to it: “{objective}”",
        MoveKind.BARGAIN: "offer a short cut, for a price that hurts: “{objective}”",
    },
)
"""SS-56: quests, each with the hero whose own track it would clear."""


@KEPT_QUESTS.put("quest_set")
class QuestSet(Event):
    quest: Quest

    def says(self, teller: Teller) -> str:
        return f"a quest that would clear {track_name(self.quest.who, teller)}: {self.quest.objective}"


@PURGING.command("set_quest")
class SetQuest(Command):
    """Name an objective that clears a track when it is met."""

    objective: Annotated[RequiredWords, Doc("what has to be done")]
    who: Annotated[CharacterId | None, Doc("whose own track it clears; nobody named means the table's")] = None

    def does(self, call: Call) -> list[QuestSet]:
        return [QuestSet(quest=KEPT_QUESTS.new(call, self, who=track_of(call.state, self.who)))]


@KEPT_QUESTS.taken("quest_done", says="the quest is done: {quest.objective}")
class QuestDone(Event):
    quest: Quest


@PURGING.command("complete_quest")
class CompleteQuest(Command):
    """Say that a quest is done. Its track is clear."""

    quest: Annotated[str, MaxLen(40), Names("quest"), Doc("the quest")]

    def does(self, call: Call) -> list[Event]:
        """SS-56: a quest that is done clears its track."""
        quest = KEPT_QUESTS.find(call, self.quest)
        done = QuestDone(quest=quest)
        at = step(call.state, quest.who)
        if not at:
            return [done]
        return [done, PressureFell(track_of=quest.who, before=at, after=0, how=Purge.QUEST)]
