"""Prompts: something that waits for words. Put to a seat or a character, answered by an ordinary command.

A ruleset opens one with `new_prompt` and reacts to `PromptAnswered` with its own `kind`. Of a secret prompt only the
seat that is asked and the game master learn anything.
"""

from typing import Annotated

from annotated_types import MaxLen, MinLen
from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Command, Event
from astragal.table.authoring.kept import Kept
from astragal.table.authoring.log_lines import Teller
from astragal.table.declarations import GAME_MASTER_AND_PLAYERS, GAME_MASTER_ONLY, Role, Seen, Viewer, replace
from astragal.table.fields.definitions import LONGEST_TEXT, FreeText, Names, Words
from astragal.table.fields.lookup import Named
from astragal.table.refusals import NoSuchThing, NotYours, Refusal
from astragal.table.state.setting import MoveKind
from astragal.table.state.table import State
from astragal.table.state.things import Prompt, is_put_to

PROMPTS = Chapter(seen=Seen.ALL)

PromptId = Annotated[str, MaxLen(40), Names("prompt")]
AnsweredId = Annotated[str, MaxLen(40), Names("answered prompt")]
AnyPromptId = Annotated[str, MaxLen(40), Names("prompt or answered prompt")]
Somebody = Annotated[str, MaxLen(40), Names("seat or character")]
Said = Annotated[str, MinLen(1), MaxLen(LONGEST_TEXT), FreeText()]


KEPT_PROMPTS = Kept(
    PROMPTS,
    Prompt,
    "prompts",
    "prompt",
    name="words",
    shared=True,
    moves={
        MoveKind.BARGAIN: lambda prompt, teller: (
            f"hold {teller.name(prompt.to)} to their word: “{prompt.told}”" if prompt.told else ""
        )
    },
)


@PROMPTS.names("prompt")
def open_prompts_named(state: State) -> list[Named]:
    return [Named(one.id, one.words, one.to) for one in state.prompts.values() if one.is_open]


@PROMPTS.names("answered prompt")
def answered_prompts_named(state: State) -> list[Named]:
    return [Named(one.id, one.words, one.to) for one in state.prompts.values() if not one.is_open]


def _seat_of(state: State, to: str) -> str | None:
    """The seat that answers for a character or seat; nobody's character is the game master's."""
    character = state.characters.get(to)
    return to if character is None else character.seat


class AboutPrompt(Event):
    """Base of the events of prompts. Of a secret one only the seat that was asked at the time learns."""

    prompt: Prompt

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or not self.prompt.secret or self.prompt.seat == viewer.seat


# ---------------------------------------------------------------- put


@KEPT_PROMPTS.put("prompt_put")
class PromptPut(AboutPrompt):
    """Somebody is asked for words."""

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.prompt.to)} is asked: {self.prompt.words}"


def new_prompt(state: State, prompt: str, to: str, words: str, *, kind: str = "", secret: bool = False) -> PromptPut:
    """A prompt that is put now. `prompt` is its id: `call.fresh`, or something made from it."""
    put = Prompt(id=prompt, to=to, seat=_seat_of(state, to), words=words, kind=kind, secret=secret)
    return PromptPut(prompt=put)


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

    prompt: Annotated[PromptId, Doc("the prompt")]
    words: Annotated[Said, Doc("the answer")]

    def does(self, call: Call) -> list[PromptAnswered]:
        """By the one who is asked, the seat that stands in for them, or the game master."""
        prompt = call.state.prompts.get(self.prompt)
        seat = call.state.seats.get(_seat_of(call.state, prompt.to) or "") if prompt else None
        if prompt is None or seat is None or seat.stand_in != call.viewer.seat:
            prompt = KEPT_PROMPTS.find(call, self.prompt)
            if not (call.viewer.is_game_master or is_put_to(call.viewer, prompt.to)):
                raise NotYours("Somebody else is asked.")
        if not prompt.is_open:
            raise Refusal("That has been answered.", code="answered")
        answered = replace(prompt, seat=_seat_of(call.state, prompt.to), answer=self.words)
        return [PromptAnswered(prompt=answered, by=call.viewer.seat)]


@KEPT_PROMPTS.put("answer_edited")
class AnswerEdited(AboutPrompt):
    """The game master put an answer in other words."""

    before: Words

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.prompt.to)}, edited: {self.prompt.edited}"


@PROMPTS.command("edit_answer", may=GAME_MASTER_ONLY, grave=True)
class EditAnswer(Command):
    """Reword an answer. The first wording stays beside it."""

    prompt: Annotated[AnsweredId, Doc("the answered prompt")]
    words: Annotated[Said, Doc("the answer as it is to stand")]

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

    prompt: Annotated[AnyPromptId, Doc("the prompt")]

    def does(self, call: Call) -> list[PromptWithdrawn]:
        prompt = KEPT_PROMPTS.find(call, self.prompt)
        return [PromptWithdrawn(prompt=replace(prompt, seat=_seat_of(call.state, prompt.to)))]
