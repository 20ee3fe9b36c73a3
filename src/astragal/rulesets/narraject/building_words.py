"""What is said of a hero in the making: each reason why it can't be, with what would settle it, and each repair."""

from __future__ import annotations

from typing import assert_never

from .accounts import (
    LEAST_ANCHORS,
    MOST_ANCHORS,
    Accounts,
    AnchorsAmiss,
    NameTwice,
    OffTheScale,
    OutOfBalance,
    PointsAmiss,
    Reason,
)
from .repairs import AnchorAdded, AnchorDropped, BurdenAdded, Change, RatingChanged, Renamed, Repair
from .stats import LEAST_RATING, MOST_RATING


def reason_words(reason: Reason) -> str:
    """One reason, and what would settle it."""
    match reason:
        case OffTheScale(stat, rating):
            return f"{stat.title} is {rating}: a Rating is {LEAST_RATING} to {MOST_RATING}."
        case PointsAmiss():
            return _points_words(reason)
        case AnchorsAmiss(anchors):
            return f"{_counted(anchors, 'Anchor')}: a starting hero has {LEAST_ANCHORS} to {MOST_ANCHORS}."
        case OutOfBalance(anchors, burdens):
            more = _counted(reason.missing, "more Burden")
            have = f"{_counted(anchors, 'Anchor')} and {_counted(burdens, 'Burden')}"
            return f"{have}: the Rule of Balance asks for {more}."
        case NameTwice(name):
            return f"“{name}” is there twice: each needs a name of its own."
    assert_never(reason)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _points_words(reason: PointsAmiss) -> str:
    least, most = reason.frame.least, reason.frame.most
    amiss = least - reason.points if reason.points < least else reason.points - most
    settle = f"raise Ratings by {amiss}" if reason.points < least else f"lower Ratings by {amiss}"
    return f"The Ratings add up to {reason.points}, and {least} to {most} is allowed: {settle}."


def accounts_words(accounts: Accounts) -> str:
    """Where a draft stands."""
    frame = "" if accounts.frame is None else f" of {accounts.frame.least} to {accounts.frame.most}"
    owed = accounts.burdens_owed
    balance = f"{_counted(owed, 'Burden')} owed" if owed else "in balance"
    have = f"{_counted(accounts.anchors, 'Anchor')}, {_counted(accounts.burdens, 'Burden')}"
    return f"{accounts.points}{frame} points, {have} ({balance})"


def repair_words(repair: Repair) -> str:
    """What a repair changed."""
    return ", ".join(change_words(change) for change in repair.changes)


def change_words(change: Change) -> str:
    match change:
        case RatingChanged(stat, before, after):
            return f"{stat.title} {before} → {after}"
        case AnchorDropped(name):
            return f"without the Anchor “{name}”"
        case AnchorAdded(name):
            return f"a minor Anchor more (“{name}”)"
        case BurdenAdded(name):
            return f"a minor Burden more (“{name}”)"
        case Renamed(before, after):
            return f"“{before}” → “{after}”"
    assert_never(change)
