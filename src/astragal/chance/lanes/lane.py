"""Integer that differs from lane to lane and behaves like an int, and the space that it belongs to.

Arithmetic gives lanes again. A comparison gives a plain bool: the run goes on with the lanes that agree on it, and a
later run takes the others. Anything that needs one number (an index, a text, a float) gets one, and later runs take the
other numbers. So no bool, enum or None ever differs between the lanes of a run, and `is` behaves as in play.

One space serves one question, or one grid of them: axes of dice and arguments, numbers over them, and the pending runs
through a rule. Results of any run are cached for all. The range of each result is tracked with each operation, so that
no number overflows 64 bits unnoticed.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from math import prod
from numbers import Number
from types import CodeType
from typing import Any, Protocol, final

import numpy as np
import numpy.typing as npt

from astragal.chance.steps import Offer, Rule

Array = npt.NDArray[Any]
Bounds = tuple[int, int]


def _products(a: Bounds, b: Bounds) -> list[int]:
    return [x * y for x in a for y in b]


def _divisor(b: Array | int) -> Array:
    """The divisor, with 1 for 0: lanes with divisor 0 have raised already, so nobody reads them."""
    return np.where(np.equal(b, 0), 1, b)


OPERATIONS: dict[str, tuple[Callable[..., Array], Callable[..., Bounds]]] = {
    "add": (np.add, lambda a, b: (a[0] + b[0], a[1] + b[1])),
    "sub": (np.subtract, lambda a, b: (a[0] - b[1], a[1] - b[0])),
    "mul": (np.multiply, lambda a, b: (min(_products(a, b)), max(_products(a, b)))),
    "floordiv": (
        lambda a, b: np.floor_divide(a, _divisor(b)),
        lambda a, b: (0 if a[0] >= 0 and b[0] > 0 else -max(map(abs, a)), max(map(abs, a))),
    ),
    "mod": (lambda a, b: np.remainder(a, _divisor(b)), lambda _, b: (min(b[0] + 1, 0), max(b[1] - 1, 0))),
    "neg": (np.negative, lambda a: (-a[1], -a[0])),
    "abs": (np.absolute, lambda a: (max(a[0], -a[1], 0), max(-a[0], a[1]))),
}
"""Each operation on arrays, and the bounds of its results given the bounds of its operands."""


DEEPEST = 64
"""Depth to which operations stay lazy; evaluating more at once would hit Python's recursion limit."""


@final
class Lane:
    """One number for each lane. `low` and `high` are bounds, `support` the axes that it depends on, as bits."""

    __slots__ = ("_array", "_made_of", "depth", "high", "key", "low", "space", "support")

    def __init__(self, space: Space, support: int, bounds: Bounds, array: Array | None = None) -> None:
        self.space, self.support = space, support
        self.low, self.high = bounds
        self.key = object()
        self.depth = 0
        self._array = array
        self._made_of: tuple[Any, ...] = ()

    @classmethod
    def made(cls, space: Space, bounds: Bounds, operation: Callable[..., Array], *operands: Lane | int) -> Lane:
        """Lazy result of an operation."""
        lane = cls(space, 0, bounds)
        lane._made_of = (operation, operands)
        for operand in operands:
            if type(operand) is Lane:
                lane.support |= operand.support
                if operand.depth >= lane.depth:
                    lane.depth = operand.depth + 1
        if lane.depth > DEEPEST:
            lane.array  # noqa: B018 - evaluated now, so that the next one starts from scratch
            lane.depth = 0
        return lane

    @property
    def array(self) -> Array:
        """The numbers, with one dimension for each axis, of size 1 if they do not depend on that axis."""
        if self._array is None:
            self.space.room_for(self.support)
            operation, operands = self._made_of
            self._array = operation(*[it.array if type(it) is Lane else it for it in operands])
            self._made_of = ()
        return self._array

    def plain(self) -> int:
        """One number, for the lanes that have it."""
        return self.space.run.pick(self)

    # ---------------------------------------------------------------- operations that give a lane

    def __neg__(self) -> Lane | int:
        return _computed("neg", self)

    def __abs__(self) -> Lane | int:
        return _computed("abs", self)

    def __pos__(self) -> Lane:
        return self

    __trunc__ = __floor__ = __ceil__ = __pos__

    def __round__(self, digits: int | None = None) -> Any:
        return self if digits is None else round(self.plain(), digits)

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return other // self, other % self

    def __copy__(self) -> Lane:
        return self

    def __deepcopy__(self, _memo: object) -> Lane:
        return self

    # ---------------------------------------------------------------- operations that split lanes (comparisons: below)

    def __bool__(self) -> bool:
        return bool(operator.ne(self, 0))

    def __hash__(self) -> int:
        """Restart with this lane's axes dealt out, one value at a time: a key must be one number for good.

        Two callers here hash their arguments only to check or to cache them, and can do without.
        """
        frame = sys._getframe(1)  # noqa: SLF001 - there is no other way to know the caller
        while (
            frame.f_code.co_name == "__hash__" and frame.f_back is not None
        ):  # values that contain the lane delegate to it
            frame = frame.f_back
        asking = frame.f_code
        if asking is _REMEMBERS_QUESTIONS:
            raise TypeError("lanes have no hash, so that no question is remembered with lanes in it")
        if asking is _CHECKS_OPTIONS:
            return id(self)  # the options are checked again once they are plain
        raise self.space.stop(Apart(self.support))

    def __repr__(self) -> str:
        return repr(self.plain()) if self.space.run.is_going else f"<lanes from {self.low} to {self.high}>"

    @property  # type: ignore[override] # so that `isinstance(value, int)` and `case int()` hold as in play
    def __class__(self) -> type[int]:
        return int

    @__class__.setter
    def __class__(self, _kind: type) -> None:
        raise TypeError("a number stays a number")


def whole(other: object) -> Lane | int | None:
    """The operand as a lane or an int, if it is a whole number; bools and IntEnum members are."""
    if type(other) is int or type(other) is Lane:
        return other
    return int(other) if isinstance(other, int) else None


def plainly(operation: Callable[..., Any], *operands: Any) -> Any:
    """Apply an operation to one number of each lane."""
    return operation(*(it.plain() if type(it) is Lane else it for it in operands))


def _by_value(operation: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """Apply an operation number by number, if the other operand is another kind of number; else NotImplemented."""
    other = right if type(left) is Lane else left
    return plainly(operation, left, right) if isinstance(other, Number) else NotImplemented


def _computed(name: str, lane: Lane) -> Lane | int:
    found: Lane | None = lane.space.run.noted(lane.space.number, name, lane)
    plain: Callable[[int], int] = getattr(operator, name)
    return plain(lane.plain()) if found is None else found


# The functions below are inlined where calls would read better: this is the hottest code.


def _binary(name: str, *, reflected: bool) -> Callable[[Lane, Any], Any]:
    """An operation that gives a lane, or a plain number if 64 bits might not hold the result."""
    operation: Callable[[Any, Any], Any] = getattr(operator, name)
    divides = name in ("floordiv", "mod")

    def compute(self: Lane, other: Any) -> Any:
        number = other if type(other) is int or type(other) is Lane else whole(other)
        if number is None:
            return _by_value(operation, other, self) if reflected else _by_value(operation, self, other)
        left, right = (number, self) if reflected else (self, number)
        if divides and right == 0:
            raise ZeroDivisionError("integer division or modulo by zero")
        run = self.space.run
        place = run.place
        if place < run.told:
            run.place = place + 1
            found = run.happened[place]
        else:
            found = self.space.number(name, left, right)
            run.happened.append(found)
        return plainly(operation, left, right) if found is None else found

    return compute


def _comparison(name: str, question: str, sense: bool) -> Callable[[Lane, Any], Any]:
    """A comparison that gives a plain bool: whether the space's answer to `question` equals `sense`."""
    operation: Callable[[Any, Any], Any] = getattr(operator, name)

    def compare(self: Lane, other: Any) -> Any:
        number = other if type(other) is int or type(other) is Lane else whole(other)
        if number is None:
            return _by_value(operation, self, other)
        run = self.space.run
        place = run.place
        if place < run.told:
            run.place = place + 1
            return run.happened[place]
        found = getattr(self.space, question)(self, number, sense)
        run.happened.append(found)
        return found

    return compare


for _name in ("add", "sub", "mul", "floordiv", "mod"):
    setattr(Lane, f"__{_name}__", _binary(_name, reflected=False))
    setattr(Lane, f"__r{_name}__", _binary(_name, reflected=True))

for _name, _question, _sense in (
    ("eq", "same", True),
    ("ne", "same", False),
    ("lt", "less", True),
    ("ge", "less", False),
    ("le", "at_most", True),
    ("gt", "at_most", False),
):
    setattr(Lane, f"__{_name}__", _comparison(_name, _question, _sense))


def _delegated(name: str) -> Any:
    """Delegate any other method of int, number by number."""
    if not callable(getattr(int, name)):
        return property(lambda self: getattr(self.plain(), name))
    return lambda *operands: plainly(getattr(int, name), *operands)


for _name in vars(int):
    if _name not in {*vars(Lane), "__getattribute__", "__getnewargs__", "__new__", "from_bytes"}:
        setattr(Lane, _name, _delegated(_name))


_REMEMBERS_QUESTIONS: CodeType = Rule.__call__.__code__
_CHECKS_OPTIONS: CodeType = Offer.__post_init__.__code__


# ---------------------------------------------------------------- the space

MOST_LANES = 4_000_000
"""More lanes at once take more memory than their speed is worth."""
LARGEST = 2**62
"""Largest absolute value of a lane's number, including intermediate results: 64 bits never overflow."""


class RunInLanes(Protocol):
    """A run through a rule, as far as its numbers need to know it."""

    is_going: bool
    place: int
    told: int
    stopped: BaseException | None
    happened: list[Any]
    ground: Any

    def noted(self, find: Callable[..., Any], *given: Any) -> Any: ...
    def pick(self, lane: Lane) -> int: ...
    def decide(self, condition: Lane, sense: bool) -> bool: ...


class NotInLanes(BaseException):
    """This question can't be read in lanes. Not an Exception, so that a rule does not catch it."""


class Apart(BaseException):
    """These axes, as bits, must be run one value at a time, from the start. Not an Exception: see above."""

    def __init__(self, support: int) -> None:
        super().__init__(support)
        self.support = support


class Crowded(BaseException):
    """There are more dice on one path than there is room for. Not an Exception: see above."""


class Void(BaseException):
    """No lane is left in a run. Not an Exception: see above."""


class Space:
    """All runs of one question, or of one grid, with room for the axes of `room_for_dice` dice."""

    def __init__(self, room_for_dice: int) -> None:
        self.room_for_dice = room_for_dice
        self.run: RunInLanes
        self.waiting: list[Any] = []
        self.one_by_one: set[Any] = set()
        self._numbers: dict[tuple[Any, ...], Lane | None] = {}
        self._conditions: dict[tuple[Any, ...], Lane] = {}
        self.laid_out: dict[tuple[int, Any], Any] = {}

    # ---------------------------------------------------------------- axes

    def room_for(self, support: int) -> None:
        """Refuse too many lanes along these axes."""
        axes = self.run.ground.axes
        if axes.lanes > MOST_LANES and (lanes := prod([group.size for group in axes.along(support)])) > MOST_LANES:
            raise self.stop(f"it takes {lanes:,} lanes at once")

    def deal_out(self, support: int) -> None:
        """From now on, run each value of these axes by itself."""
        self.one_by_one |= set(self.run.ground.axes.along(support))

    def stop(self, why: str | BaseException) -> BaseException:
        """End the present run, even if its rule catches the exception. The caller raises what is returned."""
        self.run.stopped = NotInLanes(why) if isinstance(why, str) else why
        return self.run.stopped

    # ---------------------------------------------------------------- numbers

    def number(self, name: str, *operands: Lane | int) -> Lane | None:
        """Result of an operation; None if it might not fit into 64 bits."""
        key = (name, *[it.key if type(it) is Lane else it for it in operands])
        found = self._numbers.get(key)
        if found is None:
            self._check_kin(operands)
            operation, reach = OPERATIONS[name]
            limits = [_bounds(it) for it in operands]
            bounds = reach(*limits)
            if _is_too_large(bounds, *limits):
                for it in operands:
                    if type(it) is Lane:
                        it.low, it.high = int(it.array.min()), int(it.array.max())
                limits = [_bounds(it) for it in operands]
                bounds = reach(*limits)
            if not _is_too_large(bounds, *limits):
                found = Lane.made(self, bounds, operation, *operands)
            self._numbers[key] = found
        return found

    def _check_kin(self, operands: tuple[Lane | int, ...]) -> None:
        for it in operands:
            if type(it) is Lane and it.space is not self:
                raise self.stop("it mixes lanes of two questions")

    # ---------------------------------------------------------------- conditions, negated if `sense` is False

    def less(self, left: Lane, right: Lane | int, sense: bool) -> bool:
        low, high = (right.low, right.high) if type(right) is Lane else (right, right)
        if left.high < low:
            return sense
        if left.low >= high:
            return not sense
        return self.run.decide(self._condition(np.less, left, right), sense)

    def at_most(self, left: Lane, right: Lane | int, sense: bool) -> bool:
        return self.less(right, left, not sense) if type(right) is Lane else self.less(left, right + 1, sense)

    def same(self, left: Lane, right: Lane | int, sense: bool) -> bool:
        low, high = (right.low, right.high) if type(right) is Lane else (right, right)
        if left is right:
            return sense
        if left.high < low or high < left.low:
            return not sense
        return self.run.decide(self._condition(np.equal, left, right), sense)

    def _condition(self, compare: Callable[..., Array], left: Lane, right: Lane | int) -> Lane:
        """A comparison as a lane, true where it holds."""
        key = (compare, left.key, right.key if type(right) is Lane else right)
        found = self._conditions.get(key)
        if found is None:
            self._check_kin((left, right))
            found = self._conditions[key] = Lane.made(self, (0, 1), compare, left, right)
        return found


def _bounds(operand: Lane | int) -> Bounds:
    return (operand.low, operand.high) if type(operand) is Lane else (operand, operand)


def _is_too_large(*limits: Bounds) -> bool:
    for low, high in limits:
        if low < -LARGEST or high > LARGEST:
            return True
    return False
