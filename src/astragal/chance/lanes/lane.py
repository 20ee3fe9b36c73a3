"""A whole number that differs from lane to lane, and behaves as an int does.

Arithmetic gives lanes again. A comparison gives a plain bool: the space in which the lane lies goes on with the
lanes for which it holds, and comes back for the others. Whatever needs one number (an index, a text, a float)
gets one, and the space comes back for each other. So no bool, enum or None ever differs between the lanes of a run,
and `is` sees what it would see in play.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from numbers import Number
from types import CodeType
from typing import TYPE_CHECKING, Any, final

from astragal.chance.steps import Offer, Rule

from .arithmetic import Array, Bounds

if TYPE_CHECKING:
    from .space import Space

DEEPEST = 64
"""So many operations wait to be done at once; more would run into Python's own limit."""


@final
class Lane:
    """One number for each lane. `low` and `high` are bounds, `support` the axes it depends on, as bits."""

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
        """What an operation comes to; it is done when somebody looks."""
        support = depth = 0
        for operand in operands:
            if type(operand) is Lane:
                support |= operand.support
                depth = max(depth, operand.depth)
        lane = cls(space, support, bounds)
        lane._made_of = (operation, *operands)
        lane.depth = depth + 1
        if lane.depth > DEEPEST:
            lane.array  # noqa: B018 - done now, so that the next one starts afresh
            lane.depth = 0
        return lane

    @property
    def array(self) -> Array:
        """The numbers, one dimension for each axis; a dimension of one where it does not depend on the axis."""
        if self._array is None:
            self.space.room_for(self.support)
            operation, *operands = self._made_of
            self._array = operation(*(it.array if type(it) is Lane else it for it in operands))
            self._made_of = ()
        return self._array

    def plain(self) -> int:
        """One number, for the lanes that have it."""
        return self.space.run.pick(self)

    # ---------------------------------------------------------------- what stays a lane

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

    # ---------------------------------------------------------------- what parts the lanes; comparisons are added below

    def __bool__(self) -> bool:
        return bool(operator.ne(self, 0))

    def __hash__(self) -> int:
        """A key must be one number for good: what the lane is made of is dealt out one value at a time, from the start.

        Two in this house hash what they are given only to check or to remember it, and can do without.
        """
        asking = _who_hashes()
        if asking is _REMEMBERS_QUESTIONS:
            raise TypeError("lanes have no hash, so that no question is remembered with lanes in it")
        if asking is _CHECKS_OPTIONS:
            return id(self)  # the options are checked again once they are plain
        raise self.space.apart(self.support)

    def __repr__(self) -> str:
        return repr(self.plain()) if self.space.run.is_going else f"<lanes from {self.low} to {self.high}>"

    @property  # type: ignore[override] # so that `isinstance(value, int)` and `case int()` hold as in play
    def __class__(self) -> type[int]:
        return int

    @__class__.setter
    def __class__(self, _kind: type) -> None:
        raise TypeError("a number stays a number")


def whole(other: object) -> Lane | int | None:
    """Another operand, if it is a whole number; bools and members of an IntEnum are."""
    if type(other) is int or type(other) is Lane:
        return other
    return int(other) if isinstance(other, int) else None


def plainly(operation: Callable[..., Any], *operands: Any) -> Any:
    """An operation on one number for each lane."""
    return operation(*(it.plain() if type(it) is Lane else it for it in operands))


def _by_value(operation: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """With a number of another kind it is done one by one; with anything else it is the other's concern."""
    other = right if type(left) is Lane else left
    return plainly(operation, left, right) if isinstance(other, Number) else NotImplemented


def _computed(name: str, lane: Lane) -> Lane | int:
    found: Lane | None = lane.space.run.noted(lane.space.number, name, lane)
    plain: Callable[[int], int] = getattr(operator, name)
    return plain(lane.plain()) if found is None else found


# What follows is written out where calls would read better: nothing is run through as often as these lines.


def _binary(name: str, *, reflected: bool) -> Callable[[Lane, Any], Any]:
    """An operation that gives lanes again, or plain numbers where 64 bits might not hold them."""
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
    """A comparison that gives a plain bool: is what the space is asked as `sense` has it?"""
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
    """All else that an int can do, it does one by one."""
    if not callable(getattr(int, name)):
        return property(lambda self: getattr(self.plain(), name))
    return lambda *operands: plainly(getattr(int, name), *operands)


for _name in vars(int):
    if _name not in {*vars(Lane), "__getattribute__", "__getnewargs__", "__new__", "from_bytes"}:
        setattr(Lane, _name, _delegated(_name))


_REMEMBERS_QUESTIONS: CodeType = Rule.__call__.__code__
_CHECKS_OPTIONS: CodeType = Offer.__post_init__.__code__


def _who_hashes() -> CodeType:
    """The function that wants a hash; those of the values around the lane only pass the wish on."""
    frame = sys._getframe(2)  # noqa: SLF001 - there is no other way to know who asks
    while frame.f_code.co_name == "__hash__" and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code
