"""Pictures of pages for people to look at."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page


class Screenshots:
    """Keeps pictures in a folder. Without one it takes none: each costs the processor as much as a click."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def keep(self, page: Page, name: str, **options: Any) -> None:
        """Options are those of `Page.screenshot`."""
        if self.folder:
            page.screenshot(path=self.folder / name, **options)
