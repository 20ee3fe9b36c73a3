"""Prompts: something that waits for words. Put to a seat or a character, answered by an ordinary command.

A ruleset opens one with `new_prompt` and reacts to `PromptAnswered` with its own `kind`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from annotated_types import MaxLen, MinLen
from typing_extensions import Doc

from astragal.table.declarations import command, event
from astragal.table.fields import LONGEST_TEXT, FreeText, Names, Words
from astragal.table.refusals import NoSuchThing, NotYours, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Teller
from astragal.table.seats import GAME_MASTER_AND_PLAYERS, GAME_MASTER_ONLY, Role, Viewer
from astragal.table.seen import Seen
from astragal.table.state import State
from astragal.table.things.prompts import Prompt, is_put_to

PromptId = Annotated[str, MaxLen(40), Names("prompt")]
Somebody = Annotated[str, MaxLen(40), Names("seat or character")]
Said = Annotated[str, MinLen(1), MaxLen(LONGEST_TEXT), FreeText()]

# ---------------------------------------------------------------- what is asked


@command("put_prompt", may=GAME_MASTER_ONLY)
class PutPrompt:
    """Ask somebody for words."""

    to: Annotated[Somebody, Doc("the seat or character that is asked")]
    words: Annotated[Said, Doc("what is asked")]
    secret: Annotated[bool, Doc("whether it stays between them and the game master")] = False


@command("answer_prompt", may=GAME_MASTER_AND_PLAYERS)
class AnswerPrompt:
    """Answer what you are asked, or somebody for whom you stand in."""

    prompt: Annotated[PromptId, Doc("the prompt")]
    words: Annotated[Said, Doc("the answer")]


@command("edit_answer", may=GAME_MASTER_ONLY, grave=True)
class EditAnswer:
    """Put an answer in other words. The first ones stay beside them."""

    prompt: Annotated[PromptId, Doc("the answered prompt")]
    words: Annotated[Said, Doc("the answer as it is to stand")]


@command("withdraw_prompt", may=GAME_MASTER_ONLY)
class WithdrawPrompt:
    """Ask no longer; or take an answered prompt off the table."""

    prompt: Annotated[PromptId, Doc("the prompt")]


# ---------------------------------------------------------------- what happened


class _OfAPrompt:
    """Of a secret prompt only those learn whom it concerns."""

    seat: Annotated[str | None, Seen.ALL]
    secret: Annotated[bool, Seen.ALL]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or not self.secret or self.seat == viewer.seat


@event("prompt_put", owner="to")
class PromptPut(_OfAPrompt):
    """Somebody is asked for words."""

    prompt: Annotated[str, Seen.ALL]
    to: Annotated[str, Seen.ALL]
    seat: Annotated[str | None, Seen.ALL]
    """The seat that is asked; without one, the game master."""
    words: Annotated[Words, Seen.ALL]
    kind: Annotated[str, Seen.ALL]
    secret: Annotated[bool, Seen.ALL]


@event("prompt_answered", owner="to")
class PromptAnswered(_OfAPrompt):
    """Somebody gave their answer."""

    prompt: Annotated[str, Seen.ALL]
    to: Annotated[str, Seen.ALL]
    seat: Annotated[str | None, Seen.ALL]
    words: Annotated[Words, Seen.ALL]
    kind: Annotated[str, Seen.ALL]
    secret: Annotated[bool, Seen.ALL]
    by: Annotated[str, Seen.ALL]
    """The seat that answered: not always the one that was asked."""


@event("answer_edited", owner="to")
class AnswerEdited(_OfAPrompt):
    """The game master put an answer in other words."""

    prompt: Annotated[str, Seen.ALL]
    to: Annotated[str, Seen.ALL]
    seat: Annotated[str | None, Seen.ALL]
    before: Annotated[Words, Seen.ALL]
    after: Annotated[Words, Seen.ALL]
    kind: Annotated[str, Seen.ALL]
    secret: Annotated[bool, Seen.ALL]


@event("prompt_withdrawn", owner="to")
class PromptWithdrawn(_OfAPrompt):
    """Somebody is no longer asked."""

    prompt: Annotated[str, Seen.ALL]
    to: Annotated[str, Seen.ALL]
    seat: Annotated[str | None, Seen.ALL]
    kind: Annotated[str, Seen.ALL]
    secret: Annotated[bool, Seen.ALL]


# ---------------------------------------------------------------- for rulesets


def new_prompt(state: State, prompt: str, to: str, words: str, *, kind: str = "", secret: bool = False) -> PromptPut:
    """A prompt that is put now. `prompt` is its id: `call.fresh`, or something made from it."""
    return PromptPut(prompt=prompt, to=to, seat=_seat_of(state, to), words=words, kind=kind, secret=secret)


# ---------------------------------------------------------------- deciding


def _put(call: Call, asked: PutPrompt, _: None) -> list[PromptPut]:
    seat = call.state.seats.get(asked.to)
    if seat is None and asked.to not in call.state.characters:
        raise NoSuchThing("There is no such seat or character.")
    if seat is not None and seat.role is Role.SPECTATOR:
        raise Refusal("A spectator is asked nothing.", code="not_allowed")
    return [new_prompt(call.state, call.fresh, asked.to, asked.words, secret=asked.secret)]


def _answer(call: Call, asked: AnswerPrompt, _: None) -> list[PromptAnswered]:
    prompt = _find(call.state, asked.prompt)
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
        words=asked.words,
        kind=prompt.kind,
        secret=prompt.secret,
        by=call.viewer.seat,
    )
    return [answered]


def _edit(call: Call, asked: EditAnswer, _: None) -> list[AnswerEdited]:
    prompt = _find(call.state, asked.prompt)
    if prompt.told is None:
        raise Refusal("That has not been answered yet.", code="not_answered")
    edited = AnswerEdited(
        prompt=prompt.id,
        to=prompt.to,
        seat=_seat_of(call.state, prompt.to),
        before=prompt.told,
        after=asked.words,
        kind=prompt.kind,
        secret=prompt.secret,
    )
    return [edited]


def _withdraw(call: Call, asked: WithdrawPrompt, _: None) -> list[PromptWithdrawn]:
    prompt = _find(call.state, asked.prompt)
    seat = _seat_of(call.state, prompt.to)
    return [PromptWithdrawn(prompt=prompt.id, to=prompt.to, seat=seat, kind=prompt.kind, secret=prompt.secret)]


def _find(state: State, prompt: str) -> Prompt:
    if prompt not in state.prompts:
        raise _no_such_prompt()
    return state.prompts[prompt]


def _no_such_prompt() -> NoSuchThing:
    return NoSuchThing("There is no such prompt, or it was withdrawn.")


def _may_answer(state: State, viewer: Viewer, prompt: Prompt) -> bool:
    """Whoever is asked, the seat that stands in for them, and the game master."""
    if viewer.is_game_master or is_put_to(viewer, prompt.to):
        return True
    seat = state.seats.get(_seat_of(state, prompt.to) or "")
    return seat is not None and seat.stand_in == viewer.seat


def _seat_of(state: State, to: str) -> str | None:
    """Who answers for a character or seat; nobody's character is the game master's."""
    character = state.characters.get(to)
    return to if character is None else character.seat


# ---------------------------------------------------------------- folds and words


def _wait(state: State, put: PromptPut) -> State:
    prompt = Prompt(id=put.prompt, to=put.to, words=put.words, kind=put.kind, secret=put.secret)
    return replace(state, prompts={**state.prompts, prompt.id: prompt})


def _note_answer(state: State, answered: PromptAnswered) -> State:
    prompt = replace(state.prompts[answered.prompt], answer=answered.words)
    return replace(state, prompts={**state.prompts, prompt.id: prompt})


def _note_edit(state: State, edited: AnswerEdited) -> State:
    prompt = replace(state.prompts[edited.prompt], edited=edited.after)
    return replace(state, prompts={**state.prompts, prompt.id: prompt})


def _forget(state: State, withdrawn: PromptWithdrawn) -> State:
    return replace(state, prompts={key: one for key, one in state.prompts.items() if key != withdrawn.prompt})


def _say_answered(answered: PromptAnswered, teller: Teller) -> str:
    is_own = answered.seat in (None, answered.by)
    for_them = "" if is_own else f" ({teller.name(answered.by)} answered for {teller.name(answered.seat)})"
    return f"{teller.name(answered.to)}: {answered.words}{for_them}"


def _say_withdrawn(withdrawn: PromptWithdrawn, teller: Teller) -> str:
    return f"{teller.name(withdrawn.to)} is no longer asked"


PROMPTS = Chapter(
    actions=(
        Action(PutPrompt, _put),
        Action(AnswerPrompt, _answer),
        Action(EditAnswer, _edit),
        Action(WithdrawPrompt, _withdraw),
    ),
    happenings=(
        Happening(PromptPut, lambda put, teller: f"{teller.name(put.to)} is asked: {put.words}", _wait),
        Happening(PromptAnswered, _say_answered, _note_answer),
        Happening(AnswerEdited, lambda edited, teller: f"{teller.name(edited.to)}, edited: {edited.after}", _note_edit),
        Happening(PromptWithdrawn, _say_withdrawn, _forget),
    ),
)
