"""Private files and folders, closed to other users: tables hold secrets, and the seeds of future dice."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

FILE = 0o600
FOLDER = 0o700
OTHERS = 0o077


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


def read_or_make(path: Path, make: Callable[[], bytes]) -> bytes:
    """Return the content of a private file, which is made once. Of programs that start together, one makes it for all.

    Its folder is made private, too.
    """
    with suppress(FileNotFoundError):
        return path.read_bytes()
    make_folder(path.parent)
    beside = path.with_name(f"{path.name}.{token_hex(4)}.new")
    try:
        with open(beside, "xb", opener=opener) as file:
            file.write(make())
        try:
            os.link(beside, path)  # a rename would replace what another program has just made
        except FileExistsError:
            pass
        except OSError:  # a file system without links
            beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return path.read_bytes()
