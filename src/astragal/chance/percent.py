"""Chances in percent."""

from fractions import Fraction


def percent(chance: Fraction, digits: int = 0) -> Fraction:
    """A chance in percent, rounded half to even.

    >>> from fractions import Fraction
    >>> from astragal import percent
    >>> percent(Fraction(1, 3)), float(percent(Fraction(1, 3), digits=2))
    (Fraction(33, 1), 33.33)
    """
    return Fraction(round(chance * 100, digits))
