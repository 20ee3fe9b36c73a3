"""Pools: points declared before a roll, the Effort limit, and what Edge makes of them. SP-03, SP-04, SP-20, SP-21."""

from __future__ import annotations

from typing import Annotated

from astragal.game import (
    GAME_MASTER_ONLY,
    Chapter,
    Character,
    Command,
    Event,
    Meter,
    Nature,
    Refusal,
    Seen,
    Teller,
    replace,
)
from astragal.game.fields import Doc, Words
from astragal.game.shared import Rest

from .catalogue import Pool
from .state import Call, EdgeRule, Sheet, State, reason

POOLS = Chapter(seen=Seen.ALL)

MOST_EFFORT = 9

# ---------------------------------------------------------------- what may be spent


def meter_of(pool: Pool) -> Meter:
    """SP-02, SP-03: points that went into a roll are gone whether or not it succeeded."""

    def restored(state: State, who: Character[Sheet], rest: Rest) -> int:
        """SP+03: a long rest gives everything back, and so does care. A short one is rolled for."""
        return who.sheet.numbers.pool(pool).most if state.options.rests and rest is not Rest.SHORT else 0

    return Meter(
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
