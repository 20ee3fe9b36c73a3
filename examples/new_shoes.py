"""New Shoes: as many d6 as the attribute, added up; every 6 is rolled again and added."""

from enum import Enum
from typing import Annotated

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import Rolls, d6, exploding, exploding_difference, rule

Attribute = Annotated[int, Ge(1), Le(8), Doc("The attribute's present value: as many dice are rolled.")]
Target = Annotated[int, Ge(4), Le(20), Doc("What to beat, from 4, easy, to 20, nearly impossible.")]
Statuses = Annotated[int, Ge(-10), Le(10), Doc("All statuses that apply, added up with their signs.")]


class Explode(Enum):
    CHAIN = "chain"
    ONCE = "once"


class Result(Enum):
    SUCCESS = "success"
    PARTIAL = "partial success with a twist"
    FAILURE = "failure"


def result_of(margin: int) -> Result:
    """NS-05: over the target is a success, on it a partial one, under it a failure."""
    if margin > 0:
        return Result.SUCCESS
    return Result.PARTIAL if margin == 0 else Result.FAILURE


@rule
def approach(
    attribute: Attribute, target: Target, statuses: Statuses = 0, explode: Explode = Explode.CHAIN
) -> Rolls[Result]:
    """NS-03: roll the attribute in d6, sixes again and again, add the statuses, and beat the target."""
    to_meet = target - statuses
    # NS-17: however far the sixes carry it, a total over the target is one outcome, exactly weighted.
    rolled = yield from exploding(attribute, d6, once=explode is Explode.ONCE, ceiling=to_meet + 1)
    return result_of(rolled - to_meet)


@rule
def opposed_approach(
    attribute: Attribute,
    opposing: Annotated[int, Ge(1), Le(8), Doc("The attribute that the other player rolls.")],
    statuses: Statuses = 0,
    opposing_statuses: Annotated[int, Ge(-10), Le(10), Doc("The other player's own statuses.")] = 0,
) -> Rolls[Result]:
    """NS-06: another player's approach is the target; a tie is a partial success for whoever acts."""
    to_meet = opposing_statuses - statuses
    # NS-17: both totals are endless, but only who is ahead counts, and that has a closed form.
    ahead = yield from exploding_difference(
        exploding(attribute, d6), exploding(opposing, d6), low=to_meet - 1, high=to_meet + 1
    )
    return result_of(ahead - to_meet)
