"""Nothing that a seat may not know reaches its browser: real ones in three seats, and every byte sent to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.browser.people import LAPTOP, PHONE, Person, Room, open_house
from tests.browser.screenshots import Screenshots
from tests.surfaces.web.open_tables import Web
from tests.surfaces.web.test_canaries import Planted, leaks

pytestmark = pytest.mark.slow

SEATS = {"Bo": PHONE, "Cy": PHONE, "Di": LAPTOP}
PAGES = ("/people", "/log", "/scenes", "/fairness", "/heroes")
ANSWERS = ("/log?find=canary", "/everything", "/palette.json", "/recap")
"""Which ask for nothing more once they are there: what was sent is all that there is, and nobody has to draw it."""
LAST = "the last word"


class Wire:
    """Stands between the server and its callers, and keeps what goes out to each: heads, bodies, pieces of streams."""

    def __init__(self) -> None:
        self.passes: dict[bytes, str] = {}
        self.heard: dict[str, bytearray] = defaultdict(bytearray)

    def around(self, app: ASGIApp) -> ASGIApp:
        async def listening_in(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            cookie = b"".join(value for name, value in scope["headers"] if name == b"cookie")
            name = next((name for secret, name in self.passes.items() if secret in cookie), "nobody")
            plain = [(header, value) for header, value in scope["headers"] if header != b"accept-encoding"]

            async def keeping(message: Message) -> None:
                for header, value in message.get("headers", ()):
                    self.heard[name] += header + b": " + value + b"\n"
                self.heard[name] += message.get("body", b"")
                await send(message)

            await app({**scope, "headers": plain}, receive, keeping)

        return listening_in


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def room(wire: Wire, browser: Browser, screenshots: Screenshots, tmp_path: Path) -> Iterator[Room]:
    with open_house(f"sqlite:///{tmp_path}/tables.db", browser, screenshots, wire.around) as found:
        yield found


def test_no_browser_is_sent_what_its_seat_may_not_know(room: Room, wire: Wire) -> None:
    web = Web(room.context)
    planted = Planted(web, web.table(), port=0)
    people = {name: room.person(name, size, "dark") for name, size in SEATS.items()}
    for name, person in people.items():
        (cookie,) = web.cookies(planted.table[name])
        wire.passes[cookie["value"].encode()] = name
        person.context.add_cookies([cookie])  # type: ignore[list-item]
        person.table = f"{room.address}/t/{planted.table.id}"
        person.sit()
        person.context.new_page().goto(f"{person.table}/scenes")  # another window, with a stream of its own
        person.page.bring_to_front()
    planted.plant()
    found = []
    for name, person in people.items():
        for page in look_everywhere(person):
            found += [(name, page.url, leak) for leak in leaks(planted, name, page.content().encode())]
        for where in ANSWERS:
            assert person.context.request.get(person.table + where).ok
    planted.give("Ada", "say", words=LAST)
    for name, person in people.items():
        person.sit()
        person.reads(LAST)
        found += [(name, "the wire", leak) for leak in leaks(planted, name, bytes(wire.heard[name]))]
        told = [words for words, known_to in planted.secrets.items() if name in known_to]
        assert all(words.encode() in wire.heard[name] for words in told), (name, told)
    assert found == []
    assert all(b"event-stream" in wire.heard[name] and LAST.encode() in wire.heard[name] for name in SEATS)
    assert not leaks(planted, "nobody", bytes(wire.heard["nobody"]))


def look_everywhere(person: Person) -> Iterator[Page]:
    """The table with all that opens on it, the forms of the usual deeds with their odds, and every other page."""
    page = person.page
    for one in page.locator(".who summary, .lookup summary").all():
        if one.is_visible():
            one.click()
    yield page
    for number in range(page.locator(".acts button").count()):
        person.view("hero")
        button = page.locator(".acts button").nth(number)
        if not button.is_visible():
            button.locator("xpath=ancestor::article").locator(".choose summary").click()
        button.click()
        expect(page.locator("#open-form form")).to_be_visible()
        yield page
        page.locator("#open-form").get_by_label("Close").click()
        expect(page.locator("#open-form form")).to_have_count(0)
    for where in PAGES:
        page.goto(person.table + where)
        yield page
