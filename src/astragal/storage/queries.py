"""Named SQL queries, from the `.sql` files of this package, and migrations.

A query begins at `-- name: …` and ends at the next. Its parameters are written `:so`.

A migration is one transaction that ends by recording its number. If a program is killed in the middle, the migration is
either done or not, and the next program continues from there. Programs that migrate at the same time take turns.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from astragal.table.log.store import StoreTooNew, StoreUnavailable

Value = str | int | bytes | None
Row = tuple[Any, ...]
Record = Mapping[str, Value]
Step = tuple[str, Record]
"""A query that writes, and its values."""

MUST_CHANGE = {"add_table", "hold_table", "add_entry", "add_answer"}
"""Steps that have to change a row. If one doesn't, another writer was there first."""

_FOLDER = Path(__file__).parent
_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)
_COMMENT = re.compile(r"^--(?! name: ).*\n", re.MULTILINE)
_PARAMETER = re.compile(r"(?<!:):([a-z_]+)")


class Unchanged(Exception):
    """A step of `MUST_CHANGE` changed nothing. What was written with it is rolled back."""

    def __init__(self, query: str) -> None:
        super().__init__(query)
        self.query = query


class Session(Protocol):
    """Database session that runs named queries."""

    def ask(self, query: str, **values: Value) -> list[Row]: ...

    def change(self, query: str, **values: Value) -> int:
        """Run a change; returns the number of changed rows."""

    def change_all(self, query: str, records: Iterable[Record]) -> int:
        """Run a change for each record; returns the number of rows changed in all."""

    def stream(self, query: str) -> Iterator[Record]:
        """Yield rows as mappings by column name, however many there are."""


@cache
def of(dialect: str) -> dict[str, str]:
    """Return all named queries of a database: the common ones and its own. Cached for good: the files don't change."""
    return _named("queries.sql") | _named(f"{dialect}.sql")


@cache
def scripts(dialect: str) -> tuple[str, ...]:
    """Return the migrations of a database, in order. Cached for good, as `of` is."""
    files = sorted((_FOLDER / "migrations" / dialect).glob("*.sql"))
    return tuple(file.read_text(encoding="utf-8") for file in files)


def in_percent_style(sql: str) -> str:
    """Convert parameters to psycopg's style: `:table_id` becomes `%(table_id)s`."""
    return _PARAMETER.sub(r"%(\1)s", sql)


def in_trigger_style(sql: str) -> str:
    """Convert parameters to columns of the new row in an SQLite trigger: `:table_id` becomes `new.table_id`."""
    return _PARAMETER.sub(r"new.\1", sql)


def parameters(sql: str) -> set[str]:
    return set(_PARAMETER.findall(sql))


def _named(file: str) -> dict[str, str]:
    """Return the queries of a file by name."""
    text = (_FOLDER / file).read_text(encoding="utf-8")
    _, *parts = _NAME.split(_COMMENT.sub("", text))
    names = parts[::2]
    queries = parts[1::2]
    return {name: sql.strip().rstrip(";") for name, sql in zip(names, queries, strict=True)}


# ---------------------------------------------------------------- migrations


class Schema(Protocol):
    """Schema of a database, which may be of an older version or not exist yet."""

    def version(self) -> int: ...

    def take_step(self, number: int, script: str) -> None:
        """Run the script and record its number in one transaction, unless another program has done so meanwhile."""


def check_up_to_date(schema: Schema, dialect: str, place: str) -> None:
    """Check that a read-only database needs no migration. Raises `StoreUnavailable`."""
    version = schema.version()
    newest = len(scripts(dialect))
    if version != newest:
        raise StoreUnavailable(
            f"{place} can't be written, and is of version {version}, where this program needs {newest}. Copy it to a "
            "place that can be written."
        )


def bring_up_to_date(schema: Schema, dialect: str, place: str) -> None:
    migrations = scripts(dialect)
    version = schema.version()
    if version > len(migrations):
        raise StoreTooNew(
            f"{place} was written by a newer Astragal: it is of version {version}, "
            f"and this program knows {len(migrations)}. Please update Astragal."
        )
    for number, script in enumerate(migrations, start=1):
        if number > version:
            schema.take_step(number, script)


def first_line(error: BaseException) -> str:
    """Return the first line of a driver's error, short enough for a sentence."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
