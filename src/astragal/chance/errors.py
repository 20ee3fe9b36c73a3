"""Every exception that `astragal.chance` raises on purpose.

ChanceError
├── BadStep            an impossible step: a d1, an empty offer, keeping more dice than there are
├── NotAStep           a rule stopped for something that is not a step
├── RecordMismatch     a record does not fit the rule that it is read with
├── IllegalAnswer      an answer that the offer does not list
├── Unweighable        exact odds can't be calculated
│   ├── TooManyPaths   more paths than the budget allows
│   ├── Circular       a question that asks itself, with nothing changed
│   ├── NoEnd          an explosion without a ceiling, or an endless loop
│   ├── OpenEnded      a figure that the outcome "this or more" does not contain
│   └── TooMuchWork    odds of a notation that would take longer than allowed
├── BadNotation        dice notation that can't be parsed
└── MissingExtra       a feature needs an extra of the package that is not installed
"""


class ChanceError(Exception):
    """Base class of the exceptions that this package raises."""


class BadStep(ChanceError, ValueError):
    """The step is impossible."""


class NotAStep(ChanceError, TypeError):
    """A rule stopped for something that is not a step; most often a forgotten `yield from` or a bare `yield`."""


class RecordMismatch(ChanceError):
    """The record does not fit the rule: another rule, another version of it, or another question."""


class IllegalAnswer(ChanceError, ValueError):
    """The answer is not among the offer's options."""


class Unweighable(ChanceError):
    """Exact odds can't be calculated for this question."""


class TooManyPaths(Unweighable):
    """The question has more paths than the budget allows."""


class Circular(Unweighable):
    """The question asks itself with the same arguments, so it never ends."""


class NoEnd(Unweighable):
    """An exploding chain without a ceiling has no greatest total, and an endless loop no longest path."""


class OpenEnded(Unweighable):
    """One outcome stands for itself and everything past it, so this figure is not in the odds."""


class TooMuchWork(Unweighable):
    """The odds of this notation would take longer than allowed."""


class MissingExtra(ChanceError, ModuleNotFoundError):
    """A feature needs an extra of the package that is not installed. The message names it."""

    def __init__(self, extra: str, what: str) -> None:
        super().__init__(extra, what)
        self.extra, self.what = extra, what

    def __str__(self) -> str:
        return f"{self.what} come with the extra {self.extra!r} of astragal."


class BadNotation(ChanceError, ValueError):
    """Dice notation can't be parsed: what is wrong, where (an index into the text), and what was expected."""

    def __init__(self, fault: str, text: str, position: int, expected: str = "") -> None:
        super().__init__(fault, text, position, expected)
        self.fault, self.text, self.position, self.expected = fault, text, position, expected

    def __str__(self) -> str:
        """The fault, the text, and a caret below the place, without characters that could confuse a terminal."""
        from unicodedata import combining, east_asian_width

        start = max(0, self.position - SHOWN_BEFORE)
        before = _plain(self.text[start : self.position], cut=start > 0)
        after = _plain(self.text[self.position : self.position + SHOWN_AFTER])
        wide = sum(east_asian_width(sign) in "WF" for sign in before)  # they take two columns, combining signs none
        caret = " " * (len(before) + wide - sum(combining(sign) > 0 for sign in before)) + "^"
        return f"{self.fault}\n  {before}{after}\n  {caret}" + (f" expected {self.expected}" if self.expected else "")


SHOWN_BEFORE, SHOWN_AFTER = 50, 25


def _plain(text: str, *, cut: bool = False) -> str:
    shown = "".join(
        sign if sign.isprintable() else " " if sign == "\t" else "\N{REPLACEMENT CHARACTER}" for sign in text
    )
    return f"…{shown}" if cut else shown
