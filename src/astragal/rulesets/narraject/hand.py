"""The roll: a hand of d6, term by term, against a number of successes; each 5 or 6 is one. NJ-04, NJ-05, NJ-10, NJ-20.

The rule and the values it takes. Nothing here needs a table or a sheet.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Annotated, TypeAlias

from astragal.chance import Question, Rolls, d6, hits, rule
from astragal.game import BookTable, Measure, Seen, Teller, Value, chance_table
from astragal.game.display import capitalised
from astragal.game.fields import Doc, Ge, Le, Usual

# ---------------------------------------------------------------- difficulty

MOST_SUCCESSES = 60
"""NJ-06: far beyond what any hand can reach, so that no one is refused a try."""
LEAST_FACE = 5
"""NJ-05: the lowest face that is a success."""

Successes: TypeAlias = Annotated[
    int, Ge(0), Le(MOST_SUCCESSES), Usual(1, 5), Doc("NJ-04: how many successes the intent asks for")
]
"""NJ-04: easy to very hard is usual; heroic, legendary and mythic are not."""


class Difficulty(Enum):
    """NJ-04: the names of difficulties, easiest first."""

    TRIVIAL = "trivial"
    EASY = "easy"
    MODERATE = "moderate"
    CHALLENGING = "challenging"
    HARD = "hard"
    VERY_HARD = "very hard"
    HEROIC = "heroic"
    LEGENDARY = "legendary"
    MYTHIC = "mythic"

    @property
    def successes(self) -> int:
        """NJ-04, ruling: a name that spans two numbers means the lower."""
        return LEAST_SUCCESSES[self]


LEAST_SUCCESSES = dict(zip(Difficulty, (0, 1, 2, 3, 4, 5, 7, 9, 11), strict=True))


def successes_of(difficulty: int | Difficulty) -> int:
    """NJ-04: a number stands for itself, a name for its number."""
    return difficulty.successes if isinstance(difficulty, Difficulty) else difficulty


def name_of(successes: int) -> Difficulty:
    """NJ-04, ruling: 10 is still Legendary; Mythic begins at 11."""
    return max((name for name in Difficulty if name.successes <= successes), key=lambda name: name.successes)


# ---------------------------------------------------------------- the hand


class Source(Enum):
    """NJ-10: sources that add dice to a hand or take them away."""

    RATING = "rating"
    FOCUS = "focus"
    ANCHOR = "anchor"
    ASSET = "asset"
    ASPECT = "aspect"
    BURDEN = "burden"
    CONDITION = "condition"
    TAG = "tag"
    FLOOR = "floor"
    """NJ-20: dice that bring a hand back up to its floor."""


HELPING = frozenset({Source.FOCUS, Source.ANCHOR, Source.ASSET, Source.ASPECT})


class Term(Value, kw_only=False, seen=Seen.ALL):
    """NJ-10: dice of one source, negative if they are taken away."""

    source: Source
    dice: Annotated[int, Ge(-12), Le(12)]
    name: Annotated[str, Doc("the stat, anchor, asset … that it is")] = ""

    def called(self, teller: Teller) -> str:
        """Return the name of the source, in the skin's terms if it has one."""
        match self.source:
            case Source.RATING:
                return teller.term(self.name)
            case Source.FOCUS | Source.FLOOR:
                return teller.term(self.source.value)
        return self.name


class Hand(Value, kw_only=False, seen=Seen.ALL):
    """NJ-10: a hand to roll. Its terms, including the floor's, add up to its dice."""

    terms: tuple[Term, ...]
    idle: Annotated[int, Ge(0), Le(12), Doc("NJ-20: points of Focus in it that add no die")] = 0

    def __post_init__(self) -> None:
        if self.dice < 0:
            raise ValueError("a hand never has less than no dice")

    @property
    def dice(self) -> int:
        return sum(term.dice for term in self.terms)

    @property
    def focus(self) -> int:
        return sum(term.dice for term in self.terms if term.source is Source.FOCUS)

    @property
    def is_desperate(self) -> bool:
        """NJ-21: True if nothing helps but the Rating itself."""
        return not any(term.source in HELPING for term in self.terms)

    def words(self, teller: Teller) -> str:
        """NJ-10: “10 dice: Agility 3 + Focus 2 + …”."""
        words = dice_words(self.dice)
        if self.is_desperate and self.dice:
            words += ", a desperation roll"
        rating, *further_terms = self.terms
        words += f": {rating.called(teller)} {abs(rating.dice)}"
        for term in further_terms:
            words += f" {sign_of(term)} {term.called(teller)} {abs(term.dice)}"
        if self.idle:
            words += f" ({self.idle} of {teller.term('focus')} without effect)"
        return words


def sign_of(term: Term) -> str:
    return "−" if term.dice < 0 else "+"


class HandFloor(Enum):
    """NJ-20: the fewest dice that a hand can have, however many are taken away."""

    RATING = "rating"
    ONE = "one"
    ZERO = "zero"

    def dice(self, rating: int) -> int:
        return {HandFloor.RATING: rating, HandFloor.ONE: 1, HandFloor.ZERO: 0}[self]


class HandParts(Value, kw_only=False):
    """A hand before Focus: its terms, the Rating first, and its floor."""

    terms: tuple[Term, ...]
    floor: int

    def hand(self, focus: int = 0) -> Hand:
        """NJ-20: add up all terms, Focus included, but never to less than the floor.

        Focus is idle where it only replaces dice that the floor would have added: it adds no die.
        """
        rating, *further_terms = self.terms
        short_of_floor = max(0, self.floor - sum(term.dice for term in self.terms))
        added_by_floor = max(0, short_of_floor - focus)
        terms = [rating]
        if focus:
            terms.append(Term(Source.FOCUS, focus, rating.name))
        terms += further_terms
        if added_by_floor:
            terms.append(Term(Source.FLOOR, added_by_floor))
        return Hand(tuple(terms), idle=short_of_floor - added_by_floor)


def dice_words(count: int) -> str:
    return "1 die" if count == 1 else f"{count or 'no'} dice"


def success_words(count: int) -> str:
    return "1 success" if count == 1 else f"{count} successes"


# ---------------------------------------------------------------- the roll


class Result(Enum):
    SUCCESS = "success"
    FAILURE = "failure"


class Outcome(Value, kw_only=False):
    """NJ-05: the hand that was rolled, its successes, and how many were needed."""

    hand: Hand
    successes: int
    difficulty: int

    @property
    def success(self) -> bool:
        return self.successes >= self.difficulty

    @property
    def result(self) -> Result:
        return Result.SUCCESS if self.success else Result.FAILURE

    @property
    def excess(self) -> int:
        """NJ-05: successes beyond the difficulty; a shortfall is negative."""
        return self.successes - self.difficulty


@rule
def roll_hand(hand: Annotated[Hand, Doc("NJ-10: the dice and their sources")], difficulty: Successes) -> Rolls[Outcome]:
    """NJ-05: each die of 5 or 6 is a success; as many as the difficulty, and the intent comes true.

    NJ-04: a Trivial intent needs no roll. NJ-20: an empty hand is not rolled.
    """
    dice = hand.dice if difficulty else 0
    successes = yield from hits(dice, d6, at_least=LEAST_FACE)
    return Outcome(hand, successes, difficulty)


# ---------------------------------------------------------------- how a roll was calculated

NAMED_BY_PLAYERS = frozenset({Source.ANCHOR, Source.ASSET, Source.ASPECT, Source.BURDEN, Source.CONDITION})
"""Sources whose terms have a name of the players' own. It does not say which source it is, so a breakdown adds that."""


def breakdown(question: Question[Outcome], teller: Teller) -> Iterator[tuple[str, str]]:
    """NJ-05, NJ-10: list the hand source by source, its dice, and the successes needed."""
    hand: Hand = question.named["hand"]
    difficulty: int = question.named["difficulty"]
    rating, *further_terms = hand.terms
    yield rating.called(teller), str(rating.dice)
    for term in further_terms:
        name = term.called(teller)
        if term.source in NAMED_BY_PLAYERS:
            name = f"{teller.term(term.source.value)}: {name}"
        yield capitalised(name), f"{sign_of(term)}{abs(term.dice)}"
    yield "The hand", dice_words(hand.dice)
    if hand.idle:
        yield f"{teller.term('focus')} without effect", str(hand.idle)
    yield "Needed", f"{success_words(difficulty)} ({name_of(difficulty).value})"


# ---------------------------------------------------------------- its chances

MOST_DICE = 15


def roll_dice(difficulty: int, dice: int) -> Question[Outcome]:
    """Roll this many dice, wherever they come from."""
    return roll_hand(Hand((Term(Source.RATING, dice),)), difficulty)


def is_success(outcome: Outcome) -> bool:
    return outcome.success


def chances_of_a_hand() -> BookTable:
    """NJ-04, NJ-05: the chance of 1 to 15 dice to reach each difficulty."""
    difficulties = [difficulty for difficulty in Difficulty if difficulty.successes]
    head = ("dice", *(f"{difficulty.value} ({difficulty.successes})" for difficulty in difficulties))
    rows = {}
    for dice in range(1, MOST_DICE + 1):
        rows[str(dice)] = [roll_dice(difficulty.successes, dice) for difficulty in difficulties]
    return chance_table("Chances of a hand, in percent", head, rows, is_success)


MEASURE = Measure(
    game="narraject",
    name="Narraject",
    words="a difficulty of {difficulty} with {dice}d6",
    ask=roll_dice,
    success=is_success,
    ranges={"difficulty": range(1, 12), "dice": range(1, 21)},
    steady=True,
)
