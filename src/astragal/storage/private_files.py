"""Files and folders for their owner's eyes alone: tables hold secrets, and the seeds of dice that are yet to fall."""

import os
from contextlib import suppress
from pathlib import Path

FILE, FOLDER, OTHERS = 0o600, 0o700, 0o077


def opener(name: str, flags: int) -> int:
    """For `open(…, opener=opener)`: a file that this makes is nobody else's to read."""
    return os.open(name, flags, FILE)


def make_file(path: Path) -> None:
    """An empty file, unless there is one. Where none can be made, whoever wants to write to it will say so."""
    with suppress(OSError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE))


def close_to_others(path: Path) -> None:
    """Mend a file that an older program left open. One that is somebody else's is theirs to mend."""
    if os.name == "posix":
        with suppress(OSError):
            if path.stat().st_mode & OTHERS:
                path.chmod(FILE)


def make_folder(path: Path) -> Path:
    """A folder of this program's own, made or mended. Never for one that a user has made."""
    path.mkdir(mode=FOLDER, parents=True, exist_ok=True)
    if os.name == "posix" and path.stat().st_mode & OTHERS:
        with suppress(OSError):
            path.chmod(FOLDER)
    return path
