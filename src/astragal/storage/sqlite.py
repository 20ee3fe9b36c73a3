"""SQLite store: tables in one file, for one person, one server, and the few other programs on the same machine.

Opens, recognises and migrates files, translates errors, and makes and restores backups. A backup is one file of the
same form with a store's tables. It can be restored, or simply opened.
"""

import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import cache
from itertools import count, islice
from os.path import samestat
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from threading import Event, Lock

import apsw
from msgspec import Struct

from astragal.storage import private_files, queries, sql_store, watchers
from astragal.table.log.store import Closing, Damaged, NotAStore, StoreError, StoreFull, StoreUnavailable

APPLICATION = 0x41737467
"""Application id in the header of every file of ours, from the first migration on: Astg."""
PATIENCE = 10.0
"""Seconds to wait for another process that is writing."""

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
def translate_errors(path: Path) -> Iterator[None]:
    """Translate the driver's errors into the store's own."""
    try:
        yield
    except apsw.FullError as error:
        raise StoreFull(f"There is no room left for {path}.") from error
    except apsw.NotADBError as error:
        raise NotAStore(f"{path} is no database, or its beginning is damaged.") from error
    except _UNREACHABLE as error:
        raise StoreUnavailable(f"{path} can't be used now: {queries.first_line(error)}.") from error
    except (apsw.Error, UnicodeDecodeError) as error:
        raise Damaged(f"{path} is damaged: {queries.first_line(error)}.") from error


class SqliteSession(Struct, frozen=True):
    connection: apsw.Connection

    def ask(self, query: str, **values: queries.Value) -> list[queries.Row]:
        return self.connection.execute(queries.of("sqlite")[query], values).fetchall()

    def change(self, query: str, **values: queries.Value) -> int:
        self.connection.execute(queries.of("sqlite")[query], values)
        return self.connection.changes()

    def change_all(self, query: str, records: Iterable[queries.Record]) -> int:
        changes_before = self.connection.total_changes()
        self.connection.executemany(queries.of("sqlite")[query], records)
        return self.connection.total_changes() - changes_before

    def stream(self, query: str) -> Iterator[queries.Record]:
        cursor = self.connection.execute(queries.of("sqlite")[query])
        names: list[str] = []
        for row in cursor:
            names = names or [name for name, _ in cursor.get_description()]
            yield dict(zip(names, row, strict=True))


class SqliteSchema(Struct, frozen=True):
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


STEPS = ("add_table", "hold_table", "add_entry", "add_answer", "add_text", "set_private", "add_picture")
STEPS_AT_ONCE = 100


def create_step_triggers(connection: apsw.Connection) -> None:
    """Create a view whose new rows are steps, each run by a trigger, so that a command's writes are one statement.

    After each statement a thread waits for its turn in the interpreter, and all other writers wait with it.
    """
    columns = ", ".join(_columns())
    connection.execute(f"CREATE TEMP VIEW step (query, {columns}) AS SELECT NULL{', NULL' * len(_columns())}")
    for query in STEPS:
        sql = queries.in_trigger_style(queries.of("sqlite")[query])
        check = f"SELECT RAISE(ABORT, '{query}') WHERE changes() = 0;" if query in queries.MUST_CHANGE else ""
        connection.execute(
            f"CREATE TEMP TRIGGER {query} INSTEAD OF INSERT ON step WHEN new.query = '{query}' BEGIN {sql}; {check} END"
        )


def take_steps(connection: apsw.Connection, steps: Sequence[queries.Step]) -> None:
    """Run steps as one statement, which is a transaction by itself if none has begun. Raises `Unchanged`."""
    columns = _columns()
    values: list[queries.Value] = []
    for query, record in steps:
        values.append(query)
        values += map(record.get, columns)
    try:
        connection.execute(_insert(len(steps)), values)
    except apsw.ConstraintError as error:
        if str(error) in queries.MUST_CHANGE:
            raise queries.Unchanged(str(error)) from None
        raise


@cache
def _columns() -> list[str]:
    return sorted(set().union(*(queries.parameters(queries.of("sqlite")[query]) for query in STEPS)))


@cache
def _insert(rows: int) -> str:
    row = f"(?{', ?' * len(_columns())})"
    return f"INSERT INTO step VALUES {', '.join([row] * rows)}"  # noqa: S608 - no input is in it


IN_MEMORY = "file:/astragal-in-memory-"


class BusyHandler:
    """Busy handler: retries several times a millisecond, which is about as long as another process writes.

    SQLite's own waiting grows to a tenth of a second, and so misses the moments in which a busy writer pauses.
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
    """Name a new database in memory. All connections of this process share it, and it is gone with the last of them."""
    return Path(f"{IN_MEMORY}{token_hex(8)}?vfs=memdb")


def is_in_memory(path: Path) -> bool:
    return str(path).startswith(IN_MEMORY)


def connect(path: Path | str, flags: int = apsw.SQLITE_OPEN_READWRITE) -> apsw.Connection:
    """Connect to a file, or to a `file:` URI."""
    is_uri = str(path).startswith("file:")
    connection = apsw.Connection(str(path), flags=flags | apsw.SQLITE_OPEN_URI if is_uri else flags)
    connection.set_busy_handler(BusyHandler())
    SqliteSession(connection).ask("set_up_connection")
    return connection


def open_up_to_date(path: Path) -> apsw.Connection:
    """Connect to a file of ours, and create or migrate it if needed. A file of another program is not touched.

    The files that SQLite puts beside it are made as private as the file itself.
    """
    if not is_in_memory(path):
        private_files.make_file(path)
    connection = connect(path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    try:
        check_ours(connection, path)
        if not is_in_memory(path):
            for suffix in ("", "-wal", "-shm", "-journal"):
                private_files.close_to_others(path.with_name(path.name + suffix))
        _write_ahead(connection)
        queries.bring_up_to_date(SqliteSchema(connection), "sqlite", str(path))
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(path: Path) -> tuple[apsw.Connection, str]:
    """Connect to a file that can't be written. Returns the connection, and the name for opening others.

    SQLite wants to write beside a file that it reads. Where it can't, it is told that nobody changes the file, unless
    there is a write-ahead log with content beside it.
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
        queries.check_up_to_date(SqliteSchema(connection), "sqlite", str(path))
        return connection, source
    raise StoreUnavailable(f"{path} can't be read, since nothing can be written beside it.")


def check_ours(connection: apsw.Connection, path: Path) -> None:
    ((application, version, contents),) = SqliteSession(connection).ask("whose_file")
    if application != APPLICATION and (application, version, contents) != (0, 0, 0):
        raise NotAStore(f"{path} is a database of another program.")


def empty_write_ahead_log(connection: apsw.Connection) -> None:
    """Empty the write-ahead log now if nobody reads from it; no one is made to wait."""
    connection.set_busy_handler(None)
    try:
        SqliteSession(connection).ask("empty_write_ahead_log")
    finally:
        connection.set_busy_handler(BusyHandler())


def _write_ahead(connection: apsw.Connection) -> None:
    """Switch to a write-ahead log. SQLite does not wait for others here by itself."""
    patience = BusyHandler()
    for tries in count():
        try:
            connection.pragma("journal_mode", "wal")
        except apsw.BusyError:
            if not patience(tries):
                raise
        else:
            return


# ---------------------------------------------------------------- backups


_KINDS = ("table", "entry", "answer", "text", "private", "picture")
"""Kinds of rows in a backup, in the order in which they refer to each other. Snapshots are left out as caches, passes
and jobs so that a backup lets nobody in again who has been sent away since, and holds no secret of a webhook."""
_AT_ONCE = 500


@contextmanager
def new_backup(path: Path) -> Iterator[Path]:
    """Yield a path to write a backup to. It is renamed to `path` when it is complete. Raises `FileExistsError`."""
    with open(path, "xb", opener=private_files.opener):
        pass
    part = path.with_name(f"{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        yield part
        part.replace(path)
        _sync_folder(path.parent)
    except BaseException:
        part.unlink(missing_ok=True)
        path.unlink(missing_ok=True)
        raise


def copy_file(source: apsw.Connection, path: Path) -> None:
    """Copy a database page by page, as of one moment. The copy needs no second file beside it."""
    private_files.make_file(path)
    with closing(apsw.Connection(str(path))) as copy:
        with copy.backup("main", source, "main") as pages:
            pages.step(-1)
        copy.pragma("journal_mode", "delete")


def leave_passes_behind(path: Path) -> None:
    with closing(connect(path)) as copy, transaction(copy) as session:
        session.change("forget_passes")
        session.change("forget_jobs")
        session.change("forget_presence")


def replace_all_rows(session: queries.Session, backup: queries.Session) -> None:
    """Replace all rows with those of a backup. Passes and jobs are kept, if their tables are in the backup."""
    passes = list(session.stream("every_pass"))
    jobs = list(session.stream("every_job"))
    session.change("delete_everything")
    copy_rows(backup, session)
    session.change_all("add_pass", passes)
    session.change_all("keep_job", jobs)


def copy_rows_to_file(source: queries.Session, path: Path) -> None:
    with closing(open_up_to_date(path)) as copy:
        with transaction(copy) as target:
            copy_rows(source, target)
        copy.pragma("journal_mode", "delete")


def copy_rows(source: queries.Session, target: queries.Session) -> None:
    for kind in _KINDS:
        rows = source.stream(f"every_{kind}")
        while batch := list(islice(rows, _AT_ONCE)):
            target.change_all(f"put_{kind}", batch)


@contextmanager
def opened_backup(path: Path) -> Iterator[queries.Session]:
    """Open a backup, migrated to this version in a temporary copy. The file itself stays as it is."""
    if not path.is_file():
        raise FileNotFoundError(f"There is no backup {path}.")
    with TemporaryDirectory(prefix="astragal-") as folder, translate_errors(path):
        copy = Path(folder) / "backup.db"
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as original:
            copy_file(original, copy)
        with closing(connect(copy)) as connection:
            check_ours(connection, path)
            if connection.pragma("user_version") == 0:
                raise NotAStore(f"{path} is empty.")
            if connection.pragma("integrity_check") != "ok":
                raise Damaged(f"{path} is damaged.")
            queries.bring_up_to_date(SqliteSchema(connection), "sqlite", str(path))
            session = SqliteSession(connection)
            for kind in _KINDS:  # what can't be read is found before anything is changed
                deque(session.stream(f"every_{kind}"), maxlen=0)
            yield session


def _sync_folder(folder: Path) -> None:
    """Flush a folder, so that a new name survives a power cut, where folders can be opened for that."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


# ---------------------------------------------------------------- the store

LOOK_EVERY = 0.05
LOOK_PATIENCE = 0.1
"""Seconds. Together they stay well under the 250 ms in which another process's entries have to be seen."""
MOST_IDLE = 4


class SqliteStore(sql_store.SqlStore):
    """Store in an SQLite file. One connection writes, under a lock; others read, and writers never wait for them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not is_in_memory(path) and not path.parent.is_dir():
            raise StoreUnavailable(f"There is no folder {path.parent}.")
        self._source = str(path)
        """The name for opening further connections."""
        with translate_errors(path):
            try:
                self._writer = open_up_to_date(path)
            except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError):
                if not path.is_file():
                    raise
                self._writer, self._source = open_for_reading(path)
            create_step_triggers(self._writer)
        self._file = None if is_in_memory(path) else path.stat()
        self._lock = Lock()
        self._version_connection: apsw.Connection | None = None
        self._glance_lock = Lock()
        self._idle: deque[apsw.Connection] = deque()
        self._closed = Event()
        self._watchers = watchers.Watchers(self._look_for_others)

    def changes(self) -> int | None:
        """Return the data version seen by an otherwise unused connection: the writer's and others' changes count."""
        with translate_errors(self.path), self._glance_lock:
            if self._closed.is_set():
                raise StoreUnavailable(f"{self.path} is closed.")
            if self._version_connection is None:
                self._version_connection = connect(self._source)
            return int(self._version_connection.pragma("data_version"))

    def blank(self, table: str, digest: str) -> None:
        super().blank(table, digest)
        self._leave_no_copy()

    def drop_picture(self, table: str, digest: str) -> None:
        super().drop_picture(table, digest)
        self._leave_no_copy()

    def _leave_no_copy(self) -> None:
        # `secure_delete` zeroes what is deleted in its page; the write-ahead log still has that page as it was.
        with self._lock, suppress(StoreError), translate_errors(self.path):
            empty_write_ahead_log(self._writer)

    def backup(self, path: Path) -> None:
        with new_backup(path) as part, translate_errors(path), self._borrowed() as connection:
            copy_file(connection, part)
            leave_passes_behind(part)

    def restore(self, path: Path, closing: Closing | None = None) -> None:
        with opened_backup(path) as backup, self._transaction() as session:
            replace_all_rows(session, backup)
            if closing is not None:
                sql_store.close_each_log(session, closing)
        self._watchers.wake(None)

    def close(self) -> None:
        self._watchers.close()
        with self._lock, translate_errors(self.path):
            self._closed.set()
            while self._idle:
                self._idle.pop().close()
            with self._glance_lock:
                if self._version_connection is not None:
                    self._version_connection.close()
            self._writer.close()

    @contextmanager
    def _reading(self) -> Iterator[queries.Session]:
        with translate_errors(self.path), self._borrowed() as connection:
            yield SqliteSession(connection)

    @contextmanager
    def _transaction(self) -> Iterator[queries.Session]:
        with self._lock, translate_errors(self.path):
            self._check_file()
            with transaction(self._writer) as session:
                yield session
            self._check_file()

    def _write(self, steps: Sequence[queries.Step]) -> None:
        parts = [steps[first : first + STEPS_AT_ONCE] for first in range(0, len(steps), STEPS_AT_ONCE)]
        with self._lock, translate_errors(self.path):
            self._check_file()
            with transaction(self._writer) if len(parts) > 1 else nullcontext():
                for part in parts:
                    take_steps(self._writer, part)
            self._check_file()

    def _check_file(self) -> None:
        """Check that the file is still there: what is written to a deleted one is gone when the program ends."""
        if self._file is None:
            return
        with suppress(FileNotFoundError):
            if samestat(self.path.stat(), self._file):
                return
        raise StoreUnavailable(f"{self.path} was deleted or replaced while it was in use.")

    @contextmanager
    def _borrowed(self) -> Iterator[apsw.Connection]:
        if self._closed.is_set():
            raise StoreUnavailable(f"{self.path} is closed.")
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = connect(self._source)
        try:
            yield connection
        finally:
            if self._closed.is_set() or len(self._idle) >= MOST_IDLE:
                connection.close()
            else:
                self._idle.append(connection)

    def _look_for_others(self, stop: Event) -> None:
        """Wake the watchers whenever another process has written, until this is stopped."""
        last_version = None
        while not stop.is_set():
            version = self._version_by_others()
            if version is None or version != last_version:
                self._watchers.wake(None)
            last_version = version
            stop.wait(LOOK_EVERY)

    def _version_by_others(self) -> int | None:
        """Return a number that changes when others write: the writer's data version, unchanged by its own entries.

        Another connection's number would change with every entry of ours too, and wake every table for each. If the
        writer is busy for long, others most likely keep it so: then the number is not known.
        """
        if not self._lock.acquire(timeout=LOOK_PATIENCE):
            return None
        try:
            with translate_errors(self.path):
                return int(self._writer.pragma("data_version"))
        except StoreError:
            return None
        finally:
            self._lock.release()
