"""Statuses: anything that is true of anyone or anything, until the table says that it no longer is. NS-09."""

from typing import Annotated, TypeAlias

from astragal.game import Chapter, Command, Event, Nature, NoSuchThing, Refusal, Seen, Teller, replace
from astragal.game.display import Piece, Tags, signed
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, MaxLen, MinLen, Name, Named, Names, Words
from astragal.game.shared import MoveKind

from .state import WORN_OUT, Call, State, Status, with_status

STATUSES = Chapter(seen=Seen.ALL)

StatusName: TypeAlias = Annotated[str, MinLen(1), MaxLen(60), Names("status")]
"""The status, by its id or its name."""
Worth: TypeAlias = Annotated[int, Ge(-20), Le(20), Doc("1 is minor, 5 major; below 0 where it hinders, never 0")]

# ---------------------------------------------------------------- what is true


def all_statuses(state: State) -> tuple[Status, ...]:
    """Statuses of the scene, of things and of everyone."""
    statuses = list(state.game.statuses)
    for character in state.characters.values():
        statuses += character.sheet.statuses
    return tuple(statuses)


@STATUSES.board
def on_the_scene(state: State) -> list[Piece]:
    words = tuple(status.words for status in state.game.statuses)
    return [Tags("The scene", words)] if words else []


def terrain_ideas(state: State, kind: MoveKind, _: Teller) -> list[str]:
    """Ideas for a move of terrain: turn a status of the scene round."""
    if kind is not MoveKind.TERRAIN:
        return []
    return [f"turn it round: {status.words}" for status in state.game.statuses]


STATUSES.moves.append(terrain_ideas)


@STATUSES.names("status")
def statuses_named(state: State) -> list[Named]:
    return [Named(status.id, status.name, status.who) for status in all_statuses(state)]


def find_status(state: State, status_id: str) -> Status:
    for status in all_statuses(state):
        if status.id == status_id:
            return status
    raise NoSuchThing("There is no such status: it is no longer true.")


def hold(state: State, status: Status) -> State:
    """Add or replace a status on its character, its thing or the scene."""
    if status.who is None:
        return state.with_game(statuses=with_status(state.game.statuses, status))
    if status.who not in state.characters:
        return state
    return state.with_sheet(status.who, state.characters[status.who].sheet.with_status(status))


def check_value(value: int) -> None:
    """NS-09: refuse a status that is worth nothing."""
    if value == 0:
        raise Refusal("A status is worth something: −1 or +1 at least.", code="worth_nothing")


# ---------------------------------------------------------------- attached, changed, ended


@STATUSES.event("status_attached", says="{status.bearer}: {status.words}{status.warning}")
class StatusAttached(Event):
    """Something is true from now on."""

    status: Status

    def fold(self, state: State) -> State:
        return hold(state, self.status)


@STATUSES.command("attach_status")
class AttachStatus(Command):
    """Say that something is true of someone, of something, or of the whole scene."""

    name: Annotated[Name, Label("what is true")]
    value: Worth
    who: Annotated[CharacterId | None, Doc("whom it is on")] = None
    what: Annotated[
        Annotated[str, MaxLen(60)], Label("or on what thing"), Doc("or the thing that it is on; neither is the scene")
    ] = ""

    def does(self, call: Call) -> list[StatusAttached]:
        check_value(self.value)
        if self.who is not None:
            call.state.find(self.who)
            if self.what:
                raise Refusal("A status is on somebody or on something, not on both.", code="two_bearers")
        status = Status(id=call.fresh, name=self.name, value=self.value, who=self.who, what=self.what.strip())
        if any(status.says_the_same_as(held) for held in all_statuses(call.state)):
            raise Refusal(f"“{self.name}” is true of them already; change its value instead.", code="name_taken")
        return [StatusAttached(status=status)]


@STATUSES.event("status_changed", says="{status.bearer}: {status.name} {before:+} → {status.value:+}{status.warning}")
class StatusChanged(Event):
    """A status is worth more or less than before."""

    status: Status
    before: int

    def fold(self, state: State) -> State:
        return hold(state, self.status)


@STATUSES.command("change_status")
class ChangeStatus(Command):
    """Give a status another value."""

    status: Annotated[StatusName, Doc("the status, by its name")]
    value: Worth

    def does(self, call: Call) -> list[StatusChanged]:
        check_value(self.value)
        status = find_status(call.state, self.status)
        if status.value == self.value:
            raise Refusal(f"“{status.name}” is worth {signed(status.value)} already.", code="no_change")
        return [StatusChanged(status=replace(status, value=self.value), before=status.value)]


@STATUSES.event("status_ended", says="{status.bearer}: {status.name} is no longer true[ ({words})]")
class StatusEnded(Event):
    """Something is no longer true."""

    status: Status
    words: Words

    def fold(self, state: State) -> State:
        who = self.status.who
        if who is None:
            return state.with_game(statuses=self.remaining(state.game.statuses))
        return state.changed(who, statuses=self.remaining(state.characters[who].sheet.statuses))

    def remaining(self, statuses: tuple[Status, ...]) -> tuple[Status, ...]:
        return tuple(status for status in statuses if status.id != self.status.id)


@STATUSES.command("end_status")
class EndStatus(Command):
    """Say that a status is no longer true."""

    status: Annotated[StatusName, Doc("the status, by its name")]
    words: Annotated[Words, Label("why")] = ""

    def does(self, call: Call) -> list[StatusEnded]:
        """NS-09: a status lasts until the table says otherwise. NS+01: a speciality lasts for good."""
        status = find_status(call.state, self.status)
        if status.speciality:
            raise Refusal(f"“{status.name}” was learned, and lasts.", code="lasting")
        return [StatusEnded(status=status, words=self.words)]


# ---------------------------------------------------------------- the price of a rewind


@STATUSES.event("status_paid", nature=Nature.LASTING, says="{who} pays: {status.words}", adds={"statuses": "status"})
class StatusPaid(Event):
    """The price of a rewind, as a status that stays."""

    who: CharacterId
    status: Status


def pay_with_statuses(state: State, amount: int) -> list[StatusPaid]:
    """Every hero keeps a memory of what now never was: −1 for each unit of the price, down to −5."""
    value = max(-amount, WORN_OUT)
    events = []
    for character in state.characters.values():
        if character.sheet.is_hero:
            status_id = f"rewind-{state.rewinds}-{character.id}"
            memory = Status(id=status_id, name="déjà vu", value=value, who=character.id)
            events.append(StatusPaid(who=character.id, status=memory))
    return events
