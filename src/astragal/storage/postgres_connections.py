"""Connections to PostgreSQL: how they are made, shared between threads and found dead, and what goes wrong in words."""

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from threading import BoundedSemaphore, Event

import psycopg
from psycopg import errors
from psycopg.adapt import AdaptersMap
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus
from psycopg.rows import TupleRow, dict_row
from psycopg.types.numeric import Int8Dumper

from astragal.storage.faults import BadStoreUrl, Damaged, first_line
from astragal.storage.queries import Record, Row, Value, in_percent_style, queries
from astragal.table.log.store import StoreError, StoreFull, StoreUnavailable

Connection = psycopg.Connection[TupleRow]

MOST = 8
"""Connections of one store. More threads than that take turns."""
_DEFAULTS = {
    "application_name": "astragal",
    "connect_timeout": "5",
    # A server that went away without a word is noticed within half a minute.
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "25000",
}
_ADAPTERS = AdaptersMap(psycopg.adapters)
_ADAPTERS.register_dumper(int, Int8Dumper)  # one type for every number, so that a statement is prepared once


@contextmanager
def in_words(place: str) -> Iterator[None]:
    """Turns what the driver raises into the store's own faults."""
    try:
        yield
    except errors.DiskFull as error:
        raise StoreFull(f"There is no room left in the {place}.") from error
    except (errors.DataCorrupted, errors.IndexCorrupted) as error:
        raise Damaged(f"The {place} is damaged: {first_line(error)}.") from error
    except (psycopg.OperationalError, psycopg.InterfaceError, errors.ReadOnlySqlTransaction) as error:
        raise StoreUnavailable(f"The {place} can't be used now: {first_line(error)}.") from error
    except psycopg.Error as error:
        raise StoreError(f"The {place} refused: {first_line(error)}.") from error


@cache
def sql(query: str) -> bytes:
    return in_percent_style(queries("postgres")[query]).encode()


@dataclass(frozen=True, slots=True)
class PostgresSession:
    connection: Connection

    def ask(self, query: str, **values: Value) -> list[Row]:
        return self.connection.execute(sql(query), values, binary=True).fetchall()

    def change(self, query: str, **values: Value) -> int:
        return self.connection.execute(sql(query), values).rowcount

    def change_all(self, query: str, records: Iterable[Record]) -> int:
        rows = list(records)
        if len(rows) < 2:
            return sum(self.change(query, **row) for row in rows)
        with self.connection.cursor() as cursor:
            cursor.executemany(sql(query), rows)
            return cursor.rowcount

    def stream(self, query: str) -> Iterator[Record]:
        with self.connection.cursor(row_factory=dict_row, binary=True) as cursor:
            yield from cursor.stream(sql(query))


@dataclass(frozen=True, slots=True)
class PostgresSchema:
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
    """A few connections for many threads."""

    def __init__(self, url: str) -> None:
        try:
            wanted = conninfo_to_dict(url)
        except psycopg.ProgrammingError as error:
            raise BadStoreUrl(
                "This is not a PostgreSQL URL; one looks like postgresql://user:password@host:5432/database."
            ) from error
        self.place = f"PostgreSQL database {wanted.get('dbname', '')} at {wanted.get('host', 'localhost')}"
        self._conninfo = make_conninfo(**{**_DEFAULTS, **{name: str(value) for name, value in wanted.items()}})
        self._idle: deque[Connection] = deque()
        self._places = BoundedSemaphore(MOST)
        self._closed = Event()

    def connect(self) -> Connection:
        """One of the caller's own."""
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
                self._give_back(connection)

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

    def _give_back(self, connection: Connection) -> None:
        if self._closed.is_set() or connection.closed or connection.info.transaction_status != TransactionStatus.IDLE:
            connection.close()
        else:
            self._idle.append(connection)


def _is_alive(connection: Connection) -> bool:
    """Without asking the server: one that ended the connection left its last words, then the end, to be read."""
    try:
        for _ in ("last words", "the end"):
            connection.pgconn.consume_input()
    except psycopg.OperationalError:
        return False
    return True
