"""SQL by name, from the `.sql` files of this package.

A query begins at `-- name: …` and ends at the next. Its parameters are written `:so`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol

Value = str | int | bytes | None
Row = tuple[Any, ...]
Record = Mapping[str, Value]

_FOLDER = Path(__file__).parent
_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)
_PARAMETER = re.compile(r"(?<!:):([a-z_]+)")


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
def queries(dialect: str) -> dict[str, str]:
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


def _named(file: str) -> dict[str, str]:
    _, *parts = _NAME.split((_FOLDER / file).read_text(encoding="utf-8"))
    return {name: _without_comments(sql) for name, sql in zip(parts[::2], parts[1::2], strict=True)}


def _without_comments(sql: str) -> str:
    return "\n".join(line for line in sql.strip().splitlines() if not line.startswith("--")).rstrip(";")
