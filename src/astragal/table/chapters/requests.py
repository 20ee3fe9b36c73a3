"""Requests: the game master asks a character for a roll, against an open or a hidden difficulty.

A ruleset asks with `requested`. Its command takes the request's id, reads `find_request(call.state, …).difficulty`
before it asks its question, says in `hides` whether the request is `hidden`, and tells `met(request)` with its own
events. In the player's view a hidden difficulty is withheld, so that the preview answers for each that it could be.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from annotated_types import Ge, Le, MaxLen
from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Command, Event, Teller
from astragal.table.fields.definitions import CharacterId, Name, Names, Words
from astragal.table.fields.values import field, replace, without
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.state.requests import Request
from astragal.table.state.seats import GAME_MASTER_ONLY
from astragal.table.state.table import State
from astragal.table.visibility.marks import Seen

REQUESTS = Chapter(seen=Seen.ALL)

RequestId = Annotated[str, MaxLen(40), Names("request")]
Filled = int | Annotated[str, MaxLen(200)] | bool
LONGEST_KEY = 40


def find_request(state: State, request: str, who: str) -> Request:
    """The request that waits for this character."""
    found = state.requests.get(request)
    if found is None or found.who != who:
        raise NoSuchThing("No such roll is asked of this character.")
    return found


@REQUESTS.event("roll_requested", owner="who")
class RollRequested(Event):
    """A character is asked for a roll."""

    request: str
    who: str
    command: str
    fields: Mapping[str, int | str | bool]
    what_for: Words
    hidden: bool
    shown_difficulty: int | None
    secret_difficulty: Annotated[int | None, Seen.GAME_MASTER]

    def says(self, teller: Teller) -> str:
        against = f" against {self.shown_difficulty}" if self.shown_difficulty is not None else ""
        what_for = f": {self.what_for}" if self.what_for else ""
        return f"{teller.name(self.who)} is asked to {self.command.replace('_', ' ')}{against}{what_for}"

    def fold(self, state: State) -> State:
        request = Request(
            id=self.request,
            who=self.who,
            command=self.command,
            fields=self.fields,
            what_for=self.what_for,
            hidden=self.hidden,
            shown_difficulty=self.shown_difficulty,
            secret_difficulty=self.secret_difficulty,
        )
        return replace(state, requests={**state.requests, request.id: request})


def requested(
    request: str,
    who: str,
    command: str,
    fields: Mapping[str, int | str | bool],
    *,
    difficulty: int | None = None,
    hidden: bool = False,
    what_for: str = "",
) -> RollRequested:
    """Ask somebody for a roll by this command. `request` is its id: `call.fresh`, or something made from it."""
    return RollRequested(
        request=request,
        who=who,
        command=command,
        fields=fields,
        what_for=what_for,
        hidden=hidden,
        shown_difficulty=None if hidden else difficulty,
        secret_difficulty=difficulty if hidden else None,
    )


@REQUESTS.command("request_roll", may=GAME_MASTER_ONLY)
class RequestRoll(Command):
    """Ask a character for a roll."""

    who: Annotated[CharacterId, Doc("who is to roll")]
    command: Annotated[Name, Doc("by which command")]
    fields: Annotated[Mapping[str, Filled], Doc("what is filled in already; all can see it")] = field(
        default_factory=dict
    )
    what_for: Annotated[Words, Doc("what the roll is for")] = ""
    difficulty: Annotated[int | None, Ge(-999), Le(999), Doc("what it is against; none leaves it to the game")] = None
    hidden: Annotated[bool, Doc("whether the difficulty is the game master's secret")] = False

    def does(self, call: Call) -> list[RollRequested]:
        if self.who not in call.state.characters:
            raise NoSuchThing(f"There is no character {self.who!r} at this table.")
        for key in self.fields:
            if not key.isidentifier() or len(key) > LONGEST_KEY:
                raise Refusal("The name of a field is one word of letters, digits and underscores.", code="bad_key")
        asked = requested(
            call.fresh,
            self.who,
            self.command,
            self.fields,
            difficulty=self.difficulty,
            hidden=self.hidden,
            what_for=self.what_for,
        )
        return [asked]


@REQUESTS.event("request_met", owner="who", says="{who} has rolled as asked")
class RequestMet(Event):
    """The roll that was asked for was made."""

    request: str
    who: CharacterId

    def fold(self, state: State) -> State:
        return replace(state, requests=without(state.requests, self.request))


def met(request: Request) -> RequestMet:
    return RequestMet(request=request.id, who=request.who)


@REQUESTS.event("request_withdrawn", owner="who", says="{who} need not roll")
class RequestWithdrawn(Event):
    """A roll is no longer asked for."""

    request: str
    who: CharacterId

    def fold(self, state: State) -> State:
        return replace(state, requests=without(state.requests, self.request))


@REQUESTS.command("withdraw_request", may=GAME_MASTER_ONLY)
class WithdrawRequest(Command):
    """Ask for a roll no longer."""

    request: Annotated[RequestId, Doc("the request")]

    def does(self, call: Call) -> list[RequestWithdrawn]:
        request = call.state.requests.get(self.request)
        if request is None:
            raise NoSuchThing("There is no such request: it was met or withdrawn.")
        return [RequestWithdrawn(request=request.id, who=request.who)]
