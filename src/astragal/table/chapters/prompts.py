"""Prompts and requests: asking somebody for words, or for a roll.

A prompt is put to a seat or a character, and answered by an ordinary command. A ruleset opens one with `new_prompt` and
reacts to a `PromptAnswered` of its own `kind`. Only the seat that is asked and the game master see a secret prompt.

A request asks for a roll against an open or a hidden difficulty. A ruleset makes one with `RollRequested`. The command
that rolls takes the request's id, reads `find_request(call.state, …).difficulty` before it asks its question, returns
from `hides` whether the request is `hidden`, and tells `met(request)` with its own events. A hidden difficulty is
withheld from the player's view, so the preview covers every difficulty that it could be.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated

from annotated_types import Ge, Le, MaxLen, MinLen
from msgspec import field
from typing_extensions import Doc

from astragal.table.authoring.chapter import Action, Call, Chapter, Command, Event
from astragal.table.authoring.kept import Kept
from astragal.table.authoring.log_lines import Teller
from astragal.table.chapters.cast import FateRecorded
from astragal.table.declarations import GAME_MASTER_AND_PLAYERS, GAME_MASTER_ONLY, Role, Seen, Viewer, command, replace
from astragal.table.fields.definitions import LONGEST_TEXT, CharacterId, FreeText, Label, Name, Names, Words
from astragal.table.fields.lookup import Named
from astragal.table.refusals import NoSuchThing, NotYours, Refusal
from astragal.table.state import setting, things
from astragal.table.state.table import State

__all__ = [
    "PromptAnswered",
    "PromptPut",
    "PromptWithdrawn",
    "RequestId",
    "RequestMet",
    "RequestWithdrawn",
    "RollRequested",
    "find_request",
    "met",
    "new_prompt",
    "withdrawn_requests",
]

PROMPTS = Chapter(seen=Seen.ALL)

PromptId = Annotated[str, MaxLen(40), Names("prompt")]
AnsweredId = Annotated[str, MaxLen(40), Names("answered prompt")]
AnyPromptId = Annotated[str, MaxLen(40), Names("prompt or answered prompt")]
Somebody = Annotated[str, MaxLen(40), Names("seat or character")]
Said = Annotated[str, MinLen(1), MaxLen(LONGEST_TEXT), FreeText()]


KEPT_PROMPTS = Kept(
    PROMPTS,
    things.Prompt,
    "prompts",
    "prompt",
    name="words",
    shared=True,
    moves={
        setting.MoveKind.BARGAIN: lambda prompt, teller: (
            f"hold {teller.name(prompt.to)} to their word: “{prompt.told}”" if prompt.told else ""
        )
    },
)


@PROMPTS.names("prompt")
def open_prompts_named(state: State) -> list[Named]:
    return [Named(prompt.id, prompt.words, prompt.to) for prompt in state.prompts.values() if prompt.is_open]


@PROMPTS.names("answered prompt")
def answered_prompts_named(state: State) -> list[Named]:
    return [Named(prompt.id, prompt.words, prompt.to) for prompt in state.prompts.values() if not prompt.is_open]


def _seat_of(state: State, to: str) -> str | None:
    """Return the seat that answers for a seat or character; None for a character without an owner."""
    character = state.characters.get(to)
    return to if character is None else character.seat


class AboutPrompt(Event):
    """Base of prompt events. Only the game master and the seat asked at the time see those of a secret prompt."""

    prompt: things.Prompt

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or not self.prompt.secret or self.prompt.seat == viewer.seat


# ---------------------------------------------------------------- put


@KEPT_PROMPTS.put("prompt_put")
class PromptPut(AboutPrompt):
    """Somebody is asked for words."""

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.prompt.to)} is asked: {self.prompt.words}"


def new_prompt(state: State, prompt: str, to: str, words: str, *, kind: str = "", secret: bool = False) -> PromptPut:
    """Return the event that puts a prompt. `prompt` is its id: `call.fresh`, or something made from it."""
    new = things.Prompt(id=prompt, to=to, seat=_seat_of(state, to), words=words, kind=kind, secret=secret)
    return PromptPut(prompt=new)


@PROMPTS.command("put_prompt", title="Ask for words", may=GAME_MASTER_ONLY)
class PutPrompt(Command):
    """Ask somebody for words."""

    to: Annotated[Somebody, Label("whom"), Doc("the seat or character that is asked")]
    words: Annotated[Said, Label("question")]
    secret: Annotated[bool, Doc("whether it stays between them and the game master")] = False

    def does(self, call: Call) -> list[PromptPut]:
        seat = call.state.seats.get(self.to)
        if seat is None and self.to not in call.state.characters:
            raise NoSuchThing("There is no such seat or character.")
        if seat is not None and seat.role is Role.SPECTATOR:
            raise Refusal("Spectators can't be asked.", code="not_allowed")
        return [new_prompt(call.state, call.fresh, self.to, self.words, secret=self.secret)]


# ---------------------------------------------------------------- answered


@KEPT_PROMPTS.put("prompt_answered")
class PromptAnswered(AboutPrompt):
    """Somebody gave their answer."""

    by: str
    """The seat that answered: not always the one that was asked."""

    def says(self, teller: Teller) -> str:
        seat = self.prompt.seat
        for_them = "" if seat in (None, self.by) else f" ({teller.name(self.by)} answered for {teller.name(seat)})"
        return f"{teller.name(self.prompt.to)}: {self.prompt.answer}{for_them}"


@PROMPTS.command("answer_prompt", may=GAME_MASTER_AND_PLAYERS)
class AnswerPrompt(Command):
    """Answer what you are asked, or somebody for whom you stand in."""

    prompt: Annotated[PromptId, Label("question")]
    words: Annotated[Said, Label("answer")]

    def does(self, call: Call) -> list[PromptAnswered]:
        """Answer from the seat that is asked, from its stand-in, or from the game master."""
        prompt = call.state.prompts.get(self.prompt)
        if prompt is None or not _stands_in(call, prompt):
            prompt = KEPT_PROMPTS.find(call, self.prompt)
            if not (call.viewer.is_game_master or things.is_put_to(call.viewer, prompt.to)):
                raise NotYours("Somebody else is asked.")
        if not prompt.is_open:
            raise Refusal("That has been answered.", code="answered")
        answered = replace(prompt, seat=_seat_of(call.state, prompt.to), answer=self.words)
        return [PromptAnswered(prompt=answered, by=call.viewer.seat)]


def _stands_in(call: Call, prompt: things.Prompt) -> bool:
    """Return whether the caller stands in for the seat that is asked."""
    seat = call.state.seats.get(_seat_of(call.state, prompt.to) or "")
    return seat is not None and seat.stand_in == call.viewer.seat


@KEPT_PROMPTS.put("answer_edited")
class AnswerEdited(AboutPrompt):
    """The game master reworded an answer."""

    before: Words

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.prompt.to)}, edited: {self.prompt.edited}"


@PROMPTS.command("edit_answer", may=GAME_MASTER_ONLY, grave=True)
class EditAnswer(Command):
    """Reword an answer. The first wording stays beside it."""

    prompt: Annotated[AnsweredId, Label("question"), Doc("the answered prompt")]
    words: Annotated[Said, Label("answer"), Doc("the answer as it is to stand")]

    def does(self, call: Call) -> list[AnswerEdited]:
        prompt = KEPT_PROMPTS.find(call, self.prompt)
        if prompt.told is None:
            raise Refusal("That has not been answered yet.", code="not_answered")
        edited = replace(prompt, seat=_seat_of(call.state, prompt.to), edited=self.words)
        return [AnswerEdited(prompt=edited, before=prompt.told)]


# ---------------------------------------------------------------- withdrawn


@KEPT_PROMPTS.taken("prompt_withdrawn")
class PromptWithdrawn(AboutPrompt):
    """Somebody is no longer asked."""

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.prompt.to)} is no longer asked"


@PROMPTS.command("withdraw_prompt", may=GAME_MASTER_ONLY)
class WithdrawPrompt(Command):
    """Withdraw a question, or take an answered one off the table."""

    prompt: Annotated[AnyPromptId, Label("question")]

    def does(self, call: Call) -> list[PromptWithdrawn]:
        prompt = KEPT_PROMPTS.find(call, self.prompt)
        return [PromptWithdrawn(prompt=replace(prompt, seat=_seat_of(call.state, prompt.to)))]


# ---------------------------------------------------------------- requests


REQUESTS = Chapter(seen=Seen.ALL)

RequestId = Annotated[str, MaxLen(40), Names("request")]
Filled = int | Annotated[str, MaxLen(200)] | bool
LONGEST_KEY = 40


KEPT_REQUESTS = Kept(REQUESTS, things.Request, "requests", "request", name="what_for", shared=True)


@REQUESTS.names("request")
def requests_named(state: State) -> Iterator[Named]:
    """Name requests by their purpose or, if none is given, by who rolls what: "Kira: test"."""
    for request in state.requests.values():
        who = state.characters[request.who].name if request.who in state.characters else "someone"
        yield Named(request.id, request.what_for or f"{who}: {request.command.replace('_', ' ')}", request.who)


def find_request(state: State, request: str, who: str) -> things.Request:
    """Find the request by its id; refused if it is not for this character."""
    roll_request = state.requests.get(request)
    if roll_request is None or roll_request.who != who:
        raise NoSuchThing("No such roll was asked of this character.")
    return roll_request


@KEPT_REQUESTS.put("roll_requested")
class RollRequested(Event):
    """A character is asked for a roll."""

    request: things.Request

    def says(self, teller: Teller) -> str:
        request = self.request
        against = "" if request.hidden or request.difficulty is None else f" against {request.difficulty}"
        what_for = f": {request.what_for}" if request.what_for else ""
        return f"{teller.name(request.who)} is asked to {request.command.replace('_', ' ')}{against}{what_for}"


@command("request_roll", title="Ask for a roll", may=GAME_MASTER_ONLY)
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


def requesting(difficulties: Mapping[str, int], asked_otherwise: Mapping[str, str]) -> Chapter:
    """Make the chapter that asks for rolls, for a game with these named difficulties.

    `asked_otherwise` maps rolls that other commands ask for to how they do it.
    """

    def number_of(difficulty: str) -> int:
        name = " ".join(difficulty.replace("_", " ").replace("-", " ").split()).casefold()
        if name not in difficulties:
            choices = f"it has {', '.join(difficulties)}" if difficulties else "it has only numbers"
            raise NoSuchThing(f"This game has no difficulty {difficulty!r}; {choices}.")
        return difficulties[name]

    def does(call: Call, order: RequestRoll, _: None) -> list[RollRequested]:
        if order.command in asked_otherwise:
            raise Refusal(
                f"This roll is not asked for by itself: {asked_otherwise[order.command]}.",
                code="asked_otherwise",
                field="command",
            )
        everybody = tuple(dict.fromkeys((order.who, *order.also)))
        for who in everybody:
            call.state.find(who).check_lives()
        for key in order.fields:
            if not key.isidentifier() or len(key) > LONGEST_KEY:
                raise Refusal("The name of a field is one word of letters, digits and underscores.", code="bad_key")
        number = number_of(order.difficulty) if isinstance(order.difficulty, str) else order.difficulty
        request = KEPT_REQUESTS.new(call, order, difficulty=number)
        if len(everybody) == 1:
            return [RollRequested(request=request)]
        events = []
        for place, who in enumerate(everybody, 1):
            events.append(RollRequested(request=replace(request, id=f"{call.fresh}-{place}", who=who)))
        return events

    return Chapter(actions=[Action(RequestRoll, does)])


@KEPT_REQUESTS.taken("request_met", says="{request.who} has rolled as asked")
class RequestMet(Event):
    """The roll that was asked for was made."""

    request: things.Request


def met(request: things.Request) -> RequestMet:
    return RequestMet(request=request)


@KEPT_REQUESTS.taken("request_withdrawn", says="{request.who} need not roll")
class RequestWithdrawn(Event):
    """A roll is no longer asked for."""

    request: things.Request


@REQUESTS.command("withdraw_request", may=GAME_MASTER_ONLY)
class WithdrawRequest(Command):
    """Withdraw a request for a roll."""

    request: Annotated[RequestId, Doc("the request")]

    def does(self, call: Call) -> list[RequestWithdrawn]:
        return [RequestWithdrawn(request=KEPT_REQUESTS.find(call, self.request))]


def withdrawn_requests(state: State, who: str, command: str = "") -> list[RequestWithdrawn]:
    """Withdraw all rolls that a character is asked for, or those by `command`: the matter is settled without them."""
    requests = (
        request for request in state.requests.values() if request.who == who and command in ("", request.command)
    )
    return [RequestWithdrawn(request=request) for request in requests]


@REQUESTS.after(FateRecorded)
def withdraw_requests_of_dead(state: State, fate_recorded: FateRecorded) -> list[RequestWithdrawn]:
    return withdrawn_requests(state, fate_recorded.who) if fate_recorded.fate is things.Fate.DEAD else []
