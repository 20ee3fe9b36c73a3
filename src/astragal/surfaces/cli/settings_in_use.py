"""The store and the settings that a start uses, in words, without passwords."""

from __future__ import annotations

import os
from collections.abc import Iterator

from astragal.surfaces.cli.parser import Settings, variable


def settings_in_use(db: str | None) -> Iterator[str]:
    """Yield lines on where tables are stored, the settings file, and what overrides it."""
    settings = Settings()
    yield f"Tables are stored in {store_in_use(db)}"
    if settings.file:
        yield f"Settings are read from {settings.file}"
    for key in settings.overridden():
        yield f"  but {overriding(key)}"


def overriding(key: str) -> str:
    """Say that the environment overrides a key of the settings file."""
    return f"{variable(key)} in the environment overrides {key} of the file"


def store_in_use(db: str | None) -> str:
    """Return the store's path, or its URL without a password."""
    from astragal.storage import VARIABLE, default_path
    from astragal.storage.urls import without_password

    return without_password(db or os.environ.get(VARIABLE) or str(default_path()))
