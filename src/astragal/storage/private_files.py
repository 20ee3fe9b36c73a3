"""Private files and folders, closed to other users: tables hold secrets, and the seeds of future dice."""

import os
from contextlib import suppress
from pathlib import Path

FILE, FOLDER, OTHERS = 0o600, 0o700, 0o077


def opener(name: str, flags: int) -> int:
    """Opener for `open(…, opener=opener)`: a file that it creates is readable by its owner only."""
    return os.open(name, flags, FILE)


def make_file(path: Path) -> None:
    """Create an empty private file unless one exists. Errors are ignored: the first write will report them."""
    with suppress(OSError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE))


def close_to_others(path: Path) -> None:
    """Make a file private that an older version left open. A file of another user is left as it is."""
    if os.name == "posix":
        with suppress(OSError):
            if path.stat().st_mode & OTHERS:
                path.chmod(FILE)


def make_folder(path: Path) -> Path:
    """Create a private folder of the program's own, or make it private. Never for a folder that a user made."""
    path.mkdir(mode=FOLDER, parents=True, exist_ok=True)
    if os.name == "posix" and path.stat().st_mode & OTHERS:
        with suppress(OSError):
            path.chmod(FOLDER)
    return path
