"""PostgreSQL store: tables in a database for many processes, on many machines.

Threads share its connections. Dead ones are detected without asking the server.
"""

import logging
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from threading import BoundedSemaphore, Event

import psycopg
from msgspec import Struct
from psycopg import errors
from psycopg.adapt import AdaptersMap
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus
from psycopg.rows import TupleRow, dict_row
from psycopg.types.numeric import Int8Dumper

from astragal.storage import queries, sql_store, sqlite, urls, watchers
from astragal.table.log.store import BadStoreUrl, Closing, Damaged, StoreError, StoreFull, StoreUnavailable

Connection = psycopg.Connection[TupleRow]

POOL_SIZE = 8
"""Most connections of one store. Further threads wait for their turn."""
_DEFAULTS = {
    "application_name": "astragal",
    "connect_timeout": "5",
    # A server that vanished silently is detected within half a minute.
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "25000",
}
_ADAPTERS = AdaptersMap(psycopg.adapters)
_ADAPTERS.register_dumper(int, Int8Dumper)  # one type for every number, so that a statement is prepared once


@contextmanager
def translate_errors(place: str) -> Iterator[None]:
    """Translate the driver's errors into the store's own."""
    try:
        yield
    except errors.DiskFull as error:
        raise StoreFull(f"There is no room left in the {place}.") from error
    except (errors.DataCorrupted, errors.IndexCorrupted) as error:
        raise Damaged(f"The {place} is damaged: {queries.first_line(error)}.") from error
    except (psycopg.OperationalError, psycopg.InterfaceError, errors.ReadOnlySqlTransaction) as error:
        raise StoreUnavailable(f"The {place} can't be used now: {queries.first_line(error)}.") from error
    except psycopg.Error as error:
        raise StoreError(f"The {place} refused: {queries.first_line(error)}.") from error


@cache
def sql(query: str) -> bytes:
    return queries.in_percent_style(queries.of("postgres")[query]).encode()


class PostgresSession(Struct, frozen=True):
    connection: Connection

    def ask(self, query: str, **values: queries.Value) -> list[queries.Row]:
        return self.connection.execute(sql(query), values, binary=True).fetchall()

    def change(self, query: str, **values: queries.Value) -> int:
        return self.connection.execute(sql(query), values).rowcount

    def change_all(self, query: str, records: Iterable[queries.Record]) -> int:
        rows = list(records)
        if len(rows) < 2:
            return sum(self.change(query, **row) for row in rows)
        with self.connection.cursor() as cursor:
            cursor.executemany(sql(query), rows)
            return cursor.rowcount

    def stream(self, query: str) -> Iterator[queries.Record]:
        with self.connection.cursor(row_factory=dict_row, binary=True) as cursor:
            yield from cursor.stream(sql(query))


class PostgresSchema(Struct, frozen=True):
    connection: Connection

    def version(self) -> int:
        session = PostgresSession(self.connection)
        ((exists,),) = session.ask("schema_exists")
        return int(session.ask("schema_version")[0][0]) if exists else 0

    def take_step(self, number: int, script: str) -> None:
        session = PostgresSession(self.connection)
        with self.connection.transaction():
            session.ask("migrate_alone")
            if self.version() < number:
                self.connection.execute(script.encode())
                session.change("migrated", number=number)


class Connections:
    """Connection pool for many threads."""

    def __init__(self, url: str) -> None:
        urls.check_postgres_url(url)
        try:
            parameters = conninfo_to_dict(url)
        except psycopg.ProgrammingError as error:
            raise BadStoreUrl(urls.BAD_URL) from error
        self.place = f"PostgreSQL database {parameters.get('dbname', '')} at {parameters.get('host', 'localhost')}"
        chosen = {name: str(value) for name, value in parameters.items()}
        self._conninfo = make_conninfo(**{**_DEFAULTS, **chosen})
        self._idle: deque[Connection] = deque()
        self._places = BoundedSemaphore(POOL_SIZE)
        self._closed = Event()

    def connect(self) -> Connection:
        """Open a new connection, which the caller owns."""
        if self._closed.is_set():
            raise StoreUnavailable(f"The {self.place} is closed.")
        connection = psycopg.connect(self._conninfo, autocommit=True, client_encoding="UTF8", context=_ADAPTERS)
        try:
            connection.execute(sql("set_up_session"))
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def borrowed(self) -> Iterator[Connection]:
        with self._places:
            connection = self._alive() or self.connect()
            try:
                yield connection
            finally:
                is_idle = not connection.closed and connection.info.transaction_status == TransactionStatus.IDLE
                if is_idle and not self._closed.is_set():
                    self._idle.append(connection)
                else:
                    connection.close()

    def close(self) -> None:
        self._closed.set()
        while self._idle:
            self._idle.pop().close()

    def _alive(self) -> Connection | None:
        while self._idle and not self._closed.is_set():
            try:
                connection = self._idle.pop()
            except IndexError:  # another thread was quicker
                return None
            if _is_alive(connection):
                return connection
            connection.close()
        return None


def _is_alive(connection: Connection) -> bool:
    """Return whether the connection is alive, without asking the server.

    A server that ended it left its last words, then the end of the stream, to be read.
    """
    try:
        for _ in ("last words", "the end"):
            connection.pgconn.consume_input()
    except psycopg.OperationalError:
        return False
    return True


# ---------------------------------------------------------------- the store

STOP_WITHIN = 0.2
"""Seconds between two checks of the listener for whether to stop. Notifications are not delayed by this."""
FIRST_PAUSE = 0.05
LONGEST_PAUSE = 2.0
"""Seconds before a lost listener tries again: the first pause, doubled each time up to the longest."""
log = logging.getLogger(__name__)


class PostgresStore(sql_store.SqlStore):
    def __init__(self, url: str) -> None:
        self._connections = Connections(url)
        self._place = self._connections.place
        self._watchers = watchers.Watchers(self._listen)
        try:
            with translate_errors(self._place), self._connections.borrowed() as connection:
                queries.bring_up_to_date(PostgresSchema(connection), "postgres", f"The {self._place}")
        except BaseException:
            self.close()
            raise

    def backup(self, path: Path) -> None:
        with sqlite.new_backup(path) as part, sqlite.translate_errors(path), self._transaction() as session:
            session.change("as_of_one_moment")
            sqlite.copy_rows_to_file(session, part)

    def restore(self, path: Path, closing: Closing | None = None) -> None:
        with sqlite.opened_backup(path) as backup, self._transaction() as session:
            session.change("keep_others_out")
            sqlite.replace_all_rows(session, backup)
            if closing is not None:
                sql_store.close_each_log(session, closing)
            session.change("announce_everything")
        self._watchers.wake(None)

    def close(self) -> None:
        self._watchers.close()
        self._connections.close()

    @contextmanager
    def _reading(self) -> Iterator[queries.Session]:
        with translate_errors(self._place), self._connections.borrowed() as connection:
            yield PostgresSession(connection)

    @contextmanager
    def _transaction(self) -> Iterator[queries.Session]:
        with translate_errors(self._place), self._connections.borrowed() as connection, connection.transaction():
            yield PostgresSession(connection)

    def _write(self, steps: Sequence[queries.Step]) -> None:
        with self._transaction() as session:
            for query, alike in groupby(steps, itemgetter(0)):
                rows = [values for _, values in alike]  # sent to the server together
                if session.change_all(query, rows) < len(rows) and query in queries.MUST_CHANGE:
                    raise queries.Unchanged(query)

    def _listen(self, stop: Event) -> None:
        """Listen until `stop` is set, and reconnect after every loss of the connection."""
        pause = FIRST_PAUSE
        while not stop.is_set():
            try:
                with translate_errors(self._place):
                    for table in self._announced(stop):
                        self._watchers.wake(table)
                        pause = FIRST_PAUSE
            except StoreError as error:
                if pause == FIRST_PAUSE:  # log each loss once
                    log.warning("the listener was lost: %s", error)
                stop.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _announced(self, stop: Event) -> Iterator[str | None]:
        """Yield table ids from NOTIFY; None means any. The first is None, as notifications before LISTEN are lost."""
        with self._connections.connect() as connection:
            connection.execute(sql("listen"))
            yield None
            while not stop.is_set():
                for notice in connection.notifies(timeout=STOP_WITHIN):
                    yield notice.payload or None
