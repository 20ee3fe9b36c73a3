"""Faulty disk below SQLite: every call to it can fail, and the power can be cut at any of them."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import apsw

from astragal.storage import open_store
from astragal.table.host import Host
from astragal.table.log.store import StoreFull, StoreUnavailable
from astragal.table.refusals import NoRoom, Refusal
from benchmarks.soak.clients import Figures, Sent, check_whole, folder, open_table, some_command
from tests.table.dare import DARE

SECTOR = 512
BELOW = "unix"
CALLS = 500
"""Each of this many first calls of a program is made to fail once in every way."""
WAYS = ("before", "after", "full")
"""The call fails before anything is done or after it was, or there is no room left."""
COMMANDS = 40


class Pending:
    """A file as a power cut would leave it: what was synced, and any part of what was written since."""

    def __init__(self, path: Path) -> None:
        self._safe = bytearray(path.read_bytes() if path.exists() else b"")
        self._since: list[tuple[int, bytes | None]] = []

    def write(self, offset: int, data: bytes) -> None:
        self._since.append((offset, data))

    def truncate(self, size: int) -> None:
        self._since.append((size, None))

    def sync(self) -> None:
        for offset, data in self._since:
            _apply(self._safe, offset, data)
        self._since.clear()

    def after_a_cut(self, random: Random) -> bytes:
        """Return the content after a cut: each write since the last sync is there, is not, or is in some of its
        sectors.
        """
        left = bytearray(self._safe)
        share = random.choice([0.0, 0.5, 0.9, 1.0])
        for offset, data in self._since:
            if random.random() < share:
                _apply(left, offset, data)
            elif data and random.random() < 0.5:
                for start in range(0, len(data), SECTOR):
                    if random.random() < 0.5:
                        _apply(left, offset + start, data[start : start + SECTOR])
        return bytes(left)


def _apply(file: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del file[offset:]
    else:
        file.extend(bytes(max(0, offset - len(file))))
        file[offset : offset + len(data)] = data


class Disk(apsw.VFS):
    """VFS that everything SQLite asks of the disk goes through."""

    def __init__(self) -> None:
        super().__init__("astragal-soak", BELOW, makedefault=True)
        self.calls = 0
        self.fails_at, self.way = -1, ""
        self.looks_on: Callable[[], None] = lambda: None
        self.files: dict[str, Pending] = {}

    @contextmanager
    def call(self, *, writes: bool = False) -> Iterator[None]:
        """Run one call, which may be the one that fails."""
        self.calls += 1
        fails = self.calls == self.fails_at
        if fails and self.way == "full" and writes:
            raise apsw.FullError("injected")
        if fails and self.way == "before":
            raise apsw.IOError("injected")
        yield
        self.looks_on()
        if fails:
            raise apsw.IOError("injected, after it was done")

    def xOpen(self, name: Any, flags: list[int]) -> "DiskFile":  # noqa: N802 - SQLite's word
        with self.call():
            return DiskFile(self, name, flags)

    def xDelete(self, name: str, sync_folder: bool) -> None:  # noqa: N802 - SQLite's word
        with self.call():
            super().xDelete(name, sync_folder)
            self.files.pop(name, None)

    def after_a_cut(self, random: Random) -> dict[str, bytes]:
        return {name: file.after_a_cut(random) for name, file in self.files.items()}


class DiskFile(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        path = name if isinstance(name, str) else name.filename()
        super().__init__(BELOW, name, flags)
        self._file = disk.files.setdefault(path, Pending(Path(path))) if path else None

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's word
        with self._disk.call():
            return bytes(super().xRead(amount, offset))

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802 - SQLite's word
        with self._disk.call(writes=True):
            if self._file:
                self._file.write(offset, bytes(data))
            super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:  # noqa: N802 - SQLite's word
        with self._disk.call():
            if self._file:
                self._file.truncate(size)
            super().xTruncate(size)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's word
        with self._disk.call():
            super().xSync(flags)
            if self._file:
                self._file.sync()


@contextmanager
def watched_disk(checkpoint_every: int) -> Iterator[Disk]:
    """Put every file that SQLite opens meanwhile on this disk, with a checkpoint after so many pages."""
    disk = Disk()

    def hook(connection: apsw.Connection) -> None:
        connection.wal_autocheckpoint(checkpoint_every)

    def pass_over(found: Any) -> None:
        """Ignore a fault while SQLite closes a file, which it can't report to anyone."""
        if not isinstance(found.exc_value, apsw.Error):
            unraisable(found)

    apsw.connection_hooks.append(hook)
    unraisable, sys.unraisablehook = sys.unraisablehook, pass_over
    try:
        yield disk
    finally:
        sys.unraisablehook = unraisable
        apsw.connection_hooks.remove(hook)
        disk.unregister()


# ---------------------------------------------------------------- cuts of the power


def power(seed: int, cuts: int = 25) -> Figures:
    """Cut the power at any call: all that was acknowledged is there, and of what came later any part, torn."""
    random = Random(seed)
    left: list[tuple[int, dict[str, bytes]]] = []
    told = 0
    with folder() as place:
        with watched_disk(random.choice([4, 30, 1_000])) as disk:
            store = open_store(f"sqlite:///{place}/tables.db")
            host = _host(store, random)
            table, seats = open_table(host)

            def look_on() -> None:
                if len(left) < cuts and chance.random() < 0.1:
                    left.append((told, disk.after_a_cut(chance)))

            told, chance, disk.looks_on = store.last(table), Random(random.random()), look_on
            for number in range(COMMANDS):
                _told_at_last(some_command(str(number), host.look(table, seats.ada), seats, random), host, table)
                told = store.last(table)
            log = list(store.read(table))
            store.close()
            left.append((told, disk.after_a_cut(chance)))
        for told, files in left:
            for old in place.iterdir():
                old.unlink()
            for name, data in files.items():
                Path(name).write_bytes(data)
            store = open_store(f"sqlite:///{place}/tables.db")
            entries = list(store.read(table))
            assert entries == log[: len(entries)], "what is left is not what was written"
            assert len(entries) >= told, f"{told} entries were acknowledged, and {len(entries)} are left"
            host = _host(store, random)
            host.act(table, seats.ada, ("say", {"words": "after the cut"}))
            check_whole(store, host, table, seats.ada, [])
            store.close()
    return {"cuts": len(left)}


def _host(store: Any, random: Random) -> Host:
    return Host(store, (DARE,), clock=lambda: 0, entropy=random.randbytes)


# ---------------------------------------------------------------- calls that fail


def io(seed: int) -> Figures:
    """Let one call of SQLite to its disk fail: the first in one way, then in another, then the second, and so on."""
    call, way = divmod(seed, len(WAYS))
    random = Random(1)
    with folder() as place, watched_disk(30) as disk:
        disk.fails_at, disk.way = 1 + call % CALLS, WAYS[way]
        url = f"sqlite:///{place}/tables.db"
        store = _until_it_works(lambda: open_store(url))
        host = _host(store, random)
        table, seats = _until_it_works(lambda: open_table(host))
        receipts = []
        for number in range(COMMANDS):
            view = _until_it_works(lambda: host.look(table, seats.ada))
            sent = some_command(str(number), view, seats, random)
            if told := _told_at_last(sent, host, table):
                receipts.append(told)
        _until_it_works(store.close)
        assert disk.calls >= disk.fails_at, f"there are {disk.calls} calls"
        store = open_store(url)
        check_whole(store, _host(store, random), table, seats.ada, receipts)
        store.close()
    return {"faults": 1}


def _told_at_last(sent: Sent, host: Host, table: str) -> Any:
    """Send a command until its result is known; returns the receipt, or None if it is refused."""

    def give() -> Any:
        try:
            return sent.give(host, table).receipt
        except NoRoom:
            raise
        except Refusal:
            return None

    return _until_it_works(give)


def _until_it_works(work: Callable[[], Any]) -> Any:
    """Retry work after a fault."""
    for _ in range(3):
        try:
            return work()
        except (StoreUnavailable, StoreFull, NoRoom):
            continue
    return work()
