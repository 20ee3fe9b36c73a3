"""Installation of this copy of the program: where it came from, and the command that adds an extra to it.

Advice never names the package alone: who owns a name on an index decides what is installed from there.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from importlib.metadata import Distribution, PackageNotFoundError
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec

NAME = "astragal"
PIPX = "pipx"
UV_TOOL = "uv tool"
UV = "uv"
PIP = "pip"


class Copy(msgspec.Struct, frozen=True):
    """An installed copy: where it came from, and what installed it."""

    installer: str
    python: str
    prefix: Path
    """The environment that it is installed in."""
    source: str = ""
    """What to install again: a folder, or a file, archive or repository as a URL. Empty if that is gone, or unknown."""
    editable: bool = False

    @property
    def clone(self) -> Path | None:
        """The folder of a clone whose `./run` made this environment."""
        folder = self.prefix.parent
        return folder if self.editable and str(folder) == self.source and (folder / "run").is_file() else None


def this_copy() -> Copy:
    """Return how the running program was installed."""
    try:
        distribution = Distribution.from_name(NAME)
    except PackageNotFoundError:
        distribution = None
    return copy_of(distribution, Path(sys.prefix), sys.executable, has_pip=find_spec("pip") is not None)


def copy_of(distribution: Distribution | None, prefix: Path, python: str, *, has_pip: bool) -> Copy:
    """Read how a copy was installed from its metadata, and from the files of whatever manages its environment."""
    if (prefix / "pipx_metadata.json").is_file():
        installer = PIPX
    elif (prefix / "uv-receipt.toml").is_file():
        installer = UV_TOOL
    else:
        installer = PIP if has_pip else UV
    text = distribution.read_text("direct_url.json") if distribution else None
    origin = json.loads(text) if text else {}
    editable = bool(origin.get("dir_info", {}).get("editable"))
    return Copy(installer, python, prefix, _source_of(origin), editable)


def _source_of(origin: dict[str, dict[str, str] | str]) -> str:
    """Return what to install again, from the contents of `direct_url.json`. Empty if a local one has gone."""
    url = str(origin.get("url", ""))
    version_control = origin.get("vcs_info")
    if isinstance(version_control, dict):
        return f"{version_control['vcs']}+{url}@{version_control['commit_id']}"
    address = urlsplit(url)
    if address.scheme != "file":
        return url
    path = Path(unquote(address.path))
    if not path.exists():
        return ""
    return str(path) if "dir_info" in origin else url


def how_to_install(extra: str, copy: Copy | None = None) -> str:
    """Return a sentence that says how to install an extra of this copy; with "", the copy itself."""
    copy = copy or this_copy()
    if copy.clone:
        return f"Delete {copy.prefix}: {copy.clone / 'run'} sets it up again, with everything."
    if not copy.source:
        with_extra = f", with the extra {extra!r}" if extra else ""
        return f"Install astragal again from where this copy came from{with_extra}."
    marked = f"[{extra}]" if extra else ""
    is_folder = "://" not in copy.source
    requirement = f"{copy.source}{marked}" if is_folder else f"{NAME}{marked} @ {copy.source}"
    commands = {
        PIPX: "pipx install --force",
        UV_TOOL: "uv tool install --force",
        UV: f"uv pip install --python {_quoted(copy.python)}",
        PIP: f"{_quoted(copy.python)} -m pip install",
    }
    editable = " --editable" if copy.editable else ""
    return f"To install it: {commands[copy.installer]}{editable} {_quoted(requirement)}"


def _quoted(word: str) -> str:
    """Quote a word for the shell of this system."""
    if os.name == "nt":
        return f'"{word}"'
    return shlex.quote(word)
