"""Settings from the environment and from a settings file, for options that a call does not give."""

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from astragal.surfaces.cli.errors import BadCall

PREFIX = "ASTRAGAL_"
FILE = "ASTRAGAL_SETTINGS"
"""The environment variable that names the settings file."""
SETTINGS = (
    "db",
    "games",
    "lan",
    "listen",
    "log_format",
    "log_level",
    "metrics",
    "owner_key",
    "port",
    "public",
    "workers",
)
"""Every key of a settings file. In the environment each is ASTRAGAL_ and the key in capitals."""
BOOLEANS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


class Settings:
    """Values of settings: the environment's, else the file's. Each is given as the texts that a call would have."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._environment = environment

    def texts(self, key: str) -> Sequence[str]:
        """The values of a setting, as texts: none where it is not set, one, or those of a list."""
        if (said := self._environment.get(variable(key))) is not None:
            return said.split(os.pathsep) if key == "games" else [said]
        value = self._in_file.get(key, [])
        several = value if isinstance(value, list) else [value]
        return [str(one).lower() if isinstance(one, bool) else str(one) for one in several]

    def source(self, key: str) -> str:
        """Where the value of a setting was found, for a sentence about it."""
        return variable(key) if variable(key) in self._environment else f"{key} in {self._environment.get(FILE)}"

    @cached_property
    def _in_file(self) -> Mapping[str, Any]:
        name = self._environment.get(FILE, "")
        if not name:
            return {}
        import tomllib
        from difflib import get_close_matches
        from pathlib import Path

        try:
            found = tomllib.loads(Path(name).read_text("utf-8"))
        except OSError as fault:
            raise BadCall(f"The settings file {name} can't be read: {fault.strerror}.") from fault
        except ValueError as fault:
            raise BadCall(f"The settings file {name} is not TOML: {fault}.") from fault
        for key in found.keys() - set(SETTINGS):
            near = get_close_matches(key, SETTINGS, n=1)
            meant = f" Did you mean {near[0]}?" if near else f" There are {', '.join(SETTINGS)}."
            raise BadCall(f"The settings file {name} has no setting {key!r}.{meant}")
        return found


def variable(key: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + key.upper()


def boolean(text: str) -> bool:
    try:
        return BOOLEANS[text.casefold()]
    except KeyError:
        raise BadCall(f"it is true or false, not {text[:40]!r}.") from None
