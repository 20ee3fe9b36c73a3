"""From where to where a value can reach. An explosion has no greatest total: its span ends at infinity."""

from math import isinf
from typing import NamedTuple

Bound = int | float
"""A whole number, or infinity either way."""


class Span(NamedTuple):
    """The least and the greatest value; both are reached, unless they are infinite."""

    low: Bound
    high: Bound

    def plus(self, other: "Span") -> "Span":
        return Span(self.low + other.low, self.high + other.high)

    def negated(self) -> "Span":
        return Span(-self.high, -self.low)

    def times(self, other: "Span") -> "Span":
        return _spanning([_product(mine, theirs) for mine in self for theirs in other])

    def over(self, other: "Span") -> "Span":
        """Divided and rounded down; the other must lie wholly above or below zero."""
        return _spanning([_quotient(mine, theirs) for mine in self for theirs in other])

    @property
    def holds_zero(self) -> bool:
        return self.low <= 0 <= self.high

    @property
    def is_open(self) -> bool:
        return isinf(self.low) or isinf(self.high)


def _spanning(corners: list[Bound]) -> Span:
    return Span(min(corners), max(corners))


def _product(one: Bound, other: Bound) -> Bound:
    return one * other if one and other else 0


def _quotient(dividend: Bound, divisor: Bound) -> Bound:
    if isinf(dividend):
        return dividend if divisor > 0 else -dividend
    if isinf(divisor):
        return 0 if not dividend or (dividend > 0) == (divisor > 0) else -1
    return dividend // divisor
