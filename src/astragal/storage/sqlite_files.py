"""SQLite files: how they are opened, recognised and brought up to date, and what goes wrong in words."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from secrets import token_hex

import apsw

from astragal.storage import private_files
from astragal.storage.queries import Record, Row, Value, bring_up_to_date, check_up_to_date, first_line, queries
from astragal.table.log.store import Damaged, NotAStore, StoreFull, StoreUnavailable

APPLICATION = 0x41737467
"""What the header of every file of ours says from the first migration on: Astg."""
PATIENCE = 10.0
"""Seconds to wait for another process that writes."""

_UNREACHABLE = (
    apsw.BusyError,
    apsw.LockedError,
    apsw.CantOpenError,
    apsw.ReadOnlyError,
    apsw.PermissionsError,
    apsw.IOError,
    apsw.ConnectionClosedError,
)


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Turns what the driver raises into the store's own faults."""
    try:
        yield
    except apsw.FullError as error:
        raise StoreFull(f"There is no room left for {path}.") from error
    except apsw.NotADBError as error:
        raise NotAStore(f"{path} is no database, or its beginning is damaged.") from error
    except _UNREACHABLE as error:
        raise StoreUnavailable(f"{path} can't be used now: {first_line(error)}.") from error
    except (apsw.Error, UnicodeDecodeError) as error:
        raise Damaged(f"{path} is damaged: {first_line(error)}.") from error


@dataclass(frozen=True, slots=True)
class SqliteSession:
    connection: apsw.Connection

    def ask(self, query: str, **values: Value) -> list[Row]:
        return self.connection.execute(queries("sqlite")[query], values).fetchall()

    def change(self, query: str, **values: Value) -> int:
        self.connection.execute(queries("sqlite")[query], values)
        return self.connection.changes()

    def change_all(self, query: str, records: Iterable[Record]) -> int:
        before = self.connection.total_changes()
        self.connection.executemany(queries("sqlite")[query], records)
        return self.connection.total_changes() - before

    def stream(self, query: str) -> Iterator[Record]:
        cursor = self.connection.execute(queries("sqlite")[query])
        names: list[str] = []
        for row in cursor:
            names = names or [name for name, _ in cursor.get_description()]
            yield dict(zip(names, row, strict=True))


@dataclass(frozen=True, slots=True)
class SqliteSchema:
    connection: apsw.Connection

    def version(self) -> int:
        return int(self.connection.pragma("user_version"))

    def take_step(self, number: int, script: str) -> None:
        with transaction(self.connection):
            if self.version() < number:
                self.connection.execute(script).fetchall()
                self.connection.pragma("user_version", number)


@contextmanager
def transaction(connection: apsw.Connection) -> Iterator[SqliteSession]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield SqliteSession(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # after some failures SQLite has rolled back by itself
            connection.execute("ROLLBACK")
        raise


IN_MEMORY = "file:/astragal-in-memory-"


class Patience:
    """Waits for another process, and tries again several times a millisecond, which is about as long as one writes.

    SQLite's own waiting grows to a tenth of a second, and so never meets the moments in which a busy writer pauses.
    """

    def __init__(self) -> None:
        self._deadline = 0.0

    def __call__(self, tries: int) -> bool:
        now = time.monotonic()
        if tries == 0:
            self._deadline = now + PATIENCE
        time.sleep(0.0001 * (1 + tries % 4))
        return now < self._deadline


def in_memory() -> Path:
    """A name for a database that all connections of this process share, and that is gone with the last of them."""
    return Path(f"{IN_MEMORY}{token_hex(8)}?vfs=memdb")


def is_in_memory(path: Path) -> bool:
    return str(path).startswith(IN_MEMORY)


def connect(path: Path | str, flags: int = apsw.SQLITE_OPEN_READWRITE) -> apsw.Connection:
    """A connection to a file, or to what a `file:` URI names."""
    is_uri = str(path).startswith("file:")
    connection = apsw.Connection(str(path), flags=flags | apsw.SQLITE_OPEN_URI if is_uri else flags)
    connection.set_busy_handler(Patience())
    SqliteSession(connection).ask("set_up_connection")
    return connection


def open_up_to_date(path: Path) -> apsw.Connection:
    """A connection to a file of ours, made if it is not there. A file of another's is not touched.

    What SQLite puts beside a file is as closed to others as the file.
    """
    if not is_in_memory(path):
        private_files.make_file(path)
    connection = connect(path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    try:
        check_ours(connection, path)
        for beside in () if is_in_memory(path) else ("", "-wal", "-shm", "-journal"):
            private_files.close_to_others(path.with_name(path.name + beside))
        _write_ahead(connection)
        bring_up_to_date(SqliteSchema(connection), "sqlite", str(path))
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(path: Path) -> tuple[apsw.Connection, str]:
    """A connection to a file that can't be written, and the name that others are opened by.

    SQLite wants to write beside a file that it reads. Where it can't, it is told that nobody changes the file, unless
    there is something beside it that belongs to it.
    """
    wal = path.with_name(path.name + "-wal")
    is_alone = not wal.exists() or not wal.stat().st_size
    for how in ("mode=ro", "immutable=1") if is_alone else ("mode=ro",):
        source = f"{path.absolute().as_uri()}?{how}"
        try:
            connection = connect(source, apsw.SQLITE_OPEN_READONLY)
            check_ours(connection, path)
        except (apsw.CantOpenError, apsw.ReadOnlyError):
            continue
        check_up_to_date(SqliteSchema(connection), "sqlite", str(path))
        return connection, source
    raise StoreUnavailable(f"{path} can't be read, since nothing can be written beside it.")


def check_ours(connection: apsw.Connection, path: Path) -> None:
    ((application, version, contents),) = SqliteSession(connection).ask("whose_file")
    if application != APPLICATION and (application, version, contents) != (0, 0, 0):
        raise NotAStore(f"{path} is a database of another program.")


def empty_write_ahead_log(connection: apsw.Connection) -> None:
    """Now, if nobody reads from it; no one is made to wait."""
    connection.set_busy_handler(None)
    try:
        SqliteSession(connection).ask("empty_write_ahead_log")
    finally:
        connection.set_busy_handler(Patience())


def _write_ahead(connection: apsw.Connection) -> None:
    """SQLite does not wait for others here by itself."""
    patience = Patience()
    for tries in count():
        try:
            connection.pragma("journal_mode", "wal")
        except apsw.BusyError:
            if not patience(tries):
                raise
        else:
            return
