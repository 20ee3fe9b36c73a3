"""What is true of anyone and anything, until the table says that it no longer is. NS-09."""

from __future__ import annotations

from dataclasses import replace

from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import State

from . import words
from .asked import AttachStatus, ChangeStatus, EndStatus
from .counting import all_statuses
from .happened import StatusAttached, StatusChanged, StatusEnded
from .sheet import Status, find, with_status

# ---------------------------------------------------------------- deciding


def _attach(call: Call, asked: AttachStatus, _: None) -> list[StatusAttached]:
    _check_value(asked.value)
    if asked.who is not None:
        find(call.state, asked.who)
        if asked.what:
            raise Refusal("A status is on somebody or on something, not on both.", code="two_bearers")
    status = Status(id=call.fresh, name=asked.name, value=asked.value, who=asked.who, what=asked.what.strip())
    if any(_says_the_same(one, status) for one in all_statuses(call.state)):
        raise Refusal(f"“{asked.name}” is true of them already; change its value instead.", code="name_taken")
    return [StatusAttached(status=status)]


def _change(call: Call, asked: ChangeStatus, _: None) -> list[StatusChanged]:
    _check_value(asked.value)
    status = find_status(call.state, asked.status)
    if status.value == asked.value:
        raise Refusal(f"“{status.name}” is worth {words.signed(status.value)} already.", code="no_change")
    return [StatusChanged(status=replace(status, value=asked.value), before=status.value)]


def _end(call: Call, asked: EndStatus, _: None) -> list[StatusEnded]:
    status = find_status(call.state, asked.status)
    if status.speciality:
        raise Refusal(f"“{status.name}” was learned, and lasts.", code="lasting")
    return [StatusEnded(status=status, words=asked.words)]


def _check_value(value: int) -> None:
    """NS-09: a status that is worth nothing is none."""
    if value == 0:
        raise Refusal("A status is worth something: −1 or +1 at least.", code="worth_nothing")


def _says_the_same(one: Status, other: Status) -> bool:
    return (one.who, one.what.casefold(), one.name.casefold()) == (
        other.who,
        other.what.casefold(),
        other.name.casefold(),
    )


def find_status(state: State, said: str) -> Status:
    """The status of this id, or the only one of this name."""
    statuses = all_statuses(state)
    by_id = [status for status in statuses if status.id == said]
    found = by_id or [status for status in statuses if status.name.casefold() == said.strip().casefold()]
    if len(found) != 1:
        many = "More than one status" if found else "No status"
        raise NoSuchThing(f"{many} here is called {said[:40]!r}.")
    return found[0]


# ---------------------------------------------------------------- folds


def hold(state: State, status: Status) -> State:
    """The same table with this true, of whomever or whatever it is on."""
    if status.who is None:
        return replace(state, game=replace(state.game, statuses=with_status(state.game.statuses, status)))
    if status.who not in state.characters:
        return state
    return state.with_sheet(status.who, state.characters[status.who].sheet.with_status(status))


def _let_go(state: State, ended: StatusEnded) -> State:
    def others(statuses: tuple[Status, ...]) -> tuple[Status, ...]:
        return tuple(one for one in statuses if one.id != ended.status.id)

    who = ended.status.who
    if who is None:
        return replace(state, game=replace(state.game, statuses=others(state.game.statuses)))
    sheet = state.characters[who].sheet
    return state.with_sheet(who, replace(sheet, statuses=others(sheet.statuses)))


STATUSES = Chapter(
    actions=(Action(AttachStatus, _attach), Action(ChangeStatus, _change), Action(EndStatus, _end)),
    happenings=(
        Happening(StatusAttached, words.status_attached, lambda state, told: hold(state, told.status)),
        Happening(StatusChanged, words.status_changed, lambda state, told: hold(state, told.status)),
        Happening(StatusEnded, words.status_ended, _let_go),
    ),
)
