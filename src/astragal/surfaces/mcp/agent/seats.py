"""AI seats of a store: which AIs there are, and which of them run in this process.

They have a thread and an event loop of their own, so that no model can block a server or a terminal. Each AI is a job
of the store: one process runs it, others control it by the job's data, and another takes over if that process is gone.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from msgspec.structs import replace

from astragal.chance.errors import MissingExtra
from astragal.surfaces.mcp.agent import seated, settings
from astragal.surfaces.shared.ai_seats import AiActivity, AiRole, AiStatus, Limits, Meter, Model
from astragal.surfaces.shared.context import AppContext
from astragal.surfaces.shared.installation import how_to_install
from astragal.table.declarations import Role
from astragal.table.log.store import Job, Leases, StoreError
from astragal.table.refusals import NoSuchThing, NotAllowed, Refusal

LEASE = 15_000
"""Milliseconds until another process takes over the AI of one that is gone."""
MOST_SEATS = 32
SECONDS_TO_END = 5.0
IDLE: Mapping[str, Any] = {"doing": AiActivity.STOPPED.value, "fault": "", "forms": [], "asked": [], "answers": {}}


class LocalAiSeats:
    """AIs at the tables of one store, including those of other processes.

    `changed` is called with the table where the status of one of them has changed.
    """

    def __init__(
        self,
        house: AppContext,
        file: settings.AiFile,
        clock: Callable[[], int],
        changed: Callable[[str], None] = lambda table: None,
        *,
        pace: settings.Pace | None = None,
        lease: int = LEASE,
    ) -> None:
        self._house = house
        self._file = file
        self._pace = pace or settings.Pace()
        self._clock = clock
        self.changed = changed
        self._jobs = house.store.jobs
        self._leases = Leases(self._jobs, secrets.token_hex(8), clock, lease)
        self._running: dict[str, seated.SeatedAi] = {}
        self._lock = threading.RLock()
        self._seen: list[Job] | None = None
        self._takes_over = False
        self._end_watch: Callable[[], None] | None = None

    # ------------------------------------------------------------ the thread

    def open(self) -> None:
        """Look after the AIs of the store: take over those whose process is gone."""
        self._takes_over = True
        self._look_soon(self._loop)

    @cached_property
    def _loop(self) -> asyncio.AbstractEventLoop:
        """Event loop of the AIs. Its thread is started on first use."""
        started: Future[asyncio.AbstractEventLoop] = Future()

        async def until_closed() -> None:
            self._due = asyncio.Event()
            self._closed = asyncio.Event()
            started.set_result(asyncio.get_running_loop())
            while not self._closed.is_set():
                self._due.clear()
                await asyncio.to_thread(self._look_after)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._due.wait(), self._leases.length / 3_000)

        self._thread = threading.Thread(target=lambda: asyncio.run(until_closed()), name="astragal-ai", daemon=True)
        self._thread.start()
        loop = started.result()
        self._end_watch = self._house.host.watch(lambda table: self._wake(loop, table))
        return loop

    def close(self) -> None:
        """Stop all AIs that run here, and the thread; another process may take them over."""
        if self._end_watch is not None:
            self._end_watch()
            self._end_watch = None
            self._loop.call_soon_threadsafe(self._end)
            self._thread.join(SECONDS_TO_END)
            self._running.clear()
            with suppress(StoreError):
                self._jobs.release(self._leases.holder)
            del self._loop

    def _end(self) -> None:
        """Set both events in one callback: after the first, the loop may be gone."""
        self._closed.set()
        self._due.set()

    def _look_soon(self, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(self._due.set)

    def _wake(self, loop: asyncio.AbstractEventLoop, table: str | None) -> None:
        self._look_soon(loop)
        for ai in list(self._running.values()):
            if table in (None, ai.table):
                ai.wake()

    def _look_after(self) -> None:
        """Compare what runs here with the jobs of the store, which other processes change too."""
        previous_jobs = {job.id: job for job in self._seen or ()}
        with suppress(StoreError), self._lock:
            self._seen = self._jobs.of(settings.KIND)
            for job in self._seen:
                running = self._running.get(job.id)
                if running is None:
                    if self._takes_over and job.data["wanted"] and self._can_run(job) and self._leases.hold(job):
                        self._run(job)
                elif not job.data["wanted"] or not self._leases.hold(job):
                    self._halt(job.id)
                else:
                    self._exchange(job, running)
            for job_gone in self._running.keys() - {job.id for job in self._seen}:
                self._halt(job_gone)
        current_jobs = {job.id: job for job in self._seen or ()}
        for table in {
            job.table
            for key, job in (previous_jobs | current_jobs).items()
            if previous_jobs.get(key) != current_jobs.get(key)
        }:
            self.changed(table)

    def _can_run(self, job: Job) -> bool:
        is_known = any(model.name == job.data["model"] for model in self._file.models())
        return is_known and len(self._running) < MOST_SEATS and find_spec("pydantic_ai") is not None

    def _exchange(self, job: Job, running: seated.SeatedAi) -> None:
        """Store an AI's status for other processes, and give the AI what they asked and answered."""
        status = running.shown()
        left_data = dict[str, Any]()
        if not (job.data["asked"] or job.data["answers"]) and all(job.data[key] == status[key] for key in status):
            return

        def change(current: Job) -> Job:
            left_data.update(current.data)
            return replace(current, data={**current.data, **status, "asked": [], "answers": {}})

        self._jobs.edit(job.id, change)
        for words in left_data.get("asked", ()):
            running.ask(words)
        for form, answer in left_data.get("answers", {}).items():
            with suppress(NoSuchThing):
                running.answer_form(form, answer)

    def _run(self, job: Job, *, begins: bool = False) -> None:
        self._running[job.id] = seated.SeatedAi(
            self._house,
            self._jobs,
            job,
            model=self._file.model(job.data["model"]),
            key=self._file.key,
            pace=self._pace,
            loop=self._loop,
            changed=self._tell,
            begins=begins,
        )
        self._running[job.id].start()
        self.changed(job.table)

    def _halt(self, job: str) -> None:
        if running := self._running.pop(job, None):
            running.stop()
            self.changed(running.table)

    def _tell(self, table: str, *, for_others: bool) -> None:
        """Announce a change of an AI that runs here; `for_others` says whether other processes have to know it."""
        self.changed(table)
        if for_others:
            self._due.set()

    # ------------------------------------------------------------ models

    def models(self) -> list[Model]:
        return self._file.models()

    def keep_model(self, model: Model, key: str) -> None:
        if key:
            _check_installed()  # the same extra has the encryption
        self._file.keep_model(model, key)

    def forget_model(self, name: str) -> None:
        self._file.forget_model(name)

    # ------------------------------------------------------------ seats

    def at(self, table: str) -> tuple[AiStatus, ...]:
        """Return the status of every AI at a table."""
        jobs = self._seen
        if jobs is None or self._end_watch is None:  # nothing keeps them up to date here
            jobs = self._jobs.of(settings.KIND)
        return tuple(self._status(job) for job in jobs if job.table == table)

    def _status(self, job: Job) -> AiStatus:
        if running := self._running.get(job.id):
            return running.status
        name = job.data["model"]
        model_by_name = {model.name: model for model in self._file.models()}
        status = settings.status_of(job, model_by_name.get(name) or Model(name, ""))
        if job.data["wanted"] and job.until <= self._clock():
            return replace(status, doing=AiActivity.GONE, fault="The server that ran it is gone.")
        return status

    def seat(self, table: str, by: str, *, name: str, role: AiRole, model: str, limits: Limits) -> str:
        _check_installed()
        model_settings = self._file.model(model)
        if len(self._running) >= MOST_SEATS:
            raise Refusal(f"{MOST_SEATS} AIs are seated here already; stop one first.", code="no_room")
        seat = by if role is AiRole.HELPER else self._seat_named(table, by, name)
        if role is AiRole.GAME_MASTER:
            self._house.host.act(table, by, ("hand_over", {"seat": seat}))
        used = Meter()
        for job in self._jobs.of(settings.KIND):
            if job.id == job_id(table, seat):  # it sat here before
                used = Meter(*job.data["meter"])
        status = settings.data_of(AiStatus(seat, role, model_settings, limits, AiActivity.STOPPED, used, by=by))
        data = {**status, **IDLE, "wanted": False, "cursor": ""}
        self._jobs.keep(Job(id=job_id(table, seat), kind=settings.KIND, table=table, data=data))
        self.start(table, seat)
        return seat

    def _seat_named(self, table: str, by: str, name: str) -> str:
        """Return the AI seat with this name, which is taken now if there is none."""
        for seat in self._house.host.seats(table).values():
            if seat.ai and seat.name == name:
                return seat.id
        outcome = self._house.host.act(table, by, ("take_seat", {"name": name, "ai": True}))
        return str(outcome.events[0].fields["seat"]["id"])

    def start(self, table: str, seat: str) -> None:
        """Run it here, whichever process ran it before."""
        _check_installed()
        self._file.model(self._data(table, seat)["model"])
        with self._lock:
            self._halt(job_id(table, seat))
            changes = {**IDLE, "wanted": True, "doing": AiActivity.WAITING.value}
            until = self._clock() + self._leases.length
            if job := self._edit(table, seat, changes, holder=self._leases.holder, until=until):
                self._run(job, begins=True)

    def stop(self, table: str, seat: str) -> None:
        """Stop it at once, wherever it runs."""
        with self._lock:
            self._halt(job_id(table, seat))
            self._edit(table, seat, {**IDLE, "wanted": False}, holder="", until=0)

    def _edit(self, table: str, seat: str, changes: Mapping[str, Any], **lease: Any) -> Job | None:
        def change(job: Job) -> Job:
            return replace(job, data={**job.data, **changes}, **lease)

        edited = self._jobs.edit(job_id(table, seat), change)
        self._seen = self._jobs.of(settings.KIND)
        self.changed(table)
        return edited

    def take_over(self, table: str, seat: str, person: str) -> None:
        role = AiRole(self._data(table, seat)["role"])
        self.stop(table, seat)
        host = self._house.host
        seats = self._house.host.seats(table)
        if role is AiRole.HELPER:
            self._jobs.forget(job_id(table, seat))
        elif seat in seats and seats[seat].role is Role.GAME_MASTER:
            host.act(table, seat, ("hand_over", {"seat": person}), program=True, agreed=person)
        elif seat in seats:
            host.act(table, seat, ("name_stand_in", {"seat": seat, "stand_in": person}), program=True)
        self.changed(table)

    def ask(self, table: str, seat: str, words: str) -> None:
        if running := self._running.get(job_id(table, seat)):
            running.ask(words)
            return

        self._leave(table, seat, lambda data: {"asked": [*data["asked"], words]})

    def answer_form(self, table: str, seat: str, form: str, answer: Mapping[str, Any] | None) -> None:
        if running := self._running.get(job_id(table, seat)):
            running.answer_form(form, answer)
            return

        def answered(data: Mapping[str, Any]) -> Mapping[str, Any]:
            if form not in (open_form[0] for open_form in data["forms"]):
                raise NoSuchThing("That is no longer asked.")
            return {"answers": {**data["answers"], form: answer}}

        self._leave(table, seat, answered)

    def _leave(self, table: str, seat: str, more: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> None:
        """Store something for an AI that another process runs, in the data of its job."""

        def change(job: Job) -> Job:
            if not job.data["wanted"]:
                raise NotAllowed("The AI is stopped; start it first.")
            return replace(job, data={**job.data, **more(job.data)})

        self._jobs.edit(job_id(table, seat), change)

    def _data(self, table: str, seat: str) -> Mapping[str, Any]:
        for job in self._jobs.of(settings.KIND):
            if job.id == job_id(table, seat):
                return job.data
        raise NoSuchThing("No AI was seated there.")


def job_id(table: str, seat: str) -> str:
    return f"{settings.KIND} {table} {seat}"


def _check_installed() -> None:
    """Refuse if the extra is missing, before anything is done."""
    try:
        import pydantic_ai  # noqa: F401 - loaded here the first time it is needed
    except (MissingExtra, ModuleNotFoundError) as missing:
        sentence = f"An AI in a seat comes with the extra 'ai' of astragal. {how_to_install('ai')}"
        raise Refusal(sentence, code="no_extra") from missing
