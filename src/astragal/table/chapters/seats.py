"""Seats: sitting down, leaving, handing over, standing in, and who plays which character."""

from collections.abc import Iterator
from typing import Annotated

from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Command, Event, Fact
from astragal.table.authoring.log_lines import Teller
from astragal.table.declarations import EVERYONE, GAME_MASTER_ONLY, Nature, Role, Seat, Seen, replace, without
from astragal.table.fields.definitions import CharacterId, Label, Name, PlayerSeat, SeatId
from astragal.table.fields.lookup import Named
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.state.table import State

SEATS = Chapter(seen=Seen.ALL)


@SEATS.names("seat")
def seats_named(state: State) -> Iterator[Named]:
    return (Named(seat.id, seat.name) for seat in state.seats.values())


@SEATS.names("character")
def characters_named(state: State) -> Iterator[Named]:
    return (Named(character.id, character.name) for character in state.characters.values())


def find_seat(state: State, seat: str) -> Seat:
    if seat not in state.seats:
        raise NoSuchThing("Nobody sits there.")
    return state.seats[seat]


def _check_free(state: State, name: str, besides: str = "") -> None:
    if any(seat.name.casefold() == name.casefold() for seat in state.seats.values() if seat.id != besides):
        raise Refusal(f"Somebody called {name} sits here already.", code="name_taken")


# ---------------------------------------------------------------- sitting down and leaving


@SEATS.event("seat_taken", nature=Nature.LASTING, says="{seat.name} sits down")
class SeatTaken(Event):
    """Somebody sat down."""

    seat: Seat

    def fold(self, state: State) -> State:
        return replace(state, seats={**state.seats, self.seat.id: self.seat})


@SEATS.command("take_seat", may=GAME_MASTER_ONLY)
class TakeSeat(Command):
    """Give somebody a seat at the table."""

    name: Annotated[Name, Doc("what they are called")]
    role: Annotated[Role, Doc("what they are at this table")] = Role.PLAYER
    ai: Annotated[bool, Label("AI"), Doc("whether a program sits there")] = False

    def does(self, call: Call) -> list[SeatTaken]:
        if self.role is Role.GAME_MASTER:
            raise Refusal("There is one game master: hand the seat over instead.", code="one_game_master")
        _check_free(call.state, self.name)
        return [SeatTaken(seat=Seat(id=call.fresh, name=self.name, role=self.role, ai=self.ai))]


@SEATS.event("seat_left", nature=Nature.LASTING, says="{name} leaves the table")
class SeatLeft(Event):
    """A seat became empty."""

    seat: str
    name: str

    def fold(self, state: State) -> State:
        """Remove the seat. Its characters are the game master's until they are given to somebody else."""
        seats = {}
        for seat_id, seat in without(state.seats, self.seat).items():
            seats[seat_id] = replace(seat, stand_in=None) if seat.stand_in == self.seat else seat
        characters = {}
        for who, character in state.characters.items():
            characters[who] = replace(character, seat=None) if character.seat == self.seat else character
        return replace(state, seats=seats, characters=characters)


@SEATS.command("leave_seat", may=EVERYONE, grave=True)
class LeaveSeat(Command):
    """Leave the table; the game master may send somebody away."""

    seat: Annotated[SeatId, Doc("the seat that becomes empty")]

    def does(self, call: Call) -> list[SeatLeft]:
        seat = find_seat(call.state, self.seat)
        if seat.role is Role.GAME_MASTER:
            raise Refusal("The game master can't leave before handing the seat over.", code="one_game_master")
        if self.seat != call.viewer.seat and not call.viewer.is_game_master:
            raise Refusal("Only the game master can send somebody away.", code="not_allowed")
        return [SeatLeft(seat=seat.id, name=seat.name)]


# ---------------------------------------------------------------- handing over, names, stand-ins


@SEATS.event("handed_over", nature=Nature.LASTING, says="{after} runs the game")
class HandedOver(Event):
    """Another seat runs the game."""

    before: SeatId
    after: SeatId

    def fold(self, state: State) -> State:
        if not {self.before, self.after} <= state.seats.keys():
            return state
        former = replace(state.seats[self.before], role=Role.PLAYER)
        successor = replace(state.seats[self.after], role=Role.GAME_MASTER)
        return replace(state, seats={**state.seats, former.id: former, successor.id: successor})


@SEATS.command("hand_over", may=GAME_MASTER_ONLY, grave=True)
class HandOver(Command):
    """Make somebody else the game master."""

    seat: Annotated[SeatId, Doc("who runs the game from now on")]

    def does(self, call: Call) -> list[HandedOver]:
        seat = find_seat(call.state, self.seat)
        if seat.id == call.viewer.seat:
            raise Refusal(f"{seat.name} is the game master already.", code="no_change")
        return [HandedOver(before=call.viewer.seat, after=seat.id)]


@SEATS.event("seat_renamed", nature=Nature.LASTING, says="{before} is called {after} now")
class SeatRenamed(Event):
    """A seat was renamed."""

    seat: str
    before: str
    after: str

    def fold(self, state: State) -> State:
        if self.seat not in state.seats:
            return state
        seat = replace(state.seats[self.seat], name=self.after)
        return replace(state, seats={**state.seats, seat.id: seat})


@SEATS.command("rename_seat", may=EVERYONE)
class RenameSeat(Command):
    """Change what you are called at this table; the game master may rename anyone."""

    seat: Annotated[SeatId, Doc("whose name it is")]
    name: Annotated[Name, Doc("what they are called from now on")]

    def does(self, call: Call) -> list[SeatRenamed]:
        seat = find_seat(call.state, self.seat)
        if self.seat != call.viewer.seat and not call.viewer.is_game_master:
            raise Refusal("Only the game master can say what somebody else is called.", code="not_allowed")
        if self.name == seat.name:
            raise Refusal(f"{seat.name} has that name already.", code="no_change")
        _check_free(call.state, self.name, besides=seat.id)
        return [SeatRenamed(seat=seat.id, before=seat.name, after=self.name)]


@SEATS.fact("name_stand_in", told="stand_in_named", may=EVERYONE, nature=Nature.LASTING)
class NameStandIn(Fact):
    """Say who decides for a seat while its player is away."""

    seat: Annotated[SeatId, Doc("who is away")]
    stand_in: Annotated[SeatId | None, Doc("who decides meanwhile; nobody ends it")] = None

    def check(self, call: Call) -> None:
        find_seat(call.state, self.seat)
        if self.seat != call.viewer.seat and not call.viewer.is_game_master:
            raise Refusal("Only the game master can name a stand-in for somebody else.", code="not_allowed")
        if self.stand_in is not None and find_seat(call.state, self.stand_in).role is Role.SPECTATOR:
            raise Refusal("A spectator can't stand in.", code="not_allowed")

    def says(self, teller: Teller) -> str:
        if self.stand_in is None:
            return f"{teller.name(self.seat)} decides again"
        return f"{teller.name(self.stand_in)} decides for {teller.name(self.seat)}"

    def fold(self, state: State) -> State:
        if self.seat not in state.seats:
            return state
        seat = replace(state.seats[self.seat], stand_in=self.stand_in)
        return replace(state, seats={**state.seats, seat.id: seat})


# ---------------------------------------------------------------- characters


@SEATS.fact("give_character", told="character_given", may=GAME_MASTER_ONLY, nature=Nature.LASTING)
class GiveCharacter(Fact):
    """Put a character in a player's hands, or take it back into the game master's."""

    character: Annotated[CharacterId, Doc("the character")]
    seat: Annotated[PlayerSeat, Doc("whose it is; nobody means the game master")] = None

    def check(self, call: Call) -> None:
        if self.seat is not None and find_seat(call.state, self.seat).role is Role.SPECTATOR:
            raise Refusal("A spectator has no characters.", code="not_allowed")
        call.state.find(self.character)

    def says(self, teller: Teller) -> str:
        owner = teller.name(self.seat) if self.seat else "the game master"
        return f"{owner} plays {teller.name(self.character)}"

    def fold(self, state: State) -> State:
        if self.character not in state.characters:
            return state
        return state.with_character(replace(state.characters[self.character], seat=self.seat))
