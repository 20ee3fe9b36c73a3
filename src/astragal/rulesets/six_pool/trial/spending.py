"""What each spend would do, before anything is rolled. SP-21."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import TypeVar

from astragal.chance import Odds, Offer, Question, odds
from astragal.values import frozen

from .attacks import Strike
from .checks import Degree, Roll
from .contests import DECLARE, Contender, Contest, Side, contest, declarations

V = TypeVar("V", Roll, Strike)


@frozen
class Prospect:
    """SP-21: what so many points would come to."""

    points: int
    degrees: Mapping[Degree, Fraction]

    @property
    def chance(self) -> Fraction:
        """The chance of success, of any degree."""
        return sum((chance for degree, chance in self.degrees.items() if degree.is_success), Fraction(0))


def prospects(asked: Callable[[int], Question[V]], legal: Iterable[int]) -> tuple[Prospect, ...]:
    """SP-21: the exact chance of each degree at every legal spend."""
    return tuple(prospect(points, odds(asked(points)).map(lambda verdict: verdict.degree)) for points in legal)


def prospect(points: int, degrees: Odds[Degree]) -> Prospect:
    """From odds that are known already, such as a preview's."""
    return Prospect(points, degrees.chances())


def contest_prospects(
    actor: Contender, holder: Contender, tie_to: Side = Side.HOLDER, *, theirs: int | str = 0
) -> Mapping[int | str, Fraction]:
    """SP-21, SP-13: the actor's chance with each declaration, if the other side declares this."""

    def decide(mine: int | str, offer: Offer[int | str]) -> int | str:
        if offer.name != DECLARE:
            return offer.default
        return mine if offer.side == Side.ACTOR.value else theirs

    return {
        mine: odds(contest(actor, holder, tie_to), partial(decide, mine)).chance(_actor_wins)
        for mine in declarations(actor)
    }


def _actor_wins(verdict: Contest) -> bool:
    return verdict.winner is Side.ACTOR


def smallest_spend(before: Iterable[Prospect], wanted: Fraction) -> int | None:
    """SP-21: the fewest points that reach this chance; none if no legal spend does."""
    return min((one.points for one in before if one.chance >= wanted), default=None)
