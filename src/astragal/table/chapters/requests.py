"""Requests: the game master asks a character for a roll, against an open or a hidden difficulty.

A ruleset asks with `RollRequested`. Its command takes the request's id, reads `find_request(call.state, …).difficulty`
before it asks its question, says in `hides` whether the request is `hidden`, and tells `met(request)` with its own
events. In the player's view a hidden difficulty is withheld, so that the preview answers for each that it could be.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated

from annotated_types import Ge, Le, MaxLen
from msgspec import field
from typing_extensions import Doc

from astragal.table.authoring.chapter import Action, Call, Chapter, Command, Event
from astragal.table.authoring.kept import Kept
from astragal.table.authoring.log_lines import Teller
from astragal.table.chapters.cast import FateRecorded
from astragal.table.declarations import GAME_MASTER_ONLY, Seen, command, replace
from astragal.table.fields.definitions import CharacterId, Name, Names, Words
from astragal.table.fields.lookup import Named
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.state.table import State
from astragal.table.state.things import Fate, Request

REQUESTS = Chapter(seen=Seen.ALL)

RequestId = Annotated[str, MaxLen(40), Names("request")]
Filled = int | Annotated[str, MaxLen(200)] | bool
LONGEST_KEY = 40


KEPT_REQUESTS = Kept(REQUESTS, Request, "requests", "request", name="what_for", shared=True)


@REQUESTS.names("request")
def requests_named(state: State) -> Iterator[Named]:
    """By what they are for; where nobody said, by who rolls what: "Kira: test"."""
    for one in state.requests.values():
        who = state.characters[one.who].name if one.who in state.characters else "someone"
        yield Named(one.id, one.what_for or f"{who}: {one.command.replace('_', ' ')}", one.who)


def find_request(state: State, request: str, who: str) -> Request:
    """The request that waits for this character."""
    found = state.requests.get(request)
    if found is None or found.who != who:
        raise NoSuchThing("No such roll was asked of this character.")
    return found


@KEPT_REQUESTS.put("roll_requested")
class RollRequested(Event):
    """A character is asked for a roll."""

    request: Request

    def says(self, teller: Teller) -> str:
        asked = self.request
        against = "" if asked.hidden or asked.difficulty is None else f" against {asked.difficulty}"
        what_for = f": {asked.what_for}" if asked.what_for else ""
        return f"{teller.name(asked.who)} is asked to {asked.command.replace('_', ' ')}{against}{what_for}"


@command("request_roll", may=GAME_MASTER_ONLY)
class RequestRoll(Command):
    """Ask a character, or several at once, for a roll."""

    who: Annotated[CharacterId, Doc("who is to roll")]
    command: Annotated[Name, Names("roll"), Doc("by which command")]
    fields: Annotated[Mapping[str, Filled], Doc("what is filled in already; all can see it")] = field(
        default_factory=dict
    )
    what_for: Annotated[Words, Doc("what the roll is for")] = ""
    difficulty: Annotated[
        int | Name | None,
        Ge(-999),
        Le(999),
        Doc("what it is against, as a number or by a name that the game has for it; none leaves it to the game"),
    ] = None
    hidden: Annotated[bool, Doc("whether the difficulty is the game master's secret")] = False
    also: Annotated[tuple[CharacterId, ...], Doc("others who are asked for the same roll")] = ()


def requesting(difficulties: Mapping[str, int]) -> Chapter:
    """The chapter that asks for rolls, in a game that has these names for difficulties."""

    def number_of(said: str) -> int:
        name = " ".join(said.replace("_", " ").replace("-", " ").split()).casefold()
        if name not in difficulties:
            known = f"it has {', '.join(difficulties)}" if difficulties else "it has only numbers"
            raise NoSuchThing(f"This game has no difficulty {said!r}; {known}.")
        return difficulties[name]

    def does(call: Call, asked: RequestRoll, _: None) -> list[RollRequested]:
        everybody = tuple(dict.fromkeys((asked.who, *asked.also)))
        for who in everybody:
            call.state.find(who).check_lives()
        for key in asked.fields:
            if not key.isidentifier() or len(key) > LONGEST_KEY:
                raise Refusal("The name of a field is one word of letters, digits and underscores.", code="bad_key")
        number = number_of(asked.difficulty) if isinstance(asked.difficulty, str) else asked.difficulty
        request = KEPT_REQUESTS.new(call, asked, difficulty=number)
        if len(everybody) == 1:
            return [RollRequested(request=request)]
        numbered = ((f"{call.fresh}-{place}", who) for place, who in enumerate(everybody, 1))
        return [RollRequested(request=replace(request, id=one, who=who)) for one, who in numbered]

    return Chapter(actions=[Action(RequestRoll, does)])


@KEPT_REQUESTS.taken("request_met", says="{request.who} has rolled as asked")
class RequestMet(Event):
    """The roll that was asked for was made."""

    request: Request


def met(request: Request) -> RequestMet:
    return RequestMet(request=request)


@KEPT_REQUESTS.taken("request_withdrawn", says="{request.who} need not roll")
class RequestWithdrawn(Event):
    """A roll is no longer asked for."""

    request: Request


@REQUESTS.command("withdraw_request", may=GAME_MASTER_ONLY)
class WithdrawRequest(Command):
    """Withdraw a request for a roll."""

    request: Annotated[RequestId, Doc("the request")]

    def does(self, call: Call) -> list[RequestWithdrawn]:
        return [RequestWithdrawn(request=KEPT_REQUESTS.find(call, self.request))]


@REQUESTS.after(FateRecorded)
def nothing_is_asked_of_the_dead(state: State, told: FateRecorded) -> list[RequestWithdrawn]:
    asked = state.requests.values() if told.fate is Fate.DEAD else ()
    return [RequestWithdrawn(request=one) for one in asked if one.who == told.who]
