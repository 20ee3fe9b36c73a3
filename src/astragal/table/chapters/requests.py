"""Requests: the game master asks a character for a roll, against an open or a hidden difficulty.

A ruleset's command takes the request's id, reads `find_request(call.state, …).difficulty` in its *gather*, says
`hides=lambda call, asked: find_request(…).hidden`, and tells `met(request)` with its own events. In the player's view a
hidden difficulty is withheld, so that the preview answers for each that it could be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Annotated

from annotated_types import Ge, Le, MaxLen
from typing_extensions import Doc

from astragal.table.declarations import command, event
from astragal.table.fields import CharacterId, Name, Names, Words
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Teller
from astragal.table.seats import GAME_MASTER_ONLY
from astragal.table.seen import Seen
from astragal.table.state import State
from astragal.table.things.requests import Request

RequestId = Annotated[str, MaxLen(40), Names("request")]
Filled = int | Annotated[str, MaxLen(200)] | bool
LONGEST_KEY = 40

# ---------------------------------------------------------------- what is asked


@command("request_roll", may=GAME_MASTER_ONLY)
class RequestRoll:
    """Ask a character for a roll."""

    who: Annotated[CharacterId, Doc("who is to roll")]
    command: Annotated[Name, Doc("by which command")]
    fields: Annotated[Mapping[str, Filled], Doc("what is filled in already; all can see it")] = field(
        default_factory=dict
    )
    what_for: Annotated[Words, Doc("what the roll is for")] = ""
    difficulty: Annotated[int | None, Ge(-999), Le(999), Doc("what it is against; none leaves it to the game")] = None
    hidden: Annotated[bool, Doc("whether the difficulty is the game master's secret")] = False


@command("withdraw_request", may=GAME_MASTER_ONLY)
class WithdrawRequest:
    """Ask for a roll no longer."""

    request: Annotated[RequestId, Doc("the request")]


# ---------------------------------------------------------------- what happened


@event("roll_requested", owner="who")
class RollRequested:
    """A character is asked for a roll."""

    request: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]
    command: Annotated[str, Seen.ALL]
    fields: Annotated[Mapping[str, int | str | bool], Seen.ALL]
    what_for: Annotated[Words, Seen.ALL]
    hidden: Annotated[bool, Seen.ALL]
    shown_difficulty: Annotated[int | None, Seen.ALL]
    secret_difficulty: Annotated[int | None, Seen.GAME_MASTER]


@event("request_met", owner="who")
class RequestMet:
    """The roll that was asked for was made."""

    request: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]


@event("request_withdrawn", owner="who")
class RequestWithdrawn:
    """A roll is no longer asked for."""

    request: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]


# ---------------------------------------------------------------- for rulesets


def find_request(state: State, request: str, who: str) -> Request:
    """The request that waits for this character."""
    found = state.requests.get(request)
    if found is None or found.who != who:
        raise NoSuchThing("No such roll is asked of this character.")
    return found


def met(request: Request) -> RequestMet:
    return RequestMet(request=request.id, who=request.who)


# ---------------------------------------------------------------- deciding


def _request(call: Call, asked: RequestRoll, _: None) -> list[RollRequested]:
    if asked.who not in call.state.characters:
        raise NoSuchThing(f"There is no character {asked.who!r} at this table.")
    for key in asked.fields:
        if not key.isidentifier() or len(key) > LONGEST_KEY:
            raise Refusal("The name of a field is one word of letters, digits and underscores.", code="bad_key")
    requested = RollRequested(
        request=call.fresh,
        who=asked.who,
        command=asked.command,
        fields=asked.fields,
        what_for=asked.what_for,
        hidden=asked.hidden,
        shown_difficulty=None if asked.hidden else asked.difficulty,
        secret_difficulty=asked.difficulty if asked.hidden else None,
    )
    return [requested]


def _withdraw(call: Call, asked: WithdrawRequest, _: None) -> list[RequestWithdrawn]:
    request = call.state.requests.get(asked.request)
    if request is None:
        raise NoSuchThing("There is no such request: it was met or withdrawn.")
    return [RequestWithdrawn(request=request.id, who=request.who)]


# ---------------------------------------------------------------- folds and words


def _wait(state: State, requested: RollRequested) -> State:
    request = Request(
        id=requested.request,
        who=requested.who,
        command=requested.command,
        fields=requested.fields,
        what_for=requested.what_for,
        hidden=requested.hidden,
        shown_difficulty=requested.shown_difficulty,
        secret_difficulty=requested.secret_difficulty,
    )
    return replace(state, requests={**state.requests, request.id: request})


def _forget(state: State, done: RequestMet | RequestWithdrawn) -> State:
    return replace(state, requests={key: one for key, one in state.requests.items() if key != done.request})


def _say_requested(requested: RollRequested, teller: Teller) -> str:
    against = f" against {requested.shown_difficulty}" if requested.shown_difficulty is not None else ""
    what_for = f": {requested.what_for}" if requested.what_for else ""
    return f"{teller.name(requested.who)} is asked to {requested.command.replace('_', ' ')}{against}{what_for}"


def _say_withdrawn(withdrawn: RequestWithdrawn, teller: Teller) -> str:
    return f"{teller.name(withdrawn.who)} need not roll"


REQUESTS = Chapter(
    actions=(Action(RequestRoll, _request), Action(WithdrawRequest, _withdraw)),
    happenings=(
        Happening(RollRequested, _say_requested, _wait),
        Happening(RequestMet, lambda done, teller: f"{teller.name(done.who)} has rolled as asked", _forget),
        Happening(RequestWithdrawn, _say_withdrawn, _forget),
    ),
)
