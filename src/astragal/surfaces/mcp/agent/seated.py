"""An AI at one seat: a task that waits for news of its table and takes turns.

A turn ends at once when somebody stops the AI, stops the scene, or takes its seat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from astragal.surfaces.mcp.agent.settings import Pace, data_of, status_of
from astragal.surfaces.mcp.server import server_of
from astragal.surfaces.mcp.session import McpSession, SeatBinding
from astragal.surfaces.shared import ai_seats, context
from astragal.table.declarations import Role
from astragal.table.log.store import Job, Jobs, NoSuchTable, StoreError
from astragal.table.refusals import NoSuchThing, NotAllowed, Refusal
from astragal.table.state.table import State

if TYPE_CHECKING:
    from mcp import Client

MOST_ALONE = 6
"""Turns in a row that only programs gave cause for: without a limit two AIs would talk forever."""
LONGEST_SAID = 4000


class SeatedAi:
    """One AI at one seat. Its `status` may be read from any thread; its turns run on the loop of the AIs."""

    def __init__(
        self,
        house: context.AppContext,
        jobs: Jobs,
        job: Job,
        *,
        model: ai_seats.Model,
        key: Callable[[ai_seats.Model], str],
        pace: Pace,
        loop: asyncio.AbstractEventLoop,
        changed: Callable[..., None],
        begins: bool,
    ) -> None:
        self.table = job.table
        self._jobs = jobs
        self._model = model
        self._key = key
        self._pace = pace
        self._house = house
        self._job = job.id
        self._loop = loop
        self._changed = changed
        seated = status_of(job, model)
        self._seat = seated.seat
        self._is_helper = seated.role is ai_seats.AiRole.HELPER
        doing = ai_seats.AiActivity.THINKING if begins and not self._is_helper else ai_seats.AiActivity.WAITING
        self.status = replace(seated, doing=doing, fault="", forms=())
        self._woken = asyncio.Event()
        self._asked: list[str] = []
        self._numbers = count(1)
        self._forms: dict[str, Future[Mapping[str, Any] | None]] = {}
        self._task: Future[None] | None = None
        self._cursor = self._told = str(job.data["cursor"])
        self._alone = 0
        self._first = begins
        self._session = McpSession(house)
        beside = self._seat if self._is_helper else None
        is_helper = self._is_helper
        self._session.sit(SeatBinding(self.table, self._seat, person=beside, copilot=is_helper, bound=True))

    def shown(self) -> dict[str, Any]:
        """Return what other processes have to know of it, as its job stores it."""
        status = data_of(self.status)
        return {key: status[key] for key in ("doing", "fault", "forms")} | {"cursor": self._told}

    def start(self) -> None:
        self._task = asyncio.run_coroutine_threadsafe(self._play(), self._loop)

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def wake(self) -> None:
        self._loop.call_soon_threadsafe(self._woken.set)

    def ask(self, words: str) -> None:
        self._asked.append(words)
        self.wake()

    def answer_form(self, form: str, answer: Mapping[str, Any] | None) -> None:
        pending_form = self._forms.get(form)
        if pending_form is None or pending_form.done():
            raise NoSuchThing("That is no longer asked.")
        pending_form.set_result(answer)

    def _show(self, **changes: Any) -> None:
        self.status = replace(self.status, **changes)
        self._changed(self.table, for_others=changes.keys() != {"words"})

    # ------------------------------------------------------------ waiting and playing

    async def _play(self) -> None:
        from mcp import Client

        from astragal.surfaces.mcp.agent.turn import http_client

        form: Any = self._form if self._is_helper else None
        try:
            async with (
                Client(server_of(self._session), elicitation_callback=form) as client,
                http_client(self._pace) as http,
            ):
                while True:
                    requests = await self._until_due()
                    await self._turn(client, http, requests)
        except (Refusal, NoSuchTable):
            self._show(doing=ai_seats.AiActivity.STOPPED, fault="It no longer has its seat.", words="", forms=())

    async def _until_due(self) -> str:
        """Wait until this AI has something to do; returns what a helper was asked."""
        while True:
            self._woken.clear()
            try:
                if await asyncio.to_thread(self._is_due):
                    if self.status.doing is not ai_seats.AiActivity.SPENT:
                        await asyncio.sleep(self._pace.settle)
                    return self._asked.pop(0) if self._asked else ""
            except StoreError:
                await asyncio.sleep(1)
                continue
            self._told = self._cursor
            if self.status.doing is ai_seats.AiActivity.THINKING:
                self._show(doing=ai_seats.AiActivity.WAITING)
            await self._woken.wait()

    def _is_due(self) -> bool:
        state = self._look()
        if state.safety.stopped:
            return False
        if self._is_helper:
            return bool(self._asked)
        news = set[str]()  # the seats that did something since the last look, but for its own
        for page in context.SeatView(self._house, self.table, self._seat).pages(self._cursor):
            news |= {event.by for event in page.events if event.by != self._seat}
            self._cursor = page.cursor
        by_people = any(not state.seats[by].ai for by in news if by in state.seats)
        self._alone = 0 if by_people else self._alone + bool(news)
        is_due = self._first or by_people or (bool(news) and self._alone <= MOST_ALONE)
        self._first = False
        return is_due

    def _look(self) -> State:
        """Return the table as its seat sees it; refused if the seat is gone, or its role is another than it was."""
        state = self._house.host.look(self.table, self._seat)
        runs = state.seats[self._seat].role is Role.GAME_MASTER
        if runs is (self.status.role is ai_seats.AiRole.PLAYER):
            raise NotAllowed("Somebody else runs the game.")
        return state

    async def _turn(self, client: Client, http: Any, request: str) -> None:
        """Take a turn. It ends early if somebody stops the scene or takes the seat."""
        from pydantic_ai import RunUsage

        from astragal.surfaces.mcp.agent.turn import Failed, Spent, Turn, metered, open_model

        evening = (await asyncio.to_thread(self._look)).calendar.evening
        meter = self.status.meter if self.status.meter.evening == evening else ai_seats.Meter(evening)
        time_left = self._left(meter)
        if not time_left:
            self._show(doing=ai_seats.AiActivity.SPENT, meter=meter)
            return
        self._show(doing=ai_seats.AiActivity.THINKING, words="", fault="", meter=meter)
        usage = RunUsage()
        model = open_model(self._model, self._key(self._model), http)
        turn = Turn(
            self._session,
            client,
            self.status.role,
            model,
            time_left,
            self._pace,
            lambda words: self._show(words=words),
            usage,
        )
        doing = ai_seats.AiActivity.WAITING
        words = ""
        fault = ""
        try:
            words = await self._unless_stopped(turn.take(request))
        except Spent:
            doing = ai_seats.AiActivity.SPENT
        except Failed as failed:
            doing = ai_seats.AiActivity.GONE
            fault = str(failed)
        finally:
            meter = metered(meter, usage, self._model.price)
            self.status = replace(self.status, meter=meter)
            used = data_of(self.status)["meter"]
            self._jobs.edit(self._job, lambda job: replace(job, data={**job.data, "meter": used}), wakes=False)
        self._told = self._cursor
        words = words[:LONGEST_SAID] if self._is_helper else ""  # all others' are in the log
        self._show(doing=doing, words=words, fault=fault, forms=())

    async def _unless_stopped(self, turn: Any) -> str:
        task = asyncio.ensure_future(turn)
        try:
            while True:
                self._woken.clear()
                waking = asyncio.ensure_future(self._woken.wait())
                await asyncio.wait({task, waking}, return_when=asyncio.FIRST_COMPLETED)
                waking.cancel()
                if task.done():
                    self._woken.set()  # whatever woke it is looked at next
                    return str(task.result())
                if (await asyncio.to_thread(self._look)).safety.stopped:
                    return ""
        finally:
            if not task.done():
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task

    # ------------------------------------------------------------ limits

    def _left(self, meter: ai_seats.Meter) -> int:
        """Return the tokens that may still be used: no more than the dollars left can buy, if the price is set."""
        limits = self.status.limits
        price = self._model.price
        tokens = limits.tokens - meter.tokens
        dollars = None
        if limits.dollars is not None:
            dollars = limits.dollars - (meter.dollars or 0.0)
            if price is not None and max(price):
                tokens = min(tokens, int(dollars / max(price) * 1_000_000))
        return 0 if dollars is not None and dollars <= 0 else max(tokens, 0)

    # ------------------------------------------------------------ a helper's forms

    async def _form(self, _: Any, params: Any) -> Any:
        """Show a form of the server to the game master, on their page, and return the answer."""
        from mcp_types import ElicitResult

        ((name, field),) = params.requested_schema["properties"].items()
        form = ai_seats.AiForm(
            str(next(self._numbers)),
            params.message,
            tuple(str(choice) for choice in field.get("enum", ())),
            free=field.get("type") == "string" and "enum" not in field,
        )
        answered: Future[Mapping[str, Any] | None] = Future()
        self._forms[form.id] = answered
        self._show(forms=(*self.status.forms, form))
        try:
            reply = await asyncio.wait_for(asyncio.wrap_future(answered), self._pace.form)
        except TimeoutError:
            return ElicitResult(action="cancel")
        finally:
            del self._forms[form.id]
            self._show(forms=tuple(open_form for open_form in self.status.forms if open_form.id != form.id))
        if reply is None:
            return ElicitResult(action="decline")
        return ElicitResult(action="accept", content={name: reply.get("answer", True)})
