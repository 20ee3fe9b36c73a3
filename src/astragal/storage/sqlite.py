"""Tables in one SQLite file: for one person, one server, and the few other programs on the same machine."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os.path import samestat
from pathlib import Path
from threading import Event, Lock

import apsw

from astragal.storage.queries import Session
from astragal.storage.sql_store import SqlStore, close_each_log
from astragal.storage.sqlite_files import (
    SqliteSession,
    connect,
    copy_file,
    empty_write_ahead_log,
    in_words,
    is_in_memory,
    leave_passes_behind,
    new_backup,
    open_for_reading,
    open_up_to_date,
    opened_backup,
    put_in_place,
    transaction,
)
from astragal.storage.watchers import Watchers
from astragal.table.log.store import Closing, StoreError, StoreUnavailable

LOOK_EVERY = 0.05
LOOK_PATIENCE = 0.1
"""Seconds. Together they stay well under the 250 ms in which another process's entries are to be seen."""
MOST_IDLE = 4


class SqliteStore(SqlStore):
    """One connection writes, under a lock; others read, and are never waited for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not is_in_memory(path) and not path.parent.is_dir():
            raise StoreUnavailable(f"There is no folder {path.parent}.")
        self._source = str(path)
        """The name that connections are opened by."""
        with in_words(path):
            try:
                self._writer = open_up_to_date(path)
            except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError):
                if not path.is_file():
                    raise
                self._writer, self._source = open_for_reading(path)
        self._file = None if is_in_memory(path) else path.stat()
        self._lock = Lock()
        self._glance: apsw.Connection | None = None
        self._glance_lock = Lock()
        self._idle: deque[apsw.Connection] = deque()
        self._closed = Event()
        self._watchers = Watchers(self._look_for_others)

    def changes(self) -> int | None:
        """Asked of a connection that is used for nothing else, which sees the writer's changes and those of others."""
        with in_words(self.path), self._glance_lock:
            if self._closed.is_set():
                raise StoreUnavailable(f"{self.path} is closed.")
            if self._glance is None:
                self._glance = connect(self._source)
            return int(self._glance.pragma("data_version"))

    def blank(self, table: str, digest: str) -> None:
        super().blank(table, digest)
        self._leave_no_copy()

    def drop_picture(self, table: str, digest: str) -> None:
        super().drop_picture(table, digest)
        self._leave_no_copy()

    def _leave_no_copy(self) -> None:
        # What is forgotten is zeroed in its page (`secure_delete`); the write-ahead log still has that page as it was.
        with self._lock, suppress(StoreError), in_words(self.path):
            empty_write_ahead_log(self._writer)

    def backup(self, path: Path) -> None:
        with new_backup(path) as part, in_words(path), self._borrowed() as connection:
            copy_file(connection, part)
            leave_passes_behind(part)

    def restore(self, path: Path, closing: Closing | None = None) -> None:
        with opened_backup(path) as backup, self._transaction() as session:
            put_in_place(session, backup)
            if closing is not None:
                close_each_log(session, closing)
        self._watchers.wake(None)

    def close(self) -> None:
        self._watchers.close()
        with self._lock, in_words(self.path):
            self._closed.set()
            while self._idle:
                self._idle.pop().close()
            with self._glance_lock:
                if self._glance is not None:
                    self._glance.close()
            self._writer.close()

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        with in_words(self.path), self._borrowed() as connection:
            yield SqliteSession(connection)

    @contextmanager
    def _transaction(self) -> Iterator[Session]:
        with self._lock, in_words(self.path):
            self._check_file()
            with transaction(self._writer) as session:
                yield session
            self._check_file()

    def _check_file(self) -> None:
        """Whether the file is still there: what is written to one that was deleted is gone when the program ends."""
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
        seen = None
        while not stop.is_set():
            version = self._version_by_others()
            if version is None or version != seen:
                self._watchers.wake(None)
            seen = version
            stop.wait(LOOK_EVERY)

    def _version_by_others(self) -> int | None:
        """A number that changes when others write, asked of the writer, whose own entries do not change it.

        Another connection's number would change with every entry of ours too, and wake every table for each. If the
        writer is busy for long, others most likely keep it so: then the number is not known.
        """
        if not self._lock.acquire(timeout=LOOK_PATIENCE):
            return None
        try:
            with in_words(self.path):
                return int(self._writer.pragma("data_version"))
        except StoreError:
            return None
        finally:
            self._lock.release()
