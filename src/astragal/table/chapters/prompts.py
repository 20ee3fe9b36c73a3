"""Prompts: something that waits for words. Put to a seat or a character, answered by an ordinary command.

A ruleset opens one with `new_prompt` and reacts to `PromptAnswered` with its own `kind`. Of a secret prompt only the
seat that is asked and the game master learn anything.
"""

from __future__ import annotations

from typing import Annotated

from annotated_types import MaxLen, MinLen
from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Command, Event, Teller
from astragal.table.fields.definitions import LONGEST_TEXT, FreeText, Names, Words
from astragal.table.fields.values import replace, without
from astragal.table.refusals import NoSuchThing, NotYours, Refusal
from astragal.table.state.prompts import Prompt, is_put_to
from astragal.table.state.seats import GAME_MASTER_AND_PLAYERS, GAME_MASTER_ONLY, Role, Viewer
from astragal.table.state.table import State
from astragal.table.visibility.marks import Seen

PROMPTS = Chapter(seen=Seen.ALL)

PromptId = Annotated[str, MaxLen(40), Names("prompt")]
Somebody = Annotated[str, MaxLen(40), Names("seat or character")]
Said = Annotated[str, MinLen(1), MaxLen(LONGEST_TEXT), FreeText()]


def _find(state: State, prompt: str) -> Prompt:
    if prompt not in state.prompts:
        raise _no_such_prompt()
    return state.prompts[prompt]


def _no_such_prompt() -> NoSuchThing:
    return NoSuchThing("There is no such prompt, or it was withdrawn.")


def _seat_of(state: State, to: str) -> str | None:
    """The seat that answers for a character or seat; nobody's character is the game master's."""
    character = state.characters.get(to)
    return to if character is None else character.seat


def _may_know(viewer: Viewer, seat: str | None, *, secret: bool) -> bool:
    return viewer.is_game_master or not secret or seat == viewer.seat


def _with(state: State, prompt: Prompt) -> State:
    return replace(state, prompts={**state.prompts, prompt.id: prompt})


# ---------------------------------------------------------------- put


@PROMPTS.event("prompt_put", owner="to")
class PromptPut(Event):
    """Somebody is asked for words."""

    prompt: str
    to: str
    seat: str | None
    """The seat that is asked; without one, the game master."""
    words: Words
    kind: str
    secret: bool

    def is_for(self, viewer: Viewer) -> bool:
        return _may_know(viewer, self.seat, secret=self.secret)

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.to)} is asked: {self.words}"

    def fold(self, state: State) -> State:
        return _with(state, Prompt(id=self.prompt, to=self.to, words=self.words, kind=self.kind, secret=self.secret))


def new_prompt(state: State, prompt: str, to: str, words: str, *, kind: str = "", secret: bool = False) -> PromptPut:
    """A prompt that is put now. `prompt` is its id: `call.fresh`, or something made from it."""
    return PromptPut(prompt=prompt, to=to, seat=_seat_of(state, to), words=words, kind=kind, secret=secret)


@PROMPTS.command("put_prompt", may=GAME_MASTER_ONLY)
class PutPrompt(Command):
    """Ask somebody for words."""

    to: Annotated[Somebody, Doc("the seat or character that is asked")]
    words: Annotated[Said, Doc("what is asked")]
    secret: Annotated[bool, Doc("whether it stays between them and the game master")] = False

    def does(self, call: Call) -> list[PromptPut]:
        seat = call.state.seats.get(self.to)
        if seat is None and self.to not in call.state.characters:
            raise NoSuchThing("There is no such seat or character.")
        if seat is not None and seat.role is Role.SPECTATOR:
            raise Refusal("A spectator is asked nothing.", code="not_allowed")
        return [new_prompt(call.state, call.fresh, self.to, self.words, secret=self.secret)]


# ---------------------------------------------------------------- answered


@PROMPTS.event("prompt_answered", owner="to")
class PromptAnswered(Event):
    """Somebody gave their answer."""

    prompt: str
    to: str
    seat: str | None
    words: Words
    kind: str
    secret: bool
    by: str
    """The seat that answered: not always the one that was asked."""

    def is_for(self, viewer: Viewer) -> bool:
        return _may_know(viewer, self.seat, secret=self.secret)

    def says(self, teller: Teller) -> str:
        is_own = self.seat in (None, self.by)
        for_them = "" if is_own else f" ({teller.name(self.by)} answered for {teller.name(self.seat)})"
        return f"{teller.name(self.to)}: {self.words}{for_them}"

    def fold(self, state: State) -> State:
        return _with(state, replace(state.prompts[self.prompt], answer=self.words))


@PROMPTS.command("answer_prompt", may=GAME_MASTER_AND_PLAYERS)
class AnswerPrompt(Command):
    """Answer what you are asked, or somebody for whom you stand in."""

    prompt: Annotated[PromptId, Doc("the prompt")]
    words: Annotated[Said, Doc("the answer")]

    def does(self, call: Call) -> list[PromptAnswered]:
        prompt = _find(call.state, self.prompt)
        if not _may_answer(call.state, call.viewer, prompt):
            if prompt.is_for(call.viewer):
                raise NotYours("Somebody else is asked.")
            raise _no_such_prompt()
        if not prompt.is_open:
            raise Refusal("That has been answered.", code="answered")
        answered = PromptAnswered(
            prompt=prompt.id,
            to=prompt.to,
            seat=_seat_of(call.state, prompt.to),
            words=self.words,
            kind=prompt.kind,
            secret=prompt.secret,
            by=call.viewer.seat,
        )
        return [answered]


def _may_answer(state: State, viewer: Viewer, prompt: Prompt) -> bool:
    """The one who is asked, the seat that stands in for them, and the game master."""
    if viewer.is_game_master or is_put_to(viewer, prompt.to):
        return True
    seat = state.seats.get(_seat_of(state, prompt.to) or "")
    return seat is not None and seat.stand_in == viewer.seat


@PROMPTS.event("answer_edited", owner="to")
class AnswerEdited(Event):
    """The game master put an answer in other words."""

    prompt: str
    to: str
    seat: str | None
    before: Words
    after: Words
    kind: str
    secret: bool

    def is_for(self, viewer: Viewer) -> bool:
        return _may_know(viewer, self.seat, secret=self.secret)

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.to)}, edited: {self.after}"

    def fold(self, state: State) -> State:
        return _with(state, replace(state.prompts[self.prompt], edited=self.after))


@PROMPTS.command("edit_answer", may=GAME_MASTER_ONLY, grave=True)
class EditAnswer(Command):
    """Put an answer in other words. The first ones stay beside them."""

    prompt: Annotated[PromptId, Doc("the answered prompt")]
    words: Annotated[Said, Doc("the answer as it is to stand")]

    def does(self, call: Call) -> list[AnswerEdited]:
        prompt = _find(call.state, self.prompt)
        if prompt.told is None:
            raise Refusal("That has not been answered yet.", code="not_answered")
        edited = AnswerEdited(
            prompt=prompt.id,
            to=prompt.to,
            seat=_seat_of(call.state, prompt.to),
            before=prompt.told,
            after=self.words,
            kind=prompt.kind,
            secret=prompt.secret,
        )
        return [edited]


# ---------------------------------------------------------------- withdrawn


@PROMPTS.event("prompt_withdrawn", owner="to")
class PromptWithdrawn(Event):
    """Somebody is no longer asked."""

    prompt: str
    to: str
    seat: str | None
    kind: str
    secret: bool

    def is_for(self, viewer: Viewer) -> bool:
        return _may_know(viewer, self.seat, secret=self.secret)

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.to)} is no longer asked"

    def fold(self, state: State) -> State:
        return replace(state, prompts=without(state.prompts, self.prompt))


@PROMPTS.command("withdraw_prompt", may=GAME_MASTER_ONLY)
class WithdrawPrompt(Command):
    """Ask no longer; or take an answered prompt off the table."""

    prompt: Annotated[PromptId, Doc("the prompt")]

    def does(self, call: Call) -> list[PromptWithdrawn]:
        prompt = _find(call.state, self.prompt)
        seat = _seat_of(call.state, prompt.to)
        return [PromptWithdrawn(prompt=prompt.id, to=prompt.to, seat=seat, kind=prompt.kind, secret=prompt.secret)]
