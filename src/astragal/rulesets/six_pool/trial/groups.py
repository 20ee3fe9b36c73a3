"""All roll, and half is enough. SP-14."""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

from annotated_types import MaxLen, MinLen
from typing_extensions import Doc

from astragal.chance import Rolls, rule
from astragal.rulesets.six_pool.difficulty import Difficulty
from astragal.values import frozen

from .checks import Bonus, Stance, check
from .footing import Footing

MOST_MEMBERS = 12


@frozen(slots=True)
class Member:
    """One roll of the group: the leader's points are in its bonus."""

    bonus: Bonus = 0
    stance: Stance = Footing.LEVEL


Members: TypeAlias = Annotated[tuple[Member, ...], MinLen(1), MaxLen(MOST_MEMBERS), Doc("everyone who rolls")]


class Group(NamedTuple):
    """How many of how many made it."""

    made: int
    of: int

    @property
    def success(self) -> bool:
        """SP-14: at least half."""
        return 2 * self.made >= self.of


@rule
def makes_it(dc: Difficulty, bonus: Bonus, stance: Stance = Footing.LEVEL) -> Rolls[bool]:
    """SP-14: a natural decides its own roll only."""
    roll = yield from check(dc, bonus, stance)
    return roll.success


@rule
def how_many_make_it(dc: Difficulty, members: Members) -> Rolls[int]:
    """SP-14: the first of them or not, and however many of the others.

    The others are a question of their own: whoever weighs it counts heads, not the thousands of ways they can fall.
    """
    first, *others = members
    made = yield from makes_it(dc, first.bonus, first.stance)
    return made + (yield from how_many_make_it(dc, tuple(others))) if others else int(made)


@rule
def group_check(dc: Difficulty, members: Members) -> Rolls[Group]:
    """SP-14: everyone rolls the same check; exactly half is enough."""
    made = yield from how_many_make_it(dc, members)
    return Group(made, len(members))
