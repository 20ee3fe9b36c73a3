"""Passes that let people and programs in to a table, and presence. A store keeps both beside the logs.

A pass is known by the digest of a secret that only its holder has: whoever reads the store can let nobody in with it.
None of this is part of a table's story: it is in no log, no export and no backup.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field
from enum import Enum
from typing import Any, Protocol, TypeAlias

from astragal.values import frozen

AtTable: TypeAlias = tuple[str, str]
"""A table and a seat at it."""


class PassKind(Enum):
    OWNER_LINK = "owner link"
    """A link that makes a browser the owner's."""
    OWNER = "owner"
    """A browser of whoever runs the tables of this store."""
    INVITATION = "invitation"
    """A link that seats whoever follows it first; without a seat, one by which all who follow it choose a free one."""
    SEAT = "seat"
    """A browser that sits at a seat."""
    TOKEN = "token"  # noqa: S105 - a kind of pass, not a secret
    """A program that sits at a seat."""


@frozen(kw_only=True)
class Pass:
    """A way in. Times are milliseconds since 1970."""

    digest: str
    """Of the secret; the pass's own name, which opens nothing."""
    kind: PassKind
    table: str | None = None
    """None for the owner's, which are for no table in particular."""
    seat: str | None = None
    made: int
    until: int
    used: int | None = None
    revoked: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    """Plain values: what a program was allowed beside its seat."""

    def is_good(self, now: int) -> bool:
        return self.used is None and self.revoked is None and now < self.until


class Passes(Protocol):
    """Safe to call from several threads, and beside other processes on the same database."""

    def issue(self, one: Pass) -> None:
        """Keep a new pass. Raises `NoSuchTable` where its table is not there."""

    def find(self, digest: str) -> Pass | None:
        """The pass of this digest, whether it is still good or not."""

    def take(self, digest: str, now: int, into: Callable[[Pass], Pass]) -> Pass | None:
        """Use a pass up and keep the one that it turns into, in one transaction: of many who try, one gets it.

        None where it is not there, or no longer good.
        """

    def revoke(self, digest: str, now: int) -> None: ...

    def revoke_seat(self, table: str, seat: str, now: int, kinds: Collection[PassKind] = tuple(PassKind)) -> None:
        """All passes to a seat, or those of some kinds."""

    def revoke_table(self, table: str, now: int) -> None: ...

    def of_table(self, table: str) -> list[Pass]:
        """Every pass to a table, oldest first."""

    def note_present(self, process: str, came: Iterable[AtTable], went: Iterable[AtTable], until: int, now: int) -> int:
        """Say who came to a process and who went, and that until then the rest of its seats are with it as before.

        Returns how many seats are noted; fewer than there are, if some were lost, with their table or in a restore.
        """

    def present(self, table: str, now: int) -> set[str]:
        """The seats of a table that some process has said are with it."""

    def elsewhere(self, process: str, now: int) -> set[AtTable]:
        """Tables and seats that other processes have said are with them."""
