"""Execution of commands that a model gives: once for each intent, with consent where a person decides."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from astragal.surfaces.mcp import elicitation, results, secrets
from astragal.surfaces.mcp.session import McpSession, digest_of, id_for
from astragal.surfaces.mcp.table_view import SOMEBODY_ELSES, THE_PERSONS, told, waits
from astragal.surfaces.shared.pending import consents_of
from astragal.table.commands.builtin import ConsentAsked
from astragal.table.declarations import Sight, kind_of_event
from astragal.table.fields.definitions import fields_of
from astragal.table.log.repository import Outcome
from astragal.table.refusals import NoSuchThing, NotAllowed, NotYours
from astragal.table.state.things import Audience
from astragal.table.visibility.events import SeenEvent

NOT_BY_ACT = {
    "answer": "Use the tool answer.",
    "agree": "A person says yes, in their own window.",
    "answer_prompt": "Use the tool answer.",
    "narrate": "Use the tool narrate, which takes citations.",
}
"""Commands that the tool act does not take, with what to do instead: a person or a citation is needed for them."""
PROPOSED = kind_of_event(ConsentAsked).name
NOT_YET = (
    "It is not done yet: a person says yes or no at the table, in the browser or with astragal play in a terminal. "
    "Tell them, and go on meanwhile."
)
TALK = frozenset({"say", "emote", "whisper", "narrate"})
CONFIDENTIAL = frozenset({"write_scene", "whisper"})
"""Commands whose words are not, or not yet, for all."""


class Asked(Struct, frozen=True):
    """A command as a model gave it."""

    command: str
    fields: Mapping[str, Any]
    sight: Sight = Sight.OPEN
    intent: str = ""
    shown: str | None = None
    agreed: str | None = None
    """Seat of the person who has said yes to it; "" if they have none, None if nobody has."""


class CommandRunner:
    """Gives the commands of a session. One that waits for a form is remembered until the form is back."""

    def __init__(self, session: McpSession) -> None:
        self.session = session
        self._out: dict[str, tuple[str, str]] = {}
        """Commands for which a person is being asked, by digest: the command's id, and the id of what waits."""
        self._rolled: tuple[str, str] | None = None
        """Digest of the last roll without its free text, and the id of its events."""
        self._repeats = ""

    def perform(self, request: Asked) -> Outcome:
        """Give the command, or return the outcome that it had."""
        with self.session.lock:
            request = replace(request, fields=self._filled_in(request))
            self._check(request)
            digest = digest_of(self.session, request.command, request.fields, request.sight.value, request.intent)
            command_id = self._pending_id(digest) or id_for(self.session, digest, request.intent)
            outcome = self.session.act(
                request.command,
                request.fields,
                command_id=command_id,
                sight=request.sight,
                shown=request.shown,
                agreed=request.agreed,
            )
            self._note_roll(request, outcome)
            if waiting := self.waits_of(outcome):
                self._out[digest] = (command_id, waiting.id)
            else:
                self._out.pop(digest, None)
            return outcome

    def _pending_id(self, digest: str) -> str | None:
        """Return the id of an equal command for which a person is still being asked."""
        if digest not in self._out:
            return None
        command_id, waiting_id = self._out[digest]
        return command_id if any(waiting.id == waiting_id for waiting in waits(self.session)) else None

    def _note_roll(self, request: Asked, outcome: Outcome) -> None:
        """Detect a roll that repeats the last one in other words, with nothing but talk in between."""
        action = self.session.book.actions.get(request.command)
        if action is None or action.gather is None:
            if request.command not in TALK:
                self._rolled = None
            return
        kind = self.session.book.command(request.command)
        free = {field.name for field in fields_of(kind) if field.is_free_text}
        fields = {name: value for name, value in request.fields.items() if name not in free}
        digest = digest_of(self.session, request.command, fields)
        self._repeats = ""
        if self._rolled is not None:
            last_digest, last_act = self._rolled
            if last_digest == digest and last_act != outcome.act:
                self._repeats = last_act
        self._rolled = (digest, outcome.act)

    def _filled_in(self, request: Asked) -> Mapping[str, Any]:
        try:
            return self.session.filled_in(request.command, request.fields)
        except NoSuchThing:
            if request.command in NOT_BY_ACT:  # `_check` says what to do instead
                return request.fields
            raise

    def settle(self, request: Asked) -> None:
        """Forget a command whose call is over: the log finds the same intent later."""
        with self.session.lock, suppress(NoSuchThing):  # what it named may be gone by now
            fields = self._filled_in(request)
            self._out.pop(digest_of(self.session, request.command, fields, request.sight.value, request.intent), None)

    def _check(self, request: Asked) -> None:
        """Refuse a command that another tool or a person has to give, and words for all that repeat a secret."""
        if request.command in NOT_BY_ACT and not self._is_ruling(request):
            raise NotAllowed(f"act does not take {request.command}. {NOT_BY_ACT[request.command]}")
        kind = self.session.book.command(request.command)
        if not _is_for_all(request):
            return
        texts = [request.fields.get(field.name) for field in fields_of(kind) if field.is_free_text]
        words = [text for text in texts if isinstance(text, str)]
        scene = self.session.look().scenes.get(str(request.fields.get("scene")))
        if scene:
            words += [scene.title, scene.hook, scene.action, scene.consequence]
        secrets.check_keeps_secrets(self.session, words)

    def _is_ruling(self, request: Asked) -> bool:
        """Return whether this agrees to a proposal that is the game master's to rule on."""
        if request.command != "agree":
            return False
        rulings = [consent for consent in consents_of(self.session.view) if consent.own and consent.fields is not None]
        return any(consent.id == request.fields.get("consent") for consent in rulings)

    # ------------------------------------------------------------ answering

    def waits_of(self, outcome: Outcome) -> results.Waits | None:
        """Return what this command asks of the person at the client, if it is still open."""
        prompts = {event.fields["prompt"]["id"] for event in outcome.events if "prompt" in event.fields}
        for waiting in waits(self.session):
            if waiting.whose == THE_PERSONS and (waiting.id == outcome.act or waiting.id in prompts):
                return waiting
        return None

    def answer(self, waiting: results.Waits, answer: Any, *, by_person: bool) -> Outcome:
        """Give an answer from the person's seat if they gave it, else from this session's; the log records the seat."""
        with self.session.lock:
            place = self.session.here
            persons = place.person if place.person and waiting.whose == THE_PERSONS else place.seat
            seat = persons if by_person else None
            if waiting.options:
                return self.session.act("answer", {"act": waiting.id, "answer": answer}, seat=seat)
            return self.session.act("answer_prompt", {"prompt": waiting.id, "words": answer}, seat=seat)

    def answer_said(self, name: str, reply: Any) -> Outcome | elicitation.QuestionForModel:
        """Take an answer from the model: its own decision, or what the person told it."""
        waiting = elicitation.open_wait(self.session, name)
        if waiting.whose == SOMEBODY_ELSES:
            raise NotYours(f"{waiting.who} decides that, in their own window. Wait, or go on with something else.")
        is_dice = not waiting.options and waiting.id in self.session.look().decisions
        if is_dice:
            raise NotAllowed("Dice thrown by hand are entered by whoever threw them. No tool takes a face.")
        if waiting.whose == THE_PERSONS and self.session.here.copilot:
            raise NotAllowed("A co-pilot proposes; the person decides that in their own window.")
        if reply is None:
            return elicitation.QuestionForModel(elicitation.question_of(waiting))
        if waiting.whose == THE_PERSONS and waiting.options:
            raise NotYours(f"{waiting.who} decides that. {elicitation.AT_THE_TABLE}")
        return self.answer(waiting, elicitation.meant(waiting, reply), by_person=False)

    # ------------------------------------------------------------ telling

    def done(self, *outcomes: Outcome, warnings: tuple[str, ...] = (), handle: str = "") -> results.Done:
        """Return the result of these outcomes, with what results may show of them."""
        act = outcomes[0].act if outcomes else ""
        events: list[SeenEvent] = []
        for outcome in {outcome.act: outcome for outcome in outcomes}.values():
            events += self.session.events_of(outcome)
        own_events = self.session.journal().by_act.get(act, ())
        shown_events = self.session.journal(self.session.window).by_act.get(act, ())
        is_hidden = bool(outcomes) and all(event.closed for event in events)
        if not handle and (is_hidden or len(own_events) > len(shown_events)):  # more than results may show
            handle = f"act:{act}"
        if any(event.name == PROPOSED for outcome in outcomes for event in outcome.events):
            warnings = (*warnings, NOT_YET)
        if self._repeats and outcomes:
            again = f"The same test was just rolled: act {self._repeats}. Other words make it no other test."
            warnings = (*warnings, again)
            self._repeats = ""
        return results.Done(
            act=act,
            events=told(self.session, events),
            waits=waits(self.session),
            warnings=list(warnings),
            handle=handle,
        )


def _is_for_all(request: Asked) -> bool:
    """Return whether everybody at the table may read the words of a command."""
    if request.command in CONFIDENTIAL or request.sight is not Sight.OPEN:
        return False
    if request.fields.get("secret") is True:
        return False
    return bool(request.fields.get("audience", Audience.ALL.value) == Audience.ALL.value)
