"""Operators of dice: what can be calculated with, by whom, and what to write where something else is meant.

Steps that dice answer, questions and odds are calculated with alike: `2 @ d6 + 3 >= 10`, `attack(12) + d4`, `5 // d6`.
Dice and questions come to dice, and as soon as odds are among them, the result is odds.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Generic, NoReturn, TypeVar, cast

from .errors import BadStep

N = TypeVar("N")
B = TypeVar("B")


class Algebra(Generic[N, B]):
    """Base of everything that has operators. Each mention is a throw of its own: `d6 + d6` is two dice.

    Its parameters are the types that arithmetic and that comparisons come to.
    """

    __slots__ = ()

    def _combined(self, sign: str, left: Any, right: Any) -> Any:
        """Calculate with two operands, of which one is this."""
        return makers.combined(sign, left, right)

    def _number(self, sign: str, left: Any, right: Any) -> N:
        return cast("N", self._combined(sign, left, right))

    def _condition(self, sign: str, left: Any, right: Any) -> B:
        return cast("B", self._combined(sign, left, right))

    def __add__(self, other: Any) -> N:
        return self._number("+", self, other)

    def __radd__(self, other: Any) -> N:
        return self._number("+", other, self)

    def __sub__(self, other: Any) -> N:
        return self._number("-", self, other)

    def __rsub__(self, other: Any) -> N:
        return self._number("-", other, self)

    def __mul__(self, other: Any) -> N:
        return self._number("*", self, other)

    def __rmul__(self, other: Any) -> N:
        return self._number("*", other, self)

    def __floordiv__(self, other: Any) -> N:
        return self._number("//", self, other)

    def __rfloordiv__(self, other: Any) -> N:
        return self._number("//", other, self)

    def __mod__(self, other: Any) -> N:
        return self._number("%", self, other)

    def __rmod__(self, other: Any) -> N:
        return self._number("%", other, self)

    def __truediv__(self, other: Any) -> NoReturn:
        raise BadStep(
            f"dice are divided with //, which rounds down: {self!r} // {other!r}, or (… + 1) // 2 to round up"
        )

    def __rtruediv__(self, other: Any) -> NoReturn:
        raise BadStep(f"dice are divided with //, which rounds down: {other!r} // {self!r}")

    def __pow__(self, exponent: Any) -> NoReturn:
        raise BadStep(
            f"dice have no powers; map what one throw comes to, {self!r}.map(lambda value: value**{exponent!r}), or "
            f"multiply two throws, {self!r} * {self!r}"
        )

    def __rpow__(self, base: Any) -> NoReturn:
        raise BadStep(f"dice have no powers; map what one throw comes to, {self!r}.map(lambda value: {base!r}**value)")

    def __neg__(self) -> N:
        return self._number("-", 0, self)

    def __lt__(self, other: Any) -> B:
        return self._condition("<", self, other)

    def __le__(self, other: Any) -> B:
        return self._condition("<=", self, other)

    def __gt__(self, other: Any) -> B:
        return self._condition(">", self, other)

    def __ge__(self, other: Any) -> B:
        return self._condition(">=", self, other)

    def __and__(self, other: Any) -> B:
        return self._condition("and", self, other)

    def __rand__(self, other: Any) -> B:
        return self._condition("and", other, self)

    def __or__(self, other: Any) -> B:
        return self._condition("or", self, other)

    def __ror__(self, other: Any) -> B:
        return self._condition("or", other, self)

    def __rmatmul__(self, count: Any) -> N:
        return self._number("@", count, self)

    def __matmul__(self, other: Any) -> NoReturn:
        raise BadStep(f"a number of dice is thrown, 3 @ d6, not {self!r} @ {other!r}")


class Makers:
    """Functions that make dice and odds of operands, filled in by the modules that define these.

    `combined` calculates with a sign and two operands; `asked` makes a die of a question, and `die` of weighted faces.
    """

    combined: Callable[[str, Any, Any], Any]
    combined_odds: Callable[[str, Any, Any], Any]
    asked: Callable[[Any], Any]
    die: Callable[[Any], Any]


makers = Makers()


def check_operand(sign: str, operand: object) -> None:
    """Refuse what can't be calculated with, such as 1.5, with a sentence."""
    if not isinstance(operand, (Algebra, int, Fraction)):
        what = "multiply first and then divide, 3 * d6 // 2" if isinstance(operand, float) else "d6 + 3, or d6 + d8"
        raise BadStep(f"dice are combined with dice and whole numbers ({what}); {sign} {operand!r} is neither")
