"""The built page, served from a folder by a server that knows nothing of it."""

from __future__ import annotations

import hashlib
import http.server
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Thread

from playwright.sync_api import BrowserContext, FrameLocator, Locator, Page, expect

from astragal.page.build import build
from tests.patience import LONG

SOURCE = Path(__file__).parents[2] / "src" / "astragal"
BUILT = Path(__file__).parents[2] / "artefacts" / "page"
KEPT = 3
"""Builds that are kept: another test may be using an earlier one."""
BASE = "/games/play/"
"""The folder is not at the root of its server."""
TABLE = "iframe[name=table]"
IN_VAIN = 1_000 * LONG
"""Milliseconds after which a browser stops waiting for what must come."""

expect.set_options(timeout=IN_VAIN)


def built_page() -> Path:
    """The page of the sources as they are now. It is built once for them."""
    digest = hashlib.sha256()
    for path in sorted(path for path in SOURCE.rglob("*") if path.is_file()):
        if "__pycache__" not in path.parts and "node_modules" not in path.parts:
            digest.update(path.relative_to(SOURCE).as_posix().encode() + path.read_bytes())
    folder = BUILT / digest.hexdigest()[:16]
    if not folder.exists():
        build(folder / BASE.strip("/"))
        for earlier in sorted(BUILT.iterdir(), key=lambda path: path.stat().st_mtime)[:-KEPT]:
            shutil.rmtree(earlier)
    return folder


class QuietServer(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served_page() -> Iterator[str]:
    """Serve the built page, and yield its address."""
    handler = partial(QuietServer, directory=str(built_page()))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}{BASE}"
        finally:
            server.shutdown()
            thread.join()


class Player:
    """Somebody at a page: what they click is in the frame that shows the table."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @classmethod
    def come(cls, context: BrowserContext, address: str) -> Player:
        context.set_default_timeout(IN_VAIN)
        player = cls(context.new_page())
        player.page.goto(address)
        expect(player.frame.locator("h1")).to_have_text(re.compile("What shall we play|Continue"))
        return player

    @property
    def frame(self) -> FrameLocator:
        return self.page.frame_locator(TABLE)

    def play(self, game: str) -> None:
        self.frame.get_by_role("button", name=f"Play {game}", exact=True).click()
        self.listen()

    def listen(self) -> None:
        """Wait until the table's stream is up."""
        expect(self.frame.locator("#live[data-line=up]")).to_be_attached()

    def speak(self, words: str) -> None:
        self.frame.locator("#speak-words").fill(words)
        self.frame.locator("#speak button[type=submit]").last.click()
        expect(self.frame.locator("#log")).to_contain_text(words)

    def throw(self, line: str) -> None:
        """Dice from the tray."""
        self.frame.get_by_role("button", name="Dice tray", exact=True).click()
        self.frame.locator("#tray-line").fill(line)
        self.frame.locator("#tray button.go").click()
        expect(self.frame.locator("#log")).to_contain_text(line.partition("# ")[2])

    def ask_for_a_roll(self) -> str:
        """As game master, ask the first hero for the first roll that is listed, and return who that is."""
        self.frame.get_by_role("button", name="Ask for a roll").click()
        row = self.frame.locator("#open-form .ask-row").filter(has_not_text="Everybody").first
        hero = row.locator(".who").inner_text()
        row.locator("button.ask").first.click()
        expect(self.frame.locator("#panel-pending .asked, #panel-pending form.roll").first).to_be_visible()
        return hero

    def roll_for_them(self) -> None:
        """As game master, make the roll that somebody was asked for. Its card is drawn, or what can be decided."""
        self.frame.get_by_role("button", name=re.compile("^Roll for them")).first.click()
        self.roll_it(self.frame.locator("#open-form form"))

    def roll_it(self, form: Locator) -> None:
        rolls = self.frame.locator("#log .log-card.roll")
        before = rolls.count()
        form.locator("button.go").first.click()
        offer = self.frame.locator("#panel-pending .offer").first
        expect(rolls.nth(before).or_(offer).first).to_be_attached()

    def pass_the_screen_to(self, name: str) -> None:
        self.frame.locator("a.invite").click()
        self.frame.get_by_role("button", name=f"Pass the screen to {name}").click()
        expect(self.frame.locator("h1")).to_have_text(f"Pass the screen to {name}")
        expect(self.frame.locator("#log")).to_have_count(0)
        self.frame.get_by_role("link", name=f"I am {name}").click()
        self.listen()

    def exported(self) -> str:
        """The export of the table, as it is stored now."""
        table = self.page.url.rpartition("/t/")[2].partition("/")[0].partition("#")[0]
        fetched: str = self.page.evaluate("name => fetch(`storage/${name}.jsonl`).then(it => it.text())", table)
        return fetched
