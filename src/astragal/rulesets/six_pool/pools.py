"""Pools: points declared before a roll, the Effort limit, the effect of Edge, and rests that give points back.

SP-03, SP-04, SP-20, SP-21, SP+03.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from astragal.chance import Rolls, d6, rule
from astragal.game import Chapter, Character, Command, Doing, Event, Nature, Refusal, Seen, Teller, meters, replace
from astragal.game.display import Proposal, RollCard
from astragal.game.fields import CharacterId, Doc, Ge, Le, Named, Names, Words
from astragal.game.shared import Rest, Rested

from .catalogue import Pool, by_pool, pool_called
from .state import HIGHEST_LEVEL, Call, EdgeRule, Sheet, State

POOLS = Chapter(seen=Seen.ALL)

MOST_EFFORT = 9

# ---------------------------------------------------------------- what may be spent


def meter_of(pool: Pool) -> meters.Meter:
    """SP-02, SP-03: the meter of a pool. Points that went into a roll are gone whether or not it succeeded."""

    def restored(state: State, who: Character[Sheet], rest: Rest) -> int:
        """SP+03: a long rest gives everything back, and so does care. A short one is rolled for."""
        if not state.options.rests or rest is Rest.SHORT:
            return 0
        return who.sheet.numbers.pool(pool).most

    return meters.Meter(
        pool.value,
        most=lambda sheet: sheet.numbers.pool(pool).most,
        seen=Seen.ALL,
        read=lambda sheet: sheet.numbers.pool(pool).now,
        write=lambda sheet, now: sheet.with_pool(pool, now),
        closed=lambda sheet: sheet.is_closed,
        loses="spends",
        gains="regains",
        rest=restored,
        override=f"points now in {pool}",
    )


POINTS = {pool: meter_of(pool) for pool in Pool}


@POOLS.names("pool")
def pools_named(state: State) -> list[Named]:
    return [Named(pool, state.terms.get(pool, pool)) for pool in Pool]


def check_pools(names: Iterable[str]) -> None:
    for name in names:
        if pool_called(name) is None:
            raise Refusal(f"There is no pool {name[:20]!r}; there are {', '.join(Pool)}.", code="no_pool")


def steps_by(level: int) -> int:
    """Count the levels 5, 9, 13 and 17 that are reached."""
    return (level - 1) // 4


def effort_limit(level: int, *, primary: bool) -> int:
    """SP-04: 3 points a roll, one more at 5, 9, 13 and 17, and 2 more in the primary pool."""
    limit = 3 + steps_by(level)
    if primary:
        limit += 2
    return limit


def effort_of(who: Character[Sheet], pool: Pool) -> int:
    """SP-04: the Effort limit, 2 higher in the primary pool."""
    return effort_limit(who.sheet.numbers.level, primary=who.sheet.primary is pool)


def most_points(who: Character[Sheet], pool: Pool) -> int:
    """SP-03, SP-21: the most points that a roll can take: up to the Effort limit and what the pool holds."""
    return min(effort_of(who, pool), who.sheet.numbers.pool(pool).now)


def check_points(who: Character[Sheet], pool: Pool, points: int) -> None:
    """SP-03, SP-04: refuse points beyond the Effort limit, or beyond what the pool holds."""
    limit = effort_of(who, pool)
    if points > limit:
        raise Refusal(f"{who.name}'s Effort limit in {pool} is {limit}, not {points}.", code="effort_limit")
    held = who.sheet.numbers.pool(pool).now
    if points > held:
        raise Refusal(f"{who.name} holds {held} {pool}, not {points}.", code="not_held")


# ---------------------------------------------------------------- what a point is worth


def edge_bonus(edge: int, edge_rule: EdgeRule) -> int:
    """SP-20: the bonus of Edge to a roll; 0 where it makes points count double instead."""
    if edge_rule is not EdgeRule.BONUS:
        return 0
    return edge


def doubled_points(edge: int, edge_rule: EdgeRule) -> int:
    """SP-20: how many of the points spent on a roll count double; none at Edge 0."""
    if edge_rule is not EdgeRule.EFFICIENCY or not edge:
        return 0
    return edge + 1


def worth(points: int, doubled: int) -> int:
    """SP-03, SP-20: a point is +1, and one that counts double +2."""
    return points + min(points, doubled)


def points_worth(state: State, who: Character[Sheet], pool: Pool, points: int) -> int:
    """SP-03, SP-20: the bonus that points of this pool add to a roll."""
    edge = who.sheet.numbers.pool(pool).edge
    doubled = doubled_points(edge, state.options.edge)
    return worth(points, doubled)


@POOLS.event(
    "edge_rule_changed",
    nature=Nature.LASTING,
    says="a change of rules: {Edge} is {after} from now on, no longer {before}[ ({why})]",
)
class EdgeRuleChanged(Event):
    """SP-20: the table changed its rules: Edge does something else from now on."""

    before: EdgeRule
    after: EdgeRule
    why: Words

    def fold(self, state: State) -> State:
        return replace(state, options=replace(state.options, edge=self.after))


@POOLS.command("change_edge_rule")
class ChangeEdgeRule(Command):
    """Change what Edge does, in mid-campaign. It is recorded for good as a change of rules."""

    edge: Annotated[EdgeRule, Doc("what Edge does from now on")]
    why: Annotated[Words, Doc("why")] = ""

    def does(self, call: Call) -> list[EdgeRuleChanged]:
        """SP-20: one option for the whole campaign; changing it is recorded as a change of rules."""
        before = call.state.options.edge
        if before is self.edge:
            raise Refusal(f"Edge is {before.value} already.", code="no_change")
        return [EdgeRuleChanged(before=before, after=self.edge, why=self.why)]


# ---------------------------------------------------------------- rests


@rule
def short_rest(level: Annotated[int, Ge(1), Le(HIGHEST_LEVEL), Doc("the level of who rests")]) -> Rolls[int]:
    """SP+03: 1d6 and the level, in points to spread over depleted pools."""
    face = yield from d6
    return face + level


@POOLS.event("breather_taken", says="each may roll for points to recover")
class BreatherTaken(Event):
    """SP+03: these characters may roll for their short rest."""

    who: tuple[CharacterId, ...]

    def fold(self, state: State) -> State:
        resting = dict.fromkeys((*state.game.resting, *self.who))
        return state.with_game(resting=tuple(resting))


@POOLS.event("short_rest_over", says="nothing is left to recover for {who}")
class ShortRestOver(Event):
    """SP+03: a long rest filled all pools, so that nothing is left to roll for or to spread."""

    who: tuple[CharacterId, ...]

    def fold(self, state: State) -> State:
        resting = [who for who in state.game.resting if who not in self.who]
        recovered = {who: points for who, points in state.game.recovered.items() if who not in self.who}
        return state.with_game(resting=tuple(resting), recovered=recovered)


@POOLS.after(Rested)
def short_rests_wait_for_a_roll(state: State, rested: Rested) -> list[BreatherTaken | ShortRestOver]:
    """SP+03: a short rest is rolled for and spread; a long one, or care, gives everything back."""
    if not state.options.rests:
        return []
    if rested.kind is Rest.SHORT:
        return [BreatherTaken(who=rested.who)]
    in_short_rest = {*state.game.resting, *state.game.recovered}
    over = tuple(who for who in rested.who if who in in_short_rest)
    if not over:
        return []
    return [ShortRestOver(who=over)]


@POOLS.event("points_recovered", says="{who} recovers {points} points to spread")
class PointsRecovered(Event):
    """SP+03: a short rest gave points to spread, added to those left from an earlier one."""

    who: CharacterId
    points: int

    def fold(self, state: State) -> State:
        resting = [who for who in state.game.resting if who != self.who]
        from_earlier_rest = state.game.recovered.get(self.who, 0)
        recovered = {**state.game.recovered, self.who: from_earlier_rest + self.points}
        return state.with_game(resting=tuple(resting), recovered=recovered)


@POOLS.command("recover", actor="who", card=RollCard(title="{who} catches their breath", short="A short rest"))
class Recover(Command):
    """Roll for a short rest: 1d6 and the level, in points to spread."""

    who: Annotated[CharacterId, Doc("who has rested")]

    def does(self, call: Call) -> Doing[int]:
        who = call.state.find(self.who)
        if self.who not in call.state.game.resting:
            raise Refusal(f"{who.name} has had no short rest to roll for.", code="not_rested")
        points = yield short_rest(who.sheet.numbers.level)
        return [PointsRecovered(who=self.who, points=points)]


@POOLS.event("points_spread")
class PointsSpread(Event):
    """SP+03: points went back into pools."""

    who: CharacterId
    points: Mapping[Pool, int]

    def says(self, teller: Teller) -> str:
        shares = []
        for pool, points in self.points.items():
            shares.append(f"{points} {teller.term(pool.value)}")
        return f"{teller.name(self.who)} recovers {', '.join(shares)}"

    def fold(self, state: State) -> State:
        recovered = {**state.game.recovered}
        recovered[self.who] -= sum(self.points.values())
        if not recovered[self.who]:
            del recovered[self.who]
        sheet = state.find(self.who).sheet
        for pool, points in self.points.items():
            meter = POINTS[pool]
            sheet = meter.put(sheet, meter.of(sheet) + points)
        return state.with_game(recovered=recovered).with_sheet(self.who, sheet)


@POOLS.command("spread", title="Spread points", actor="who")
class Spread(Command):
    """Put points from a short rest into depleted pools."""

    who: Annotated[CharacterId, Doc("who has rested")]
    points: Annotated[
        Mapping[str, Annotated[int, Ge(1), Le(99)]], Names("pool"), Doc("how many of the points go into each pool")
    ] = {}

    def does(self, call: Call) -> list[PointsSpread]:
        """SP+03: as the player likes, over pools that are not full."""
        who = call.state.find(self.who)
        points_to_spread = call.state.game.recovered.get(self.who, 0)
        check_pools(self.points)
        shares = by_pool(self.points)
        total = sum(shares.values())
        if not 0 < total <= points_to_spread:
            raise Refusal(f"{who.name} has {points_to_spread} points to spread, not {total}.", code="not_held")
        for pool, points in shares.items():
            room = POINTS[pool].room(who)
            if points > room:
                raise Refusal(f"{who.name}'s {pool} has room for {room}, not {points}.", code="full")
        return [PointsSpread(who=self.who, points=shares)]


def shares_of(who: Character[Sheet], points: int) -> dict[str, int]:
    """SP+03: propose shares: each point goes where most is lacking. The player may choose others."""
    room_by_pool = {pool: POINTS[pool].room(who) for pool in Pool}
    shares = Counter[str]()
    for _ in range(min(points, sum(room_by_pool.values()))):
        emptiest = max(room_by_pool, key=lambda pool: room_by_pool[pool])
        room_by_pool[emptiest] -= 1
        shares[emptiest.value] += 1
    return dict(shares)


@POOLS.proposes
def rests_to_take(state: State, _: Teller) -> Iterator[Proposal]:
    """SP+03: ask characters who rested to roll, and to spread their points, while a pool is depleted."""

    def is_depleted(who: str) -> bool:
        if who not in state.characters:
            return False
        return any(POINTS[pool].room(state.characters[who]) for pool in Pool)

    for who in state.game.resting:
        if is_depleted(who):
            yield Proposal("Roll for the points of a short rest.", "recover", "recover", (("who", who),), who=who)
    for who, points in state.game.recovered.items():
        if is_depleted(who):
            shares = shares_of(state.characters[who], points)
            about = f"{points} points to spread over your pools."
            yield Proposal(about, "spread", "spread", (("who", who), ("points", shares)), who=who)
