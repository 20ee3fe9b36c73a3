"""SQL by name, from the `.sql` files of this package, and migrations.

A query begins at `-- name: …` and ends at the next. Its parameters are written `:so`.

A migration is one transaction that ends by recording its number, so a program that is killed in the middle has either
done it or not, and the next to come goes on from there. Two that come together take turns.
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
"""A query that changes something, and its values."""

MUST_CHANGE = {"add_table", "hold_table", "add_entry", "add_answer"}
"""Steps that say by changing nothing that something else is there."""

_FOLDER = Path(__file__).parent
_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)
_COMMENT = re.compile(r"^--(?! name: ).*\n", re.MULTILINE)
_PARAMETER = re.compile(r"(?<!:):([a-z_]+)")


class Unchanged(Exception):
    """A step that must change something found nothing to change. What was written with it is not kept."""

    def __init__(self, query: str) -> None:
        super().__init__(query)
        self.query = query


class Session(Protocol):
    """A conversation with a database, in named queries."""

    def ask(self, query: str, **values: Value) -> list[Row]: ...

    def change(self, query: str, **values: Value) -> int:
        """Run a change; returns the number of changed rows."""

    def change_all(self, query: str, records: Iterable[Record]) -> int:
        """Once for each record; how many rows were changed in all."""

    def stream(self, query: str) -> Iterator[Record]:
        """Rows by the names of their columns, as many as there may be."""


@cache
def of(dialect: str) -> dict[str, str]:
    """All named queries of a database: the common ones and its own."""
    return _named("queries.sql") | _named(f"{dialect}.sql")


@cache
def scripts(dialect: str) -> tuple[str, ...]:
    """The migrations of a database, in order."""
    found = sorted((_FOLDER / "migrations" / dialect).glob("*.sql"))
    return tuple(file.read_text(encoding="utf-8") for file in found)


def in_percent_style(sql: str) -> str:
    """`:table_id` as psycopg writes it: `%(table_id)s`."""
    return _PARAMETER.sub(r"%(\1)s", sql)


def in_trigger_style(sql: str) -> str:
    """`:table_id` as a trigger of SQLite's names it, a column of the new row: `new.table_id`."""
    return _PARAMETER.sub(r"new.\1", sql)


def parameters(sql: str) -> set[str]:
    return set(_PARAMETER.findall(sql))


def _named(file: str) -> dict[str, str]:
    _, *parts = _NAME.split(_COMMENT.sub("", (_FOLDER / file).read_text(encoding="utf-8")))
    return {name: sql.strip().rstrip(";") for name, sql in zip(parts[::2], parts[1::2], strict=True)}


# ---------------------------------------------------------------- migrations


class Schema(Protocol):
    """The tables of a database, which may be of an older version, or not there at all."""

    def version(self) -> int: ...

    def take_step(self, number: int, script: str) -> None:
        """Run the script and record its number in one transaction, unless that was done meanwhile."""


def check_up_to_date(schema: Schema, dialect: str, place: str) -> None:
    """For a database that can't be changed."""
    if (version := schema.version()) != (known := len(scripts(dialect))):
        raise StoreUnavailable(
            f"{place} can't be written, and is of version {version}, where this program needs {known}. Copy it to a "
            "place that can be written."
        )


def bring_up_to_date(schema: Schema, dialect: str, place: str) -> None:
    known = scripts(dialect)
    version = schema.version()
    if version > len(known):
        raise StoreTooNew(
            f"{place} was written by a newer Astragal: it is of version {version}, "
            f"and this program knows {len(known)}. Please update Astragal."
        )
    for number, script in enumerate(known, start=1):
        if number > version:
            schema.take_step(number, script)


def first_line(error: BaseException) -> str:
    """A driver's complaint, short enough to stand in a sentence."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
