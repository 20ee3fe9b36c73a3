"""What is put to the person in front of the client, as forms of plain fields: consent, decisions, prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mcp.server.mcpserver import Context, Elicit
from pydantic import BaseModel, Field, create_model

from astragal.surfaces.mcp.desk import Desk
from astragal.surfaces.mcp.results import Waits
from astragal.surfaces.mcp.showing import waits
from astragal.surfaces.mcp.texts import clean
from astragal.table.refusals import NotAllowed, NotAnOption, NothingToAnswer, Refusal

GRAVE = frozenset(
    {
        "rewind",
        "undo",
        "reveal",
        "reveal_note",
        "remove_note",
        "remove_clock",
        "discard_scene",
        "hand_over",
        "leave_seat",
        "lift_boundary",
    }
)
"""What a person decides: going back, revealing, throwing away, and who sits where."""
LONGEST_ANSWER = 4000


class Consent(BaseModel):
    allow: bool = Field(description="Shall it be done?")


class Words(BaseModel):
    words: str = Field(description="Your answer", min_length=1, max_length=LONGEST_ANSWER)


@dataclass(frozen=True)
class Unasked:
    """Nobody could be asked through the client: the model has to."""

    question: str


def can_ask(ctx: Context[Any, Any]) -> bool:
    """Does the client show forms?"""
    capabilities = ctx.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


# ---------------------------------------------------------------- consent


def consent_to(desk: Desk, ctx: Context[Any, Any], command: str, fields: Mapping[str, Any], asked: bool) -> Any:
    """None where no consent is needed or it was given; a form; or what the model has to ask."""
    if not desk.here.copilot and command not in GRAVE:
        return None
    said = ", ".join(f"{name.replace('_', ' ')}: {clean(str(value), 120)}" for name, value in fields.items())
    question = f"{command.replace('_', ' ')}{f' ({said})' if said else ''}: shall it be done?"
    if can_ask(ctx):
        return Elicit(f"The AI at the table proposes: {question}", Consent)
    if desk.here.copilot:
        raise NotAllowed(
            "A co-pilot acts only on confirmation, and this client shows no forms. Tell the person what you propose; "
            "they do it themselves."
        )
    return None if asked else Unasked(f"{question} When they have said yes, call again with asked=true.")


def consent_or_refusal(
    desk: Desk, ctx: Context[Any, Any], command: str, fields: Mapping[str, Any], *, asked: bool
) -> Any:
    """The same, a refusal as a value. It touches no table, and needs no thread of its own."""
    try:
        return consent_to(desk, ctx, command, fields, asked)
    except Refusal as refusal:
        return refusal


# ---------------------------------------------------------------- decisions and prompts


def open_wait(desk: Desk, wanted: str) -> Waits:
    """What waits under this id."""
    found = waits(desk)
    for one in found:
        if one.id == wanted:
            return one
    there = ", ".join(f"{one.id} ({one.who})" for one in found) or "nothing"
    raise NothingToAnswer(f"Nothing waits under {wanted[:40]!r}. Open: {there}.")


def form_for(waiting: Waits, proposal: str = "") -> Elicit[Any]:
    """The decision as a form."""
    proposed = f" (The AI suggests: {clean(proposal, 200)})" if proposal else ""
    question = f"{clean(waiting.who, 60)}, you decide: {clean(waiting.what)}{proposed}"
    if not waiting.options:
        return Elicit(question, Words)
    choices: Any = Literal[tuple(labels(waiting.options))]
    return Elicit(question, create_model("Decision", answer=(choices, Field(description="Your decision"))))


def labels(options: Sequence[Any]) -> list[str]:
    """Each option as a person reads it."""
    return [": ".join(part for part in (_said(one["answer"]), one["means"]) if part) for one in options]


def chosen(waiting: Waits, data: Any) -> Any:
    """What the person's form says, as the table takes it."""
    if not waiting.options:
        return data.words
    return waiting.options[labels(waiting.options).index(data.answer)]["answer"]


def meant(waiting: Waits, said: Any) -> Any:
    """What a model's answer means: the option itself, or how it is written."""
    if not waiting.options:
        return said if isinstance(said, str) else str(said)
    for option, label in zip(waiting.options, labels(waiting.options), strict=True):
        answer = option["answer"]
        if (said == answer and isinstance(said, bool) == isinstance(answer, bool)) or str(said).strip() in (
            label,
            _said(answer),
            str(answer),
        ):
            return answer
    raise NotAnOption(f"{clean(str(said), 80)} is not among the options: {'; '.join(labels(waiting.options))[:1000]}.")


def question_of(waiting: Waits) -> str:
    """The decision as a question that a model can ask."""
    options = f" Options: {'; '.join(labels(waiting.options))}." if waiting.options else ""
    return f"{waiting.who} decides: {waiting.what}.{options} Then call answer with id={waiting.id} and what they said."


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key.replace('_', ' ')} {_said(part)}" for key, part in value.items()) or "nothing"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_said, value)) or "nothing"
    return "nothing" if value is None else clean(str(value), 120)
