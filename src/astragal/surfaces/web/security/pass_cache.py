"""Passes in memory: a stream asks at every message whether its pass still holds, and the store need not be.

A revocation holds at once in the process that makes it. Others drop what they remember when the store says that
somebody else wrote to it, within a fraction of a second; should that word be lost, after `LASTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from astragal.table.log.store import AtTable, Pass, Passes, PassKind

LASTS = 5_000
"""Milliseconds for which a pass is taken to be as it was."""
MOST = 20_000


class CachedPasses:
    """The passes of a store, remembered for a short time. `clock` gives milliseconds."""

    def __init__(self, stored: Passes, clock: Callable[[], int]) -> None:
        self._stored, self._clock = stored, clock
        self._found: dict[str, tuple[int, Pass]] = {}
        self._dropped = 0
        """How often everything was dropped: what was read before must not be kept after."""

    def drop(self) -> None:
        """Forget everything: some of it may have been revoked."""
        self._dropped += 1
        self._found = {}

    def find(self, digest: str) -> Pass | None:
        now, dropped = self._clock(), self._dropped
        when, known = self._found.get(digest, (0, None))
        if known is not None and 0 <= now - when < LASTS:
            return known
        found = self._stored.find(digest)
        if found is not None and dropped == self._dropped:
            if len(self._found) >= MOST:
                self._found = {}
            self._found[digest] = now, found
        return found

    def issue(self, one: Pass) -> None:
        self._stored.issue(one)

    def take(self, digest: str, now: int, into: Callable[[Pass], Pass]) -> Pass | None:
        try:
            return self._stored.take(digest, now, into)
        finally:
            self.drop()

    def revoke(self, digest: str, now: int) -> None:
        try:
            self._stored.revoke(digest, now)
        finally:
            self.drop()

    def revoke_seat(self, table: str, seat: str, now: int, kinds: Collection[PassKind] = tuple(PassKind)) -> None:
        try:
            self._stored.revoke_seat(table, seat, now, kinds)
        finally:
            self.drop()

    def revoke_table(self, table: str, now: int) -> None:
        try:
            self._stored.revoke_table(table, now)
        finally:
            self.drop()

    def of_table(self, table: str) -> list[Pass]:
        return self._stored.of_table(table)

    def note_present(self, process: str, came: Iterable[AtTable], went: Iterable[AtTable], until: int, now: int) -> int:
        return self._stored.note_present(process, came, went, until, now)

    def present(self, table: str, now: int) -> set[str]:
        return self._stored.present(table, now)

    def elsewhere(self, process: str, now: int) -> set[AtTable]:
        return self._stored.elsewhere(process, now)
