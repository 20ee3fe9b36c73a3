"""Accessibility, as axe-core finds it wanting."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page

SOURCE = Path(__file__).parents[2] / "browser" / "node_modules" / "axe-core" / "axe.min.js"
RULES_OF_COLOURS = ("color-contrast", "link-in-text-block")
LOOK = Path(__file__).with_name("axe_look.js").read_text(encoding="utf-8")
Theme = Literal["light", "dark"]
Themes = tuple[tuple[Theme, Sequence[str]], ...]
THEMES: Themes = (("light", ()), ("dark", RULES_OF_COLOURS))
"""Each with the rules to hold it to, none meaning all: the dark one differs in its colours alone."""
ON_A_LAPTOP: Themes = (("light", ()),)
ON_A_PHONE: Themes = (("dark", RULES_OF_COLOURS),)
"""Of a page that is looked at on both: colours are the same on both, and half of what axe does is to look at them."""


def violations(page: Page, rules: Sequence[str] = (), part: str = "") -> list[str]:
    """Faults that axe finds in the page as it stands, by these rules or all: the rule, its reason, where it breaks."""
    # Not as a script of the page: its Content-Security-Policy allows none, and rightly.
    asked = [part, {"runOnly": rules} if rules else {}]
    if (found := page.evaluate(LOOK, asked)) is None:
        page.evaluate(SOURCE.read_text(encoding="utf-8"))
        found = page.evaluate(LOOK, asked)
    return [
        f"{violation['id']}: {violation['help']}: {', '.join(str(node['target'][0]) for node in violation['nodes'])}"
        for violation in found
    ]


def assert_accessible(page: Page, themes: Themes = THEMES, part: str = "") -> None:
    """No theme has a violation.

    A part is whatever in view matches that selector: what is new on a page that is looked at as a whole elsewhere.
    """
    for theme, rules in themes:
        page.emulate_media(color_scheme=theme)
        found = violations(page, rules, part)
        assert not found, f"{page.url} in the {theme} theme:\n" + "\n".join(found)
    page.emulate_media(color_scheme="null")
