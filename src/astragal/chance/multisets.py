"""Questions about which values show and how often: sets, runs and matches in a pool of dice or a hand of cards.

Nothing is counted roll by roll. A question is a fold over the faces, lowest first: each face is shown by some number of
dice, and equal states are merged, with their weights added. So the largest set of 8d10 takes about a thousand steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import product
from math import comb, prod
from operator import itemgetter, not_
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

from msgspec import Struct

from .chances import Chance, Total, as_chance, check_pool
from .dice import Tray
from .errors import BadStep, TooMuchWork
from .odds import Odds
from .pools import KeptOfSeveral, weighed
from .steps import Step

T = TypeVar("T")
R = TypeVar("R")

MOST_STEPS = 3_000_000
"""A usual machine does two million in a second."""
MOST_CARDS = 10_000
SECOND, THIRD = itemgetter(1), itemgetter(2)


class Group(NamedTuple):
    """Equal dice, or cards of one deck: how many are drawn, and the weight (or number of cards) of each face."""

    many: int
    weights: Mapping[Any, int]
    is_deck: bool

    @property
    def total(self) -> int:
        """Number of ways in which they can fall."""
        sides = sum(self.weights.values())
        return comb(sides, self.many) if self.is_deck else sides**self.many


class Multiset(Chance[tuple[T, ...]]):
    """Values thrown or dealt together, of which only the values and their counts matter, not the order.

    Its own value is the tuple of all values, lowest first.

    >>> from astragal import d6, odds, pool
    >>> odds(pool(2, d6)).chance((1, 6))
    Fraction(1, 18)
    """

    __slots__ = ()

    def groups(self) -> tuple[Group, ...]:
        """The groups that are drawn, for counting."""
        raise NotImplementedError

    def draw(self, tray: Tray) -> list[T]:
        """Throw or deal; return the values in the order in which they come."""
        raise NotImplementedError

    def throw(self, tray: Tray) -> tuple[T, ...]:
        return tuple(in_order(self.draw(tray), (self,)))

    def odds(self) -> Odds[tuple[T, ...]]:
        return Fold[tuple[T, ...]]((self,), (), all_of_them).odds()

    def fold(
        self,
        start: Hashable,
        step: Callable[[Any, T, int], Any],
        finish: Callable[[Any], Any] | None = None,
        *,
        highest_first: bool = False,
    ) -> Chance[Any]:
        """Fold over the faces that show, lowest first, each with its count.

        The functions must be pure, and their results must be hashable.

        >>> from astragal import d6, odds, pool
        >>> odds(pool(3, d6).fold(0, lambda sum, face, times: sum + face if times == 1 else sum)).chance(0)
        Fraction(1, 36)
        """
        return Fold((self,), start, step, finish, highest_first)

    def largest_set(self) -> Chance[int]:
        """The size of the largest set of equal values.

        >>> from astragal import d10, odds, pool
        >>> odds(pool(8, d10).largest_set()).chance(2)
        Fraction(154791, 250000)
        """
        return Fold((self,), 0, largest)

    def best_set(self) -> Chance[tuple[int, T]]:
        """The size and the face of the largest set of equal values; among sets of equal size, the highest face.

        >>> from astragal import d6, odds, pool
        >>> odds(pool(2, d6).best_set()).chance((2, 6))
        Fraction(1, 36)
        """
        return Fold((self,), (0, None), largest_and_face)

    def sets(self, least: int = 2) -> Chance[tuple[int, ...]]:
        """The sizes of all sets of at least `least`, largest first: (3, 2) is a full house.

        >>> from astragal import d6, odds, pool
        >>> odds(pool(5, d6).sets()).chance((3, 2))
        Fraction(25, 648)
        """
        return Fold((self,), (), sets_of, given=(least,))

    def matching(self, size: int = 2) -> Chance[int]:
        """The number of groups of `size` equal values: with 2, the number of pairs.

        >>> from astragal import d6, odds, pool
        >>> odds(pool(5, d6).matching(2)).chance(2)
        Fraction(47, 162)
        """
        if size < 1:
            raise BadStep(f"a group has 1 or more, not {size}")
        return Fold((self,), 0, groups_of, given=(size,))

    def longest_run(self) -> Chance[int]:
        """The length of the longest straight: numbers that follow each other.

        >>> from astragal import d6, odds, pool
        >>> odds(pool(5, d6).longest_run() >= 5).chance(True)
        Fraction(5, 162)
        """
        return Fold((self,), (None, 0, 0), straight, THIRD, absent=straight_ends)

    def highest_and_count(self) -> Chance[tuple[T, int]]:
        """The highest value, and how many show it.

        >>> from astragal import d6, odds, pool
        >>> odds(pool(3, d6).highest_and_count()).chance((6, 2))
        Fraction(5, 72)
        """
        return Fold((self,), None, face_and_count)

    def lowest_and_count(self) -> Chance[tuple[T, int]]:
        """The lowest value, and how many show it.

        >>> from astragal import d6, odds, pool
        >>> odds(pool(3, d6).lowest_and_count()).chance((1, 3))
        Fraction(1, 216)
        """
        return Fold((self,), None, face_and_count, highest_first=True)

    def distinct(self) -> Chance[int]:
        """The number of different values.

        >>> from astragal import d6, odds, pool
        >>> odds(pool(3, d6).distinct()).chance(3)
        Fraction(5, 9)
        """
        return Fold((self,), 0, one_more)

    def count(self, *faces: T) -> Chance[int]:
        """The number of dice or cards that show one of these faces.

        >>> from astragal import Deck, odds
        >>> odds(Deck({"ace": 4, "other": 48}).deal(5).count("ace")).at_least(1)
        Fraction(18472, 54145)
        """
        return Fold((self,), 0, count_of, given=(faces,))

    def sum(self) -> Chance[int]:
        """The sum of all values.

        >>> from astragal import Deck, odds
        >>> odds(Deck(range(1, 11)).deal(2).sum()).chance(19)
        Fraction(1, 45)
        """
        return Fold((self,), 0, added)

    def contains(self, *values: T) -> Chance[bool]:
        """True if all of these values are there, each as often as it is named.

        >>> from astragal import d6, odds, pool
        >>> odds(pool(3, d6).contains(6, 6)).chance(True)
        Fraction(2, 27)
        """
        wanted = tuple(Counter(values).items())
        return Fold((self,), len(wanted), missing_of, not_, given=(wanted,))

    def common(self, other: Multiset[T]) -> Chance[int]:
        """The number of these values that have a match in the other multiset, each used once.

        >>> from astragal import d6, odds, pool
        >>> odds(pool(2, d6).common(pool(2, d6))).chance(2)
        Fraction(11, 216)
        """
        return Fold((self, other), 0, in_common)

    def beats(self, other: Multiset[T], *, ties: bool = False) -> Chance[int]:
        """The number of these values that are higher: highest against highest, second against second, and so on.

        With `ties`, equal values count, too. Values without a counterpart do not count.

        >>> from astragal import d6, odds, pool
        >>> odds(pool(3, d6).beats(pool(2, d6))).chance(2)
        Fraction(1445, 3888)
        """
        return Fold((self, other), (0, 0), beaten_by, SECOND, highest_first=True, given=(ties,))


class Pool(Multiset[T], Struct, frozen=True):
    """Dice thrown together; `plus` adds more. `highest`, `lowest`, `middle` and `drop` keep some of them."""

    parts: tuple[tuple[int, Chance[T]], ...]

    def __post_init__(self) -> None:
        for count, each in self.parts:
            check_pool(count, each)

    def plus(self, count: int, each: Step[T]) -> Pool[T]:
        """The same pool with more dice.

        >>> from astragal import d6, d8, odds, pool
        >>> odds(pool(2, d6).plus(1, d8).largest_set()).chance(3)
        Fraction(1, 48)
        """
        return Pool((*self.parts, (count, as_chance(each))))

    def highest(self, keep: int = 1) -> Chance[int]:
        """The sum of the highest `keep`; the others are dropped.

        >>> from astragal import d6, d10, odds, pool
        >>> odds(pool(2, d6).plus(1, d10).highest(2)).chance(16)
        Fraction(11, 360)
        """
        return KeptOfSeveral(self.parts, self.size - keep, 0)

    def lowest(self, keep: int = 1) -> Chance[int]:
        """The sum of the lowest `keep`; the others are dropped.

        >>> from astragal import d6, odds, pool
        >>> odds(pool(4, d6).lowest(3)).chance(18)
        Fraction(1, 1296)
        """
        return KeptOfSeveral(self.parts, 0, self.size - keep)

    def middle(self, keep: int = 1) -> Chance[int]:
        """The sum of the `keep` in the middle: as many are dropped above as below.

        >>> from astragal import d6, odds, pool
        >>> odds(pool(3, d6).middle()).chance(6)
        Fraction(2, 27)
        """
        if (self.size - keep) % 2:
            raise BadStep(f"of {self.size} dice, {keep} can't lie in the middle: as many are dropped above as below")
        return KeptOfSeveral(self.parts, (self.size - keep) // 2, (self.size - keep) // 2)

    def drop(self, *, lowest: int = 0, highest: int = 0) -> Chance[int]:
        """The sum of all but the lowest and the highest few.

        >>> from astragal import d6, odds, pool
        >>> odds(pool(4, d6).drop(lowest=1)).mean()
        Fraction(15869, 1296)
        """
        return KeptOfSeveral(self.parts, lowest, highest)

    @property
    def size(self) -> int:
        """Number of dice."""
        return sum([count for count, _ in self.parts])

    def groups(self) -> tuple[Group, ...]:
        return tuple(Group(count, each.odds().weights, is_deck=False) for count, each in self.parts)

    def draw(self, tray: Tray) -> list[T]:
        return [value for count, each in self.parts for value, _ in each.throw_several(tray, count)]

    @property
    def made_of(self) -> list[Chance[Any]]:
        return [Total(count, each) for count, each in self.parts]


class Deck(Generic[T]):
    """Cards to deal without putting any back: a list of them, or a dict with the number of each.

    >>> from astragal import Deck, odds
    >>> ranks = Deck({rank: 4 for rank in range(2, 15)})
    >>> odds(ranks.deal(5).sets()).chance((3, 2))
    Fraction(6, 4165)
    """

    __slots__ = ("cards",)

    def __init__(self, cards: Mapping[T, int] | Iterable[T]) -> None:
        self.cards: Final[tuple[tuple[T, int], ...]] = weighed(cards, "a deck")
        if not 1 <= len(self) <= MOST_CARDS:
            raise BadStep(f"a deck has 1 to {MOST_CARDS:,} cards, not {len(self):,}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deck):
            return NotImplemented
        return self.cards == other.cards

    def __hash__(self) -> int:
        return hash(self.cards)

    def __len__(self) -> int:
        return sum(count for _, count in self.cards)

    def __repr__(self) -> str:
        return f"Deck({dict(self.cards)})"

    def deal(self, count: int) -> Hand[T]:
        """Deal `count` cards at once.

        >>> from astragal import Deck, odds
        >>> odds(Deck(["lover", "fool", "fool"]).deal(2)).chance(("fool", "fool"))
        Fraction(1, 3)
        """
        return Hand(self, count)

    def without(self, cards: Iterable[T]) -> Deck[T]:
        """The deck without these cards: for a second hand from the same deck.

        >>> from astragal import Deck
        >>> Deck(["lover", "fool", "fool"]).without(["fool"])
        Deck({'lover': 1, 'fool': 1})
        """
        count_by_card = dict(self.cards)
        for card in cards:
            if not count_by_card.get(card):
                raise BadStep(f"there is no {card!r} left in the deck")
            count_by_card[card] -= 1
        return Deck(count_by_card)


class Hand(Multiset[T], Struct, frozen=True):
    """Cards dealt from a deck. In the record, each card is a die with as many sides as there were cards left."""

    deck: Deck[T]
    many: int

    def __post_init__(self) -> None:
        if not 0 <= self.many <= len(self.deck):
            raise BadStep(f"of {len(self.deck)} cards you can deal 0 to {len(self.deck)}, not {self.many}")

    def groups(self) -> tuple[Group, ...]:
        return (Group(self.many, dict(self.deck.cards), is_deck=True),)

    def draw(self, tray: Tray) -> list[T]:
        undealt: list[T] = []
        for card, count in self.deck.cards:
            undealt += [card] * count
        hand: list[T] = []
        for _ in range(self.many):
            place = tray.draw(len(undealt)) - 1 if len(undealt) > 1 else 0  # the last card needs no die
            hand.append(undealt.pop(place))
        return hand

    def needs(self) -> tuple[int, ...]:
        cards = len(self.deck)
        return tuple(sides for sides in range(cards, cards - self.many, -1) if sides > 1)


class Fold(Chance[R], Struct, frozen=True):
    """A question about one or more multisets, face by face: the state so far, a face, and how many dice show it."""

    sources: tuple[Multiset[Any], ...]
    start: Any
    step: Callable[..., Any]
    finish: Callable[[Any], R] | None = None
    highest_first: bool = False
    given: tuple[Any, ...] = ()
    absent: Callable[[Any, Any], Any] | None = None
    """What a state may be replaced by where nothing shows a face: one that means the same from there on. Fewer states
    are left to be counted."""

    def throw(self, tray: Tray) -> R:
        drawn = [Counter(source.draw(tray)) for source in self.sources]
        faces = in_order({face for counts in drawn for face in counts}, self.sources)
        state = self.start
        for face in reversed(faces) if self.highest_first else faces:
            state = self.step(*self.given, state, face, *(counts[face] for counts in drawn))
        return self.finish(state) if self.finish else cast("R", state)

    def odds(self) -> Odds[R]:
        return weigh_fold(self)

    @property
    def made_of(self) -> tuple[Multiset[Any], ...]:
        return self.sources


def pool(count: int, each: Step[T]) -> Pool[T]:
    """A pool of dice of which only the values and their counts matter.

    >>> from astragal import d10, odds, pool
    >>> print(odds(pool(3, d10).largest_set()))
    1  72.0% ████████████████████████████████████████████████████████████████ 18/25
    2  27.0% ████████████████████████                                         27/100
    3   1.0% ▉                                                                1/100
    """
    return Pool(((count, as_chance(each)),))


# ---------------------------------------------------------------- counting the ways

DiceLeft = tuple[int, ...]
"""Number of dice, or cards, of each group that are still to come."""


Shown = tuple[DiceLeft, tuple[int, ...], int]
"""One way to go on from a face: the dice that are still to come, how many of each source show the face (empty if none
does), and the number of ways. A plain tuple: a million of them are made for a large question."""


@lru_cache(maxsize=64)
def weigh_fold(fold: Fold[Any]) -> Odds[Any]:
    """The odds of a fold, face by face: for each number of dice still to come, all states with their weights.

    Cached, because a rule asks the same fold on each of its paths; the oldest of 64 is dropped.
    """
    step = partial(fold.step, *fold.given) if fold.given else fold.step
    groups: list[tuple[int, Group]] = []
    for place, source in enumerate(fold.sources):
        groups += [(place, group) for group in source.groups()]
    faces = in_order({face for _, group in groups for face in group.weights}, fold.sources)
    if fold.highest_first:
        faces = faces[::-1]
    all_dice = tuple(group.many for _, group in groups)
    weights_by_left: dict[DiceLeft, dict[Any, int]] = {all_dice: {fold.start: 1}}
    steps = 0
    for place, face in enumerate(faces):
        showing = _Showing(groups, len(fold.sources), face, faces[place + 1 :])
        next_weights_by_left: dict[DiceLeft, dict[Any, int]] = {}
        next_states_by_counts: dict[tuple[int, ...], dict[Any, Any]] = {}
        """The next state of each state, by how many dice show the face: the same for all numbers of dice left."""
        for left, weights in weights_by_left.items():
            for next_left, counts, ways in showing.ways(left):
                steps += len(weights)
                if steps > MOST_STEPS:
                    raise TooMuchWork(f"this takes more than {MOST_STEPS:,} steps; ask a question that keeps less")
                next_weights = next_weights_by_left.setdefault(next_left, {})
                get = next_weights.get
                if not counts:
                    for state, weight in weights.items():
                        next_state = fold.absent(state, face) if fold.absent else state
                        next_weights[next_state] = get(next_state, 0) + weight * ways
                    continue
                next_states = next_states_by_counts.setdefault(counts, {})
                for state, weight in weights.items():
                    if state in next_states:
                        next_state = next_states[state]
                    else:
                        next_state = next_states[state] = step(state, face, *counts)
                    next_weights[next_state] = get(next_state, 0) + weight * ways
        weights_by_left = next_weights_by_left
    total = prod(group.total for _, group in groups)
    (final_weights,) = weights_by_left.values()
    odds = Odds(final_weights, total)
    return odds.map(fold.finish) if fold.finish else odds


class _Showing:
    """Number of ways in which exactly so many dice of each group show a face."""

    def __init__(self, groups: list[tuple[int, Group]], sources: int, face: Any, later_faces: Sequence[Any]) -> None:
        self._source_places = [place for place, _ in groups]
        self._sources = sources
        self._weights = [group.weights.get(face, 0) for _, group in groups]
        self._later_weights: list[int] = []
        for _, group in groups:
            self._later_weights.append(sum([group.weights.get(later_face, 0) for later_face in later_faces]))
        self._is_deck = [group.is_deck for _, group in groups]

    def ways(self, left: DiceLeft) -> Iterator[Shown]:
        """Yield each way in which some of the dice left show the face."""
        if len(left) == 1:  # the common case, and far simpler
            for count, ways in self._choices(0, left[0]):
                yield (left[0] - count,), (count,) if count else (), ways
            return
        for choices in product(*map(self._choices, range(len(left)), left)):
            counts = [0] * self._sources
            ways = 1
            for source_place, (count, count_ways) in zip(self._source_places, choices, strict=True):
                counts[source_place] += count
                ways *= count_ways
            next_left = tuple(dice - count for dice, (count, _) in zip(left, choices, strict=True))
            yield next_left, tuple(counts) if any(counts) else (), ways

    def _choices(self, place: int, left: int) -> list[tuple[int, int]]:
        """List how many of a group's dice can show the face, each with its ways: later faces take the others."""
        weight = self._weights[place]
        later_weight = self._later_weights[place]
        if self._is_deck[place]:
            counts = range(max(0, left - later_weight), min(weight, left) + 1)
            return [(count, comb(weight, count)) for count in counts]
        least = 0 if later_weight else left
        most = left if weight else 0
        return [(count, comb(left, count) * weight**count) for count in range(least, most + 1)]


def in_order(values: Iterable[T], sources: Sequence[Multiset[Any]]) -> list[T]:
    """Sort numbers by size, anything else in the order of its dice or deck."""
    values = list(values)
    if all(isinstance(value, (int, float)) for value in values):
        return sorted(values)  # type: ignore[type-var] # numbers, as just checked
    place_by_face: dict[Any, int] = {}
    for source in sources:
        for group in source.groups():
            for face, _ in Odds(group.weights, 1):
                place_by_face.setdefault(face, len(place_by_face))
    return sorted(values, key=lambda value: place_by_face[value])


# ---------------------------------------------------------------- steps of folds, one face at a time
#
# Each takes the state so far, the face, and how many dice of each source show it, and returns the next state.


def all_of_them(values: tuple[Any, ...], face: Any, count: int) -> tuple[Any, ...]:
    return values + (face,) * count


def largest(largest: int, _face: Any, count: int) -> int:
    return max(largest, count)


def largest_and_face(largest_set: tuple[int, Any], face: Any, count: int) -> tuple[int, Any]:
    return (count, face) if count >= largest_set[0] else largest_set


def sets_of(least: int, sizes: tuple[int, ...], _face: Any, count: int) -> tuple[int, ...]:
    return tuple(sorted((*sizes, count), reverse=True)) if count >= least else sizes


def groups_of(size: int, groups: int, _face: Any, count: int) -> int:
    return groups + count // size


def straight_ends(run: tuple[Any, int, int], face: Any) -> tuple[Any, int, int]:  # noqa: ARG001 - whichever it is
    """The state of a straight that doesn't go on: only the longest one so far counts."""
    return None, 0, run[2]


def straight(run: tuple[Any, int, int], face: Any, _count: int) -> tuple[Any, int, int]:
    last_face, length, longest = run
    goes_on = last_face is not None and face == last_face + 1
    length = length + 1 if goes_on else 1
    return face, length, max(length, longest)


def face_and_count(_state: Any, face: Any, count: int) -> tuple[Any, int]:
    return face, count


def one_more(faces: int, _face: Any, _count: int) -> int:
    return faces + 1


def count_of(wanted_faces: tuple[Any, ...], hits: int, face: Any, count: int) -> int:
    return hits + count if face in wanted_faces else hits


def added(total: int, face: int, count: int) -> int:
    return total + face * count


def missing_of(wanted: tuple[tuple[Any, int], ...], missing: int, face: Any, count: int) -> int:
    """Count down the wanted faces: one fewer is missing if enough dice show this one."""
    for wanted_face, wanted_count in wanted:
        if face == wanted_face and count >= wanted_count:
            return missing - 1
    return missing


def in_common(matches: int, _face: Any, mine: int, theirs: int) -> int:
    return matches + min(mine, theirs)


def beaten_by(ties: bool, state: tuple[int, int], _face: Any, mine: int, theirs: int) -> tuple[int, int]:
    """Walk down the faces. The state: how many more of mine than of theirs came so far, and how many of mine won."""
    ahead, won = state
    beaten = min(max(ahead, 0), theirs)  # those of theirs that face higher ones of mine
    beating = min(max(-ahead, 0), mine)  # those of mine that face higher ones of theirs
    even = min(theirs - beaten, mine - beating)
    return ahead + mine - theirs, won + beaten + (even if ties else 0)
