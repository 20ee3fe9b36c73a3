"""Heroes on paper: read from a file, or made step by step. NS-01."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Annotated, Any

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.table.fields import Name, Words
from astragal.table.refusals import BadFields
from astragal.table.validation import read
from astragal.values import frozen

from . import words
from .creation import FAR, LEAST, MOST, POINTS, Spread, nearest_legal, why_illegal
from .sheet import Attribute

# ---------------------------------------------------------------- from a file


@frozen(kw_only=True)
class Hero:
    """A hero on paper."""

    name: Annotated[Name, Doc("what the hero is called")]
    body: Annotated[int, Ge(-FAR), Le(FAR), Doc("points in Body")]
    mind: Annotated[int, Ge(-FAR), Le(FAR), Doc("points in Mind")]
    will: Annotated[int, Ge(-FAR), Le(FAR), Doc("points in Will")]
    about: Annotated[Words, Doc("who the hero is")] = ""

    @property
    def spread(self) -> Spread:
        return Spread(self.body, self.mind, self.will)


def hero_from(raw: Any) -> Hero:
    """NS-01: a hero from plain values, or a refusal with everything that is wrong."""
    problems: list[str] = []
    hero: Hero | None = None
    try:
        hero = read(Hero, raw)
    except BadFields as bad:
        problems += bad.problems
    spread = _spread_in(raw)
    problems += illegal_words(spread) if spread else []
    if hero is None or problems:
        raise BadFields(problems)
    return hero


def illegal_words(spread: Spread, terms: Mapping[str, str] = words.TERMS) -> list[str]:
    """NS-01: every reason why a spread is illegal, and what would be legal; nothing for a legal one."""
    reasons = why_illegal(spread)
    if not reasons:
        return []
    return [*(words.reason(reason, terms) for reason in reasons), words.repairs(nearest_legal(spread), terms)]


def _spread_in(raw: Any) -> Spread | None:
    """The spread, where there are three numbers that can be one."""
    said = raw if isinstance(raw, Mapping) else {}
    points: list[Any] = [said.get(attribute.value) for attribute in Attribute]
    return Spread(*points) if all(type(one) is int and abs(one) <= FAR for one in points) else None


# ---------------------------------------------------------------- step by step


@frozen
class Draft:
    """A hero in the making. Every step gives a new draft, and each shows what is left of the 10 points."""

    name: str = ""
    body: int | None = None
    mind: int | None = None
    will: int | None = None
    about: str = ""

    @property
    def spent(self) -> int:
        return sum(self._points(attribute) or 0 for attribute in Attribute)

    @property
    def left(self) -> int:
        """Points still to be given; below 0, points too many."""
        return POINTS - self.spent

    @property
    def open_steps(self) -> tuple[str, ...]:
        """What has still to be said, in the order of the book. Saying who the hero is can be left out."""
        said = {"name": self.name.strip(), **{one.value: self._points(one) for one in Attribute}}
        return tuple(step for step, answer in said.items() if not answer)

    def range_for(self, attribute: Attribute) -> range:
        """The points that this attribute can have so that every other still gets its least."""
        others = sum(self._points(one) or LEAST for one in Attribute if one is not attribute)
        return range(LEAST, max(LEAST, min(MOST, POINTS - others)) + 1)

    def with_name(self, name: str) -> Draft:
        return replace(self, name=name)

    def with_points(self, attribute: Attribute, points: int) -> Draft:
        return replace(self, **{attribute.value: points})  # type: ignore[arg-type]

    def with_about(self, about: str) -> Draft:
        return replace(self, about=about)

    def finished(self) -> Hero:
        """The hero, or a refusal with everything that is still wrong."""
        said = {one.name: getattr(self, one.name) for one in fields(self)}
        return hero_from({step: answer for step, answer in said.items() if answer is not None})

    def _points(self, attribute: Attribute) -> int | None:
        points: int | None = getattr(self, attribute.value)
        return points
