"""Settings of AI seats: models and their keys in a private file; who is seated where, in jobs of the store.

The file is outside of every store, is readable only by its owner, and is in no export and no backup. Keys in it are
encrypted with a secret that is in another folder or comes from the environment, as a key itself can.
"""

from __future__ import annotations

import hashlib
import os
import threading
from base64 import urlsafe_b64encode
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from astragal.storage.private_files import make_folder, opener, read_or_make
from astragal.surfaces.shared.ai_seats import (
    HOME,
    AiActivity,
    AiForm,
    AiRole,
    AiStatus,
    Interface,
    Limits,
    Meter,
    Model,
)
from astragal.table.log.store import Job
from astragal.table.refusals import NoSuchThing

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

KIND = "ai"
"""Kind of the store's jobs that are AI seats."""
VARIABLE = "ASTRAGAL_AI"
"""The environment variable that names the file."""
KEY = "ASTRAGAL_AI_KEY"
"""The environment variable with a key for every model that has none of its own."""
MAKERS_KEY = {Interface.OPENAI: "OPENAI_API_KEY", Interface.ANTHROPIC: "ANTHROPIC_API_KEY"}
"""The environment variables with the makers' keys, which are sent only to the makers' own addresses."""
SECRET = "ASTRAGAL_AI_SECRET"  # noqa: S105 - the name of a variable
"""The environment variable with a passphrase that encrypts keys, for use instead of a secret in a file."""
NO_KEY = "none"
"""Placeholder for a local server, which needs no key but may not accept an empty one."""


class Pace(Struct, frozen=True):
    """Delays and timeouts of an AI, in seconds."""

    settle: float = 1.5
    """Delay after an event: people often write twice."""
    request: float = 60.0
    turn: float = 240.0
    form: float = 900.0
    """Time for a person to answer a helper's proposal."""


def data_of(status: AiStatus) -> dict[str, Any]:
    """Convert an AI's status to the data of its job: seat, role, model, limits, use, and what it does."""
    limits = status.limits
    meter = status.meter
    return {
        "seat": status.seat,
        "role": status.role.value,
        "model": status.model.name,
        "by": status.by,
        "limits": [limits.tokens, limits.dollars],
        "meter": [meter.evening, meter.read, meter.written, meter.dollars],
        "doing": status.doing.value,
        "fault": status.fault,
        "forms": [[form.id, form.words, list(form.options), form.free] for form in status.forms],
    }


def status_of(job: Job, model: Model) -> AiStatus:
    """Convert the data of a job to an AI's status."""
    data = job.data
    return AiStatus(
        data["seat"],
        AiRole(data["role"]),
        model,
        Limits(*data["limits"]),
        AiActivity(data["doing"]),
        Meter(*data["meter"]),
        fault=data["fault"],
        forms=tuple(AiForm(name, words, tuple(options), free) for name, words, options, free in data["forms"]),
        by=data["by"],
    )


class AiFile:
    """The settings file, read and written as a whole."""

    def __init__(self, path: Path, secret: Path | None = None) -> None:
        self._path = path
        self._secret = secret or path.with_suffix(".key")
        self._lock = threading.RLock()
        self._kept: dict[str, Any] = {"models": {}, "keys": {}}
        self._read_at = 0

    def _fresh(self) -> dict[str, Any]:
        """Return the file's present content: another process may have written it."""
        with suppress(FileNotFoundError):
            written_at = self._path.stat().st_mtime_ns
            if written_at != self._read_at:
                self._kept |= msgspec.json.decode(self._path.read_bytes())
                self._read_at = written_at
        return self._kept

    # ------------------------------------------------------------ models

    def models(self) -> list[Model]:
        with self._lock:
            settings_by_name = self._fresh()["models"].items()
        return [
            Model(
                name, settings["address"], Interface(settings["interface"]), tuple(settings.get("price") or ()) or None
            )
            for name, settings in settings_by_name
        ]

    def model(self, name: str) -> Model:
        for model in self.models():
            if model.name == name:
                return model
        names = ", ".join(model.name for model in self.models()) or "none yet"
        raise NoSuchThing(f"No model {name[:60]!r} is set up here; there is {names}.")

    def keep_model(self, model: Model, key: str) -> None:
        with self._lock:
            self._fresh()["models"][model.name] = {
                "address": model.address,
                "interface": model.interface.value,
                "price": model.price,
            }
            if key:
                self._kept["keys"][model.name] = self._cipher.encrypt(key.encode()).decode()
            self._write()

    def forget_model(self, name: str) -> None:
        with self._lock:
            self._fresh()["models"].pop(name, None)
            self._kept["keys"].pop(name, None)
            self._write()

    def key(self, model: Model) -> str:
        """Return the model's own key, else one from the environment. A maker's key is only used with the maker."""
        with self._lock:
            encrypted = self._fresh()["keys"].get(model.name, "")
            key = ""
            if encrypted:
                from cryptography.fernet import InvalidToken

                with suppress(InvalidToken):  # the secret has changed: the key has to be set again
                    key = self._cipher.decrypt(encrypted).decode()
        makers = MAKERS_KEY[model.interface] if model.address == HOME[model.interface] else ""
        return key or os.environ.get(KEY) or os.environ.get(makers) or NO_KEY

    @cached_property
    def _cipher(self) -> Fernet:
        """Cipher with the passphrase of the environment, else with a secret that is made once."""
        from cryptography.fernet import Fernet

        if words := os.environ.get(SECRET):
            secret_key = hashlib.scrypt(words.encode(), salt=b"astragal ai keys", n=2**14, r=8, p=1, dklen=32)
            return Fernet(urlsafe_b64encode(secret_key))
        return Fernet(read_or_make(self._secret, Fernet.generate_key))

    def _write(self) -> None:
        _write_privately(self._path, msgspec.json.format(msgspec.json.encode(self._kept)))


def _write_privately(path: Path, data: bytes) -> None:
    """Write a file atomically, readable only by its owner."""
    make_folder(path.parent)
    beside = path.with_suffix(".new")
    beside.unlink(missing_ok=True)
    with open(beside, "xb", opener=opener) as out:
        out.write(data)
    beside.replace(path)


def own_file() -> AiFile:
    """Return the file that `ASTRAGAL_AI` names, else one where this platform keeps a user's settings."""
    if location := os.environ.get(VARIABLE):
        return AiFile(Path(location))
    from platformdirs import user_config_path, user_state_path

    settings, state = (where("astragal", appauthor=False) for where in (user_config_path, user_state_path))
    return AiFile(settings / "ai.json", state / "ai.key")
