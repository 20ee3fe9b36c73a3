"""What counts for a roll besides its dice: statuses and support, each with its name and sign. NS-04, NS-07."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.table.state import State

from .game import Approach, Called
from .happened import Term
from .sheet import Status, find


def all_statuses(state: State) -> tuple[Status, ...]:
    """Everything that is true, of anyone and anything."""
    on_people = (status for one in state.characters.values() for status in one.sheet.statuses)
    return (*state.game.statuses, *on_people)


def terms_of(state: State, approach: Approach) -> tuple[Term, ...]:
    """NS-04: all that is added to this side's total."""
    called = approach.called
    against = called.against if called else None
    counted = [status for status in all_statuses(state) if _applies(status, approach, called)]
    return (*(_signed(status, against) for status in counted), *support_of(state, approach))


def terms_left_out(state: State, approach: Approach) -> tuple[Term, ...]:
    """NS-16: what is true as well, and does not count for this roll."""
    called = approach.called
    against = called.against if called else None
    return tuple(_signed(status, against) for status in all_statuses(state) if not _applies(status, approach, called))


def _applies(status: Status, approach: Approach, called: Called | None) -> bool:
    """Those that the game master named, or one's own, the scene's, and those of whoever stands against it."""
    if called is not None and called.statuses is not None:
        return status.id in called.statuses
    if status.who is None:
        return not status.what
    return status.who == approach.who or (called is not None and status.who == called.against)


def _signed(status: Status, against: str | None) -> Term:
    """NS-04: what is true of the opposition counts the other way round."""
    is_theirs = status.who is not None and status.who == against
    return Term(name=status.name, value=-status.value if is_theirs else status.value)


def support_of(state: State, approach: Approach) -> Iterator[Term]:
    """NS-07: the present value of each supporter's attribute, without their statuses; the knocked-out give none."""
    for support in approach.support:
        supporter = find(state, support.who)
        if not supporter.sheet.knocked_out:
            yield Term(name=supporter.name, value=supporter.sheet.dice(support.attribute), support=True)


def added_up(terms: tuple[Term, ...]) -> int:
    return sum(term.value for term in terms)
