"""Contests: two sides declare their points in secret, both roll, the higher total wins. SP-13."""

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from astragal.chance import Offer, Rolls, Together, rule
from astragal.game import WITHHELD, Chapter, Command, Doing, Event, Kept, Nature, Refusal, Seen, Teller, Value, replace
from astragal.game.display import RollCard, Tone, Went
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, MaySet, Name, Names, Seldom, Usual
from astragal.game.rolls import Advantage, Disadvantage, footing, terms

from .catalogue import CONTESTS as BOOK_CONTESTS
from .catalogue import ContestPreset, Pool, Side, pool_called
from .checks import skilled_check
from .pools import doubled_points, most_points, points_worth, worth
from .rerolls import INSPIRATION, NO_REROLLS, Again, Asks, Declared, Thrown, throw_rerolled, used_up
from .rolls import Attempt, Bonus, Modifier, ShownDie, ground, standing_terms
from .state import Call, RollKind, State, WithPoints, check_able, find_skill

CONTESTS = Chapter(seen=Seen.ALL)

DECLARE = "declare"
"""Name of the sealed offers."""

# ---------------------------------------------------------------- the rule


class Contender(Value, kw_only=False):
    """One side of a contest, before it declares."""

    bonus: Bonus = 0
    most: Annotated[int, Ge(0), Le(9), Doc("points that may be declared")] = 0
    doubled: Annotated[int, Ge(0), Le(4), Doc("how many of them count double")] = 0
    helped: Annotated[bool, Doc("whether anything gives advantage")] = False
    hindered: Annotated[bool, Doc("whether anything gives disadvantage")] = False
    inspired: Annotated[bool, Doc("whether Inspiration is held")] = False
    with_points: Annotated[WithPoints, Doc("whether it goes together with points")] = WithPoints.REROLL_ONLY
    again: Again = NO_REROLLS

    @property
    def declarations(self) -> Mapping[int | str, Declared]:
        """SP-13: every declaration that a side may make, none first."""
        declaration_by_answer: dict[int | str, Declared] = {}
        for points in range(self.most + 1):
            declaration_by_answer[points] = Declared(points)
        if self.inspired:
            declaration_by_answer[INSPIRATION] = Declared(inspired=True)
        if self.inspired and self.with_points is WithPoints.YES:
            for points in range(1, self.most + 1):
                declaration_by_answer[f"{INSPIRATION} and {points}"] = Declared(points, inspired=True)
        return declaration_by_answer


UNSKILLED = Contender()
USUAL_SIDE = Usual(0, 10, Contender, "a bonus of")
"""SP-06, SP-13: range for a side with closed numbers: untrained to a master at the highest level, without points."""


class SideRoll(NamedTuple):
    declared: Declared
    thrown: Thrown
    total: int


class Outcome(Enum):
    """Outcome of a contest, as a preview counts it."""

    ACTOR_WINS = "the actor wins"
    TIE_TO_ACTOR = "a tie, which is the actor's"
    TIE = "a tie"
    HOLDER_WINS = "the holder wins"


class BothRolls(NamedTuple):
    """Both rolls of a contest, and who wins a tie."""

    actor: SideRoll
    holder: SideRoll
    tie_to: Side

    @property
    def margin(self) -> int:
        """The actor's lead, negative if behind."""
        return self.actor.total - self.holder.total

    @property
    def is_tie(self) -> bool:
        return self.margin == 0

    @property
    def winner(self) -> Side:
        """SP-13: the higher total wins; a tie is the defender's or leaves things as they are, as the call says."""
        if self.is_tie:
            return self.tie_to
        return Side.ACTOR if self.margin > 0 else Side.HOLDER

    @property
    def outcome(self) -> Outcome:
        if self.is_tie:
            return Outcome.TIE_TO_ACTOR if self.tie_to is Side.ACTOR else Outcome.TIE
        return Outcome.ACTOR_WINS if self.winner is Side.ACTOR else Outcome.HOLDER_WINS


@rule
def contest(
    actor: Annotated[Contender, USUAL_SIDE, Doc("the side that wants something")] = UNSKILLED,
    holder: Annotated[Contender, USUAL_SIDE, Doc("the side that holds out")] = UNSKILLED,
    tie_to: Annotated[Side, Doc("who has a tie")] = Side.HOLDER,
) -> Rolls[BothRolls]:
    """SP-13: both declare in secret, both roll, the higher total wins. Naturals have no force of their own here."""
    actor_declaring = declaring(Side.ACTOR, actor)
    holder_declaring = declaring(Side.HOLDER, holder)
    actor_answer: int | str = 0
    holder_answer: int | str = 0
    if actor_declaring.has_choice and holder_declaring.has_choice:
        actor_answer, holder_answer = yield from Together((actor_declaring.offer, holder_declaring.offer))
    elif actor_declaring.has_choice:  # a side with nothing to declare is not asked
        actor_answer = yield from actor_declaring.offer
    elif holder_declaring.has_choice:
        holder_answer = yield from holder_declaring.offer
    actor_roll = yield from side_roll(Side.ACTOR, actor, actor_declaring.declarations[actor_answer])
    holder_roll = yield from side_roll(Side.HOLDER, holder, holder_declaring.declarations[holder_answer])
    return BothRolls(actor_roll, holder_roll, tie_to)


class Declaring(NamedTuple):
    """SP-13: all that a side may declare, by its answers, and the offer of it."""

    declarations: Mapping[int | str, Declared]
    offer: Offer[int | str]

    @property
    def has_choice(self) -> bool:
        return len(self.declarations) > 1


@lru_cache(maxsize=256)
def declaring(side: Side, contender: Contender) -> Declaring:
    """SP-13: what a side may declare.

    Cached: it saves laying the offer out anew for all dice of both sides. It depends on its arguments alone, so only
    newer contenders push older ones out.
    """
    declarations = contender.declarations
    return Declaring(declarations, Offer(side.value, DECLARE, tuple(declarations)))


def side_roll(side: Side, contender: Contender, declared: Declared) -> Rolls[SideRoll]:
    """SP-13: no roll is enough before the other is seen, so rerolls are offered on any die."""
    is_helped = contender.helped or declared.inspired
    stance = footing(helped=is_helped, hindered=contender.hindered)
    again = contender.again.after(declared, contender.with_points)
    thrown = yield from throw_rerolled(stance, again, lambda natural: False, side.value)
    effort = worth(declared.points, contender.doubled)
    return SideRoll(declared, thrown, total=thrown.natural + contender.bonus + effort)


class ShownSide(ShownDie, seen=Seen.ALL):
    """SP-13: one side of a contest."""

    who: str

    def log_line(self, teller: Teller) -> str:
        return f"{teller.name(self.who)}, {self.aim.words(teller)}: {self.words(teller)}"


@CONTESTS.event("contested")
class Contested(Event):
    actor: ShownSide
    holder: ShownSide
    winner: Side
    margin: int
    """The winner's lead, 0 for a tie."""

    def says(self, teller: Teller) -> str:
        winner = self.actor if self.winner is Side.ACTOR else self.holder
        verdict = f"wins by {self.margin}" if self.margin else "has the tie"
        actor = self.actor.log_line(teller)
        holder = self.holder.log_line(teller)
        return f"{actor}; {holder}. {teller.name(winner.who)} {verdict}"

    def went(self, teller: Teller) -> Went:
        actor = teller.name(self.actor.who)
        holder = teller.name(self.holder.who)
        if self.winner is Side.ACTOR:
            return Went(Tone.GOOD, f"{actor} wins")
        return Went(Tone.BAD, f"{holder} holds out")


# ---------------------------------------------------------------- the command


class Entrant(Attempt, kw_only=False):
    """One side of a contest as the command names it."""

    def contender(self, state: State, asks: Asks) -> Contender:
        points = self.who.sheet.numbers.pool(self.aim.pool)
        return Contender(
            bonus=self.bonus,
            most=most_points(self.who, self.aim.pool),
            doubled=doubled_points(points.edge, state.options.edge),
            helped=bool(self.ground.helps),
            hindered=bool(self.ground.hinders),
            inspired=bool(self.who.sheet.inspiration),
            with_points=state.options.inspiration_with_points,
            again=Again.held_by(self.who.sheet, self.aim.kind, self.aim.pool, asks),
        )

    def shown_side(self, state: State, roll: SideRoll) -> ShownSide:
        """Make the side as the event shows it, with what it declared."""
        effort = points_worth(state, self.who, self.aim.pool, roll.declared.points)
        entrant = replace(self, terms=(*self.terms, *terms(effort=effort)))
        if roll.declared.inspired:
            entrant = replace(entrant, ground=self.ground.also(helps=(INSPIRATION,)))
        return ShownSide(
            aim=entrant.aim,
            footing=entrant.ground.footing,
            because=entrant.ground.because,
            terms=entrant.terms,
            natural=roll.thrown.natural,
            rerolled=roll.thrown.rerolled,
            who=self.who.id,
            total=roll.total,
        )

    def used_up(self, state: State, roll: SideRoll) -> Iterator[Event]:
        return used_up(state, self.who, self.aim.pool, roll.declared, roll.thrown.rerolled)


class NamedSide(NamedTuple):
    """What the command says about one side."""

    who: str
    skill: str | None
    pool: Pool | None
    modifier: int
    advantage: Advantage
    disadvantage: Disadvantage


@CONTESTS.command(
    "contest",
    actor="who",
    outcome=lambda rolls: rolls.outcome,
    hopes=lambda outcome: outcome in (Outcome.ACTOR_WINS, Outcome.TIE_TO_ACTOR),
    bid=DECLARE,
    card=RollCard(
        title="{who} against {against}",
        short="{who} against somebody",
        notes=("{contest}",),
        hopes="to win",
        verb="Begin",
        target="against",
        choose=("contest",),
        usual=(("contest", next(iter(BOOK_CONTESTS))),),
        sides=(("who", "actor"), ("against", "holder")),
        side="{total}",
        spends="effort",
    ),
)
class Contest(Command):
    """Roll against somebody else. Both declare their points in secret and at the same time."""

    who: Annotated[CharacterId, Doc("who wants something")]
    against: Annotated[CharacterId, Doc("who holds out")]
    contest: Annotated[Name | None, Names("contest"), Doc("one of the common contests; it says what both roll")] = None
    skill: Annotated[Name | None, Names("skill"), Doc("what the actor rolls, where no contest says it")] = None
    pool: Annotated[Pool | None, Doc("the actor's pool, or which of a contest's pools")] = None
    against_skill: Annotated[
        Name | None, Names("skill"), Doc("what the other side rolls"), Seldom(), MaySet.PROPOSAL
    ] = None
    against_pool: Annotated[Pool | None, Doc("the other side's pool"), Seldom(), MaySet.PROPOSAL] = None
    tie_to: Annotated[
        Side | None,
        Label("ties go to"),
        Doc("who has a tie; by default as the contest says, else the holder"),
        Seldom(),
        MaySet.PROPOSAL,
    ] = None
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    against_advantage: Annotated[tuple[Name, ...], Doc("what helps the other side"), Seldom()] = ()
    against_disadvantage: Annotated[
        tuple[Name, ...], Doc("what hinders the other side"), Seldom(), MaySet.PROPOSAL
    ] = ()
    modifier: Modifier = 0
    against_modifier: Annotated[
        int, Ge(-20), Le(20), Doc("what the situation adds to the other roll"), Seldom(), MaySet.PROPOSAL
    ] = 0
    rerolls: Annotated[Asks, Doc("whether both sides are asked for rerolls"), Seldom()] = Asks.ALWAYS

    def does(self, call: Call) -> Doing[BothRolls]:
        """SP-13: the call names who wins a tie; by default it is the one who holds out."""
        state = call.state
        if self.who == self.against:
            raise Refusal("You can't have a contest with yourself.", code="same_side")
        actor = self.entrant(call, Side.ACTOR)
        holder = self.entrant(call, Side.HOLDER)
        tie_to = self.tie_to
        if tie_to is None and self.contest is not None:
            tie_to = KEPT_CONTESTS.find(call, self.contest).tie_to
        elif tie_to is None:
            tie_to = Side.HOLDER
        rolls = yield contest(actor.contender(state, self.rerolls), holder.contender(state, self.rerolls), tie_to)
        contested = Contested(
            actor=actor.shown_side(state, rolls.actor),
            holder=holder.shown_side(state, rolls.holder),
            winner=rolls.winner,
            margin=abs(rolls.margin),
        )
        return [contested, *actor.used_up(state, rolls.actor), *holder.used_up(state, rolls.holder)]

    def named(self, side: Side) -> NamedSide:
        """The fields of the command that are about this side."""
        if side is Side.ACTOR:
            return NamedSide(
                who=self.who,
                skill=self.skill,
                pool=self.pool,
                modifier=self.modifier,
                advantage=self.advantage,
                disadvantage=self.disadvantage,
            )
        return NamedSide(
            who=self.against,
            skill=self.against_skill,
            pool=self.against_pool,
            modifier=self.against_modifier,
            advantage=self.against_advantage,
            disadvantage=self.against_disadvantage,
        )

    def entrant(self, call: Call, side: Side) -> Entrant:
        """One side and its roll, as named or as the contest says. Withheld if the viewer may not know its numbers."""
        state = call.state
        named = self.named(side)
        who = state.find(named.who)
        numbers: Any = who.sheet.numbers  # a viewer's sheet may withhold them, which its type does not say
        if numbers is WITHHELD:
            return WITHHELD  # type: ignore[no-any-return]
        check_able(state, who, RollKind.CONTEST)
        skill = named.skill
        pool = named.pool
        if self.contest is not None and skill is None:
            skill, pool = rolled_in(state, KEPT_CONTESTS.find(call, self.contest), side, pool)
        skilled = skilled_check(state, who, skill, pool, RollKind.CONTEST)
        return Entrant(
            who=who,
            aim=skilled.aim,
            terms=standing_terms(state, who, skilled, named.modifier),
            ground=ground(state, who, skilled.aim.pool, named.advantage, named.disadvantage),
        )

    def sides(self, _: Call) -> Mapping[str, str]:
        return {Side.ACTOR.value: self.who, Side.HOLDER.value: self.against}

    def hides(self, call: Call) -> bool:
        """Return whether a side's numbers are closed: an opponent who declares could read them in the question."""
        return any(call.state.find(who).sheet.is_closed for who in (self.who, self.against))


KEPT_CONTESTS = Kept(CONTESTS, ContestPreset, "contests", "contest", key="name", book=BOOK_CONTESTS)


def rolled_in(state: State, preset: ContestPreset, side: Side, pool: Pool | None) -> tuple[str | None, Pool]:
    """Skill, if any, and pool that a side rolls: the contest's usual one, or the one that belongs to the named pool."""
    names = preset.actor if side is Side.ACTOR else preset.holder
    skill_by_pool: dict[Pool, str | None] = {}
    for name in names:
        bare_pool = pool_called(name)
        if bare_pool is not None:
            skill_by_pool.setdefault(bare_pool, None)
        else:
            skill = find_skill(state, name)
            skill_by_pool.setdefault(skill.pool, name)
    if pool is None:
        pool = next(iter(skill_by_pool))
    if pool not in skill_by_pool:
        pools = " or ".join(skill_by_pool)
        raise Refusal(f"{preset.name.capitalize()} is rolled with {pools}, not {pool}.", code="other_pool")
    return skill_by_pool[pool], pool


@KEPT_CONTESTS.put("contest_added", nature=Nature.LASTING, says="a contest of this table: {contest.name}")
class ContestAdded(Event):
    contest: ContestPreset


@CONTESTS.command("add_contest")
class AddContest(Command):
    """Add a contest to the table's book. Each side rolls a skill or a pool of its own choice among those named."""

    name: Annotated[Name, Doc("what it is called")]
    actor: Annotated[
        tuple[Name, ...], Label("who acts rolls"), Doc("skills or pools for the side that wants something")
    ]
    holder: Annotated[
        tuple[Name, ...], Label("who holds out rolls"), Doc("skills or pools for the side that holds out")
    ]
    tie_to: Annotated[Side, Label("ties go to")] = Side.HOLDER

    def does(self, call: Call) -> list[ContestAdded]:
        """SP-13: both sides need something to roll."""
        if not self.actor or not self.holder:
            raise Refusal("Each side of a contest needs a skill or a pool.", code="no_skill")
        preset = KEPT_CONTESTS.new(
            call,
            self,
            actor=as_spelled(call.state, self.actor),
            holder=as_spelled(call.state, self.holder),
        )
        return [ContestAdded(contest=preset)]


def as_spelled(state: State, names: tuple[str, ...]) -> tuple[str, ...]:
    """Pools and skills as the book spells them."""
    return tuple(pool_called(name) or find_skill(state, name).name for name in names)
