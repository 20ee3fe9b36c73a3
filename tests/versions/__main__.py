"""Add a version to those whose files are read for ever.

`python -m tests.versions` adds the present one, `python -m tests.versions COMMIT` another. It plays its evenings by its
own code, unpacked into a folder of its own, with the packages of this environment.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def add(commit: str) -> Path:
    """Let a commit play its evenings, and pack what they leave."""
    name = _git("log", "-1", "--format=%cs-%h", "--abbrev=8", commit).decode().strip()
    with TemporaryDirectory() as scratch:
        code, evenings = Path(scratch, "code"), Path(scratch, "evenings")
        with tarfile.open(fileobj=BytesIO(_git("archive", commit, "src", "tests"))) as archive:
            archive.extractall(code, filter="data")
        paths = os.pathsep.join([str(code / "src"), str(code)])
        environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
        subprocess.run([sys.executable, HERE / "evening.py", evenings], env=environment, cwd=scratch, check=True)
        packed = HERE / f"{name}.tar.xz"
        with tarfile.open(packed, "w:xz", preset=9) as pack:
            for file in sorted(evenings.iterdir()):
                pack.add(file, file.name, filter=_anonymous)
    return packed


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Leave out who packed it, and when: the same evenings give the same bytes."""
    member.mtime = member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True).stdout


if __name__ == "__main__":
    for commit in sys.argv[1:] or ["HEAD"]:
        sys.stdout.write(f"{add(commit)}\n")
