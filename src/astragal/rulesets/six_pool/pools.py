"""Pools: points declared before a roll, the Effort limit, and what Edge makes of them. SP-03, SP-04, SP-20, SP-21."""

from __future__ import annotations

from typing import Annotated

from astragal.game import (
    GAME_MASTER_ONLY,
    Chapter,
    Character,
    Command,
    Event,
    Nature,
    Price,
    Refusal,
    Seen,
    Teller,
    replace,
)
from astragal.game.fields import CharacterId, Doc, Words

from .catalogue import Pool
from .state import Call, EdgeRule, Sheet, State, find, reason

POOLS = Chapter(seen=Seen.ALL)

MOST_EFFORT = 9

# ---------------------------------------------------------------- what may be spent


def steps_by(level: int) -> int:
    """Count the levels 5, 9, 13 and 17 that are reached."""
    return (level - 1) // 4


def effort_limit(level: int, *, primary: bool) -> int:
    """SP-04: 3 points a roll, one more at 5, 9, 13 and 17, and 2 more in the primary pool."""
    return 3 + steps_by(level) + (2 if primary else 0)


def effort_of(who: Character[Sheet], pool: Pool) -> int:
    """SP-04: the Effort limit, 2 higher in the primary pool."""
    return effort_limit(who.sheet.numbers.level, primary=who.sheet.primary is pool)


def most_points(who: Character[Sheet], pool: Pool) -> int:
    """SP-03, SP-21: up to the Effort limit and what the pool holds."""
    return min(effort_of(who, pool), who.sheet.numbers.pool(pool).now)


def check_points(who: Character[Sheet], pool: Pool, points: int) -> None:
    """SP-03, SP-04: what is spent must be held, and within the Effort limit."""
    limit, held = effort_of(who, pool), who.sheet.numbers.pool(pool).now
    if points > limit:
        raise Refusal(f"{who.name}'s Effort limit in {pool} is {limit}, not {points}.", code="effort_limit")
    if points > held:
        raise Refusal(f"{who.name} holds {held} {pool}, not {points}.", code="not_held")


# ---------------------------------------------------------------- what a point is worth


def edge_bonus(edge: int, edge_rule: EdgeRule) -> int:
    """SP-20: Edge is added to the roll, or saves points instead."""
    return edge if edge_rule is EdgeRule.BONUS else 0


def doubled_points(edge: int, edge_rule: EdgeRule) -> int:
    """SP-20: how many of the points spent on a roll count double; at Edge 0 none."""
    return edge + 1 if edge_rule is EdgeRule.EFFICIENCY and edge else 0


def worth(points: int, doubled: int) -> int:
    """SP-03, SP-20: a point is +1, and one that counts double +2."""
    return points + min(points, doubled)


def points_worth(state: State, who: Character[Sheet], pool: Pool, points: int) -> int:
    """SP-03, SP-20: what points of this pool add to a roll."""
    return worth(points, doubled_points(who.sheet.numbers.pool(pool).edge, state.options.edge))


@POOLS.event("edge_rule_changed", nature=Nature.LASTING)
class EdgeRuleChanged(Event):
    """SP-20: the table changed its rules: Edge does something else from now on."""

    before: EdgeRule
    after: EdgeRule
    why: Words

    def says(self, teller: Teller) -> str:
        change = f"{teller.term('Edge')} is {self.after.value} from now on, no longer {self.before.value}"
        return f"a change of rules: {change}{reason(self.why)}"

    def fold(self, state: State) -> State:
        return replace(state, options=replace(state.options, edge=self.after))


@POOLS.command("change_edge_rule", may=GAME_MASTER_ONLY)
class ChangeEdgeRule(Command):
    """Change what Edge does, in mid-campaign. It is recorded for good as a change of rules."""

    edge: Annotated[EdgeRule, Doc("what Edge does from now on")]
    why: Annotated[Words, Doc("why")] = ""

    def does(self, call: Call) -> list[EdgeRuleChanged]:
        """SP-20: one option for the whole campaign; whoever changes it has it recorded as a change of rules."""
        before = call.state.options.edge
        if before is self.edge:
            raise Refusal(f"Edge is {before.value} already.", code="no_change")
        return [EdgeRuleChanged(before=before, after=self.edge, why=self.why)]


# ---------------------------------------------------------------- points that are gone


def lose_points(state: State, who: str, pool: Pool, points: int) -> State:
    if who not in state.characters:
        return state
    sheet = find(state, who).sheet
    return state.with_sheet(who, sheet.with_pool(pool, max(0, sheet.numbers.pool(pool).now - points)))


class PointsLost(Event):
    """Points of a pool are gone: base of the two events that take them."""

    who: CharacterId
    pool: Pool
    points: int

    def fold(self, state: State) -> State:
        return lose_points(state, self.who, self.pool, self.points)


@POOLS.event("points_spent", owner="who", says="{who} spends {points} {pool}")
class PointsSpent(PointsLost):
    """SP-03: points went into a roll, and are gone whether or not it succeeded."""


@POOLS.event("points_paid", nature=Nature.LASTING, owner="who", says="{who} pays {points} {pool} for the rewind")
class PointsPaid(PointsLost):
    """The price of a rewind."""


def pay_points(state: State, points: int) -> list[PointsPaid]:
    """Each hero pays from the fullest pool; one who holds fewer pays all."""
    told = []
    for one in state.characters.values():
        held = {pool: one.sheet.numbers.pool(pool).now for pool in Pool} if one.sheet.is_hero else {}
        fullest = max(held, key=lambda pool: held[pool], default=None)
        if fullest is not None and held[fullest]:
            told.append(PointsPaid(who=one.id, pool=fullest, points=min(points, held[fullest])))
    if not told:
        raise Refusal("Nobody holds a point, so points can't pay for this.", code="price")
    return told


POINTS_PRICE = Price("points from each hero's fullest pool; one who holds fewer pays all", pay_points)
