"""Purging: shedding Pressure before it breaks, by a sacrifice, a rite or a quest. SS-56."""

from enum import Enum
from typing import Annotated, Any, TypeAlias

from astragal.game import Chapter, Command, Doing, Event, Kept, Refusal, Seen, Teller, replace
from astragal.game.fields import CharacterId, Doc, MaxLen, Name, Names, Suggests, Words
from astragal.game.shared import MoveKind, Until, new_condition

from .fuse import Shared
from .luck import nudged_test
from .pressure import ItemLost, OfTrack, check_free, step, track_name, track_of, with_step
from .rolls import IN_A_RITE, Roll, check_acts
from .scores import STAMINA, frame_of
from .state import Call, Quest, Said, ScoreKey, State, TrackOf, find_hero, find_item, known_score
from .story import NotForSale, Standing
from .trials import TESTED, Trial, trial_card

PURGING = Chapter(seen=Seen.ALL)

QuestId: TypeAlias = Annotated[str, MaxLen(40), Names("quest")]


class Purge(Enum):
    """SS-56: the three ways."""

    SACRIFICE = "sacrifice"
    RITE = "rite"
    QUEST = "quest"


@PURGING.event("pressure_fell")
class PressureFell(OfTrack):
    before: int
    after: int
    how: Purge

    def says(self, teller: Teller) -> str:
        falls = f"{track_name(self.track_of, teller)} falls from {self.before} to {self.after} ({self.how.value})"
        return f"{falls}. {teller.term(f'pressure_{self.after}')}"

    def fold(self, state: State) -> State:
        return with_step(state, self.track_of, self.after)


def eased(state: State, track: TrackOf, how: Purge) -> PressureFell:
    before = step(state, track)
    return PressureFell(track_of=track, before=before, after=before - 1, how=how)


def check_downtime(state: State, track: TrackOf) -> None:
    """SS-56: in downtime, and where there is something to shed."""
    if state.calendar.encounter is not None:
        raise Refusal(f"“{state.calendar.encounter}” is going on; this takes downtime.", code="no_downtime")
    if not step(state, track):
        raise Refusal(f"{state.terms['pressure']} is at 0 already.", code="no_pressure")


# ---------------------------------------------------------------- sacrifice


def sacrifice(standing: Standing, key: str) -> Standing:
    """SS-56: the score drops by 1 within its rails; tokens and Stamina held are capped to its new size.

    A build point comes back for one above baseline, and no credit for any.
    """
    score, frame = standing.scores[key], frame_of(key)
    if score <= frame.least:
        raise NotForSale(f"{key} is {score} and can't drop below {frame.least}.")
    return replace(
        standing,
        scores={**standing.scores, key: score - 1},
        stamina=min(standing.stamina, score - 1) if key == STAMINA else standing.stamina,
        tokens=min(standing.tokens, score - 1) if key == standing.luck else standing.tokens,
        points=standing.points + int(score > frame.start),
    )


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
        left = state.characters[self.who].sheet.rescored({self.key: self.score})
        return state.changed(self.who, **left, points=self.points, luck=self.luck, stamina=self.stamina)


@PURGING.command("sacrifice", actor="who")
class MakeSacrifice(Command):
    """Give up a treasured thing, or a point of a score, for 1 Pressure less. In downtime."""

    who: Annotated[CharacterId, Doc("who gives it up")]
    item: Annotated[Name | None, Doc("the thing, which must be carried")] = None
    score: Annotated[ScoreKey | None, Doc("the key of the score, STM for Stamina")] = None
    shared: Shared = False

    def does(self, call: Call) -> list[Any]:
        """SS-56: a score stays within the rails; above baseline a build point comes back."""
        who = find_hero(call.state, self.who)
        track = track_of(call.state, who.id, shared=self.shared)
        check_acts(call, who)
        check_downtime(call.state, track)
        if (self.item is None) == (self.score is None):
            raise Refusal("Give up one thing: a treasured item or a point of a score.", code="sacrifice")
        fell = eased(call.state, track, Purge.SACRIFICE)
        if self.item:
            return [ItemLost(who=who.id, item=find_item(who, self.item).name), fell]
        key = known_score(call.state.options, self.score or "")
        left = sacrifice(Standing.of(who.sheet), key)
        given = ScoreSacrificed(
            who=who.id, key=key, score=left.scores[key], points=left.points, luck=left.tokens, stamina=left.stamina
        )
        return [given, fell]


# ---------------------------------------------------------------- rite


RITE = trial_card("{who} undergoes a rite of {attribute}", "{who} undergoes a rite", "to be cleansed")


@PURGING.command("rite", **TESTED, card=RITE)
class PerformRite(Trial):
    """Spend the session in a cleansing: a test of an attribute, success takes 1 Pressure off. In downtime."""

    stakes: Annotated[Words, Suggests("rite"), Doc("which rite, or what is at stake, unless the request says so")] = ""
    shared: Shared = False

    def does(self, call: Call) -> Doing[Roll]:
        """SS-56: it costs the session either way; success takes 1 off, failure nothing."""
        state, who = call.state, find_hero(call.state, self.who)
        track = track_of(state, who.id, shared=self.shared)
        check_free(call, track)
        check_downtime(state, track)
        ready = self.ready(call)
        roll = yield nudged_test(*ready.rolled_with)
        busy = new_condition(
            state, call.fresh, "in a rite", who=who.id, until=Until.EVENING_ENDS, numbers={IN_A_RITE: 1}
        )
        told = [*ready.told(call, roll), busy]
        return [*told, eased(state, track, Purge.RITE)] if roll.success else told


# ---------------------------------------------------------------- quests


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
"""SS-56: each with whose own track it would clear."""


@KEPT_QUESTS.put("quest_set")
class QuestSet(Event):
    quest: Quest

    def says(self, teller: Teller) -> str:
        return f"a quest that would clear {track_name(self.quest.who, teller)}: {self.quest.objective}"


@PURGING.command("set_quest")
class SetQuest(Command):
    """Name an objective that clears a track when it is met."""

    objective: Annotated[Said, Doc("what has to be done")]
    who: Annotated[CharacterId | None, Doc("whose own track it clears; nobody named means the table's")] = None

    def does(self, call: Call) -> list[QuestSet]:
        return [QuestSet(quest=KEPT_QUESTS.new(call, self, who=track_of(call.state, self.who)))]


@KEPT_QUESTS.taken("quest_done", says="the quest is done: {quest.objective}")
class QuestDone(Event):
    quest: Quest


@PURGING.command("complete_quest")
class CompleteQuest(Command):
    """Say that a quest is done. Its track is clear."""

    quest: Annotated[QuestId, Doc("the quest")]

    def does(self, call: Call) -> list[Any]:
        """SS-56: done, it clears the track."""
        quest = KEPT_QUESTS.find(call, self.quest)
        done, before = QuestDone(quest=quest), step(call.state, quest.who)
        return [done, PressureFell(track_of=quest.who, before=before, after=0, how=Purge.QUEST)] if before else [done]
