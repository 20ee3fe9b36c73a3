"""Kills of the page: its process is killed again and again while lines are spoken without pause.

Nothing acknowledged may be lost, and nothing doubled: the export of the table tells.
"""

import os
import signal
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.soak.clients import Figures
from tests.browser import chromium
from tests.browser.static_page import Player, served_page

LEAST, MOST = 300, 1500
"""Milliseconds between the first line of a page and its death."""

SPEAK = """async (round) => {
    const { contentDocument: table, contentWindow: window } = document.querySelector("iframe[name=table]");
    const to = table.querySelector("#speak").getAttribute("hx-post");
    const audience = table.querySelector("#speak-to").value;
    for (let number = 0; ; number += 1) {
        const words = `round ${round} line ${number}.`;
        sending(words);
        const body = new URLSearchParams({ words, to: audience });
        const answer = await window.fetch(to, { method: "POST", headers: { "HX-Request": "true" }, body });
        if (answer.ok) acknowledged(words);
    }
}"""


def pages(seed: int, count: int = 20) -> Figures:
    """Kill the process of a page in Chromium, again and again, and compare what was said with what is stored."""
    random = Random(seed)
    with served_page() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.ARGUMENTS)
        context = browser.new_context(service_workers="allow")
        sent: list[str] = []
        acknowledged: list[str] = []
        context.expose_function("sending", lambda words: sent.append(words))  # noqa: PLW0108 - it needs a function
        context.expose_function("acknowledged", lambda words: acknowledged.append(words))  # noqa: PLW0108 - the same
        player = Player.come(context, address)
        player.play("Sinew & Steel")
        for _ in range(2):
            player.speak("Twice.")
        if player.exported().count("Twice.") != 2:
            raise AssertionError("a line that is doubled would not show")
        table = player.page.url
        unreported = 0
        for number in range(count):
            player.page.evaluate(f"(round) => {{ ({SPEAK})(round); }}", number)
            player.page.wait_for_timeout(random.uniform(LEAST, MOST))
            kill_renderers(browser, player.page)
            player = Player(context.new_page())
            player.page.goto(table)
            player.listen()
            stored = player.exported()
            lost = [words for words in acknowledged if stored.count(words) != 1]
            doubled = [words for words in sent if stored.count(words) > 1]
            if lost or doubled:
                raise AssertionError(f"lost: {lost[:5]}, doubled: {doubled[:5]}")
            unreported = sum(stored.count(words) for words in sent) - len(acknowledged)
        browser.close()
    return {"kills": count, "acknowledged": len(acknowledged), "stored before their answer": unreported}


def kill_renderers(browser: Browser, page: Page) -> None:
    """Kill the processes that show pages and run their workers, at once and without a word."""
    devtools = browser.new_browser_cdp_session()
    processes: list[dict[str, Any]] = devtools.send("SystemInfo.getProcessInfo")["processInfo"]
    for process in processes:
        if process["type"] == "renderer":
            os.kill(process["id"], signal.SIGKILL)
    devtools.detach()
    page.close()
