"""Engine of the page: the web application in a worker of the browser, over tables in the browser's own storage.

`engine.js` starts Python and calls `begin`. What is imported here may become part of a snapshot of the memory, so
nothing of the browser is touched before that.
"""

import asyncio
import random
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.types import Message

from astragal.page import missing, routes
from astragal.page.driver import Driver, PageRequest
from astragal.page.jar import CookieJar
from astragal.storage import open_store
from astragal.surfaces.web import threads
from astragal.surfaces.web.app import create_app
from astragal.surfaces.web.context import ReencodePicture, WebContext
from astragal.surfaces.web.security.auth import PassAuth
from astragal.surfaces.web.settings import Settings
from astragal.table.log.store import PassKind
from astragal.wiring import host_of, installed_rulesets, milliseconds

REST = "/rest"
"""The folder for what is rarely imported."""
RULESETS = [load() for load in installed_rulesets().values()]


class Engine:
    """The running application. Whoever has the page is the owner of its tables."""

    def __init__(self, folder: Path, settings: Settings, reencode_picture: ReencodePicture) -> None:
        self._settings = settings
        store = open_store(f"sqlite:///{folder / 'tables.db'}")
        self._jar = CookieJar(folder / "jar.db")
        auth = PassAuth(store.passes, clock=milliseconds, entropy=secrets.token_bytes)
        self.context = WebContext(host_of(store, RULESETS), store, auth, settings)
        self.context.reencode_picture = reencode_picture
        self._app = create_app(self.context)
        for router in routes.ROUTERS:
            self._app.router.routes.extend(router.routes)
        self._driver = Driver(self._app, settings, self._jar)
        self.answer = self._driver.answer
        self._tasks = set[asyncio.Task[None]]()

    async def start(self) -> None:
        """Start what runs beside the requests, and sign this browser in as the owner."""
        threads.run_routes_without_threads()
        has_started = asyncio.Event()

        async def live() -> None:
            async with self._app.router.lifespan_context(self._app):
                has_started.set()
                await asyncio.Event().wait()

        self._keep(asyncio.create_task(live()))
        await has_started.wait()
        link = self.context.auth.issue(PassKind.OWNER_LINK)
        await self._sign_in(link)

    async def _sign_in(self, link: str) -> None:
        async def ignore(_message: Message) -> None:
            pass

        body = urlencode({"link": link}).encode()
        origin = next(iter(self._settings.origins)).encode()
        headers = [(b"origin", origin), (b"content-type", b"application/x-www-form-urlencoded")]
        sign_in = PageRequest("POST", f"{self._settings.path}/owner", headers=headers, body=body)
        await self.answer(sign_in, ignore, asyncio.Event())

    def serve(self, request: PageRequest, port: Any) -> None:
        """Answer a request through a port of the browser, which the service worker holds the other end of."""
        self._keep(asyncio.create_task(self._serve(request, port)))

    async def _serve(self, request: PageRequest, port: Any) -> None:
        from pyodide.ffi import create_proxy

        gone = asyncio.Event()
        listener = create_proxy(lambda _event: gone.set())  # the only message of the other end: nobody waits any more
        port.onmessage = listener
        answer = _Answer(port)
        try:
            await self.answer(request, answer.send, gone)
        except Exception:
            answer.fail()
            raise
        finally:
            port.onmessage = None
            listener.destroy()

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()):
            print(f"a request failed: {fault!r}", file=sys.stderr)  # noqa: T201 - the browser's console


class _Answer:
    """Sends an answer through a port: its head, its body in parts, its end."""

    def __init__(self, port: Any) -> None:
        self._port = port
        self._has_ended = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [[name.decode("latin-1"), value.decode("latin-1")] for name, value in message["headers"]]
            self._post({"kind": "start", "status": message["status"], "headers": headers})
            return
        if chunk := message.get("body"):
            self._post_chunk(chunk)
        if not message.get("more_body"):
            self._has_ended = True
            self._post({"kind": "end"})

    def fail(self) -> None:
        if not self._has_ended:
            self._has_ended = True
            self._post({"kind": "gone"})

    def _post(self, message: Mapping[str, Any]) -> None:
        import js
        from pyodide.ffi import to_js

        self._port.postMessage(to_js(message, dict_converter=js.Object.fromEntries))

    def _post_chunk(self, chunk: bytes) -> None:
        import js
        from pyodide.ffi import to_js

        data = to_js(chunk)
        message = to_js({"kind": "body", "chunk": data.buffer}, dict_converter=js.Object.fromEntries)
        self._port.postMessage(message, to_js([data.buffer]))


_engine: Engine | None = None


async def begin(address: str, folder: str, reencode: Any, fetch_rest: Any) -> None:
    """Open the tables in this folder, and serve them at this address of the page."""
    global _engine  # noqa: PLW0603 - a worker has one engine, and JavaScript calls it by functions of this module
    missing.install(REST, fetch_rest)
    random.seed()  # its state may come from a snapshot, which would be the same each time

    async def reencode_in_the_browser(data: bytes, side: int) -> bytes:
        return await routes.reencoded(reencode, data, side)

    origin = "/".join(address.split("/")[:3])
    settings = Settings(frozenset({origin}), address.rstrip("/"), largest_body=routes.LARGEST_IMPORT, in_page=True)
    _engine = Engine(Path(folder), settings, reencode_in_the_browser)
    await _engine.start()


def serve(method: str, path: str, query: str, headers: Any, body: Any, port: Any) -> None:
    """Answer one request of the service worker."""
    if _engine is None:
        raise RuntimeError("the engine has not begun")
    pairs = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.to_py()]
    request = PageRequest(method, path, query, pairs, body.to_bytes() if body else b"")
    _engine.serve(request, port)
