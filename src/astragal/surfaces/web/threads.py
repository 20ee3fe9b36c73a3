"""Threads of the web application, and what takes their place inside a page, which has none."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from anyio._core import _eventloop as anyio_loop

from astragal import background

P = ParamSpec("P")
T = TypeVar("T")


def worker_pool(threads: int, name: str) -> Executor:
    """Create a pool of worker threads; without threads, turns of the running event loop take their place."""
    return ThreadPoolExecutor(threads, thread_name_prefix=name) if background.HAS_THREADS else TurnsOfTheLoop()


class TurnsOfTheLoop(Executor):
    """Executor without threads: each piece of work is a turn of the event loop, in order and never inside another."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._is_closed = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        if self._is_closed:
            raise RuntimeError("cannot schedule new futures after shutdown")
        result: Future[T] = Future()

        def work() -> None:
            if not result.set_running_or_notify_cancel():
                return
            try:
                result.set_result(fn(*args, **kwargs))
            except BaseException as fault:  # noqa: BLE001 - whoever waits for the result gets it, as from a thread
                result.set_exception(fault)

        self._loop.call_soon(work)
        return result

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002 - as Executor has it
        self._is_closed = True


def run_routes_without_threads() -> None:
    """Let everything that the web framework would run in a thread run in the event loop itself.

    Starlette and FastAPI start threads through AnyIO alone, and AnyIO asks its backend. So this backend is chosen in
    place of the usual one.
    """
    usual: Any = anyio_loop.get_async_backend("asyncio")

    class WithoutThreads(usual):  # type: ignore[misc] # AnyIO has a base class for backends, but none of its own has a type
        @classmethod
        async def run_sync_in_worker_thread(
            cls,
            func: Callable[..., T],
            args: tuple[Any, ...],
            abandon_on_cancel: bool = False,  # noqa: ARG003 - it is never abandoned
            limiter: object = None,  # noqa: ARG003 - nothing runs beside it
        ) -> T:
            await cls.checkpoint()
            return func(*args)

    anyio_loop.loaded_backends["asyncio"] = WithoutThreads
