"""Private file of AI seats: models, their keys, who is seated where, and what each has used.

It lies outside of every store, is readable by its owner alone, and is in no export and no backup. A key can be left out
of it and come from the environment instead.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from astragal.storage.private_files import make_folder, opener
from astragal.surfaces.shared.ai_seats import HOME, AiRole, Interface, Limits, Meter, Model
from astragal.table.refusals import NoSuchThing
from astragal.values import frozen

VARIABLE = "ASTRAGAL_AI"
"""The environment variable that names the file."""
KEY = "ASTRAGAL_AI_KEY"
"""The environment variable with a key for every model that has none of its own."""
MAKERS_KEY = {Interface.OPENAI: "OPENAI_API_KEY", Interface.ANTHROPIC: "ANTHROPIC_API_KEY"}
"""Sent to the makers' own addresses alone."""
NO_KEY = "none"
"""What a local server is told, which asks for nothing but does not like silence."""


@frozen
class Seating:
    """An AI that was seated: at which table and seat, as what, with which model, and how much it may use."""

    table: str
    seat: str
    role: AiRole
    model: str
    limits: Limits = Limits()
    by: str = ""
    """The seat of whoever seated it."""
    meter: Meter = Meter()


class AiFile:
    """The file, read whole and written whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._kept: dict[str, Any] = {"models": {}, "keys": {}, "seatings": []}
        self._read_at = 0

    def _fresh(self) -> dict[str, Any]:
        """The file as it is now: another process may have written it."""
        with suppress(FileNotFoundError):
            written = self._path.stat().st_mtime_ns
            if written != self._read_at:
                self._kept |= msgspec.json.decode(self._path.read_bytes())
                self._read_at = written
        return self._kept

    # ------------------------------------------------------------ models

    def models(self) -> list[Model]:
        with self._lock:
            return [_model(name, said) for name, said in self._fresh()["models"].items()]

    def model(self, name: str) -> Model:
        for one in self.models():
            if one.name == name:
                return one
        known = ", ".join(one.name for one in self.models()) or "none yet"
        raise NoSuchThing(f"No model {name[:60]!r} is set up here; there is {known}.")

    def keep_model(self, model: Model, key: str) -> None:
        with self._lock:
            self._fresh()["models"][model.name] = {
                "address": model.address,
                "interface": model.interface.value,
                "price": model.price,
            }
            if key:
                self._kept["keys"][model.name] = key
            self._write()

    def forget_model(self, name: str) -> None:
        with self._lock:
            self._fresh()["models"].pop(name, None)
            self._kept["keys"].pop(name, None)
            self._write()

    def key(self, model: Model) -> str:
        """The model's own, else the environment's; a maker's key goes nowhere but to the maker."""
        with self._lock:
            own = self._fresh()["keys"].get(model.name)
        makers = MAKERS_KEY[model.interface] if model.address == HOME[model.interface] else ""
        return own or os.environ.get(KEY) or os.environ.get(makers) or NO_KEY

    # ------------------------------------------------------------ seatings

    def seatings(self, table: str | None = None) -> list[Seating]:
        with self._lock:
            found = [_seating(said) for said in self._fresh()["seatings"]]
        return [one for one in found if table in (None, one.table)]

    def keep(self, seating: Seating) -> None:
        with self._lock:
            self._replace([*(one for one in self.seatings() if _place(one) != _place(seating)), seating])

    def forget(self, table: str, seat: str) -> None:
        with self._lock:
            self._replace([one for one in self.seatings() if _place(one) != (table, seat)])

    def _replace(self, seatings: Iterable[Seating]) -> None:
        self._kept["seatings"] = [_plain(one) for one in seatings]
        self._write()

    def _write(self) -> None:
        make_folder(self._path.parent)
        beside = self._path.with_suffix(".new")
        beside.unlink(missing_ok=True)
        with open(beside, "xb", opener=opener) as out:
            out.write(msgspec.json.format(msgspec.json.encode(self._kept)))
        beside.replace(self._path)


def _place(one: Seating) -> tuple[str, str]:
    return one.table, one.seat


def _model(name: str, said: Mapping[str, Any]) -> Model:
    price = said.get("price")
    return Model(name, said["address"], Interface(said["interface"]), tuple(price) if price else None)


def _plain(one: Seating) -> dict[str, Any]:
    meter, limits = one.meter, one.limits
    return {
        "table": one.table,
        "seat": one.seat,
        "role": one.role.value,
        "model": one.model,
        "by": one.by,
        "limits": [limits.tokens, limits.dollars],
        "meter": [meter.evening, meter.read, meter.written, meter.dollars],
    }


def _seating(said: Mapping[str, Any]) -> Seating:
    return Seating(
        said["table"],
        said["seat"],
        AiRole(said["role"]),
        said["model"],
        Limits(*said["limits"]),
        said["by"],
        Meter(*said["meter"]),
    )


def default_path() -> Path:
    """The file that `ASTRAGAL_AI` names, else one where this platform keeps a user's settings."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    from platformdirs import user_config_path

    return user_config_path("astragal", appauthor=False) / "ai.json"
