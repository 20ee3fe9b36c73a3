"""Narraject: a hand of d6 gathered from who you are and what is at hand; each 5 or 6 is a success."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Annotated

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import Rolls, d6, hits, odds, rule

Difficulty = Annotated[int, Ge(1), Le(20), Doc("How many successes the intent asks for.")]
Dice = Annotated[int, Ge(0), Le(12)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """NJ-10: the dice of a hand, each under the word for where it comes from."""

    rating: Annotated[int, Ge(1), Le(10), Doc("The rating of the stat that fits the approach.")]
    focus: Annotated[Dice, Doc("Points spent from the stat's reserve, a die each.")] = 0
    anchors: Annotated[Dice, Doc("What the character is good at: 1, 2 or 3 dice each.")] = 0
    assets: Annotated[Dice, Doc("Tools and weapons: 1, 2 or 3 dice each.")] = 0
    aspects: Annotated[Dice, Doc("What the scene or the story lends: 1 or 2 dice each.")] = 0
    burdens: Annotated[Dice, Doc("Weaknesses that apply: dice taken away.")] = 0

    @property
    def dice(self) -> int:
        """NJ-20: the whole sum, and never less than the rating."""
        return max(self.rating, self.rating + self.focus + self.anchors + self.assets + self.aspects - self.burdens)

    @property
    def terms(self) -> dict[str, int]:
        """NJ-10: every term that counts, signed, by its source."""
        counted = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: -dice if name == "burdens" else dice for name, dice in counted.items() if dice}


@dataclass(frozen=True, slots=True)
class Outcome:
    successes: int
    difficulty: int

    @property
    def success(self) -> bool:
        return self.successes >= self.difficulty

    @property
    def excess(self) -> int:
        """NJ-05: successes beyond what was needed; a shortfall is negative."""
        return self.successes - self.difficulty


@rule
def roll_hand(hand: Hand, difficulty: Difficulty) -> Rolls[Outcome]:
    """NJ-05: each die of 5 or 6 is a success; as many as the difficulty, and the intent comes true."""
    successes = yield from hits(hand.dice, d6, at_least=5)
    return Outcome(successes, difficulty)


def chances_by_focus(hand: Hand, difficulty: int, left: int) -> Iterator[tuple[int, Fraction]]:
    """NJ-24: the chance with each spend, within the cap (NJ-13) and what the reserve has left."""
    for focus in range(min(hand.rating + 2, left) + 1):
        weighed = odds(roll_hand(replace(hand, focus=focus), difficulty))
        yield focus, weighed.chance(lambda outcome: outcome.success)


def least_focus(hand: Hand, difficulty: int, left: int, wanted: Fraction) -> int | None:
    """NJ-24: the fewest points that reach the wanted chance, if any do."""
    return next((focus for focus, chance in chances_by_focus(hand, difficulty, left) if chance >= wanted), None)
