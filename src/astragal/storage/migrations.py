"""Bringing a database up to date, one numbered script at a time.

Each step is one transaction that ends by recording its number, so a program that is killed in the middle has either
done it or not, and the next to come goes on from there. Two that come together take turns.
"""

from typing import Protocol

from astragal.storage.queries import scripts
from astragal.table.log.store import StoreTooNew, StoreUnavailable


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
