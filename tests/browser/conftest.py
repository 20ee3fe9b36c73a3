"""Tests with a real browser: pytest-playwright's fixtures, set up for this house."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.browser import chromium
from tests.browser.contexts import ContextPool
from tests.browser.people import IN_VAIN, Room, open_house
from tests.browser.screenshots import Screenshots
from tests.surfaces.web.open_tables import Web

SCREENSHOTS = Path(__file__).parents[2] / "artefacts" / "screenshots"
ASKED_FOR = "ASTRAGAL_SCREENSHOTS"


@pytest.hookimpl(trylast=True)  # after pytest's own order, by what tests are set up with
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of this folder come last.

    Playwright's event loop runs in the main thread from its first page to the end of the session, and beside it no
    other test could start a loop of its own.
    """
    items.sort(key=lambda item: item.nodeid.startswith("tests/browser/"))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    found = chromium.executable()
    chosen = {"executable_path": found} if found else {}
    return {**browser_type_launch_args, **chosen, "args": chromium.ARGUMENTS, "timeout": IN_VAIN}


@pytest.fixture(scope="session")
def browser(browser: Browser) -> Browser:
    """As pytest-playwright has it; but whoever looks at a page in it is in no hurry, and contexts are handed on."""
    browser.on("context", lambda context: context.set_default_timeout(IN_VAIN))
    ContextPool(browser)
    return browser


@pytest.fixture(scope="session")
def base_url() -> str | None:
    """None, as pytest-playwright has it; but its own fixture is of a kind that pytest warns about."""
    return None


@pytest.fixture(scope="session")
def _pw_artifacts_folder(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """Pytest's own temporary folder, in place of one that pytest-playwright removes at the very end.

    A worker of pytest-xdist may be gone before that, and leaves a traceback on its way out.
    """
    return SimpleNamespace(name=str(tmp_path_factory.mktemp("playwright")))


@pytest.fixture
def _artifacts_recorder(_artifacts_recorder: Any, request: pytest.FixtureRequest) -> Any:
    """As pytest-playwright has it; but a test that has passed takes no pictures of its pages, to throw them away."""
    recorder, closing = _artifacts_recorder, _artifacts_recorder.on_will_close_browser_context

    def closing_what_failed(context: BrowserContext) -> None:
        ended = getattr(request.node, "rep_call", request.node.rep_setup)
        if ended.failed or request.config.getoption("--tracing") != "off":
            closing(context)

    recorder.on_will_close_browser_context = closing_what_failed
    return recorder


@pytest.fixture(scope="session")
def screenshots() -> Screenshots:
    """Pictures for people, where `ASTRAGAL_SCREENSHOTS=1` asks for them: `screenshots.keep(page, "phone.png")`."""
    if not os.environ.get(ASKED_FOR):
        return Screenshots(None)
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return Screenshots(SCREENSHOTS)


@pytest.fixture(scope="session")
def house(browser: Browser, screenshots: Screenshots, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """One server for all tests that need none of their own. Browsers have cached what its pages load."""
    with open_house(f"sqlite:///{tmp_path_factory.mktemp('house')}/tables.db", browser, screenshots) as found:
        yield found


@pytest.fixture(scope="session")
def live_web(house: Room) -> Web:
    """For tests that open tables of their own."""
    return Web(house.context)


@pytest.fixture(scope="session")
def held_port() -> Iterator[int]:
    """For servers that come one after the other: while none listens there, nobody else is given it.

    To a browser they are one site, whose scripts and pictures it has kept.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@pytest.fixture
def room(house: Room) -> Iterator[Room]:
    """Nothing is played there yet. Everybody goes home when it is over, and nothing went wrong in anybody's page."""
    for table in house.context.store.tables():
        house.context.store.delete(table)
    house.wrong.clear()
    yield house
    house.leave()
    assert not house.wrong
