"""Story structure: perilous beats, milestones and what they buy, and clocks that tick when the players stall.

SS-27, SS-60 to SS-64, SS-66, SS+01. SS-66: moves are dealt for every game in `astragal.table.chapters.oracle`. Scenes
and drafts are the same for every game too, in `astragal.table.chapters.scenes` and `drafts`. SS-63: scenes are a
directed graph; each has two to four numbered ways on, one of them risky or hidden, and an ending has none. Players see
no hidden way, and no gap in the numbers. SS-64: a scene is told in hook, action and consequence, 200 to 500 words in
all; another length is remarked on and accepted.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Self

from astragal.game import Chapter, Command, Event, Refusal, Seen, Teller, Value, meters, replace
from astragal.game.display import Piece, Pips, Proposal
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, Names, OfPlayers, Suggests, Words
from astragal.game.point_buy import Build
from astragal.game.shared import Clock, ClockStarted, ClockTicked, MoveDealt, ticked

from .luck import refilled
from .options import Companion, MilestoneOption
from .scores import STAMINA, frame_of
from .state import Call, RequiredWords, Sheet, State, find_hero, heroes, known_score

STORY = Chapter(seen=Seen.ALL)

BEATS = 3
"""SS-60: number of beats from which a milestone is due; with one more it is overdue."""

# ---------------------------------------------------------------- what points buy


class NotForSale(Refusal):
    code = "not_for_sale"


class Standing(Value, kw_only=False):
    """The numbers of a hero that advancement and sacrifice can change."""

    scores: Build
    luck: str
    """The key of the Luck attribute, whose score is the pool's size."""
    stamina: int
    tokens: int
    points: int = 0

    @classmethod
    def of(cls, sheet: Sheet) -> Self:
        return cls(
            scores={**sheet.scores.open, STAMINA: sheet.stamina_most},
            luck=sheet.luck_key,
            stamina=sheet.stamina,
            tokens=sheet.luck,
            points=sheet.points,
        )


def points_given(option: MilestoneOption) -> int:
    """SS-61: two build points. A flat milestone gives one rise, which is held and spent as one point."""
    if option is MilestoneOption.FLAT:
        return 1
    return 2


def price(key: str, score: int, rise: int, option: MilestoneOption) -> int | None:
    """SS-61: cost of raising a score, or None if the rise can't be bought at once."""
    if rise < 1:
        return None
    points_below = max(0, frame_of(key).start - score)
    match option:
        case MilestoneOption.BUILD_POINTS:  # up to baseline a point costs 1, above it 2
            rise_below = min(points_below, rise)
            rise_above = rise - rise_below
            return rise_below + 2 * rise_above
        case MilestoneOption.PAIRED:
            is_pair_below = rise == 2 and points_below >= 2
            return 2 if rise == 1 or is_pair_below else None
        case MilestoneOption.FLAT:
            return 1 if rise == 1 else None


def buy(standing: Standing, key: str, rise: int, option: MilestoneOption) -> Standing:
    """SS-61: raise a score. Stamina raises its present value too, Luck only the pool's size. SS-62: rails hold."""
    score = standing.scores[key]
    risen = score + rise
    ceiling = frame_of(key).most
    if risen > ceiling:
        raise NotForSale(f"{key} is {score}; {risen} would be past its ceiling of {ceiling}.")
    cost = price(key, score, rise, option)
    if cost is None:
        raise NotForSale(f"{key} +{rise} can't be bought at once.")
    if cost > standing.points:
        raise NotForSale(f"{key} +{rise} costs {cost} and {standing.points} are held.")
    stamina = standing.stamina
    if key == STAMINA:
        stamina += rise
    scores = {**standing.scores, key: risen}
    return replace(standing, scores=scores, stamina=stamina, points=standing.points - cost)


def bought(standing: Standing, rises: Iterable[tuple[str, int]], option: MilestoneOption) -> Standing:
    """SS-61: buy one rise after the other, each from the points that are left."""
    for key, rise in rises:
        standing = buy(standing, key, rise, option)
    return standing


def settled(standing: Standing, option: MilestoneOption) -> Standing:
    """SS-27, SS-61: refill the pool after the purchases; a pair keeps no points. Tokens past the pool's size stay."""
    points = 0 if option is MilestoneOption.PAIRED else standing.points
    pool_size = standing.scores[standing.luck]
    return replace(standing, points=points, tokens=max(standing.tokens, pool_size))


# ---------------------------------------------------------------- beats


@STORY.event("beat_marked", says="a perilous beat, number {beats}[: {what}]")
class BeatMarked(Event):
    what: Words
    beats: int

    def fold(self, state: State) -> State:
        return state.with_game(beats=self.beats)


@STORY.command("mark_beat")
class MarkBeat(Command):
    """Mark a perilous beat: peril survived, a revelation earned. Three or four make a milestone."""

    what: Annotated[Words, Label("what it was")] = ""

    def does(self, call: Call) -> list[BeatMarked]:
        return [BeatMarked(what=self.what, beats=call.state.game.beats + 1)]


@STORY.event("milestone_due", says="{beats} beats: a milestone is {overdue:overdue|due}")
class MilestoneDue(Event):
    beats: int
    overdue: bool


@STORY.after(BeatMarked)
def beats_call_for_milestone(_: State, marked: BeatMarked) -> list[MilestoneDue]:
    """SS-60: due after 3, overdue after 4."""
    if marked.beats < BEATS:
        return []
    return [MilestoneDue(beats=marked.beats, overdue=marked.beats > BEATS)]


@STORY.board
def perilous_beats(state: State) -> Sequence[Piece]:
    beats = state.game.beats
    if not beats:
        return []
    return [Pips("Perilous beats", beats, max(beats, BEATS))]


@STORY.due
def milestone_due(state: State, _: Teller) -> Iterator[str]:
    """SS-60: due after 3 beats, overdue after 4. A reminder comes one beat before, too."""
    beats = state.game.beats
    if beats > BEATS:
        yield f"{beats} perilous beats: a milestone is overdue (milestone)."
    elif beats == BEATS:
        yield f"{beats} perilous beats: a milestone is due (milestone)."
    elif beats == BEATS - 1:
        yield "With the next perilous beat (mark_beat) a milestone is due."


# ---------------------------------------------------------------- milestones


@STORY.event("milestone_reached", says="a milestone for {who}: {points} to spend, and a boon: {boon}")
class MilestoneReached(Event):
    who: tuple[CharacterId, ...]
    points: int
    boon: Words

    def fold(self, state: State) -> State:
        """SS-61: the count of beats returns to 0; Pressure stays."""
        for who in self.who:
            sheet = state.characters[who].sheet
            state = state.changed(
                who, points=sheet.points + self.points, boons=(*sheet.boons, self.boon), milestone_open=True
            )
        return state.with_game(beats=0)


@STORY.command("milestone")
class GrantMilestone(Command):
    """Give heroes a milestone: build points, a boon in words, and a full pool once they have chosen."""

    boon: Annotated[RequiredWords, Suggests("boon"), Doc("the boon: an ally, a relic, a favour, a scar, access")]
    who: Annotated[
        tuple[CharacterId, ...], OfPlayers(), Label("for whom"), Doc("which heroes; nobody named means all")
    ] = ()

    def does(self, call: Call) -> list[MilestoneReached]:
        """SS-61: a hero has to use the last milestone before the next."""
        recipients = [find_hero(call.state, who) for who in dict.fromkeys(self.who)]
        if not recipients:
            recipients = heroes(call.state)
        if not recipients:
            raise Refusal("There is no hero for this milestone.", code="nobody")
        names_with_open_one = [hero.name for hero in recipients if hero.sheet.milestone_open]
        if names_with_open_one:
            names = " and ".join(names_with_open_one)
            raise Refusal(f"{names} still has the last milestone to use (advance).", code="milestone_open")
        points = points_given(call.state.options.milestone)
        return [MilestoneReached(who=tuple(hero.id for hero in recipients), points=points, boon=self.boon)]


@STORY.event("advanced")
class Advanced(Event):
    who: CharacterId
    scores: Mapping[str, int]
    """New scores of what has risen, by key."""
    stamina: int
    points: int
    """Build points left."""
    closes: bool
    """True if this uses up a milestone, so that the pool is filled."""

    def says(self, teller: Teller) -> str:
        risen = [f"{teller.term(key)} {score}" for key, score in self.scores.items()]
        gains = ", ".join(risen)
        if not risen:
            gains = "keeps the points"
        return f"{teller.name(self.who)} advances: {gains}; {self.points} left"

    def changes(self, sheet: Sheet) -> Sheet:
        """SS-61: bought Stamina raises the present value too; Luck is a score like the others here."""
        return replace(
            sheet,
            **sheet.rescored(self.scores),
            stamina=self.stamina,
            points=self.points,
            milestone_open=sheet.milestone_open and not self.closes,
        )


@STORY.command("advance", actor="who")
class Advance(Command):
    """Raise scores with build points. This closes an open milestone and fills the pool."""

    who: Annotated[CharacterId, Doc("whose scores rise")]
    rises: Annotated[
        Mapping[str, Annotated[int, Ge(1), Le(10)]],
        Names("score"),
        Label("how far each rises"),
        Doc("how far each score rises; nothing keeps the points"),
    ] = {}

    def does(self, call: Call) -> list[Advanced]:
        """SS-61, SS-62: buy the rises. If this closes a milestone, the pool is filled after them."""
        options = call.state.options
        who = find_hero(call.state, self.who)
        closes = who.sheet.milestone_open
        rise_by_key = {known_score(options, key): rise for key, rise in self.rises.items()}
        if not rise_by_key and not closes:
            raise Refusal("Say what is to rise.", code="no_change")
        present = Standing.of(who.sheet)
        advanced = bought(present, rise_by_key.items(), options.milestone)
        if closes:
            advanced = settled(advanced, options.milestone)
        risen = {}
        for key, score in advanced.scores.items():
            if score != present.scores[key]:
                risen[key] = score
        return [
            Advanced(
                who=who.id,
                scores=risen,
                stamina=advanced.stamina,
                points=advanced.points,
                closes=closes,
            )
        ]


@STORY.after(Advanced)
def milestone_fills_the_pool(state: State, advanced: Advanced) -> list[meters.Gained]:
    """SS-61: the refill follows the purchases of a milestone. Later ones raise the pool's size only."""
    if not advanced.closes:
        return []
    return refilled(state.characters[advanced.who])


@STORY.proposes
def advancement_due(state: State, _: Teller) -> Iterator[Proposal]:
    """SS-61: propose to use an open milestone, which fills the pool."""
    for hero in heroes(state):
        if hero.sheet.milestone_open:
            about = f"A milestone to use: {hero.sheet.points} to spend."
            yield Proposal(about, "advance", "advance", (("who", hero.id),), who=hero.id)


# ---------------------------------------------------------------- when the players stall

FEWEST_TICKS = 4
MOST_TICKS = 8


@STORY.after(MoveDealt)
def escalation_ticks_a_clock(state: State, dealt: MoveDealt) -> list[ClockTicked]:
    """SS-66: tick the clock of a move that advances one. Omens, terrain and bargains are only told."""
    clock = state.clocks.get(dealt.clock or "")
    if clock is None or not state.options.plays(Companion.CLOCKS):
        return []
    return [ticked(clock, 1)]


@STORY.event(
    "clock_measured", secret=True, says="the clock {clock.name} has {clock.hands.size} ticks; 4 to 8 are this game’s"
)
class ClockMeasured(Event):
    clock: Clock


@STORY.after(ClockStarted)
def measure_clock(state: State, started: ClockStarted) -> list[ClockMeasured]:
    """SS+01: remark on a clock without the 4 to 8 ticks of this game. It runs all the same."""
    is_usual = FEWEST_TICKS <= started.clock.hands.size <= MOST_TICKS
    if is_usual or not state.options.plays(Companion.CLOCKS):
        return []
    return [ClockMeasured(clock=started.clock)]
