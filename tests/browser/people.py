"""People at a table, each with a browser of their own: what they tap, what they read, what their screen showed them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, ViewportSize, expect
from starlette.types import ASGIApp

from astragal.storage import open_store
from astragal.surfaces.web.app import create_app
from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.serve import owner_link
from astragal.surfaces.web.settings import Settings
from astragal.table.log.store import PassKind
from astragal.wiring import build_web
from tests.browser.axe import Theme
from tests.browser.screenshots import Screenshots
from tests.patience import LONG
from tests.surfaces.web.open_tables import AtSeat, Web
from tests.surfaces.web.serving import bound_socket, serving
from tests.surfaces.web.test_serving import link_in, served

PHONE, LAPTOP = ViewportSize(width=360, height=780), ViewportSize(width=1440, height=900)
IN_VAIN = 1_000 * LONG
"""Milliseconds after which a browser stops waiting for what must come."""

OFFLINE = re.compile("net::ERR_|NetworkError|Failed to fetch")
"""What a browser's console says of a line that is down. Nothing else may be in it."""

expect.set_options(timeout=IN_VAIN)


def script(page: Page, name: str) -> str:
    """The address of a script, beside those that the page has loaded."""
    loaded: str = page.evaluate("document.querySelector('script[type=module]').src")
    return f"{loaded.rpartition('/')[0]}/{name}.js"


@dataclass
class Room:
    """A served web table, and all who came to it."""

    context: WebContext
    browser: Browser
    screenshots: Screenshots
    people: list[Person] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """What went wrong in anybody's page."""

    @property
    def address(self) -> str:
        return self.context.settings.address

    def person(self, name: str, size: ViewportSize, theme: Theme) -> Person:
        touch = size is PHONE or None
        context = self.browser.new_context(viewport=size, color_scheme=theme, has_touch=touch, is_mobile=touch)
        found = Person(name, context, theme, size is PHONE, self)
        self.people.append(found)
        found.new_page()
        return found

    def owner(self, name: str, theme: Theme) -> Person:
        """Whoever started the program, by the link that it printed."""
        found = self.person(name, LAPTOP, theme)
        found.page.goto(owner_link(self.address, self.context.auth.issue(PassKind.OWNER_LINK)))
        expect(found.page.locator("h1")).to_have_text(re.compile("What shall we play|Continue"))
        return found

    def leave(self) -> None:
        for one in self.people:
            one.context.close()
        self.people.clear()


@dataclass
class Person:
    """One of them, with a phone or a laptop."""

    name: str
    context: BrowserContext
    theme: Theme
    on_phone: bool
    room: Room
    table: str = ""
    """The address of the table's page."""
    hero: str = ""
    """Whom they play."""
    page: Page = field(init=False)

    def new_page(self) -> None:
        """Another window of the same device."""
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda fault: self.room.wrong.append(f"{self.name}: {fault}"))
        self.page.on("console", self._heard)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not OFFLINE.search(message.text):
            self.room.wrong.append(f"{self.name}: {message.text} {message.location}")

    # ------------------------------------------------------------ coming and going

    def come(self, table: str, seat: str) -> None:
        """Sit at a seat that was given to this device before."""
        self.has_seat(table, seat)
        self.sit()

    def has_seat(self, table: str, seat: str) -> None:
        self.context.add_cookies(Web(self.room.context).cookies(AtSeat(table, seat)))  # type: ignore[arg-type]
        self.table = f"{self.room.address}/t/{table}"

    def sit(self) -> None:
        """At the table's page, and following it."""
        self.page.goto(self.table)
        self.listen()

    def listen(self) -> None:
        expect(self.page.locator("#live")).to_have_attribute("data-line", "up")

    def join(self, link: str) -> None:
        self.page.goto(link)
        self.page.get_by_role("button", name="Take the seat").click()
        self.page.wait_for_url("**/t/*")
        self.table = self.page.url
        self.listen()

    # ------------------------------------------------------------ looking

    def view(self, name: str) -> None:
        """On a phone one looks at one part of the table at a time."""
        if self.on_phone:
            self.page.locator(f'.tabs a[data-view="{name}"]').click()
            expect(self.page.locator(f"#view-{name}")).to_be_visible()

    @property
    def log(self) -> Locator:
        return self.page.locator("#log")

    @property
    def rolls(self) -> Locator:
        return self.log.locator(".log-card.roll")

    @property
    def form(self) -> Locator:
        """The one that was opened, or the roll that one is asked for."""
        return self.page.locator("#open-form form, #panel-pending .mine form.roll")

    @property
    def waits(self) -> Locator:
        return self.page.locator("#panel-pending")

    def reads(self, words: str | re.Pattern[str]) -> None:
        expect(self.log).to_contain_text(words)

    def never_reads(self, words: str) -> None:
        assert words not in self.page.content()

    def picture(self, moment: str) -> None:
        """For people to look at. The caret stays: to hide it, Playwright would write styles into the page."""
        name = f"evening-{moment}-{self.name.lower()}-{self.theme}.png"
        self.room.screenshots.keep(self.page, name, caret="initial")

    # ------------------------------------------------------------ doing

    def speak(self, words: str, how: str = "") -> None:
        self.view("play")
        if how:
            self.page.get_by_label("To whom, or as whom").select_option(label=how)
        self.page.get_by_label("Words", exact=True).fill(words)
        self.page.locator("#speak").get_by_role("button", name=re.compile("^(Send|Tell)$")).click()
        expect(self.page.get_by_label("Words", exact=True)).to_have_value("")

    def tap_score(self, label: str, whose: str = "") -> None:
        """A score on a sheet opens the roll of it; somebody else's sheet is spread out first."""
        self.view("hero")
        if whose:
            sheet = self.page.locator("#panel-party .who", has=self.page.get_by_text(whose, exact=True))
            for fold in sheet.locator(".choose, .full").all():
                if fold.get_attribute("open") is None:
                    fold.locator("summary").first.click()
        else:
            sheet = self.page.locator("#panel-hero .sheet")
        piece = sheet.locator("button.score, button.piece, .adjust button.name").filter(
            has_text=re.compile(rf"{re.escape(label)}\b")
        )
        piece.first.click()
        expect(self.form).to_be_visible()

    def do(self, title: str) -> None:
        """Something that can be done, found in the palette."""
        self.page.locator("#find").click()
        self.page.get_by_role("combobox", name="Do or find anything").fill(title)
        self.page.locator("#palette").get_by_role("option").filter(
            has=self.page.locator(".t").filter(has_text=re.compile(f"^{re.escape(title)}$"))
        ).click()
        expect(self.page.locator("#palette")).to_be_hidden()

    def want(self, title: str) -> None:
        """The same, of something that has a form."""
        self.do(title)
        expect(self.form.locator("h3")).to_have_text(title)

    def unfold(self) -> None:
        """Everything that a form has folded away."""
        for folded in self.form.locator("details:not([open]) > summary").all():
            if folded.is_visible():
                folded.click()

    def fill(self, label: str, words: str) -> None:
        field = self.form.get_by_label(label, exact=True).first
        expect(field).to_be_attached()
        if not field.is_visible():
            self.unfold()
        field.fill(words)

    def choose(self, label: str, option: str) -> None:
        """From a list, or from choices that lie side by side."""
        radios, listed = (
            self.form.get_by_role("group", name=label, exact=True),
            self.form.get_by_label(label, exact=True),
        )
        expect(self.form.first).to_be_visible()
        if not radios.or_(listed).count() or not radios.or_(listed).first.is_visible():
            self.unfold()
        if radios.count():
            radios.get_by_role("radio", name=option, exact=True).check()
        else:
            listed.select_option(label=option)

    def weighs(self) -> None:
        """The exact odds are in view: one large number, and a span where the difficulty is hidden."""
        number = self.form.locator(".odds .chance strong")
        expect(number).to_be_visible()
        expect(number).to_have_text(re.compile("%"))

    def submit(self) -> None:
        """The form goes away when it is done."""
        self.form.locator("button.go").click()
        expect(self.form).to_have_count(0)


@contextmanager
def open_house(
    url: str, browser: Browser, screenshots: Screenshots, around: Callable[[ASGIApp], ASGIApp] = lambda app: app
) -> Iterator[Room]:
    """The program as it is served: the web table with the MCP server beside it, on a store of its own."""
    store = open_store(url)
    with bound_socket() as listening:
        context, guests = build_web(store, Settings.local(listening.getsockname()[1]))
        room = Room(context, browser, screenshots)
        with serving(around(create_app(context, guests)), listening):
            try:
                yield room
            finally:
                room.leave()
    store.close()


@contextmanager
def open_house_of_workers(folder: Path, browser: Browser, screenshots: Screenshots) -> Iterator[Room]:
    """The program as it is served by two processes on one file, in which the test has a hand as a third."""
    with served(folder, "--port", "0", "--workers", "2") as (_, printed):
        address, _ = link_in(printed)
        store = open_store(f"sqlite:///{folder}/tables.db")
        context, _ = build_web(store, Settings.local(int(address.rpartition(":")[2])))
        room = Room(context, browser, screenshots)
        try:
            yield room
        finally:
            room.leave()
            store.close()
