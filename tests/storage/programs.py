"""Programs that tests run beside themselves, by their names."""

import os
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Never

import apsw
from msgspec.structs import replace

from astragal.storage import open_store
from astragal.table.log.store import Conflict, StoreUnavailable
from tests.storage.batches import answered


def append(url: str, name: str, count: str) -> None:
    """Append that many times, against whoever else does, and say each number once it is kept."""
    store = open_store(url)
    say("ready")
    sys.stdin.readline()
    for turn in range(int(count)):
        kept = False
        while not kept:
            number = store.last("table") + 1
            try:
                store.append("table", number - 1, answered(number, f"{name} {turn}"))
            except Conflict:
                continue
            kept = True
            say(f"{number} {turn}")
    store.close()


def append_once(url: str, name: str, after: str) -> None:
    store = open_store(url)
    say("ready")
    sys.stdin.readline()
    try:
        store.append("table", int(after), answered(int(after) + 1, name))
    except Conflict:
        say("conflict")
    else:
        say("kept")
    store.close()


def read_only() -> None:
    """Read a store in a folder in which nothing can be written, as somebody who may not."""
    folder = Path(mkdtemp(prefix="astragal-read-only-"))
    path = folder / "tables.db"
    store = open_store(str(path))
    store.create("table", answered(1, "open"))
    store.close()
    older = folder / "older.db"
    shutil.copy(path, older)
    with closing(apsw.Connection(str(older))) as connection:
        connection.pragma("user_version", 2)
        connection.pragma("journal_mode", "delete")
    for name, mode in ((path, 0o444), (older, 0o444), (folder, 0o555)):
        name.chmod(mode)
    owner = os.getuid()
    if owner == 0:  # nothing is closed to this user
        os.seteuid(65534)
    store = open_store(str(path))
    say(f"{len(list(store.read('table')))} entry")
    try:
        store.append("table", 1, answered(2, "go on"))
    except StoreUnavailable as fault:
        say(str(fault).partition("now: ")[2])
    store.close()
    try:
        open_store(str(older))
    except StoreUnavailable as fault:
        say("2 of version 2" if "is of version 2, where this program needs" in str(fault) else str(fault))
    os.seteuid(owner)
    folder.chmod(0o755)
    shutil.rmtree(folder)


def open_and_die(url: str, statement: str) -> None:
    """Die as by `kill -9` before the n-th statement that opening a store sends to its database."""
    deadly = Deadly(url)
    deadly.left = int(statement)
    open_store(url).close()
    say("opened")


def restore_and_die(url: str, backup: str, statement: str) -> None:
    deadly = Deadly(url)
    store = open_store(url)
    deadly.left = int(statement)
    store.restore(Path(backup))
    say("restored")


def take_and_die(url: str, invitation: str, session: str, statement: str) -> None:
    deadly = Deadly(url)
    store = open_store(url)
    found = store.passes.find(invitation)
    assert found
    deadly.left = int(statement)
    store.passes.take(invitation, found.made + 1, lambda taken: replace(taken, digest=session, used=None))
    say("taken")


class Deadly:
    """Counts statements sent to the database, from when it is told how many are left."""

    left = sys.maxsize

    def __init__(self, url: str) -> None:
        if url.startswith("sqlite:"):
            count_statements_of_sqlite(self.count)
        else:
            count_statements_of_postgres(self.count)

    def count(self) -> None:
        self.left -= 1
        if self.left < 0:
            die()


def count_statements_of_sqlite(count: Callable[[], None]) -> None:
    import apsw

    def traced(_cursor: apsw.Cursor, _sql: str, _bindings: object) -> bool:
        count()
        return True

    def hook(connection: apsw.Connection) -> None:
        connection.exec_trace = traced

    apsw.connection_hooks.append(hook)


def count_statements_of_postgres(count: Callable[[], None]) -> None:
    import psycopg

    execute = psycopg.Connection.execute

    def traced(self: Any, *arguments: Any, **options: Any) -> Any:
        count()
        return execute(self, *arguments, **options)

    psycopg.Connection.execute = traced  # type: ignore[method-assign]


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def die() -> Never:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("killed, and yet it lives")


PROGRAMS: dict[str, Callable[..., None]] = {
    "append": append,
    "append_once": append_once,
    "open_and_die": open_and_die,
    "read_only": read_only,
    "restore_and_die": restore_and_die,
    "take_and_die": take_and_die,
}
