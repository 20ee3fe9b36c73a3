"""Tables in a PostgreSQL database: for many processes, on many machines."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

from astragal.storage import backups, sqlite_files
from astragal.storage.migrations import bring_up_to_date
from astragal.storage.postgres_connections import Connections, PostgresSchema, PostgresSession, in_words, sql
from astragal.storage.queries import Session
from astragal.storage.sql_store import SqlStore, close_each_log
from astragal.storage.watchers import Watchers
from astragal.table.log.store import Closing, StoreError

STOP_WITHIN = 0.2
"""Seconds between two looks of the listener at whether it should end. Notifications are not made to wait for it."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
"""Seconds before a lost listener tries again: twice as long each time."""
log = logging.getLogger(__name__)


class PostgresStore(SqlStore):
    def __init__(self, url: str) -> None:
        self._connections = Connections(url)
        self._place = self._connections.place
        self._watchers = Watchers(self._listen)
        try:
            with in_words(self._place), self._connections.borrowed() as connection:
                bring_up_to_date(PostgresSchema(connection), "postgres", f"The {self._place}")
        except BaseException:
            self.close()
            raise

    def backup(self, path: Path) -> None:
        with backups.new_backup(path) as part, sqlite_files.in_words(path), self._transaction() as session:
            session.change("as_of_one_moment")
            backups.copy_rows_to_file(session, part)

    def restore(self, path: Path, closing: Closing | None = None) -> None:
        with backups.opened_backup(path) as backup, self._transaction() as session:
            session.change("keep_others_out")
            passes, jobs = list(session.stream("every_pass")), list(session.stream("every_job"))
            session.change("delete_everything")
            backups.copy_rows(backup, session)
            backups.put_back(session, passes, jobs)
            if closing is not None:
                close_each_log(session, closing)
            session.change("announce_everything")
        self._watchers.wake(None)

    def close(self) -> None:
        self._watchers.close()
        self._connections.close()

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        with in_words(self._place), self._connections.borrowed() as connection:
            yield PostgresSession(connection)

    @contextmanager
    def _transaction(self) -> Iterator[Session]:
        with in_words(self._place), self._connections.borrowed() as connection, connection.transaction():
            yield PostgresSession(connection)

    def _listen(self, stop: Event) -> None:
        """Until told to stop; through every loss of the connection."""
        pause = FIRST_PAUSE
        while not stop.is_set():
            try:
                with in_words(self._place):
                    for table in self._announced(stop):
                        self._watchers.wake(table)
                        pause = FIRST_PAUSE
            except StoreError as error:
                if pause == FIRST_PAUSE:  # once for each loss is enough
                    log.warning("the listener was lost: %s", error)
                stop.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _announced(self, stop: Event) -> Iterator[str | None]:
        """The tables that others say have changed. First None: what happened before was heard by nobody."""
        with self._connections.connect() as connection:
            connection.execute(sql("listen"))
            yield None
            while not stop.is_set():
                for notice in connection.notifies(timeout=STOP_WITHIN):
                    yield notice.payload or None
