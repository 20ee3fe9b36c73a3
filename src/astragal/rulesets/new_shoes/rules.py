"""Approach: as many d6 as the attribute has points, added up; every 6 is rolled again and added. NS-02 to NS-06, NS-17.

The two rules, their results, the breakdown of a roll, and the book's tables of chances.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Annotated, TypeAlias

from astragal.chance import Question, Rolls, d6, exploding, exploding_difference, rule
from astragal.game import BookTable, Measure, Teller, Value, chance_table
from astragal.game.display import signed
from astragal.game.fields import Doc, Ge, Le, Usual

from .state import Explode

EASIEST = 4
HARDEST = 20
FEWEST_DICE = 1
MOST_DICE = 8

# ---------------------------------------------------------------- targets


class Step(Enum):
    """NS-02: names for five of the targets."""

    EASY = "easy"
    FAIR = "fair"
    HARD = "hard"
    VERY_HARD = "very hard"
    NEARLY_IMPOSSIBLE = "nearly impossible"

    @property
    def target(self) -> int:
        return TARGETS[self]


TARGETS = {Step.EASY: 4, Step.FAIR: 8, Step.HARD: 12, Step.VERY_HARD: 16, Step.NEARLY_IMPOSSIBLE: 20}


def is_usual(target: int) -> bool:
    """NS-02: any whole number is allowed; outside 4 to 20 the game master is warned."""
    return EASIEST <= target <= HARDEST


def target_words(target: int) -> str:
    """NS-02: a target, with its name if it has one."""
    name = next((step.value for step, number in TARGETS.items() if number == target), "")
    return f"{target} ({name})" if name else str(target)


# ---------------------------------------------------------------- results


class Result(Enum):
    """NS-05: over the target is a success, on it a partial one with a twist, under it a failure."""

    SUCCESS = "success"
    PARTIAL = "partial success"
    FAILURE = "failure"

    @property
    def player_narrates(self) -> bool:
        """NS-05: a player who beats the target tells what happens; otherwise the game master does."""
        return self is Result.SUCCESS


class Reached(Value, kw_only=False):
    """Margin of a roll over its target, negative under it, and cut off where it no longer matters."""

    margin: int

    @property
    def result(self) -> Result:
        if self.margin == 0:
            return Result.PARTIAL
        return Result.SUCCESS if self.margin > 0 else Result.FAILURE


# ---------------------------------------------------------------- the rules


Dice: TypeAlias = Annotated[
    int, Ge(FEWEST_DICE), Le(MOST_DICE), Doc("The attribute's present value: as many dice are rolled.")
]
Target: TypeAlias = Annotated[
    int,
    Ge(-999),
    Le(999),
    Usual(EASIEST, HARDEST),
    Doc("What to beat: 4 is easy, 20 nearly impossible; any whole number is allowed."),
]
Statuses: TypeAlias = Annotated[int, Ge(-30), Le(30), Doc("All that is added to the total, with its signs.")]
Won: TypeAlias = Annotated[
    int, Ge(1), Le(20), Doc("How far over the target still matters: what harm or healing can do.")
]
Lost: TypeAlias = Annotated[int, Ge(1), Le(20), Doc("How far under the target still matters: what there is to lose.")]


@rule
def approach(
    dice: Dice,
    target: Target,
    statuses: Statuses = 0,
    *,
    won: Won = 1,
    lost: Lost = 1,
    explode: Explode = Explode.CHAIN,
) -> Rolls[Reached]:
    """NS-03, NS-04: roll the attribute in d6, sixes again and again, and add what counts for and against."""
    to_meet = target - statuses
    # NS-17: however far the sixes carry it, everything past what can matter is one outcome, exactly weighted.
    rolled = yield from exploding(dice, d6, once=explode is Explode.ONCE, ceiling=to_meet + won)
    return Reached(max(rolled - to_meet, -lost))


@rule
def opposed_approach(
    dice: Dice,
    opposing: Annotated[int, Ge(1), Le(8), Doc("The present value of the attribute that the other rolls.")],
    statuses: Statuses = 0,
    opposing_statuses: Annotated[int, Ge(-30), Le(30), Doc("All that is added to the other's total.")] = 0,
    *,
    won: Won = 1,
    lost: Lost = 1,
    explode: Explode = Explode.CHAIN,
) -> Rolls[Reached]:
    """NS-06: both roll their own approach; on a tie, the one who acts has a partial success."""
    once = explode is Explode.ONCE
    to_meet = opposing_statuses - statuses
    # NS-17: neither total has an end, but how far one is ahead of the other has a closed form.
    ahead = yield from exploding_difference(
        exploding(dice, d6, once=once), exploding(opposing, d6, once=once), low=to_meet - lost, high=to_meet + won
    )
    return Reached(ahead - to_meet)


# ---------------------------------------------------------------- how a roll was calculated


def breakdown(question: Question[Reached], _: Teller) -> Iterator[tuple[str, str]]:
    """NS-03, NS-04, NS-06: the dice, what is added to them, and what they are against.

    NS-17: how far the difference can matter is left out, since only the odds use it.
    """
    numbers = question.named
    yield "Dice", f"{numbers['dice']}d6"
    if numbers["statuses"]:
        yield "Statuses and support", signed(numbers["statuses"])
    if question.rule is opposed_approach:
        yield "The opponent’s dice", f"{numbers['opposing']}d6"
        if numbers["opposing_statuses"]:
            yield "The opponent’s statuses and support", signed(numbers["opposing_statuses"])
    else:
        yield "Target", target_words(numbers["target"])
    if numbers["explode"] is Explode.ONCE:
        yield "Sixes", "rolled again once"


# ---------------------------------------------------------------- the book's chances

DICE = range(FEWEST_DICE, MOST_DICE + 1)


def beats(reached: Reached) -> bool:
    """NS-05: meeting the target is no success yet."""
    return reached.result is Result.SUCCESS


def chances_to_beat_a_target() -> BookTable:
    """NS-17: the chance to beat each of the named targets, in percent."""
    rows = {str(dice): [approach(dice, target) for target in TARGETS.values()] for dice in DICE}
    head = ("dice", *map(target_words, TARGETS.values()))
    return chance_table("Chances to beat a target, in percent", head, rows, beats)


def chances_against_another_player() -> BookTable:
    """NS-06, NS-17: the chance to beat another player, in percent."""
    rows = {str(mine): [opposed_approach(mine, theirs) for theirs in DICE] for mine in DICE}
    head = ("dice", *(f"against {theirs}" for theirs in DICE))
    return chance_table("Chances to beat another player, in percent", head, rows, beats)


TABLES = {"targets": chances_to_beat_a_target, "opposed": chances_against_another_player}
MEASURE = Measure(
    game="new_shoes",
    name="New Shoes",
    words="a target of {target} with {dice}d6",
    ask=approach,
    success=beats,
    ranges={"target": range(EASIEST, HARDEST + 1), "dice": DICE},
    steady=True,
)
