"""Point-buy: declare once what the numbers of a new hero may be; validation, repairs and random builds are derived.

A `Number` has rails (its minimum and maximum) and a price for each of its values. A `Budget` has numbers whose prices
must add up to a total within its limits. A `PointBuy` is some budgets that share no number. From these come all faults
at once, the accounts, the nearest legal builds and random ones.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, chain, islice, pairwise, product, repeat
from math import ceil, inf
from typing import NamedTuple, TypeAlias

from astragal.table.declarations import Value

__all__ = ["Budget", "Build", "Draw", "Fault", "Nearest", "Number", "OneOf", "PointBuy", "highest"]

MOST_REPAIRS = 5

Build: TypeAlias = Mapping[str, int]
"""The numbers of a hero, by key."""

Draw: TypeAlias = Callable[[int], int]
"""Random source: returns one of range(n), each as likely as any other."""

Rails: TypeAlias = tuple[int, int]
"""The minimum and maximum of a number."""


class Fault(Value, kw_only=False):
    """Why a build is illegal: a code for programs, the number or budget concerned, and words without a full stop."""

    code: str
    field: str
    words: str


# ---------------------------------------------------------------- what a game declares


def _number_amiss(number: Number, value: int | None) -> str:
    if value is None:
        return f"{number.called} has no number"
    return f"{number.called} must have {number.least} to {number.most} points, not {value}"


class Number(Value, kw_only=False):
    """A number of a hero. If a build doesn't have it, it is at its start."""

    key: str
    least: int
    most: int
    name: str = ""
    start: int = 0
    price: Callable[[int], int] | None = None
    """Returns what a value costs; a negative cost gives points. None means a point each."""
    amiss: Callable[[Number, int | None], str] = _number_amiss
    """Returns the words of a fault: for a value off the rails, or for None if it is missing."""

    @property
    def called(self) -> str:
        return self.name or self.key

    def cost(self, value: int) -> int:
        if self.price is None:
            return value
        return self.price(value)


class OneOf(Value, kw_only=False):
    """Narrower rails for some numbers, in several versions. A legal build keeps to at least one of them."""

    versions: tuple[Mapping[str, Rails], ...]
    code: str
    amiss: Callable[[Budget, Build], str]

    def holds(self, build: Build) -> bool:
        return any(_keeps_to(build, rails_by_key) for rails_by_key in self.versions)


def _keeps_to(build: Build, rails_by_key: Mapping[str, Rails]) -> bool:
    return all(least <= build[key] <= most for key, (least, most) in rails_by_key.items())


def highest(key: str, numbers: Sequence[Number]) -> tuple[Mapping[str, Rails], ...]:
    """Make rails by which a number is the highest of some, or equal to it. The versions don't overlap."""
    (chosen,) = (number for number in numbers if number.key == key)
    versions = []
    for top in range(chosen.least, chosen.most + 1):
        rails_by_key = {number.key: (number.least, top) for number in numbers}
        versions.append(rails_by_key | {key: (top, top)})
    return tuple(versions)


def _total_amiss(budget: Budget, build: Build) -> str:
    excess = budget.over(build)
    noun = "point" if abs(excess) == 1 else "points"
    direction = "many" if excess > 0 else "few"
    limits = [str(limit) for limit in dict.fromkeys((budget.least, budget.most)) if limit is not None]
    return (
        f"{budget.what} have {budget.total(build)} points together, {abs(excess)} {noun} too {direction}: "
        f"there are {' to '.join(limits)}"
    )


def _account(budget: Budget, build: Build) -> str:
    total = budget.total(build)
    if budget.most is None:
        return f"{total} points given"
    unspent = budget.most - total
    remark = "too many" if unspent < 0 else "left"
    return f"{total} of {budget.most} points given, {abs(unspent)} {remark}"


class Budget(Value):
    """Numbers whose prices add up to at least `least` and at most `most`; None sets no limit."""

    key: str
    numbers: tuple[Number, ...]
    least: int | None = None
    most: int | None = None
    one_of: OneOf | None = None
    what: str = "the numbers"
    amiss: Callable[[Budget, Build], str] = _total_amiss
    account: Callable[[Budget, Build], str] = _account

    def total(self, build: Build) -> int:
        return sum(number.cost(build.get(number.key, number.start)) for number in self.numbers)

    def over(self, build: Build) -> int:
        """Return how many points too many were spent; negative if too few."""
        total = self.total(build)
        low, high = self.limits
        return int(max(0, total - high) - max(0, low - total))

    def faults(self, build: Build) -> Iterator[Fault]:
        for number in self.numbers:
            value = build.get(number.key)
            if value is None:
                yield Fault("missing", number.key, number.amiss(number, None))
            elif not number.least <= value <= number.most:
                yield Fault("off_the_rails", number.key, number.amiss(number, value))
        if self.over(build):
            yield Fault("wrong_total", self.key, self.amiss(self, build))
        complete_build = {number.key: number.start for number in self.numbers} | dict(build)
        if self.one_of is not None and not self.one_of.holds(complete_build):
            yield Fault(self.one_of.code, self.key, self.one_of.amiss(self, build))

    def random(self, draw: Draw, versions: Sequence[Mapping[str, Rails]] = ()) -> dict[str, int]:
        """Return a random legal build; each is as likely as any other. It draws one number and takes that build.

        With versions of narrower rails, the build keeps to one of them. The versions must not overlap.
        """
        boxes = self._boxes(versions or self._own_versions)
        low, high = self.limits
        counts = [_counting(_prices(self.numbers, box))(0, low, high) for box in boxes]
        chosen, number = _picked(counts, draw(sum(counts)))
        prices = _prices(self.numbers, boxes[chosen])
        ways = _counting(prices)
        values: list[int] = []
        for place, (least, _) in enumerate(boxes[chosen]):
            counts = [ways(place + 1, low - price, high - price) for price in prices[place]]
            step, number = _picked(counts, number)
            low -= prices[place][step]
            high -= prices[place][step]
            values.append(least + step)
        return self._named(values)

    def nearest(self, build: Build, most: int = MOST_REPAIRS) -> list[dict[str, int]]:
        """Find the legal builds with the fewest points moved; those that change the fewest numbers come first.

        Of equal ones, the one that changes the numbers declared first by more comes first. A legal build is its own
        nearest.
        """
        start = [build.get(number.key, number.start) for number in self.numbers]
        searches = [_Search(self, start, box) for box in self._boxes(self._own_versions)]
        bounds = []
        for place, search in enumerate(searches):
            bound = search.bound()
            if bound is not None:
                bounds.append((bound, place))

        fewest_points = inf
        rank_by_values: dict[tuple[int, ...], tuple[float, float]] = {}
        """The builds with the fewest points moved, each with the numbers that it changes and the place of its box."""
        for (least_points, least_changes), place in sorted(bounds):
            rank_of_last = max(sorted(rank_by_values.values())[most - 1 : most], default=(inf, inf))
            if (least_points, least_changes, place) > (fewest_points, *rank_of_last):
                break  # neither this version of the rails nor a later one can have a build that is nearer
            points, builds = searches[place].nearest(least_points, most)
            if points < fewest_points:
                fewest_points = points
                rank_by_values = {}
            if points == fewest_points:
                for values in builds:
                    changes = sum(value != old_value for value, old_value in zip(values, start, strict=True))
                    rank_by_values.setdefault(values, (changes, place))
        nearest = sorted(rank_by_values, key=rank_by_values.__getitem__)
        return [self._named(values) for values in nearest[:most]]

    @property
    def limits(self) -> tuple[float, float]:
        low = -inf if self.least is None else self.least
        high = inf if self.most is None else self.most
        return low, high

    @property
    def _own_versions(self) -> Sequence[Mapping[str, Rails]]:
        return () if self.one_of is None else self.one_of.versions

    def _boxes(self, versions: Sequence[Mapping[str, Rails]]) -> list[list[Rails]]:
        """List the rails of all numbers, for each version in which no number is left without a value."""
        boxes = []
        for version in versions or ({},):
            box = []
            for number in self.numbers:
                least, most = version.get(number.key, (number.least, number.most))
                box.append((max(number.least, least), min(number.most, most)))
            if all(least <= most for least, most in box):
                boxes.append(box)
        return boxes

    def _named(self, values: Sequence[int]) -> dict[str, int]:
        return {number.key: value for number, value in zip(self.numbers, values, strict=True)}


class Change(Value, kw_only=False):
    number: Number
    before: int
    after: int

    @property
    def words(self) -> str:
        return f"{self.number.called} {self.before} → {self.after}"


class Nearest(Value, kw_only=False):
    """A legal build, and the changes that lead to it."""

    build: dict[str, int]
    changes: tuple[Change, ...]

    @property
    def words(self) -> str:
        return " and ".join(change.words for change in self.changes)


class PointBuy(Value, kw_only=False):
    """Everything that is bought for a new hero: budgets that share no number."""

    budgets: tuple[Budget, ...]
    unknown: Callable[[str], str] = "there is no number {!r}".format
    """Returns the words of a fault for a key that no budget has."""

    @property
    def numbers(self) -> tuple[Number, ...]:
        return tuple(number for budget in self.budgets for number in budget.numbers)

    def faults(self, build: Build) -> list[Fault]:
        """List everything that is wrong, at once; empty for a legal build."""
        keys = {number.key for number in self.numbers}
        faults = [Fault("unknown", key, self.unknown(key)) for key in build if key not in keys]
        for budget in self.budgets:
            faults += budget.faults(build)
        return faults

    def accounts(self, build: Build) -> list[str]:
        """Return the accounts: points spent and left, a line for each budget."""
        return [budget.account(budget, build) for budget in self.budgets]

    def nearest(self, build: Build, most: int = MOST_REPAIRS) -> list[Nearest]:
        """Find the legal builds with the fewest points moved, with their changes; fewest changes first."""
        builds_by_budget = [budget.nearest(build, most) for budget in self.budgets]
        nearest = []
        for parts in product(*builds_by_budget):
            legal_build: dict[str, int] = {}
            for part in parts:
                legal_build |= part
            nearest.append(Nearest(legal_build, tuple(self._changes(build, legal_build))))
        return sorted(nearest, key=lambda near: len(near.changes))[:most]

    def better(self, build: Build) -> Nearest | None:
        """Spend the points that a legal build has left over: no number gets lower, some get higher.

        The cheapest raise is made first, until none is possible. None if there is none at all.
        """
        if self.faults(build):
            return None
        better_build = dict(build)
        while True:
            number = self._cheapest_raise(better_build)
            if number is None:
                break
            better_build[number.key] += 1
        if better_build == build:
            return None
        return Nearest(better_build, tuple(self._changes(build, better_build)))

    def _cheapest_raise(self, build: Build) -> Number | None:
        """Find the number of a legal build whose next point costs least; None if no number can be raised."""
        cheapest = None
        lowest_price: float = inf
        for budget in self.budgets:
            if budget.most is None:
                continue
            for number in budget.numbers:
                value = build[number.key]
                price = number.cost(value + 1) - number.cost(value)
                if 0 < price < lowest_price and not self.faults({**build, number.key: value + 1}):
                    cheapest = number
                    lowest_price = price
        return cheapest

    def _changes(self, old_build: Build, new_build: Build) -> Iterator[Change]:
        for number in self.numbers:
            old_value = old_build.get(number.key, number.start)
            new_value = new_build[number.key]
            if old_value != new_value:
                yield Change(number, old_value, new_value)


# ---------------------------------------------------------------- counting and searching


def _prices(numbers: Sequence[Number], rails: Sequence[Rails]) -> tuple[tuple[int, ...], ...]:
    """List what each value of each number costs, from the lowest on."""
    prices = []
    for number, (least, most) in zip(numbers, rails, strict=True):
        prices.append(tuple(number.cost(value) for value in range(least, most + 1)))
    return tuple(prices)


@lru_cache(maxsize=64)
def _counting(prices: tuple[tuple[int, ...], ...]) -> Callable[[int, float, float], int]:
    """Make a function that counts the ways in which the numbers from a place on reach a total within limits.

    Both caches save counting the same ends of builds again: for each random hero, and, inside, for each way to get
    there. The table of a game has few different prices; the least recently used are dropped.
    """
    cheapest = [0]
    dearest = [0]
    all_ways = [1]
    for prices_of_number in reversed(prices):
        cheapest.insert(0, cheapest[0] + min(prices_of_number, default=0))
        dearest.insert(0, dearest[0] + max(prices_of_number, default=0))
        all_ways.insert(0, all_ways[0] * len(prices_of_number))

    @cache
    def ways(place: int, low: float, high: float) -> int:
        if low > dearest[place] or high < cheapest[place]:
            return 0
        if low <= cheapest[place] and dearest[place] <= high:
            return all_ways[place]
        return sum(ways(place + 1, low - price, high - price) for price in prices[place])

    return ways


def _picked(counts: Sequence[int], number: int) -> tuple[int, int]:
    """Find the place that a number falls in, if each place has this many, and its number within that place."""
    starts = [0, *accumulate(counts)]
    place = bisect_right(starts, number) - 1
    return place, number - starts[place]


class _Carries(NamedTuple):
    """Amounts by which one number can change a total."""

    costs: Sequence[int]
    """Change for each of its values, from the lowest on."""
    up: tuple[int, Mapping[int, int]]
    """The largest increase, and, by size of increase, how many of its points bring it."""
    down: tuple[int, Mapping[int, int]]


@lru_cache(maxsize=1024)
def _carries(price: Callable[[int], int] | None, start: int, least: int, most: int) -> _Carries:
    """Calculate how one number can change a total. The cache saves it for each box of rails and each repair."""
    above = most - start
    below = start - least
    if price is None:
        return _Carries(range(-below, above + 1), (above, {1: above}), (below, {1: below}))
    costs = [price(value) - price(start) for value in range(least, most + 1)]
    going_up = costs[below:]
    going_down = costs[below::-1]
    points = Counter(next_cost - cost for cost, next_cost in (*pairwise(going_up), *pairwise(going_down)))
    up = {step: count for step, count in points.items() if step > 0}
    down = {-step: count for step, count in points.items() if step < 0}
    return _Carries(costs, (max(costs), up), (-min(costs), down))


class _Reach(NamedTuple):
    """Amounts by which the numbers from a place on can change a total, in one direction."""

    steps: list[tuple[int, int]]
    """How much moving a point changes it, largest first, and how many such points there are."""
    by_changes: list[int]
    """How much 0, 1, 2… newly changed numbers change it, together with all that were changed before."""

    def by_points(self, most: int) -> list[int]:
        """List the most that 0, 1, 2… points can change it."""
        steps = chain.from_iterable(repeat(step, count) for step, count in self.steps)
        return list(islice(accumulate(chain(steps, repeat(0)), initial=0), most + 1))


class _Search:
    """Search for the builds nearest to one, within rails and with a total within limits.

    A number that is off its rails passes the nearest rail on the way to any legal value, so the search starts from
    there. It moves more and more points, and backtracks as soon as the points left can't settle the total: at once if
    every point costs the same, and soon enough otherwise.
    """

    def __init__(self, budget: Budget, values: Sequence[int], rails: Sequence[Rails]) -> None:
        self.numbers = budget.numbers
        self.rails = rails
        self.limits = budget.limits
        self.start: list[int] = []
        """Where the search starts: the values, or the nearest rail."""
        self.moved: list[bool] = []
        """For each number, whether its start is another value than the build's."""
        self.carries: list[_Carries] = []
        self.distance = 0
        """Points moved to get to the start."""
        self.room = 0
        """Points that can be moved from there, at most."""
        total = 0
        for number, value, (least, most) in zip(self.numbers, values, rails, strict=True):
            start = least if value < least else min(value, most)
            self.start.append(start)
            self.moved.append(value != start)
            self.carries.append(_carries(number.price, start, least, most))
            self.distance += abs(value - start)
            self.room += max(start - least, most - start)
            total += number.cost(start)
        low, high = self.limits
        self.low = low - total
        """Least change of the total that makes it legal."""
        self.high = high - total
        """Greatest change of the total that makes it legal."""

    def bound(self) -> tuple[int, int] | None:
        """Return lower bounds for the points moved and the numbers changed; None if nothing can be legal."""
        change = max(self.low, -self.high, 0)  # by how much the total has to change
        steps, by_changes = self._reach(1 if self.low > 0 else -1, 0)
        changes = next((changes for changes, reach in enumerate(by_changes) if reach >= change), None)
        points = 0
        for step, count in steps:
            points_of_step = min(count, ceil(change / step))
            points += points_of_step
            change = max(0, change - step * points_of_step)
        if change or changes is None:
            return None
        return self.distance + points, sum(self.moved) + changes

    def nearest(self, points: int, most: int) -> tuple[float, list[tuple[int, ...]]]:
        """Return the fewest points moved, from this number on, and builds that move so many; fewest changes first."""
        if points == self.distance:
            return points, [tuple(self.start)]
        count = len(self.rails)
        for all_points in range(points, self.distance + self.room + 1):
            points_from_start = all_points - self.distance
            self.far = [self._far(points_from_start, place + 1) for place in range(count)]
            walks = (
                self._walk(0, self.low, self.high, points_from_start, changes)
                for changes in range(min(count, points_from_start) + 1)
            )
            builds = list(islice(chain.from_iterable(walks), most))
            if builds:
                return all_points, builds
            if all_points == points and not _counting(_prices(self.numbers, self.rails))(0, *self.limits):
                break  # there is no legal build at all
        return inf, []

    def _far(self, points: int, place: int) -> tuple[list[int], list[int], list[int], list[int]]:
        """Return how far 0, 1, 2… new changes from a place on, and 0, 1, 2… points, carry the total up, and down."""
        up = self._reach(1, place) if self.limits[0] > -inf else _Reach([], [])
        down = self._reach(-1, place) if self.limits[1] < inf else _Reach([], [])
        return up.by_changes, up.by_points(points), down.by_changes, down.by_points(points)

    def _walk(self, place: int, low: float, high: float, points: int, changes: int) -> Iterator[tuple[int, ...]]:
        """Yield values from a place on with exactly this many points moved and this many numbers newly changed."""
        if place == len(self.rails):
            if points == changes == 0 and low <= 0 <= high:
                yield ()
            return
        start = self.start[place]
        costs = self.carries[place].costs
        least, most = self.rails[place]
        up_by_changes, up_by_points, down_by_changes, down_by_points = self.far[place]
        for step in range(min(points, max(start - least, most - start)), -1, -1):
            points_left = points - step
            changes_left = changes - (step > 0 and not self.moved[place])
            if not 0 <= changes_left <= points_left:
                continue
            for value in (start - step, start + step) if step else (start,):
                if not least <= value <= most:
                    continue
                cost = costs[value - least]
                up = low - cost
                down = cost - high
                if up > 0 and (up_by_points[points_left] < up or up_by_changes[changes_left] < up):
                    continue
                if down > 0 and (down_by_points[points_left] < down or down_by_changes[changes_left] < down):
                    continue
                for further_values in self._walk(place + 1, up, -down, points_left, changes_left):
                    yield value, *further_values

    def _reach(self, direction: int, place: int) -> _Reach:
        """Calculate how far the numbers from a place on can raise (1) or lower (-1) the total."""
        count_by_step = defaultdict[int, int](int)
        by_moved_numbers = 0
        by_new_changes = [0] * place
        for carries, moved in zip(self.carries[place:], self.moved[place:], strict=True):
            most, points = carries.up if direction > 0 else carries.down
            for step, count in points.items():
                count_by_step[step] += count
            if moved:
                by_moved_numbers += most
                by_new_changes.append(0)
            else:
                by_new_changes.append(most)
        largest_first = sorted(by_new_changes, reverse=True)
        by_changes = list(accumulate(largest_first, initial=by_moved_numbers))
        return _Reach(sorted(count_by_step.items(), reverse=True), by_changes)
