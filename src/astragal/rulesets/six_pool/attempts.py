"""Somebody's attempt: all the numbers that go into a roll, gathered from the table. SP-01, SP-03, SP-18 to SP-20."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from astragal.table.chapters.conditions import modifier
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Call
from astragal.table.state import Character, State
from astragal.values import frozen

from .asked import Effort
from .circumstances import BONUS, Ground, Named, check_able, check_named, ground
from .options import Options
from .pools import Pool, doubled_points, edge_bonus, effort_limit, worth
from .sheet import RollKind, Sheet, find
from .shown import Aim, Term
from .trial.contests import Declared, WithPoints, rerolls_after
from .trial.rerolls import INSPIRATION, Again, Asks, Source


@frozen
class Skilled:
    """What somebody aims at, and what practice adds to it."""

    aim: Aim
    proficiency: int


@frozen
class Attempt:
    """All that goes into one roll."""

    who: Character[Sheet]
    aim: Aim
    terms: tuple[Term, ...]
    ground: Ground
    again: Again
    declared: Declared

    @property
    def bonus(self) -> int:
        """SP-01: everything that is added to the die."""
        return sum(term.amount for term in self.terms)


def attempt(call: Call, asked: Effort, skilled: Skilled, *, hidden: bool = False, boost: int = 0) -> Attempt:
    """The attempt that a command asks for, or a refusal with the numbers."""
    state, who, aim = call.state, find(call.state, asked.who), skilled.aim
    declared = Declared(asked.points, asked.inspiration)
    named = Named(asked.advantage, asked.disadvantage)
    check_able(state, who, aim.kind)
    check_named(call, named)
    check_declared(state, who, aim.pool, declared)
    terms = (
        *standing_terms(state, who, skilled, asked.modifier),
        *_term("effort", points_worth(state, who, aim.pool, asked.points)),
        *_term("leader", boost),
    )
    again = rerolls(who, aim, Asks.ALWAYS if hidden and asked.rerolls is Asks.IF_IT_FAILS else asked.rerolls)
    return Attempt(
        who,
        aim,
        terms,
        ground(state, who, aim.pool, named, inspired=asked.inspiration),
        rerolls_after(declared, again, state.options.inspiration_with_points),
        declared,
    )


# ---------------------------------------------------------------- what is added


def standing_terms(state: State, who: Character[Sheet], skilled: Skilled, situation: int) -> tuple[Term, ...]:
    """SP-01, SP-06, SP-20: what is added whether or not points are spent."""
    options: Options = state.options
    edge = edge_bonus(who.sheet.numbers.pool(skilled.aim.pool).edge, options.edge)
    return (
        *_term("proficiency", skilled.proficiency),
        *_term("Edge", edge),
        *_term("situation", situation),
        *_term("conditions", modifier(state, who.id, BONUS)),
    )


def points_worth(state: State, who: Character[Sheet], pool: Pool, points: int) -> int:
    """SP-03, SP-20: a point is +1, and some count double where Edge is efficiency."""
    return worth(points, doubled_points(who.sheet.numbers.pool(pool).edge, state.options.edge))


def _term(name: str, amount: int) -> Iterator[Term]:
    if amount:
        yield Term(name=name, amount=amount)


# ---------------------------------------------------------------- what may be spent


def effort_of(who: Character[Sheet], pool: Pool) -> int:
    """SP-04: the Effort limit, 2 higher in the primary pool."""
    return effort_limit(who.sheet.numbers.level, primary=who.sheet.primary is pool)


def most_points(who: Character[Sheet], pool: Pool) -> int:
    """SP-03: up to the Effort limit and what the pool holds."""
    return min(effort_of(who, pool), who.sheet.numbers.pool(pool).now)


def legal_spend(state: State, asked: Effort, pool: Pool) -> range:
    """SP-03, SP-18, SP-21: every spend that this roll could have."""
    beside = state.options.inspiration_with_points is WithPoints.YES
    if asked.inspiration and not beside:
        return range(1)
    return range(most_points(find(state, asked.who), pool) + 1)


def check_declared(state: State, who: Character[Sheet], pool: Pool, declared: Declared) -> None:
    """SP-03, SP-18: refused before any die, with the numbers."""
    check_points(who, pool, declared.points)
    if declared.inspired and not who.sheet.inspiration:
        raise Refusal(f"{who.name} holds no Inspiration.", code="no_inspiration")
    if declared.inspired and declared.points and state.options.inspiration_with_points is not WithPoints.YES:
        raise Refusal("Inspiration gives advantage to a roll without points, or points go in without it.", code="twice")


def check_points(who: Character[Sheet], pool: Pool, points: int) -> None:
    """SP-03, SP-04: what is spent must be held, and within the Effort limit."""
    limit, held = effort_of(who, pool), who.sheet.numbers.pool(pool).now
    if points > limit:
        raise Refusal(f"{who.name}'s Effort limit in {pool} is {limit}, not {points}.", code="effort_limit")
    if points > held:
        raise Refusal(f"{who.name} holds {held} {pool}, not {points}.", code="not_held")


# ---------------------------------------------------------------- what may be rolled again


def rerolls(who: Character[Sheet], aim: Aim, asks: Asks) -> Again:
    """SP-18, SP-19: Inspiration where it is held, and the abilities that fit and have uses left."""
    sources = [Source(INSPIRATION)] if who.sheet.inspiration else []
    sources += [
        Source(ability.name, ability.up_to)
        for ability in who.sheet.abilities
        if ability.is_for_roll(aim.kind, aim.pool) and who.sheet.uses_left(ability)
    ]
    return Again(tuple(sources), asks)


def roller(_: Call, asked: Effort) -> Mapping[str, str]:
    """Who answers the offers of a roll: whoever rolls."""
    return {"who": asked.who}


def check_contested(call: Call, who: Character[Sheet], named: Named) -> None:
    """SP-13: both sides of a contest must be able to roll at all."""
    check_able(call.state, who, RollKind.CONTEST)
    check_named(call, named)
