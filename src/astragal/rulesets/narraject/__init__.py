"""Narraject: gather a hand of d6 from who a hero is and what is at hand; each 5 or 6 is a success.

Each module is a chapter of the book. `hand` is the rule in numbers, `gathering` makes a hand from a sheet, and `intent`
is the core loop that rolls it.
"""

from .manifest import NARRAJECT

__all__ = ["NARRAJECT"]
