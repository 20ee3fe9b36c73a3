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

    def perform(self, asked: Asked) -> Outcome:
        """Give the command, or return the outcome that it had."""
        with self.session.lock:
            asked = replace(asked, fields=self._filled_in(asked))
            self._check(asked)
            digest = digest_of(self.session, asked.command, asked.fields, asked.sight.value, asked.intent)
            known = self._out.get(digest)
            is_out = known and any(one.id == known[1] for one in waits(self.session))
            command_id = known[0] if known and is_out else id_for(self.session, digest, asked.intent)
            outcome = self.session.act(
                asked.command,
                asked.fields,
                command_id=command_id,
                sight=asked.sight,
                shown=asked.shown,
                agreed=asked.agreed,
            )
            self._note_roll(asked, outcome)
            if waiting := self.waits_of(outcome):
                self._out[digest] = (command_id, waiting.id)
            else:
                self._out.pop(digest, None)
            return outcome

    def _note_roll(self, asked: Asked, outcome: Outcome) -> None:
        """Detect a roll that repeats the last one in other words, with nothing but talk in between."""
        action = self.session.book.actions.get(asked.command)
        if action is None or action.gather is None:
            if asked.command not in TALK:
                self._rolled = None
            return
        kind = self.session.book.command(asked.command)
        free = {field.name for field in fields_of(kind) if field.is_free_text}
        fields = {name: value for name, value in asked.fields.items() if name not in free}
        digest, before = digest_of(self.session, asked.command, fields), self._rolled
        self._repeats = before[1] if before and before[0] == digest and before[1] != outcome.act else ""
        self._rolled = digest, outcome.act

    def _filled_in(self, asked: Asked) -> Mapping[str, Any]:
        try:
            return self.session.filled_in(asked.command, asked.fields)
        except NoSuchThing:
            if asked.command in NOT_BY_ACT:  # `_check` says what to do instead
                return asked.fields
            raise

    def settle(self, asked: Asked) -> None:
        """Forget a command whose call is over: the log finds the same intent later."""
        with self.session.lock, suppress(NoSuchThing):  # what it named may be gone by now
            fields = self._filled_in(asked)
            self._out.pop(digest_of(self.session, asked.command, fields, asked.sight.value, asked.intent), None)

    def _check(self, asked: Asked) -> None:
        ruled = {one.id for one in consents_of(self.session.view) if one.own and one.fields is not None}
        rules = asked.command == "agree" and asked.fields.get("consent") in ruled  # the game master's, on a proposal
        if asked.command in NOT_BY_ACT and not rules:
            raise NotAllowed(f"act does not take {asked.command}. {NOT_BY_ACT[asked.command]}")
        kind = self.session.book.command(asked.command)
        whispered = asked.command in CONFIDENTIAL or asked.sight is not Sight.OPEN or asked.fields.get("secret") is True
        if not whispered and asked.fields.get("audience", Audience.ALL.value) == Audience.ALL.value:
            free = [asked.fields.get(field.name) for field in fields_of(kind) if field.is_free_text]
            scene = self.session.look().scenes.get(str(asked.fields.get("scene")))
            told = [scene.title, scene.hook, scene.action, scene.consequence] if scene else []
            secrets.check_keeps_secrets(self.session, [*(text for text in free if isinstance(text, str)), *told])

    # ------------------------------------------------------------ answering

    def waits_of(self, outcome: Outcome) -> results.Waits | None:
        """Return what this command asks of the person at the client, if it is still open."""
        prompts = {event.fields["prompt"]["id"] for event in outcome.events if "prompt" in event.fields}
        for one in waits(self.session):
            if one.whose == THE_PERSONS and (one.id == outcome.act or one.id in prompts):
                return one
        return None

    def answer(self, waiting: results.Waits, answer: Any, *, by_person: bool) -> Outcome:
        """Give an answer from the person's seat if they gave it, else from this session's; the log records the seat."""
        with self.session.lock:
            here = self.session.here
            persons = here.person if here.person and waiting.whose == THE_PERSONS else here.seat
            seat = persons if by_person else None
            if waiting.options:
                return self.session.act("answer", {"act": waiting.id, "answer": answer}, seat=seat)
            return self.session.act("answer_prompt", {"prompt": waiting.id, "words": answer}, seat=seat)

    def answer_said(self, wanted: str, said: Any) -> Outcome | elicitation.QuestionForModel:
        """Take an answer from the model: its own decision, or what the person told it."""
        waiting = elicitation.open_wait(self.session, wanted)
        if waiting.whose == SOMEBODY_ELSES:
            raise NotYours(f"{waiting.who} decides that, in their own window. Wait, or go on with something else.")
        is_dice = not waiting.options and waiting.id in self.session.look().decisions
        if is_dice:
            raise NotAllowed("Dice thrown by hand are entered by whoever threw them. No tool takes a face.")
        if waiting.whose == THE_PERSONS and self.session.here.copilot:
            raise NotAllowed("A co-pilot proposes; the person decides that in their own window.")
        if said is None:
            return elicitation.QuestionForModel(elicitation.question_of(waiting))
        if waiting.whose == THE_PERSONS and waiting.options:
            raise NotYours(f"{waiting.who} decides that. {elicitation.AT_THE_TABLE}")
        return self.answer(waiting, elicitation.meant(waiting, said), by_person=False)

    # ------------------------------------------------------------ telling

    def done(self, *outcomes: Outcome, warnings: tuple[str, ...] = (), handle: str = "") -> results.Done:
        """Return the result of these outcomes, with what results may show of them."""
        by_act = {outcome.act: outcome for outcome in outcomes}
        events = [one for outcome in by_act.values() for one in self.session.events_of(outcome)]
        act = outcomes[0].act if outcomes else ""
        own, shown = self.session.journal().by_act, self.session.journal(self.session.window).by_act
        is_more_known = len(own.get(act, ())) > len(shown.get(act, ()))  # than results may show
        hidden = bool(outcomes) and all(event.closed for event in events)
        proposed = any(event.name == PROPOSED for outcome in outcomes for event in outcome.events)
        warnings = (*warnings, NOT_YET) if proposed else warnings
        if self._repeats and outcomes:
            again = f"The same test was just rolled: act {self._repeats}. Other words make it no other test."
            warnings, self._repeats = (*warnings, again), ""
        return results.Done(
            act=act,
            events=told(self.session, events),
            waits=waits(self.session),
            warnings=list(warnings),
            handle=handle or (f"act:{act}" if hidden or is_more_known else ""),
        )
