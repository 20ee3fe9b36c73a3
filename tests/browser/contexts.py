"""Browser contexts that tests hand on to each other, as good as new."""

from __future__ import annotations

from collections import defaultdict
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, CDPSession, Frame, Page, ViewportSize

HELD = "http://127.0.0.1/held-open"
"""An address of the site that the tests' servers are at: ports make no difference."""
MEDIA = ("color_scheme", "reduced_motion", "forced_colors")


class ContextPool:
    """Gives out contexts in place of a browser, and wipes those that are closed for the next test that wants the same.

    A new context has a process of its own that has compiled nothing and cached nothing. To start it takes three times
    as much as a page in one that is warm. So there are few kinds: what a page can be given later, its size or theme
    for instance, makes no other context.
    """

    def __init__(self, browser: Browser) -> None:
        self._make = browser.new_context
        self._free: dict[str, list[BrowserContext]] = defaultdict(list)
        browser.new_context = self.take  # type: ignore[method-assign]

    def take(self, *, viewport: ViewportSize | None = None, **options: Any) -> BrowserContext:
        media = {name: options.pop(name) for name in MEDIA if name in options}
        options.setdefault("service_workers", "block")  # one would start for each context, and few tests ask for it
        options = {name: value for name, value in options.items() if value is not None}
        kind = repr(sorted(options.items()))
        context = self._free[kind].pop() if self._free[kind] else self._new(kind, options)

        def new_page() -> Page:
            page = BrowserContext.new_page(context)
            if viewport:
                page.set_viewport_size(viewport)
            if media:
                page.emulate_media(**media)
            return page

        context.new_page = new_page  # type: ignore[method-assign]
        return context

    def _new(self, kind: str, options: dict[str, Any]) -> BrowserContext:
        context = self._make(reduced_motion="reduce", **options)  # each frame of a movement is drawn by the processor
        held = hold_open(context)
        devtools = context.new_cdp_session(held)
        origins: set[str] = set()
        context.on("page", lambda page: page.on("framenavigated", lambda frame: origins.add(origin_of(frame))))

        def close(**_: Any) -> None:
            wipe(context, held, devtools, origins)
            context.close = close  # type: ignore[method-assign] # pytest-playwright puts its own around it
            self._free[kind].append(context)

        context.close = close  # type: ignore[method-assign]
        return context


def hold_open(context: BrowserContext) -> Page:
    """Open an empty page, so that the process of the site's pages outlives them. See `chromium.ARGUMENTS`."""
    held = context.new_page()
    held.route(HELD, lambda route: route.fulfill(body="", content_type="text/html"))
    held.goto(HELD)
    held.unroute_all()
    return held


def origin_of(frame: Frame) -> str:
    address = urlsplit(frame.url)
    return f"{address.scheme}://{address.netloc}"


def wipe(context: BrowserContext, held: Page, devtools: CDPSession, origins: set[str]) -> None:
    for page in context.pages:
        if page is not held:
            page.close()
    context.unroute_all()
    context.set_offline(offline=False)
    context.clear_cookies()
    context.clear_permissions()
    for origin in origins:
        devtools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    origins.clear()
