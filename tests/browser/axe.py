"""Accessibility, as axe-core finds it wanting."""

from pathlib import Path
from typing import Literal

from playwright.sync_api import Page

SOURCE = Path(__file__).parents[2] / "browser" / "node_modules" / "axe-core" / "axe.min.js"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def violations(page: Page) -> list[str]:
    """What axe holds against the page as it stands: the rule, why it is one, and where it is broken."""
    # Not as a script of the page: its Content-Security-Policy allows none, and rightly.
    if not page.evaluate("'axe' in window"):
        page.evaluate(SOURCE.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
    return [
        f"{violation['id']}: {violation['help']}: {', '.join(str(node['target'][0]) for node in violation['nodes'])}"
        for violation in found
    ]


def assert_accessible(page: Page) -> None:
    """Neither the light nor the dark theme has a violation."""
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        found = violations(page)
        assert not found, f"{page.url} in the {theme} theme:\n" + "\n".join(found)
    page.emulate_media(color_scheme="null")
