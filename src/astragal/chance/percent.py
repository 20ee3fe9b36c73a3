"""Chances in percent."""

from fractions import Fraction


def percent(chance: Fraction, digits: int = 0) -> Fraction:
    """A chance in percent, rounded half to even."""
    return Fraction(round(chance * 100, digits))
