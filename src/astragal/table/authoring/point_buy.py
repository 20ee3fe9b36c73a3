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
from math import ceil, inf, prod
from operator import itemgetter
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
        return value if self.price is None else self.price(value)


class OneOf(Value, kw_only=False):
    """Narrower rails for some numbers, in several versions. A legal build keeps to at least one of them."""

    versions: tuple[Mapping[str, Rails], ...]
    code: str
    amiss: Callable[[Budget, Build], str]

    def holds(self, build: Build) -> bool:
        return any(all(least <= build[key] <= most for key, (least, most) in rails.items()) for rails in self.versions)


def highest(key: str, numbers: Sequence[Number]) -> tuple[Mapping[str, Rails], ...]:
    """Make rails by which a number is the highest of some, or equal to it. The versions don't overlap."""
    (chosen,) = (number for number in numbers if number.key == key)
    return tuple(
        {number.key: (top if number is chosen else number.least, top) for number in numbers}
        for top in range(chosen.least, chosen.most + 1)
    )


def _total_amiss(budget: Budget, build: Build) -> str:
    over = budget.over(build)
    points = f"{abs(over)} {'point' if abs(over) == 1 else 'points'} too {'many' if over > 0 else 'few'}"
    there_are = " to ".join(str(limit) for limit in dict.fromkeys((budget.least, budget.most)) if limit is not None)
    return f"{budget.what} have {budget.total(build)} points together, {points}: there are {there_are}"


def _account(budget: Budget, build: Build) -> str:
    total = budget.total(build)
    if budget.most is None:
        return f"{total} points given"
    left = budget.most - total
    return f"{total} of {budget.most} points given, {abs(left)} {'too many' if left < 0 else 'left'}"


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
        total, (low, high) = self.total(build), self.limits
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
        if self.one_of and not self.one_of.holds({number.key: number.start for number in self.numbers} | {**build}):
            yield Fault(self.one_of.code, self.key, self.one_of.amiss(self, build))

    def random(self, draw: Draw, versions: Sequence[Mapping[str, Rails]] = ()) -> dict[str, int]:
        """Return a random legal build; each is as likely as any other. It draws one number and takes that build.

        With versions of narrower rails, the build keeps to one of them. The versions must not overlap.
        """
        boxes = self._boxes(versions or (self.one_of.versions if self.one_of else ()))
        counts = [_counting(_prices(self.numbers, box))(0, *self.limits) for box in boxes]
        chosen, drawn = _picked(counts, draw(sum(counts)))
        prices, (low, high), values = _prices(self.numbers, boxes[chosen]), self.limits, list[int]()
        ways = _counting(prices)
        for place, (least, _) in enumerate(boxes[chosen]):
            step, drawn = _picked([ways(place + 1, low - price, high - price) for price in prices[place]], drawn)
            low, high = low - prices[place][step], high - prices[place][step]
            values.append(least + step)
        return self._named(values)

    def nearest(self, build: Build, most: int = MOST_REPAIRS) -> list[dict[str, int]]:
        """Find the legal builds with the fewest points moved; those that change the fewest numbers come first.

        Of equal ones, the one that changes the numbers declared first by more comes first. A legal build is its own
        nearest.
        """
        now = [build.get(number.key, number.start) for number in self.numbers]
        searches = [_Search(self, now, box) for box in self._boxes(self.one_of.versions if self.one_of else ())]
        bounds = sorted((bound, place) for place, search in enumerate(searches) if (bound := search.bound()))
        best, found = inf, dict[tuple[int, ...], tuple[float, float]]()
        for (points, changes), place in bounds:
            last = max(sorted(found.values())[most - 1 : most], default=(inf, inf))
            if (points, changes, place) > (best, *last):
                break
            moved, builds = searches[place].nearest(points, most)
            if moved < best:
                best, found = moved, {}
            for values in builds if moved == best else ():
                changed = sum(one != other for one, other in zip(values, now, strict=True))
                found.setdefault(values, (changed, place))
        return [self._named(values) for values in sorted(found, key=found.__getitem__)[:most]]

    @property
    def limits(self) -> tuple[float, float]:
        return -inf if self.least is None else self.least, inf if self.most is None else self.most

    def _boxes(self, versions: Sequence[Mapping[str, Rails]]) -> list[list[Rails]]:
        """List the rails of all numbers, for each version in which no number is left without a value."""
        own = [(number.key, (number.least, number.most)) for number in self.numbers]
        both = [[(rails, narrower.get(key, rails)) for key, rails in own] for narrower in versions or ({},)]
        boxes = [[(max(one[0], other[0]), min(one[1], other[1])) for one, other in box] for box in both]
        return [box for box in boxes if all(least <= most for least, most in box)]

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
        known = {number.key for number in self.numbers}
        strange = [Fault("unknown", key, self.unknown(key)) for key in build if key not in known]
        return [*strange, *(fault for budget in self.budgets for fault in budget.faults(build))]

    def accounts(self, build: Build) -> list[str]:
        """Return the accounts: points spent and left, a line for each budget."""
        return [budget.account(budget, build) for budget in self.budgets]

    def nearest(self, build: Build, most: int = MOST_REPAIRS) -> list[Nearest]:
        """Find the legal builds with the fewest points moved, with their changes; fewest changes first."""
        apart = [budget.nearest(build, most) for budget in self.budgets]
        together = [{key: value for part in parts for key, value in part.items()} for parts in product(*apart)]
        found = [Nearest(one, tuple(self._changes(build, one))) for one in together]
        return sorted(found, key=lambda one: len(one.changes))[:most]

    def better(self, build: Build) -> Nearest | None:
        """Spend the points that a legal build has left over: no number gets lower, some get higher.

        The cheapest raise is made first, until none is possible. None if there is none at all.
        """
        after = dict(build)
        bought = [number for budget in self.budgets if budget.most is not None for number in budget.numbers]

        def raises() -> Iterator[tuple[int, str]]:
            for number in bought:
                now = after[number.key]
                price = number.cost(now + 1) - number.cost(now)
                if price > 0 and not self.faults({**after, number.key: now + 1}):
                    yield price, number.key

        while not self.faults(build) and (cheapest := min(raises(), key=itemgetter(0), default=None)):
            after[cheapest[1]] += 1
        changes = tuple(self._changes(build, after)) if after != build else ()
        return Nearest(after, changes) if changes else None

    def _changes(self, before: Build, after: Build) -> Iterator[Change]:
        for number in self.numbers:
            was = before.get(number.key, number.start)
            if was != after[number.key]:
                yield Change(number, was, after[number.key])


# ---------------------------------------------------------------- counting and searching


def _prices(numbers: Sequence[Number], rails: Sequence[Rails]) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(range(least, most + 1) if number.price is None else map(number.price, range(least, most + 1)))
        for number, (least, most) in zip(numbers, rails, strict=True)
    )


@lru_cache(maxsize=64)
def _counting(prices: tuple[tuple[int, ...], ...]) -> Callable[[int, float, float], int]:
    """Make a function that counts the ways in which the numbers from a place on reach a total within limits."""
    places = range(len(prices) + 1)
    lowest = [sum(min(some, default=0) for some in prices[place:]) for place in places]
    dearest = [sum(max(some, default=0) for some in prices[place:]) for place in places]
    all_of_them = [prod(len(some) for some in prices[place:]) for place in places]

    @cache
    def ways(place: int, low: float, high: float) -> int:
        if low > dearest[place] or high < lowest[place]:
            return 0
        if low <= lowest[place] and dearest[place] <= high:
            return all_of_them[place]
        return sum(ways(place + 1, low - price, high - price) for price in prices[place])

    return ways


def _picked(counts: Sequence[int], number: int) -> tuple[int, int]:
    """Find the place that a number falls in, if each place has this many, and its number within that place."""
    until = [0, *accumulate(counts)]
    place = bisect_right(until, number) - 1
    return place, number - until[place]


class _Carries(NamedTuple):
    """Amounts by which one number can change a total."""

    costs: Sequence[int]
    """Change for each of its values, from the lowest on."""
    up: tuple[int, Mapping[int, int]]
    """The largest increase, and, by size of increase, how many of its points bring it."""
    down: tuple[int, Mapping[int, int]]


@lru_cache(maxsize=1024)
def _carries(price: Callable[[int], int] | None, start: int, least: int, most: int) -> _Carries:
    above, below = most - start, start - least
    if price is None:
        return _Carries(range(-below, above + 1), (above, {1: above}), (below, {1: below}))
    costs = [price(value) - price(start) for value in range(least, most + 1)]
    points = Counter(after - before for path in (costs[below:], costs[below::-1]) for before, after in pairwise(path))
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

    def __init__(self, budget: Budget, now: Sequence[int], rails: Sequence[Rails]) -> None:
        self.numbers, self.rails, self.limits = budget.numbers, rails, budget.limits
        self.start, self.moved, self.carries = list[int](), list[bool](), list[_Carries]()
        self.distance = self.room = total = 0
        for number, value, (least, most) in zip(self.numbers, now, rails, strict=True):
            start = least if value < least else min(value, most)
            self.start.append(start)
            self.moved.append(value != start)
            self.carries.append(_carries(number.price, start, least, most))
            self.distance += abs(value - start)
            self.room += max(start - least, most - start)
            total += start if number.price is None else number.price(start)
        self.low, self.high = self.limits[0] - total, self.limits[1] - total
        """Least and greatest change of the total that makes it legal."""

    def bound(self) -> tuple[int, int] | None:
        """Return lower bounds for the points moved and the numbers changed; None if nothing can be legal."""
        points, far = 0, max(self.low, -self.high, 0)
        steps, by_changes = self._reach(1 if self.low > 0 else -1, 0)
        changes = next((changes for changes, reach in enumerate(by_changes) if reach >= far), None)
        for step, count in steps:
            taken = min(count, ceil(far / step))
            points, far = points + taken, max(0, far - step * taken)
        return None if far or changes is None else (self.distance + points, sum(self.moved) + changes)

    def nearest(self, points: int, most: int) -> tuple[float, list[tuple[int, ...]]]:
        """Return the fewest points moved, from this number on, and builds that move so many; fewest changes first."""
        if points == self.distance:
            return points, [tuple(self.start)]
        count = len(self.rails)
        for moved in range(points, self.distance + self.room + 1):
            left = moved - self.distance
            self.far = [self._far(left, place + 1) for place in range(count)]
            walks = (self._walk(0, self.low, self.high, left, changes) for changes in range(min(count, left) + 1))
            if found := list(islice(chain.from_iterable(walks), most)):
                return moved, found
            if moved == points and not _counting(_prices(self.numbers, self.rails))(0, *self.limits):
                break
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
        start, costs, (least, most) = self.start[place], self.carries[place].costs, self.rails[place]
        up_by_changes, up_by_points, down_by_changes, down_by_points = self.far[place]
        for step in range(min(points, max(start - least, most - start)), -1, -1):
            left, new = points - step, changes - (step > 0 and not self.moved[place])
            for value in (start - step, start + step) if step else (start,):
                if not 0 <= new <= left or not least <= value <= most:
                    continue
                by = costs[value - least]
                up, down = low - by, by - high
                if up > 0 and (up_by_points[left] < up or up_by_changes[new] < up):
                    continue
                if down > 0 and (down_by_points[left] < down or down_by_changes[new] < down):
                    continue
                for rest in self._walk(place + 1, up, -down, left, new):
                    yield value, *rest

    def _reach(self, way: int, place: int) -> _Reach:
        """Calculate how far the numbers from a place on can raise (1) or lower (-1) the total."""
        steps, old, new = defaultdict[int, int](int), 0, [0] * place
        for carries, moved in zip(self.carries[place:], self.moved[place:], strict=True):
            whole, points = carries.up if way > 0 else carries.down
            for step, count in points.items():
                steps[step] += count
            old += whole if moved else 0
            new.append(0 if moved else whole)
        return _Reach(sorted(steps.items(), reverse=True), [*accumulate(sorted(new, reverse=True), initial=old)])
