"""Sitting down, leaving, handing over, standing in, and whose character is whose."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from typing_extensions import Doc

from astragal.table.declarations import Nature, command, event
from astragal.table.fields import CharacterId, Name, SeatId
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Teller
from astragal.table.seats import EVERYONE, GAME_MASTER_ONLY, Role, Seat
from astragal.table.seen import Seen
from astragal.table.state import State


@command("take_seat", may=GAME_MASTER_ONLY)
class TakeSeat:
    """Give somebody a seat at the table."""

    name: Annotated[Name, Doc("what they are called")]
    role: Annotated[Role, Doc("what they are at this table")] = Role.PLAYER
    ai: Annotated[bool, Doc("whether a program sits there")] = False


@command("leave_seat", may=EVERYONE, grave=True)
class LeaveSeat:
    """Leave the table; the game master may send somebody away."""

    seat: Annotated[SeatId, Doc("the seat that becomes empty")]


@command("hand_over", may=GAME_MASTER_ONLY, grave=True)
class HandOver:
    """Make somebody else the game master."""

    seat: Annotated[SeatId, Doc("who runs the game from now on")]


@command("rename_seat", may=EVERYONE)
class RenameSeat:
    """Say what you are called at this table; the game master may say it of anyone."""

    seat: Annotated[SeatId, Doc("whose name it is")]
    name: Annotated[Name, Doc("what they are called from now on")]


@command("name_stand_in", may=EVERYONE)
class NameStandIn:
    """Say who decides for a seat while its player is away."""

    seat: Annotated[SeatId, Doc("who is away")]
    stand_in: Annotated[SeatId | None, Doc("who decides meanwhile; nobody ends it")] = None


@command("give_character", may=GAME_MASTER_ONLY)
class GiveCharacter:
    """Put a character in a player's hands, or take it back into the game master's."""

    character: Annotated[CharacterId, Doc("the character")]
    seat: Annotated[SeatId | None, Doc("whose it is; nobody's is the game master's")] = None


@event("seat_taken", nature=Nature.LASTING)
class SeatTaken:
    """Somebody sat down."""

    seat: Annotated[Seat, Seen.ALL]


@event("seat_left", nature=Nature.LASTING)
class SeatLeft:
    """A seat became empty."""

    seat: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]


@event("handed_over", nature=Nature.LASTING)
class HandedOver:
    """Another seat runs the game."""

    before: Annotated[str, Seen.ALL]
    after: Annotated[str, Seen.ALL]


@event("seat_renamed", nature=Nature.LASTING)
class SeatRenamed:
    """Somebody is called otherwise."""

    seat: Annotated[str, Seen.ALL]
    before: Annotated[str, Seen.ALL]
    after: Annotated[str, Seen.ALL]


@event("stand_in_named", nature=Nature.LASTING)
class StandInNamed:
    """Somebody decides for somebody else."""

    seat: Annotated[str, Seen.ALL]
    stand_in: Annotated[str | None, Seen.ALL]


@event("character_given", nature=Nature.LASTING)
class CharacterGiven:
    """A character changed hands."""

    character: Annotated[str, Seen.ALL]
    seat: Annotated[str | None, Seen.ALL]


def _take(call: Call, asked: TakeSeat, _: None) -> list[SeatTaken]:
    if asked.role is Role.GAME_MASTER:
        raise Refusal("There is one game master: hand the seat over instead.", code="one_game_master")
    _check_free(call.state, asked.name)
    return [SeatTaken(seat=Seat(id=call.fresh, name=asked.name, role=asked.role, ai=asked.ai))]


def _leave(call: Call, asked: LeaveSeat, _: None) -> list[SeatLeft]:
    seat = find_seat(call.state, asked.seat)
    if seat.role is Role.GAME_MASTER:
        raise Refusal("The game master can't leave before handing the seat over.", code="one_game_master")
    if asked.seat != call.viewer.seat and not call.viewer.is_game_master:
        raise Refusal("Only the game master can send somebody away.", code="not_allowed")
    return [SeatLeft(seat=seat.id, name=seat.name)]


def _hand_over(call: Call, asked: HandOver, _: None) -> list[HandedOver]:
    seat = find_seat(call.state, asked.seat)
    if seat.id == call.viewer.seat:
        raise Refusal(f"{seat.name} is the game master already.", code="no_change")
    return [HandedOver(before=call.viewer.seat, after=seat.id)]


def _rename(call: Call, asked: RenameSeat, _: None) -> list[SeatRenamed]:
    seat = find_seat(call.state, asked.seat)
    if asked.seat != call.viewer.seat and not call.viewer.is_game_master:
        raise Refusal("Only the game master can say what somebody else is called.", code="not_allowed")
    if asked.name == seat.name:
        raise Refusal(f"{seat.name} is called so already.", code="no_change")
    _check_free(call.state, asked.name, besides=seat.id)
    return [SeatRenamed(seat=seat.id, before=seat.name, after=asked.name)]


def _check_free(state: State, name: str, besides: str = "") -> None:
    if any(seat.name.casefold() == name.casefold() for seat in state.seats.values() if seat.id != besides):
        raise Refusal(f"Somebody called {name} sits here already.", code="name_taken")


def _name_stand_in(call: Call, asked: NameStandIn, _: None) -> list[StandInNamed]:
    seat = find_seat(call.state, asked.seat)
    if asked.seat != call.viewer.seat and not call.viewer.is_game_master:
        raise Refusal("Only the game master can name a stand-in for somebody else.", code="not_allowed")
    if asked.stand_in is not None and find_seat(call.state, asked.stand_in).role is Role.SPECTATOR:
        raise Refusal("A spectator can't stand in.", code="not_allowed")
    return [StandInNamed(seat=seat.id, stand_in=asked.stand_in)]


def _give(call: Call, asked: GiveCharacter, _: None) -> list[CharacterGiven]:
    if asked.seat is not None and find_seat(call.state, asked.seat).role is Role.SPECTATOR:
        raise Refusal("A spectator has no characters.", code="not_allowed")
    if asked.character not in call.state.characters:
        raise NoSuchThing(f"There is no character {asked.character!r} at this table.")
    return [CharacterGiven(character=asked.character, seat=asked.seat)]


def find_seat(state: State, seat: str) -> Seat:
    if seat not in state.seats:
        raise NoSuchThing("Nobody sits there.")
    return state.seats[seat]


def _sit(state: State, taken: SeatTaken) -> State:
    return replace(state, seats={**state.seats, taken.seat.id: taken.seat})


def _vacate(state: State, left: SeatLeft) -> State:
    """The characters of an empty seat are the game master's until they are given on."""
    seats = {
        seat_id: replace(seat, stand_in=None) if seat.stand_in == left.seat else seat
        for seat_id, seat in state.seats.items()
        if seat_id != left.seat
    }
    characters = {
        who: replace(one, seat=None) if one.seat == left.seat else one for who, one in state.characters.items()
    }
    return replace(state, seats=seats, characters=characters)


def _exchange(state: State, handed: HandedOver) -> State:
    if not {handed.before, handed.after} <= state.seats.keys():
        return state
    before = replace(state.seats[handed.before], role=Role.PLAYER)
    after = replace(state.seats[handed.after], role=Role.GAME_MASTER)
    return replace(state, seats={**state.seats, before.id: before, after.id: after})


def _call_so(state: State, renamed: SeatRenamed) -> State:
    if renamed.seat not in state.seats:
        return state
    seat = replace(state.seats[renamed.seat], name=renamed.after)
    return replace(state, seats={**state.seats, seat.id: seat})


def _note_stand_in(state: State, named: StandInNamed) -> State:
    if named.seat not in state.seats:
        return state
    seat = replace(state.seats[named.seat], stand_in=named.stand_in)
    return replace(state, seats={**state.seats, seat.id: seat})


def _hand_character(state: State, given: CharacterGiven) -> State:
    if given.character not in state.characters:
        return state
    return state.with_character(replace(state.characters[given.character], seat=given.seat))


def _say_given(given: CharacterGiven, teller: Teller) -> str:
    owner = teller.name(given.seat) if given.seat else "the game master"
    return f"{owner} plays {teller.name(given.character)}"


def _say_stand_in(named: StandInNamed, teller: Teller) -> str:
    if named.stand_in is None:
        return f"{teller.name(named.seat)} decides again"
    return f"{teller.name(named.stand_in)} decides for {teller.name(named.seat)}"


SEATS = Chapter(
    actions=(
        Action(TakeSeat, _take),
        Action(LeaveSeat, _leave),
        Action(HandOver, _hand_over),
        Action(RenameSeat, _rename),
        Action(NameStandIn, _name_stand_in),
        Action(GiveCharacter, _give),
    ),
    happenings=(
        Happening(SeatTaken, lambda taken, teller: f"{taken.seat.name} sits down", _sit),
        Happening(SeatLeft, lambda left, teller: f"{left.name} leaves the table", _vacate),
        Happening(HandedOver, lambda handed, teller: f"{teller.name(handed.after)} runs the game", _exchange),
        Happening(SeatRenamed, lambda renamed, teller: f"{renamed.before} is called {renamed.after} now", _call_so),
        Happening(StandInNamed, _say_stand_in, _note_stand_in),
        Happening(CharacterGiven, _say_given, _hand_character),
    ),
)
