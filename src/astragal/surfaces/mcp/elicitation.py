"""Elicitation: forms of plain fields for the person at the client: consent, decisions, prompts."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal

from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit, ElicitationResult
from msgspec import Struct
from pydantic import BaseModel, Field, create_model

from astragal.surfaces.mcp import results, table_view
from astragal.surfaces.mcp.session import McpSession, digest_of
from astragal.surfaces.mcp.untrusted_text import clean
from astragal.table.commands.builtin import Undo
from astragal.table.declarations import Nature, Sight, kind_of_command, kind_of_event
from astragal.table.fields.lookup import matching
from astragal.table.refusals import NotAllowed, NotAnOption, NothingToAnswer, Refusal, StillDeciding

LONGEST_ANSWER = 4000
UNDO = kind_of_command(Undo).name
AT_THE_TABLE = (
    "This client shows no forms, so they answer at the table: in the browser, or with astragal play in a terminal."
)


DECLINED = Refusal("The person said no. Nothing was done; go on without it.", code="declined")


class Consent(BaseModel):
    allow: bool = Field(description="Shall it be done?")


class Words(BaseModel):
    words: str = Field(description="Your answer", min_length=1, max_length=LONGEST_ANSWER)


class QuestionForModel(Struct, frozen=True):
    """A question that the client can't show in a form: the model has to ask it."""

    question: str


def can_ask(ctx: Context[Any, Any]) -> bool:
    """Return whether the client shows forms."""
    capabilities = ctx.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


# ---------------------------------------------------------------- consent


def consent_to(
    session: McpSession,
    ctx: Context[Any, Any],
    command: str,
    fields: Mapping[str, Any],
    sight: Sight = Sight.OPEN,
    *,
    text: Sequence[str] = (),
) -> Elicit[Any] | None:
    """Return a form with `text` that asks the person at the client for consent, or None if the command needs none.

    If somebody else has to consent, or the client shows no forms, they are asked at the table instead.
    """
    if session.here.copilot and not can_ask(ctx):
        raise NotAllowed(
            "A co-pilot acts only on confirmation, and this client shows no forms. Tell the person what you propose; "
            "they do it themselves."
        )
    host = session.house.host
    place = session.here
    request = (command, fields)
    concerned = None
    words = command.replace("_", " ")
    with suppress(Refusal):  # it may have been done already: then giving it says so
        words = host.worded(place.table, place.seat, request, sight=sight)
        concerned = host.required_consent(place.table, place.seat, request, sight=sight)
    if not place.copilot and not (concerned and can_ask(ctx) and concerned.of in (None, place.person)):
        return None
    text = last_told(session) if command == UNDO else text
    if not asked_once(session, ctx, digest_of(session, command, fields)):
        raise StillDeciding(
            "The same is being asked of the person now, and one form is enough. Wait for their answer; if the form is "
            "gone, call again."
        )
    about = "".join(f"\n\n{clean(part, LONGEST_ANSWER)}" for part in text if part)
    return Elicit(f"The AI at the table proposes: {clean(words)}: shall it be done?{about}", Consent)


def asked_once(session: McpSession, ctx: Context[Any, Any], key: str) -> bool:
    """Return whether no equal form is out, and note this one. A form that never came back stops only the next one."""
    if not ctx.input_responses and key in session.asking:
        session.asking.discard(key)
        return False
    session.asking.add(key)
    return True


def last_told(session: McpSession) -> list[str]:
    """Return the newest command of the story in words: the one that an undo would take back."""
    nature_by_name: dict[str, Nature] = {}
    for kind in session.book.event_specs:
        spec = kind_of_event(kind)
        nature_by_name[spec.name] = spec.nature
    events = session.journal(session.window).events
    story = [event for event in events if not event.abandoned and nature_by_name.get(event.name) is Nature.STORY]
    return [event.words for event in story if event.act == story[-1].act]


def stopped_by(reply: ElicitationResult[BaseModel]) -> Refusal | None:
    """Return why a command may not be given: a refusal, or the person's no."""
    if not isinstance(reply, AcceptedElicitation):
        return DECLINED
    data: Any = reply.data
    if isinstance(data, Refusal):
        return data
    return DECLINED if isinstance(data, Consent) and not data.allow else None


def agreed_by(session: McpSession, reply: ElicitationResult[BaseModel]) -> str | None:
    """Return the seat of the person who said yes, "" if they have none, or None if nobody said yes."""
    is_yes = isinstance(reply, AcceptedElicitation) and isinstance(reply.data, Consent) and reply.data.allow
    return (session.here.person or "") if is_yes else None


# ---------------------------------------------------------------- decisions and prompts


def open_wait(session: McpSession, name: str) -> results.Waits:
    """Find what waits by its id or name. If only one thing waits it need not be named."""
    open_waits = table_view.waits(session)
    if not name and len(open_waits) == 1:
        return open_waits[0]
    matches = matching(session.view.things("decision or prompt or proposal") or {}, name) if name else []
    for waiting in open_waits:
        if waiting.id == name or matches == [waiting.id]:
            return waiting
    if not open_waits:
        raise Refusal("Nothing waits for an answer now.", code="nothing_waits")
    listed = ", ".join(f"{waiting.id} ({waiting.who})" for waiting in open_waits)
    raise NothingToAnswer(f"Nothing waits under {name[:40]!r}. Open: {listed}.")


def form_for(waiting: results.Waits, proposal: str = "") -> Elicit[Any]:
    """Return the form of a decision or a prompt."""
    proposed = f" (The AI suggests: {clean(proposal, 200)})" if proposal else ""
    question = f"{clean(waiting.who, 60)}, you decide: {clean(waiting.what)}{proposed}"
    if not waiting.options:
        return Elicit(question, Words)
    choices: Any = Literal[tuple(labels(waiting.options))]
    return Elicit(question, create_model("Decision", answer=(choices, Field(description="Your decision"))))


def form_or_question(
    session: McpSession, ctx: Context[Any, Any], waiting: results.Waits
) -> Elicit[Any] | QuestionForModel | None:
    """Return a form, or None if the same one is out; for a client without forms, a question for the model to ask."""
    if not can_ask(ctx):
        return QuestionForModel(question_of(waiting))
    return form_for(waiting) if asked_once(session, ctx, waiting.id) else None


def unfit_answer(session: McpSession) -> str:
    """Return the error for a model whose client sent a form back with an answer that it did not offer."""
    with session.lock:
        session.look_again()
        lines: list[str] = []
        for waiting in table_view.waits(session):
            if waiting.whose == table_view.THE_PERSONS:
                lines.append(f"{waiting.id} ({waiting.who}: {waiting.what})")
    still = f"It waits, and its dice lie as they fell: {'; '.join(lines)}. " if lines else ""
    return (
        "Refused (unfit_answer): the form came back with an answer that it did not offer, so nothing was decided. "
        f"{still}Call answer with that id, or make the call again: the person is asked once more."
    )


def labels(options: Sequence[Any]) -> list[str]:
    """Return each option as a person reads it."""
    return [": ".join(part for part in (option["words"], option["means"]) if part) for option in options]


def chosen(waiting: results.Waits, data: Any) -> Any:
    """Convert what the person entered in a form to an answer that the table takes."""
    if not waiting.options:
        return data.words
    return waiting.options[labels(waiting.options).index(data.answer)]["answer"]


def meant(waiting: results.Waits, answer_said: Any) -> Any:
    """Find the option that a model's answer means, by its value or its words."""
    if not waiting.options:
        return answer_said if isinstance(answer_said, str) else str(answer_said)
    text = str(answer_said).strip()
    for option, label in zip(waiting.options, labels(waiting.options), strict=True):
        answer = option["answer"]
        is_value = answer_said == answer and isinstance(answer_said, bool) == isinstance(answer, bool)
        if is_value or text in (label, option["words"], str(answer)):
            return answer
    listed = "; ".join(labels(waiting.options))[:1000]
    raise NotAnOption(f"{clean(str(answer_said), 80)} is not among the options: {listed}.")


def question_of(waiting: results.Waits) -> str:
    """Put what waits for the person as a question that a model can ask them."""
    if not waiting.options:
        return f"{waiting.who} is asked: {waiting.what} Then call answer with id={waiting.id} and what they said."
    options = "; ".join(labels(waiting.options))
    return f"{waiting.who} decides: {waiting.what}. Options: {options.rstrip('.')}. {AT_THE_TABLE}"
