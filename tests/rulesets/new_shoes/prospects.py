"""Before the roll: the chances to beat, meet and miss the target, with and without each thing that counts. NS-16."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from astragal.chance import Odds, Question, odds
from astragal.game import WITHHELD, TableCall
from astragal.game.rolls import Term
from astragal.rulesets.new_shoes.approaches import opposite
from astragal.rulesets.new_shoes.rolling import RollApproach, applies, term_of, terms_of
from astragal.rulesets.new_shoes.rules import EASIEST, HARDEST, Reached, Result, approach, opposed_approach
from astragal.rulesets.new_shoes.state import Explode, State
from astragal.rulesets.new_shoes.statuses import all_statuses


@dataclass(frozen=True)
class Chances:
    """NS-16: exact chances of each result."""

    beat: Fraction
    meet: Fraction
    miss: Fraction


@dataclass(frozen=True)
class Turn:
    """The chances if one thing that counts did not, or one that does not did."""

    term: Term
    counts: bool
    """Does it count now?"""
    otherwise: Chances


@dataclass(frozen=True)
class Prospect:
    chances: Chances
    turns: tuple[Turn, ...]


def chances_of(question: Question[Reached]) -> Chances:
    weighed: Odds[Result] = odds(question).map(lambda reached: reached.result)
    return Chances(*(weighed.chance(result) for result in (Result.SUCCESS, Result.PARTIAL, Result.FAILURE)))


def before_approach(
    dice: int,
    target: int,
    counted: Sequence[Term] = (),
    others: Sequence[Term] = (),
    *,
    explode: Explode = Explode.CHAIN,
) -> Prospect:
    """NS-16: the chances against a target, as they are and with each thing turned."""
    return _turned(lambda statuses: approach(dice, target, statuses, explode=explode), counted, others)


def before_opposed(
    dice: int,
    opposing: int,
    counted: Sequence[Term] = (),
    others: Sequence[Term] = (),
    *,
    opposing_statuses: int = 0,
    explode: Explode = Explode.CHAIN,
) -> Prospect:
    """NS-16: the chances against another player, as they are and with each thing turned."""
    return _turned(
        lambda statuses: opposed_approach(dice, opposing, statuses, opposing_statuses, explode=explode), counted, others
    )


def before_the_roll(state: State, who: str, which: str | None = None) -> Mapping[int | None, Prospect]:
    """NS-16: the chances of an approach that is asked for, by its target; none where another player's total is it.

    From a player's view of the table a hidden target is unknown: then there is one prospect for each it could be.
    """
    command = RollApproach(who=who, approach=which)
    mine, _, _ = command.ready(state)
    acting = mine.approach
    asked = next(command.does(TableCall(state, state.viewer(state.game_master), "fresh"))).named
    counted, explode = terms_of(state, acting), state.options.explode
    others = tuple(term_of(status, acting) for status in all_statuses(state) if not applies(status, acting))
    other = opposite(state, acting)
    if other is not None:
        against = added_up(terms_of(state, other))
        return {
            None: before_opposed(
                asked["dice"], asked["opposing"], counted, others, opposing_statuses=against, explode=explode
            )
        }
    known = asked["target"]
    targets = range(EASIEST, HARDEST + 1) if known is WITHHELD else [known]
    return {target: before_approach(asked["dice"], target, counted, others, explode=explode) for target in targets}


def _turned(question: Callable[[int], Question[Reached]], counted: Sequence[Term], others: Sequence[Term]) -> Prospect:
    statuses = added_up(counted)
    without = [Turn(term, counts=True, otherwise=chances_of(question(statuses - term.amount))) for term in counted]
    joined = [Turn(term, counts=False, otherwise=chances_of(question(statuses + term.amount))) for term in others]
    return Prospect(chances_of(question(statuses)), (*without, *joined))


def added_up(terms: Sequence[Term]) -> int:
    return sum(term.amount for term in terms)
