"""What going back costs, and which numbers the game master may set by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from astragal.table.ruleset import Chapter, Happening, Overridable, Price
from astragal.table.state import Character, State

from . import words
from .happened import AttributePaid, StatusPaid
from .sheet import WORN_OUT, Attribute, Points, Sheet, Status
from .statuses import hold

MOST_POINTS = 8
MOST_XP = 99

# ---------------------------------------------------------------- prices


def _pay_attributes(state: State, amount: int) -> list[AttributePaid]:
    """Every hero pays from the attribute that stands highest, point by point, and keeps the last point of each."""
    return [told for who in _heroes(state) for told in _paid(who, amount)]


def _paid(who: Character[Sheet], amount: int) -> list[AttributePaid]:
    standing = {attribute: who.sheet.dice(attribute) for attribute in Attribute}
    paid = dict.fromkeys(Attribute, 0)
    for _ in range(amount):
        highest = max(standing, key=lambda attribute: standing[attribute])
        if standing[highest] > 1:
            standing[highest] -= 1
            paid[highest] += 1
    return [AttributePaid(who=who.id, attribute=one, points=points) for one, points in paid.items() if points]


def _pay_with_statuses(state: State, amount: int) -> list[StatusPaid]:
    """Every hero carries something away from what now never was: −1 for each unit of the price, down to −5."""
    value = max(-amount, WORN_OUT)
    return [
        StatusPaid(
            who=who.id,
            status=Status(id=f"rewind-{state.rewinds}-{who.id}", name=words.DEJA_VU, value=value, who=who.id),
        )
        for who in _heroes(state)
    ]


def _heroes(state: State) -> list[Character[Sheet]]:
    return [one for one in state.characters.values() if one.sheet.is_hero]


PRICES: Mapping[str, Price] = {
    "attribute": Price("each hero pays points of the attribute that stands highest", _pay_attributes),
    "status": Price("each hero gets a negative status that stays", _pay_with_statuses),
}

# ---------------------------------------------------------------- overrides


def _set(sheet: Sheet, attribute: Attribute, now: int) -> Sheet:
    """Past its full value, the attribute is as full as that."""
    points = sheet.points(attribute) or Points(now=now, full=now)
    return replace(sheet, **{attribute.value: Points(now=now, full=max(now, points.full))})  # type: ignore[arg-type]


def _attribute(attribute: Attribute) -> Overridable:
    return Overridable(
        f"the present value of {attribute.value}",
        (0, MOST_POINTS),
        lambda sheet: sheet.dice(attribute),
        lambda sheet, now: _set(sheet, attribute, now),
    )


OVERRIDES: Mapping[str, Overridable] = {
    **{attribute.value: _attribute(attribute) for attribute in Attribute},
    "xp": Overridable("XP held", (0, MOST_XP), lambda sheet: sheet.xp, lambda sheet, xp: replace(sheet, xp=xp)),
}

# ---------------------------------------------------------------- folds


def _lose(state: State, told: AttributePaid) -> State:
    """A price stays paid through every rewind, and never takes the last point."""
    if told.who not in state.characters:
        return state
    sheet = state.characters[told.who].sheet
    now = sheet.dice(told.attribute)
    return state.with_sheet(told.who, sheet.left_with(told.attribute, min(now, max(1, now - told.points))))


PAYING = Chapter(
    happenings=(
        Happening(AttributePaid, words.attribute_paid, _lose),
        Happening(StatusPaid, words.status_paid, lambda state, told: hold(state, told.status)),
    )
)
