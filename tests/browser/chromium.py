"""The browser that the tests drive. `python -m tests.browser.chromium` installs one where there is none."""

import os
import shutil
import subprocess
import sys

CHOSEN = "ASTRAGAL_BROWSER"
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The first has no windows, and takes a third less of the processor than a browser that hides them."""

# Pages are served by this machine, and whatever they or the browser ask of another stays unanswered.
# Pages of one context share a process, which one that is held open keeps warm for the next: see `ContextPool`. Without
# the limit each page would begin empty in a process of its own, and leave it for the warm one.
ARGUMENTS = [
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
    "--process-per-site",
    "--renderer-process-limit=1",
]


def executable() -> str | None:
    """The chosen browser or the machine's own; where there is neither, Playwright starts the one it brought."""
    return os.environ.get(CHOSEN) or next(filter(None, map(shutil.which, NAMES)), None)


def is_there() -> bool:
    return executable() is not None or playwrights_own_starts()


def playwrights_own_starts() -> bool:
    """That it was downloaded is not enough: it also needs libraries of the system."""
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        try:
            playwright.chromium.launch().close()
        except Error:
            return False
    return True


def install_shell() -> None:
    """From the system's packages, where they have it and no password is needed. A browser that is there will do."""
    as_root = prefix_for_root()
    if as_root is None or not shutil.which("apt-get"):
        return
    if not is_there():
        run(*as_root, "apt-get", "update")
    if subprocess.run(("apt-cache", "show", SHELL), check=False, capture_output=True).returncode == 0:
        run(*as_root, "apt-get", "install", "--yes", "--no-install-recommends", SHELL)


def prefix_for_root() -> list[str] | None:
    if os.geteuid() == 0:
        return []
    may = shutil.which("sudo") and run("sudo", "--non-interactive", "true")
    return ["sudo", "--non-interactive"] if may else None


def run(*words: str) -> bool:
    """What fails is not the end: another way may lead there."""
    print("$", *words, flush=True)  # noqa: T201 - it takes a while, and shows what is being done
    return subprocess.run(words, check=False).returncode == 0


def main() -> None:
    if not (os.environ.get(CHOSEN) or shutil.which(SHELL)):
        install_shell()
    if not is_there():
        run(sys.executable, "-m", "playwright", "install", "--only-shell", "chromium")
    if not is_there():
        sys.exit(f"There is no browser for the tests. Install Chromium or Chrome, or set {CHOSEN} to one like it.")


if __name__ == "__main__":
    main()
