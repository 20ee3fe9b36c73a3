"""Stores for tables: SQLite embedded, PostgreSQL for many processes. The URL selects one."""

import os
from pathlib import Path

from astragal.storage.private_files import make_folder
from astragal.table.log.store import BadStoreUrl, Damaged, NotAStore, Store, StoreError

__all__ = ["VARIABLE", "BadStoreUrl", "Damaged", "NotAStore", "default_path", "open_store"]

VARIABLE = "ASTRAGAL_DB"
"""Environment variable that names the store if no URL is given."""
_SQLITE = "sqlite:///"
_MEMORY = ("memory:", ":memory:", "sqlite:///:memory:")
_POSTGRES = ("postgresql://", "postgres://")


def open_store(url: str | None = None) -> Store:
    """Open the store at this URL; without one, that of `ASTRAGAL_DB`, else a file in the user's data folder.

    `sqlite:///tables.db` is a file in the current folder, `sqlite:////srv/tables.db` an absolute path; a bare path
    works, too. `postgresql://user:password@host:5432/database` is a database on a server. `memory:` is gone when it is
    closed: for notebooks and tests.
    """
    where = os.environ.get(VARIABLE) if url is None else url
    if where is None:
        path = default_path()
        try:
            make_folder(path.parent)
        except OSError as fault:
            raise StoreError(
                f"Tables can't be kept in {path.parent} ({fault.strerror}). "
                f"Set {VARIABLE} to a file in a folder that you can write to."
            ) from fault
        return _open_sqlite(path)
    if where.startswith(_POSTGRES):
        from astragal.storage.postgres import PostgresStore

        return PostgresStore(where)
    if where in _MEMORY:
        from astragal.storage.sqlite import in_memory

        return _open_sqlite(in_memory())
    return _open_sqlite(_path_of(where))


def default_path() -> Path:
    """Return the path of the embedded store in the user's data folder of this platform."""
    from platformdirs import user_data_path

    return user_data_path("astragal", appauthor=False) / "tables.db"


def _open_sqlite(path: Path) -> Store:
    from astragal.storage.sqlite import SqliteStore

    return SqliteStore(path)


def _path_of(where: str) -> Path:
    name = where.removeprefix(_SQLITE)
    if not name or "\0" in name:
        raise BadStoreUrl(f"{where!r} names no file; sqlite:///tables.db or tables.db would.")
    if name.startswith("sqlite:") or "://" in name:
        scheme = name.partition(":")[0]
        raise BadStoreUrl(
            f"A store's URL begins with {_SQLITE} (then a path) or {_POSTGRES[0]}, or is a bare path; "
            f"this one begins with {scheme}:."
        )
    return Path(name)
