"""The web application as the page drives it: without threads, without a server, with a cookie jar."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from threading import active_count
from urllib.parse import urlencode

import pytest
from anyio._core import _eventloop as anyio_loop
from starlette.types import Message

from astragal import background
from astragal.page.driver import PageRequest
from astragal.page.engine import Engine
from astragal.page.jar import CookieJar
from astragal.surfaces.web import threads
from astragal.surfaces.web.settings import Settings

ORIGIN = "https://play.example"
ADDRESS = f"{ORIGIN}/astragal"


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "HAS_THREADS", False)
    monkeypatch.setitem(anyio_loop.loaded_backends, "asyncio", anyio_loop.get_async_backend("asyncio"))


async def no_picture(_data: bytes, _side: int) -> bytes:
    return b""


class Answer:
    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[bytes, bytes] = {}
        self.body = b""
        self.has_more = asyncio.Event()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])
        else:
            self.body += message["body"]
            self.has_more.set()


class Page:
    """A page whose engine runs here."""

    def __init__(self, folder: Path) -> None:
        self.engine = Engine(folder, Settings(frozenset({ORIGIN}), ADDRESS, in_page=True), no_picture)

    async def ask(self, method: str, path: str, origin: str = ORIGIN, **form: str) -> Answer:
        answer = Answer()
        await self.engine.answer(self.request(method, path, origin, **form), answer.send, asyncio.Event())
        return answer

    def request(self, method: str, path: str, origin: str = ORIGIN, **form: str) -> PageRequest:
        headers = [(b"accept", b"text/html"), (b"origin", origin.encode())]
        if form:
            headers.append((b"content-type", b"application/x-www-form-urlencoded"))
        return PageRequest(method, f"/astragal{path}", headers=headers, body=urlencode(form).encode())

    async def open_table(self) -> str:
        opened = await self.ask("POST", "/tables", game="sinew_steel")
        return opened.headers[b"location"].decode().removeprefix("/astragal")


@pytest.fixture
def in_page(tmp_path: Path) -> Callable[[Callable[[Page], Awaitable[None]]], None]:
    """Runs what happens in a page, and ends its engine."""

    def run(scene: Callable[[Page], Awaitable[None]]) -> None:
        async def whole() -> None:
            page = Page(tmp_path)
            await page.engine.start()
            await scene(page)

        asyncio.run(whole())

    return run


InPage = Callable[[Callable[[Page], Awaitable[None]]], None]


def test_whoever_has_the_page_owns_its_tables(in_page: InPage) -> None:
    async def scene(page: Page) -> None:
        home = await page.ask("GET", "/")
        assert home.status == 200
        assert b"What shall we play?" in home.body

    in_page(scene)


def test_an_evening_starts_no_thread(in_page: InPage) -> None:
    async def scene(page: Page) -> None:
        before = active_count()
        table = await page.open_table()
        assert (await page.ask("GET", table)).status == 200
        spoken = await page.ask("POST", f"{table}/speak", words="The lantern sways.")
        assert spoken.status == 303
        assert b"The lantern sways." in (await page.ask("GET", table)).body
        assert active_count() == before

    in_page(scene)


def test_a_stream_brings_what_is_said(in_page: InPage) -> None:
    async def scene(page: Page) -> None:
        table = await page.open_table()
        stream, gone = Answer(), asyncio.Event()
        listening = asyncio.create_task(page.engine.answer(page.request("GET", f"{table}/events"), stream.send, gone))
        await stream.has_more.wait()
        await page.ask("POST", f"{table}/speak", words="The lantern sways.")
        while b"The lantern sways." not in stream.body:
            stream.has_more.clear()
            await stream.has_more.wait()
        gone.set()
        await listening

    in_page(scene)


def test_a_form_of_another_site_changes_nothing(in_page: InPage) -> None:
    async def scene(page: Page) -> None:
        for origin in ("https://elsewhere.example", "null"):
            refused = await page.ask("POST", "/tables", origin, game="sinew_steel")
            assert refused.status == 403
        assert not list(page.engine.context.store.tables())

    in_page(scene)


def test_a_page_may_frame_itself_and_nobody_else_may(in_page: InPage) -> None:
    async def scene(page: Page) -> None:
        home = await page.ask("GET", "/")
        assert b"frame-ancestors 'self'" in home.headers[b"content-security-policy"]
        assert home.headers[b"x-frame-options"] == b"SAMEORIGIN"

    in_page(scene)


def test_what_a_page_cannot_have_is_not_shown(in_page: InPage) -> None:
    async def scene(page: Page) -> None:
        table = await page.open_table()
        people = (await page.ask("GET", f"{table}/people")).body.decode()
        for words in ("One link for the whole table", "Make a link", "Token for a program", "Webhooks", "--lan"):
            assert words not in people
        assert "/lab" not in (await page.ask("GET", "/")).body.decode()
        assert (await page.ask("GET", "/lab")).status == 404

    in_page(scene)


def test_the_screen_is_passed_behind_a_curtain(in_page: InPage) -> None:
    async def scene(page: Page) -> None:
        table = await page.open_table()
        seats = page.engine.context.host.seats(table.removeprefix("/t/"))
        other = next(seat for seat in seats.values() if seat.role.value == "player")
        passed = await page.ask("POST", f"{table}/curtain", seat=other.id)
        assert passed.headers[b"location"].decode() == f"/astragal{table}/curtain"
        curtain = (await page.ask("GET", f"{table}/curtain")).body.decode()
        assert f"Pass the screen to {other.name}" in curtain
        assert 'id="log"' not in curtain
        assert 'class="room player"' in (await page.ask("GET", table)).body.decode()

    in_page(scene)


def test_an_export_can_be_brought_in_again(in_page: InPage) -> None:
    async def scene(page: Page) -> None:
        table = await page.open_table()
        name = table.removeprefix("/t/")
        await page.ask("POST", f"{table}/speak", words="The lantern sways.")
        exported = (await page.ask("GET", f"/storage/{name}.jsonl")).body
        await page.ask("POST", f"/tables/{name}/delete")
        assert name not in page.engine.context.store.tables()
        assert (await bring(page, "table.jsonl", exported)).status == 303
        assert name in page.engine.context.store.tables()

    in_page(scene)


def test_a_backup_brings_all_tables_back(in_page: InPage) -> None:
    async def scene(page: Page) -> None:
        await page.open_table()
        await page.open_table()
        tables = page.engine.context.store.tables()
        saved = (await page.ask("GET", "/storage/tables.db")).body
        for table in tables:
            await page.ask("POST", f"/tables/{table}/delete")
        assert (await bring(page, "tables.db", saved)).status == 303
        assert page.engine.context.store.tables() == tables

    in_page(scene)


def test_a_file_that_is_no_table_is_refused_in_words(in_page: InPage) -> None:
    async def scene(page: Page) -> None:
        refused = await bring(page, "letter.txt", b"Dear friend")
        assert refused.status == 422
        assert b'role="alert"' in refused.body

    in_page(scene)


async def bring(page: Page, name: str, data: bytes) -> Answer:
    head = f'--b\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
    headers = [(b"origin", ORIGIN.encode()), (b"content-type", b"multipart/form-data; boundary=b")]
    request = PageRequest("POST", "/astragal/storage", headers=headers, body=head + data + b"\r\n--b--\r\n")
    answer = Answer()
    await page.engine.answer(request, answer.send, asyncio.Event())
    return answer


# ---------------------------------------------------------------- cookies


def test_cookies_survive_the_page(tmp_path: Path) -> None:
    jar = CookieJar(tmp_path / "jar.db")
    jar.take_from([(b"Set-Cookie", b"a=1; Path=/; HttpOnly"), (b"set-cookie", b"b=2")])
    jar.close()
    assert CookieJar(tmp_path / "jar.db").header() == b"a=1; b=2"


def test_a_deleted_cookie_is_gone(tmp_path: Path) -> None:
    jar = CookieJar(tmp_path / "jar.db")
    jar.take_from([(b"set-cookie", b"a=1"), (b"set-cookie", b"b=2")])
    jar.take_from([(b"set-cookie", b'a=""; Max-Age=0')])
    jar.close()
    assert CookieJar(tmp_path / "jar.db").header() == b"b=2"


# ---------------------------------------------------------------- turns of the loop


def test_without_threads_work_waits_for_its_turn() -> None:
    async def scene() -> None:
        pool = threads.worker_pool(2, "none")
        order: list[str] = []
        first = pool.submit(order.append, "work")
        order.append("now")
        await asyncio.wrap_future(first)
        assert order == ["now", "work"]

    asyncio.run(scene())


def test_without_threads_a_fault_goes_to_whoever_waits() -> None:
    async def scene() -> None:
        pool = threads.worker_pool(2, "none")
        with pytest.raises(ZeroDivisionError):
            await asyncio.wrap_future(pool.submit(lambda: 1 // 0))
        pool.shutdown()
        with pytest.raises(RuntimeError):
            pool.submit(print)

    asyncio.run(scene())
