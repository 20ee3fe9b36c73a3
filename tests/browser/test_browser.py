"""The means of the browser tests themselves: a browser, the libraries it loads, axe, and no way out of the machine."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, Error, Page

from tests.browser.axe import assert_accessible, violations
from tests.browser.screenshots import Screenshots

PAGE = "http://localhost/page"
LIBRARY = Path(__file__).parents[2] / "src" / "astragal" / "surfaces" / "web" / "static" / "lib"
STRICT = {"content-security-policy": "default-src 'none'; script-src 'self'", "content-type": "text/html"}
SOUND = '<html lang="en"><title>A page</title><main><h1>A page</h1></main>'
DARK_ON_DARK = """<style>
  :root { color-scheme: light dark }
  body { background: light-dark(white, black); color: light-dark(black, #222) }
</style>"""


def test_axe_passes_a_sound_page_under_a_strict_policy(page: Page) -> None:
    page.route(PAGE, lambda route: route.fulfill(body=SOUND, headers=STRICT))
    page.goto(PAGE)
    assert_accessible(page)


def test_axe_finds_a_planted_violation(page: Page) -> None:
    page.set_content(SOUND.replace("</main>", '<img src="data:,"></main>'))
    assert violations(page) == ["image-alt: Images must have alternative text: img"]


def test_axe_looks_at_the_dark_theme_too(page: Page) -> None:
    page.set_content(DARK_ON_DARK + SOUND)
    with pytest.raises(AssertionError, match="in the dark theme:\ncolor-contrast"):
        assert_accessible(page)


def test_axe_finds_what_is_wrong_with_what_is_folded_away_as_soon_as_it_is_in_view(page: Page) -> None:
    folded = "<details><summary>More</summary><div><img src='data:,'></div></details>"
    page.set_content(SOUND.replace("</main>", f"{folded}</main>"))
    assert violations(page) == []
    page.evaluate("document.querySelector('details').open = true")
    assert [found.partition(":")[0] for found in violations(page)] == ["image-alt"]
    page.evaluate("document.querySelector('details').open = false")
    page.evaluate("document.querySelector('img').outerHTML = '<map><area href=elsewhere></map>'")
    assert [found.partition(":")[0] for found in violations(page)] == ["area-alt"]


def test_axe_looks_at_a_part_alone_where_it_lies(page: Page) -> None:
    faults = "<img src='data:,'><p class=part hidden></p><p class=part style='color: #ddd'>Pale on the page’s white</p>"
    page.set_content(SOUND.replace("</main>", f"{faults}</main>"))
    assert [found.partition(":")[0] for found in violations(page)] == ["color-contrast", "image-alt"]
    assert [found.partition(":")[0] for found in violations(page, part=".part")] == ["color-contrast"]
    assert violations(page, part="h1") == []
    page.evaluate("document.body.style.background = 'black'")
    assert violations(page, part=".part") == []


def test_a_part_that_is_not_in_view_is_an_error(page: Page) -> None:
    page.set_content(SOUND.replace("</main>", "<p hidden>Folded away</p></main>"))
    for nowhere in ("#nowhere", "p"):
        with pytest.raises(Error, match=f"nothing in view is {nowhere}"):
            assert_accessible(page, part=nowhere)


def test_what_axe_could_not_look_at_is_a_violation(page: Page) -> None:
    page.set_content(SOUND)
    assert violations(page) == []
    page.evaluate("() => { axe._audit.checks['page-has-heading-one'].evaluate = () => { throw new Error('broken') } }")
    assert [found.partition(":")[0] for found in violations(page)] == ["page-has-heading-one"]


def test_the_pinned_libraries_are_in_the_package_and_run(page: Page) -> None:
    page.set_content(SOUND)
    for name in ("htmx.js", "hx-sse.js"):
        page.add_script_tag(path=LIBRARY / name)
    assert page.evaluate("htmx.version") == "4.0.0"


@pytest.fixture
def port() -> Iterator[int]:
    """Where a server answers on this machine."""
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        Thread(target=server.serve_forever).start()
        yield server.server_port
        server.shutdown()


def test_a_page_reaches_this_machine_by_its_known_names_alone(page: Page, port: int) -> None:
    """A browser without the rule takes every name under localhost for this machine."""
    page.set_content(SOUND)
    ask = "url => fetch(url, {mode: 'no-cors'}).then(() => 'answered', () => 'unanswered')"
    hosts = ("127.0.0.1", "localhost", "elsewhere.localhost")
    answers = {host: page.evaluate(ask, f"http://{host}:{port}") for host in hosts}
    assert answers == {"127.0.0.1": "answered", "localhost": "answered", "elsewhere.localhost": "unanswered"}


def test_a_screenshot_is_kept_where_there_is_a_folder_for_it(tmp_path: Path) -> None:
    """Taken without a browser: on a machine that is very busy Chromium gives up on a picture."""
    taken: list[Any] = []
    page = cast("Page", SimpleNamespace(screenshot=lambda **options: taken.append(options)))
    for folder in (None, tmp_path):
        Screenshots(folder).keep(page, "a-page.png", full_page=True)
    assert taken == [{"path": tmp_path / "a-page.png", "full_page": True}]


def test_a_context_is_handed_on_as_good_as_new(browser: Browser) -> None:
    """Nothing that a test left behind in it is found by the next."""
    address = "http://127.0.0.1/page"
    first = browser.new_context(locale="en-GB")
    page = first.new_page()
    page.route(address, lambda route: route.fulfill(body=SOUND, content_type="text/html"))
    page.goto(address)
    page.evaluate("localStorage.setItem('theme', 'dark')")
    first.add_cookies([{"name": "seat", "value": "Bo", "url": address}])
    first.set_offline(offline=True)
    first.close()
    second = browser.new_context(locale="en-GB")
    assert second is first
    page = second.new_page()
    page.route(address, lambda route: route.fulfill(body=SOUND, content_type="text/html"))
    page.goto(address)
    assert page.evaluate("[localStorage.length, document.cookie, navigator.onLine]") == [0, "", True]
    second.close()
