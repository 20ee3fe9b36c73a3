"""The table without a server: a real browser plays in the built page, from a folder of static files."""

import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser, BrowserContext, Worker, expect

from tests.browser.static_page import Player, served_page

pytestmark = pytest.mark.skipif(
    "ASTRAGAL_PAGE_TESTS" not in os.environ,
    reason="once, beside other browsers, the page did not go on: until that is found, ASTRAGAL_PAGE_TESTS=1 runs these",
)

COUNT_FLUSHES = """() => {
    const { flush } = FileSystemSyncAccessHandle.prototype;
    self.flushes = 0;
    FileSystemSyncAccessHandle.prototype.flush = function () {
        self.flushes += 1;
        return flush.call(this);
    };
}"""
TABLES = "() => fetch('storage').then((answer) => answer.text())"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served_page() as address:
        yield address


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(service_workers="allow")
    yield context
    context.close()


@pytest.fixture(scope="module")
def requests(context: BrowserContext) -> list[str]:
    """Every request of the browser, of its workers too."""
    urls: list[str] = []
    context.on("request", lambda request: urls.append(request.url))
    return urls


@pytest.fixture(scope="module")
def player(context: BrowserContext, requests: list[str], address: str) -> Player:  # noqa: ARG001 - it is recorded first
    """One visit for the tests of this module: the page starts once."""
    player = Player.come(context, address)
    player.play("Sinew & Steel")
    return player


def engine_of(player: Player) -> Worker:
    return next(worker for worker in player.page.workers if "engine.js" in worker.url)


def test_a_table_is_opened_by_one_click(player: Player) -> None:
    assert "/t/" in player.page.url
    assert player.page.title().endswith("Astragal")


def test_what_is_acknowledged_is_flushed(player: Player) -> None:
    engine = engine_of(player)
    engine.evaluate(COUNT_FLUSHES)
    player.speak("The lantern sways.")
    after_one: int = engine.evaluate("self.flushes")
    player.speak("Somebody knocks.")
    after_two: int = engine.evaluate("self.flushes")
    assert 0 < after_one < after_two


@pytest.fixture
def _without_network(player: Player, context: BrowserContext) -> Iterator[None]:
    expect_all_files_kept(player)
    context.set_offline(offline=True)
    yield
    context.set_offline(offline=False)


@pytest.mark.usefixtures("_without_network")
def test_the_table_is_there_without_a_network(player: Player) -> None:
    player.throw("2d6+3 # a leap")
    player.page.reload()
    player.listen()
    expect(player.frame.locator("#log")).to_contain_text("a leap")


@pytest.mark.usefixtures("_without_network")
def test_people_at_one_screen_pass_it_behind_a_curtain(player: Player) -> None:
    hero = player.ask_for_a_roll()
    player.pass_the_screen_to(f"{hero}’s player")
    expect(player.frame.locator(".room.player")).to_be_visible()
    player.roll_it(player.frame.locator("#panel-pending .mine form.roll"))
    player.pass_the_screen_to("Game master")
    expect(player.frame.locator(".room.game-master")).to_be_visible()


@pytest.mark.usefixtures("_without_network")
@pytest.mark.parametrize("game", ["Narraject", "New Shoes", "Six-Pool d20", "Sinew & Steel"])
def test_every_game_is_played_without_a_network(player: Player, game: str) -> None:
    player.frame.locator("a.home").click()
    player.play(game)
    player.speak("The lantern sways.")
    player.throw("3d6 # for luck")
    if game != "New Shoes":  # nobody is asked for a roll there before they have said what they do
        player.ask_for_a_roll()
        player.roll_for_them()


def expect_all_files_kept(player: Player) -> None:
    """After the first visit the service worker fetches what was not needed yet."""
    player.page.wait_for_function(
        """async () => {
            const cache = await caches.open((await caches.keys()).find((name) => name.startsWith("astragal-page-")));
            const kept = (await cache.keys()).map((request) => request.url);
            return ["rest.pack", "index.html", "shell.js"].every((name) => kept.some((url) => url.endsWith(name)));
        }"""
    )


def test_a_form_of_another_site_stores_nothing(player: Player, context: BrowserContext, address: str) -> None:
    before = player.exported()
    tables = player.page.evaluate(TABLES)
    with foreign_site(f'<form method="post" action="{address}tables"><input name="game" value="sinew_steel">') as url:
        foreign = context.new_page()
        foreign.goto(url)
        foreign.evaluate("document.forms[0].submit()")
        expect(foreign.locator("body")).to_contain_text("sent from another site")
        foreign.close()
    assert player.page.evaluate(TABLES) == tables
    assert player.exported() == before


class _Foreign(BaseHTTPRequestHandler):
    html = ""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(self.html.encode())

    def log_message(self, *_: object) -> None:
        pass


class foreign_site:  # noqa: N801 - used as a function
    def __init__(self, html: str) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Site", (_Foreign,), {"html": html}))
        self._thread = Thread(target=self._server.serve_forever)

    def __enter__(self) -> str:
        self._thread.start()
        return f"http://localhost:{self._server.server_port}/"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def test_a_second_tab_takes_over(player: Player, context: BrowserContext) -> None:
    second = Player(context.new_page())
    second.page.goto(player.page.url)
    second.listen()
    player.speak("Said in the first tab.")
    second.page.bring_to_front()
    expect(second.frame.locator("#log")).to_contain_text("Said in the first tab.")
    player.page.close()
    second.speak("The first tab is closed.")
    player.page = second.page


def test_no_request_leaves_the_origin(player: Player, requests: list[str], address: str) -> None:
    assert player.page.url.startswith(address)
    origin = address.partition("/games/")[0]
    assert len(requests) > 20
    assert {url for url in requests if not url.startswith((f"{origin}/", "http://localhost:", "data:"))} == set()
