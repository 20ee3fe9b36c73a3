"""Rounds of the fault campaign: each takes a seed, does harm, and raises what it finds.

`benchmarks/campaign.py` runs them again and again; a short form of each is in the tests.
"""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from secrets import token_bytes
from tempfile import TemporaryDirectory
from threading import Barrier, Thread
from typing import Any

from astragal.chance import ChanceError
from astragal.chance.notation import BadNotation, parse
from astragal.fair import verify
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.storage import open_store
from astragal.storage.queries import scripts
from astragal.table.contract.samples import commands_to_try
from astragal.table.host import Host
from astragal.table.log.audit import audit
from astragal.table.log.store import StoreError, StoreUnavailable
from astragal.table.refusals import NoRoom, Refusal
from astragal.wiring import installed_rulesets
from benchmarks.simulation import simulate
from benchmarks.soak import soak_store
from benchmarks.storage import postgres_url
from tests.storage.places import finished, postgres_database
from tests.table.fair_tables import FairTable, fair_host

Figures = dict[str, int]
SOAK_SECONDS = 15.0
STATEMENTS = 60
"""More than opening a store sends to its database."""


@contextmanager
def folder() -> Iterator[Path]:
    with TemporaryDirectory(prefix="astragal-faults-") as name:
        yield Path(name)


def kills(seed: int, seconds: float = SOAK_SECONDS) -> Figures:
    """Three processes at one table of an SQLite file, killed again and again."""
    with folder() as place:
        done = soak_store(f"sqlite:///{place}/tables.db", place, seconds, seed)
    return {"kills": done.kills, "commands": done.told, "in doubt": done.in_doubt}


def postgres_kills(seed: int, seconds: float = SOAK_SECONDS) -> Figures:
    """The same on PostgreSQL."""
    with folder() as place, postgres_url() as url, postgres_database(url) as database:
        done = soak_store(database.url, place, seconds, seed)
    return {"kills": done.kills, "commands": done.told, "in doubt": done.in_doubt}


# ---------------------------------------------------------------- power cuts


def power(seed: int, cuts: int = 8) -> Figures:
    """Cuts of the power: all that was acknowledged is on the disk, and of what came later any part, torn anywhere."""
    random = Random(seed)
    with folder() as place:
        path = place / "tables.db"
        store = open_store(str(path))
        table = FairTable(store)
        for _ in range(cuts):
            for _ in range(random.randint(0, 3)):
                _act(table, random)
            told = len(list(store.read(table.table)))
            synced = _size(path.with_name("tables.db-wal"))
            for _ in range(random.randint(1, 3)):  # not acknowledged to anybody in what comes after the cut
                _act(table, random)
            _check_after_cut(path, table, told, synced, random)
        store.close()
    return {"cuts": cuts}


def _act(table: FairTable, random: Random) -> None:
    match random.randrange(4):
        case 0:
            table.dare(table.bo, "Kira")
        case 1:
            table.dare(table.cy, "Lund")
        case 2:
            table.act(table.bo, "say", words="x" * random.choice([1, 500, 1_000]))
        case _:
            table.act(table.ada, "write_note", title=f"note {random.random()}")


def _check_after_cut(path: Path, table: FairTable, told: int, synced: int, random: Random) -> None:
    copy, wal = path.with_name("after.db"), path.with_name("tables.db-wal")
    wal_copy = copy.with_name("after.db-wal")
    for old in copy.parent.glob("after.db*"):
        old.unlink()
    shutil.copy(path, copy)
    written = bytearray(wal.read_bytes())
    torn = written[: random.randint(synced, len(written))]
    for _ in range(random.randint(0, 6)):  # sectors that were not written yet
        if len(torn) > synced:
            first = random.randrange(synced, len(torn)) // 512 * 512
            if first >= synced:
                torn[first : first + 512] = bytes(min(512, len(torn) - first))
    wal_copy.write_bytes(torn)
    after = open_store(str(copy))
    entries = list(after.read(table.table))
    before = list(table.store.read(table.table))
    assert entries == before[: len(entries)], "what is left is not what was written"
    assert len(entries) >= told, f"{told} entries were acknowledged, and {len(entries)} are left"
    host = fair_host(after)
    host.act(table.table, table.ada, ("say", {"words": "after the cut"}))
    assert verify(list(host.ledger(table.table, table.ada))).sound
    after.close()


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


# ---------------------------------------------------------------- faults of single calls


def io(seed: int) -> Figures:
    """The n-th call of the store fails, before or after it is done; the command is sent again and is done once."""
    store = open_store("memory:")
    table = FairTable(store)
    failing = _Failing(store, seed // 2, after=bool(seed % 2))
    host = fair_host(failing)
    given = 0
    for number in range(6):
        for _ in range(4):
            try:
                fields = {"who": "Kira", "danger": 9}
                outcome = host.act(table.table, table.bo, ("dare", fields), command_id=f"dare {number}")
            except (NoRoom, StoreError):
                continue
            given += 1
            assert outcome.receipt
            table.receipts.append(outcome.receipt)
            break
    assert given == 6
    assert len(table.lines("roll")) == 6
    assert verify(table.ledger(), table.receipts).sound
    assert not audit(table.export()).edits
    store.close()
    return {"faults": int(failing.has_failed)}


class _Failing:
    """A store of which one call fails."""

    def __init__(self, store: Any, nth: int, *, after: bool) -> None:
        self._store, self._left, self._after, self.has_failed = store, nth, after, False

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if not callable(found) or name in ("watch", "keep_snapshot"):
            return found

        def call(*given: Any, **more: Any) -> Any:
            self._left -= 1
            fails = self._left == -1
            self.has_failed |= fails
            if fails and not self._after:
                raise StoreUnavailable("injected")
            done = found(*given, **more)
            if fails:
                raise StoreUnavailable("injected, after it was done")
            return done

        return call


# ---------------------------------------------------------------- many at once


def pool(seed: int, threads: int = 4) -> Figures:
    """Four, each with a connection of their own, spend one pool of nerve: no point twice."""
    random = Random(seed)
    with folder() as place:
        url = f"sqlite:///{place}/tables.db"
        store = open_store(url)
        host = fair_host(store)
        opened = host.open("dare", name="The Cliff", game_master="Ada", options={"nerve": 6})
        joined = host.act(opened.table, opened.seat, ("join", {"name": "Kira"}))
        kira = str(joined.events[0].fields["who"])
        start, spent = Barrier(threads), list[int]()

        def spend(luck: Random) -> None:
            own = open_store(url)
            mine = fair_host(own)
            start.wait()
            for _ in range(12):
                try:
                    done = mine.act(opened.table, opened.seat, ("dare", {"who": kira, "danger": luck.randint(5, 8)}))
                    if done.waits_for:
                        (asked,) = mine.decisions(opened.table, opened.seat)
                        most = asked.choices[-1].answer
                        done = mine.act(opened.table, opened.seat, ("answer", {"act": done.act, "answer": most}))
                    spent.extend(event.fields["spent"] for event in done.events if "spent" in event.fields)
                except (Refusal, ValueError):  # somebody else was faster
                    continue
            own.close()

        workers = [Thread(target=spend, args=(Random(random.random()),)) for _ in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        left = fair_host(store).look(opened.table, opened.seat).characters[kira].sheet.nerve
        assert left == 6 - sum(spent), f"{sum(spent)} were spent of 6, and {left} are left"
        assert left >= 0
        assert not audit(list(host.archive.export(opened.table, opened.seat))).edits
        store.close()
    return {"points spent": sum(spent)}


def migrations(seed: int) -> Figures:
    """A program killed before one statement of bringing an older file up to date; the next goes on."""
    with folder() as place:
        path = place / "tables.db"
        store = open_store(str(path))
        table = FairTable(store)
        table.dare(table.bo)
        before = list(store.read(table.table))
        store.close()
        version = Random(seed).choice([2, 3])
        with closing(sqlite3.connect(path)) as connection:
            later = ("jobs", "pictures", "presence", "passes", *(("snapshots",) if version == 2 else ()))
            for name in later:
                connection.execute(f"DROP TABLE {name}")
            connection.execute("ALTER TABLE tables DROP COLUMN length")
            connection.execute(f"PRAGMA user_version = {version}")
        code, said = finished("open_and_die", f"sqlite:///{path}", str(seed % STATEMENTS))
        assert said == "opened\n" or code < 0, said
        store = open_store(str(path))
        assert list(store.read(table.table)) == before
        fair_host(store).act(table.table, table.bo, ("dare", {"who": "Kira", "danger": 9}))
        store.close()
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (len(scripts("sqlite")),)
    return {"kills": int(code < 0)}


def simulation(seed: int) -> Figures:
    """The whole host on a simulated disk, clock and network."""
    done = simulate(seed)
    return {"sent": done.told + done.refused + done.unknown, "faults": done.faults, "deaths": done.deaths}


# ---------------------------------------------------------------- fuzzing

SIGNS = "0123456789ddddkhlr!o<>=+-*/(){}[],#% xXfF\u00b2\u0663\n"


def notation(seed: int, count: int = 2_000) -> Figures:
    """Strings that are nearly notation: understood, or refused with a sentence."""
    random = Random(seed)
    understood = 0
    for _ in range(count):
        text = "".join(random.choices(SIGNS, k=random.randint(1, 24)))
        try:
            parse(text).explained()
        except (BadNotation, ChanceError):
            continue
        understood += 1
    return {"strings": count, "understood": understood}


def exports(seed: int, count: int = 40) -> Figures:
    """Exports with bytes changed, lines lost, doubled and moved: refused, or the same table as before."""
    random = Random(seed)
    table = FairTable(open_store("memory:"))
    for _ in range(random.randint(1, 4)):
        table.dare(table.bo)
    whole = table.export()
    refused = 0
    for _ in range(count):
        forged = _harmed(b"".join(whole), random)
        host = fair_host(open_store("memory:"))
        try:
            host.archive.take_in(forged.splitlines(keepends=True))
        except Refusal:
            refused += 1
        else:
            assert forged == b"".join(whole) or forged.rstrip() == b"".join(whole).rstrip(), "a forgery was taken in"
    table.store.close()
    return {"exports": count, "refused": refused}


def skins(seed: int, count: int = 200) -> Figures:
    """Skin files with bytes changed: read, or refused with the places of their faults."""
    random = Random(seed)
    assert SINEW_STEEL.skins
    template = SINEW_STEEL.skins.template().encode()
    refused = 0
    for _ in range(count):
        try:
            refused += bool(SINEW_STEEL.skins.faults(_harmed(template, random).decode(errors="replace"), "skin.toml"))
        except Refusal:
            refused += 1
    return {"skins": count, "refused": refused}


def _harmed(data: bytes, random: Random) -> bytes:
    harmed = bytearray(data)
    for _ in range(random.choice([1, 1, 2, 8])):
        place = random.randrange(len(harmed))
        match random.randrange(5):
            case 0:
                harmed[place] ^= 1 << random.randrange(8)
            case 1:
                del harmed[place : place + random.randint(1, 40)]
            case 2:
                harmed[place:place] = harmed[place : place + random.randint(1, 40)]
            case 3:
                harmed[place:place] = random.choice([b'"', b"{", b"}", b"\n", b"\x00", b"\\ud800", b"9" * 30, b"null"])
            case _:
                lines = bytes(harmed).splitlines(keepends=True)
                random.shuffle(lines)
                harmed = bytearray(b"".join(lines))
        harmed = harmed or bytearray(b" ")
    return bytes(harmed)


VALUES: tuple[Any, ...] = (
    None, True, -1, 10**30, 1.5, "", "x" * 5_000, "\u202e", "\x00", [], [[]], {}, {"a": {}}, ["x"] * 50, -(2**63)
)  # fmt: skip


def commands(seed: int, count: int = 150) -> Figures:
    """Commands of a game by their definitions, with values that are not as they should be: done, or refused."""
    random = Random(seed)
    store = open_store("memory:")
    game = random.choice(sorted(installed_rulesets()))
    host = Host(store, (installed_rulesets()[game](),), clock=lambda: 0, entropy=token_bytes)
    opened = host.open(game, name="The Cliff", game_master="Ada")
    state = host.look(opened.table, opened.seat)
    book = host.books[state.ruleset]
    refused = 0
    for _ in range(count):
        state = host.look(opened.table, opened.seat)
        name = random.choice(list(book.actions))
        tried = list(commands_to_try(book, book.actions[name].command, state, state.viewer(opened.seat), 4)) or [{}]
        fields = dict(random.choice(tried))
        for field in random.sample(sorted(fields), k=min(len(fields), random.randint(0, 2))):
            fields[field] = random.choice(VALUES)
        try:
            host.act(opened.table, opened.seat, (name, fields))
        except (Refusal, ChanceError):
            refused += 1
    assert not audit(list(host.archive.export(opened.table, opened.seat))).edits
    store.close()
    return {"commands": count, "refused": refused}


KINDS: dict[str, Callable[[int], Figures]] = {
    "kills": kills,
    "postgres": postgres_kills,
    "power": power,
    "io": io,
    "pool": pool,
    "migrations": migrations,
    "simulation": simulation,
    "notation": notation,
    "exports": exports,
    "skins": skins,
    "commands": commands,
}
