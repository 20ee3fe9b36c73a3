"""Two sides roll against each other, their points declared in secret. SP-13."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, NamedTuple

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import Offer, Rolls, Together, rule
from astragal.rulesets.six_pool.pools import worth
from astragal.values import frozen

from .checks import Bonus
from .footing import footing
from .rerolls import INSPIRATION, NO_REROLLS, Again, Thrown, settled_die

DECLARE = "declare"
"""The name of the sealed offers."""


class Side(Enum):
    """Who wants something, and who holds out."""

    ACTOR = "actor"
    HOLDER = "holder"


class WithPoints(Enum):
    """SP-18: whether Inspiration and points go together on one roll."""

    REROLL_ONLY = "reroll_only"
    """A roll with points may be rerolled, and not be given advantage."""
    YES = "yes"
    NO = "no"


@frozen(slots=True)
class Contender:
    """How a side goes into a contest."""

    bonus: Bonus = 0
    most: Annotated[int, Ge(0), Le(9), Doc("points that may be declared")] = 0
    doubled: Annotated[int, Ge(0), Le(4), Doc("how many of them count double")] = 0
    helped: Annotated[bool, Doc("whether anything gives advantage")] = False
    hindered: Annotated[bool, Doc("whether anything gives disadvantage")] = False
    inspired: Annotated[bool, Doc("whether Inspiration is held")] = False
    with_points: Annotated[WithPoints, Doc("whether it goes together with points")] = WithPoints.REROLL_ONLY
    again: Again = NO_REROLLS


NOBODY_SPECIAL = Contender()


class Declared(NamedTuple):
    """What a side put in before any die: points, and Inspiration for advantage."""

    points: int = 0
    inspired: bool = False


class SideRoll(NamedTuple):
    """A side's roll."""

    declared: Declared
    thrown: Thrown
    total: int


class Outcome(Enum):
    """What a preview of a contest counts."""

    ACTOR_WINS = "the actor wins"
    TIE = "a tie"
    HOLDER_WINS = "the holder wins"


class Contest(NamedTuple):
    """Both rolls, and who has a tie."""

    actor: SideRoll
    holder: SideRoll
    tie_to: Side

    @property
    def margin(self) -> int:
        """By how much the actor is ahead; below 0 behind."""
        return self.actor.total - self.holder.total

    @property
    def is_tie(self) -> bool:
        return self.margin == 0

    @property
    def winner(self) -> Side:
        """SP-13: the higher total; a tie is the defender's or leaves things as they are, as the call says."""
        if self.is_tie:
            return self.tie_to
        return Side.ACTOR if self.margin > 0 else Side.HOLDER

    @property
    def outcome(self) -> Outcome:
        if self.is_tie:
            return Outcome.TIE
        return Outcome.ACTOR_WINS if self.margin > 0 else Outcome.HOLDER_WINS


def declarations(contender: Contender) -> Mapping[int | str, Declared]:
    """SP-13, SP-18: all that a side may declare, nothing first."""
    found: dict[int | str, Declared] = {points: Declared(points) for points in range(contender.most + 1)}
    if contender.inspired:
        found[INSPIRATION] = Declared(inspired=True)
        if contender.with_points is WithPoints.YES:
            both = range(1, contender.most + 1)
            found |= {f"{INSPIRATION} and {points}": Declared(points, inspired=True) for points in both}
    return found


def rerolls_after(declared: Declared, again: Again, with_points: WithPoints) -> Again:
    """SP-18: Inspiration is spent once, and under `no` never beside points."""
    if declared.inspired or (declared.points and with_points is WithPoints.NO):
        return again.without(INSPIRATION)
    return again


@rule
def contest(
    actor: Annotated[Contender, Doc("the side that wants something")] = NOBODY_SPECIAL,
    holder: Annotated[Contender, Doc("the side that holds out")] = NOBODY_SPECIAL,
    tie_to: Annotated[Side, Doc("who has a tie")] = Side.HOLDER,
) -> Rolls[Contest]:
    """SP-13: both declare in secret, both roll, the higher total wins. Naturals have no force of their own here."""
    acting, holding = yield from _declared(declarations(actor), declarations(holder))
    first = yield from _rolled(Side.ACTOR, actor, acting)
    second = yield from _rolled(Side.HOLDER, holder, holding)
    return Contest(first, second, tie_to)


def _declared(
    actors: Mapping[int | str, Declared], holders: Mapping[int | str, Declared]
) -> Rolls[tuple[Declared, Declared]]:
    """Nobody is asked who has nothing to declare."""
    actor_says = Offer(Side.ACTOR.value, DECLARE, tuple(actors))
    holder_says = Offer(Side.HOLDER.value, DECLARE, tuple(holders))
    acting: int | str = 0
    holding: int | str = 0
    if len(actors) > 1 and len(holders) > 1:
        acting, holding = yield from Together((actor_says, holder_says))
    elif len(actors) > 1:
        acting = yield from actor_says
    elif len(holders) > 1:
        holding = yield from holder_says
    return actors[acting], holders[holding]


def _rolled(side: Side, contender: Contender, declared: Declared) -> Rolls[SideRoll]:
    """SP-13: no roll is enough before the other is seen, so rerolls are offered on any die."""
    stance = footing(helped=contender.helped or declared.inspired, hindered=contender.hindered)
    again = rerolls_after(declared, contender.again, contender.with_points)
    thrown = yield from settled_die(stance, again, lambda natural: False, side.value)
    total = thrown.natural + contender.bonus + worth(declared.points, contender.doubled)
    return SideRoll(declared, thrown, total)
